//===- ReadProgram.cpp - A program, read within limits --------------------===//

#include "ReadProgram.h"
#include "Console.h"
#include "fuse/ir/TextScan.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace fuse;

static std::unique_ptr<MemoryBuffer> cannotRead(StringRef path,
                                                const Twine &reason) {
  printError() << path << ": cannot read: " << reason << "\n";
  return nullptr;
}

/// A pipe or a device says how long it is only by ending.
static Expected<bool> readAtMost(sys::fs::file_t file, uint64_t limit,
                                 SmallVectorImpl<char> &data) {
  constexpr size_t chunk = 1 << 16;
  while (data.size() <= limit) {
    size_t size = data.size();
    data.resize_for_overwrite(size + chunk);
    Expected<size_t> count =
        sys::fs::readNativeFile(file, MutableArrayRef(data).drop_front(size));
    data.truncate(size + (count ? *count : 0));
    if (!count)
      return count.takeError();
    if (*count == 0)
      return true;
  }
  return false;
}

static std::unique_ptr<MemoryBuffer> readFile(StringRef path) {
  bool isStdin = path == "-";
  StringRef name = isStdin ? "<stdin>" : path;
  sys::fs::file_t file = sys::fs::getStdinHandle();
  if (!isStdin) {
    Expected<sys::fs::file_t> opened = sys::fs::openNativeFileForRead(path);
    if (!opened)
      return cannotRead(name, toString(opened.takeError()));
    file = *opened;
  }
  scope_exit close([&] {
    [[maybe_unused]] std::error_code ignored;
    if (!isStdin)
      ignored = sys::fs::closeFile(file);
  });
  SmallVector<char, 0> data;
  uint64_t limit = TextLimits().maxBytes;
  Expected<bool> complete = readAtMost(file, limit, data);
  if (!complete)
    return cannotRead(name, toString(complete.takeError()));
  if (!*complete)
    return cannotRead(name, "expects at most " + Twine(limit) +
                                " bytes, but there are more");
  // Bytecode asks for the alignment of what it holds.
  auto buffer =
      WritableMemoryBuffer::getNewUninitMemBuffer(data.size(), name, Align(64));
  if (!buffer)
    return cannotRead(name, "out of memory");
  llvm::copy(data, buffer->getBufferStart());
  return buffer;
}

/// In the form of MLIR's diagnostics; but a line that is too long to read is
/// not shown.
static void printScanError(const MemoryBuffer &buffer, const TextError &error) {
  StringRef text = buffer.getBuffer();
  StringRef before = text.take_front(error.offset);
  StringRef start = before.drop_front(before.rfind('\n') + 1);
  StringRef line =
      text.drop_front(before.size() - start.size()).take_until([](char c) {
        return c == '\n';
      });
  errs() << buffer.getBufferIdentifier() << ':' << before.count('\n') + 1 << ':'
         << start.size() + 1 << ": ";
  WithColor::error() << error.message << "\n";
  constexpr size_t longestShown = 160;
  if (line.size() <= longestShown)
    errs() << line << "\n" << std::string(start.size(), ' ') << "^\n";
}

std::unique_ptr<MemoryBuffer> fuse::readProgram(StringRef path,
                                                StringRef splitMarker) {
  std::unique_ptr<MemoryBuffer> buffer = readFile(path);
  if (!buffer || isBytecode(buffer->getBuffer()))
    return buffer;
  StringRef text = buffer->getBuffer();
  SmallVector<StringRef> parts = {text};
  if (!splitMarker.empty()) {
    parts.clear();
    text.split(parts, splitMarker);
  }
  for (StringRef part : parts) {
    std::optional<TextError> error = scanText(part);
    if (!error)
      continue;
    error->offset += part.begin() - text.begin();
    printScanError(*buffer, *error);
    return nullptr;
  }
  return buffer;
}
