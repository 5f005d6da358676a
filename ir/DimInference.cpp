//===- DimInference.cpp - What one op says about dimensions ---------------===//

#include "fuse/ir/DimInference.h"
#include "fuse/ir/FuseDialect.h"
#include "fuse/ir/FuseOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace fuse;

//===----------------------------------------------------------------------===//
// DimInference
//===----------------------------------------------------------------------===//

StringRef DimConstraint::relation() const {
  switch (kind) {
  case Kind::Equal:
    return "";
  case Kind::Divides:
    return "a multiple of ";
  case Kind::AtMost:
    return "at most ";
  case Kind::AtLeast:
    return "at least ";
  }
  llvm_unreachable("unknown relation");
}

LogicalResult DimInference::error(const Twine &message) {
  if (emitErrorFn)
    emitErrorFn() << message;
  return failure();
}

LogicalResult DimInference::requireEqual(const DimExpr &actual,
                                         const DimExpr &expected,
                                         const Twine &what) {
  if (actual == expected)
    return success();
  if (actual.provablyDiffersFrom(expected))
    return error("expects " + what + " to be " + expected.str() + ", but got " +
                 actual.str());
  if (constraints)
    constraints->push_back(
        {DimConstraint::Kind::Equal, actual, expected, what.str()});
  return success();
}

LogicalResult DimInference::requireSameDims(ArrayRef<DimExpr> actual,
                                            ArrayRef<DimExpr> expected,
                                            const Twine &what) {
  if (actual.size() != expected.size())
    return error("expects " + what + " to have rank " + Twine(expected.size()) +
                 ", but got " + Twine(actual.size()));
  for (size_t axis = 0; axis < actual.size(); ++axis)
    if (failed(requireEqual(actual[axis], expected[axis],
                            "axis " + Twine(axis) + " of " + what)))
      return failure();
  return success();
}

LogicalResult DimInference::requireDivides(const DimExpr &dividend,
                                           const DimExpr &divisor,
                                           const Twine &what) {
  std::optional<int64_t> total = dividend.constant();
  std::optional<int64_t> part = divisor.constant();
  if (part == 1 || dividend == divisor)
    return success();
  if (part == 0 || (total && part && *total % *part != 0))
    return error("expects " + what + " to be a multiple of " + divisor.str() +
                 ", but got " + dividend.str());
  if (constraints && !(total && part))
    constraints->push_back(
        {DimConstraint::Kind::Divides, dividend, divisor, what.str()});
  return success();
}

LogicalResult DimInference::requireAtMost(const DimExpr &value,
                                          const DimExpr &limit,
                                          const Twine &what) {
  std::optional<int64_t> slack = (limit - value).constant();
  if (slack && *slack < 0)
    return error("expects " + what + " to be at most " + limit.str() +
                 ", but got " + value.str());
  if (constraints && !slack)
    constraints->push_back(
        {DimConstraint::Kind::AtMost, value, limit, what.str()});
  return success();
}

LogicalResult DimInference::requireAtLeast(const DimExpr &value,
                                           const DimExpr &limit,
                                           const Twine &what) {
  std::optional<int64_t> slack = (value - limit).constant();
  if (slack && *slack < 0)
    return error("expects " + what + " to be at least " + limit.str() +
                 ", but got " + value.str());
  if (constraints && !slack)
    constraints->push_back(
        {DimConstraint::Kind::AtLeast, value, limit, what.str()});
  return success();
}

LogicalResult DimInference::requireRank(unsigned index, unsigned rank,
                                        const Twine &what) {
  if (getRank(index) == rank)
    return success();
  return error("expects " + what + " to have rank " + Twine(rank) +
               ", but got " + Twine(getRank(index)));
}

LogicalResult DimInference::requireAxis(int64_t axis, unsigned rank) {
  if (axis >= 0 && axis < static_cast<int64_t>(rank))
    return success();
  if (rank == 0)
    return error("expects a tensor with an axis, but got rank 0");
  return error("expects an axis from 0 to " + Twine(rank - 1) + ", but got " +
               Twine(axis));
}

