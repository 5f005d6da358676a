//===- BlockRunner.h - one thread block in a test's own process -*- C++ -*-===//
//
// Runs code written over the device header as the threads of one block: fibers
// that take turns at barriers and shuffles. It checks nothing; the host twin
// does. Here a test can look at registers, and at any number of template
// instances without a compiler run for each.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TEST_TILE_BLOCKRUNNER_H
#define FUSE_TEST_TILE_BLOCKRUNNER_H

#include "fuse/runtime/TwinAbi.h"
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <ucontext.h>
#include <vector>

namespace fuse::test {

class BlockRunner {
public:
  explicit BlockRunner(int warps, size_t sharedBytes = 0)
      : threads(warps * 32), groups(warps + 1),
        shared(allocate(1024, sharedBytes + 1024)) {}

  /// Runs `body` as every thread of block `block`; true if all came to their
  /// end, false if some wait for others forever.
  bool run(const std::function<void()> &body, long block = 0) {
    active = this;
    kernel = &body;
    for (size_t i = 0; i < threads.size(); ++i)
      start(i, block);
    size_t finished = 0;
    for (bool moved = true; moved && finished < threads.size();) {
      moved = false;
      for (Thread &thread : threads) {
        if (thread.finished || !ready(thread))
          continue;
        current = &thread;
        swapcontext(&scheduler, &thread.context);
        moved = true;
        finished += thread.finished;
      }
    }
    return finished == threads.size();
  }

private:
  struct Free {
    void operator()(void *memory) const { std::free(memory); }
  };
  using Memory = std::unique_ptr<unsigned char, Free>;
  struct Thread {
    ucontext_t context;
    Memory stack;
    size_t group;       ///< the barrier it waits at: a warp's, or the block's
    unsigned long turn; ///< of that barrier
    bool waits, finished;
  };
  /// A barrier; one for each warp and one for the block.
  struct Group {
    size_t arrived = 0;
    unsigned long turn = 0;
    unsigned long value[32] = {};
  };

  static Memory allocate(size_t alignment, size_t bytes) {
    return Memory(static_cast<unsigned char *>(
        std::aligned_alloc(alignment, bytes / alignment * alignment)));
  }

  void start(size_t index, long block) {
    Thread &thread = threads[index];
    if (!thread.stack)
      thread.stack = allocate(FUSE_TWIN_STACK_BYTES, FUSE_TWIN_STACK_BYTES);
    thread.waits = thread.finished = false;
    FuseTwinThread self = {};
    self.api.declareShared = [](long, long, const char *) {};
    self.api.barrier = [](int) { active->arrive(active->threads.size() / 32); };
    self.api.shuffle = shuffle;
    self.api.copyAsync = [](void *to, const void *from, int bytes, int valid) {
      std::memset(to, 0, bytes);
      std::memcpy(to, from, valid);
    };
    self.api.copyCommit = [] {};
    self.api.copyWait = [](int) {};
    self.blockIndex = block;
    self.threadIndex = static_cast<int>(index);
    self.blockThreads = static_cast<int>(threads.size());
    self.sharedArena = shared.get();
    const size_t usable = FUSE_TWIN_STACK_BYTES - sizeof(self);
    std::memcpy(thread.stack.get() + usable, &self, sizeof(self));
    getcontext(&thread.context);
    thread.context.uc_stack.ss_sp = thread.stack.get();
    thread.context.uc_stack.ss_size = usable / 64 * 64;
    thread.context.uc_link = &scheduler;
    makecontext(
        &thread.context,
        [] {
          (*active->kernel)();
          active->current->finished = true;
        },
        0);
  }

  bool ready(const Thread &thread) const {
    return !thread.waits || groups[thread.group].turn != thread.turn;
  }

  /// Waits until all threads of the group came here.
  void arrive(size_t number) {
    Group &group = groups[number];
    const size_t members = number < groups.size() - 1 ? 32 : threads.size();
    if (++group.arrived == members) {
      group.arrived = 0;
      ++group.turn;
      return;
    }
    current->group = number;
    current->turn = group.turn;
    current->waits = true;
    swapcontext(&current->context, &scheduler);
    current->waits = false;
  }

  static unsigned long shuffle(int kind, unsigned long value, int operand,
                               unsigned, int) {
    const size_t index = active->current - active->threads.data();
    const int lane = static_cast<int>(index % 32);
    Group &group = active->groups[index / 32];
    group.value[lane] = value;
    active->arrive(index / 32);
    const int source = kind == FUSE_TWIN_SHUFFLE_INDEX ? operand
                       : kind == FUSE_TWIN_SHUFFLE_XOR ? lane ^ operand
                       : lane + operand < 32           ? lane + operand
                                                       : lane;
    const unsigned long result = group.value[source];
    active->arrive(index / 32);
    return result;
  }

  static inline BlockRunner *active = nullptr;

  std::vector<Thread> threads;
  std::vector<Group> groups;
  Memory shared;
  ucontext_t scheduler;
  Thread *current = nullptr;
  const std::function<void()> *kernel = nullptr;
};

} // namespace fuse::test

#endif // FUSE_TEST_TILE_BLOCKRUNNER_H
