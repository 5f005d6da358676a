//===- Npy.h - NumPy's .npy format ------------------------------*- C++ -*-===//
//
// Types and their `descr` in the file's header:
//
//   f16 '<f2'   f32 '<f4'   f64 '<f8'   i32 '<i4'   i1 '|b1'   bf16 '<V2'
//
// NumPy has no bf16. The `ml_dtypes` package, which gives it one, saves such an
// array as raw two-byte records, '<V2', and so do we; NumPy loads it as `|V2`,
// and `.view(ml_dtypes.bfloat16)` makes it numbers again. The reader takes any
// two-byte record type, and 'bfloat16', for bf16.
//
// Reading accepts versions 1.0, 2.0 and 3.0, either byte order ('>' swaps; '<';
// '=', '|' and none are the host's), C and Fortran order, and headers written
// by Python 2. Nothing in a header is believed: the data must be exactly as
// long as the type says, and this is checked before memory is allocated.
// Writing yields the very bytes `numpy.save` does: version 1.0, C order, data
// aligned to 64.
//
// Errors are InvalidInput for a malformed or unsupported file, Io for what the
// operating system refuses, Resource for missing memory. Every message starts
// with the name of the file.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_NPY_H
#define FUSE_RUNTIME_NPY_H

#include "fuse/runtime/HostTensor.h"
#include "fuse/runtime/Status.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fuse::rt {

/// Reads a regular file. Allocates no more than the file is long, the header
/// and a fixed buffer aside.
Result<HostTensor> readNpyFile(const std::string &path);

/// Reads a file's contents from memory; `name` stands for it in messages.
Result<HostTensor> readNpyBuffer(const void *data, size_t size,
                                 std::string_view name);

/// Writes or replaces `path`. The contents go to a temporary file beside it
/// first, so that a failure leaves nothing behind and the old file untouched.
Status writeNpyFile(const std::string &path, const HostTensor &tensor);

/// The contents that `writeNpyFile` writes.
Result<std::vector<std::byte>> writeNpyBuffer(const HostTensor &tensor);

} // namespace fuse::rt

#endif // FUSE_RUNTIME_NPY_H
