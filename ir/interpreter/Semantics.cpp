//===- Semantics.cpp - One op on one block of its result ------------------===//

#include "Semantics.h"
#include "Contract.h"
#include "ElementReader.h"
#include "IndexMap.h"
#include "IndexSpace.h"
#include "Rows.h"
#include "mlir/IR/Threading.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include <atomic>

using namespace mlir;
using namespace fuse;

static bool isElementwise(Operation *op) {
  return isa<MapOp, CompareOp, SelectOp, CastOp>(op);
}

static bool isIndexMap(Operation *op) {
  return isa<BroadcastOp, TransposeOp, ReshapeOp, SliceOp>(op);
}

bool Semantics::isKnown(Operation *op) {
  return isElementwise(op) || isIndexMap(op) ||
         isa<ConstantOp, DimOp, IotaOp, EinsumOp, ReduceOp, ConcatOp, LinearOp,
             LayerNormOp, RmsNormOp, SoftmaxOp>(op);
}

/// The einsum string of `linear(x, weight)`.
static EinsumSpec linearSpec(LinearOp op) {
  int64_t rank = cast<RankedTensorType>(op.getX().getType()).getRank();
  std::string rows = StringRef("abcdefgh").take_front(rank - 1).str();
  return {{rows + "k", "ok"}, rows + "o"};
}

static EinsumSpec einsumSpec(EinsumOp op) {
  std::string error;
  return *EinsumSpec::parse(op.getIndices(), error);
}

static int64_t rowAxis(Operation *op) {
  return op->getAttrOfType<IntegerAttr>("axis").getInt();
}

IndexMap Semantics::getIndexMap(Operation *op) const {
  SmallVector<int64_t> like;
  if (op->getNumOperands() > 1)
    like = getShape(op->getOperand(1));
  return IndexMap::get(op, getShape(op->getOperand(0)), like,
                       getShape(op->getResult(0)), bindings);
}

//===----------------------------------------------------------------------===//
// What a block needs
//===----------------------------------------------------------------------===//

using Boxes = SmallVector<std::optional<Box>>;

static Box withWholeAxis(Box box, int64_t axis, int64_t extent) {
  box.offset[axis] = 0;
  box.extent[axis] = extent;
  return box;
}

/// The part of each operand that lies in the block, possibly empty.
static Boxes concatBoxes(ConcatOp op, const Box &result,
                         function_ref<SmallVector<int64_t>(Value)> getShape) {
  Boxes boxes;
  int64_t axis = op.getAxis(), position = 0;
  for (Value input : op.getInputs()) {
    int64_t length = getShape(input)[axis];
    int64_t begin =
        std::clamp<int64_t>(result.offset[axis] - position, 0, length);
    int64_t end = std::clamp<int64_t>(result.end(axis) - position, 0, length);
    Box box = result;
    box.offset[axis] = begin;
    box.extent[axis] = end - begin;
    boxes.push_back(box);
    position += length;
  }
  return boxes;
}

Boxes Semantics::operandBoxes(Operation *op, const Box &result) const {
  auto shapeOf = [&](Value value) { return getShape(value); };
  auto whole = [&](Value value) { return Box::whole(getShape(value)); };
  Boxes boxes(op->getNumOperands());
  if (isElementwise(op)) {
    for (auto [box, operand] : llvm::zip_equal(boxes, op->getOperands()))
      box = getShape(operand).empty() ? Box() : result;
    return boxes;
  }
  if (isIndexMap(op)) {
    boxes[0] = getIndexMap(op).sourceBox(result);
    return boxes;
  }
  return TypeSwitch<Operation *, Boxes>(op)
      .Case([&](ConcatOp op) { return concatBoxes(op, result, shapeOf); })
      .Case([&](EinsumOp op) {
        auto shapes = llvm::map_to_vector(op.getInputs(), shapeOf);
        auto blocks = contractOperandBoxes(einsumSpec(op), shapes, result);
        return Boxes(blocks.begin(), blocks.end());
      })
      .Case([&](LinearOp op) {
        SmallVector<SmallVector<int64_t>> shapes{getShape(op.getX()),
                                                 getShape(op.getWeight())};
        auto blocks = contractOperandBoxes(linearSpec(op), shapes, result);
        Boxes boxes(blocks.begin(), blocks.end());
        if (op.getBias())
          boxes.push_back(Box{{result.offset.back()}, {result.extent.back()}});
        return boxes;
      })
      .Case([&](ReduceOp op) {
        Box box = whole(op.getSource());
        unsigned resultAxis = 0;
        for (unsigned axis = 0; axis < box.getRank(); ++axis) {
          if (llvm::is_contained(op.getAxes(), static_cast<int64_t>(axis)))
            continue;
          box.offset[axis] = result.offset[resultAxis];
          box.extent[axis] = result.extent[resultAxis++];
        }
        boxes[0] = box;
        return boxes;
      })
      .Case<SoftmaxOp, LayerNormOp, RmsNormOp>([&](auto op) {
        int64_t axis = op.getAxis();
        boxes[0] = withWholeAxis(result, axis, getShape(op.getX())[axis]);
        for (unsigned i = 1; i < boxes.size(); ++i)
          boxes[i] = whole(op->getOperand(i));
        return boxes;
      })
      .Default([&](Operation *) { return boxes; });
}

