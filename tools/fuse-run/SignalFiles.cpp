//===- SignalFiles.cpp - Files that go when a signal comes ----------------===//

#include "SignalFiles.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace fuse;

// A handler may touch little more than atomics and call little more than
// unlink, so paths are C strings in slots that are taken and given back whole.
static constexpr size_t kSlots = 256;
static std::atomic<char *> slots[kSlots];

static void add(const std::string &path) {
  char *copy = strdup(path.c_str());
  for (std::atomic<char *> &slot : slots) {
    char *free = nullptr;
    if (copy && slot.compare_exchange_strong(free, copy))
      return;
  }
  std::free(copy); // Too many: this one will stay.
}

static void remove(const std::string &path) {
  for (std::atomic<char *> &slot : slots) {
    char *held = slot.load();
    if (held && path == held && slot.compare_exchange_strong(held, nullptr)) {
      std::free(held);
      return;
    }
  }
}

extern "C" {
/// Removes the files, and ends the process as it would have ended.
static void removeFilesAndEnd(int signal) {
  for (std::atomic<char *> &slot : slots)
    if (char *path = slot.exchange(nullptr))
      unlink(path);
  std::signal(signal, SIG_DFL);
  raise(signal);
}
}

SignalCleanup fuse::installSignalCleanup() {
  for (int signal : {SIGINT, SIGTERM, SIGHUP})
    std::signal(signal, removeFilesAndEnd);
  return {add, remove};
}
