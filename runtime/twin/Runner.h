//===- Runner.h - runs the blocks of a launch -------------------*- C++ -*-===//

#ifndef FUSE_RUNTIME_TWIN_RUNNER_H
#define FUSE_RUNTIME_TWIN_RUNNER_H

#include "Fiber.h"
#include "MemoryChecker.h"
#include "Reporter.h"
#include "fuse/runtime/Twin.h"

#include <array>
#include <map>
#include <vector>

namespace fuse::rt::twin {

class Runner;

constexpr unsigned warpLanes = 32;
constexpr unsigned maxThreads = 1024;
constexpr unsigned namedBarriers = 16;

/// Where a primitive was called: two calls are the same if their places are.
/// The line tells them apart in a library without line tables.
struct Site {
  int line = 0;
  uint32_t pc = 0;
};

enum class ThreadState : uint8_t {
  Ready,
  AtBarrier,
  AtNamedBarrier,
  InCollective,
  Done,
};

/// An asynchronous copy that its thread has not waited for.
struct AsyncCopy {
  char *shared;
  const char *global;
  unsigned bytes, validBytes;
  uint32_t pc;
  unsigned group;
};

/// A CUDA thread.
struct Thread {
  Runner *runner = nullptr;
  Fiber fiber;
  uint16_t index = 0;
  ThreadState state = ThreadState::Done;
  bool sawProducers = false;
  bool spins = false;  ///< It polls a flag, and did nothing else in its turn.
  Site site;           ///< Where it waits.
  uint64_t result = 0; ///< Of the collective that it waited in.
  unsigned copyGroup = 0; ///< The group that the next copy belongs to.
  std::vector<AsyncCopy> copies;

  unsigned lane() const { return index % warpLanes; }
  uint32_t laneBit() const { return 1u << lane(); }
};

enum class CollectiveKind : uint8_t {
  Barrier,
  ShuffleIndex,
  ShuffleXor,
  ShuffleDown,
  Ballot,
  MmaF16,
  MmaBf16,
  MmaTf32,
};

/// The fragments of one lane in a matrix multiply-add.
struct MmaFragments {
  float *accumulator;
  const unsigned *a, *b;
};

/// What one lane brings to a collective.
struct LaneInput {
  uint64_t value = 0;
  int operand = 0;
  MmaFragments fragments = {};
};

/// A collective that not all lanes of its mask have reached.
struct Collective {
  CollectiveKind kind;
  uint32_t mask, arrived;
  Site site;
  unsigned first; ///< The thread that came first.
  std::array<LaneInput, warpLanes> lanes;
};

/// What does not change during a run.
struct RunContext {
  const TwinOptions &options;
  std::shared_ptr<const Library> library;
  GlobalMemory &memory;
  Reporter &reporter;
};

struct Launch {
  const TwinKernelLaunch *description;
  void (*entry)(void **arguments);
};

/// Runs blocks, one at a time, with a fiber for each thread. The functions that
/// take `self` are the primitives; they are called on its stack, and after them
/// leaveIfOver().
class Runner {
public:
  explicit Runner(const RunContext &context)
      : run(context),
        checker(context.memory, context.library, context.reporter) {}
  Runner(const Runner &) = delete;
  Runner &operator=(const Runner &) = delete;
  ~Runner();

  /// Sets up stacks, shared memory and shadow. Called once.
  Status create(unsigned count, size_t sharedBytes);
  void startLaunch(const Launch &next);
  void runBlock(int64_t index);