//===----------------------------------------------------------------------===//
// Elementwise ops
//===----------------------------------------------------------------------===//

using ElementFn = std::function<FailureOr<Scalar>(ArrayRef<Scalar>)>;

static ElementFn mapFunction(MapOp op, bool exact) {
  Type type = getElementTypeOrSelf(op.getResult());
  ScalarFn fn = op.getFn();
  if (type.isInteger())
    return [fn, width = type.getIntOrFloatBitWidth()](ArrayRef<Scalar> x) {
      return evaluateInteger(fn, x, width);
    };
  return [fn, rounding = OpRounding{FloatFormat::of(type), exact}](
             ArrayRef<Scalar> x) -> FailureOr<Scalar> {
    return evaluateFloat(fn, x, rounding);
  };
}

static ElementFn elementFunction(Operation *op, bool exact) {
  return TypeSwitch<Operation *, ElementFn>(op)
      .Case([&](MapOp op) { return mapFunction(op, exact); })
      .Case([&](CompareOp op) {
        return [comparison = op.getComparison()](
                   ArrayRef<Scalar> x) -> FailureOr<Scalar> {
          return evaluate(comparison, x[0], x[1]);
        };
      })
      .Case([&](SelectOp) {
        return [](ArrayRef<Scalar> x) -> FailureOr<Scalar> {
          return evaluateSelect(x[0], x[1], x[2]);
        };
      })
      .Case([&](CastOp op) {
        return [from = getElementTypeOrSelf(op.getSource()),
                to = getElementTypeOrSelf(op.getResult())](
                   ArrayRef<Scalar> x) -> FailureOr<Scalar> {
          return evaluateCast(x[0], from, to);
        };
      });
}

FailureOr<Tensor>
Semantics::evaluateElementwise(Operation *op, ArrayRef<const Tensor *> operands,
                               const Box &box) const {
  Tensor result(getElementTypeOrSelf(op->getResult(0)), box);
  ElementFn fn = elementFunction(op, isExact(op));
  SmallVector<ElementReader, 3> readers;
  for (const Tensor *operand : operands)
    readers.emplace_back(*operand, box);
  result.undecided.resize(result.size());
  std::atomic<bool> anyUndecided = false, anyFailed = false;
  auto run = [&](int64_t begin, int64_t end) {
    SmallVector<Scalar, 3> elements(readers.size());
    for (int64_t i = begin; i < end; ++i) {
      for (auto [element, reader] : llvm::zip_equal(elements, readers))
        element = reader[i];
      FailureOr<Scalar> scalar = fn(elements);
      if (failed(scalar)) {
        anyFailed = true;
        return;
      }
      result.value[i] = scalar->value;
      result.bound[i] = scalar->bound;
      if (scalar->undecided) {
        result.undecided[i] = 1;
        anyUndecided = true;
      }
    }
  };
  const int64_t chunk = 4096;
  mlir::parallelFor(
      context, 0, llvm::divideCeil(result.size(), chunk), [&](size_t i) {
        run(i * chunk, std::min<int64_t>((i + 1) * chunk, result.size()));
      });
  if (anyFailed)
    return op->emitError() << "divides an integer by zero";
  if (!anyUndecided)
    result.undecided.clear();
  if (auto map = dyn_cast<MapOp>(op); map && isa<FloatType>(result.elementType))
    shareThroughMap(
        map.getFn(), operands,
        OpRounding{FloatFormat::of(result.elementType), isExact(op)}, result,
        context);
  return result;
}

