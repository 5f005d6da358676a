//===- Module.cpp - loads a library of kernels and runs them --------------===//

#include "Faults.h"
#include "NoThrow.h"
#include "Runner.h"
#include "SharedLibrary.h"

#include <algorithm>
#include <link.h>
#include <numeric>
#include <thread>

using namespace fuse::rt;
using namespace fuse::rt::twin;

constexpr size_t maxSharedBytes = 227 * 1024;

/// Finds where the library that holds `symbol` was loaded.
static void locate(const void *symbol, Library &library) {
  struct Search {
    uintptr_t address;
    Library &library;
  } search = {reinterpret_cast<uintptr_t>(symbol), library};
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *argument) {
        auto &[address, library] = *static_cast<Search *>(argument);
        uintptr_t begin = UINTPTR_MAX, end = 0;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr) &segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD)
            continue;
          begin = std::min<uintptr_t>(begin, info->dlpi_addr + segment.p_vaddr);
          end = std::max<uintptr_t>(end, info->dlpi_addr + segment.p_vaddr +
                                             segment.p_memsz);
        }
        if (address < begin || address >= end)
          return 0;
        library.base = info->dlpi_addr;
        library.begin = begin;
        library.end = end;
        return 1;
      },
      &search);
}

/// The blocks to run, in the order of the schedule.
static std::vector<int64_t> blocksOf(int64_t gridBlocks,
                                     const TwinOptions &options) {
  std::vector<int64_t> blocks = options.onlyBlocks;
  if (blocks.empty()) {
    blocks.resize(static_cast<size_t>(gridBlocks));
    std::iota(blocks.begin(), blocks.end(), 0);
  } else {
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    blocks.erase(std::lower_bound(blocks.begin(), blocks.end(), gridBlocks),
                 blocks.end());
    blocks.erase(blocks.begin(),
                 std::lower_bound(blocks.begin(), blocks.end(), 0));
  }
  if (options.schedule == TwinSchedule::Reversed)
    std::reverse(blocks.begin(), blocks.end());
  if (options.schedule == TwinSchedule::Random) {
    uint64_t state = options.seed;
    for (size_t i = blocks.size(); i > 1; --i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      std::swap(blocks[i - 1], blocks[(state >> 33) % i]);
    }
  }
  return blocks;
}

static Status checkLaunch(const TwinKernelLaunch &launch) {
  auto expects = [&](const std::string &what, const std::string &got) {
    return Status::invalidInput("kernel '" + launch.kernel + "' expects " +
                                what + ", but got " + got);
  };
  if (launch.gridBlocks < 1 || launch.gridBlocks > INT32_MAX)
    return expects("1 .. 2147483647 blocks", std::to_string(launch.gridBlocks));
  if (launch.blockThreads < 1 || launch.blockThreads > maxThreads)
    return expects("1 .. 1024 threads a block",
                   std::to_string(launch.blockThreads));
  if (launch.sharedBytes > maxSharedBytes)
    return expects("at most 232448 bytes of shared memory",
                   std::to_string(launch.sharedBytes));
  return Status();
}

namespace {
/// One operating-system thread's share of a run.
class Worker {
public:
  explicit Worker(const RunContext &context)
      : context(context), runner(context) {}

  Status create(unsigned threads, size_t sharedBytes) {
    return runner.create(threads, sharedBytes);
  }

  /// Runs those blocks of the launch that no other worker takes.
  void work(const Launch &launch, const std::vector<int64_t> &blocks,
            std::atomic<size_t> &next) {
    FaultGuard guard(runner);
    Status installed = guard.install();
    if (!installed.ok())
      return context.reporter.fail(std::move(installed));
    runner.startLaunch(launch);
    while (!context.reporter.mustStop()) {
      const size_t index = next.fetch_add(1);
      if (index >= blocks.size())
        return;
      runner.runBlock(blocks[index]);
    }
  }

  void checkOutcome(bool complete) { runner.checkOutcome(complete); }

private:
  const RunContext &context;
  Runner runner;
};
} // namespace

//===----------------------------------------------------------------------===//
// TwinModule
//===----------------------------------------------------------------------===//

class TwinModule::State {
public:
  Result<Launch> resolve(const TwinKernelLaunch &launch) const;
  Result<std::vector<TwinFinding>>
  run(const std::vector<TwinKernelLaunch> &descriptions, GlobalMemory &memory,
      const TwinOptions &options);

  SharedLibrary handle;
  std::shared_ptr<Library> library = std::make_shared<Library>();
  bool observed = false;
};

