//===- FormRegions.cpp - Move ops into kernels ----------------------------===//

#include "KernelOutliner.h"
#include "NamedDims.h"
#include "fuse/ir/FuseOps.h"
#include "fuse/passes/FusionPlan.h"
#include "fuse/passes/Passes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

namespace fuse {
#define GEN_PASS_DEF_FORMREGIONSPASS
#include "fuse/passes/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

namespace {
/// Brings the ops of each kernel together, so that a launch can stand in their
/// place. Everything else keeps its order as far as that allows.
class OpSorter {
public:
  OpSorter(Block &block, const FusionPlan &plan)
      : block(block), copied(plan.copied) {
    for (Operation &op : block)
      positions[&op] = positions.size();
    for (const KernelPlan &kernel : plan.kernels)
      addKernel(kernel);
    for (Operation &op : block.without_terminator())
      if (!unitOf.count(&op))
        addUnit(&op);
  }
  void run();

private:
  struct Unit {
    SmallVector<Operation *, 1> ops;
    SmallVector<unsigned> needs, users;
    unsigned waitsFor = 0;
  };
  /// With the copied ops that stand between its own.
  void addKernel(const KernelPlan &kernel);
  void addUnit(ArrayRef<Operation *> ops) {
    for (Operation *op : ops)
      unitOf[op] = units.size();
    units.push_back({SmallVector<Operation *, 1>(ops), {}, {}});
  }
  void addNeed(unsigned unit, unsigned need) {
    if (unit == need || llvm::is_contained(units[unit].needs, need))
      return;
    units[unit].needs.push_back(need);
    units[need].users.push_back(unit);
    ++units[unit].waitsFor;
  }
  void findNeeds();

  Block &block;
  const CopiedOps &copied;
  std::vector<Unit> units;
  llvm::DenseMap<Operation *, unsigned> unitOf;
  llvm::DenseMap<Operation *, unsigned> positions;
};
} // namespace

void OpSorter::addKernel(const KernelPlan &kernel) {
  llvm::SetVector<Operation *> members;
  members.insert_range(kernel.ops);
  llvm::DenseSet<Operation *> before; // that are behind none
  std::function<bool(Value)> isBehindMember = [&](Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || members.contains(op))
      return op != nullptr;
    if (!copied.contains(op) || before.contains(op))
      return false;
    bool isBehind = false;
    for (Value operand : op->getOperands())
      isBehind |= isBehindMember(operand);
    if (isBehind)
      members.insert(op);
    else
      before.insert(op);
    return isBehind;
  };
  for (Operation *op : kernel.ops)
    for (Value operand : op->getOperands())
      isBehindMember(operand);
  SmallVector<Operation *> ops = members.takeVector();
  llvm::sort(ops, [&](Operation *lhs, Operation *rhs) {
    return positions[lhs] < positions[rhs];
  });
  addUnit(ops);
}

void OpSorter::findNeeds() {
  Operation *lastEffect = nullptr;
  for (Operation &op : block.without_terminator()) {
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *source = operand.getDefiningOp();
            source && source->getBlock() == &block)
          addNeed(unitOf[&op], unitOf[source]);
    });
    if (isMemoryEffectFree(&op))
      continue;
    if (lastEffect)
      addNeed(unitOf[&op], unitOf[lastEffect]);
    lastEffect = &op;
  }
}

