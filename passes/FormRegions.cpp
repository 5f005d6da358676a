//===- FormRegions.cpp - Move ops into kernels ----------------------------===//

#include "fuse/ir/FuseOps.h"
#include "fuse/passes/FusionPlan.h"
#include "fuse/passes/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace fuse {
#define GEN_PASS_DEF_FORMREGIONSPASS
#include "fuse/passes/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

//===----------------------------------------------------------------------===//
// Names of dims
//===----------------------------------------------------------------------===//

/// `fuse.dims` of a value: numbers, and expressions of named symbols.
static ArrayAttr getDimsAttr(Builder &builder, ArrayRef<DimExpr> dims) {
  SmallVector<Attribute> attrs;
  for (const DimExpr &dim : dims) {
    if (std::optional<int64_t> constant = dim.constant())
      attrs.push_back(builder.getI64IntegerAttr(*constant));
    else
      attrs.push_back(builder.getStringAttr(dim.str()));
  }
  return builder.getArrayAttr(attrs);
}

/// True if the dims are expressions over names; what foreign ops give, and
/// quotients by sums, have none.
static bool areNamed(ArrayRef<DimExpr> dims) {
  return llvm::all_of(dims, [](const DimExpr &dim) {
    return llvm::none_of(dim.symbols(), [](StringRef symbol) {
      return symbol.starts_with("?");
    });
  });
}

/// Gives every dim of an argument that has no name one, so that each dim in the
/// function is an expression over names.
static void nameDims(FunctionOpInterface function, const DimAnalysis &dims) {
  Builder builder(function.getContext());
  std::set<std::string> taken;
  for (BlockArgument argument : function.getArguments())
    for (const DimExpr &dim : dims.getDims(argument))
      for (std::string &symbol : dim.symbols())
        taken.insert(std::move(symbol));
  unsigned number = 0;
  for (BlockArgument argument : function.getArguments()) {
    unsigned index = argument.getArgNumber();
    if (!isa<RankedTensorType>(argument.getType()) ||
        function.getArgAttr(index, FuseDialect::dimsAttr))
      continue;
    DimVector named(dims.getDims(argument));
    for (DimExpr &dim : named) {
      if (dim.constant())
        continue;
      std::string name;
      do
        name = "D" + std::to_string(number++);
      while (!taken.insert(name).second);
      dim = DimExpr::symbol(name);
    }
    function.setArgAttr(index, FuseDialect::dimsAttr,
                        getDimsAttr(builder, named));
  }
}

/// A constraint in the language of `fuse.facts`.
static std::string getFactText(const DimConstraint &constraint) {
  std::string lhs = constraint.lhs.str(), rhs = constraint.rhs.str();
  switch (constraint.kind) {
  case DimConstraint::Kind::Equal:
    return lhs + " == " + rhs;
  case DimConstraint::Kind::AtMost:
    return lhs + " <= " + rhs;
  case DimConstraint::Kind::AtLeast:
    return lhs + " >= " + rhs;
  case DimConstraint::Kind::Divides:
    return lhs + " % " + rhs + " == 0";
  }
  llvm_unreachable("every kind has a text");
}

/// True if the facts leave no call in which the constraint does not hold.
static bool isImplied(const DimConstraint &constraint, const DimFacts &facts) {
  auto isAtMost = [&](const DimExpr &lhs, const DimExpr &rhs) {
    std::optional<int64_t> most = facts.range(lhs).second;
    if (most && *most <= facts.range(rhs).first)
      return true;
    // Symbols are extents: a sum of none but positive terms is not negative.
    DimExpr difference = rhs - lhs;
    return llvm::all_of(difference.getTerms(), [](const DimExpr::Term &term) {
      return term.numerator >= 0;
    });
  };
  switch (constraint.kind) {
  case DimConstraint::Kind::Equal:
    return facts.isEqual(constraint.lhs, constraint.rhs);
  case DimConstraint::Kind::AtMost:
    return isAtMost(constraint.lhs, constraint.rhs);
  case DimConstraint::Kind::AtLeast:
    return isAtMost(constraint.rhs, constraint.lhs);
  case DimConstraint::Kind::Divides:
    return facts.isMultipleOf(constraint.lhs, constraint.rhs);
  }
  llvm_unreachable("every kind is decided");
}

/// States as facts of the function what its ops demanded of the dims of a call
/// (`before`), and its launches do not: a kernel cannot refuse a call.
static LogicalResult keepConstraints(FunctionOpInterface function,
                                     const DimAnalysis &before) {
  FailureOr<DimAnalysis> after = DimAnalysis::compute(function);
  if (failed(after))
    return failure();
  DimFacts stated = after->getFacts();
  Builder builder(function.getContext());
  SmallVector<Attribute> facts;
  if (auto given = function->getAttrOfType<ArrayAttr>(FuseDialect::factsAttr))
    llvm::append_range(facts, given);
  for (const DimAnalysis::Located &located : before.getConstraints()) {
    const DimConstraint &constraint = located.constraint;
    if (!areNamed({constraint.lhs, constraint.rhs}) ||
        isImplied(constraint, stated))
      continue;
    facts.push_back(builder.getStringAttr(getFactText(constraint)));
    stated.add(constraint);
  }
  if (!facts.empty())
    function->setAttr(FuseDialect::factsAttr, builder.getArrayAttr(facts));
  return success();
}

