//===- GlobalMemory.cpp - the buffers of a program run --------------------===//

#include "GlobalMemory.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace fuse::rt;
using namespace fuse::rt::twin;

constexpr size_t alignment = 256;
constexpr unsigned char canary = 0xa5;

static size_t roundUp(size_t value, size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

static void *mapLazily(size_t bytes, int protection) {
  void *result = mmap(nullptr, bytes, protection,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return result == MAP_FAILED ? nullptr : result;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

void Buffer::markInitialised(size_t from, size_t to) {
  auto next = initialised.upper_bound(from);
  if (next != initialised.begin() && std::prev(next)->second >= from) {
    --next;
    from = next->first;
  }
  while (next != initialised.end() && next->first <= to) {
    to = std::max(to, next->second);
    next = initialised.erase(next);
  }
  initialised.emplace(from, to);
}

bool Buffer::isInitialised(size_t from, size_t to) const {
  auto next = initialised.upper_bound(from);
  return next != initialised.begin() && std::prev(next)->second >= to;
}

bool Buffer::canariesIntact() const {
  const char *end = begin + bytes, *mappedEnd = mapped + mappedBytes;
  auto changed = [](char byte) {
    return static_cast<unsigned char>(byte) != canary;
  };
  return std::none_of(static_cast<const char *>(mapped),
                      static_cast<const char *>(begin), changed) &&
         std::none_of(end, mappedEnd, changed);
}

//===----------------------------------------------------------------------===//
// Address space
//===----------------------------------------------------------------------===//

Status GlobalMemory::reserve() {
  base = static_cast<char *>(mapLazily(reservedBytes, PROT_NONE));
  if (base)
    slots = static_cast<Buffer **>(
        mapLazily((reservedBytes >> slotShift) * sizeof(Buffer *),
                  PROT_READ | PROT_WRITE));
  if (!slots)
    return Status::resource("out of address space for the host twin, which "
                            "reserves 1 TiB; a limit (ulimit -v) may be set");
  return Status();
}

GlobalMemory::~GlobalMemory() {
  if (base)
    munmap(base, reservedBytes);
  if (slots)
    munmap(slots, (reservedBytes >> slotShift) * sizeof(Buffer *));
}

Result<void *> GlobalMemory::allocate(size_t bytes, BufferUse use,
                                      std::string name) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  if (bytes > reservedBytes)
    return Status::resource("expects buffer '" + name +
                            "' to fit into 1 TiB, but got " +
                            std::to_string(bytes) + " bytes");
  const size_t mappedBytes = std::max(roundUp(bytes, page), page);
  // One more page stays unmapped before the next buffer's slots.
  const size_t taken = (mappedBytes + 2 * page + slotBytes - 1) >> slotShift;
  if (nextSlot + taken > reservedBytes >> slotShift)
    return Status::resource("out of the host twin's address space at buffer '" +
                            name + "' of " + std::to_string(bytes) + " bytes");
  auto buffer = std::make_unique<Buffer>();
  buffer->mapped = base + nextSlot * slotBytes + page;
  buffer->mappedBytes = mappedBytes;
  buffer->begin = buffer->mapped + mappedBytes - roundUp(bytes, alignment);
  buffer->bytes = bytes;
  buffer->use = use;
  buffer->name = std::move(name);
  if (mprotect(buffer->mapped, mappedBytes, PROT_READ | PROT_WRITE) != 0 ||
      (use != BufferUse::Input && !buffer->shadow.create(bytes)))
    return Status::resource("out of memory for buffer '" + buffer->name +
                            "' of " + std::to_string(bytes) + " bytes");
  std::memset(buffer->mapped, canary,
              static_cast<size_t>(buffer->begin - buffer->mapped));
  std::memset(buffer->begin + bytes, canary,
              static_cast<size_t>(buffer->mapped + mappedBytes -
                                  (buffer->begin + bytes)));
  std::fill_n(slots + nextSlot, taken, buffer.get());
  nextSlot += taken;
  buffers.push_back(std::move(buffer));
  return static_cast<void *>(buffers.back()->begin);
}

void GlobalMemory::release(void *address) {
  Buffer *buffer = find(address);
  if (!buffer || buffer->released)
    return;
  buffer->released = true;
  // Whatever still points there faults.
  madvise(buffer->mapped, buffer->mappedBytes, MADV_DONTNEED);
  mprotect(buffer->mapped, buffer->mappedBytes, PROT_NONE);
}

void GlobalMemory::markInitialised(void *address, size_t bytes) {
  Buffer *buffer = find(address);
  if (!buffer || bytes == 0)
    return;
  const auto from =
      static_cast<size_t>(static_cast<char *>(address) - buffer->begin);
  buffer->markInitialised(from, from + bytes);
}

const PastLaunch &GlobalMemory::launchOf(uint32_t time) const {
  auto next = std::upper_bound(
      past.begin(), past.end(), time,
      [](uint32_t t, const PastLaunch &launch) { return t < launch.start; });
  return *std::prev(next);
}

//===----------------------------------------------------------------------===//
// TwinMemory
//===----------------------------------------------------------------------===//

TwinMemory::TwinMemory(std::unique_ptr<State> state)
    : state(std::move(state)) {}

TwinMemory::~TwinMemory() = default;

Result<std::unique_ptr<TwinMemory>> TwinMemory::create() {
  auto state = std::make_unique<State>();
  Status reserved = state->reserve();
  if (!reserved.ok())
    return reserved;
  return std::unique_ptr<TwinMemory>(new TwinMemory(std::move(state)));
}

Result<void *> TwinMemory::allocate(size_t bytes, BufferUse use,
                                    std::string name) {
  return state->allocate(bytes, use, std::move(name));
}

void TwinMemory::release(void *buffer) { state->release(buffer); }

void TwinMemory::markInitialised(void *address, size_t bytes) {
  state->markInitialised(address, bytes);
}
