//===- FloatEvaluator.cpp - Programs evaluated in float -------------------===//

#include "FloatEvaluator.h"
#include "FloatContraction.h"
#include "FloatScalar.h"
#include "Indices.h"
#include "fuse/ir/FuseOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::test;

static Type elementTypeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType();
}

namespace {
class Evaluation {
public:
  Evaluation(const DimAnalysis &analysis, const DimBindings &bindings,
             const EvaluationOrder &order)
      : analysis(analysis), bindings(bindings), order(order) {}

  void set(Value value, std::vector<double> elements) {
    values[value] = {elementTypeOf(value), shapeOf(value), std::move(elements)};
  }
  const std::vector<double> &get(Value value) const {
    return values.find(value)->second.elements;
  }
  LogicalResult run(Block &block);

private:
  /// Where the element of a result with this index is in the source.
  using SourceIndexFn = function_ref<Shape(ArrayRef<int64_t> index)>;

  Shape shapeOf(Value value) const {
    return analysis.getShape(value, bindings);
  }
  const Array &arrayOf(Value value) const { return values.find(value)->second; }
  void gather(Operation *op, SourceIndexFn sourceIndex);

  LogicalResult runOp(Operation *op);
  LogicalResult
  runElementwise(Operation *op,
                 function_ref<std::optional<double>(ArrayRef<double>)> fn);
  void runConstant(ConstantOp op);
  void runDim(DimOp op);
  void runIota(IotaOp op);
  void runTranspose(TransposeOp op);
  void runBroadcast(BroadcastOp op);
  void runReshape(ReshapeOp op);
  void runSlice(SliceOp op);
  void runConcat(ConcatOp op);
  void runEinsum(EinsumOp op);
  void runReduce(ReduceOp op);
  void runLinear(LinearOp op);
  void runSoftmax(SoftmaxOp op);
  void runNorm(Operation *op, bool centres, double eps, Value gamma,
               Value beta);
  LogicalResult runAttention(AttentionOp op);

  const DimAnalysis &analysis;
  const DimBindings &bindings;
  const EvaluationOrder &order;
  llvm::DenseMap<Value, Array> values;
};
} // namespace

//===----------------------------------------------------------------------===//
// Elementwise ops and values without operands
//===----------------------------------------------------------------------===//

LogicalResult Evaluation::runElementwise(
    Operation *op, function_ref<std::optional<double>(ArrayRef<double>)> fn) {
  Value result = op->getResult(0);
  std::vector<double> elements;
  for (int64_t i = 0, e = countElements(shapeOf(result)); i < e; ++i) {
    SmallVector<double, 3> operands;
    for (Value operand : op->getOperands()) {
      const Array &array = arrayOf(operand);
      operands.push_back(array.elements[array.shape.empty() ? 0 : i]);
    }
    std::optional<double> element = fn(operands);
    if (!element)
      return failure();
    elements.push_back(*element);
  }
  set(result, std::move(elements));
  return success();
}

void Evaluation::runConstant(ConstantOp op) {
  auto attr = cast<DenseElementsAttr>(op.getValue());
  std::vector<double> elements;
  if (isa<FloatType>(attr.getElementType())) {
    for (APFloat value : attr.getValues<APFloat>()) {
      bool losesInfo;
      value.convert(APFloat::IEEEdouble(), APFloat::rmTowardZero, &losesInfo);
      elements.push_back(value.convertToDouble());
    }
  } else {
    bool isBool = attr.getElementType().isInteger(1);
    for (const APInt &value : attr.getValues<APInt>())
      elements.push_back(isBool ? double(value.getBoolValue())
                                : double(value.getSExtValue()));
  }
  set(op.getResult(), std::move(elements));
}

void Evaluation::runDim(DimOp op) {
  std::string error;
  int64_t extent =
      op.getSource()
          ? shapeOf(op.getSource())[*op.getAxis()]
          : *DimExpr::parse(*op.getExpr(), error)->evaluate(bindings);
  set(op.getResult(), {roundTo(elementTypeOf(op.getResult()), double(extent))});
}

