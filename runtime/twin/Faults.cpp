//===- Faults.cpp - faults of the processor as findings -------------------===//
//
// A handler of signals has no argument of ours, and there is one for the whole
// process: this file alone keeps state outside of objects. The handler is there
// while a guard is, and each guard is found by the stack that the handler runs
// on, which belongs to one thread.

#include "Faults.h"

#include <array>
#include <atomic>
#include <mutex>
#include <ucontext.h>

using namespace fuse::rt;
using namespace fuse::rt::twin;

constexpr std::array<int, 3> signals = {SIGSEGV, SIGBUS, SIGFPE};
constexpr size_t maxGuards = 256;

namespace {
struct Registry {
  std::mutex mutex;
  unsigned users = 0;
  std::array<struct sigaction, signals.size()> previous = {};
  std::array<std::atomic<FaultGuard *>, maxGuards> guards = {};
};
} // namespace

namespace {
Registry registry;
} // namespace

/// On the stack of the thread that faulted, which it will not go back to.
static void leaveFaulted(int signal, const void *address, const void *pc) {
  Runner &runner = *currentThread().runner;
  runner.reportFault(signal, address, pc);
  runner.abandon();
}

static const void *faultingInstruction(const ucontext_t &context) {
#if defined(__x86_64__)
  return reinterpret_cast<const void *>(context.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return reinterpret_cast<const void *>(context.uc_mcontext.pc);
#else
#error "expects x86-64 or 64-bit Arm, the hosts of CUDA"
#endif
}

/// Makes the return from the handler a call of leaveFaulted at the upper end of
/// the thread's stack, since there may be no room left at the lower one.
static void redirect(ucontext_t &context, int signal, const void *address,
                     uintptr_t stackTop) {
  const void *pc = faultingInstruction(context);
  const auto target = reinterpret_cast<uintptr_t>(&leaveFaulted);
  const uintptr_t aligned = stackTop & ~uintptr_t(63);
#if defined(__x86_64__)
  auto *registers = context.uc_mcontext.gregs;
  registers[REG_RDI] = signal;
  registers[REG_RSI] = reinterpret_cast<greg_t>(address);
  registers[REG_RDX] = reinterpret_cast<greg_t>(pc);
  registers[REG_RSP] = static_cast<greg_t>(aligned - 8); // As after a call.
  registers[REG_RIP] = static_cast<greg_t>(target);
#elif defined(__aarch64__)
  mcontext_t &registers = context.uc_mcontext;
  registers.regs[0] = static_cast<uint64_t>(signal);
  registers.regs[1] = reinterpret_cast<uint64_t>(address);
  registers.regs[2] = reinterpret_cast<uint64_t>(pc);
  registers.sp = aligned;
  registers.pc = target;
#endif
}

static void passOn(int signal, siginfo_t *info, void *context) {
  for (size_t i = 0; i < signals.size(); ++i) {
    if (signals[i] != signal)
      continue;
    const struct sigaction &previous = registry.previous[i];
    if (previous.sa_flags & SA_SIGINFO)
      previous.sa_sigaction(signal, info, context);
    else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN)
      previous.sa_handler(signal);
    else // The instruction faults again, and then nobody is in the way.
      sigaction(signal, &previous, nullptr);
  }
}

static void handle(int signal, siginfo_t *info, void *context) {
  const void *here = __builtin_frame_address(0);
  for (std::atomic<FaultGuard *> &slot : registry.guards) {
    FaultGuard *guard = slot.load(std::memory_order_acquire);
    if (!guard || !guard->handlesOn(here))
      continue;
    if (!guard->runner.running())
      break;
    redirect(*static_cast<ucontext_t *>(context), signal, info->si_addr,
             guard->runner.stackEnd());
    return;
  }
  passOn(signal, info, context);
}

FaultGuard::FaultGuard(Runner &runner) : runner(runner) {}

Status FaultGuard::install() {
  stack = std::make_unique<char[]>(stackBytes);
  const std::lock_guard<std::mutex> lock(registry.mutex);
  auto *free = registry.guards.begin();
  while (free != registry.guards.end() && free->load())
    ++free;
  if (free == registry.guards.end())
    return Status::resource("expects at most " + std::to_string(maxGuards) +
                            " runs of the host twin side by side");
  stack_t ours = {};
  ours.ss_sp = stack.get();
  ours.ss_size = stackBytes;
  if (sigaltstack(&ours, &previousStack) != 0)
    return Status::resource("the host twin cannot have a stack for signals");
  free->store(this);
  installed = true;
  if (registry.users++)
    return Status();
  struct sigaction action = {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < signals.size(); ++i)
    sigaction(signals[i], &action, &registry.previous[i]);
  return Status();
}

FaultGuard::~FaultGuard() {
  if (!installed)
    return;
  const std::lock_guard<std::mutex> lock(registry.mutex);
  for (std::atomic<FaultGuard *> &slot : registry.guards)
    if (slot.load() == this)
      slot.store(nullptr);
  if (--registry.users == 0)
    for (size_t i = 0; i < signals.size(); ++i)
      sigaction(signals[i], &registry.previous[i], nullptr);
  sigaltstack(&previousStack, nullptr);
}
