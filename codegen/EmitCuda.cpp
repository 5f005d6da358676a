//===- EmitCuda.cpp - Kernels as CUDA C++ text ----------------------------===//

#include "fuse/codegen/EmitCuda.h"
#include "KernelEmitter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuse;

LogicalResult fuse::emitKernels(ArrayRef<tile::KernelOp> kernels,
                                raw_ostream &os) {
  for (tile::KernelOp kernel : kernels)
    if (failed(KernelEmitter(kernel, os).emit()))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

LogicalResult KernelEmitter::emit() {
  emitSignature();
  os << " {\n";
  emitMaps();
  bool hasParts = !kernel.getBody().getOps<tile::PartOp>().empty();
  if (failed(hasParts ? emitParts() : emitBlock(kernel.getBody().front())))
    return failure();
  os << "}\nFUSE_KERNEL_ENTRY(" << kernel.getSymName() << ")\n\n";
  return success();
}

void KernelEmitter::emitSignature() {
  llvm::DenseSet<Value> written;
  kernel.walk([&](tile::StoreOp store) { written.insert(store.getBuffer()); });
  os << "extern \"C\" __global__ void __launch_bounds__(" << kernel.getThreads()
     << ")\n"
     << kernel.getSymName() << "(";
  bool isFirst = true;
  for (BlockArgument argument : kernel.getArguments()) {
    unsigned number = argument.getArgNumber();
    os << (isFirst ? "" : ", ");
    isFirst = false;
    if (auto dim = kernel.getArgAttrOfType<StringAttr>(
            number, tile::TileDialect::dimAttr)) {
      symbols[dim] = names.name(argument, dim).str();
      os << "int64_t " << names.get(argument);
      continue;
    }
    auto name = kernel.getArgAttrOfType<StringAttr>(
        number, tile::TileDialect::nameAttr);
    names.name(argument, name ? name.getValue() : StringRef("buffer"));
    Type element = cast<tile::BufferType>(argument.getType()).getElementType();
    os << (written.contains(argument) ? "" : "const ") << typeText(element)
       << " *" << names.get(argument);
  }
  os << ")";
}

/// Gives every layout a name, in the order in which tiles have them.
void KernelEmitter::emitMaps() {
  auto add = [&](Value value) {
    auto type = dyn_cast<tile::TileType>(value.getType());
    if (!type || !type.getMap() || maps.count(type.getMap()))
      return;
    std::string hint = "Scalar";
    if (type.getRank() != 0) {
      hint = "Tile";
      for (int64_t extent : type.getShape())
        hint += (hint == "Tile" ? "" : "x") + std::to_string(extent);
    }
    std::string name = type.getRank() == 0 ? hint : names.create(hint);
    maps[type.getMap()] = name;
    os << "  using " << name << " = " << mapText(type.getMap().getValue())
       << ";\n";
  };
  kernel.walk<WalkOrder::PreOrder>(
      [&](Operation *op) { llvm::for_each(op->getResults(), add); });
  os << "\n";
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

namespace {
/// How tightly an expression binds.
enum Precedence { Sum, Product, Atom };
} // namespace

/// An index value as an expression; one that is used once is written in place.
std::string KernelEmitter::indexText(Value value, int precedence) {
  if (names.has(value))
    return names.get(value).str();
  std::string text;
  int own = Atom;
  auto binary = [&](Operation *op, StringRef sign, int binding) {
    own = binding;
    // The right side binds tighter: `a - (b + c)`.
    text = indexText(op->getOperand(0), binding) + sign.str() +
           indexText(op->getOperand(1), binding + 1);
  };
  TypeSwitch<Operation *>(value.getDefiningOp())
      .Case([&](arith::ConstantOp op) {
        text = std::to_string(cast<IntegerAttr>(op.getValue()).getInt());
      })
      .Case([&](arith::AddIOp op) { binary(op, " + ", Sum); })
      .Case([&](arith::SubIOp op) { binary(op, " - ", Sum); })
      .Case([&](arith::MulIOp op) { binary(op, " * ", Product); })
      .Case([&](arith::DivSIOp op) { binary(op, " / ", Product); })
      .Case([&](arith::MinSIOp op) {
        text = "least(" + indexText(op.getLhs()) + ", " +
               indexText(op.getRhs()) + ")";
      });
  return own < precedence ? "(" + text + ")" : text;
}

std::string KernelEmitter::listText(StringRef function, ValueRange values) {
  std::string text = (function + "(").str();
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(values, os,
                        [&](Value value) { os << indexText(value); });
  os << ")";
  return text;
}

std::string KernelEmitter::addressText(Value buffer, Value offset) {
  std::string base = names.get(buffer).str();
  std::string text = indexText(offset);
  return text == "0" ? base : base + " + " + text;
}

static bool isLimit(Value value) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    auto isIn = [&](OperandRange limits) {
      return llvm::is_contained(limits, value);
    };
    if (auto load = dyn_cast<tile::LoadOp>(user))
      return isIn(load.getLimits());
    if (auto store = dyn_cast<tile::StoreOp>(user))
      return isIn(store.getLimits());
    auto mask = dyn_cast<tile::MaskOp>(user);
    return mask && isIn(mask.getLimits());
  });
}

