//===- Outputs.h - Where results go ----------------------------*- C++ -*-===//

#ifndef FUSE_TOOLS_OUTPUTS_H
#define FUSE_TOOLS_OUTPUTS_H

#include "ExitCode.h"
#include "RunOptions.h"
#include "fuse/interpreter/Tensor.h"

namespace fuse {

/// Fails, with an error, if results of these names could not be written to
/// the folder, before time is spent on computing them. Changes nothing.
ExitCode checkOutputDir(const std::string &folder, ArrayRef<std::string> names);

/// Writes `<name>.npy` for each result to `options.outputDir`, all of them or
/// none, or else prints them to stdout.
ExitCode putResults(ArrayRef<std::string> names, ArrayRef<Tensor> results,
                    const RunOptions &options);

} // namespace fuse

#endif // FUSE_TOOLS_OUTPUTS_H
