//===- TextScan.h - Limits on text before it is parsed ---------*- C++ -*-===//
//
// The parser, the printer and the verifier of MLIR recurse over what is nested
// and overflow the stack on text that is nested deeply enough. So text of
// unknown origin is scanned first, in linear time and constant stack.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_IR_TEXTSCAN_H
#define FUSE_IR_TEXTSCAN_H

#include "fuse/ir/LLVM.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace fuse {

/// What a text may ask of its reader. With these defaults a stack of
/// `parserStackBytes` is ample, also for a build with sanitizers.
struct TextLimits {
  /// Levels of nesting. Brackets count, and so does each operator of an affine
  /// expression, up to the next comma, because operators make trees. An alias
  /// counts as what it stands for.
  unsigned maxDepth = 256;
  /// Bytes of the text, counted with every alias expanded.
  uint64_t maxBytes = uint64_t(256) << 20;
};

constexpr unsigned parserStackBytes = 64u << 20;

/// Where a text exceeds a limit, as an offset into it, and how.
struct TextError {
  size_t offset;
  std::string message;
};

/// True for MLIR bytecode, which is no text and has a reader of its own.
bool isBytecode(StringRef data);

/// The first place where `text` exceeds `limits`; nullopt if there is none.
/// Says nothing on whether the text is valid.
std::optional<TextError> scanText(StringRef text,
                                  const TextLimits &limits = {});

} // namespace fuse

#endif // FUSE_IR_TEXTSCAN_H
