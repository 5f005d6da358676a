//===- KernelBuilder.cpp - Sizes, starts and loops of a kernel ------------===//

#include "TileScope.h"
#include <set>

using namespace mlir;
using namespace fuse;

/// The symbols of everything a kernel may have to compute, sorted.
static SmallVector<std::string> collectSymbols(func::FuncOp source,
                                               const IndexForm &form,
                                               const DimAnalysis &dims) {
  std::set<std::string> symbols;
  auto add = [&](const DimExpr &expr) {
    for (std::string &symbol : expr.symbols())
      symbols.insert(std::move(symbol));
  };
  for (IndexId index : form.getOrder())
    add(form.getExtent(index));
  for (BlockArgument argument : source.getArguments())
    for (const DimExpr &dim : dims.getSimplifiedDims(argument))
      add(dim);
  source.walk([&](Operation *op) {
    for (Value result : op->getResults())
      for (const DimExpr &dim : dims.getSimplifiedDims(result))
        add(dim);
    std::string error;
    if (auto dim = dyn_cast<DimOp>(op); dim && dim.getExpr())
      add(dims.getFacts().normalize(*DimExpr::parse(*dim.getExpr(), error)));
  });
  return {symbols.begin(), symbols.end()};
}

static StringAttr nameOf(func::FuncOp source, unsigned number, bool isResult) {
  auto attr =
      isResult
          ? source.getResultAttrOfType<StringAttr>(number,
                                                   FuseDialect::nameAttr)
          : source.getArgAttrOfType<StringAttr>(number, FuseDialect::nameAttr);
  if (attr)
    return attr;
  return StringAttr::get(source.getContext(),
                         (isResult ? "result" : "arg") + Twine(number));
}

KernelBuilder::KernelBuilder(func::FuncOp source, const IndexForm &form,
                             const DimAnalysis &dims, ArrayRef<TileDim> grid,
                             int64_t threads)
    : form(form), dims(dims), builder(source), entry(source) {
  auto elementOf = [](Type type) {
    return cast<RankedTensorType>(type).getElementType();
  };
  SmallVector<Type> types;
  for (Type type : source.getArgumentTypes())
    types.push_back(tile::BufferType::get(elementOf(type)));
  for (Type type : source.getResultTypes())
    types.push_back(tile::BufferType::get(elementOf(type)));
  numInputs = source.getNumArguments();
  SmallVector<std::string> names = collectSymbols(source, form, dims);
  types.append(names.size(), builder.getIndexType());

  SmallVector<std::string> extents;
  SmallVector<int64_t> tiles;
  for (const TileDim &dim : grid) {
    extents.push_back(form.getExtent(dim.index).str());
    tiles.push_back(dim.extent);
  }
  kernel = tile::KernelOp::create(builder, source.getLoc(), source.getName(),
                                  types, threads, extents, tiles);
  unsigned number = 0;
  for (unsigned i = 0; i < source.getNumArguments(); ++i)
    kernel.setArgAttr(number++, tile::TileDialect::nameAttr,
                      nameOf(source, i, /*isResult=*/false));
  for (unsigned i = 0; i < source.getNumResults(); ++i)
    kernel.setArgAttr(number++, tile::TileDialect::nameAttr,
                      nameOf(source, i, /*isResult=*/true));
  for (const std::string &name : names) {
    symbols[name] = kernel.getBody().getArgument(number);
    kernel.setArgAttr(number++, tile::TileDialect::dimAttr,
                      builder.getStringAttr(name));
  }
  Block &body = kernel.getBody().front();
  builder.setInsertionPointToEnd(&body);
  auto end = tile::ReturnOp::create(builder, source.getLoc());
  builder.setInsertionPoint(end);
  auto origin = tile::OriginOp::create(
      builder, source.getLoc(),
      SmallVector<Type>(grid.size(), builder.getIndexType()));
  for (auto [dim, start] : llvm::zip_equal(grid, origin.getStarts())) {
    starts[dim.index] = start;
    blockExtents[dim.index] = dim.extent;
  }
  entry.setInsertionPoint(origin);
}

DimExpr KernelBuilder::getDim(DimOp op) const {
  if (op.getSource())
    return dims.getSimplifiedDims(op.getSource())[*op.getAxis()];
  std::string error;
  return dims.getFacts().normalize(*DimExpr::parse(*op.getExpr(), error));
}

Value KernelBuilder::getBuffer(BlockArgument argument) {
  return kernel.getBody().getArgument(argument.getArgNumber());
}

Value KernelBuilder::getResultBuffer(unsigned number) {
  return kernel.getBody().getArgument(numInputs + number);
}

/// An expression without fractions, of at least one term.
Value KernelBuilder::createSum(const DimExpr &expr) {
  Location loc = kernel.getLoc();
  Value sum;
  for (const DimExpr::Term &term : expr.getTerms()) {
    Value product;
    auto multiply = [&](Value factor) {
      product =
          product
              ? arith::MulIOp::create(entry, loc, product, factor).getResult()
              : factor;
    };
    for (const DimExpr::Power &power : term.powers)
      for (int i = 0; i < power.exponent; ++i)
        multiply(symbols.lookup(power.symbol));
    if (term.numerator != 1 || !product)
      multiply(getConstant(term.numerator));
    sum = sum ? arith::AddIOp::create(entry, loc, sum, product).getResult()
              : product;
  }
  return sum;
}