void OpSorter::run() {
  findNeeds();
  // By the position of the last op, so that what can stay does.
  std::set<std::pair<unsigned, unsigned>> ready;
  auto addIfReady = [&](unsigned unit) {
    if (units[unit].waitsFor == 0)
      ready.insert({positions[units[unit].ops.back()], unit});
  };
  for (unsigned unit = 0; unit < units.size(); ++unit)
    addIfReady(unit);
  while (!ready.empty()) {
    unsigned unit = ready.begin()->second;
    ready.erase(ready.begin());
    for (Operation *op : units[unit].ops)
      op->moveBefore(block.getTerminator());
    for (unsigned user : units[unit].users) {
      --units[user].waitsFor;
      addIfReady(user);
    }
  }
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

template <class List>
static List applyPermutation(const List &list, ArrayRef<int64_t> order) {
  List permuted;
  for (int64_t position : order)
    permuted.push_back(list[position]);
  return permuted;
}

static SmallVector<int64_t> invertPermutation(ArrayRef<int64_t> order) {
  SmallVector<int64_t> inverse(order.size());
  for (auto [position, dim] : llvm::enumerate(order))
    inverse[dim] = static_cast<int64_t>(position);
  return inverse;
}

namespace {
/// Puts launches in the place of a plan's kernels.
class RegionFormer {
public:
  RegionFormer(FunctionOpInterface function, const DimAnalysis &dims,
               const CopiedOps &copied, ModuleOp kernels)
      : function(function), dims(dims), copied(copied), kernels(kernels),
        symbols(kernels),
        outliner(
            function, [this](Value value) { return getDims(value); }, kernels,
            copied) {}

  void launch(const KernelPlan &plan, const MemoryOrders &orders);
  /// Results that are arguments, or index maps of values, need a kernel that
  /// copies.
  void copyResults();

private:
  /// The dims of a value, results of launches included.
  DimVector getDims(Value value) const {
    auto it = launched.find(value);
    return it == launched.end() ? dims.getSimplifiedDims(value) : it->second;
  }
  LaunchOp createLaunch(OutlinedKernel &kernel, Operation *before);
  void reorderResult(OutlinedKernel &kernel, unsigned number,
                     ArrayRef<int64_t> order);

  FunctionOpInterface function;
  const DimAnalysis &dims;
  const CopiedOps &copied;
  llvm::DenseMap<Value, DimVector> launched;
  ModuleOp kernels;
  SymbolTable symbols;
  KernelOutliner outliner;
};
} // namespace

LaunchOp RegionFormer::createLaunch(OutlinedKernel &kernel, Operation *before) {
  OpBuilder builder(before);
  // Gives it a name of its own.
  symbols.insert(kernel.function);
  SmallVector<Attribute> resultDims;
  for (unsigned number = 0; number < kernel.outputs.size(); ++number)
    resultDims.push_back(
        kernel.function.getResultAttr(number, FuseDialect::dimsAttr));
  auto symbol = SymbolRefAttr::get(
      kernels.getSymNameAttr(),
      {FlatSymbolRefAttr::get(kernel.function.getSymNameAttr())});
  return LaunchOp::create(builder, kernel.outputs.front().getLoc(),
                          kernel.function.getResultTypes(), symbol,
                          kernel.inputs, builder.getArrayAttr(resultDims));
}

/// The kernel's result lies in memory as `order` has it.
void RegionFormer::reorderResult(OutlinedKernel &kernel, unsigned number,
                                 ArrayRef<int64_t> order) {
  Operation *end = kernel.function.front().getTerminator();
  OpBuilder builder(end);
  Value result = end->getOperand(number);
  auto type = cast<RankedTensorType>(result.getType());
  auto transpose = TransposeOp::create(
      builder, result.getLoc(),
      type.clone(applyPermutation(llvm::to_vector(type.getShape()), order)),
      result, order);
  end->setOperand(number, transpose);
  kernel.function.setType(FunctionType::get(builder.getContext(),
                                            kernel.function.getArgumentTypes(),
                                            end->getOperandTypes()));
  kernel.function.setResultAttr(
      number, FuseDialect::dimsAttr,
      getDimsAttr(builder,
                  applyPermutation(getDims(kernel.outputs[number]), order)));
}

void RegionFormer::launch(const KernelPlan &plan, const MemoryOrders &orders) {
  std::optional<OutlinedKernel> kernel = outliner.outline(plan.ops, plan.name);
  if (!kernel)
    return;
  for (auto [number, output] : llvm::enumerate(kernel->outputs))
    if (const auto *it = orders.find(output); it != orders.end())
      reorderResult(*kernel, number, it->second);
  // By then all that any of the ops reads is there.
  LaunchOp launch = createLaunch(*kernel, plan.ops.back());
  OpBuilder builder(plan.ops.back());
  for (auto [output, result] :
       llvm::zip_equal(kernel->outputs, launch.getOutputs())) {
    Value value = result;
    DimVector valueDims = getDims(output);
    if (const auto *it = orders.find(output); it != orders.end()) {
      launched[result] = applyPermutation(valueDims, it->second);
      value = TransposeOp::create(builder, output.getLoc(), output.getType(),
                                  result, invertPermutation(it->second));
    }
    launched[value] = valueDims;
    output.replaceAllUsesWith(value);
  }
}

void RegionFormer::copyResults() {
  Operation *end = function.getFunctionBody().front().getTerminator();
  llvm::DenseSet<Value> returned;
  for (OpOperand &operand : end->getOpOperands()) {
    Value value = operand.get();
    Operation *op = value.getDefiningOp();
    if (!isa<RankedTensorType>(value.getType()) ||
        (op && !copied.contains(op) && returned.insert(value).second))
      continue;
    if (std::optional<OutlinedKernel> kernel = outliner.outlineCopy(value))
      operand.set(createLaunch(*kernel, end).getResult(0));
  }
}

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

  /// One remark a candidate, where its second part is.
  static void report(const FusionPlan &plan) {
    for (const FusionCandidate &candidate : plan.candidates) {
      InFlightDiagnostic note = emitRemark(candidate.second->getLoc());
      note << (candidate.isFused ? "fused with " : "kept apart from ")
           << (candidate.isProducer ? "its producer" : "its sibling");
      if (!candidate.isFused)
        note << ": " << candidate.why;
      if (candidate.together > 0)
        note << " (" << llvm::formatv("{0:F2}", candidate.together).str()
             << " us against " << llvm::formatv("{0:F2}", candidate.apart).str()
             << " us";
      if (candidate.together > 0 && !candidate.isFused && candidate.reads > 0)
        note << ", reading each byte "
             << llvm::formatv("{0:F1}", candidate.reads).str() << " times";
      if (candidate.together > 0)
        note << ")";
      note.attachNote(candidate.first->getLoc()) << "this one";
    }
  }

  /// Pairs such as `43-45`.
  LogicalResult parsePairs(StringRef option, ArrayRef<std::string> texts,
                           SmallVectorImpl<LinePair> &pairs) {
    for (StringRef text : texts) {
      auto [first, second] = text.split('-');
      LinePair pair;
      if (first.getAsInteger(10, pair.first) ||
          second.getAsInteger(10, pair.second))
        return getOperation().emitError()
               << "'" << option << "' expects the lines of two ops, such as "
               << "43-45, but got '" << text << "'";
      pairs.push_back(pair);
    }
    return success();
  }

  /// Every pair that was forced is one kernel.
  static LogicalResult checkForced(FunctionOpInterface function,
                                   const FusionPlan &plan,
                                   ArrayRef<LinePair> forced) {
    for (const LinePair &pair : forced) {
      bool isOne = false, isFirst = false, isSecond = false;
      for (const KernelPlan &kernel : plan.kernels) {
        bool hasFirst = hasLine(kernel.ops, pair.first);
        bool hasSecond = hasLine(kernel.ops, pair.second);
        isOne |= hasFirst && hasSecond;
        isFirst |= hasFirst;
        isSecond |= hasSecond;
      }
      if (isFirst && isSecond && !isOne)
        return function.emitError()
               << "'force-fuse' expects the ops of lines " << pair.first
               << " and " << pair.second
               << " to be one kernel, but they cannot be; remarks say why";
    }
    return success();
  }

  LogicalResult run(FunctionOpInterface function, ModuleOp module) {
    FailureOr<DimAnalysis> dims = DimAnalysis::compute(function);
    if (failed(dims))
      return failure();
    nameDims(function, *dims);
    dims = DimAnalysis::compute(function);
    detachShapes(function, *dims);
    dims = DimAnalysis::compute(function);
    FusionPlan plan = planFusion(function, *dims, planOptions);
    if (remark)
      report(plan);
    if (failed(checkForced(function, plan, planOptions.forced)))
      return failure();
    OpSorter(function.getFunctionBody().front(), plan).run();
    RegionFormer former(function, *dims, plan.copied, getKernels(module));
    for (const KernelPlan &kernel : plan.kernels)
      former.launch(kernel, plan.memoryOrders);
    former.copyResults();
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
    planOptions = FusionOptions();
    planOptions.fuse = fuse;
    if (failed(parsePairs("force-fuse", forceFuse, planOptions.forced)) ||
        failed(parsePairs("forbid-fuse", forbidFuse, planOptions.forbidden)))
      return signalPassFailure();
    SmallVector<FunctionOpInterface> functions;
    for (auto function : module.getOps<FunctionOpInterface>())
      if (function.getFunctionBody().hasOneBlock())
        functions.push_back(function);
    for (FunctionOpInterface function : functions)
      if (failed(run(function, module)))
        return signalPassFailure();
  }

  FusionOptions planOptions;
};
} // namespace
