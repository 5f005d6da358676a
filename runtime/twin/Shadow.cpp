//===- Shadow.cpp - who accessed which byte last --------------------------===//

#include "Shadow.h"

#include <cstdlib>
#include <sys/mman.h>

using namespace fuse::rt::twin;

bool Shadow::create(size_t bytes) {
  pageCount = (bytes >> pageShift) + 1;
  mappedBytes = pageCount * sizeof(Page);
  // Large buffers are mostly untouched, and so is their table.
  void *mapping = mmap(nullptr, mappedBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED)
    return false;
  pages = static_cast<Page *>(mapping);
  return true;
}

Shadow::~Shadow() {
  if (!pages)
    return;
  // A page of the table that was never touched reads as zeros.
  for (size_t i = 0; i < pageCount; ++i) {
    std::free(pages[i].writes);
    std::free(pages[i].reads);
  }
  munmap(pages, mappedBytes);
}

constexpr size_t wordCells = Shadow::pageBytes / 4;

/// Replaces cells of 4 bytes by four each of one byte.
static bool spread(Access *&cells, size_t perCell) {
  auto *fine = static_cast<Access *>(
      std::calloc(Shadow::pageBytes * perCell, sizeof(Access)));
  if (!fine)
    return false;
  for (size_t i = 0; i < Shadow::pageBytes; ++i)
    for (size_t slot = 0; slot < perCell; ++slot)
      fine[i * perCell + slot] = cells[i / 4 * perCell + slot];
  std::free(cells);
  cells = fine;
  return true;
}

static bool allocate(Access *&cells, size_t count) {
  cells = static_cast<Access *>(std::calloc(count, sizeof(Access)));
  return cells != nullptr;
}

bool Shadow::grow(Page &page, bool wantReads, bool bytewise) {
  if (bytewise && !page.bytewise) {
    if (page.writes && !spread(page.writes, 1))
      return false;
    if (page.reads && !spread(page.reads, readSlots))
      return false;
    page.bytewise = true;
  }
  const size_t cells = page.bytewise ? pageBytes : wordCells;
  if (!page.writes && !allocate(page.writes, cells))
    return false;
  return !wantReads || page.reads || allocate(page.reads, cells * readSlots);
}

const Access *Shadow::lastWrite(size_t offset) const {
  const Page &page = pages[offset >> pageShift];
  if (!page.writes)
    return nullptr;
  const size_t inPage = offset & (pageBytes - 1);
  const Access &write = page.writes[page.bytewise ? inPage : inPage / 4];
  return write.time ? &write : nullptr;
}
