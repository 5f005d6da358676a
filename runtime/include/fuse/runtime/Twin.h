//===- Twin.h - running kernels on the host, under a checker ----*- C++ -*-===//
//
// The host twin runs the text of CUDA kernels as C++: one fiber a thread,
// blocks one after another, memory observed access by access. What a GPU would
// leave undefined is a finding with the source lines that make it. Findings do
// not depend on the schedule: two accesses race if nothing orders them,
// whichever of them comes first here. runtime/twin/README.md says what is found
// and what not.
//
// Sizes and offsets are in bytes. Blocks and grids are one-dimensional.

#ifndef FUSE_RUNTIME_TWIN_H
#define FUSE_RUNTIME_TWIN_H

#include "fuse/runtime/Status.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fuse::rt {

/// In which order the threads of a block run between barriers, and blocks after
/// one another.
enum class TwinSchedule {
  InOrder,      ///< By index.
  Reversed,     ///< By falling index.
  Random,       ///< Drawn anew at each turn, from the seed.
  OneWarpFirst, ///< One warp as far as it gets, then the next.
};

/// When an asynchronous copy moves its bytes: as early as it may (which shows
/// buffers reused too early) or as late (which shows missing waits).
enum class AsyncCopies { Eager, Late };

/// What a kernel may do with a buffer.
enum class BufferUse {
  Input,     ///< Reads only.
  Output,    ///< Every byte is written, by one thread.
  Workspace, ///< Reads what was written before.
};

struct TwinOptions {
  TwinSchedule schedule = TwinSchedule::InOrder;
  /// Of the random schedule, and of the errors of approximate functions.
  uint64_t seed = 0;
  AsyncCopies asyncCopies = AsyncCopies::Eager;
  /// Needs a library that was compiled with observation.
  bool checks = true;
  /// Blocks to run, of each launch; empty means all. If some are left out,
  /// outputs need not be complete.
  std::vector<int64_t> onlyBlocks;
  /// Threads of the operating system that run blocks side by side, without
  /// checks only.
  unsigned workers = 1;
  /// The run ends with this many different findings.
  unsigned maxFindings = 16;
};

enum class FindingKind {
  Race,              ///< Two accesses, a write among them, that nothing orders.
  DivergentBarrier,  ///< Not all threads reach the same barrier.
  WarpCollective,    ///< Not all lanes of the mask, or others, reach it.
  OutOfBounds,       ///< Of a buffer, of shared memory or its named pieces.
  UninitializedRead, ///< Of bytes that nobody wrote.
  OutputNotWritten,  ///< Bytes of an output that nobody wrote.
  OutputWrittenTwice, ///< By two threads.
  InputWritten,
  Misaligned,      ///< An access not aligned to its size.
  BeforeProducers, ///< An early launched kernel did not wait for producers.
  InvalidUse,      ///< A primitive with arguments that it does not take.
  Stuck,           ///< Threads wait for a flag that nobody sets.
  StackOverflow,
  Fault, ///< Another fault of the processor, such as a division by zero.
};

/// "race", "divergent barrier" and so on.
std::string_view name(FindingKind kind);

/// A place in the source of a kernel. Where there is no tool to resolve program
/// counters, the library and an offset into it, and line 0.
struct TwinLocation {
  std::string file;
  unsigned line = 0;
};

struct TwinFinding {
  FindingKind kind;
  std::string kernel;
  /// One line, with all source lines that are involved.
  std::string message;
  /// The same lines, the one that completed the finding first.
  std::vector<TwinLocation> where;
};

struct TwinKernelLaunch {
  std::string kernel;
  int64_t gridBlocks = 1;
  uint32_t blockThreads = 1; ///< 1 .. 1024
  size_t sharedBytes = 0;    ///< At most 227 KiB.
  /// Pointers to the values of the parameters, as for cuLaunchKernel.
  std::vector<void *> arguments;
  /// Launched before the launch that precedes it is complete.
  bool overlapsPredecessor = false;
};

/// The global memory of one program run: buffers between unmapped pages, with a
/// record of what was written and by whom. Addresses are not used again.
class TwinMemory {
public:
  static Result<std::unique_ptr<TwinMemory>> create();
  ~TwinMemory();

  /// A buffer of `bytes` bytes, 0 allowed, aligned to 256. It ends right before
  /// an unmapped page but for what alignment costs. Bytes take memory when they
  /// are touched. Of inputs all bytes count as initialised, of others none.
  Result<void *> allocate(size_t bytes, BufferUse use, std::string name);

  /// `buffer` comes from allocate().
  void release(void *buffer);

  /// Says that the host wrote these bytes, which lie in one buffer.
  void markInitialised(void *address, size_t bytes);

private:
  friend class TwinModule;
  class State;
  explicit TwinMemory(std::unique_ptr<State> state);

  std::unique_ptr<State> state;
};

/// A loaded library of kernels.
class TwinModule {
public:
  /// `path` holds text compiled with twinCompileOptions(). A library that
  /// cannot be loaded, or of another version, is invalid input.
  static Result<std::unique_ptr<TwinModule>> load(const std::string &path);
  ~TwinModule();

  /// Whether the library was compiled with observation.
  bool observed() const;

  /// Runs the launches as one stream-ordered sequence. Findings are a result,
  /// not an error; one after which a thread cannot go on ends the run, and
  /// outputs are then incomplete. Errors are unknown kernels, launches beyond
  /// the limits, and checks of a library without observation.
  Result<std::vector<TwinFinding>>
  run(const std::vector<TwinKernelLaunch> &launches, TwinMemory &memory,
      const TwinOptions &options);

private:
  class State;
  explicit TwinModule(std::unique_ptr<State> state);

  std::unique_ptr<State> state;
};

/// The options with which g++ or clang++ turns emitted text, in a file of any
/// name, into an object file (-c, and -o left to the caller). Linking is
/// `-shared` without any of these, so that no sanitizer runtime comes in.
std::vector<std::string> twinCompileOptions(bool checks);

} // namespace fuse::rt

#endif // FUSE_RUNTIME_TWIN_H
