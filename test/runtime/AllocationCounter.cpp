//===- AllocationCounter.cpp - how often memory was asked for -------------===//

#include "AllocationCounter.h"

#include <atomic>
#include <cstdlib>
#include <new>

static std::atomic<size_t> count{0};

size_t fuse::rt::allocationCount() { return count; }

// NOLINTBEGIN(misc-new-delete-overloads)

void *operator new(size_t size) {
  ++count;
  if (void *memory = std::malloc(size ? size : 1))
    return memory;
  throw std::bad_alloc();
}

void *operator new(size_t size, const std::nothrow_t &) noexcept {
  ++count;
  return std::malloc(size ? size : 1);
}

void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }

// NOLINTEND(misc-new-delete-overloads)
