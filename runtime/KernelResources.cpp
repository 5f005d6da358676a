//===- KernelResources.cpp - what the assembler says of kernels -----------===//
//
//   ptxas info    : Compiling entry function 'k' for 'sm_90a'
//   ptxas info    : Function properties for k
//   ptxas         .     160 bytes stack frame, 8 bytes spill stores, ...
//   ptxas info    : Used 24 registers, used 1 barriers, 1024 bytes smem
//
//===----------------------------------------------------------------------===//

#include "fuse/runtime/Nvrtc.h"

#include "Text.h"

#include <charconv>

using namespace fuse::rt;

/// The number before `unit` in a line; 0 if there is none.
static int64_t numberBefore(std::string_view line, std::string_view unit) {
  size_t end = line.find(unit);
  if (end == std::string_view::npos)
    return 0;
  size_t start = end;
  while (start > 0 && isDigit(line[start - 1]))
    --start;
  int64_t number = 0;
  std::from_chars(line.data() + start, line.data() + end, number);
  return number;
}

/// The word between `before` and `after`, or "".
static std::string_view wordBetween(std::string_view line,
                                    std::string_view before,
                                    std::string_view after) {
  size_t start = line.find(before);
  if (start == std::string_view::npos)
    return {};
  start += before.size();
  size_t end = line.find(after, start);
  return end == std::string_view::npos ? std::string_view()
                                       : line.substr(start, end - start);
}

std::vector<KernelResources> fuse::rt::parseResources(std::string_view log) {
  std::vector<KernelResources> all;
  TextCursor cursor(log);
  // Functions that are not inlined have properties too: only lines about the
  // kernel itself count.
  bool isOfKernel = false;
  while (!cursor.atEnd()) {
    std::string_view line = cursor.takeWhile([](char c) { return c != '\n'; });
    cursor.consume("\n");
    std::string_view kernel =
        wordBetween(line, "Compiling entry function '", "'");
    if (!kernel.empty()) {
      all.emplace_back().kernel = kernel;
      isOfKernel = false;
    } else if (all.empty()) {
      continue;
    } else if (size_t at = line.find("Function properties for ");
               at != std::string_view::npos) {
      isOfKernel = trim(line.substr(at + 24)) == all.back().kernel;
    } else if (line.find(" bytes stack frame") != std::string_view::npos &&
               isOfKernel) {
      all.back().stackBytes = numberBefore(line, " bytes stack frame");
      all.back().spillStoreBytes = numberBefore(line, " bytes spill stores");
      all.back().spillLoadBytes = numberBefore(line, " bytes spill loads");
    } else if (line.find(" registers") != std::string_view::npos &&
               line.find("Used ") != std::string_view::npos) {
      all.back().registers = numberBefore(line, " registers");
      all.back().sharedBytes = numberBefore(line, " bytes smem");
    }
  }
  return all;
}