void Evaluation::runIota(IotaOp op) {
  std::vector<double> elements;
  forEachIndex(shapeOf(op.getResult()), [&](ArrayRef<int64_t> index) {
    elements.push_back(
        roundTo(elementTypeOf(op.getResult()), double(index[op.getAxis()])));
  });
  set(op.getResult(), std::move(elements));
}

//===----------------------------------------------------------------------===//
// Index maps
//===----------------------------------------------------------------------===//

void Evaluation::gather(Operation *op, SourceIndexFn sourceIndex) {
  const Array &source = arrayOf(op->getOperand(0));
  std::vector<double> elements;
  forEachIndex(shapeOf(op->getResult(0)), [&](ArrayRef<int64_t> index) {
    elements.push_back(
        source.elements[positionOf(sourceIndex(index), source.shape)]);
  });
  set(op->getResult(0), std::move(elements));
}

void Evaluation::runTranspose(TransposeOp op) {
  gather(op, [&](ArrayRef<int64_t> index) {
    Shape source(index.size());
    for (auto [axis, from] : llvm::enumerate(op.getPermutation()))
      source[from] = index[axis];
    return source;
  });
}

static IndexMapping parsePattern(StringRef text) {
  std::string error;
  return *IndexMapping::parse(text, error);
}

void Evaluation::runBroadcast(BroadcastOp op) {
  IndexMapping mapping = parsePattern(op.getPattern());
  SmallVector<std::string> names = mapping.result.flat();
  gather(op, [&](ArrayRef<int64_t> index) {
    Shape source;
    for (const std::string &name : mapping.operands[0].flat())
      source.push_back(index[llvm::find(names, name) - names.begin()]);
    return source;
  });
}

void Evaluation::runReshape(ReshapeOp op) {
  IndexMapping mapping = parsePattern(op.getPattern());
  SmallVector<Shape> shapes{shapeOf(op.getSource())};
  if (op.getLike())
    shapes.push_back(shapeOf(op.getLike()));
  FactorExtents extents = solveFactors(mapping.operands, shapes, bindings);
  const IndexPattern &source = mapping.operands[0];
  gather(op, [&](ArrayRef<int64_t> index) {
    // Factors that stand on both sides; ones may come and go.
    llvm::StringMap<int64_t> digits;
    for (auto [axis, at] : llvm::zip_equal(mapping.result.axes, index)) {
      int64_t rest = at;
      for (const std::string &factor : llvm::reverse(axis)) {
        digits[factor] = rest % extents[factor];
        rest /= extents[factor];
      }
    }
    Shape sourceIndex;
    for (const AxisFactors &axis : source.axes) {
      int64_t at = 0;
      for (const std::string &factor : axis)
        at = at * extents[factor] + digits.lookup(factor);
      sourceIndex.push_back(at);
    }
    return sourceIndex;
  });
}

void Evaluation::runSlice(SliceOp op) {
  DimBindings withSelf(bindings);
  withSelf["$"] = shapeOf(op.getSource())[op.getAxis()];
  std::string error;
  int64_t start = *DimExpr::parse(op.getStart(), error)->evaluate(withSelf);
  gather(op, [&](ArrayRef<int64_t> index) {
    Shape source(index);
    source[op.getAxis()] = start + source[op.getAxis()] * op.getStep();
    return source;
  });
}

