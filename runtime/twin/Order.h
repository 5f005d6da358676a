//===- Order.h - what happens before what -----------------------*- C++ -*-===//
//
// A thread's run is cut into segments at each synchronisation. Time is a
// counter that every synchronisation advances; a segment is named by the time
// at which it began, an access by its thread and segment. Blocks run one after
// another, so times also tell launches and blocks apart, and a barrier of the
// block orders everything before it by one comparison. Only synchronisation of
// fewer threads needs a vector clock: a row for each thread with the latest
// segment of every other that it is ordered after.

#ifndef FUSE_RUNTIME_TWIN_ORDER_H
#define FUSE_RUNTIME_TWIN_ORDER_H

#include "Shadow.h"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace fuse::rt::twin {

class Order {
public:
  /// `clock` is the time of the global memory: it never goes back.
  explicit Order(uint32_t &clock) : now(clock) {}

  void startLaunch();
  void startBlock(unsigned threads);

  uint32_t launchStart() const { return startOfLaunch; }
  uint32_t blockStart() const { return startOfBlock; }
  /// The current segment of a thread.
  uint32_t segment(unsigned thread) const { return segments[thread]; }

  /// Whether what `thread` does now comes after `prior`.
  bool ordered(const Access &prior, unsigned thread) const {
    if (prior.time >= startOfBlock)
      return prior.time < startOfInterval || prior.thread == thread ||
             orderedInInterval(prior, thread);
    return prior.time < startOfLaunch || orderedAcrossBlocks(prior, thread);
  }

  /// A barrier of all threads.
  void joinAll();
  /// A barrier of these threads.
  void join(const std::vector<uint16_t> &threads);
  /// `thread` publishes all before it at `flag`; `continues` if it read and
  /// wrote the flag in one, so that what others published there stays.
  void release(unsigned thread, const void *flag, bool continues);
  /// `thread` comes after all that was published at `flag`.
  void acquire(unsigned thread, const void *flag);

private:
  /// What somebody knows of a block: all before `base`, and of single threads
  /// the segments up to the given ones.
  struct Known {
    uint32_t base = 0;
    std::map<uint16_t, uint32_t> threads;

    void merge(const Known &other);
  };
  /// By start of block.
  using Knowledge = std::map<uint32_t, Known>;

  bool orderedInInterval(const Access &prior, unsigned thread) const {
    return !seen.empty() &&
           prior.time <= seen[size_t(thread) * count + prior.thread];
  }
  bool orderedAcrossBlocks(const Access &prior, unsigned thread) const;
  static void merge(Knowledge &into, const Knowledge &from);
  uint32_t *row(unsigned thread) { return &seen[thread * count]; }
  void needRows();

  uint32_t &now;
  uint32_t startOfLaunch = 0;
  uint32_t startOfBlock = 0;
  uint32_t startOfInterval = 0;
  unsigned count = 0;
  std::vector<uint32_t> segments;
  /// Rows of `count` times. Old entries do no harm: they lie before the
  /// interval.
  std::vector<uint32_t> seen;
  std::vector<uint32_t> joined;
  /// Whether threads of several warps met in this interval.
  bool acrossWarps = false;
  std::unordered_map<const void *, Knowledge> flags;
  std::vector<Knowledge> foreign; ///< Of each thread; empty until it acquires.
  bool anyForeign = false;
};

} // namespace fuse::rt::twin

#endif // FUSE_RUNTIME_TWIN_ORDER_H
