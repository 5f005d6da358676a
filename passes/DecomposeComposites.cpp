//===- DecomposeComposites.cpp - Rewrite composites into core ops ---------===//

#include "fuse/ir/FuseOps.h"
#include "fuse/passes/Passes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/StringExtras.h"

namespace fuse {
#define GEN_PASS_DEF_DECOMPOSECOMPOSITESPASS
#include "fuse/passes/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

//===----------------------------------------------------------------------===//
// Building blocks
//===----------------------------------------------------------------------===//

static int64_t rankOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getRank();
}

namespace {
/// Builds the arithmetic of one composite in its compute type.
class Expander {
public:
  Expander(OpBuilder &builder, Location loc, Type elementType)
      : builder(builder), loc(loc),
        computeType(elementType.isF64() ? elementType : builder.getF32Type()) {}

  Type getComputeType() const { return computeType; }

  Value cast(Value value, Type elementType) {
    return getElementTypeOrSelf(value) == elementType
               ? value
               : CastOp::create(builder, loc, value, elementType).getResult();
  }
  /// The value as the composite's result, whose type may say more of dims.
  Value convert(Value value, Type type) {
    return value.getType() == type
               ? value
               : CastOp::create(builder, loc, type, value).getResult();
  }
  /// The value in the compute type.
  Value widen(Value value) { return cast(value, computeType); }

  Value scalar(double value) {
    return ConstantOp::create(builder, loc,
                              RankedTensorType::get({}, computeType), value);
  }
  Value map(ScalarFn fn, ValueRange inputs) {
    return MapOp::create(builder, loc, fn, inputs);
  }
  Value extent(Value value, int64_t axis) {
    return DimOp::create(builder, loc, value, axis, computeType);
  }
  Value reduce(ReduceKind kind, Value value, int64_t axis) {
    return ReduceOp::create(builder, loc, kind, value, axis);
  }
  /// A tensor without `axis`, repeated along it to the shape of `like`.
  Value spreadAlong(int64_t axis, Value value, Value like) {
    return broadcast(value, like, [&](int64_t i) { return i != axis; });
  }
  /// A vector whose elements belong to the indices of `axis`.
  Value spreadFrom(int64_t axis, Value vector, Value like) {
    return broadcast(vector, like, [&](int64_t i) { return i == axis; });
  }
  /// mean(value) along `axis`, without that axis.
  Value mean(Value value, int64_t axis) {
    return map(ScalarFn::Div,
               {reduce(ReduceKind::Sum, value, axis), extent(value, axis)});
  }

private:
  Value broadcast(Value value, Value like, function_ref<bool(int64_t)> keep) {
    SmallVector<std::string> source, result;
    for (int64_t axis = 0; axis < rankOf(like); ++axis) {
      result.push_back("a" + std::to_string(axis));
      if (keep(axis))
        source.push_back(result.back());
    }
    return BroadcastOp::create(
        builder, loc, value,
        llvm::join(source, " ") + " -> " + llvm::join(result, " "), like);
  }

  OpBuilder &builder;
  Location loc;
  Type computeType;
};
} // namespace

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {
/// linear(x, w, b) -> einsum("a..k,ok->a..o", x, w) + b
struct DecomposeLinear final : OpRewritePattern<LinearOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LinearOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType().getElementType();
    Expander expand(rewriter, op.getLoc(), type);
    std::string rows =
        StringRef("abcdefgh").take_front(rankOf(op.getX()) - 1).str();
    Value y =
        EinsumOp::create(rewriter, op.getLoc(), rows + "k,ok->" + rows + "o",
                         ValueRange{op.getX(), op.getWeight()},
                         op.getPrecision(), expand.getComputeType());
    if (Value bias = op.getBias())
      y = expand.map(
          ScalarFn::Add,
          {y, expand.spreadFrom(rankOf(y) - 1, expand.widen(bias), y)});
    rewriter.replaceOp(op, expand.convert(y, op.getType()));
    return success();
  }
};
} // namespace

/// y * rsqrt(mean(y^2) + eps) * gamma, for a row `y` of the norm's operand `x`
/// in the compute type.
template <typename NormOp>
static Value scaleRows(Expander &expand, NormOp op, Value y, Value x) {
  const int64_t axis = op.getAxis();
  Value square = expand.mean(expand.map(ScalarFn::Mul, {y, y}), axis);
  Value shifted = expand.map(
      ScalarFn::Add, {square, expand.scalar(op.getEps().convertToDouble())});
  Value rstd = expand.map(ScalarFn::Rsqrt, shifted);
  y = expand.map(ScalarFn::Mul, {y, expand.spreadAlong(axis, rstd, x)});
  if (Value gamma = op.getGamma())
    y = expand.map(ScalarFn::Mul,
                   {y, expand.spreadFrom(axis, expand.widen(gamma), x)});
  return y;
}

