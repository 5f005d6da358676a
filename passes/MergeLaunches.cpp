//===- MergeLaunches.cpp - Independent kernels in one launch --------------===//
//
// Two launches that do not depend on each other become one, whose kernel has
// the work of both: some of its blocks do the one, some the other. Kernels that
// leave most of the device idle run side by side, and a launch less is waited
// for.
//
//===----------------------------------------------------------------------===//

#include "fuse/passes/KernelCost.h"
#include "fuse/passes/Passes.h"
#include "fuse/passes/SizeClasses.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace fuse {
#define GEN_PASS_DEF_MERGELAUNCHESPASS
#include "fuse/passes/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

//===----------------------------------------------------------------------===//
// Where the launch of both can be
//===----------------------------------------------------------------------===//

/// Of two launches of one block, the one in whose place a launch of both could
/// be; null if there is none, as where one needs what the other makes.
static LaunchOp findPlace(LaunchOp first, LaunchOp second) {
  auto isBefore = [](Operation *op, Operation *other) {
    return !op || op->getBlock() != other->getBlock() ||
           op->isBeforeInBlock(other);
  };
  if (llvm::all_of(second.getInputs(), [&](Value input) {
        return isBefore(input.getDefiningOp(), first);
      }))
    return first;
  Block *block = second->getBlock();
  if (llvm::all_of(first->getUsers(), [&](Operation *user) {
        return second->isBeforeInBlock(block->findAncestorOpInBlock(*user));
      }))
    return second;
  return {};
}

//===----------------------------------------------------------------------===//
// What it costs
//===----------------------------------------------------------------------===//

namespace {
/// What is known of a kernel without its text.
struct KernelLoad {
  KernelLoad(tile::KernelOp kernel, const DimBindings &hints);

  /// Blocks that a multiprocessor holds at once, for all that is known here.
  double countResident() const;

  double blocks = 0, threads, sharedBytes, microseconds = 0, bytes = 0,
         flops = 0;
};
} // namespace

/// Threads of a multiprocessor whose registers are all in use.
static constexpr double busyThreads = 512;
/// What of the shorter of two kernels that run side by side the longer one does
/// not hide.
static constexpr double exposedShare = 0.15;

KernelLoad::KernelLoad(tile::KernelOp kernel, const DimBindings &hints)
    : threads(static_cast<double>(kernel.getThreads())),
      sharedBytes(static_cast<double>(kernel.getSharedBytes().value_or(0))) {
  for (const tile::IndexSpace &space : kernel.getIndexSpaces()) {
    double own = 1;
    for (auto [text, tile] :
         llvm::zip_equal(space.grid.getAsRange<StringAttr>(), space.tiles)) {
      std::string error;
      int64_t extent = estimateExtent(*DimExpr::parse(text, error), hints);
      own *= static_cast<double>(llvm::divideCeil(extent, tile));
    }
    blocks += own;
  }
  auto cost =
      kernel->getAttrOfType<DictionaryAttr>(tile::TileDialect::costAttr);
  auto get = [&](StringRef name) {
    auto number = cost ? cost.getAs<FloatAttr>(name) : FloatAttr();
    return number ? number.getValueAsDouble() : 0;
  };
  microseconds = get("predicted_us");
  bytes = get("bytes");
  flops = get("flops");
}

double KernelLoad::countResident() const {
  double resident = busyThreads / threads;
  if (sharedBytes > 0)
    resident = std::min(resident, maxSharedBytes / sharedBytes);
  return std::max(std::floor(resident), 1.0);
}

/// True if all blocks of both run at the same time.
static bool fitTogether(const KernelLoad &lhs, const KernelLoad &rhs) {
  double resident = std::min(lhs.countResident(), rhs.countResident());
  return lhs.blocks + rhs.blocks <= double(multiprocessors) * resident;
}

/// Arguments that a launch can have.
static constexpr size_t mostArguments = 64;
/// Launches that one is weighed against.
static constexpr size_t mostNeighbours = 8;

/// Blocks of a merged kernel have the threads and the shared memory of the part
/// that needs most: that must keep none of the others' off the device.
static bool isHarmless(const KernelLoad &lhs, const KernelLoad &rhs) {
  return lhs.threads == rhs.threads &&
         (fitTogether(lhs, rhs) || lhs.countResident() == rhs.countResident());
}

static DictionaryAttr getMergedCost(const KernelLoad &lhs,
                                    const KernelLoad &rhs, Builder &builder) {
  auto [shorter, longer] = std::minmax(lhs.microseconds, rhs.microseconds);
  double time = fitTogether(lhs, rhs)
                    ? longer + exposedShare * shorter
                    : shorter + longer - DeviceRates().launchMicroseconds;
  auto number = [&](StringRef name, double value) {
    return builder.getNamedAttr(name, builder.getF64FloatAttr(value));
  };
  return builder.getDictionaryAttr({number("bytes", lhs.bytes + rhs.bytes),
                                    number("flops", lhs.flops + rhs.flops),
                                    number("predicted_us", time)});
}

//===----------------------------------------------------------------------===//
// Merging
//===----------------------------------------------------------------------===//

