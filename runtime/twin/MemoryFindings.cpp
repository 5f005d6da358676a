//===- MemoryFindings.cpp - findings on memory, in words ------------------===//

#include "MemoryChecker.h"

#include <algorithm>

using namespace fuse::rt;
using namespace fuse::rt::twin;

static std::string quoted(const std::string &name) { return "'" + name + "'"; }

static std::string byteOf(long long offset, const std::string &what) {
  return "byte " + std::to_string(offset) + " of " + what;
}

void MemoryChecker::add(FindingKind kind, const Origin &origin,
                        std::string text) {
  reporter.add(kind, launch->kernel, std::move(text),
               {{library.get(), origin.pc}});
}

std::string MemoryChecker::actor(unsigned thread, int64_t ofBlock) const {
  return "thread " + std::to_string(thread) + " of block " +
         std::to_string(ofBlock);
}

std::string MemoryChecker::describeShared(size_t offset) const {
  std::string result = byteOf(static_cast<long long>(offset), "shared memory");
  for (const Piece &piece : pieces)
    if (offset >= piece.begin && offset < piece.end)
      return result + " (" + quoted(piece.name) + " + " +
             std::to_string(offset - piece.begin) + ")";
  // The piece that ends before it is most likely the one that is meant.
  const Piece *before = nullptr;
  for (const Piece &piece : pieces)
    if (piece.end <= offset && (!before || piece.end > before->end))
      before = &piece;
  if (before)
    result += " (" + std::to_string(offset - before->end) +
              " behind the end of " + quoted(before->name) + ")";
  return result;
}

std::string MemoryChecker::describe(const void *address) const {
  const auto *byte = static_cast<const char *>(address);
  constexpr std::ptrdiff_t nearby = 1 << 20;
  const std::ptrdiff_t inArena = byte - arena;
  if (launch && arena && inArena >= 0 && inArena < nearby)
    return describeShared(static_cast<size_t>(inArena));
  if (launch && arena && inArena < 0 && inArena > -nearby)
    return byteOf(inArena, "shared memory");
  if (const Buffer *buffer = memory.find(address))
    return byteOf(byte - buffer->begin,
                  (buffer->released ? "released buffer " : "buffer ") +
                      quoted(buffer->name));
  return "an address outside of every buffer";
}

void MemoryChecker::reportMisaligned(const Origin &origin, const void *address,
                                     size_t bytes, bool writes,
                                     size_t alignment) {
  add(FindingKind::Misaligned, origin,
      actor(origin.thread, block) + (writes ? " writes " : " reads ") +
          std::to_string(bytes) + " bytes at " + describe(address) + " at " +
          firstPlace + ", an address that is not a multiple of " +
          std::to_string(alignment));
}

bool MemoryChecker::outOfBounds(const Origin &origin, const void *address,
                                size_t bytes, bool writes) {
  std::string size = "";
  if (const Buffer *buffer = memory.find(address))
    size = ", which has " + std::to_string(buffer->bytes);
  else if (inPiece.empty())
    size = ", of which there are " + std::to_string(launch->sharedBytes) +
           " bytes of shared memory";
  if (describe(address).rfind("an address", 0) == 0)
    size = "";
  add(FindingKind::OutOfBounds, origin,
      actor(origin.thread, block) + (writes ? " writes " : " reads ") +
          std::to_string(bytes) + " bytes at " + describe(address) + size +
          ", at " + firstPlace);
  return false;
}

/// Who made an earlier access, seen from the current block.
std::string MemoryChecker::describePrior(const Access &prior) const {
  if (prior.time < order.launchStart())
    return "thread " + std::to_string(prior.thread) + " of kernel " +
           quoted(memory.launchOf(prior.time).kernel);
  auto next = std::upper_bound(
      startedBlocks.begin(), startedBlocks.end(), prior.time,
      [](uint32_t t, const StartedBlock &b) { return t < b.start; });
  return actor(prior.thread, std::prev(next)->block);
}

void MemoryChecker::reportConflict(const Origin &origin,
                                   const Conflict &conflict, size_t bytes,
                                   bool writes, const std::string &where) {
  const Access &prior = conflict.prior;
  std::string text = actor(origin.thread, block) +
                     (writes ? " writes " : " reads ") + std::to_string(bytes) +
                     " bytes at " + where + " at " + firstPlace;
  if (conflict.kind == FindingKind::UninitializedRead)
    return add(conflict.kind, origin, text + ", which nobody wrote");
  const std::string who = describePrior(prior) + " at " + secondPlace;
  if (conflict.kind == FindingKind::OutputWrittenTwice)
    text += ", an output that was written by " + who;
  else if (conflict.kind == FindingKind::BeforeProducers)
    text += ", before it waits for the launches before, which wrote it: " + who;
  else if (conflict.priorWrites && (prior.flags & Access::InFlight))
    text += ", where an asynchronous copy is under way that nobody has waited "
            "for: " +
            who;
  else
    text += std::string(", and nothing orders that after the ") +
            (conflict.priorWrites ? "write by " : "read by ") + who;
  const Library *priorLibrary = prior.time < order.launchStart()
                                    ? memory.launchOf(prior.time).library.get()
                                    : library.get();
  reporter.add(conflict.kind, launch->kernel, std::move(text),
               {{library.get(), origin.pc}, {priorLibrary, prior.pc}});
}

void MemoryChecker::checkOutputs(const std::string &kernel) {
  for (const auto &buffer : memory.allBuffers()) {
    if (buffer->use != BufferUse::Output || buffer->released)
      continue;
    size_t missing = 0, first = 0;
    for (size_t offset = 0; offset < buffer->bytes;) {
      const size_t page = offset & ~size_t(Shadow::pageBytes - 1);
      // A page that was never touched is missing as a whole.
      const size_t end = buffer->shadow.untouched(offset)
                             ? std::min(buffer->bytes, page + Shadow::pageBytes)
                             : offset + 1;
      if (!buffer->shadow.lastWrite(offset) &&
          !buffer->isInitialised(offset, end)) {
        if (missing == 0)
          first = offset;
        missing += end - offset;
      }
      offset = end;
    }
    if (missing)
      reporter.add(
          FindingKind::OutputNotWritten, kernel,
          std::to_string(missing) + " of " + std::to_string(buffer->bytes) +
              " bytes of output " + quoted(buffer->name) +
              " were never written, the first at byte " + std::to_string(first),
          {});
  }
}

void MemoryChecker::checkCanaries(const std::string &kernel) {
  for (const auto &buffer : memory.allBuffers())
    if (!buffer->released && !buffer->canariesIntact())
      reporter.add(FindingKind::OutOfBounds, kernel,
                   "bytes next to buffer " + quoted(buffer->name) + " of " +
                       std::to_string(buffer->bytes) +
                       " bytes were overwritten",
                   {});
}