//===----------------------------------------------------------------------===//
// Outlining
//===----------------------------------------------------------------------===//

namespace {
/// Moves the ops of each kernel of a plan into a function of their own.
class Outliner {
public:
  Outliner(FunctionOpInterface function, const DimAnalysis &dims,
           ModuleOp kernels)
      : function(function), dims(dims), kernels(kernels),
        builder(function.getContext()), symbols(kernels) {}

  void outline(const KernelPlan &plan);
  /// Results that are arguments, or index maps of values, need a kernel that
  /// copies.
  void copyResults();

private:
  /// The dims of a value, results of launches included.
  DimVector getDims(Value value) const {
    auto it = launched.find(value);
    return it == launched.end() ? dims.getSimplifiedDims(value) : it->second;
  }
  bool areNamed(ValueRange values) const {
    return llvm::all_of(
        values, [&](Value value) { return ::areNamed(getDims(value)); });
  }
  /// The values that `op` reads and a kernel of it does not compute.
  void collectInputs(Value value, llvm::SetVector<Value> &inputs);
  func::FuncOp createKernel(StringRef name, ValueRange inputs,
                            ValueRange outputs);
  void copySizeHints(func::FuncOp kernel, ValueRange inputs,
                     ValueRange outputs);
  /// A copy of `value` and of what it is freely copied from.
  Value copyInto(OpBuilder &body, Value value, IRMapping &mapping);
  LaunchOp createLaunch(func::FuncOp kernel, ValueRange inputs,
                        ValueRange outputs);

  FunctionOpInterface function;
  const DimAnalysis &dims;
  llvm::DenseMap<Value, DimVector> launched;
  ModuleOp kernels;
  OpBuilder builder;
  SymbolTable symbols;
};
} // namespace

void Outliner::collectInputs(Value value, llvm::SetVector<Value> &inputs) {
  Operation *op = value.getDefiningOp();
  if (!op || !isFreelyCopied(op)) {
    inputs.insert(value);
    return;
  }
  for (Value operand : op->getOperands())
    collectInputs(operand, inputs);
}

Value Outliner::copyInto(OpBuilder &body, Value value, IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    copyInto(body, operand, mapping);
  body.clone(*op, mapping);
  return mapping.lookup(value);
}

func::FuncOp Outliner::createKernel(StringRef name, ValueRange inputs,
                                    ValueRange outputs) {
  auto type = FunctionType::get(builder.getContext(), TypeRange(inputs),
                                TypeRange(outputs));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(kernels.getBody());
  auto kernel = func::FuncOp::create(builder, function.getLoc(), name, type);
  kernel.addEntryBlock();
  for (auto [index, input] : llvm::enumerate(inputs)) {
    kernel.setArgAttr(index, FuseDialect::dimsAttr,
                      getDimsAttr(builder, getDims(input)));
    if (auto argument = dyn_cast<BlockArgument>(input))
      kernel.setArgAttr(index, FuseDialect::nameAttr,
                        builder.getStringAttr(
                            argumentName(function, argument.getArgNumber())));
  }
  for (auto [index, output] : llvm::enumerate(outputs))
    kernel.setResultAttr(index, FuseDialect::dimsAttr,
                         getDimsAttr(builder, getDims(output)));
  for (StringRef attr :
       {FuseDialect::factsAttr, FuseDialect::relaxRoundingAttr})
    if (Attribute value = function->getAttr(attr))
      kernel->setAttr(attr, value);
  copySizeHints(kernel, inputs, outputs);
  symbols.insert(kernel);
  return kernel;
}

/// The hints on symbols that the kernel's tensors have.
void Outliner::copySizeHints(func::FuncOp kernel, ValueRange inputs,
                             ValueRange outputs) {
  auto hints =
      function->getAttrOfType<DictionaryAttr>(FuseDialect::sizeHintsAttr);
  if (!hints)
    return;
  SmallVector<NamedAttribute> kept;
  for (NamedAttribute hint : hints) {
    auto hasSymbol = [&](Value value) {
      return llvm::any_of(getDims(value), [&](const DimExpr &dim) {
        return dim.contains(hint.getName());
      });
    };
    if (llvm::any_of(inputs, hasSymbol) || llvm::any_of(outputs, hasSymbol))
      kept.push_back(hint);
  }
  kernel->setAttr(FuseDialect::sizeHintsAttr, builder.getDictionaryAttr(kept));
}

