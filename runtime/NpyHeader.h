//===- NpyHeader.h - the header of a .npy file ------------------*- C++ -*-===//

#ifndef FUSE_RUNTIME_NPYHEADER_H
#define FUSE_RUNTIME_NPYHEADER_H

#include "fuse/runtime/Status.h"
#include "fuse/runtime/TensorType.h"

#include <string>
#include <string_view>

namespace fuse::rt {

/// What every .npy file starts with; two version bytes follow, then the length
/// of the header in little-endian order: 2 bytes in version 1, 4 bytes after.
inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

struct NpyHeader {
  TensorType type;
  bool swapBytes = false; ///< Elements are not in the host's byte order.
  bool fortranOrder = false;
};

/// Parses the header proper, a Python dictionary. Messages name no file.
Result<NpyHeader> parseNpyHeader(std::string_view text);

/// All that `numpy.save` writes before the data of a C-ordered array.
std::string formatNpyHeader(const TensorType &type);

} // namespace fuse::rt

#endif // FUSE_RUNTIME_NPYHEADER_H
