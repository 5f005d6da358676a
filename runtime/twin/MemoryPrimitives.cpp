//===- MemoryPrimitives.cpp - accesses, copies, flags, launches -----------===//

#include "Runner.h"

#include <algorithm>
#include <cstring>

using namespace fuse::rt;
using namespace fuse::rt::twin;

void Runner::access(Thread &self, const void *address, size_t bytes, int kind,
                    const void *pc) {
  if (!run.options.checks)
    return;
  const AccessKind what{(kind & FUSE_TWIN_WRITE) != 0,
                        kind & FUSE_TWIN_ALIGNED ? bytes : 1, false};
  if (!checker.access(origin(self, relative(pc)), address, bytes, what))
    abandon();
}

void Runner::misaligned(Thread &self, const void *address, size_t bytes,
                        int kind, const void *pc) {
  checker.reportMisaligned(origin(self, relative(pc)), address, bytes,
                           (kind & FUSE_TWIN_WRITE) != 0, bytes);
}

void Runner::declareShared(Thread &self, long offset, long bytes,
                           const char *name, const void *pc) {
  if (run.options.checks &&
      !checker.declareShared(origin(self, relative(pc)), offset, bytes, name))
    abandon();
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

void Runner::copyAsync(Thread &self, const AsyncCopy &copy) {
  if (copy.validBytes > copy.bytes)
    return fatal(FindingKind::InvalidUse,
                 "an asynchronous copy at " + std::string(firstPlace) +
                     " expects 0 .. " + std::to_string(copy.bytes) +
                     " valid bytes, but got " +
                     std::to_string(static_cast<int>(copy.validBytes)),
                 {copy.pc});
  if (run.options.checks &&
      !checker.copyIssued(origin(self, copy.pc), copy.shared, copy.bytes,
                          copy.global, copy.validBytes))
    abandon();
  self.copies.push_back(copy);
  self.copies.back().group = self.copyGroup;
  if (run.options.asyncCopies == AsyncCopies::Eager)
    finishCopy(self, copy);
}

void Runner::finishCopy(Thread &, const AsyncCopy &copy) {
  std::memcpy(copy.shared, copy.global, copy.validBytes);
  std::memset(copy.shared + copy.validBytes, 0, copy.bytes - copy.validBytes);
}

void Runner::copyWait(Thread &self, int pendingGroups) {
  // Those of group copyGroup are not committed, and no wait includes them.
  auto under = std::find_if(
      self.copies.begin(), self.copies.end(), [&](const AsyncCopy &copy) {
        return copy.group + static_cast<unsigned>(pendingGroups) >=
               self.copyGroup;
      });
  for (auto copy = self.copies.begin(); copy != under; ++copy) {
    if (run.options.asyncCopies == AsyncCopies::Late)
      finishCopy(self, *copy);
    if (run.options.checks)
      checker.copyDone(origin(self, copy->pc), copy->shared, copy->bytes,
                       copy->global, copy->validBytes);
  }
  self.copies.erase(self.copies.begin(), under);
}

//===----------------------------------------------------------------------===//
// Launches and flags
//===----------------------------------------------------------------------===//

void Runner::waitForProducers(Thread &self) { self.sawProducers = true; }

template <class T>
static uint64_t perform(int operation, void *address, uint64_t value) {
  auto *word = static_cast<T *>(address);
  const T operand = static_cast<T>(value);
  switch (operation) {
  case FUSE_TWIN_ADD_RELAXED:
    return __atomic_fetch_add(word, operand, __ATOMIC_RELAXED);
  case FUSE_TWIN_ADD_ACQ_REL:
    return __atomic_fetch_add(word, operand, __ATOMIC_ACQ_REL);
  case FUSE_TWIN_LOAD_ACQUIRE:
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
  default:
    __atomic_store_n(word, operand, __ATOMIC_RELEASE);
    return 0;
  }
}

uint64_t Runner::atomic(Thread &self, int operation, void *address,
                        uint64_t value, unsigned bytes, const void *pc) {
  const bool loads = operation != FUSE_TWIN_STORE_RELEASE;
  const bool stores = operation != FUSE_TWIN_LOAD_ACQUIRE;
  const bool orders = operation != FUSE_TWIN_ADD_RELAXED;
  // Who polls lets others run, or the flag would never change.
  if (!stores) {
    self.spins = true;
    suspend(self, ThreadState::Ready, {0, relative(pc)});
  }
  flagsChanged |= stores;
  if (run.options.checks) {
    const Origin from = origin(self, relative(pc));
    if ((loads &&
         !checker.access(from, address, bytes, {false, bytes, true})) ||
        (stores && !checker.access(from, address, bytes, {true, bytes, true})))
      abandon();
    if (orders && loads)
      checker.order.acquire(self.index, address);
    if (orders && stores)
      checker.order.release(self.index, address, loads);
  }
  return bytes == 4 ? perform<uint32_t>(operation, address, value)
                    : perform<uint64_t>(operation, address, value);
}