//===----------------------------------------------------------------------===//
// Values without operands
//===----------------------------------------------------------------------===//

/// A whole number in an element type, to which it is rounded once.
static double toElement(int64_t number, Type type) {
  return type.isInteger() ? static_cast<int32_t>(number)
                          : FloatFormat::of(type).round(number);
}

static Tensor evaluateConstant(ConstantOp op, const Box &box) {
  auto elements = cast<DenseElementsAttr>(op.getValue());
  Tensor result(op.getType().getElementType(), box);
  IndexSpace positions;
  int64_t stride = elements.getNumElements();
  for (auto [axis, extent] : llvm::enumerate(op.getType().getShape())) {
    stride = extent == 0 ? 0 : stride / extent;
    positions.append(box.extent[axis], stride);
    positions.shift(stride * box.offset[axis]);
  }
  for (int64_t i = 0; i < result.size(); ++i) {
    if (isa<FloatType>(result.elementType)) {
      APFloat value = elements.getValues<APFloat>()[positions[i]];
      bool losesInfo;
      value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
      result.value[i] = value.convertToDouble();
      continue;
    }
    APInt value = elements.getValues<APInt>()[positions[i]];
    result.value[i] = result.elementType.isInteger(1)
                          ? static_cast<double>(value.getZExtValue())
                          : static_cast<double>(value.getSExtValue());
  }
  return result;
}

Tensor Semantics::evaluateDim(Operation *op, const Box &box) const {
  Tensor result(getElementTypeOrSelf(op->getResult(0)), box);
  if (auto dim = dyn_cast<DimOp>(op)) {
    std::string error;
    int64_t extent =
        dim.getSource()
            ? getShape(dim.getSource())[*dim.getAxis()]
            : DimExpr::parse(*dim.getExpr(), error)->evaluate(bindings).value();
    result.value[0] = toElement(extent, result.elementType);
    return result;
  }
  int64_t axis = cast<IotaOp>(op).getAxis();
  int64_t stride = result.strides()[axis];
  for (int64_t i = 0; i < result.size(); ++i)
    result.value[i] = toElement(
        box.offset[axis] + i / stride % box.extent[axis], result.elementType);
  return result;
}

//===----------------------------------------------------------------------===//
// Contractions, rows, concatenation
//===----------------------------------------------------------------------===//

static Type computeType(Type type) {
  return type.isF64() ? type : Float32Type::get(type.getContext());
}

Tensor Semantics::evaluateLinear(LinearOp op, ArrayRef<const Tensor *> operands,
                                 const Box &box) const {
  Type type = op.getType().getElementType();
  bool exact = isExact(op);
  Contraction contraction{linearSpec(op), op.getPrecision(), computeType(type),
                          exact};
  Tensor result =
      contract(contraction, operands.take_front(2),
               {getShape(op.getX()), getShape(op.getWeight())}, box, context);
  result.elementType = type;
  OpRounding inner{accumulatorFormat(type), exact};
  FloatFormat format = FloatFormat::of(type);
  const Tensor *bias = op.getBias() ? operands[2] : nullptr;
  int64_t width = box.extent.back();
  for (int64_t i = 0; i < result.size(); ++i) {
    Scalar y{result.value[i], result.bound[i], result.isUndecided(i)};
    if (bias) {
      int64_t at = i % width + box.offset.back() - bias->box.offset[0];
      Scalar b{bias->value[at], bias->bound[at], bias->isUndecided(at)};
      y = evaluateFloat(ScalarFn::Add, {y, b}, inner);
    }
    y = roundResult(y, inner, format);
    result.value[i] = y.value;
    result.bound[i] = y.bound;
    if (y.undecided)
      result.setUndecided(i);
  }
  return result;
}