/// What an index value is for, as far as its op and its users say it.
static StringRef indexHint(Operation &op) {
  if (llvm::any_of(op.getUsers(),
                   [](Operation *user) { return isa<tile::SlotOp>(user); }))
    return "turn";
  auto loop = dyn_cast<scf::ForOp>(op.getParentOp());
  if (loop && isa<arith::AddIOp>(op) &&
      op.getOperand(0) == loop.getInductionVar() &&
      op.getOperand(1) == loop.getStep())
    return "next";
  if (!isa<arith::SubIOp>(op))
    return "offset";
  return isLimit(op.getResult(0)) ? "rest" : "start";
}

/// Sizes that several statements use have a name; others are written in place.
LogicalResult KernelEmitter::emitIndex(Operation &op) {
  if (isa<arith::ConstantOp>(op) || op.getResult(0).hasOneUse() ||
      op.use_empty())
    return success();
  std::string text = indexText(op.getResult(0));
  indent() << "const int64_t " << names.name(op.getResult(0), indexHint(op))
           << " = " << text << ";\n";
  return success();
}

/// How many tiles of `size` cover an extent, as an operand of `%` and `/`.
static std::string tilesText(const std::string &extent, int64_t size) {
  if (size != 1)
    return "((" + extent + " + " + std::to_string(size - 1) + ") / " +
           std::to_string(size) + ")";
  return StringRef(extent).contains(' ') ? "(" + extent + ")" : extent;
}

std::string KernelEmitter::countText(const tile::IndexSpace &space,
                                     size_t dim) {
  auto symbolName = [&](StringRef symbol) -> StringRef {
    return symbols[symbol];
  };
  std::string error;
  auto extent =
      DimExpr::parse(cast<StringAttr>(space.grid[dim]).getValue(), error);
  int64_t size = space.tiles[dim];
  if (std::optional<int64_t> constant = extent->constant())
    return std::to_string(llvm::divideCeil(*constant, size));
  return tilesText(dimText(*extent, symbolName), size);
}

std::string KernelEmitter::blocksText(const tile::IndexSpace &space) {
  SmallVector<std::string> counts;
  for (size_t dim = 0; dim < space.tiles.size(); ++dim)
    if (std::string count = countText(space, dim); count != "1")
      counts.push_back(count);
  return counts.empty() ? "1" : llvm::join(counts, " * ");
}

/// Each part has as many blocks as its index space, one after the other.
LogicalResult KernelEmitter::emitParts() {
  auto parts = llvm::to_vector(kernel.getBody().getOps<tile::PartOp>());
  SmallVector<tile::IndexSpace> spaces = kernel.getIndexSpaces();
  SmallVector<std::string> ends;
  for (const tile::IndexSpace &space : ArrayRef(spaces).drop_back()) {
    std::string end = names.create("blocks");
    indent() << "const int64_t " << end << " = "
             << (ends.empty() ? "" : ends.back() + " + ") << blocksText(space)
             << ";\n";
    ends.push_back(end);
  }
  for (auto [number, part] : llvm::enumerate(parts)) {
    if (number == 0)
      indent();
    if (number < ends.size())
      os << "if (block_index() < " << ends[number] << ") {";
    else
      os << "{";
    os << " // " << part.getName() << "\n";
    if (number > 0)
      blockIndex = "block_index() - " + ends[number - 1];
    ++depth;
    if (failed(emitBlock(part.getBody().front())))
      return failure();
    --depth;
    indent() << "}" << (number + 1 < parts.size() ? " else " : "\n");
  }
  return success();
}

/// The last dim of the grid is the fastest.
LogicalResult KernelEmitter::emitOrigin(tile::OriginOp op) {
  tile::IndexSpace space = op.getIndexSpace();
  size_t rank = op.getNumResults();
  bool isLaterPart = StringRef(blockIndex).contains(' ');
  if (rank > 1)
    indent() << "int64_t " << (blockName = names.create("tile")) << " = "
             << blockIndex << ";\n";
  for (size_t dim = rank; dim-- > 0;) {
    int64_t size = space.tiles[dim];
    std::string scale = size == 1 ? "" : " * " + std::to_string(size);
    StringRef name = names.name(op.getResult(dim), "i" + std::to_string(dim));
    if (dim == 0) {
      indent() << "const int64_t " << name << " = "
               << (rank > 1                   ? blockName
                   : size != 1 && isLaterPart ? "(" + blockIndex + ")"
                                              : blockIndex)
               << scale << ";\n";
      continue;
    }
    std::string count = countText(space, dim);
    if (count == "1") {
      indent() << "const int64_t " << name << " = 0;\n";
      continue;
    }
    StringRef inner = count;
    if (inner.consume_front("("))
      inner.consume_back(")");
    indent() << "const int64_t " << name << " = take_coordinate(" << blockName
             << ", " << inner << ")" << scale << ";\n";
  }
  return success();
}
