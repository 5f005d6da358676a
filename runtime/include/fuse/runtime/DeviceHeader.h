//===- DeviceHeader.h - the text in front of every kernel -------*- C++ -*-===//

#ifndef FUSE_RUNTIME_DEVICEHEADER_H
#define FUSE_RUNTIME_DEVICEHEADER_H

#include <string_view>

namespace fuse {

/// The device header: one text that includes nothing and declares namespace
/// `fuse`. It compiles with NVRTC, nvcc, g++ and clang++ as C++17.
std::string_view deviceHeader();

} // namespace fuse

#endif // FUSE_RUNTIME_DEVICEHEADER_H
