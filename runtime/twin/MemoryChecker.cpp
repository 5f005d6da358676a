//===- MemoryChecker.cpp - judges each memory access ----------------------===//

#include "MemoryChecker.h"

using namespace fuse::rt;
using namespace fuse::rt::twin;

Status MemoryChecker::create(size_t bytes) {
  if (!sharedShadow.create(bytes))
    return Status::resource("out of memory for the shadow of shared memory");
  return Status();
}

void MemoryChecker::startLaunch() {
  if (startOfRun == 0)
    startOfRun = memory.clock + 1;
  order.startLaunch();
  memory.startLaunch({order.launchStart(), launch->kernel, library});
  startedBlocks.clear();
}

void MemoryChecker::startBlock() {
  order.startBlock(launch->blockThreads);
  startedBlocks.push_back({order.blockStart(), block});
  pieces.clear();
  inPiece.clear();
}

bool MemoryChecker::declareShared(const Origin &origin, long offset, long bytes,
                                  const char *name) {
  const size_t limit = launch->sharedBytes;
  if (offset < 0 || bytes < 0 || static_cast<size_t>(offset) > limit ||
      static_cast<size_t>(bytes) > limit - static_cast<size_t>(offset)) {
    add(FindingKind::OutOfBounds, origin,
        std::string("piece '") + name + "' is declared at " + firstPlace +
            " with " + std::to_string(bytes) + " bytes from byte " +
            std::to_string(offset) + ", but shared memory has " +
            std::to_string(limit));
    return false;
  }
  const auto begin = static_cast<size_t>(offset);
  const size_t end = begin + static_cast<size_t>(bytes);
  for (const Piece &piece : pieces)
    if (piece.begin == begin && piece.end == end && piece.name == name)
      return true;
  pieces.push_back({begin, end, name});
  inPiece.resize(limit);
  std::fill(inPiece.begin() + offset, inPiece.begin() + offset + bytes, true);
  return true;
}

//===----------------------------------------------------------------------===//
// The rules for one cell
//===----------------------------------------------------------------------===//

/// Keeps a read where later writes look for it. Of reads that nothing orders
/// two are enough to find a conflict with any write: by distinct threads, and
/// of distinct blocks and warps where there are such.
void MemoryChecker::noteRead(Access *reads, const Access &read,
                             unsigned thread) const {
  for (unsigned slot = 0; slot < Shadow::readSlots; ++slot)
    if (reads[slot].time == 0 || order.ordered(reads[slot], thread)) {
      reads[slot] = read;
      // One slot for a thread.
      for (++slot; slot < Shadow::readSlots; ++slot)
        if (reads[slot].time && order.ordered(reads[slot], thread))
          reads[slot].time = 0;
      return;
    }
  const uint32_t start = order.blockStart();
  const bool foreign0 = reads[0].time < start, foreign1 = reads[1].time < start;
  const bool sameWarp = reads[0].thread / 32 == reads[1].thread / 32;
  if ((foreign0 && foreign1) || (!foreign0 && !foreign1 && sameWarp &&
                                 reads[0].thread / 32 != thread / 32))
    reads[1] = read;
}

void MemoryChecker::readCell(const Origin &origin, const Access &write,
                             Access *reads, uint16_t flags, Conflict &conflict,
                             size_t offset) {
  const bool bothAtomic = flags & write.flags & Access::Atomic;
  if (write.time && ((write.flags & Access::InFlight) ||
                     (!order.ordered(write, origin.thread) && !bothAtomic))) {
    if (!conflict.found)
      conflict = {true, FindingKind::Race, write, true, offset};
    return;
  }
  const Access read{order.segment(origin.thread), origin.pc, origin.thread,
                    flags};
  auto noted = [&](const Access &slot) {
    return slot.thread == origin.thread && slot.time == read.time;
  };
  if (!noted(reads[0]) && !noted(reads[1]))
    noteRead(reads, read, origin.thread);
}

void MemoryChecker::writeCell(const Origin &origin, Access &write,
                              Access *reads, uint16_t flags, bool once,
                              Conflict &conflict, size_t offset) {
  auto conflictWith = [&](const Access &prior, bool writes, FindingKind kind) {
    if (!conflict.found)
      conflict = {true, kind, prior, writes, offset};
  };
  if (write.time) {
    if ((write.flags & Access::InFlight) ||
        (!order.ordered(write, origin.thread) &&
         !(flags & write.flags & Access::Atomic)))
      conflictWith(write, true, FindingKind::Race);
    else if (once && !(flags & Access::Atomic) &&
             (write.thread != origin.thread || write.time < order.blockStart()))
      conflictWith(write, true, FindingKind::OutputWrittenTwice);
  }
  if (reads)
    for (unsigned slot = 0; slot < Shadow::readSlots; ++slot) {
      const Access &read = reads[slot];
      if (read.time && !order.ordered(read, origin.thread) &&
          !(flags & read.flags & Access::Atomic))
        conflictWith(read, false, FindingKind::Race);
      reads[slot].time = 0;
    }
  write = {order.segment(origin.thread), origin.pc, origin.thread, flags};
}

//===----------------------------------------------------------------------===//
// The rules for memories
//===----------------------------------------------------------------------===//

