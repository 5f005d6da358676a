//===- MemoryChecker.h - judges each memory access --------------*- C++ -*-===//

#ifndef FUSE_RUNTIME_TWIN_MEMORYCHECKER_H
#define FUSE_RUNTIME_TWIN_MEMORYCHECKER_H

#include "GlobalMemory.h"
#include "Order.h"
#include "Reporter.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fuse::rt::twin {

/// Who makes an access, and where.
struct Origin {
  uint16_t thread;
  uint32_t pc;       ///< Relative to the library.
  bool sawProducers; ///< Launches before this one are complete to this thread.
};

/// What an access does. Reads and writes in one are two calls.
struct AccessKind {
  bool writes = false;
  size_t alignment = 1; ///< A power of two. Less is a finding.
  bool atomic = false;
};

/// The shadow of shared memory and of the buffers, and the rules on both.
/// Checks return false where the access would fault, so that the thread cannot
/// go on.
class MemoryChecker {
public:
  MemoryChecker(GlobalMemory &memory, std::shared_ptr<const Library> library,
                Reporter &reporter)
      : order(memory.clock), memory(memory), library(std::move(library)),
        reporter(reporter) {}

  /// Room for shared memory of at most `bytes` bytes. Called once.
  Status create(size_t bytes);

  /// What is running, for findings; also of runs without checks.
  void setPlace(const TwinKernelLaunch &ofLaunch, int64_t ofBlock,
                char *ofArena) {
    launch = &ofLaunch;
    block = ofBlock;
    arena = ofArena;
  }
  void startLaunch();
  void startBlock();

  bool access(const Origin &origin, const void *address, size_t bytes,
              const AccessKind &kind);

  /// Says that an address is no multiple of `alignment`.
  void reportMisaligned(const Origin &origin, const void *address, size_t bytes,
                        bool writes, size_t alignment);

  /// Names a piece of shared memory. False if it does not lie in it.
  bool declareShared(const Origin &origin, long offset, long bytes,
                     const char *name);

  /// An asynchronous copy starts: the source is read, and the destination is
  /// nobody's until the copy is waited for.
  bool copyIssued(const Origin &origin, const void *shared, size_t bytes,
                  const void *global, size_t validBytes);
  /// It has been waited for by its thread; `origin.pc` is where it was issued.
  void copyDone(const Origin &origin, const void *shared, size_t bytes,
                const void *global, size_t validBytes);

  /// Reports bytes of outputs that nobody wrote.
  void checkOutputs(const std::string &kernel);
  /// Reports buffers whose surroundings were overwritten.
  void checkCanaries(const std::string &kernel);

  /// "byte 12 of buffer 'y'", for any address.
  std::string describe(const void *address) const;

  Order order;

private:
  /// The first fault of an access; an access has one finding at most.
  struct Conflict {
    bool found = false;
    FindingKind kind = FindingKind::Race;
    Access prior = {};
    bool priorWrites = false;
    size_t offset = 0; ///< In its region.
  };
  struct Piece {
    size_t begin, end;
    std::string name;
  };

  bool accessShared(const Origin &origin, size_t offset, size_t bytes,
                    const AccessKind &kind, uint16_t flags);
  bool accessBuffer(const Origin &origin, Buffer &buffer, const char *address,
                    size_t bytes, const AccessKind &kind, uint16_t flags);
  void readCell(const Origin &origin, const Access &write, Access *reads,
                uint16_t flags, Conflict &conflict, size_t offset);
  void writeCell(const Origin &origin, Access &write, Access *reads,
                 uint16_t flags, bool once, Conflict &conflict, size_t offset);
  void noteRead(Access *reads, const Access &read, unsigned thread) const;
  bool producersSeen(const Origin &origin, const Access &write) const;

  bool outOfBounds(const Origin &origin, const void *address, size_t bytes,
                   bool writes);
  void reportConflict(const Origin &origin, const Conflict &conflict,
                      size_t bytes, bool writes, const std::string &where);
  void add(FindingKind kind, const Origin &origin, std::string text);
  std::string actor(unsigned thread, int64_t block) const;
  std::string describePrior(const Access &prior) const;
  std::string describeShared(size_t offset) const;
  void outOfMemory();

  GlobalMemory &memory;
  std::shared_ptr<const Library> library;
  Reporter &reporter;
  Shadow sharedShadow;
  std::vector<Piece> pieces;
  /// For each byte of shared memory whether a piece holds it; empty if there
  /// are no pieces.
  std::vector<bool> inPiece;
  char *arena = nullptr;
  const TwinKernelLaunch *launch = nullptr;
  uint32_t startOfRun = 0;
  int64_t block = 0;
  struct StartedBlock {
    uint32_t start;
    int64_t block;
  };
  std::vector<StartedBlock> startedBlocks; ///< Of this launch.
};

} // namespace fuse::rt::twin

#endif // FUSE_RUNTIME_TWIN_MEMORYCHECKER_H
