//===- EmitTileOps.cpp - One statement an operation -----------------------===//

#include "KernelEmitter.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuse;

raw_ostream &KernelEmitter::indent() { return os.indent(2 * depth); }

StringRef KernelEmitter::mapName(Value value) {
  return maps[cast<tile::TileType>(value.getType()).getMap()];
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

std::string KernelEmitter::callText(StringRef function, ValueRange tiles) {
  std::string text = (function + "(").str();
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(tiles, stream,
                        [&](Value tile) { stream << names.get(tile); });
  stream << ")";
  return text;
}

std::string KernelEmitter::loadText(tile::LoadOp op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << (op.getCondition() ? "load_if<" : "load<") << mapName(op.getTile());
  if (op.getVector() != 1)
    stream << ", " << op.getVector();
  if (op.getAnyStride())
    stream << ", AnyStride";
  stream << ">(" << addressText(op.getBuffer(), op.getOffset()) << ", "
         << listText("strides", op.getStrides());
  if (!op.getLimits().empty())
    stream << ", " << listText("limits", op.getLimits());
  if (op.getCondition())
    stream << ", " << names.get(op.getCondition());
  if (!op.getLimits().empty() || op.getCondition())
    stream << ", " << numberText(op.getFill());
  stream << ")";
  return text;
}

/// `alloc<SharedTile<float, 32, 64>>(0, "lhs")`
std::string KernelEmitter::allocText(tile::AllocOp op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  tile::TileType type = op.getTile().getType();
  stream << "alloc<" << (op.getSlots() ? "Slots<" : "");
  if (op.getSwizzle())
    stream << "SwizzledTile<" << typeText(type.getElementType()) << ", "
           << *op.getSwizzle();
  else
    stream << "SharedTile<" << typeText(type.getElementType());
  for (int64_t extent : type.getShape())
    stream << ", " << extent;
  if (op.getSlots())
    stream << ">, " << *op.getSlots();
  stream << ">>(" << op.getOffset().value_or(0) << ")";
  return text;
}

std::string KernelEmitter::broadcastText(tile::BroadcastOp op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "broadcast<" << mapName(op.getTile());
  for (int64_t dim : op.getDims())
    stream << ", " << dim;
  stream << ">(" << names.get(op.getSource()) << ")";
  return text;
}

std::string KernelEmitter::reduceText(tile::ReduceOp op) {
  StringRef kind = op.getKind() == ReduceKind::Sum   ? "Sum"
                   : op.getKind() == ReduceKind::Max ? "Max"
                                                     : "Min";
  return ("reduce<" + kind + ", " + Twine(op.getDim()) + ", " +
          mapName(op.getTile()) + ">(" + names.get(op.getSource()) + ")")
      .str();
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// The loop variable that `op`'s result is the next value of, if nothing needs
/// its old value any more.
static BlockArgument findLoopVariable(Operation &op) {
  Value result = op.getResult(0);
  if (!result.hasOneUse())
    return {};
  OpOperand &use = *result.getUses().begin();
  auto loop = dyn_cast<scf::ForOp>(op.getParentOp());
  if (!loop || !isa<scf::YieldOp>(use.getOwner()) ||
      use.getOwner()->getParentOp() != loop)
    return {};
  BlockArgument variable = loop.getRegionIterArgs()[use.getOperandNumber()];
  bool isUsedLater = llvm::any_of(variable.getUsers(), [&](Operation *user) {
    Operation *ancestor = op.getBlock()->findAncestorOpInBlock(*user);
    return op.isBeforeInBlock(ancestor);
  });
  return isUsedLater ? BlockArgument() : variable;
}

LogicalResult KernelEmitter::emitValue(Operation &op, StringRef hint,
                                       const Twine &text) {
  Value result = op.getResult(0);
  if (BlockArgument variable = findLoopVariable(op)) {
    indent() << names.get(variable) << " = " << text << ";\n";
    names.alias(result, variable);
    return success();
  }
  std::string value = text.str();
  indent() << "const auto " << names.name(result, hint) << " = " << value
           << ";\n";
  return success();
}

LogicalResult KernelEmitter::emitLoop(scf::ForOp loop) {
  for (auto [init, variable, result] : llvm::zip_equal(
           loop.getInitArgs(), loop.getRegionIterArgs(), loop.getResults())) {
    // What comes next is loaded in each step, or is a step of the loop around.
    Value next = loop.getTiedLoopYieldedValue(variable)->get();
    auto load = next.getDefiningOp<tile::LoadOp>();
    std::string hint =
        load ? (names.get(load.getBuffer()) + "_next").str() : "total";
    indent() << "auto " << names.name(variable, hint) << " = "
             << names.get(init) << ";\n";
    names.alias(result, variable);
  }
  StringRef counter = names.name(loop.getInductionVar(), "k");
  indent() << "for (int64_t " << counter << " = "
           << indexText(loop.getLowerBound()) << "; " << counter << " < "
           << indexText(loop.getUpperBound()) << "; " << counter
           << " += " << indexText(loop.getStep()) << ") {\n";
  ++depth;
  if (failed(emitBlock(*loop.getBody())))
    return failure();
  for (auto [variable, next] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues()))
    if (names.get(variable) != names.get(next))
      indent() << names.get(variable) << " = " << names.get(next) << ";\n";
  --depth;
  indent() << "}\n";
  return success();
}

LogicalResult KernelEmitter::emitStore(tile::StoreOp op) {
  indent() << "store";
  if (op.getVector() != 1)
    os << "<" << op.getVector() << (op.getAnyStride() ? ", AnyStride>" : ">");
  os << "(" << names.get(op.getTile()) << ", "
     << addressText(op.getBuffer(), op.getOffset()) << ", "
     << listText("strides", op.getStrides());
  if (!op.getLimits().empty())
    os << ", " << listText("limits", op.getLimits());
  os << ");\n";
  return success();
}

LogicalResult KernelEmitter::emitBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(emitOp(op)))
      return failure();
  return success();
}