Tensor Semantics::evaluateRows(Operation *op, ArrayRef<const Tensor *> operands,
                               const Box &box) const {
  Type type = getElementTypeOrSelf(op->getResult(0));
  OpRounding inner{accumulatorFormat(type), isExact(op)};
  FloatFormat format = FloatFormat::of(type);
  RowFn row =
      TypeSwitch<Operation *, RowFn>(op)
          .Case([&](SoftmaxOp op) {
            return [=, masked = op.getMaskedRows()](Row &row) {
              softmaxRow(row, masked, inner, format);
            };
          })
          .Case([&](LayerNormOp op) {
            const Tensor *gamma = op.getGamma() ? operands[1] : nullptr;
            const Tensor *beta = op.getBeta() ? operands.back() : nullptr;
            double eps = op.getEps().convertToDouble();
            return [=](Row &row) {
              layerNormRow(row, gamma, beta, eps, inner, format);
            };
          })
          .Case([&](RmsNormOp op) {
            const Tensor *gamma = op.getGamma() ? operands[1] : nullptr;
            double eps = op.getEps().convertToDouble();
            return
                [=](Row &row) { rmsNormRow(row, gamma, eps, inner, format); };
          });
  std::shared_ptr<SharedErrors> shared;
  std::shared_ptr<RowErrors> ofNorm;
  if (isa<SoftmaxOp>(op))
    shared = std::make_shared<SoftmaxErrors>(box.size());
  else
    shared = ofNorm = std::make_shared<RowErrors>(
        box.size(), /*centres=*/isa<LayerNormOp>(op));
  Tensor result =
      mapRows(*operands[0], rowAxis(op), box, type, row, shared, context);
  if (!ofNorm)
    return result;
  if (const SharedErrors *ofOperand = operands[0]->shared.get())
    if (const ProductErrors *products = ofOperand->asProducts();
        products && products->areOf(operands[0]->box, rowAxis(op)))
      ofNorm->setOfOperand({operands[0]->shared, products},
                           ElementReader(*operands[0], box));
  ofNorm->finish();
  return result;
}

Tensor Semantics::evaluateConcat(ConcatOp op, ArrayRef<const Tensor *> operands,
                                 const Box &box) const {
  Tensor result(op.getType().getElementType(), box);
  auto strides = result.strides();
  int64_t axis = op.getAxis(), position = 0;
  Boxes parts = operandBoxes(op, box);
  for (auto [input, tensor, part] :
       llvm::zip_equal(op.getInputs(), operands, parts)) {
    IndexSpace to;
    to.shift((position + part->offset[axis] - box.offset[axis]) *
             strides[axis]);
    for (unsigned i = 0; i < box.getRank(); ++i)
      to.append(part->extent[i], strides[i]);
    ElementReader reader(*tensor, *part);
    for (int64_t i = 0; i < part->size(); ++i) {
      Scalar scalar = reader[i];
      result.value[to[i]] = scalar.value;
      result.bound[to[i]] = scalar.bound;
      if (scalar.undecided)
        result.setUndecided(to[i]);
    }
    position += getShape(input)[axis];
  }
  return result;
}

FailureOr<Tensor> Semantics::evaluate(Operation *op,
                                      ArrayRef<const Tensor *> operands,
                                      const Box &box) const {
  // Its other dims may still be too large to count through.
  if (box.size() == 0)
    return Tensor(getElementTypeOrSelf(op->getResult(0)), box);
  if (isElementwise(op))
    return evaluateElementwise(op, operands, box);
  if (isIndexMap(op))
    return getIndexMap(op).gather(*operands[0], box);
  return TypeSwitch<Operation *, FailureOr<Tensor>>(op)
      .Case([&](ConstantOp op) { return evaluateConstant(op, box); })
      .Case<DimOp, IotaOp>([&](auto op) { return evaluateDim(op, box); })
      .Case([&](EinsumOp op) {
        // A class is about products, of which one operand has none.
        Precision precision =
            op.getInputs().size() > 1 ? op.getPrecision() : Precision::Ieee;
        Contraction contraction{einsumSpec(op), precision,
                                op.getType().getElementType(), isExact(op)};
        auto shapes = llvm::map_to_vector(
            op.getInputs(), [&](Value value) { return getShape(value); });
        return contract(contraction, operands, shapes, box, context);
      })
      .Case([&](ReduceOp op) {
        return reduce(op.getKind(), *operands[0], op.getAxes(), box,
                      isExact(op), context);
      })
      .Case([&](ConcatOp op) { return evaluateConcat(op, operands, box); })
      .Case([&](LinearOp op) { return evaluateLinear(op, operands, box); })
      .Case<SoftmaxOp, LayerNormOp, RmsNormOp>(
          [&](auto op) { return evaluateRows(op, operands, box); })
      .DefaultUnreachable("an op that isKnown rejects");
}
