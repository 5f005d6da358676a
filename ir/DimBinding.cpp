//===- DimBinding.cpp - Extents of a call, found and checked --------------===//

#include "fuse/ir/DimAnalysis.h"
#include "fuse/ir/FuseOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace fuse;

using Kind = DimConstraint::Kind;

namespace {
/// Solves and checks the equations of one call.
class DimBinder {
public:
  DimBinder(const DimAnalysis &analysis, FunctionOpInterface function,
            DimBindings &bindings)
      : analysis(analysis), function(function), bindings(bindings) {}

  LogicalResult run(ArrayRef<std::optional<SmallVector<int64_t>>> shapes);

private:
  /// `expr == extent`, from an argument's shape.
  struct Equation {
    const DimExpr *expr;
    int64_t extent;
    std::string what;
  };

  LogicalResult checkNames();
  LogicalResult addShapes(ArrayRef<std::optional<SmallVector<int64_t>>> shapes);
  void solve();
  bool solveFor(const DimExpr &expr, std::optional<int64_t> extent);
  LogicalResult checkEquations();
  LogicalResult checkArguments();
  LogicalResult checkConstraints();
  LogicalResult checkValues();
  /// ` (Hq = 7, Hkv = 2)`: the extents behind expressions.
  std::string explain(ArrayRef<DimExpr> exprs) const;
  /// Says why `expr` is no extent.
  LogicalResult reportInvalid(const DimExpr &expr, Location loc,
                              const Twine &what);

  const DimAnalysis &analysis;
  FunctionOpInterface function;
  DimBindings &bindings;
  SmallVector<Equation> equations;
};
} // namespace

LogicalResult DimAnalysis::bindDims(
    FunctionOpInterface function,
    ArrayRef<std::optional<SmallVector<int64_t>>> argumentShapes,
    DimBindings &bindings) const {
  return DimBinder(*this, function, bindings).run(argumentShapes);
}

LogicalResult
DimBinder::run(ArrayRef<std::optional<SmallVector<int64_t>>> shapes) {
  if (failed(checkNames()) || failed(addShapes(shapes)))
    return failure();
  solve();
  return success(succeeded(checkEquations()) && succeeded(checkArguments()) &&
                 succeeded(checkConstraints()) && succeeded(checkValues()));
}

/// The expression that `fuse.dim` has the value of, if `op` is one.
static std::optional<DimExpr> getDimExpr(Operation *op) {
  auto dim = dyn_cast<DimOp>(op);
  std::string error;
  return dim && dim.getExpr() ? DimExpr::parse(*dim.getExpr(), error)
                              : std::nullopt;
}

/// A name on the command line that no dim has is a typing error.
LogicalResult DimBinder::checkNames() {
  llvm::StringSet<> known;
  SmallVector<std::string> named;
  auto note = [&](const DimExpr &expr) {
    for (const std::string &symbol : expr.symbols())
      if (isSymbolFactor(symbol) && known.insert(symbol).second)
        named.push_back(symbol);
  };
  for (BlockArgument argument : function.getArguments())
    for (const DimExpr &dim : analysis.getDims(argument))
      note(dim);
  for (const DimAnalysis::Located &located : analysis.getConstraints()) {
    note(located.constraint.lhs);
    note(located.constraint.rhs);
  }
  function->walk([&](Operation *op) {
    for (Value result : op->getResults())
      for (const DimExpr &dim : analysis.getDims(result))
        note(dim);
    if (std::optional<DimExpr> expr = getDimExpr(op))
      note(*expr);
  });
  for (const auto &binding : bindings)
    if (!known.contains(binding.getKey()))
      return emitError(function.getLoc())
             << "has no dim '" << binding.getKey() << "'"
             << (named.empty() ? Twine()
                               : "; its dims are " + llvm::join(named, ", "));
  return success();
}

LogicalResult
DimBinder::addShapes(ArrayRef<std::optional<SmallVector<int64_t>>> shapes) {
  for (auto [argument, shape] :
       llvm::zip_equal(function.getArguments(), shapes)) {
    if (!shape)
      continue;
    std::string name =
        "argument '" + argumentName(function, argument.getArgNumber()) + "'";
    ArrayRef<DimExpr> dims = analysis.getDims(argument);
    if (dims.size() != shape->size())
      return emitError(function.getLoc())
             << "expects " << name << " to have rank " << dims.size()
             << ", but got " << shape->size();
    for (auto [axis, dim, extent] : llvm::enumerate(dims, *shape))
      equations.push_back(
          {&dim, extent, ("axis " + Twine(axis) + " of " + name).str()});
  }
  return success();
}

bool DimBinder::solveFor(const DimExpr &expr, std::optional<int64_t> extent) {
  if (!extent)
    return false;
  auto solution = expr.solve(*extent, bindings);
  if (!solution || solution->second < 0)
    return false;
  return bindings.try_emplace(solution->first, solution->second).second;
}

/// Substitutes until nothing new follows. Each step binds a symbol.
void DimBinder::solve() {
  for (bool progress = true; progress;) {
    progress = false;
    for (const Equation &equation : equations)
      progress |= solveFor(*equation.expr, equation.extent);
    for (const DimAnalysis::Located &located : analysis.getConstraints()) {
      const DimConstraint &constraint = located.constraint;
      if (constraint.kind != Kind::Equal)
        continue;
      progress |= solveFor(constraint.lhs, constraint.rhs.evaluate(bindings)) ||
                  solveFor(constraint.rhs, constraint.lhs.evaluate(bindings));
    }
  }
}

