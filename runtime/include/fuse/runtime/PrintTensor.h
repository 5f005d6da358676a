//===- PrintTensor.h - tensors as text --------------------------*- C++ -*-===//

#ifndef FUSE_RUNTIME_PRINTTENSOR_H
#define FUSE_RUNTIME_PRINTTENSOR_H

#include "fuse/runtime/HostTensor.h"
#include "fuse/runtime/Status.h"

#include <string>
#include <string_view>

namespace fuse::rt {

struct PrintOptions {
  /// Print every element, however many there are.
  bool full = false;
};

/// `name: 2x3xf32 = [[1, 2, 3], [4, 5, 6]]` on one line without a line break;
/// `name: f32 = 1.5` for rank 0. Elements as `formatElement` spells them, so a
/// full print read back by `parseInputSpec` gives the same tensor.
///
/// A tensor of more than 64 elements is elided, unless `full`: every dimension
/// longer than 2e is cut to its first e and its last e entries around `...`.
/// Here e is the largest of 3, 2 and 1 that leaves at most 64 elements, or 1 if
/// none does (so no print has more than 256).
///
/// A tensor without elements prints as nested `[]` down to its first size of 0.
/// It is elided by the same rule, counting each innermost `[]` as an element,
/// even if `full`: there is nothing to see.
///
/// Fails with Resource only.
Result<std::string> printTensor(std::string_view name, const HostTensor &tensor,
                                const PrintOptions &options = {});

} // namespace fuse::rt

#endif // FUSE_RUNTIME_PRINTTENSOR_H