Value KernelBuilder::getSize(const DimExpr &expr) {
  std::string key = expr.str();
  if (Value known = sizes.lookup(key))
    return known;
  Location loc = kernel.getLoc();
  Value size;
  if (std::optional<int64_t> constant = expr.constant()) {
    size = arith::ConstantIndexOp::create(entry, loc, *constant);
  } else {
    auto [whole, numerator, denominator] = expr.getParts();
    if (numerator != DimExpr()) {
      Value divisor = getSize(denominator);
      size = arith::DivSIOp::create(entry, loc, getSize(numerator), divisor);
    }
    Value sum = whole == DimExpr() ? Value() : createSum(whole);
    if (sum)
      size =
          size ? arith::AddIOp::create(entry, loc, size, sum).getResult() : sum;
  }
  return sizes[key] = size;
}

Value KernelBuilder::getStart(IndexId index) {
  auto it = starts.find(index);
  return it == starts.end() ? Value() : it->second;
}

void KernelBuilder::reverseBlocks(IndexId index) {
  Value start = getStart(index);
  if (!start)
    return;
  Location loc = kernel.getLoc();
  Value tile = getConstant(blockExtents.lookup(index));
  Value one = getConstant(1);
  // The last tile's start: whole tiles before the index's last value.
  Value last = builder.createOrFold<arith::SubIOp>(
      loc, getSize(form.getExtent(index)), one);
  last = builder.createOrFold<arith::DivSIOp>(loc, last, tile);
  last = builder.createOrFold<arith::MulIOp>(loc, last, tile);
  starts[index] = arith::SubIOp::create(builder, loc, last, start);
}

Value KernelBuilder::getOffset(const Access &access, Location loc) {
  Value sum;
  auto add = [&](Value value) {
    sum = sum ? arith::AddIOp::create(builder, loc, sum, value).getResult()
              : value;
  };
  for (const auto &[index, stride] : access.strides) {
    Value start = getStart(index);
    if (!start || stride == DimExpr())
      continue;
    add(stride == DimExpr(1)
            ? start
            : arith::MulIOp::create(builder, loc, start, getSize(stride))
                  .getResult());
  }
  if (!sum || access.offset != DimExpr())
    add(getSize(access.offset));
  return sum;
}

Value KernelBuilder::createPieces(const TileDim &piece, int64_t whole,
                                  Value init,
                                  function_ref<Value(Value, Value)> body) {
  Location loc = kernel.getLoc();
  Value start = getStart(piece.index);
  Value begin = start ? start : getConstant(0);
  Value end =
      start ? arith::AddIOp::create(builder, loc, start, getConstant(whole))
                  .getResult()
            : getSize(form.getExtent(piece.index));
  auto loop = scf::ForOp::create(builder, loc, begin, end,
                                 getConstant(piece.extent), init);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  starts[piece.index] = loop.getInductionVar();
  Value first = loop.getInductionVar();
  if (start)
    first = arith::SubIOp::create(builder, loc, first, start);
  scf::YieldOp::create(builder, loc, body(loop.getRegionIterArgs()[0], first));
  starts.erase(piece.index);
  if (start)
    starts[piece.index] = start;
  return loop.getResult(0);
}

Value KernelBuilder::createTerms(const TileDim &terms, int64_t count,
                                 Value init, function_ref<Value(Value)> body) {
  Location loc = kernel.getLoc();
  IndexId index = terms.index;
  Value start = getStart(index);
  Value end = arith::MinSIOp::create(
      builder, loc,
      arith::AddIOp::create(builder, loc, start, getConstant(count)),
      getSize(form.getExtent(index)));
  auto loop = scf::ForOp::create(builder, loc, start, end,
                                 getConstant(terms.extent), init);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  starts[index] = loop.getInductionVar();
  scf::YieldOp::create(builder, loc, body(loop.getRegionIterArgs()[0]));
  starts[index] = start;
  return loop.getResult(0);
}

SmallVector<Value>
KernelBuilder::createLoops(ArrayRef<TileDim> dims, ValueRange init,
                           function_ref<SmallVector<Value>(ValueRange)> body) {
  if (dims.empty())
    return body(init);
  const TileDim &dim = dims.front();
  Location loc = kernel.getLoc();
  Value step = getConstant(dim.extent);
  Value start = getStart(dim.index);
  assert((!start || blockExtents.count(dim.index)) &&
         "a loop over an index is in another loop over it");
  Value end = getSize(form.getExtent(dim.index));
  if (start)
    end = arith::MinSIOp::create(
        builder, loc,
        arith::AddIOp::create(builder, loc, start,
                              getConstant(blockExtents.lookup(dim.index))),
        end);
  if (auto it = ends.find(dim.index); it != ends.end()) {
    end = arith::MinSIOp::create(builder, loc, end, it->second);
    ends.erase(it);
  }
  auto loop = scf::ForOp::create(builder, loc, start ? start : getConstant(0),
                                 end, step, init);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  starts[dim.index] = loop.getInductionVar();
  SmallVector<Value> carried =
      createLoops(dims.drop_front(), loop.getRegionIterArgs(), body);
  // A loop without carried values has its terminator already.
  if (!init.empty()) {
    builder.setInsertionPointToEnd(loop.getBody());
    scf::YieldOp::create(builder, loc, carried);
  }
  starts.erase(dim.index);
  if (start)
    starts[dim.index] = start;
  return SmallVector<Value>(loop.getResults());
}
