//===- DimAnalysis.cpp - Symbolic dims of a whole function ----------------===//

#include "fuse/ir/DimAnalysis.h"
#include "fuse/ir/FuseOps.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace fuse;

using Kind = DimConstraint::Kind;

std::string fuse::argumentName(FunctionOpInterface function, unsigned index) {
  if (auto name =
          function.getArgAttrOfType<StringAttr>(index, FuseDialect::nameAttr))
    return name.str();
  return "arg" + std::to_string(index);
}

std::string fuse::resultName(FunctionOpInterface function, unsigned index) {
  if (auto name = function.getResultAttrOfType<StringAttr>(
          index, FuseDialect::nameAttr))
    return name.str();
  return "result" + std::to_string(index);
}

namespace fuse {
/// Walks a function once, in program order.
class DimAnalysisBuilder {
public:
  explicit DimAnalysisBuilder(FunctionOpInterface function)
      : function(function) {}

  FailureOr<DimAnalysis> run();

private:
  LogicalResult addArguments();
  LogicalResult addBlock(Block &block);
  LogicalResult addOp(Operation &op);
  LogicalResult addScoreArgument(AttentionOp op);
  LogicalResult addYieldedScores(AttentionOp op);
  LogicalResult addReturn(Operation &op);
  LogicalResult addFacts();
  LogicalResult checkSymbolAttrs();
  /// The dims that `fuse.dims` gives to an argument or result.
  FailureOr<DimVector> parseDims(ArrayAttr attr, Location loc);
  /// Notes a constraint, and fails if it contradicts what is known.
  LogicalResult require(DimConstraint constraint, Location loc);
  /// Records `dims` for a value, where its static extents must agree.
  LogicalResult setDims(Value value, DimVector dims, Location loc,
                        const Twine &what);
  DimVector freshDims(RankedTensorType type);

  FunctionOpInterface function;
  DimAnalysis analysis;
  unsigned numFresh = 0;
  /// The first of the constraints are those of `fuse.facts`.
  size_t numFacts = 0;
};
} // namespace fuse

FailureOr<DimAnalysis> DimAnalysis::compute(FunctionOpInterface function) {
  return DimAnalysisBuilder(function).run();
}

DimAnalysis DimAnalysis::ofCopies(const DimAnalysis &original,
                                  const IRMapping &copies) {
  DimAnalysis analysis;
  for (const auto &[value, copy] : copies.getValueMap())
    if (original.dims.count(value))
      analysis.dims[copy] = original.getSimplifiedDims(value);
  analysis.facts = original.facts;
  return analysis;
}

FailureOr<DimAnalysis> DimAnalysisBuilder::run() {
  if (failed(addFacts()) || failed(addArguments()))
    return failure();
  for (Block &block : function.getFunctionBody())
    if (failed(addBlock(block)))
      return failure();
  if (failed(checkSymbolAttrs()))
    return failure();
  return std::move(analysis);
}

LogicalResult DimAnalysisBuilder::require(DimConstraint constraint,
                                          Location loc) {
  auto describe = [](InFlightDiagnostic &error, const DimConstraint &which) {
    error << which.what << " to be " << which.relation() << which.rhs.str();
  };
  // Ops say the same again and again.
  bool isKnown = llvm::any_of(
      analysis.constraints, [&](const DimAnalysis::Located &known) {
        return known.constraint.kind == constraint.kind &&
               known.constraint.lhs == constraint.lhs &&
               known.constraint.rhs == constraint.rhs;
      });
  if (isKnown)
    return success();
  if (analysis.facts.rulesOut(constraint)) {
    InFlightDiagnostic error = emitError(loc);
    error << "expects ";
    describe(error, constraint);
    return error << ", but " << constraint.lhs.str()
                 << " is something else by earlier constraints";
  }
  analysis.facts.add(constraint);
  analysis.constraints.push_back({constraint, loc});
  // What was possible before may no longer be. Constraints of ops are left to
  // the call: there may be many.
  for (const DimAnalysis::Located &fact :
       ArrayRef(analysis.constraints).take_front(numFacts)) {
    if (!analysis.facts.rulesOut(fact.constraint))
      continue;
    InFlightDiagnostic error = emitError(loc);
    error << "expects ";
    describe(error, fact.constraint);
    error << ", which cannot be with ";
    describe(error, constraint);
    return error;
  }
  return success();
}

