//===- Shadow.h - who accessed which byte last ------------------*- C++ -*-===//
//
// For each cell of a region: its last write and up to two reads since then. A
// cell is 4 bytes; where a page of the region sees smaller accesses, its cells
// become single bytes, so that neighbours of 16-bit or bool elements stay
// apart.

#ifndef FUSE_RUNTIME_TWIN_SHADOW_H
#define FUSE_RUNTIME_TWIN_SHADOW_H

#include <cstddef>
#include <cstdint>
#include <memory>

namespace fuse::rt::twin {

/// One access. `time` is when the segment of the thread began in which it lies
/// (see Order.h); 0 means that there was none.
struct Access {
  enum Flags : uint16_t {
    Atomic = 1,
    InFlight = 2, ///< An asynchronous copy that nobody has waited for.
  };

  uint32_t time;
  uint32_t pc; ///< Relative to the library's load address.
  uint16_t thread;
  uint16_t flags;
};

class Shadow {
public:
  static constexpr unsigned pageShift = 12;
  static constexpr unsigned pageBytes = 1u << pageShift;
  static constexpr unsigned readSlots = 2;

  Shadow() = default;
  Shadow(const Shadow &) = delete;
  Shadow &operator=(const Shadow &) = delete;
  ~Shadow();

  /// A record for `bytes` bytes, none of them accessed. False if out of memory.
  bool create(size_t bytes);

  /// Calls `visit(Access &write, Access *reads, offset, bytes)` for the cells
  /// of a range inside the region. `reads` has readSlots elements; with
  /// `WantReads` false it may be null, meaning none. False if out of memory.
  template <bool WantReads, class Visit>
  bool visit(size_t offset, size_t bytes, Visit &&visit);

  /// The last write of a byte, or null.
  const Access *lastWrite(size_t offset) const;

  /// Whether nothing of the page that holds `offset` was ever written.
  bool untouched(size_t offset) const {
    return !pages[offset >> pageShift].writes;
  }

private:
  struct Page {
    Access *writes;
    Access *reads;
    bool bytewise;
  };

  template <bool WantReads>
  Page *prepare(size_t offset, size_t bytes) {
    Page &page = pages[offset >> pageShift];
    if (!page.writes || (WantReads && !page.reads) ||
        (((offset | bytes) & 3) && !page.bytewise))
      return grow(page, WantReads, (offset | bytes) & 3) ? &page : nullptr;
    return &page;
  }
  static bool grow(Page &page, bool wantReads, bool bytewise);

  Page *pages = nullptr;
  size_t mappedBytes = 0;
  size_t pageCount = 0;
};

template <bool WantReads, class Visit>
bool Shadow::visit(size_t offset, size_t bytes, Visit &&visit) {
  while (bytes) {
    const size_t inPage = offset & (pageBytes - 1);
    const size_t here = bytes < pageBytes - inPage ? bytes : pageBytes - inPage;
    Page *page = prepare<WantReads>(offset, here);
    if (!page)
      return false;
    const unsigned shift = page->bytewise ? 0 : 2;
    const size_t last = (inPage + here - 1) >> shift;
    for (size_t cell = inPage >> shift; cell <= last; ++cell)
      visit(page->writes[cell],
            page->reads ? page->reads + cell * readSlots : nullptr,
            offset - inPage + (cell << shift), size_t(1) << shift);
    offset += here;
    bytes -= here;
  }
  return true;
}

} // namespace fuse::rt::twin

#endif // FUSE_RUNTIME_TWIN_SHADOW_H