namespace {
/// layer_norm(x) -> (x - mean) * rsqrt(mean((x - mean)^2) + eps) * gamma + beta
struct DecomposeLayerNorm final : OpRewritePattern<LayerNormOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LayerNormOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType().getElementType();
    int64_t axis = op.getAxis();
    Expander expand(rewriter, op.getLoc(), type);
    Value x = expand.widen(op.getX());
    Value mean = expand.mean(x, axis);
    Value centred =
        expand.map(ScalarFn::Sub, {x, expand.spreadAlong(axis, mean, x)});
    Value y = scaleRows(expand, op, centred, x);
    if (Value beta = op.getBeta())
      y = expand.map(ScalarFn::Add,
                     {y, expand.spreadFrom(axis, expand.widen(beta), x)});
    rewriter.replaceOp(op, expand.convert(y, op.getType()));
    return success();
  }
};

/// rms_norm(x) -> x * rsqrt(mean(x^2) + eps) * gamma
struct DecomposeRmsNorm final : OpRewritePattern<RmsNormOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(RmsNormOp op,
                                PatternRewriter &rewriter) const override {
    Expander expand(rewriter, op.getLoc(), op.getType().getElementType());
    Value x = expand.widen(op.getX());
    Value y = scaleRows(expand, op, x, x);
    rewriter.replaceOp(op, expand.convert(y, op.getType()));
    return success();
  }
};

/// softmax(x) -> exp(x - max(x)) / sum(exp(x - max(x)))
struct DecomposeSoftmax final : OpRewritePattern<SoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SoftmaxOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType().getElementType();
    int64_t axis = op.getAxis();
    Expander expand(rewriter, op.getLoc(), type);
    Value x = expand.widen(op.getX());
    Value max = expand.reduce(ReduceKind::Max, x, axis);
    Value p = expand.map(
        ScalarFn::Exp,
        expand.map(ScalarFn::Sub, {x, expand.spreadAlong(axis, max, x)}));
    Value sum = expand.reduce(ReduceKind::Sum, p, axis);
    Value y = expand.map(ScalarFn::Div, {p, expand.spreadAlong(axis, sum, x)});
    if (op.getMaskedRows() == MaskedRows::Zero) {
      Value lowest = expand.scalar(-std::numeric_limits<double>::infinity());
      Value masked =
          CompareOp::create(rewriter, op.getLoc(), Comparison::Eq, max, lowest);
      Value zero = expand.scalar(0.0);
      y = SelectOp::create(rewriter, op.getLoc(),
                           expand.spreadAlong(axis, masked, x), zero, y);
    }
    rewriter.replaceOp(op, expand.convert(y, op.getType()));
    return success();
  }
};

/// A tensor whose axes have names.
struct NamedTensor {
  Value value;
  IndexPattern pattern;
};
} // namespace

static bool hasGroups(const IndexPattern &pattern) {
  return llvm::any_of(pattern.axes,
                      [](const AxisFactors &axis) { return axis.size() != 1; });
}

static std::string flatNames(const IndexPattern &pattern) {
  return llvm::join(pattern.flat(), " ");
}

/// True if a reshape like a tensor of this pattern knows the factor's extent.
static bool isKnown(const std::string &factor, const IndexPattern &like) {
  return isSymbolFactor(factor) ||
         llvm::is_contained(like.axes, AxisFactors{factor});
}

/// Splits one group of `tensor` in two at a factor that `like` knows; false if
/// there is none. A reshape takes one unknown extent a group, so what stays
/// together goes under one name there.
static bool splitGroup(OpBuilder &builder, Location loc, NamedTensor &tensor,
                       const NamedTensor &like) {
  std::string stem = "rest";
  while (StringRef(tensor.pattern.str() + like.pattern.str()).contains(stem))
    stem += '_';
  unsigned numNames = 0;
  auto nameOf = [&](ArrayRef<std::string> factors) {
    return factors.size() == 1 ? factors[0] : stem + std::to_string(numNames++);
  };
  IndexPattern before, lent, after, next;
  for (const AxisFactors &axis : tensor.pattern.axes) {
    ArrayRef<std::string> factors(axis);
    size_t head = factors.size();
    if (next.getRank() == before.getRank() && factors.size() > 1) {
      if (isKnown(factors.front(), like.pattern))
        head = 1;
      else if (isKnown(factors.back(), like.pattern))
        head = factors.size() - 1;
    }
    before.axes.emplace_back();
    for (ArrayRef<std::string> part :
         {factors.take_front(head), factors.drop_front(head)}) {
      if (part.empty())
        continue;
      before.axes.back().push_back(nameOf(part));
      after.axes.push_back({before.axes.back().back()});
      next.axes.emplace_back(part);
    }
  }
  if (next.getRank() == tensor.pattern.getRank())
    return false;
  for (const AxisFactors &axis : like.pattern.axes)
    lent.axes.push_back({nameOf(axis)});
  tensor.value = ReshapeOp::create(builder, loc, tensor.value, like.value,
                                   before.str() + ", " + lent.str() + " -> " +
                                       after.str());
  tensor.pattern = std::move(next);
  return true;
}

