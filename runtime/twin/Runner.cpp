//===- Runner.cpp - runs the blocks of a launch ---------------------------===//

#include "Runner.h"

#include "Api.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

using namespace fuse::rt;
using namespace fuse::rt::twin;

constexpr size_t arenaAlignment = 1024;

/// How often all threads may poll flags and do nothing else before they count
/// as stuck. Where other workers may set the flags, they get more time.
constexpr unsigned maxIdleTurns = 10000, maxIdleTurnsOfWorkers = 10000000;

//===----------------------------------------------------------------------===//
// Set-up
//===----------------------------------------------------------------------===//

Status Runner::create(unsigned count, size_t sharedBytes) {
  Status created = stacks.create(count);
  if (created.ok())
    created = checker.create(sharedBytes);
  if (!created.ok())
    return created;
  threads = std::vector<Thread>(count);
  for (unsigned i = 0; i < count; ++i) {
    threads[i].runner = this;
    threads[i].index = static_cast<uint16_t>(i);
    stacks.top(i).thread = &threads[i];
    stacks.top(i).abi.api = twinApi();
  }
  // Unmapped pages on both sides; the end is as close to one as alignment lets.
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t usable = (sharedBytes + page) / page * page;
  arenaMappedBytes = usable + 2 * page;
  arenaMapping = mmap(nullptr, arenaMappedBytes, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (arenaMapping == MAP_FAILED) {
    arenaMapping = nullptr;
    return Status::resource("out of memory for shared memory");
  }
  if (mprotect(static_cast<char *>(arenaMapping) + page, usable,
               PROT_READ | PROT_WRITE) != 0)
    return Status::resource("out of memory for shared memory");
  return Status();
}

Runner::~Runner() {
  if (arenaMapping)
    munmap(arenaMapping, arenaMappedBytes);
}

void Runner::startLaunch(const Launch &next) {
  launch = next;
  const TwinKernelLaunch &description = *next.description;
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t rounded = (description.sharedBytes + arenaAlignment - 1) /
                         arenaAlignment * arenaAlignment;
  arena = static_cast<char *>(arenaMapping) + arenaMappedBytes - page - rounded;
  threadCount = description.blockThreads;
  checker.setPlace(description, 0, arena);
  if (run.options.checks)
    checker.startLaunch();
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

void Runner::runBlock(int64_t index) {
  block = index;
  done = atBarrier = idleTurns = turnWarp = 0;
  randomState =
      run.options.seed * 0x9e3779b97f4a7c15u + static_cast<uint64_t>(index);
  for (NamedBarrier &barrier : named)
    barrier.arrived.clear();
  for (auto &pending : collectives)
    pending.clear();
  present = {};
  // Not a number, whatever type it is read as.
  std::memset(arena, 0xff, launch.description->sharedBytes);
  checker.setPlace(*launch.description, index, arena);
  if (run.options.checks)
    checker.startBlock();
  for (unsigned i = 0; i < threadCount; ++i) {
    Thread &thread = threads[i];
    thread.state = ThreadState::Ready;
    present[i / warpLanes] |= thread.laneBit();
    thread.sawProducers = thread.spins = false;
    thread.copyGroup = 0;
    thread.copies.clear();
    FuseTwinThread &abi = stacks.top(i).abi;
    abi.blockIndex = index;
    abi.threadIndex = static_cast<int>(i);
    abi.blockThreads = static_cast<int>(threadCount);
    abi.sharedArena = reinterpret_cast<unsigned char *>(arena);
    thread.fiber.prepare(stacks.bottom(i), &stacks.top(i), enter);
  }
  runThreads();
}

void Runner::enter(boost::context::detail::transfer_t from) {
  Thread &self = *static_cast<Thread *>(from.data);
  Runner &runner = *self.runner;
  Fiber::entered(runner.scheduler, from);
  runner.launch.entry(
      const_cast<void **>(runner.launch.description->arguments.data()));
  runner.finish(self);
  Fiber::leave(runner.scheduler);
}

void Runner::resume(Thread &thread) {
  current = &thread;
  thread.spins = false;
  thread.fiber.resume(scheduler, &thread);
  current = nullptr;
}

void Runner::suspend(Thread &self, ThreadState state, Site site) {
  self.state = state;
  self.site = site;
  self.fiber.suspend(scheduler);
}

void Runner::abandon() {
  run.reporter.stop();
  Fiber::leave(scheduler);
}

void Runner::finish(Thread &self) {
  self.state = ThreadState::Done;
  present[self.index / warpLanes] &= ~self.laneBit();
  ++done;
  const std::string returned = threadName(self.index) + " has returned";
  if (atBarrier)
    fatal(FindingKind::DivergentBarrier,
          threadName(firstAtBarrier) + " waits at the barrier at " +
              firstPlace + ", but " + returned,
          {threads[firstAtBarrier].site.pc});
  for (const Collective &pending : collectives[self.index / warpLanes])
    if (pending.mask & self.laneBit())
      fatal(FindingKind::WarpCollective,
            threadName(pending.first) + " waits in the collective at " +
                firstPlace + ", whose mask names lane " +
                std::to_string(self.lane()) + ", but " + returned,
            {pending.site.pc});
}

void Runner::runThreads() {
  const unsigned idleLimit =
      run.options.workers > 1 ? maxIdleTurnsOfWorkers : maxIdleTurns;
  std::vector<uint16_t> turn;
  while (done < threadCount && !run.reporter.mustStop()) {
    collectReady(turn);
    if (turn.empty())
      return reportStall();
    bool progress = false;
    flagsChanged = false;
    for (uint16_t index : turn) {
      resume(threads[index]);
      progress |= !threads[index].spins || flagsChanged;
      if (run.reporter.mustStop())
        return;
    }
    idleTurns = progress ? 0 : idleTurns + 1;
    if (idleTurns > idleLimit)
      return reportStuck();
    if (idleTurns && run.options.workers > 1)
      std::this_thread::yield();
  }
}

uint64_t Runner::random() { // SplitMix64
  uint64_t z = randomState += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

/// The threads to run next, in order: all that can, or those of one warp.
void Runner::collectReady(std::vector<uint16_t> &turn) {
  turn.clear();
  auto take = [&](unsigned begin, unsigned end) {
    for (unsigned i = begin; i < end; ++i)
      if (threads[i].state == ThreadState::Ready)
        turn.push_back(static_cast<uint16_t>(i));
  };
  switch (run.options.schedule) {
  case TwinSchedule::InOrder:
    return take(0, threadCount);
  case TwinSchedule::Reversed:
    take(0, threadCount);
    return std::reverse(turn.begin(), turn.end());
  case TwinSchedule::Random:
    take(0, threadCount);
    for (size_t i = turn.size(); i > 1; --i)
      std::swap(turn[i - 1], turn[random() % i]);
    return;
  case TwinSchedule::OneWarpFirst:
    const unsigned warps = (threadCount + warpLanes - 1) / warpLanes;
    for (unsigned tried = 0; tried < warps && turn.empty(); ++tried) {
      if (tried)
        turnWarp = (turnWarp + 1) % warps;
      take(turnWarp * warpLanes,
           std::min(threadCount, (turnWarp + 1) * warpLanes));
    }
    return;
  }
}

//===----------------------------------------------------------------------===//
// Findings
//===----------------------------------------------------------------------===//

std::string Runner::threadName(unsigned thread) const {
  return "thread " + std::to_string(thread) + " of block " +
         std::to_string(block);
}

void Runner::report(FindingKind kind, std::string text,
                    const std::vector<uint32_t> &pcs) {
  std::vector<Place> places;
  places.reserve(pcs.size());
  for (uint32_t pc : pcs)
    places.push_back({run.library.get(), pc});
  run.reporter.add(kind, launch.description->kernel, std::move(text),
                   std::move(places));
}

void Runner::fatal(FindingKind kind, std::string text,
                   const std::vector<uint32_t> &pcs) {
  report(kind, std::move(text), pcs);
  run.reporter.stop();
}

void Runner::checkOutcome(bool complete) {
  const std::string &kernel = launch.description->kernel;
  checker.checkCanaries(kernel);
  if (complete && run.options.checks)
    checker.checkOutputs(kernel);
}

void Runner::reportFault(int signal, const void *address, const void *pc) {
  const unsigned self = current->index;
  // A fault's program counter is the instruction itself, not the one after it.
  const uint32_t after = relative(pc) + 1;
  const std::string at = std::string(" at ") + firstPlace;
  if (signal == SIGFPE)
    return report(FindingKind::Fault,
                  threadName(self) + " divides integers by zero" + at, {after});
  if (stacks.isGuard(self, address))
    return report(FindingKind::StackOverflow,
                  threadName(self) + " needs more stack than " +
                      std::to_string(FUSE_TWIN_STACK_BYTES) + " bytes" + at,
                  {after});
  report(FindingKind::OutOfBounds,
         threadName(self) + " accesses " + checker.describe(address) + at,
         {after});
}

void Runner::reportStall() {
  if (!reportStalledBarrier() && !reportStalledCollective())
    reportStalledNamedBarrier();
  run.reporter.stop();
}

bool Runner::reportStalledBarrier() {
  if (!atBarrier)
    return false;
  for (unsigned i = 0; i < threadCount; ++i)
    if (threads[i].state != ThreadState::AtBarrier) {
      report(FindingKind::DivergentBarrier,
             threadName(firstAtBarrier) + " waits at the barrier at " +
                 firstPlace + ", but " + threadName(i) + " waits at " +
                 secondPlace,
             {threads[firstAtBarrier].site.pc, threads[i].site.pc});
      return true;
    }
  return false;
}

bool Runner::reportStalledCollective() {
  for (unsigned warp = 0; warp < collectives.size(); ++warp)
    for (const Collective &pending : collectives[warp]) {
      const uint32_t missing = pending.mask & ~pending.arrived;
      const unsigned other =
          warp * warpLanes + static_cast<unsigned>(__builtin_ctz(missing));
      report(FindingKind::WarpCollective,
             threadName(pending.first) + " waits in the collective at " +
                 firstPlace + " for " + threadName(other) +
                 ", which waits at " + secondPlace,
             {pending.site.pc, threads[other].site.pc});
      return true;
    }
  return false;
}

void Runner::reportStalledNamedBarrier() {
  for (unsigned id = 0; id < named.size(); ++id)
    if (!named[id].arrived.empty())
      report(FindingKind::DivergentBarrier,
             threadName(named[id].arrived.front()) +
                 " waits at the named barrier " + std::to_string(id) + " at " +
                 firstPlace + ", which " +
                 std::to_string(named[id].arrived.size()) + " of " +
                 std::to_string(named[id].threads) + " threads reach",
             {named[id].site.pc});
}

void Runner::reportStuck() {
  for (unsigned i = 0; i < threadCount; ++i)
    if (threads[i].spins) {
      report(FindingKind::Stuck,
             threadName(i) + " waits at " + firstPlace +
                 " for a flag that no thread of its block sets, and blocks "
                 "run one after another here",
             {threads[i].site.pc});
      break;
    }
  run.reporter.stop();
}
