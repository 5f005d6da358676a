//===- FuseShapes.cpp - The shape rule of each graph op -------------------===//

#include "fuse/ir/FuseOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace fuse;

using Results = SmallVectorImpl<DimVector>;

static std::string operandName(unsigned index) {
  return ("operand #" + Twine(index)).str();
}

static std::string operandCount(size_t count) {
  return std::to_string(count) + (count == 1 ? " operand" : " operands");
}

//===----------------------------------------------------------------------===//
// Elementwise ops
//===----------------------------------------------------------------------===//

/// All operands of nonzero rank have the same dims, which are the result's.
static LogicalResult inferElementwise(unsigned numOperands, DimInference &infer,
                                      Results &results) {
  DimVector shape;
  for (unsigned index = 0; index < numOperands; ++index) {
    ArrayRef<DimExpr> dims = infer.operand(index);
    if (dims.empty())
      continue;
    if (shape.empty()) {
      shape.assign(dims.begin(), dims.end());
      continue;
    }
    if (failed(infer.requireSameDims(dims, shape, operandName(index))))
      return failure();
    // Of two equal dims a constant says more than a name.
    for (auto [known, dim] : llvm::zip_equal(shape, dims))
      if (dim.constant())
        known = dim;
  }
  results.push_back(std::move(shape));
  return success();
}

LogicalResult MapOp::inferDims(Adaptor adaptor, DimInference &infer,
                               Results &results) {
  unsigned arity = getInfo(adaptor.getFn()).arity;
  if (adaptor.getInputs().size() != arity)
    return infer.error("expects " + operandCount(arity) + " for '" +
                       stringify(adaptor.getFn()) + "', but got " +
                       Twine(adaptor.getInputs().size()));
  return inferElementwise(arity, infer, results);
}

Type MapOp::inferElementType(Adaptor adaptor) {
  return adaptor.getInputs().empty()
             ? Type(Float32Type::get(adaptor.getFnAttr().getContext()))
             : getElementTypeOrSelf(adaptor.getInputs().front());
}

LogicalResult CompareOp::inferDims(Adaptor, DimInference &infer,
                                   Results &results) {
  return inferElementwise(2, infer, results);
}

Type CompareOp::inferElementType(Adaptor adaptor) {
  return IntegerType::get(adaptor.getLhs().getContext(), 1);
}

LogicalResult SelectOp::inferDims(Adaptor, DimInference &infer,
                                  Results &results) {
  return inferElementwise(3, infer, results);
}

Type SelectOp::inferElementType(Adaptor adaptor) {
  return getElementTypeOrSelf(adaptor.getOnTrue());
}

LogicalResult CastOp::inferDims(Adaptor, DimInference &infer,
                                Results &results) {
  results.emplace_back(infer.operand(0));
  return success();
}

//===----------------------------------------------------------------------===//
// Dims as values
//===----------------------------------------------------------------------===//

LogicalResult DimOp::inferDims(Adaptor adaptor, DimInference &infer,
                               Results &results) {
  bool hasSource = static_cast<bool>(adaptor.getSource());
  if (hasSource != adaptor.getAxis().has_value() ||
      hasSource == adaptor.getExpr().has_value())
    return infer.error("expects either a tensor and an axis or a dim "
                       "expression");
  results.emplace_back();
  if (hasSource)
    return infer.requireAxis(*adaptor.getAxis(), infer.getRank(0));
  return success(succeeded(infer.parse(*adaptor.getExpr())));
}

/// Dims written as a list of expressions, separated by blanks.
static FailureOr<DimVector> parseShape(StringRef text, DimInference &infer) {
  SmallVector<StringRef> parts;
  text.split(parts, ' ', -1, /*KeepEmpty=*/false);
  DimVector dims;
  for (StringRef part : parts) {
    FailureOr<DimExpr> dim = infer.parse(part);
    if (failed(dim) ||
        failed(infer.requireAtLeast(*dim, 0, "the dim '" + part + "'")))
      return failure();
    dims.push_back(*dim);
  }
  return dims;
}

