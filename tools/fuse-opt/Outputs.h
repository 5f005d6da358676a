//===- Outputs.h - Where results go ----------------------------*- C++ -*-===//

#ifndef FUSE_TOOLS_OUTPUTS_H
#define FUSE_TOOLS_OUTPUTS_H

#include "ExitCode.h"
#include "RunOptions.h"
#include "fuse/interpreter/Tensor.h"
#include "fuse/runtime/HostTensor.h"

namespace fuse {

/// What a computed tensor is put out as.
rt::Result<rt::HostTensor> toOutput(const Tensor &result,
                                    OutputType outputType);

/// Writes `<name>.npy` for each result to `options.outputDir`, all of them or
/// none, or else prints them to stdout. They are made one at a time.
ExitCode
putResults(ArrayRef<std::string> names,
           function_ref<rt::Result<rt::HostTensor>(size_t index)> makeResult,
           const RunOptions &options);

} // namespace fuse

#endif // FUSE_TOOLS_OUTPUTS_H