bool MemoryChecker::access(const Origin &origin, const void *address,
                           size_t bytes, const AccessKind &kind) {
  if (reinterpret_cast<uintptr_t>(address) & (kind.alignment - 1)) {
    reportMisaligned(origin, address, bytes, kind.writes, kind.alignment);
    return false;
  }
  const uint16_t flags = kind.atomic ? Access::Atomic : 0;
  const auto *byte = static_cast<const char *>(address);
  const auto inArena = static_cast<size_t>(reinterpret_cast<uintptr_t>(byte) -
                                           reinterpret_cast<uintptr_t>(arena));
  const size_t limit = launch->sharedBytes;
  if (inArena < limit && bytes <= limit - inArena)
    return accessShared(origin, inArena, bytes, kind, flags);
  if (Buffer *buffer = memory.find(address)) {
    const auto offset = static_cast<size_t>(byte - buffer->begin);
    if (byte >= buffer->begin && offset <= buffer->bytes &&
        bytes <= buffer->bytes - offset && !buffer->released)
      return accessBuffer(origin, *buffer, byte, bytes, kind, flags);
  }
  if (!kind.writes && library->contains(address))
    return true; // A table of constants.
  return outOfBounds(origin, address, bytes, kind.writes);
}

bool MemoryChecker::accessShared(const Origin &origin, size_t offset,
                                 size_t bytes, const AccessKind &kind,
                                 uint16_t flags) {
  if (!inPiece.empty() && !(inPiece[offset] && inPiece[offset + bytes - 1]))
    return outOfBounds(origin, arena + offset, bytes, kind.writes);
  Conflict conflict;
  const uint32_t start = order.blockStart();
  const bool visited = sharedShadow.visit<true>(
      offset, bytes, [&](Access &write, Access *reads, size_t cell, size_t) {
        if (write.time < start) { // What an earlier block left.
          write.time = 0;
          for (unsigned slot = 0; slot < Shadow::readSlots; ++slot)
            if (reads[slot].time < start)
              reads[slot].time = 0;
        }
        if (kind.writes)
          return writeCell(origin, write, reads, flags, false, conflict, cell);
        if (!write.time && !conflict.found)
          conflict = {true, FindingKind::UninitializedRead, {}, false, cell};
        readCell(origin, write, reads, flags, conflict, cell);
      });
  if (!visited)
    outOfMemory();
  if (conflict.found)
    reportConflict(origin, conflict, bytes, kind.writes,
                   describeShared(conflict.offset));
  return visited;
}

bool MemoryChecker::producersSeen(const Origin &origin,
                                  const Access &write) const {
  return !launch->overlapsPredecessor || origin.sawProducers ||
         write.time < startOfRun || write.time >= order.launchStart();
}

bool MemoryChecker::accessBuffer(const Origin &origin, Buffer &buffer,
                                 const char *address, size_t bytes,
                                 const AccessKind &kind, uint16_t flags) {
  auto where = [&](size_t offset) { return describe(buffer.begin + offset); };
  const auto offset = static_cast<size_t>(address - buffer.begin);
  if (buffer.use == BufferUse::Input) {
    if (kind.writes)
      add(FindingKind::InputWritten, origin,
          actor(origin.thread, block) + " writes " + where(offset) + " at " +
              firstPlace + ", which is an input");
    return true;
  }
  Conflict conflict;
  bool visited;
  if (kind.writes) {
    if (launch->overlapsPredecessor && !origin.sawProducers)
      add(FindingKind::BeforeProducers, origin,
          actor(origin.thread, block) + " writes " + where(offset) + " at " +
              firstPlace + " before it waits for the launches before");
    const bool once = buffer.use == BufferUse::Output;
    visited = buffer.shadow.visit<false>(
        offset, bytes, [&](Access &write, Access *reads, size_t cell, size_t) {
          writeCell(origin, write, reads, flags, once, conflict, cell);
        });
  } else {
    visited = buffer.shadow.visit<true>(
        offset, bytes,
        [&](Access &write, Access *reads, size_t cell, size_t size) {
          if (!producersSeen(origin, write) && !conflict.found)
            conflict = {true, FindingKind::BeforeProducers, write, true, cell};
          if (!write.time && !conflict.found &&
              !buffer.isInitialised(cell, cell + size) &&
              !buffer.isInitialised(offset, offset + bytes))
            conflict = {true, FindingKind::UninitializedRead, {}, false, cell};
          // Even so: a write that nothing orders after this read is the cause.
          readCell(origin, write, reads, flags, conflict, cell);
        });
  }
  if (!visited)
    outOfMemory();
  if (conflict.found)
    reportConflict(origin, conflict, bytes, kind.writes,
                   where(conflict.offset));
  return visited;
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

bool MemoryChecker::copyIssued(const Origin &origin, const void *shared,
                               size_t bytes, const void *global,
                               size_t validBytes) {
  if (validBytes && !access(origin, global, validBytes, {false, bytes, false}))
    return false;
  // A buffer that somebody may still read is a race as with any write.
  if (!access(origin, shared, bytes, {true, bytes, false}))
    return false;
  const auto offset =
      static_cast<size_t>(static_cast<const char *>(shared) - arena);
  if (offset >= launch->sharedBytes)
    return outOfBounds(origin, shared, bytes, true);
  return sharedShadow.visit<false>(offset, bytes,
                                   [](Access &write, Access *, size_t, size_t) {
                                     write.flags = Access::InFlight;
                                   });
}

void MemoryChecker::copyDone(const Origin &origin, const void *shared,
                             size_t bytes, const void *global,
                             size_t validBytes) {
  const auto offset =
      static_cast<size_t>(static_cast<const char *>(shared) - arena);
  sharedShadow.visit<false>(
      offset, bytes, [&](Access &write, Access *, size_t, size_t) {
        if ((write.flags & Access::InFlight) && write.thread == origin.thread &&
            write.pc == origin.pc) {
          write.flags = 0;
          write.time = order.segment(origin.thread);
        }
      });
  // The source was read at any time until now.
  if (validBytes)
    access(origin, global, validBytes, AccessKind());
}

void MemoryChecker::outOfMemory() {
  reporter.fail(Status::resource("out of memory for the record of accesses"));
}
