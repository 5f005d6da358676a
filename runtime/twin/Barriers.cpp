//===- Barriers.cpp - barriers of blocks, and named ones ------------------===//

#include "Runner.h"
#include "Symbolizer.h"

#include <algorithm>

using namespace fuse::rt;
using namespace fuse::rt::twin;

/// Compilers duplicate calls, so different program counters may be one call.
bool Runner::sameSite(Site a, Site b) {
  return a.line == b.line && (a.pc == b.pc || sameLine(a.pc, b.pc));
}

bool Runner::sameLine(uint32_t a, uint32_t b) {
  auto [known, isNew] = knownLines.emplace(std::minmax(a, b), false);
  if (isNew) {
    const std::vector<TwinLocation> lines = symbolize(*run.library, {a, b});
    known->second =
        lines[0].line == lines[1].line && lines[0].file == lines[1].file;
  }
  return known->second;
}

void Runner::barrier(Thread &self, Site site) {
  if (atBarrier) {
    const Site first = threads[firstAtBarrier].site;
    if (!sameSite(first, site))
      return fatal(FindingKind::DivergentBarrier,
                   threadName(self.index) + " reaches the barrier at " +
                       firstPlace + ", while " + threadName(firstAtBarrier) +
                       " waits at the one at " + secondPlace,
                   {site.pc, first.pc});
  } else {
    firstAtBarrier = self.index;
  }
  if (done) {
    unsigned gone = 0;
    while (threads[gone].state != ThreadState::Done)
      ++gone;
    return fatal(FindingKind::DivergentBarrier,
                 threadName(self.index) + " waits at the barrier at " +
                     firstPlace + ", but " + threadName(gone) + " has returned",
                 {site.pc});
  }
  if (++atBarrier == threadCount)
    return completeBarrier();
  suspend(self, ThreadState::AtBarrier, site);
}

void Runner::completeBarrier() {
  atBarrier = 0;
  bool saw = false;
  for (unsigned i = 0; i < threadCount; ++i) {
    threads[i].state = ThreadState::Ready;
    saw |= threads[i].sawProducers;
  }
  for (unsigned i = 0; i < threadCount; ++i)
    threads[i].sawProducers = saw;
  if (run.options.checks)
    checker.order.joinAll();
}

void Runner::namedBarrier(Thread &self, int id, int count, Site site) {
  if (id < 1 || id >= static_cast<int>(namedBarriers) || count < 1 ||
      count % static_cast<int>(warpLanes) != 0)
    return fatal(FindingKind::InvalidUse,
                 "a named barrier at " + std::string(firstPlace) +
                     " expects an id of 1 .. 15 and a multiple of 32 threads, "
                     "but got id " +
                     std::to_string(id) + " and " + std::to_string(count) +
                     " threads",
                 {site.pc});
  NamedBarrier &barrier = named[static_cast<unsigned>(id)];
  if (barrier.arrived.empty()) {
    barrier.threads = count;
    barrier.site = site;
  } else if (barrier.threads != count) {
    return fatal(FindingKind::DivergentBarrier,
                 threadName(self.index) + " reaches named barrier " +
                     std::to_string(id) + " at " + firstPlace + " with " +
                     std::to_string(count) + " threads, and others with " +
                     std::to_string(barrier.threads) + " at " + secondPlace,
                 {site.pc, barrier.site.pc});
  }
  barrier.arrived.push_back(self.index);
  if (barrier.arrived.size() < static_cast<size_t>(count))
    return suspend(self, ThreadState::AtNamedBarrier, site);
  bool saw = false;
  for (uint16_t thread : barrier.arrived) {
    threads[thread].state = ThreadState::Ready;
    saw |= threads[thread].sawProducers;
  }
  for (uint16_t thread : barrier.arrived)
    threads[thread].sawProducers = saw;
  if (run.options.checks)
    checker.order.join(barrier.arrived);
  barrier.arrived.clear();
}
