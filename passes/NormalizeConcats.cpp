//===- NormalizeConcats.cpp - Elementwise ops behind concatenations -------===//
//
// A kernel reads the pieces of a concatenation from memory, each where it lies.
// What is computed of a piece element by element is computed of the whole,
// then, and chosen where the piece is: the value not chosen has no influence.
// A concatenation of one value with itself is no concatenation.
//
//===----------------------------------------------------------------------===//

#include "fuse/passes/Passes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"

namespace fuse {
#define GEN_PASS_DEF_NORMALIZECONCATSPASS
#include "fuse/passes/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

/// The input of a function of one tensor, and of scalars besides, that only
/// `use` needs; null for others. On integers a function may be an error.
static OpOperand *getMapped(OpOperand &use) {
  auto map = use.get().getDefiningOp<MapOp>();
  if (!map || !map->hasOneUse() ||
      !isa<FloatType>(getElementTypeOrSelf(map.getType())))
    return nullptr;
  OpOperand *tensor = nullptr;
  for (OpOperand &input : map->getOpOperands()) {
    if (cast<RankedTensorType>(input.get().getType()).getRank() == 0)
      continue;
    if (tensor)
      return nullptr;
    tensor = &input;
  }
  return tensor && tensor->get().getType() == map.getType() ? tensor : nullptr;
}

/// Where piece `number` of `op` lies in it.
static Value createInside(ConcatOp op, unsigned number, OpBuilder &builder) {
  Location loc = op.getLoc();
  auto axis = static_cast<int64_t>(op.getAxis());
  Type i32 = builder.getI32Type();
  Value position = IotaOp::create(builder, loc, op, axis, i32);
  Value begin;
  for (Value piece : op.getInputs().take_front(number)) {
    Value extent = DimOp::create(builder, loc, piece, axis, i32);
    begin = begin ? MapOp::create(builder, loc, ScalarFn::Add,
                                  ValueRange{begin, extent})
                        .getResult()
                  : extent;
  }
  Value inside;
  if (begin)
    inside = CompareOp::create(builder, loc, Comparison::Ge, position, begin);
  if (number + 1 == op.getInputs().size())
    return inside;
  Value end = DimOp::create(builder, loc, op.getInputs()[number], axis, i32);
  if (begin)
    end = MapOp::create(builder, loc, ScalarFn::Add, ValueRange{begin, end});
  Value before = CompareOp::create(builder, loc, Comparison::Lt, position, end);
  return inside ? MapOp::create(builder, loc, ScalarFn::And,
                                ValueRange{inside, before})
                      .getResult()
                : before;
}

/// One value several times is a repetition along a new axis before `axis`,
/// which what is elementwise can see through.
static bool repeat(ConcatOp op) {
  size_t count = op.getInputs().size();
  Value piece = op.getInputs().front();
  auto type = cast<RankedTensorType>(piece.getType());
  if (count < 2 || !llvm::all_equal(op.getInputs()) ||
      type.getDimSize(static_cast<int64_t>(op.getAxis())) == 0 ||
      !llvm::all_of(op->getUsers(), llvm::IsaPred<MapOp, CompareOp, CastOp>))
    return false;
  SmallVector<std::string> axes, apart, together;
  for (int64_t axis = 0; axis < op.getType().getRank(); ++axis) {
    std::string name = "a" + std::to_string(axis);
    bool isRepeated = axis == static_cast<int64_t>(op.getAxis());
    std::string number = std::to_string(count);
    axes.push_back(name);
    if (isRepeated)
      apart.push_back(number);
    apart.push_back(name);
    together.push_back(isRepeated ? "(" + number + " " + name + ")" : name);
  }
  OpBuilder builder(op);
  std::string all = llvm::join(apart, " ");
  Value repeated =
      BroadcastOp::create(builder, op.getLoc(), piece,
                          llvm::join(axes, " ") + " -> " + all, Value());
  Value whole = ReshapeOp::create(builder, op.getLoc(), repeated, Value(),
                                  all + " -> " + llvm::join(together, " "));
  op.getResult().replaceAllUsesWith(whole);
  op.erase();
  return true;
}

/// Takes the functions of one piece out of `op`; the concatenation of what is
/// left, or null.
static ConcatOp normalize(ConcatOp op) {
  if (op.getInputs().size() < 2)
    return {};
  for (auto [number, use] : llvm::enumerate(op->getOpOperands())) {
    SmallVector<OpOperand *> chain;
    for (OpOperand *mapped = getMapped(use); mapped;
         mapped = getMapped(*mapped))
      chain.push_back(mapped);
    if (chain.empty())
      continue;
    OpBuilder builder(op);
    SmallVector<Value> pieces(op.getInputs());
    pieces[number] = chain.back()->get();
    auto whole = ConcatOp::create(builder, op.getLoc(), op.getType(), pieces,
                                  op.getAxis());
    Value everywhere = whole;
    for (OpOperand *mapped : llvm::reverse(chain)) {
      auto map = cast<MapOp>(mapped->getOwner());
      SmallVector<Value> inputs(map.getInputs());
      inputs[mapped->getOperandNumber()] = everywhere;
      everywhere = MapOp::create(builder, map.getLoc(), map.getFn(), inputs);
    }
    Value inside = createInside(whole, number, builder);
    Value chosen =
        SelectOp::create(builder, op.getLoc(), inside, everywhere, whole);
    op.getResult().replaceAllUsesWith(chosen);
    op.erase();
    for (OpOperand *mapped : chain)
      mapped->getOwner()->erase();
    return whole;
  }
  return {};
}

namespace {
struct NormalizeConcatsPass final
    : fuse::impl::NormalizeConcatsPassBase<NormalizeConcatsPass> {
  using NormalizeConcatsPassBase::NormalizeConcatsPassBase;
  void runOnOperation() override {
    SmallVector<ConcatOp> concats;
    getOperation().walk([&](ConcatOp op) { concats.push_back(op); });
    for (ConcatOp op : concats)
      while (op && !repeat(op))
        op = normalize(op);
  }
};
} // namespace