FailureOr<DimExpr> DimInference::parse(StringRef text, const DimExpr *self) {
  std::string message;
  SmallVector<std::pair<DimExpr, DimExpr>> quotients;
  std::optional<DimExpr> expr = DimExpr::parse(text, message, &quotients);
  if (!expr)
    return error(message);
  for (const std::string &symbol : expr->symbols()) {
    if (isSymbolFactor(symbol) || (self && symbol == "$"))
      continue;
    return error("expects symbols with an upper-case initial" +
                 Twine(self ? " or '$'" : "") + " in dim expression '" + text +
                 "', but got '" + symbol + "'");
  }
  auto resolve = [&](const DimExpr &dim) -> FailureOr<DimExpr> {
    if (!self)
      return dim;
    std::optional<DimExpr> result = dim.substitute("$", *self);
    if (!result)
      return error("expects no division by a sum in dim expression '" + text +
                   "'");
    if (result->overflowed())
      return error("expects numbers below 2^63 in dim expression '" + text +
                   "'");
    return *result;
  };
  for (auto &[dividend, divisor] : quotients) {
    FailureOr<DimExpr> top = resolve(dividend), bottom = resolve(divisor);
    if (failed(top) || failed(bottom) ||
        failed(requireDivides(*top, *bottom, "the dividend in '" + text + "'")))
      return failure();
  }
  return resolve(*expr);
}

//===----------------------------------------------------------------------===//
// IndexBinder
//===----------------------------------------------------------------------===//

bool IndexBinder::isKnown(StringRef factor) const {
  return isNumberFactor(factor) || isSymbolFactor(factor) ||
         extents.count(factor);
}

FailureOr<DimExpr> IndexBinder::extent(StringRef factor) {
  int64_t number;
  if (isNumberFactor(factor)) {
    if (!factor.getAsInteger(10, number))
      return DimExpr(number);
  } else if (isSymbolFactor(factor)) {
    return DimExpr::symbol(factor);
  } else if (auto it = extents.find(factor); it != extents.end()) {
    return it->second;
  }
  return infer.error("expects index '" + factor +
                     "' to have a known extent: name it in an operand, or "
                     "use a number or a symbol");
}

/// Binds the only unknown factor of a group, or checks a group of known ones.
/// With several unknowns it waits, and fails in the `last` round.
LogicalResult IndexBinder::bindGroup(const AxisFactors &axis,
                                     const DimExpr &dim, const Twine &what,
                                     bool &progress, bool last) {
  DimExpr known(1);
  StringRef unknown;
  for (const std::string &factor : axis) {
    if (isKnown(factor)) {
      FailureOr<DimExpr> value = extent(factor);
      if (failed(value))
        return failure();
      known = known * *value;
      continue;
    }
    if (!unknown.empty()) {
      if (!last)
        return success();
      return infer.error("expects at most one factor of (" +
                         llvm::join(axis, " ") +
                         ") without a known extent, "
                         "but got '" +
                         unknown + "' and '" + factor + "'");
    }
    unknown = factor;
  }
  if (unknown.empty())
    return last ? infer.requireEqual(dim, known, what) : success();
  if (failed(infer.requireDivides(dim, known, what)))
    return failure();
  if (known == DimExpr(0))
    return infer.error("expects " + what + " to be divisible by 0, but got " +
                       dim.str());
  std::optional<DimExpr> quotient = dim.dividedBy(known);
  if (!quotient) {
    // No sum of products: the quotient goes by a name of its own, the same
    // wherever these two are divided, and its extent follows from the equation.
    quotient = DimExpr::symbol("?(" + dim.str() + ")/(" + known.str() + ")");
    if (failed(infer.requireEqual(dim, *quotient * known, what)))
      return failure();
  }
  extents[unknown] = *quotient;
  progress = true;
  return success();
}