LogicalResult KernelEmitter::emitOp(Operation &op) {
  auto nameOf = [&](Value value) { return names.get(value); };
  return TypeSwitch<Operation *, LogicalResult>(&op)
      .Case<arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::MulIOp,
            arith::DivSIOp, arith::MinSIOp>(
          [&](Operation *) { return emitIndex(op); })
      .Case([&](tile::OriginOp op) { return emitOrigin(op); })
      .Case([&](scf::ForOp op) { return emitLoop(op); })
      .Case([&](tile::LoadOp op) {
        return emitValue(*op, (nameOf(op.getBuffer()) + "_tile").str(),
                         loadText(op));
      })
      .Case([&](tile::StoreOp op) { return emitStore(op); })
      .Case([&](tile::AllocOp op) {
        return emitValue(*op, "shared", allocText(op));
      })
      .Case([&](tile::SlotOp op) {
        return emitValue(*op, (nameOf(op.getSource()) + "_now").str(),
                         "slot(" + nameOf(op.getSource()) + ", " +
                             indexText(op.getTurn()) + ")");
      })
      .Case([&](tile::RowsOp op) {
        int64_t rows = op.getTile().getType().getShape()[0];
        return emitValue(*op, (nameOf(op.getSource()) + "_rows").str(),
                         "rows<" + std::to_string(rows) + ">(" +
                             nameOf(op.getSource()) + ", " +
                             indexText(op.getFirst()) + ")");
      })
      .Case([&](tile::WriteOp op) {
        StringRef function = op.getTransposed() ? "write_transposed" : "write";
        indent() << callText(function, op->getOperands()) << ";\n";
        return success();
      })
      .Case([&](tile::ReadOp op) {
        return emitValue(*op, "tile",
                         "read<" + mapName(op.getTile()) + ">(" +
                             nameOf(op.getSource()) + ")");
      })
      .Case([&](tile::AwaitOp) {
        indent() << "wait_for_producers();\n";
        indent() << "release_dependents();\n";
        return success();
      })
      .Case([&](tile::BarrierOp) {
        indent() << "barrier();\n";
        return success();
      })
      .Case([&](tile::FillOp op) {
        return emitValue(*op, "value",
                         "fill<" + mapName(op.getTile()) + ">(" +
                             numberText(op.getValue()) + ")");
      })
      .Case([&](tile::SplatOp op) {
        StringRef type = typeText(op.getTile().getType().getElementType());
        return emitValue(*op, "extent",
                         "fill<" + mapName(op.getTile()) + ">(splat<" + type +
                             ">(" + indexText(op.getSource()) + "))");
      })
      .Case([&](tile::IotaOp op) {
        return emitValue(*op, "index",
                         "iota<" + mapName(op.getTile()) + ", " +
                             Twine(op.getDim()) + ">(" +
                             indexText(op.getStart()) + ")");
      })
      .Case([&](tile::MapOp op) {
        std::string function = functionText(op.getFn());
        return emitValue(*op, function, callText(function, op.getInputs()));
      })
      .Case([&](tile::CompareOp op) {
        std::string function = functionText(op.getComparison());
        return emitValue(*op, "holds", callText(function, op->getOperands()));
      })
      .Case([&](tile::SelectOp op) {
        return emitValue(*op, "chosen", callText("select", op->getOperands()));
      })
      .Case([&](tile::CastOp op) {
        Type type = op.getTile().getType().getElementType();
        return emitValue(
            *op, (nameOf(op.getSource()) + "_" + typeText(type).lower()).str(),
            "cast<" + typeText(type) + ">(" + nameOf(op.getSource()) + ")");
      })
      .Case([&](tile::MaskOp op) {
        return emitValue(*op, "masked",
                         "mask(" + nameOf(op.getSource()) + ", " +
                             listText("limits", op.getLimits()) + ", " +
                             numberText(op.getIdentity()) + ")");
      })
      .Case([&](tile::BroadcastOp op) {
        return emitValue(*op, (nameOf(op.getSource()) + "_all").str(),
                         broadcastText(op));
      })
      .Case([&](tile::ReshapeOp op) {
        return emitValue(*op, nameOf(op.getSource()),
                         "reshape<" + mapName(op.getTile()) + ">(" +
                             nameOf(op.getSource()) + ")");
      })
      .Case([&](tile::ReduceOp op) {
        return emitValue(*op, stringifyEnum(op.getKind()), reduceText(op));
      })
      .Case([&](tile::AccumulateOp op) {
        return emitValue(
            *op, "sum",
            callText("accumulate<" + std::to_string(op.getDim()) + ">",
                     op->getOperands()));
      })
      .Case([&](tile::ContractOp op) {
        StringRef lhs = op.getLhsTransposed() ? "KM" : "MK";
        StringRef rhs = op.getRhsTransposed() ? "NK" : "KN";
        std::string unroll =
            op.getUnroll() ? ", " + std::to_string(*op.getUnroll()) : "";
        return emitValue(
            *op, "product",
            (op.getOneChain() ? "contract_chain<" : "contract<") + lhs + ", " +
                rhs + unroll + ">(" + nameOf(op.getAccumulator()) + ", " +
                nameOf(op.getLhs()) + ", " + nameOf(op.getRhs()) + ")");
      })
      .Case([&](tile::ContractRowsOp op) {
        StringRef rhs = op.getRhsTransposed() ? "NK" : "KN";
        StringRef result = op.getTileTransposed() ? "NM" : "MN";
        return emitValue(
            *op, "product",
            callText(("contract_rows<" + rhs + ", " + result + ">").str(),
                     op->getOperands()));
      })
      .Default([](Operation *op) {
        return op->emitOpError("has no spelling in CUDA");
      });
}