namespace {
/// The kernel of two launches.
class KernelMerger {
public:
  KernelMerger(LaunchOp first, tile::KernelOp firstKernel, LaunchOp second,
               tile::KernelOp secondKernel)
      : sources{{{first, firstKernel}, {second, secondKernel}}} {}

  /// Its arguments are the inputs of both, each once, the outputs of both, and
  /// the dims of both, each once.
  tile::KernelOp create(DictionaryAttr cost);
  ArrayRef<Value> getInputs() const { return inputs.getArrayRef(); }

private:
  struct Argument {
    Type type;
    DictionaryAttr attrs;
  };
  void collectArguments();
  void collectDims();
  void addArgument(tile::KernelOp kernel, BlockArgument argument,
                   std::optional<unsigned> number = {});
  void moveBody(tile::KernelOp kernel, OpBuilder &builder);

  struct Source {
    LaunchOp launch;
    tile::KernelOp kernel;
  };
  std::array<Source, 2> sources;
  llvm::SetVector<Value> inputs;
  SmallVector<Argument> arguments;
  llvm::DenseMap<Value, unsigned> numbers; // of the kernels' arguments
};
} // namespace

void KernelMerger::addArgument(tile::KernelOp kernel, BlockArgument argument,
                               std::optional<unsigned> number) {
  if (!number) {
    number = arguments.size();
    arguments.push_back(
        {argument.getType(), kernel.getArgAttrDict(argument.getArgNumber())});
  }
  numbers[argument] = *number;
}

void KernelMerger::collectArguments() {
  llvm::DenseMap<Value, unsigned> known;
  for (auto [launch, kernel] : sources) {
    for (auto [input, argument] :
         llvm::zip(launch.getInputs(), kernel.getArguments())) {
      bool isNew = inputs.insert(input);
      addArgument(kernel, argument,
                  isNew ? std::nullopt : std::optional(known[input]));
      known[input] = numbers[argument];
    }
  }
  for (auto [launch, kernel] : sources) {
    for (BlockArgument argument : kernel.getArguments()
                                      .drop_front(launch.getInputs().size())
                                      .take_front(launch.getOutputs().size()))
      addArgument(kernel, argument);
  }
  collectDims();
}

void KernelMerger::collectDims() {
  llvm::DenseMap<Attribute, unsigned> dims;
  for (auto [launch, kernel] : sources) {
    for (BlockArgument argument : kernel.getArguments().drop_front(
             launch.getInputs().size() + launch.getOutputs().size())) {
      Attribute dim = kernel.getArgAttr(argument.getArgNumber(),
                                        tile::TileDialect::dimAttr);
      auto it = dims.find(dim);
      addArgument(kernel, argument,
                  it == dims.end() ? std::nullopt : std::optional(it->second));
      dims[dim] = numbers[argument];
    }
  }
  // A kernel need not know how many blocks it has, but which are whose.
  Builder builder(sources[0].kernel.getContext());
  for (auto [launch, kernel] : sources)
    for (const tile::IndexSpace &space : kernel.getIndexSpaces())
      for (auto text : space.grid.getAsRange<StringAttr>()) {
        std::string error;
        for (const std::string &symbol :
             DimExpr::parse(text, error)->symbols()) {
          StringAttr dim = builder.getStringAttr(symbol);
          if (!dims.try_emplace(dim, arguments.size()).second)
            continue;
          arguments.push_back({builder.getIndexType(),
                               builder.getDictionaryAttr(builder.getNamedAttr(
                                   tile::TileDialect::dimAttr, dim))});
        }
      }
}

/// The parts of a kernel, or a part that does what the kernel did.
void KernelMerger::moveBody(tile::KernelOp kernel, OpBuilder &builder) {
  Block *target = builder.getInsertionBlock();
  IRMapping mapping;
  for (BlockArgument argument : kernel.getArguments())
    mapping.map(argument, target->getArgument(numbers[argument]));
  if (kernel.getBody().getOps<tile::PartOp>().empty()) {
    auto part =
        tile::PartOp::create(builder, kernel.getLoc(), kernel.getSymNameAttr(),
                             kernel.getGridAttr(), kernel.getTilesAttr());
    builder.setInsertionPointToStart(&part.getBody().emplaceBlock());
  }
  for (Operation &op : kernel.getBody().front().without_terminator())
    builder.clone(op, mapping);
  builder.setInsertionPoint(target->getTerminator());
}

tile::KernelOp KernelMerger::create(DictionaryAttr cost) {
  collectArguments();
  tile::KernelOp first = sources[0].kernel, second = sources[1].kernel;
  OpBuilder builder(first);
  std::string name = (first.getSymName() + "_" + second.getSymName()).str();
  SmallVector<Type> types = llvm::map_to_vector(
      arguments, [](const Argument &argument) { return argument.type; });
  auto kernel = tile::KernelOp::create(
      builder, builder.getFusedLoc({first.getLoc(), second.getLoc()}), name,
      types, static_cast<int64_t>(first.getThreads()), ArrayRef<std::string>(),
      ArrayRef<int64_t>());
  for (auto [number, argument] : llvm::enumerate(arguments))
    kernel.setArgAttrs(number, argument.attrs);
  kernel.setSharedBytes(std::max(first.getSharedBytes().value_or(0),
                                 second.getSharedBytes().value_or(0)));
  kernel->setAttr(tile::TileDialect::costAttr, cost);
  Block &body = kernel.getBody().front();
  tile::KernelOp::ensureTerminator(kernel.getBody(), builder, kernel.getLoc());
  builder.setInsertionPoint(body.getTerminator());
  moveBody(first, builder);
  moveBody(second, builder);
  return kernel;
}

