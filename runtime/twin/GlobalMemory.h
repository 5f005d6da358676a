//===- GlobalMemory.h - the buffers of a program run ------------*- C++ -*-===//

#ifndef FUSE_RUNTIME_TWIN_GLOBALMEMORY_H
#define FUSE_RUNTIME_TWIN_GLOBALMEMORY_H

#include "Library.h"
#include "Shadow.h"
#include "fuse/runtime/Twin.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fuse::rt::twin {

struct Buffer {
  char *begin = nullptr;
  size_t bytes = 0;
  BufferUse use = BufferUse::Input;
  std::string name;
  char *mapped = nullptr; ///< Whole pages, of which the buffer is the end.
  size_t mappedBytes = 0;
  bool released = false;
  Shadow shadow; ///< Not of inputs, which are only read.
  /// What the host wrote: begin -> end, disjoint.
  std::map<size_t, size_t> initialised;

  void markInitialised(size_t from, size_t to);
  bool isInitialised(size_t from, size_t to) const;
  /// Whether the bytes between the mapped pages and the buffer are as they
  /// were.
  bool canariesIntact() const;
};

/// A launch, as accesses are told of it later.
struct PastLaunch {
  uint32_t start;
  std::string kernel;
  std::shared_ptr<const Library> library;
};

/// Address space in slots, each of one buffer, so that an address finds its
/// buffer by a shift. A buffer takes as many slots as it needs.
class GlobalMemory {
public:
  GlobalMemory() = default;
  GlobalMemory(const GlobalMemory &) = delete;
  GlobalMemory &operator=(const GlobalMemory &) = delete;
  ~GlobalMemory();

  Status reserve();
  Result<void *> allocate(size_t bytes, BufferUse use, std::string name);
  void release(void *address);
  void markInitialised(void *address, size_t bytes);

  /// The buffer in whose slots `address` lies, though perhaps not in the buffer
  /// itself, or null.
  Buffer *find(const void *address) const {
    const size_t offset =
        static_cast<size_t>(reinterpret_cast<uintptr_t>(address) -
                            reinterpret_cast<uintptr_t>(base));
    return offset < reservedBytes ? slots[offset >> slotShift] : nullptr;
  }
  const std::vector<std::unique_ptr<Buffer>> &allBuffers() const {
    return buffers;
  }

  void startLaunch(PastLaunch launch) { past.push_back(std::move(launch)); }
  /// The launch in which the segment `time` lies.
  const PastLaunch &launchOf(uint32_t time) const;

  /// Advanced by every synchronisation of every launch; see Order.h.
  uint32_t clock = 0;

private:
  static constexpr unsigned slotShift = 22;
  static constexpr size_t slotBytes = size_t(1) << slotShift;
  static constexpr size_t reservedBytes = size_t(1) << 40;

  char *base = nullptr;
  Buffer **slots = nullptr;
  size_t nextSlot = 0;
  std::vector<std::unique_ptr<Buffer>> buffers;
  std::vector<PastLaunch> past;
};

} // namespace fuse::rt::twin

namespace fuse::rt {

class TwinMemory::State : public twin::GlobalMemory {};

} // namespace fuse::rt

#endif // FUSE_RUNTIME_TWIN_GLOBALMEMORY_H
