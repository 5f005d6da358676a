//===- SumOrder.h - In which order terms may be added -----------*- C++ -*-===//
//
// What the interpreter's bounds grant, and schedules may use: the semantics
// table of ir/README.md in numbers.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_IR_SUMORDER_H
#define FUSE_IR_SUMORDER_H

#include <algorithm>
#include <cstdint>
#include <optional>

namespace fuse {

/// True if so many terms of a contraction of class ieee may be one chain in
/// ascending order, instead of blocks of 32.
inline bool mayBeOneChain(int64_t terms) { return terms <= 128; }

/// How many additions a term of a contraction of class ieee may pass, whatever
/// their order; nullopt if that must be ascending. `columns` is how many
/// elements the result has along the indices that it shares with one of the
/// operands only.
inline std::optional<int64_t> getFreeAdditions(int64_t columns, int64_t terms) {
  constexpr int64_t mostColumns = 16, mostTerms = 128;
  if (columns < 2 || columns > mostColumns || terms > mostTerms)
    return std::nullopt;
  return std::min(terms, (terms + 7) / 8 + 3);
}

} // namespace fuse

#endif // FUSE_IR_SUMORDER_H
