//===- VectorizeAccesses.cpp - Several elements an access -----------------===//
//
// Registers that run along a dim of stride 1 can be moved together, where every
// run of them starts at a multiple of its length. That holds for all sizes if
// offset, strides and limits are multiples whatever a kernel's arguments are.
//
//===----------------------------------------------------------------------===//

#include "fuse/passes/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace fuse {
#define GEN_PASS_DEF_VECTORIZEACCESSESPASS
#include "fuse/passes/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

/// The widest access of one thread.
static constexpr int64_t maxBytes = 16;
/// Narrower ones are not worth a path of their own.
static constexpr int64_t minBytes = 4;

//===----------------------------------------------------------------------===//
// What numbers are multiples of
//===----------------------------------------------------------------------===//

/// The largest power of two up to `maxBytes` that divides a number.
static int64_t getPowerOfTwo(int64_t number) {
  return number == 0 ? maxBytes : std::min<int64_t>(maxBytes, number & -number);
}

/// One that divides `value` for all arguments of the kernel.
static int64_t getDivisor(Value value) {
  if (std::optional<int64_t> number = getConstantIntValue(value))
    return getPowerOfTwo(*number);
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || value != loop.getInductionVar())
      return 1;
    return std::min(getDivisor(loop.getLowerBound()),
                    getDivisor(loop.getStep()));
  }
  Operation *op = value.getDefiningOp();
  if (auto origin = dyn_cast<tile::OriginOp>(op))
    return getPowerOfTwo(
        origin.getIndexSpace().tiles[cast<OpResult>(value).getResultNumber()]);
  if (isa<arith::MulIOp>(op))
    return std::min(maxBytes, getDivisor(op->getOperand(0)) *
                                  getDivisor(op->getOperand(1)));
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    return std::min(getDivisor(op->getOperand(0)),
                    getDivisor(op->getOperand(1)));
  return 1;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

namespace {
/// Of a load or a store.
struct GlobalAccess {
  tile::TileType type;
  Value offset;
  OperandRange strides, limits;

  /// True if runs of `vector` along `dim` are whole for all sizes.
  bool hasWholeRuns(int64_t vector, size_t dim) const;
  /// True if they are for no size.
  bool hasNoRuns(int64_t vector, size_t dim) const;

private:
  /// What has to be a multiple of the length of a run.
  SmallVector<Value> getMultiples(size_t dim) const;
};

struct Vector {
  int64_t elements = 1;
  bool isSure = true;
};
} // namespace

SmallVector<Value> GlobalAccess::getMultiples(size_t dim) const {
  SmallVector<Value> multiples = {offset};
  for (auto [number, stride] : llvm::enumerate(strides))
    if (number != dim && type.getShape()[number] > 1)
      multiples.push_back(stride);
  if (limits.empty())
    return multiples;
  std::optional<int64_t> limit = getConstantIntValue(limits[dim]);
  if (!limit || *limit < type.getShape()[dim])
    multiples.push_back(limits[dim]);
  return multiples;
}

bool GlobalAccess::hasWholeRuns(int64_t vector, size_t dim) const {
  return llvm::all_of(getMultiples(dim), [&](Value value) {
    return getDivisor(value) % vector == 0;
  });
}

bool GlobalAccess::hasNoRuns(int64_t vector, size_t dim) const {
  return llvm::any_of(getMultiples(dim), [&](Value value) {
    std::optional<int64_t> number = getConstantIntValue(value);
    return number && *number % vector != 0;
  });
}

/// `alignment` is that of the buffer, in bytes.
static Vector getVector(const GlobalAccess &access, int64_t alignment) {
  if (!access.type.getMap())
    return {};
  const tile::FragmentMap &map = access.type.getMap().getValue();
  int64_t elementBytes = getElementBytes(access.type.getElementType());
  for (auto [dim, stride] : llvm::enumerate(access.strides)) {
    if (!isConstantIntValue(stride, 1))
      continue;
    for (int64_t vector = maxBytes / elementBytes; vector > 1; vector /= 2)
      if (vector * elementBytes >= minBytes && vector <= 8 &&
          map.registerStep(dim) % vector == 0 && !access.hasNoRuns(vector, dim))
        return {vector, vector * elementBytes <= alignment &&
                            access.hasWholeRuns(vector, dim)};
  }
  return {};
}

namespace {
struct VectorizeAccessesPass final
    : fuse::impl::VectorizeAccessesPassBase<VectorizeAccessesPass> {
  using VectorizeAccessesPassBase::VectorizeAccessesPassBase;

  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      // Elements under a condition come and go one by one.
      if (auto load = dyn_cast<tile::LoadOp>(op); load && !load.getCondition())
        vectorize(load);
      if (auto store = dyn_cast<tile::StoreOp>(op))
        vectorize(store);
    });
  }

private:
  template <class Op>
  void vectorize(Op op) {
    GlobalAccess access{op.getTile().getType(), op.getOffset(), op.getStrides(),
                        op.getLimits()};
    Vector vector = getVector(access, alignment);
    op.setVector(vector.elements);
    op.setAnyStride(!vector.isSure);
  }
};
} // namespace