Result<Launch>
TwinModule::State::resolve(const TwinKernelLaunch &launch) const {
  const std::string symbol = launch.kernel + "_entry";
  auto *entry =
      reinterpret_cast<void (*)(void **)>(handle.find(symbol.c_str()));
  if (!entry)
    return Status::invalidInput(library->path + " has no kernel '" +
                                launch.kernel + "'");
  Status checked = checkLaunch(launch);
  if (!checked.ok())
    return checked;
  return Launch{&launch, entry};
}

Result<std::vector<TwinFinding>>
TwinModule::State::run(const std::vector<TwinKernelLaunch> &descriptions,
                       GlobalMemory &memory, const TwinOptions &options) {
  if (options.checks && !observed)
    return Status::invalidInput(
        "checks expect a library compiled with -fsanitize=thread, but " +
        library->path + " is not");
  std::vector<Launch> launches;
  unsigned threads = 1;
  size_t sharedBytes = 0;
  for (const TwinKernelLaunch &description : descriptions) {
    Result<Launch> launch = resolve(description);
    if (!launch.ok())
      return launch.status();
    launches.push_back(*launch);
    threads = std::max<unsigned>(threads, description.blockThreads);
    sharedBytes = std::max(sharedBytes, description.sharedBytes);
  }
  Reporter reporter(std::max(options.maxFindings, 1u));
  const RunContext context{options, library, memory, reporter};
  const unsigned count = options.checks ? 1 : std::max(options.workers, 1u);
  std::vector<std::unique_ptr<Worker>> workers;
  for (unsigned i = 0; i < count; ++i) {
    workers.push_back(std::make_unique<Worker>(context));
    Status created = workers.back()->create(threads, sharedBytes);
    if (!created.ok())
      return created;
  }
  for (const Launch &launch : launches) {
    const std::vector<int64_t> blocks =
        blocksOf(launch.description->gridBlocks, options);
    std::atomic<size_t> next = 0;
    std::vector<std::thread> others;
    for (unsigned i = 1; i < count; ++i)
      others.emplace_back([&, i] { workers[i]->work(launch, blocks, next); });
    workers[0]->work(launch, blocks, next);
    for (std::thread &other : others)
      other.join();
    if (reporter.mustStop())
      break;
  }
  if (!reporter.failure().ok())
    return reporter.failure();
  if (!launches.empty())
    workers[0]->checkOutcome(!reporter.mustStop() &&
                             options.onlyBlocks.empty());
  return reporter.finish();
}

TwinModule::TwinModule(std::unique_ptr<State> state)
    : state(std::move(state)) {}

TwinModule::~TwinModule() = default;

bool TwinModule::observed() const { return state->observed; }

Result<std::unique_ptr<TwinModule>> TwinModule::load(const std::string &path) {
  return noThrow([&]() -> Result<std::unique_ptr<TwinModule>> {
    Result<SharedLibrary> opened = SharedLibrary::open(path);
    if (!opened.ok())
      return Status::invalidInput(opened.status().message());
    auto state = std::make_unique<State>();
    state->handle = std::move(*opened);
    auto *version =
        static_cast<const unsigned *>(state->handle.find("fuseTwinVersion"));
    auto *observed =
        static_cast<const int *>(state->handle.find("fuseTwinObserved"));
    if (!version || !observed)
      return Status::invalidInput(path + " is no library of kernels");
    if (*version != FUSE_TWIN_ABI_VERSION)
      return Status::invalidInput(path + ": expects kernels for version " +
                                  std::to_string(FUSE_TWIN_ABI_VERSION) +
                                  " of the host twin, but got " +
                                  std::to_string(*version));
    state->observed = *observed != 0;
    state->library->path = path;
    locate(version, *state->library);
    return std::unique_ptr<TwinModule>(new TwinModule(std::move(state)));
  });
}

Result<std::vector<TwinFinding>>
TwinModule::run(const std::vector<TwinKernelLaunch> &launches,
                TwinMemory &memory, const TwinOptions &options) {
  return noThrow([&] { return state->run(launches, *memory.state, options); });
}

std::vector<std::string> fuse::rt::twinCompileOptions(bool checks) {
  std::vector<std::string> options = {
      "-std=c++17", "-O2", "-g", "-fPIC", "-fvisibility=hidden",
      // Multiply-adds are fused where the text says so, and nowhere else.
      "-ffp-contract=off", "-fno-math-errno",
      // A call of a primitive is where it was, with its line.
      "-fno-optimize-sibling-calls",
      // No frame steps over the unmapped page below a thread's stack.
      "-fstack-clash-protection", "-fno-exceptions", "-fno-rtti",
      "-Wno-unknown-pragmas"};
#if defined(__x86_64__)
  // The same bits as without, which calls a function for each.
  if (__builtin_cpu_supports("fma"))
    options.emplace_back("-mfma");
#endif
  if (checks)
    options.emplace_back("-fsanitize=thread");
  return options;
}
