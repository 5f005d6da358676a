//===- IndexForm.cpp - A kernel's ops over common named indices -----------===//

#include "fuse/passes/IndexForm.h"
#include "IndexFormBuilder.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuse;

bool fuse::isIndexMap(Operation *op) {
  return isa_and_nonnull<BroadcastOp, TransposeOp, ReshapeOp, SliceOp>(op);
}

bool fuse::isShapeUse(OpOperand &use) {
  Operation *op = use.getOwner();
  return (isa<BroadcastOp, ReshapeOp>(op) && use.getOperandNumber() == 1) ||
         isa<IotaOp, DimOp>(op);
}

bool Access::operator==(const Access &other) const {
  if (offset != other.offset || strides.size() != other.strides.size())
    return false;
  return llvm::all_of(strides, [&](const auto &entry) {
    return other.stride(entry.first) == entry.second;
  });
}

AxisLists IndexFormBuilder::freshAxes(ArrayRef<DimExpr> extents) {
  AxisLists axes;
  for (const DimExpr &extent : extents) {
    axes.emplace_back();
    if (extent != DimExpr(1))
      axes.back().push_back(table.create(extent));
  }
  return axes;
}

LogicalResult IndexFormBuilder::unifyAxes(Operation &op, const AxisLists &lhs,
                                          const AxisLists &rhs) {
  for (auto [left, right] : llvm::zip_equal(lhs, rhs))
    if (failed(table.unify(left, right)))
      return fail(op);
  return success();
}

FailureOr<OpenUse> IndexFormBuilder::see(Value value) {
  OpenUse use;
  Operation *op = value.getDefiningOp();
  if (!isIndexMap(op)) {
    const auto *it = computed.find(value);
    use.source = value;
    use.sourceAxes = it != computed.end()
                         ? it->second
                         : freshAxes(dims.getSimplifiedDims(value));
    use.axes = use.sourceAxes;
    return use;
  }
  FailureOr<OpenUse> source = see(op->getOperand(0));
  if (failed(source))
    return failure();
  LogicalResult seen =
      TypeSwitch<Operation *, LogicalResult>(op)
          .Case([&](TransposeOp op) {
            AxisLists axes;
            for (int64_t axis : op.getPermutation())
              axes.push_back(source->axes[axis]);
            source->axes = std::move(axes);
            return success();
          })
          .Case([&](BroadcastOp op) { return seeBroadcast(op, *source); })
          .Case([&](ReshapeOp op) { return seeReshape(op, *source); })
          .Case([&](SliceOp op) { return seeSlice(op, *source); });
  if (failed(seen))
    return failure();
  return source;
}

LogicalResult IndexFormBuilder::seeBroadcast(BroadcastOp op, OpenUse &use) {
  std::string error;
  auto mapping = IndexMapping::parse(op.getPattern(), error);
  SmallVector<std::string> from = mapping->operands[0].flat();
  AxisLists axes;
  for (auto [axis, name] : llvm::enumerate(mapping->result.flat())) {
    auto *it = llvm::find(from, name);
    if (it != from.end()) {
      axes.push_back(use.axes[it - from.begin()]);
      continue;
    }
    axes.push_back(
        freshAxes(dims.getSimplifiedDims(op.getResult())[axis]).front());
    broadcasts[{op, axis}].push_back(axes.back());
  }
  use.axes = std::move(axes);
  return success();
}

LogicalResult IndexFormBuilder::seeReshape(ReshapeOp op, OpenUse &use) {
  std::string error;
  auto mapping = IndexMapping::parse(op.getPattern(), error);
  DimInference infer({}, getErrorFn(*op));
  IndexBinder binder(infer);
  SmallVector<DimVector> operandDims = {dims.getSimplifiedDims(op.getSource())};
  SmallVector<std::string> names = {"the source"};
  if (op.getLike()) {
    operandDims.emplace_back(dims.getSimplifiedDims(op.getLike()));
    names.emplace_back("like");
  }
  if (failed(binder.bind(mapping->operands, operandDims, names)))
    return failure();
  llvm::StringMap<IndexList> factors;
  for (auto [axis, group] : llvm::enumerate(mapping->operands[0].axes)) {
    IndexList list;
    for (const std::string &factor : group) {
      IndexPattern alone;
      alone.axes.push_back({factor});
      FailureOr<DimVector> extent = binder.dims(alone);
      if (failed(extent))
        return failure();
      for (DimExpr &dim : *extent)
        dim = dims.getFacts().normalize(dim);
      factors[factor] = freshAxes(*extent).front();
      llvm::append_range(list, factors[factor]);
    }
    if (failed(table.unify(use.axes[axis], list)))
      return fail(*op);
  }
  AxisLists axes;
  for (const AxisFactors &group : mapping->result.axes) {
    axes.emplace_back();
    for (const std::string &factor : group)
      llvm::append_range(axes.back(), factors[factor]);
  }
  use.axes = std::move(axes);
  return success();
}