namespace {
class LaunchMerger {
public:
  explicit LaunchMerger(ModuleOp module) : module(module) {}

  void run();

private:
  tile::KernelOp getKernel(LaunchOp launch);
  void mergeAll(FunctionOpInterface function);
  /// The launch of both, or null if they stay apart.
  LaunchOp tryMerge(LaunchOp first, LaunchOp second, const DimBindings &hints);
  LaunchOp merge(LaunchOp first, LaunchOp second, LaunchOp place,
                 DictionaryAttr cost);
  /// Erases the launch, and its kernel if that was the last one of it.
  void erase(LaunchOp launch);

  ModuleOp module;
  SymbolTableCollection symbols;
  llvm::DenseMap<Operation *, unsigned> numLaunches; // of each kernel
};
} // namespace

tile::KernelOp LaunchMerger::getKernel(LaunchOp launch) {
  return symbols.lookupNearestSymbolFrom<tile::KernelOp>(
      launch, launch.getKernelAttr());
}

void LaunchMerger::erase(LaunchOp launch) {
  tile::KernelOp kernel = getKernel(launch);
  launch.erase();
  if (--numLaunches[kernel] == 0)
    symbols.getSymbolTable(kernel->getParentOp()).erase(kernel);
}

LaunchOp LaunchMerger::merge(LaunchOp first, LaunchOp second, LaunchOp place,
                             DictionaryAttr cost) {
  KernelMerger merger(first, getKernel(first), second, getKernel(second));
  tile::KernelOp kernel = merger.create(cost);
  symbols.getSymbolTable(kernel->getParentOp()).insert(kernel);
  numLaunches[kernel] = 1;

  OpBuilder builder(place);
  SmallVector<Type> types(first.getResultTypes());
  llvm::append_range(types, second.getResultTypes());
  SmallVector<Attribute> dims(first.getDims().begin(), first.getDims().end());
  llvm::append_range(dims, second.getDims());
  auto name = SymbolRefAttr::get(first.getKernelAttr().getRootReference(),
                                 {FlatSymbolRefAttr::get(kernel)});
  auto launch = LaunchOp::create(
      builder, builder.getFusedLoc({first.getLoc(), second.getLoc()}), types,
      name, merger.getInputs(), builder.getArrayAttr(dims));
  first->replaceAllUsesWith(
      launch.getResults().take_front(first->getNumResults()));
  second->replaceAllUsesWith(
      launch.getResults().take_back(second->getNumResults()));
  erase(first);
  erase(second);
  return launch;
}

LaunchOp LaunchMerger::tryMerge(LaunchOp first, LaunchOp second,
                                const DimBindings &hints) {
  tile::KernelOp lhs = getKernel(first), rhs = getKernel(second);
  if (lhs == rhs ||
      lhs.getNumArguments() + rhs.getNumArguments() > mostArguments)
    return {};
  LaunchOp place = findPlace(first, second);
  if (!place)
    return {};
  KernelLoad left(lhs, hints), right(rhs, hints);
  if (!isHarmless(left, right))
    return {};
  Builder builder(module.getContext());
  return merge(first, second, place, getMergedCost(left, right, builder));
}

void LaunchMerger::mergeAll(FunctionOpInterface function) {
  DimBindings hints = getSizeHints(function);
  SmallVector<LaunchOp> launches;
  for (auto launch : function.getFunctionBody().front().getOps<LaunchOp>())
    if (getKernel(launch))
      launches.push_back(launch);
  for (size_t i = 0; i < launches.size(); ++i)
    for (size_t j = i + 1; j < launches.size() && j <= i + mostNeighbours;)
      if (LaunchOp merged = tryMerge(launches[i], launches[j], hints)) {
        launches[i] = merged;
        launches.erase(launches.begin() + j);
      } else {
        ++j;
      }
}

void LaunchMerger::run() {
  SmallVector<FunctionOpInterface> functions;
  module.walk([&](LaunchOp launch) {
    if (tile::KernelOp kernel = getKernel(launch))
      ++numLaunches[kernel];
    auto function = launch->getParentOfType<FunctionOpInterface>();
    if (functions.empty() || functions.back() != function)
      functions.push_back(function);
  });
  llvm::for_each(functions,
                 [&](FunctionOpInterface function) { mergeAll(function); });
}

namespace {
struct MergeLaunchesPass final
    : fuse::impl::MergeLaunchesPassBase<MergeLaunchesPass> {
  using MergeLaunchesPassBase::MergeLaunchesPassBase;
  void runOnOperation() override { LaunchMerger(getOperation()).run(); }
};
} // namespace