LogicalResult IotaOp::inferDims(Adaptor adaptor, DimInference &infer,
                                Results &results) {
  bool hasSource = static_cast<bool>(adaptor.getSource());
  if (hasSource == adaptor.getShape().has_value())
    return infer.error("expects either 'like' and a tensor or 'shape' and a "
                       "list of dims");
  FailureOr<DimVector> dims = hasSource
                                  ? DimVector(infer.operand(0))
                                  : parseShape(*adaptor.getShape(), infer);
  if (failed(dims) ||
      failed(infer.requireAxis(adaptor.getAxis(), dims->size())))
    return failure();
  results.push_back(std::move(*dims));
  return success();
}

//===----------------------------------------------------------------------===//
// Contractions and reductions
//===----------------------------------------------------------------------===//

/// The extent of each index of a contraction, from the operands that have it.
static LogicalResult bindLetters(const EinsumSpec &spec, DimInference &infer,
                                 llvm::SmallDenseMap<char, DimExpr> &extents) {
  for (auto [index, letters] : llvm::enumerate(spec.operands)) {
    if (letters.size() != infer.getRank(index))
      return infer.error("expects '" + letters + "' to name " +
                         Twine(infer.getRank(index)) + " axes of " +
                         operandName(index) + ", but got " +
                         Twine(letters.size()));
    for (auto [letter, dim] : llvm::zip_equal(letters, infer.operand(index))) {
      auto [it, isNew] = extents.try_emplace(letter, dim);
      if (isNew)
        continue;
      if (failed(infer.requireEqual(dim, it->second,
                                    "index '" + Twine(letter) + "' in " +
                                        operandName(index))))
        return failure();
      if (dim.constant())
        it->second = dim;
    }
  }
  return success();
}

LogicalResult EinsumOp::inferDims(Adaptor adaptor, DimInference &infer,
                                  Results &results) {
  std::string message;
  std::optional<EinsumSpec> spec =
      EinsumSpec::parse(adaptor.getIndices(), message);
  if (!spec)
    return infer.error(message);
  if (spec->operands.size() != adaptor.getInputs().size())
    return infer.error("expects " + operandCount(spec->operands.size()) +
                       " for '" + adaptor.getIndices() + "', but got " +
                       Twine(adaptor.getInputs().size()));
  llvm::SmallDenseMap<char, DimExpr> extents;
  if (failed(bindLetters(*spec, infer, extents)))
    return failure();
  DimVector &dims = results.emplace_back();
  for (char letter : spec->result)
    dims.push_back(extents[letter]);
  return success();
}

Type EinsumOp::inferElementType(Adaptor adaptor) {
  return adaptor.getInputs().empty()
             ? Type(Float32Type::get(adaptor.getIndicesAttr().getContext()))
             : getElementTypeOrSelf(adaptor.getInputs().front());
}

LogicalResult ReduceOp::inferDims(Adaptor adaptor, DimInference &infer,
                                  Results &results) {
  llvm::SmallBitVector removed(infer.getRank(0));
  for (int64_t axis : adaptor.getAxes()) {
    if (failed(infer.requireAxis(axis, infer.getRank(0))))
      return failure();
    if (removed.test(axis))
      return infer.error("expects each axis once, but got " + Twine(axis) +
                         " twice");
    removed.set(axis);
  }
  DimVector &dims = results.emplace_back();
  for (auto [axis, dim] : llvm::enumerate(infer.operand(0)))
    if (!removed.test(axis))
      dims.push_back(dim);
  return success();
}

Type ReduceOp::inferElementType(Adaptor adaptor) {
  return getElementTypeOrSelf(adaptor.getSource());
}

//===----------------------------------------------------------------------===//
// Index maps
//===----------------------------------------------------------------------===//

static FailureOr<IndexMapping> parseMapping(StringRef text, unsigned operands,
                                            DimInference &infer) {
  std::string message;
  std::optional<IndexMapping> mapping = IndexMapping::parse(text, message);
  if (!mapping)
    return infer.error(message);
  if (mapping->operands.size() != operands)
    return infer.error("expects a pattern of " + operandCount(operands) +
                       ", but got " + Twine(mapping->operands.size()) +
                       " in '" + text + "'");
  return *mapping;
}

/// Each name at most once, and where a number identifies a factor, each number
/// but 1 too.
static LogicalResult requireDistinct(const IndexPattern &pattern,
                                     DimInference &infer,
                                     bool numbersToo = false) {
  SmallVector<std::string> seen;
  for (const std::string &factor : pattern.flat()) {
    if (factor == "1" || (isNumberFactor(factor) && !numbersToo))
      continue;
    if (llvm::is_contained(seen, factor))
      return infer.error("expects each index once in pattern '" +
                         pattern.str() + "', but '" + factor + "' is repeated");
    seen.push_back(factor);
  }
  return success();
}