LogicalResult IndexFormBuilder::seeSlice(SliceOp op, OpenUse &use) {
  if (computed.count(use.source))
    return fail(*op, "expects a slice of a kernel's input, but got one of a "
                     "value computed in it");
  int64_t axis = op.getAxis();
  DimExpr whole = dims.getSimplifiedDims(op.getSource())[axis];
  DimInference infer({}, getErrorFn(*op));
  FailureOr<DimExpr> start = infer.parse(op.getStart(), &whole);
  if (failed(start))
    return failure();
  *start = dims.getFacts().normalize(*start);
  IndexList fresh =
      freshAxes(dims.getSimplifiedDims(op.getResult())[axis]).front();
  use.shifts.push_back(
      {use.axes[axis], fresh, *start, static_cast<int64_t>(op.getStep())});
  use.axes[axis] = fresh;
  return success();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult IndexFormBuilder::addElementwise(Operation &op) {
  AxisLists axes = freshAxes(dims.getSimplifiedDims(op.getResult(0)));
  for (OpOperand &operand : op.getOpOperands()) {
    FailureOr<OpenUse> use = see(operand.get());
    if (failed(use))
      return failure();
    if (!use->axes.empty() && failed(unifyAxes(op, axes, use->axes)))
      return failure();
    uses[&operand] = std::move(*use);
  }
  computed[op.getResult(0)] = std::move(axes);
  return success();
}

LogicalResult IndexFormBuilder::addReduce(ReduceOp op) {
  OpOperand &operand = op.getSourceMutable();
  FailureOr<OpenUse> use = see(operand.get());
  if (failed(use))
    return failure();
  AxisLists axes;
  for (auto [axis, list] : llvm::enumerate(use->axes))
    if (!llvm::is_contained(op.getAxes(), static_cast<int64_t>(axis)))
      axes.push_back(list);
  uses[&operand] = std::move(*use);
  computed[op.getResult()] = std::move(axes);
  return success();
}

LogicalResult IndexFormBuilder::addEinsum(EinsumOp op) {
  std::string error;
  auto spec = EinsumSpec::parse(op.getIndices(), error);
  llvm::DenseMap<char, IndexList> letters;
  for (auto [number, operand] : llvm::enumerate(op->getOpOperands())) {
    FailureOr<OpenUse> use = see(operand.get());
    if (failed(use))
      return failure();
    for (auto [letter, axis] :
         llvm::zip_equal(spec->operands[number], use->axes)) {
      auto [it, isNew] = letters.try_emplace(letter, axis);
      if (!isNew && failed(table.unify(it->second, axis)))
        return fail(*op);
    }
    uses[&operand] = std::move(*use);
  }
  AxisLists axes;
  for (char letter : spec->result)
    axes.push_back(letters[letter]);
  computed[op.getResult()] = std::move(axes);
  return success();
}

LogicalResult IndexFormBuilder::addConcat(ConcatOp op) {
  AxisLists axes = freshAxes(dims.getSimplifiedDims(op.getResult()));
  int64_t axis = op.getAxis();
  DimExpr begin;
  for (OpOperand &operand : op->getOpOperands()) {
    FailureOr<OpenUse> use = see(operand.get());
    if (failed(use))
      return failure();
    if (computed.count(use->source))
      return fail(*op, "expects inputs of a kernel, but got a value that is "
                       "computed in it");
    DimExpr end = begin + dims.getSimplifiedDims(operand.get())[axis];
    for (auto [number, list] : llvm::enumerate(use->axes))
      if (static_cast<int64_t>(number) != axis &&
          failed(table.unify(axes[number], list)))
        return fail(*op);
    use->shifts.push_back({use->axes[axis], axes[axis], DimExpr() - begin, 1});
    use->range = Read::Range{0, begin, end};
    use->rangeIndex = axes[axis];
    use->axes = axes;
    uses[&operand] = std::move(*use);
    begin = end;
  }
  counted.push_back(axes[axis]);
  computed[op.getResult()] = std::move(axes);
  return success();
}

LogicalResult IndexFormBuilder::addOp(Operation &op) {
  if (isIndexMap(&op))
    return success();
  return TypeSwitch<Operation *, LogicalResult>(&op)
      .Case<MapOp, CompareOp, SelectOp, CastOp>(
          [&](Operation *) { return addElementwise(op); })
      .Case([&](ReduceOp op) { return addReduce(op); })
      .Case([&](EinsumOp op) { return addEinsum(op); })
      .Case([&](ConcatOp op) { return addConcat(op); })
      .Case<ConstantOp, DimOp>([&](Operation *) {
        computed[op.getResult(0)] =
            freshAxes(dims.getSimplifiedDims(op.getResult(0)));
        return success();
      })
      .Case([&](IotaOp op) {
        if (llvm::all_of(op->getUses(), isShapeUse))
          return success();
        AxisLists axes = freshAxes(dims.getSimplifiedDims(op.getResult()));
        iotas.push_back({op, axes[op.getAxis()]});
        counted.push_back(axes[op.getAxis()]);
        computed[op.getResult()] = std::move(axes);
        return success();
      })
      .Case([&](func::ReturnOp) {
        for (OpOperand &operand : op.getOpOperands()) {
          FailureOr<OpenUse> use = see(operand.get());
          if (failed(use))
            return LogicalResult(failure());
          uses[&operand] = std::move(*use);
        }
        return LogicalResult(success());
      })
      .Default([&](Operation *op) {
        return LogicalResult(fail(*op, "cannot be part of a kernel"));
      });
}

//===----------------------------------------------------------------------===//
// Final indices
//===----------------------------------------------------------------------===//

/// Adds `stride` times a row-major list to an access.
static void addTerm(Access &access, const IndexTable &table,
                    ArrayRef<IndexId> list, DimExpr stride) {
  for (IndexId index : llvm::reverse(list)) {
    DimExpr &total = access.strides[index];
    total = total + stride;
    stride = stride * table.extent(index);
  }
}

/// The strides of a row-major tensor, innermost last.
static DimVector rowMajorStrides(ArrayRef<DimExpr> dims) {
  DimVector strides(dims.size());
  DimExpr stride(1);
  for (size_t axis = dims.size(); axis-- > 0;) {
    strides[axis] = stride;
    stride = stride * dims[axis];
  }
  return strides;
}

FailureOr<Access> IndexFormBuilder::close(const OpenUse &use) {
  Access access;
  DimVector strides = rowMajorStrides(dims.getSimplifiedDims(use.source));
  for (auto [list, stride] : llvm::zip_equal(use.sourceAxes, strides))
    addTerm(access, table, table.resolve(list), stride);
  for (const Shift &shift : use.shifts) {
    IndexList index = table.resolve(shift.index);
    // An axis of extent 1 that is sliced has no index, and starts at 0.
    if (index.empty())
      continue;
    if (index.size() > 1)
      return LogicalResult(
          fail(use.source.getLoc(), "expects a sliced axis that is not split"));
    DimExpr stride = access.stride(index[0]);
    access.strides.erase(index[0]);
    access.offset = access.offset + stride * shift.start;
    addTerm(access, table, table.resolve(shift.result),
            stride * DimExpr(shift.step));
  }
  return access;
}

FailureOr<IndexForm> IndexFormBuilder::finish() {
  IndexForm form;
  for (IndexId index = 0; index < table.size(); ++index)
    form.extents.push_back(table.extent(index));
  auto flatten = [&](const AxisLists &axes) {
    IndexList list;
    for (const IndexList &axis : axes)
      llvm::append_range(list, table.resolve(axis));
    return list;
  };
  for (auto &[value, axes] : computed) {
    IndexList &list = form.values[value] = flatten(axes);
    // What is needed at two places at once is no one value.
    IndexList sorted = list;
    llvm::sort(sorted);
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
      return fail(value.getLoc(),
                  "expects an index for each axis, but two of a "
                  "value computed here are one");
  }
  for (auto &[op, list] : iotas)
    form.iotas[op] = table.resolve(list);
  for (const IndexList &list : counted)
    for (IndexId index : table.resolve(list))
      form.counted.insert(index);
  for (auto &[operand, open] : uses) {
    IndexForm::Use &use = form.uses[operand];
    use.indices = flatten(open.axes);
    if (computed.count(open.source)) {
      use.source = open.source;
      continue;
    }
    FailureOr<Access> access = close(open);
    if (failed(access))
      return failure();
    use.read =
        Read{cast<BlockArgument>(open.source), std::move(*access), open.range};
    if (!open.range)
      continue;
    IndexList index = table.resolve(open.rangeIndex);
    // The only element of an axis of extent 1 is of the piece that has one.
    if (index.empty() && (open.range->end - open.range->begin).constant()) {
      if (!use.read->range->isEmpty())
        use.read->range.reset();
      continue;
    }
    if (index.size() != 1)
      return LogicalResult(fail(kernel.getLoc(),
                                "expects a concatenated axis that is "
                                "not split"));
    use.read->range->index = index[0];
  }
  Operation *end = kernel.front().getTerminator();
  for (OpOperand &operand : end->getOpOperands()) {
    Access access;
    const OpenUse &open = uses[&operand];
    DimVector strides = rowMajorStrides(dims.getSimplifiedDims(operand.get()));
    for (auto [list, stride] : llvm::zip_equal(open.axes, strides))
      addTerm(access, table, table.resolve(list), stride);
    form.results.push_back(std::move(access));
    form.order.insert_range(form.uses[&operand].indices);
  }
  for (auto &[operand, use] : form.uses)
    form.order.insert_range(use.indices);
  for (auto &[value, list] : form.values)
    form.order.insert_range(list);
  return form;
}

FailureOr<IndexForm> IndexFormBuilder::run() {
  for (Operation &op : kernel.front())
    if (failed(addOp(op)))
      return failure();
  shareReads();
  shareBroadcasts();
  shareColumns();
  return finish();
}

FailureOr<IndexForm> IndexForm::compute(func::FuncOp kernel,
                                        const DimAnalysis &dims, bool isTrial) {
  return IndexFormBuilder(kernel, dims, isTrial).run();
}
