//===- IndexPattern.h - Named-axis patterns and einsum strings -*- C++ -*-===//
//
// Two notations name the axes of tensors:
//
//   `b n (H d) -> b H n d`   axes separated by blanks; a group in parentheses
//                            is one axis, the row-major product of its factors
//   `bkih,bkjh->bijh`        einsum: one letter an axis
//
// In the first, a factor is a number, a function-wide symbol (upper-case
// initial) or a local index (lower-case initial), whose extent is found by
// matching the operands.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_IR_INDEXPATTERN_H
#define FUSE_IR_INDEXPATTERN_H

#include "fuse/ir/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace fuse {

/// One axis: a single factor, or the row-major product of several.
using AxisFactors = SmallVector<std::string, 2>;

/// The axes of one tensor.
struct IndexPattern {
  SmallVector<AxisFactors> axes;

  unsigned getRank() const { return axes.size(); }
  /// All factors in order, groups opened.
  SmallVector<std::string> flat() const;
  std::string str() const;

  /// Parses `b n (H d)`. On failure sets `error` to one sentence.
  static std::optional<IndexPattern> parse(StringRef text, std::string &error);
};

/// `operand, operand -> result`.
struct IndexMapping {
  SmallVector<IndexPattern, 3> operands;
  IndexPattern result;

  static std::optional<IndexMapping> parse(StringRef text, std::string &error);
};

/// True for a function-wide symbol such as `N` or `Hkv`.
bool isSymbolFactor(StringRef factor);
bool isNumberFactor(StringRef factor);

/// A parsed einsum string: one string of letters a tensor.
struct EinsumSpec {
  SmallVector<std::string, 2> operands;
  std::string result;

  /// Letters that occur in an operand but not in the result, in order of
  /// first appearance: the reduced indices.
  std::string reduced() const;

  /// Takes any string of one or two operands: repeated letters in an operand
  /// (a diagonal), free order, an empty result. Rejects, with a reason: other
  /// operand counts, a missing `->`, characters other than letters, a result
  /// letter that is repeated or absent from the operands.
  static std::optional<EinsumSpec> parse(StringRef text, std::string &error);
  /// Over factors: each gets a letter, the same in all patterns.
  static EinsumSpec ofFactors(ArrayRef<IndexPattern> operands,
                              const IndexPattern &result);
  std::string str() const;
};

} // namespace fuse

#endif // FUSE_IR_INDEXPATTERN_H