LogicalResult BroadcastOp::inferDims(Adaptor adaptor, DimInference &infer,
                                     Results &results) {
  FailureOr<IndexMapping> mapping =
      parseMapping(adaptor.getPattern(), 1, infer);
  if (failed(mapping))
    return failure();
  const IndexPattern &source = mapping->operands[0];
  const IndexPattern &result = mapping->result;
  for (const IndexPattern *pattern : {&source, &result}) {
    if (llvm::any_of(pattern->axes,
                     [](const AxisFactors &axis) { return axis.size() != 1; }))
      return infer.error("expects no groups in broadcast pattern '" +
                         adaptor.getPattern() + "'");
    if (failed(requireDistinct(*pattern, infer)))
      return failure();
  }
  SmallVector<std::string> resultFactors = result.flat();
  for (const std::string &factor : source.flat()) {
    if (isNumberFactor(factor))
      return infer.error("expects names for the axes of the source, but got '" +
                         factor + "'");
    if (!llvm::is_contained(resultFactors, factor))
      return infer.error("expects each source index in the result, but '" +
                         factor + "' is not in '" + result.str() + "'");
  }
  IndexBinder binder(infer);
  SmallVector<IndexPattern, 2> patterns{source};
  SmallVector<DimVector, 2> dims{DimVector(infer.operand(0))};
  SmallVector<std::string, 2> names{"the source"};
  if (adaptor.getLike()) {
    patterns.push_back(result);
    dims.emplace_back(infer.operand(1));
    names.push_back("the tensor after 'like'");
  }
  if (failed(binder.bind(patterns, dims, names)))
    return failure();
  FailureOr<DimVector> resultDims = binder.dims(result);
  if (failed(resultDims))
    return failure();
  if (adaptor.getLike())
    for (auto [dim, like] : llvm::zip_equal(*resultDims, infer.operand(1)))
      if (like.constant())
        dim = like;
  results.push_back(std::move(*resultDims));
  return success();
}

Type BroadcastOp::inferElementType(Adaptor adaptor) {
  return getElementTypeOrSelf(adaptor.getSource());
}

LogicalResult TransposeOp::inferDims(Adaptor adaptor, DimInference &infer,
                                     Results &results) {
  ArrayRef<int64_t> permutation = adaptor.getPermutation();
  ArrayRef<DimExpr> source = infer.operand(0);
  llvm::SmallBitVector seen(source.size());
  DimVector &dims = results.emplace_back();
  for (int64_t axis : permutation) {
    if (failed(infer.requireAxis(axis, source.size())))
      return failure();
    if (seen.test(axis))
      return infer.error("expects a permutation, but axis " + Twine(axis) +
                         " is repeated");
    seen.set(axis);
    dims.push_back(source[axis]);
  }
  if (!seen.all())
    return infer.error("expects a permutation of " + Twine(source.size()) +
                       " axes, but got " + Twine(permutation.size()));
  return success();
}

Type TransposeOp::inferElementType(Adaptor adaptor) {
  return getElementTypeOrSelf(adaptor.getSource());
}

/// The factors that are not the number 1, sorted.
static SmallVector<std::string> sortedFactors(const IndexPattern &pattern) {
  SmallVector<std::string> factors = pattern.flat();
  llvm::erase(factors, "1");
  llvm::sort(factors);
  return factors;
}

LogicalResult ReshapeOp::inferDims(Adaptor adaptor, DimInference &infer,
                                   Results &results) {
  bool hasLike = static_cast<bool>(adaptor.getLike());
  FailureOr<IndexMapping> mapping =
      parseMapping(adaptor.getPattern(), hasLike ? 2 : 1, infer);
  if (failed(mapping))
    return failure();
  const IndexPattern &source = mapping->operands[0];
  if (failed(requireDistinct(source, infer, /*numbersToo=*/true)) ||
      failed(requireDistinct(mapping->result, infer, /*numbersToo=*/true)))
    return failure();
  if (sortedFactors(source) != sortedFactors(mapping->result))
    return infer.error("expects the same factors on both sides of '" +
                       adaptor.getPattern() + "'");
  IndexBinder binder(infer);
  SmallVector<DimVector, 2> operandDims{DimVector(infer.operand(0))};
  SmallVector<std::string, 2> names{"the source"};
  if (hasLike) {
    operandDims.emplace_back(infer.operand(1));
    names.push_back("the tensor after 'like'");
  }
  if (failed(binder.bind(mapping->operands, operandDims, names)))
    return failure();
  FailureOr<DimVector> dims = binder.dims(mapping->result);
  if (failed(dims))
    return failure();
  results.push_back(std::move(*dims));
  return success();
}