/// Every symbol that attributes of the function speak of is one of its dims.
LogicalResult DimAnalysisBuilder::checkSymbolAttrs() {
  llvm::StringSet<> known;
  auto add = [&](const DimExpr &expr) {
    for (const std::string &symbol : expr.symbols())
      known.insert(symbol);
  };
  for (const auto &[value, dims] : analysis.dims)
    llvm::for_each(dims, add);
  for (const DimAnalysis::Located &located : analysis.constraints) {
    add(located.constraint.lhs);
    add(located.constraint.rhs);
  }
  auto check = [&](StringRef attr, StringRef symbol) -> LogicalResult {
    if (known.contains(symbol))
      return success();
    return function.emitError()
           << "'" << attr << "' expects symbols of dims "
           << "in the function, but got '" << symbol << "'";
  };
  if (auto symbols =
          function->getAttrOfType<ArrayAttr>(FuseDialect::specializeAttr))
    for (auto symbol : symbols.getAsRange<StringAttr>())
      if (failed(check(FuseDialect::specializeAttr, symbol)))
        return failure();
  auto checkHints = [&](Attribute attr) -> LogicalResult {
    if (auto hints = dyn_cast_or_null<DictionaryAttr>(attr))
      for (NamedAttribute hint : hints)
        if (failed(check(FuseDialect::sizeHintsAttr, hint.getName())))
          return failure();
    return success();
  };
  Attribute hints = function->getAttr(FuseDialect::sizeHintsAttr);
  if (auto several = dyn_cast_or_null<ArrayAttr>(hints)) {
    for (Attribute each : several)
      if (failed(checkHints(each)))
        return failure();
    return success();
  }
  return checkHints(hints);
}

DimVector DimAnalysisBuilder::freshDims(RankedTensorType type) {
  DimVector dims = dimsOfType(type, 0);
  for (DimExpr &dim : dims)
    if (!dim.constant())
      dim = DimExpr::symbol(("?" + Twine(numFresh++)).str());
  return dims;
}

LogicalResult DimAnalysisBuilder::setDims(Value value, DimVector dims,
                                          Location loc, const Twine &what) {
  auto type = cast<RankedTensorType>(value.getType());
  for (auto [axis, extent] : llvm::enumerate(type.getShape())) {
    if (ShapedType::isDynamic(extent) || dims[axis] == DimExpr(extent))
      continue;
    if (failed(require({Kind::Equal, dims[axis], DimExpr(extent),
                        ("axis " + Twine(axis) + " of " + what).str()},
                       loc)))
      return failure();
    dims[axis] = DimExpr(extent);
  }
  analysis.dims[value] = std::move(dims);
  return success();
}

FailureOr<DimVector> DimAnalysisBuilder::parseDims(ArrayAttr attr,
                                                   Location loc) {
  SmallVector<DimConstraint> quotients;
  DimInference infer({}, [&] { return function.emitError(); }, &quotients);
  DimVector dims;
  for (Attribute dim : attr) {
    if (auto number = dyn_cast<IntegerAttr>(dim)) {
      dims.push_back(DimExpr(number.getInt()));
      continue;
    }
    FailureOr<DimExpr> expr = infer.parse(cast<StringAttr>(dim));
    if (failed(expr))
      return failure();
    dims.push_back(*expr);
  }
  for (DimConstraint &quotient : quotients)
    if (failed(require(std::move(quotient), loc)))
      return failure();
  return dims;
}

LogicalResult DimAnalysisBuilder::addArguments() {
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type)
      continue;
    unsigned index = argument.getArgNumber();
    DimVector dims;
    if (auto attr = function.getArgAttrOfType<ArrayAttr>(
            index, FuseDialect::dimsAttr)) {
      FailureOr<DimVector> named = parseDims(attr, argument.getLoc());
      if (failed(named))
        return failure();
      dims = std::move(*named);
    } else {
      dims = freshDims(type);
    }
    if (failed(setDims(argument, std::move(dims), argument.getLoc(),
                       "argument '" + argumentName(function, index) + "'")))
      return failure();
  }
  return success();
}

LogicalResult DimAnalysisBuilder::addFacts() {
  auto facts = function->getAttrOfType<ArrayAttr>(FuseDialect::factsAttr);
  if (!facts)
    return success();
  for (auto text : facts.getAsRange<StringAttr>()) {
    std::string error;
    SmallVector<DimConstraint> stated;
    std::optional<DimConstraint> fact = parseDimFact(text, error, &stated);
    if (!fact)
      return function.emitError() << "'fuse.facts' " << error;
    stated.push_back(std::move(*fact));
    for (DimConstraint &constraint : stated) {
      if (failed(require(std::move(constraint), function.getLoc())))
        return failure();
      numFacts = analysis.constraints.size();
    }
  }
  return success();
}