  void access(Thread &self, const void *address, size_t bytes, int kind,
              const void *pc);
  void misaligned(Thread &self, const void *address, size_t bytes, int kind,
                  const void *pc);
  void declareShared(Thread &self, long offset, long bytes, const char *name,
                     const void *pc);
  void barrier(Thread &self, Site site);
  void namedBarrier(Thread &self, int id, int count, Site site);
  uint64_t collective(Thread &self, CollectiveKind kind, uint32_t mask,
                      const LaneInput &input, Site site);
  void copyAsync(Thread &self, const AsyncCopy &copy);
  void copyWait(Thread &self, int pendingGroups);
  void waitForProducers(Thread &self);
  uint64_t atomic(Thread &self, int operation, void *address, uint64_t value,
                  unsigned bytes, const void *pc);
  uint64_t seed() const { return run.options.seed; }
  uint32_t relative(const void *pc) const { return run.library->relative(pc); }

  /// The thread that runs, or null. Read by the handler of faults.
  Thread *running() const { return current; }
  /// Where the stack of `running()` ends, upward.
  uintptr_t stackEnd() const {
    return reinterpret_cast<uintptr_t>(&stacks.top(current->index));
  }
  /// Reports a fault of the processor that `running()` made, at `pc`.
  void reportFault(int signal, const void *address, const void *pc);
  /// Findings that take the whole run to see.
  void checkOutcome(bool complete);
  /// Ends the run and leaves `running()` for good. Nothing on its stack is
  /// destroyed, so frames up to here must own nothing.
  [[noreturn]] void abandon();
  /// Does so if the run is to end.
  void leaveIfOver() {
    if (run.reporter.mustStop())
      abandon();
  }

private:
  struct NamedBarrier {
    int threads = 0;
    Site site;
    std::vector<uint16_t> arrived;
  };

  static void enter(boost::context::detail::transfer_t from);
  void resume(Thread &thread);
  void suspend(Thread &self, ThreadState state, Site site);
  void finish(Thread &self);
  void runThreads();
  void collectReady(std::vector<uint16_t> &turn);
  uint64_t random();
  /// No thread can run, though not all are done.
  void reportStall();
  bool reportStalledBarrier();
  bool reportStalledCollective();
  void reportStalledNamedBarrier();
  void reportStuck();

  void completeBarrier();
  bool mayJoin(Thread &self, CollectiveKind kind, uint32_t mask, Site site,
               Collective *&joined);
  bool lanesExist(Thread &self, uint32_t mask, Site site);
  void complete(unsigned warp, size_t index);
  uint64_t shuffled(const Collective &collective, unsigned warp, unsigned lane);
  bool sameSite(Site a, Site b);
  bool sameLine(uint32_t a, uint32_t b);
  void finishCopy(Thread &self, const AsyncCopy &copy);
  Origin origin(const Thread &self, uint32_t pc) const {
    return {self.index, pc, self.sawProducers};
  }
  /// Reports what the thread cannot go on after, and ends the run.
  void fatal(FindingKind kind, std::string text,
             const std::vector<uint32_t> &pcs);
  void report(FindingKind kind, std::string text,
              const std::vector<uint32_t> &pcs);
  std::string threadName(unsigned thread) const;

  RunContext run;
  MemoryChecker checker;
  StackPool stacks;
  void *arenaMapping = nullptr;
  size_t arenaMappedBytes = 0;
  char *arena = nullptr;
  Launch launch = {};
  int64_t block = 0;

  Fiber scheduler;
  Thread *current = nullptr;
  std::vector<Thread> threads; ///< Of the current block.
  unsigned threadCount = 0;
  unsigned done = 0;
  unsigned atBarrier = 0;
  unsigned firstAtBarrier = 0;
  std::array<NamedBarrier, namedBarriers> named;
  std::array<std::vector<Collective>, maxThreads / warpLanes> collectives;
  /// The lanes of each warp that have not returned.
  std::array<uint32_t, maxThreads / warpLanes> present = {};
  unsigned turnWarp = 0;
  unsigned idleTurns = 0;
  bool flagsChanged = false; ///< In this turn.
  uint64_t randomState = 0;
  std::map<std::pair<uint32_t, uint32_t>, bool> knownLines; ///< For sameLine.
};

} // namespace fuse::rt::twin

#endif // FUSE_RUNTIME_TWIN_RUNNER_H
