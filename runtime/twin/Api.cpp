//===- Api.cpp - the table of functions that kernels call -----------------===//

#include "Api.h"

#include "Approximate.h"
#include "Runner.h"

using namespace fuse::rt::twin;

/// Where the kernel called the function of the table that says this.
#define FUSE_CALLER __builtin_return_address(0)

static Site siteOf(Thread &self, int line, const void *pc) {
  return {line, self.runner->relative(pc)};
}

static void access(const void *address, unsigned long bytes, int kind,
                   const void *pc) {
  Thread &self = currentThread();
  self.runner->access(self, address, bytes, kind, pc);
}

static void misaligned(const void *address, unsigned long bytes, int kind) {
  Thread &self = currentThread();
  self.runner->misaligned(self, address, bytes, kind, FUSE_CALLER);
  self.runner->abandon();
}

static void declareShared(long offset, long bytes, const char *name) {
  Thread &self = currentThread();
  self.runner->declareShared(self, offset, bytes, name, FUSE_CALLER);
}

static void barrier(int line) {
  Thread &self = currentThread();
  self.runner->barrier(self, siteOf(self, line, FUSE_CALLER));
  self.runner->leaveIfOver();
}

static void namedBarrier(int id, int threads, int line) {
  Thread &self = currentThread();
  self.runner->namedBarrier(self, id, threads, siteOf(self, line, FUSE_CALLER));
  self.runner->leaveIfOver();
}

static uint64_t collective(Thread &self, CollectiveKind kind, unsigned mask,
                           const LaneInput &input, Site site) {
  const uint64_t result =
      self.runner->collective(self, kind, mask, input, site);
  self.runner->leaveIfOver();
  return result;
}

static void warpBarrier(unsigned mask, int line) {
  Thread &self = currentThread();
  collective(self, CollectiveKind::Barrier, mask, {},
             siteOf(self, line, FUSE_CALLER));
}

static unsigned long shuffle(int kind, unsigned long value, int operand,
                             unsigned mask, int line) {
  Thread &self = currentThread();
  const CollectiveKind what =
      kind == FUSE_TWIN_SHUFFLE_INDEX ? CollectiveKind::ShuffleIndex
      : kind == FUSE_TWIN_SHUFFLE_XOR ? CollectiveKind::ShuffleXor
                                      : CollectiveKind::ShuffleDown;
  return collective(self, what, mask, {value, operand, {}},
                    siteOf(self, line, FUSE_CALLER));
}

static unsigned ballot(int predicate, unsigned mask, int line) {
  Thread &self = currentThread();
  return static_cast<unsigned>(collective(self, CollectiveKind::Ballot, mask,
                                          {predicate != 0, 0, {}},
                                          siteOf(self, line, FUSE_CALLER)));
}

static void mmaSync(int element, float *accumulator, const unsigned *a,
                    const unsigned *b, int line) {
  Thread &self = currentThread();
  const CollectiveKind kind = element == FUSE_TWIN_F16 ? CollectiveKind::MmaF16
                              : element == FUSE_TWIN_BF16
                                  ? CollectiveKind::MmaBf16
                                  : CollectiveKind::MmaTf32;
  collective(self, kind, ~0u, {0, 0, {accumulator, a, b}},
             siteOf(self, line, FUSE_CALLER));
}

static void copyAsync(void *shared, const void *global, int bytes,
                      int validBytes) {
  Thread &self = currentThread();
  self.runner->copyAsync(
      self, {static_cast<char *>(shared), static_cast<const char *>(global),
             static_cast<unsigned>(bytes), static_cast<unsigned>(validBytes),
             self.runner->relative(FUSE_CALLER), 0});
  self.runner->leaveIfOver();
}

static void copyCommit() { ++currentThread().copyGroup; }

static void copyWait(int pendingGroups) {
  Thread &self = currentThread();
  self.runner->copyWait(self, pendingGroups);
}

static void waitForProducers() {
  Thread &self = currentThread();
  self.runner->waitForProducers(self);
}

// Launches are complete before the next one starts here, whatever it says.
static void releaseDependents() {}

static unsigned long atomic(int operation, void *address, unsigned long value,
                            int bytes) {
  Thread &self = currentThread();
  return self.runner->atomic(self, operation, address, value,
                             static_cast<unsigned>(bytes), FUSE_CALLER);
}

static float ex2Approx(float x) {
  return approximateExp2(x, currentThread().runner->seed());
}

static float rsqrtApprox(float x) {
  return approximateRsqrt(x, currentThread().runner->seed());
}

constexpr FuseTwinApi api = {
    access,      misaligned,  declareShared,    barrier,           namedBarrier,
    warpBarrier, shuffle,     ballot,           mmaSync,           copyAsync,
    copyCommit,  copyWait,    waitForProducers, releaseDependents, atomic,
    ex2Approx,   rsqrtApprox,
};

const FuseTwinApi &fuse::rt::twin::twinApi() { return api; }
