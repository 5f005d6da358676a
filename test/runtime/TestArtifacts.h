//===- TestArtifacts.h - small compiled programs ----------------*- C++ -*-===//

#ifndef FUSE_TEST_RUNTIME_TESTARTIFACTS_H
#define FUSE_TEST_RUNTIME_TESTARTIFACTS_H

#include "fuse/runtime/Artifact.h"
#include "fuse/runtime/Program.h"

#include <memory>
#include <string>
#include <string_view>

namespace fuse::rt {

/// The text of two kernels, `row_sums` and `scale_rows`, one thread a row. With
/// the device header in front it compiles, for CUDA and for the host.
extern const char kTwoKernels[];

/// y[n, c] = x[n, c] * w[c] / (sum of x[n, :]), on f32, in two kernels: the
/// sums go through the workspace. Dim N is at run time, from 1 to 4096; C is
/// the constant 4.
Artifact makeTwoKernelArtifact(std::string_view header = {});

std::shared_ptr<const Program> makeProgram(Artifact artifact);

/// `bytes`, a serialized artifact, with another manifest and a right checksum.
std::string withManifest(const std::string &bytes, const std::string &manifest);
std::string manifestOf(const std::string &bytes);

} // namespace fuse::rt

#endif // FUSE_TEST_RUNTIME_TESTARTIFACTS_H