Type ReshapeOp::inferElementType(Adaptor adaptor) {
  return getElementTypeOrSelf(adaptor.getSource());
}

LogicalResult SliceOp::inferDims(Adaptor adaptor, DimInference &infer,
                                 Results &results) {
  int64_t axis = adaptor.getAxis();
  if (failed(infer.requireAxis(axis, infer.getRank(0))))
    return failure();
  if (static_cast<int64_t>(adaptor.getStep()) < 1)
    return infer.error("expects a step of at least 1, but got " +
                       Twine(static_cast<int64_t>(adaptor.getStep())));
  const DimExpr &extent = infer.operand(0)[axis];
  FailureOr<DimExpr> start = infer.parse(adaptor.getStart(), &extent);
  if (failed(start))
    return failure();
  FailureOr<DimExpr> stop = infer.parse(adaptor.getStop(), &extent);
  if (failed(stop) || failed(infer.requireAtLeast(*start, 0, "the start")) ||
      failed(infer.requireAtMost(*start, *stop, "the start")) ||
      failed(infer.requireAtMost(*stop, extent, "the stop")))
    return failure();
  DimExpr step(adaptor.getStep());
  DimExpr length = *stop - *start;
  if (std::optional<int64_t> constant = length.constant()) {
    length = DimExpr(llvm::divideCeil(*constant, adaptor.getStep()));
  } else {
    if (failed(infer.requireDivides(length, step, "the length of the range")))
      return failure();
    std::optional<DimExpr> quotient = length.dividedBy(step);
    if (!quotient)
      return infer.error("expects a range of fewer than 2^63 elements from '" +
                         adaptor.getStart() + "' to '" + adaptor.getStop() +
                         "'");
    length = *quotient;
  }
  DimVector &dims = results.emplace_back(infer.operand(0));
  dims[axis] = length;
  return success();
}

Type SliceOp::inferElementType(Adaptor adaptor) {
  return getElementTypeOrSelf(adaptor.getSource());
}

LogicalResult ConcatOp::inferDims(Adaptor adaptor, DimInference &infer,
                                  Results &results) {
  if (adaptor.getInputs().empty())
    return infer.error("expects at least one operand");
  int64_t axis = adaptor.getAxis();
  if (failed(infer.requireAxis(axis, infer.getRank(0))))
    return failure();
  DimVector dims(infer.operand(0));
  for (unsigned index = 1; index < adaptor.getInputs().size(); ++index) {
    DimVector other(infer.operand(index));
    if (other.size() == dims.size()) {
      dims[axis] = dims[axis] + other[axis];
      other[axis] = dims[axis];
    }
    if (failed(infer.requireSameDims(other, dims, operandName(index))))
      return failure();
    // A number says more than the name of the same dim.
    for (auto [dim, same] : llvm::zip_equal(dims, other))
      if (same.constant())
        dim = same;
  }
  results.push_back(std::move(dims));
  return success();
}

Type ConcatOp::inferElementType(Adaptor adaptor) {
  return adaptor.getInputs().empty()
             ? Type(Float32Type::get(adaptor.getAxisAttr().getContext()))
             : getElementTypeOrSelf(adaptor.getInputs().front());
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static LogicalResult inferCheck(DimInference &infer) {
  return infer.requireSameDims(infer.operand(0), infer.operand(1),
                               "operand #0");
}

LogicalResult CheckEqualOp::inferDims(Adaptor, DimInference &infer, Results &) {
  return inferCheck(infer);
}

LogicalResult CheckCloseOp::inferDims(Adaptor, DimInference &infer, Results &) {
  return inferCheck(infer);
}

LogicalResult CheckBoundOp::inferDims(Adaptor, DimInference &infer, Results &) {
  return inferCheck(infer);
}