void Evaluation::runConcat(ConcatOp op) {
  std::vector<double> elements;
  forEachIndex(shapeOf(op.getResult()), [&](ArrayRef<int64_t> index) {
    Shape at(index);
    int64_t &position = at[op.getAxis()];
    size_t input = 0;
    while (position >= shapeOf(op.getInputs()[input])[op.getAxis()])
      position -= shapeOf(op.getInputs()[input++])[op.getAxis()];
    const Array &source = arrayOf(op.getInputs()[input]);
    elements.push_back(source.elements[positionOf(at, source.shape)]);
  });
  set(op.getResult(), std::move(elements));
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

static Names lettersOf(StringRef text) {
  Names names;
  for (char letter : text)
    names.push_back(std::string(1, letter));
  return names;
}

void Evaluation::runEinsum(EinsumOp op) {
  std::string error;
  EinsumSpec spec = *EinsumSpec::parse(op.getIndices(), error);
  SmallVector<NamedArray, 2> operands;
  for (auto [letters, input] : llvm::zip_equal(spec.operands, op.getInputs()))
    operands.push_back({arrayOf(input), lettersOf(letters)});
  set(op.getResult(),
      contract(operands, lettersOf(spec.result), op.getPrecision(),
               elementTypeOf(op.getResult()), order));
}

void Evaluation::runLinear(LinearOp op) {
  Type type = op.getType().getElementType();
  Names rows = lettersOf(
      StringRef("abcdefgh").take_front(shapeOf(op.getX()).size() - 1));
  Names names(rows), result(rows);
  names.push_back("in");
  result.push_back("out");
  std::vector<double> elements = contract(
      {{arrayOf(op.getX()), names}, {arrayOf(op.getWeight()), {"out", "in"}}},
      result, op.getPrecision(), computeTypeOf(type), order);
  if (op.getBias()) {
    const std::vector<double> &bias = get(op.getBias());
    for (auto [i, element] : llvm::enumerate(elements))
      element = *applyScalarFn(ScalarFn::Add, {element, bias[i % bias.size()]},
                               computeTypeOf(type));
  }
  for (double &element : elements)
    element = roundTo(type, element);
  set(op.getResult(), std::move(elements));
}

void Evaluation::runReduce(ReduceOp op) {
  const Array &source = arrayOf(op.getSource());
  Shape keptShape = shapeOf(op.getResult());
  std::vector<std::vector<double>> rows(countElements(keptShape));
  int64_t position = 0;
  forEachIndex(source.shape, [&](ArrayRef<int64_t> index) {
    Shape kept;
    for (auto [axis, at] : llvm::enumerate(index))
      if (!llvm::is_contained(op.getAxes(), int64_t(axis)))
        kept.push_back(at);
    rows[positionOf(kept, keptShape)].push_back(source.elements[position++]);
  });
  std::vector<double> elements;
  elements.reserve(rows.size());
  for (const std::vector<double> &row : rows)
    elements.push_back(reduceRow(op.getKind(), row, source.elementType, order));
  set(op.getResult(), std::move(elements));
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void Evaluation::runSoftmax(SoftmaxOp op) {
  Array array = arrayOf(op.getX());
  bool isZero = op.getMaskedRows() == MaskedRows::Zero;
  forEachRow(array, op.getAxis(),
             [&](auto row) { softmaxInPlace(row, isZero, order); });
  set(op.getResult(), std::move(array.elements));
}

void Evaluation::runNorm(Operation *op, bool centres, double eps, Value gamma,
                         Value beta) {
  Array array = arrayOf(op->getOperand(0));
  int64_t axis = op->getAttrOfType<IntegerAttr>("axis").getInt();
  forEachRow(array, axis, [&](auto row) {
    normalizeInPlace(row, centres, eps, order);
    using Real = std::remove_reference_t<decltype(row[0])>;
    if (!gamma && !beta)
      return;
    for (auto [i, x] : llvm::enumerate(row))
      x = std::fma(x, static_cast<Real>(gamma ? get(gamma)[i] : 1),
                   static_cast<Real>(beta ? get(beta)[i] : 0));
  });
  set(op->getResult(0), std::move(array.elements));
}

LogicalResult Evaluation::runAttention(AttentionOp op) {
  IndexMapping mapping = op.getMapping();
  IndexPattern scores = op.getScorePattern();
  SmallVector<Shape> shapes{shapeOf(op.getQuery()), shapeOf(op.getKey()),
                            shapeOf(op.getValue())};
  FactorExtents extents = solveFactors(mapping.operands, shapes, bindings);
  // Opening a group only splits an axis: the elements stay where they are.
  auto opened = [&](Value value, const IndexPattern &pattern) {
    NamedArray operand{arrayOf(value), pattern.flat()};
    operand.array.shape = extentsOf(operand.names, extents);
    return operand;
  };
  Value argument = op.getScoreBody()->getArgument(0);
  set(argument,
      contract({opened(op.getQuery(), mapping.operands[0]),
                opened(op.getKey(), mapping.operands[1])},
               scores.flat(), op.getPrecision(), op.getComputeType(), order));
  if (failed(run(*op.getScoreBody())))
    return failure();
  NamedArray weights = opened(op.getYieldedScores(), scores);
  weights.array.elementType = op.getComputeType();
  bool isZero = op.getMaskedRows() == MaskedRows::Zero;
  forEachRow(weights.array, weights.array.shape.size() - 1,
             [&](auto row) { softmaxInPlace(row, isZero, order); });
  Type type = op.getType().getElementType();
  for (double &weight : weights.array.elements)
    weight = roundTo(type, weight);
  weights.array.elementType = type;
  set(op.getResult(),
      contract({weights, opened(op.getValue(), mapping.operands[2])},
               mapping.result.flat(), op.getPrecision(), type, order));
  return success();
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

LogicalResult Evaluation::runOp(Operation *op) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](MapOp op) {
        return runElementwise(op, [&](ArrayRef<double> x) {
          return applyScalarFn(op.getFn(), x, elementTypeOf(op.getResult()));
        });
      })
      .Case([&](CompareOp op) {
        return runElementwise(op, [&](ArrayRef<double> x) {
          return double(applyComparison(op.getComparison(), x[0], x[1]));
        });
      })
      .Case([&](SelectOp op) {
        return runElementwise(
            op, [&](ArrayRef<double> x) { return x[0] != 0 ? x[1] : x[2]; });
      })
      .Case([&](CastOp op) {
        return runElementwise(op, [&](ArrayRef<double> x) {
          return roundTo(elementTypeOf(op.getResult()), x[0]);
        });
      })
      .Case([&](ConstantOp op) { return runConstant(op), success(); })
      .Case([&](DimOp op) { return runDim(op), success(); })
      .Case([&](IotaOp op) { return runIota(op), success(); })
      .Case([&](TransposeOp op) { return runTranspose(op), success(); })
      .Case([&](BroadcastOp op) { return runBroadcast(op), success(); })
      .Case([&](ReshapeOp op) { return runReshape(op), success(); })
      .Case([&](SliceOp op) { return runSlice(op), success(); })
      .Case([&](ConcatOp op) { return runConcat(op), success(); })
      .Case([&](EinsumOp op) { return runEinsum(op), success(); })
      .Case([&](ReduceOp op) { return runReduce(op), success(); })
      .Case([&](LinearOp op) { return runLinear(op), success(); })
      .Case([&](SoftmaxOp op) { return runSoftmax(op), success(); })
      .Case([&](LayerNormOp op) {
        runNorm(op, /*centres=*/true, op.getEps().convertToDouble(),
                op.getGamma(), op.getBeta());
        return success();
      })
      .Case([&](RmsNormOp op) {
        runNorm(op, /*centres=*/false, op.getEps().convertToDouble(),
                op.getGamma(), /*beta=*/nullptr);
        return success();
      })
      .Case([&](AttentionOp op) { return runAttention(op); })
      .Case<CheckEqualOp, CheckCloseOp, CheckBoundOp>(
          [](auto) { return success(); })
      .Default([](Operation *op) {
        return op->emitError("has no meaning in float");
      });
}

LogicalResult Evaluation::run(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(runOp(&op)))
      return failure();
  return success();
}

FailureOr<TensorValues> fuse::test::evaluateInFloat(
    FunctionOpInterface function, const DimAnalysis &analysis,
    const DimBindings &bindings, const TensorValues &arguments,
    const EvaluationOrder &order) {
  Evaluation evaluation(analysis, bindings, order);
  for (auto [argument, elements] :
       llvm::zip_equal(function.getArguments(), arguments))
    evaluation.set(argument, elements);
  Block &body = function.getFunctionBody().front();
  if (failed(evaluation.run(body)))
    return failure();
  TensorValues results;
  for (Value value : body.getTerminator()->getOperands())
    results.push_back(evaluation.get(value));
  return results;
}