std::string DimBinder::explain(ArrayRef<DimExpr> exprs) const {
  SmallVector<std::string> parts;
  for (const DimExpr &expr : exprs) {
    for (const std::string &symbol : expr.symbols()) {
      if (!isSymbolFactor(symbol) || !bindings.count(symbol))
        continue;
      std::string part =
          symbol + " = " + std::to_string(bindings.lookup(symbol));
      if (!llvm::is_contained(parts, part))
        parts.push_back(part);
    }
  }
  return parts.empty() ? "" : " (" + llvm::join(parts, ", ") + ")";
}

LogicalResult DimBinder::reportInvalid(const DimExpr &expr, Location loc,
                                       const Twine &what) {
  for (const std::string &symbol : expr.symbols()) {
    if (bindings.count(symbol))
      continue;
    if (isSymbolFactor(symbol))
      return emitError(loc)
             << "dim '" << symbol << "' has no extent, needed "
             << "for " << what << "; give one with --dims=" << symbol
             << "=..., or an input that has it";
    return emitError(loc) << what
                          << " has no extent; give an input that has it";
  }
  if (std::optional<int64_t> value = expr.evaluate(bindings))
    return emitError(loc) << "expects " << what << " to be at least 0, but got "
                          << *value << explain(expr);
  return emitError(loc) << what << " is " << expr.str()
                        << ", which is no whole number below 2^63"
                        << explain(expr);
}

LogicalResult DimBinder::checkEquations() {
  for (const Equation &equation : equations) {
    std::optional<int64_t> value = equation.expr->evaluate(bindings);
    if (value == equation.extent)
      continue;
    SmallVector<std::string> unbound = equation.expr->symbols();
    llvm::erase_if(unbound, [&](const std::string &symbol) {
      return bindings.count(symbol);
    });
    // With one unknown the extent itself is at fault: `2*N` is never 5.
    if (unbound.size() > 1)
      return reportInvalid(*equation.expr, function.getLoc(), equation.what);
    InFlightDiagnostic error = function.emitError();
    error << "expects " << equation.what << " to be " << equation.expr->str();
    if (value && !equation.expr->constant())
      error << " = " << *value;
    error << ", but got " << equation.extent;
    if (!unbound.empty())
      error << ", from which no extent of '" << unbound.front() << "' follows";
    if (!equation.expr->isSymbol())
      error << explain(*equation.expr);
    return error;
  }
  return success();
}

LogicalResult DimBinder::checkArguments() {
  for (BlockArgument argument : function.getArguments())
    for (auto [axis, dim] : llvm::enumerate(analysis.getDims(argument)))
      if (!dim.evaluate(bindings))
        return reportInvalid(
            dim, function.getLoc(),
            "axis " + Twine(axis) + " of argument '" +
                argumentName(function, argument.getArgNumber()) + "'");
  return success();
}

LogicalResult DimBinder::checkConstraints() {
  for (const DimAnalysis::Located &located : analysis.getConstraints()) {
    const DimConstraint &constraint = located.constraint;
    std::optional<int64_t> lhs = constraint.lhs.evaluate(bindings);
    std::optional<int64_t> rhs = constraint.rhs.evaluate(bindings);
    if (!lhs)
      return reportInvalid(constraint.lhs, located.loc, constraint.what);
    if (!rhs)
      return reportInvalid(constraint.rhs, located.loc, constraint.what);
    bool holds = false;
    switch (constraint.kind) {
    case Kind::Equal:
      holds = *lhs == *rhs;
      break;
    case Kind::Divides:
      holds = *rhs != 0 && *lhs % *rhs == 0;
      break;
    case Kind::AtMost:
      holds = *lhs <= *rhs;
      break;
    case Kind::AtLeast:
      holds = *lhs >= *rhs;
      break;
    }
    if (!holds)
      return emitError(located.loc)
             << "expects " << constraint.what << " to be "
             << constraint.relation() << *rhs << ", but got " << *lhs
             << explain({constraint.lhs, constraint.rhs});
  }
  return success();
}

/// Every tensor of the program has a size that offsets can span.
LogicalResult DimBinder::checkValues() {
  auto check = [&](Value value, Location loc, const Twine &what) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !isFuseTensor(type))
      return success();
    SmallVector<int64_t> shape;
    for (auto [axis, dim] : llvm::enumerate(analysis.getDims(value))) {
      std::optional<int64_t> extent = dim.evaluate(bindings);
      if (!extent || *extent < 0)
        return reportInvalid(dim, loc, "axis " + Twine(axis) + " of " + what);
      shape.push_back(*extent);
    }
    if (!isFuseTensor(RankedTensorType::get(shape, type.getElementType())))
      return LogicalResult(emitError(loc)
                           << what << " would be a tensor of 2^63 bytes or more"
                           << explain(analysis.getDims(value)));
    return success();
  };
  for (BlockArgument argument : function.getArguments())
    if (failed(check(argument, function.getLoc(),
                     "argument '" +
                         argumentName(function, argument.getArgNumber()) +
                         "'")))
      return failure();
  WalkResult walk = function->walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (failed(check(result, op->getLoc(), "the result")))
        return WalkResult::interrupt();
    if (std::optional<DimExpr> expr = getDimExpr(op);
        expr && !expr->evaluate(bindings) &&
        failed(reportInvalid(*expr, op->getLoc(), "the value")))
      return WalkResult::interrupt();
    if (op == function)
      return WalkResult::advance();
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        if (failed(check(argument, op->getLoc(), "an argument of the region")))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return success(!walk.wasInterrupted());
}
