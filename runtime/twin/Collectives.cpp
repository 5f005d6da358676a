//===- Collectives.cpp - what the lanes of a warp do together -------------===//

#include "Mma.h"
#include "Runner.h"

using namespace fuse::rt;
using namespace fuse::rt::twin;

static std::string hexMask(uint32_t mask) {
  constexpr const char *digits = "0123456789abcdef";
  std::string text = "0x";
  for (int shift = 28; shift >= 0; shift -= 4)
    text += digits[mask >> shift & 15];
  return text;
}

static unsigned lowestLane(uint32_t mask) {
  return static_cast<unsigned>(__builtin_ctz(mask));
}

/// Whether all lanes of the mask are there, and not gone.
bool Runner::lanesExist(Thread &self, uint32_t mask, Site site) {
  const unsigned warp = self.index / warpLanes;
  const uint32_t missing = mask & ~present[warp];
  if (!missing)
    return true;
  const unsigned lane = lowestLane(missing);
  const bool exists = warp * warpLanes + lane < threadCount;
  fatal(FindingKind::WarpCollective,
        threadName(self.index) + " reaches the collective at " + firstPlace +
            ", whose mask " + hexMask(mask) + " names lane " +
            std::to_string(lane) +
            (exists ? ", which has returned" : ", where there is no thread"),
        {site.pc});
  return false;
}

/// Whether `self` may take part; `joined` is null if it is the first to come.
bool Runner::mayJoin(Thread &self, CollectiveKind kind, uint32_t mask,
                     Site site, Collective *&joined) {
  joined = nullptr;
  if (!(mask & self.laneBit())) {
    fatal(FindingKind::WarpCollective,
          threadName(self.index) + " reaches the collective at " + firstPlace +
              ", but its lane " + std::to_string(self.lane()) +
              " is not in the mask " + hexMask(mask),
          {site.pc});
    return false;
  }
  if (!lanesExist(self, mask, site))
    return false;
  for (Collective &pending : collectives[self.index / warpLanes]) {
    if (!(pending.mask & self.laneBit()))
      continue;
    joined = &pending;
    if (pending.mask == mask && pending.kind == kind &&
        sameSite(pending.site, site))
      return true;
    fatal(FindingKind::WarpCollective,
          threadName(self.index) + " reaches the collective at " + firstPlace +
              " with mask " + hexMask(mask) + ", while " +
              threadName(pending.first) + " waits for it at " + secondPlace +
              " with mask " + hexMask(pending.mask),
          {site.pc, pending.site.pc});
    return false;
  }
  return true;
}

uint64_t Runner::collective(Thread &self, CollectiveKind kind, uint32_t mask,
                            const LaneInput &input, Site site) {
  auto &pending = collectives[self.index / warpLanes];
  Collective *joined;
  if (!mayJoin(self, kind, mask, site, joined))
    return 0;
  if (!joined) {
    pending.push_back({kind, mask, 0, site, self.index, {}});
    joined = &pending.back();
  }
  joined->lanes[self.lane()] = input;
  joined->arrived |= self.laneBit();
  self.site = site;
  if (joined->arrived == mask)
    complete(self.index / warpLanes,
             static_cast<size_t>(joined - pending.data()));
  else
    suspend(self, ThreadState::InCollective, site);
  return self.result;
}

/// The value that a lane gets.
uint64_t Runner::shuffled(const Collective &collective, unsigned warp,
                          unsigned lane) {
  const int operand = collective.lanes[lane].operand;
  unsigned source = lane;
  if (collective.kind == CollectiveKind::ShuffleIndex)
    source = static_cast<unsigned>(operand) % warpLanes;
  else if (collective.kind == CollectiveKind::ShuffleXor)
    source = (lane ^ static_cast<unsigned>(operand)) % warpLanes;
  else if (lane + static_cast<unsigned>(operand) < warpLanes)
    source = lane + static_cast<unsigned>(operand);
  if (collective.mask >> source & 1)
    return collective.lanes[source].value;
  const unsigned thread = warp * warpLanes + lane;
  report(FindingKind::WarpCollective,
         threadName(thread) + " reads from lane " + std::to_string(source) +
             " in the shuffle at " + firstPlace +
             ", but that is not in the mask " + hexMask(collective.mask),
         {threads[thread].site.pc});
  return ~uint64_t(0);
}

/// All lanes of the mask are there.
void Runner::complete(unsigned warp, size_t index) {
  const Collective finished = collectives[warp][index];
  collectives[warp].erase(collectives[warp].begin() +
                          static_cast<std::ptrdiff_t>(index));
  uint32_t ballot = 0;
  if (finished.kind == CollectiveKind::Ballot)
    for (uint32_t rest = finished.mask; rest; rest &= rest - 1)
      if (finished.lanes[lowestLane(rest)].value)
        ballot |= rest & -rest;
  if (finished.kind >= CollectiveKind::MmaF16)
    multiplyAdd(finished);
  std::vector<uint16_t> members;
  bool saw = false;
  for (uint32_t rest = finished.mask; rest; rest &= rest - 1) {
    const unsigned lane = lowestLane(rest);
    Thread &thread = threads[warp * warpLanes + lane];
    thread.state = ThreadState::Ready;
    if (finished.kind == CollectiveKind::Ballot)
      thread.result = ballot;
    else if (finished.kind != CollectiveKind::Barrier &&
             finished.kind < CollectiveKind::MmaF16)
      thread.result = shuffled(finished, warp, lane);
    members.push_back(thread.index);
    saw |= thread.sawProducers;
  }
  // Only this one orders memory; the others exchange values of registers.
  if (finished.kind != CollectiveKind::Barrier)
    return;
  for (uint16_t member : members)
    threads[member].sawProducers = saw;
  if (run.options.checks)
    checker.order.join(members);
}