LogicalResult IndexBinder::bind(ArrayRef<IndexPattern> patterns,
                                ArrayRef<DimVector> dims,
                                ArrayRef<std::string> names) {
  for (auto [pattern, shape, name] : llvm::zip_equal(patterns, dims, names))
    if (pattern.getRank() != shape.size())
      return infer.error("expects pattern '" + pattern.str() + "' to name " +
                         Twine(shape.size()) + " axes of " + name +
                         ", but got " + Twine(pattern.getRank()));
  // Axes of a single index first, then groups, whose unknowns follow.
  for (auto [pattern, shape] : llvm::zip_equal(patterns, dims))
    for (auto [axis, dim] : llvm::zip_equal(pattern.axes, shape))
      if (axis.size() == 1 && !isKnown(axis.front()))
        extents[axis.front()] = dim;
  for (bool progress = true, last = false; progress || last;) {
    progress = false;
    for (auto [pattern, shape, name] : llvm::zip_equal(patterns, dims, names)) {
      for (auto [index, axis, dim] : llvm::enumerate(pattern.axes, shape)) {
        if (failed(bindGroup(axis, dim, "axis " + Twine(index) + " of " + name,
                             progress, last)))
          return failure();
      }
    }
    if (last)
      break;
    last = !progress;
  }
  return success();
}

FailureOr<DimVector> IndexBinder::dims(const IndexPattern &pattern) {
  DimVector result;
  for (const AxisFactors &axis : pattern.axes) {
    DimExpr dim(1);
    for (const std::string &factor : axis) {
      FailureOr<DimExpr> value = extent(factor);
      if (failed(value))
        return failure();
      dim = dim * *value;
    }
    result.push_back(dim);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

DimVector fuse::dimsOfType(Type type, unsigned operandIndex) {
  DimVector dims;
  for (auto [axis, extent] :
       llvm::enumerate(cast<RankedTensorType>(type).getShape())) {
    if (ShapedType::isDynamic(extent))
      dims.push_back(DimExpr::symbol(
          ("?" + Twine(operandIndex) + "." + Twine(axis)).str()));
    else
      dims.push_back(DimExpr(extent));
  }
  return dims;
}

Type fuse::typeOfDims(ArrayRef<DimExpr> dims, Type elementType) {
  SmallVector<int64_t> shape;
  for (const DimExpr &dim : dims)
    shape.push_back(dim.constant().value_or(ShapedType::kDynamic));
  return RankedTensorType::get(shape, elementType);
}

LogicalResult fuse::detail::verifyInferredDims(Operation *op) {
  SmallVector<DimVector> operandDims;
  for (auto [index, operand] : llvm::enumerate(op->getOperands()))
    operandDims.push_back(dimsOfType(operand.getType(), index));
  DimInference infer(operandDims, [&] { return op->emitOpError(); });
  SmallVector<DimVector> results;
  if (failed(cast<DimInferenceOpInterface>(op).inferResultDims(infer, results)))
    return failure();
  if (results.size() != op->getNumResults())
    return op->emitOpError() << "expects dims for " << op->getNumResults()
                             << " results, but got " << results.size();
  for (auto [result, dims] : llvm::zip_equal(op->getResults(), results)) {
    auto type = cast<RankedTensorType>(result.getType());
    if (llvm::any_of(dims, std::mem_fn(&DimExpr::overflowed)))
      return op->emitOpError() << "expects a result with dims below 2^63";
    Type expected = typeOfDims(dims, type.getElementType());
    if (!isFuseTensor(expected))
      return op->emitOpError()
             << "expects a result of rank at most " << maxRank
             << " and below 2^63 bytes, but it would be " << expected;
    if (failed(verifyCompatibleShape(type, expected)))
      return op->emitOpError()
             << "expects result type " << expected << ", but got " << type;
  }
  return success();
}
