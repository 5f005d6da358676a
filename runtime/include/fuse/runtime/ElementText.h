//===- ElementText.h - one element as decimal text --------------*- C++ -*-===//

#ifndef FUSE_RUNTIME_ELEMENTTEXT_H
#define FUSE_RUNTIME_ELEMENTTEXT_H

#include "fuse/runtime/DType.h"
#include "fuse/runtime/Status.h"

#include <string>
#include <string_view>

namespace fuse::rt {

/// The shortest decimal that `parseElement` takes back to the same element;
/// among those the closest to it. Also `inf`, `-inf`, `nan` (without sign or
/// payload), `true`, `false`. `from` is in host byte order, at any alignment.
std::string formatElement(DType dtype, const void *from);

/// Stores the element that `text` spells at `to`. Floats: a decimal number, or
/// inf or nan, with optional sign; rounded to nearest even, once for f32 and
/// f64, from the nearest double for f16 and bf16; a finite number that would
/// round to infinity is an error. i32: a decimal integer in range. i1: true,
/// false, 1 or 0.
Status parseElement(DType dtype, std::string_view text, void *to);

} // namespace fuse::rt

#endif // FUSE_RUNTIME_ELEMENTTEXT_H