/// Gives every tensor one axis a factor, with the extents that the others
/// lend. The shape rule of attention finds all extents in the same way.
static void openGroups(OpBuilder &builder, Location loc,
                       MutableArrayRef<NamedTensor> tensors) {
  for (bool progress = true; progress;) {
    progress = false;
    for (NamedTensor &tensor : tensors)
      for (const NamedTensor &like : tensors)
        while (&tensor != &like && splitGroup(builder, loc, tensor, like))
          progress = true;
  }
}

static Value closeGroups(OpBuilder &builder, Location loc, Value value,
                         const IndexPattern &pattern) {
  if (!hasGroups(pattern))
    return value;
  return ReshapeOp::create(builder, loc, value, Value(),
                           flatNames(pattern) + " -> " + pattern.str());
}

/// The contraction of two tensors with one axis a factor.
static Value contract(OpBuilder &builder, AttentionOp op,
                      const NamedTensor &lhs, const NamedTensor &rhs,
                      const IndexPattern &result, Type elementType) {
  EinsumSpec spec = EinsumSpec::ofFactors({lhs.pattern, rhs.pattern}, result);
  return EinsumOp::create(builder, op.getLoc(), spec.str(),
                          ValueRange{lhs.value, rhs.value}, op.getPrecision(),
                          elementType);
}

namespace {
/// attention(q, k, v) -> einsum(softmax(region(einsum(q, k))), v), with groups
/// of factors opened before the contractions and closed after them.
struct DecomposeAttention final : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    IndexMapping mapping = op.getMapping();
    IndexPattern scorePattern = op.getScorePattern();
    Type type = op.getType().getElementType();
    Expander expand(rewriter, loc, type);

    NamedTensor tensors[] = {{op.getQuery(), mapping.operands[0]},
                             {op.getKey(), mapping.operands[1]},
                             {op.getValue(), mapping.operands[2]},
                             {Value(), scorePattern}};
    auto &[query, key, value, weights] = tensors;
    openGroups(rewriter, loc, MutableArrayRef(tensors).drop_back());
    Value scores = contract(rewriter, op, query, key, scorePattern,
                            expand.getComputeType());

    scores = closeGroups(rewriter, loc, scores, scorePattern);

    IRMapping region;
    region.map(op.getScoreBody()->getArgument(0),
               expand.convert(scores, op.getScoreType()));
    for (Operation &inner : op.getScoreBody()->without_terminator())
      rewriter.clone(inner, region);
    Value edited = region.lookupOrDefault(op.getYieldedScores());

    weights.value = SoftmaxOp::create(rewriter, loc, edited, rankOf(edited) - 1,
                                      op.getMaskedRows());
    weights.value = expand.cast(weights.value, type);
    openGroups(rewriter, loc, tensors);
    Value result = contract(rewriter, op, weights, value, mapping.result,
                            expand.getComputeType());
    result = closeGroups(rewriter, loc, result, mapping.result);
    rewriter.replaceOp(op, expand.convert(result, op.getType()));
    return success();
  }
};
} // namespace

void fuse::populateDecomposeCompositesPatterns(RewritePatternSet &patterns) {
  patterns.add<DecomposeAttention, DecomposeLayerNorm, DecomposeLinear,
               DecomposeRmsNorm, DecomposeSoftmax>(patterns.getContext());
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct DecomposeCompositesPass final
    : fuse::impl::DecomposeCompositesPassBase<DecomposeCompositesPass> {
  using DecomposeCompositesPassBase::DecomposeCompositesPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet all(context);
    populateDecomposeCompositesPatterns(all);
    auto &list = all.getNativePatterns();
    for (const std::string &name : only)
      if (llvm::none_of(list, [&](auto &pattern) {
            return pattern->getRootKind()->getStringRef() == name;
          }))
        unknown = name;
    if (!only.empty())
      llvm::erase_if(list, [&](auto &pattern) {
        return !llvm::is_contained(only,
                                   pattern->getRootKind()->getStringRef());
      });
    for (auto &pattern : list)
      roots.insert(*pattern->getRootKind());
    patterns = std::move(all);
    return success();
  }

  void runOnOperation() override {
    if (!unknown.empty()) {
      emitError(getOperation()->getLoc())
          << "expects 'only' of " << getArgument()
          << " to name composites, but got '" << unknown << "'";
      return signalPassFailure();
    }
    SmallVector<Operation *> composites;
    getOperation()->walk([&](Operation *op) {
      if (roots.contains(op->getName()))
        composites.push_back(op);
    });
    // Seeded, so that no op beside the composites is looked at, and new ones
    // (the softmax of an attention) are.
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps)
        .setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled)
        .enableFolding(false)
        .enableConstantCSE(false);
    if (failed(applyOpPatternsGreedily(composites, patterns, config)))
      return signalPassFailure();
  }

private:
  /// A name in `only` that is no composite.
  std::string unknown;
  FrozenRewritePatternSet patterns;
  llvm::SmallDenseSet<OperationName> roots;
};
} // namespace