LogicalResult DimAnalysisBuilder::addBlock(Block &block) {
  for (BlockArgument argument : block.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (type && !analysis.dims.count(argument))
      analysis.dims[argument] = freshDims(type);
  }
  for (Operation &op : block)
    if (failed(addOp(op)))
      return failure();
  return success();
}

LogicalResult DimAnalysisBuilder::addOp(Operation &op) {
  if (op.hasTrait<OpTrait::ReturnLike>() && op.getParentOp() == function)
    return addReturn(op);
  if (auto shaped = dyn_cast<DimInferenceOpInterface>(op)) {
    SmallVector<DimVector> operands, results;
    for (Value operand : op.getOperands())
      operands.emplace_back(analysis.getDims(operand));
    SmallVector<DimConstraint> constraints;
    DimInference infer(
        operands, [&] { return op.emitOpError(); }, &constraints);
    if (failed(shaped.inferResultDims(infer, results)))
      return failure();
    for (DimConstraint &constraint : constraints)
      if (failed(require(std::move(constraint), op.getLoc())))
        return failure();
    for (auto [result, dims] : llvm::zip_equal(op.getResults(), results))
      if (failed(setDims(result, std::move(dims), op.getLoc(), "the result")))
        return failure();
  } else {
    for (Value result : op.getResults())
      if (auto type = dyn_cast<RankedTensorType>(result.getType()))
        analysis.dims[result] = freshDims(type);
  }
  if (auto attention = dyn_cast<AttentionOp>(op))
    if (failed(addScoreArgument(attention)))
      return failure();
  for (Region &region : op.getRegions())
    for (Block &block : region)
      if (failed(addBlock(block)))
        return failure();
  if (auto attention = dyn_cast<AttentionOp>(op))
    return addYieldedScores(attention);
  return success();
}

LogicalResult DimAnalysisBuilder::addScoreArgument(AttentionOp op) {
  SmallVector<DimVector> operands;
  for (Value operand : op.getOperands())
    operands.emplace_back(analysis.getDims(operand));
  DimInference infer(operands, [&] { return op.emitOpError(); });
  FailureOr<DimVector> dims =
      AttentionOp::inferScoreDims(AttentionOp::Adaptor(op), infer);
  if (failed(dims))
    return failure();
  return setDims(op.getScoreBody()->getArgument(0), std::move(*dims),
                 op.getLoc(), "the scores");
}

LogicalResult DimAnalysisBuilder::addYieldedScores(AttentionOp op) {
  SmallVector<DimConstraint> constraints;
  DimInference infer({}, [&] { return op.emitOpError(); }, &constraints);
  if (failed(infer.requireSameDims(
          analysis.getDims(op.getYieldedScores()),
          analysis.getDims(op.getScoreBody()->getArgument(0)),
          "the yielded scores")))
    return failure();
  for (DimConstraint &constraint : constraints)
    if (failed(require(std::move(constraint), op.getLoc())))
      return failure();
  return success();
}

LogicalResult DimAnalysisBuilder::addReturn(Operation &op) {
  for (auto [index, value] : llvm::enumerate(op.getOperands())) {
    auto attr =
        function.getResultAttrOfType<ArrayAttr>(index, FuseDialect::dimsAttr);
    if (!attr)
      continue;
    FailureOr<DimVector> named = parseDims(attr, op.getLoc());
    if (failed(named))
      return failure();
    for (auto [axis, dim, expected] :
         llvm::enumerate(analysis.getDims(value), *named))
      if (dim != expected &&
          failed(require({Kind::Equal, dim, expected,
                          ("axis " + Twine(axis) + " of result '" +
                           resultName(function, index) + "'")
                              .str()},
                         op.getLoc())))
        return failure();
  }
  return success();
}

ArrayRef<DimExpr> DimAnalysis::getDims(Value value) const {
  auto it = dims.find(value);
  return it == dims.end() ? ArrayRef<DimExpr>() : ArrayRef(it->second);
}

DimVector DimAnalysis::getSimplifiedDims(Value value) const {
  DimVector simplified;
  for (const DimExpr &dim : getDims(value))
    simplified.push_back(facts.normalize(dim));
  return simplified;
}

SmallVector<int64_t> DimAnalysis::getShape(Value value,
                                           const DimBindings &bindings) const {
  SmallVector<int64_t> shape;
  for (const DimExpr &dim : getDims(value))
    shape.push_back(*dim.evaluate(bindings));
  return shape;
}