LaunchOp Outliner::createLaunch(func::FuncOp kernel, ValueRange inputs,
                                ValueRange outputs) {
  SmallVector<Attribute> resultDims;
  for (Value output : outputs)
    resultDims.push_back(getDimsAttr(builder, getDims(output)));
  auto symbol =
      SymbolRefAttr::get(kernels.getSymNameAttr(),
                         {FlatSymbolRefAttr::get(kernel.getSymNameAttr())});
  auto launch =
      LaunchOp::create(builder, outputs.front().getLoc(), TypeRange(outputs),
                       symbol, inputs, builder.getArrayAttr(resultDims));
  for (auto [output, result] : llvm::zip_equal(outputs, launch.getOutputs()))
    launched[result] = getDims(output);
  return launch;
}

void Outliner::outline(const KernelPlan &plan) {
  llvm::SetVector<Value> inputs;
  llvm::DenseSet<Operation *> members(plan.ops.begin(), plan.ops.end());
  SmallVector<Value> outputs;
  for (Operation *op : plan.ops) {
    for (Value operand : op->getOperands())
      if (!members.contains(operand.getDefiningOp()))
        collectInputs(operand, inputs);
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !members.contains(user);
          }))
        outputs.push_back(result);
  }
  // A kernel's dims follow from those of its tensors: without names for them
  // the ops stay.
  if (outputs.empty() || !areNamed(inputs.getArrayRef()) || !areNamed(outputs))
    return;
  func::FuncOp kernel = createKernel(plan.name, inputs.getArrayRef(), outputs);
  IRMapping mapping;
  mapping.map(inputs.getArrayRef(), kernel.getArguments());
  OpBuilder body = OpBuilder::atBlockEnd(&kernel.front());
  for (Operation *op : plan.ops) {
    for (Value operand : op->getOperands())
      copyInto(body, operand, mapping);
    body.clone(*op, mapping);
  }
  SmallVector<Value> copies;
  for (Value output : outputs)
    copies.push_back(mapping.lookup(output));
  func::ReturnOp::create(body, kernel.getLoc(), copies);

  // By then all that any of the ops reads is there.
  builder.setInsertionPoint(plan.ops.back());
  LaunchOp launch = createLaunch(kernel, inputs.getArrayRef(), outputs);
  for (auto [output, result] : llvm::zip_equal(outputs, launch.getOutputs()))
    output.replaceAllUsesWith(result);
}

void Outliner::copyResults() {
  Operation *end = function.getFunctionBody().front().getTerminator();
  llvm::DenseSet<Value> returned;
  for (OpOperand &operand : end->getOpOperands()) {
    Value value = operand.get();
    Operation *op = value.getDefiningOp();
    if (!isa<RankedTensorType>(value.getType()) ||
        (op && !isFreelyCopied(op) && returned.insert(value).second))
      continue;
    llvm::SetVector<Value> inputs;
    collectInputs(value, inputs);
    if (!areNamed(inputs.getArrayRef()) || !areNamed(value))
      continue;
    func::FuncOp kernel = createKernel("copy", inputs.getArrayRef(), value);
    IRMapping mapping;
    mapping.map(inputs.getArrayRef(), kernel.getArguments());
    OpBuilder body = OpBuilder::atBlockEnd(&kernel.front());
    Value copy = copyInto(body, value, mapping);
    func::ReturnOp::create(body, kernel.getLoc(), copy);
    builder.setInsertionPoint(end);
    operand.set(createLaunch(kernel, inputs.getArrayRef(), value).getResult(0));
  }
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct FormRegionsPass final
    : fuse::impl::FormRegionsPassBase<FormRegionsPass> {
  using FormRegionsPassBase::FormRegionsPassBase;

  ModuleOp getKernels(ModuleOp module) {
    if (auto known = module.lookupSymbol<ModuleOp>(kernelsName))
      return known;
    auto builder = OpBuilder::atBlockEnd(module.getBody());
    return ModuleOp::create(builder, module.getLoc(), StringRef(kernelsName));
  }

  LogicalResult run(FunctionOpInterface function, ModuleOp module) {
    FailureOr<DimAnalysis> dims = DimAnalysis::compute(function);
    if (failed(dims))
      return failure();
    nameDims(function, *dims);
    dims = DimAnalysis::compute(function);
    FusionPlan plan = planFusion(function, fuse);
    Outliner outliner(function, *dims, getKernels(module));
    for (const KernelPlan &kernel : plan.kernels)
      outliner.outline(kernel);
    outliner.copyResults();
    // What was moved or copied into kernels has no use left here.
    for (Operation &op : llvm::make_early_inc_range(
             llvm::reverse(function.getFunctionBody().front())))
      if ((isa<DimInferenceOpInterface>(op) || isFreelyCopied(&op)) &&
          !isa<LaunchOp>(op) && op.use_empty())
        op.erase();
    return keepConstraints(function, *dims);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<FunctionOpInterface> functions;
    for (auto function : module.getOps<FunctionOpInterface>())
      if (function.getFunctionBody().hasOneBlock())
        functions.push_back(function);
    for (FunctionOpInterface function : functions)
      if (failed(run(function, module)))
        return signalPassFailure();
  }
};
} // namespace
