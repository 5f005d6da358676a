//===- DeviceRun.h - --run on a device that runs kernels -------*- C++ -*-===//

#ifndef FUSE_TOOLS_DEVICERUN_H
#define FUSE_TOOLS_DEVICERUN_H

#include "Emit.h"
#include "ExitCode.h"
#include "RunOptions.h"
#include "fuse/interpreter/Tensor.h"
#include "fuse/runtime/Device.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace fuse {

/// One function's kernels, compiled for a device. Every method prints what is
/// wrong.
class DeviceRun {
public:
  /// Lowers a copy of the module that `function` is in, with the extents of the
  /// call for dims that are specialised, and compiles its kernels.
  ExitCode load(mlir::FunctionOpInterface function, const RunOptions &options,
                const DimBindings &dims);
  /// Results of one call. Runtime, with all findings, if the twin has any.
  ExitCode run(ArrayRef<Tensor> arguments, SmallVectorImpl<Tensor> &results);
  ExitCode benchmark(ArrayRef<Tensor> arguments, BenchmarkFormat format);
  void printStats() const;

private:
  ExitCode open(const RunOptions &options);
  ExitCode convert(ArrayRef<Tensor> arguments,
                   std::vector<rt::HostTensor> &tensors, rt::Dims &dims);

  mlir::FunctionOpInterface function;
  NamedExtents extents;
  std::unique_ptr<rt::Device> device;
  std::unique_ptr<rt::Executable> executable;
  double runSeconds = 0;
  uint64_t runBytes = 0;
};

/// Cuda or Host, or why there is none.
rt::Result<std::unique_ptr<rt::Device>> openDevice(Device device);

} // namespace fuse

#endif // FUSE_TOOLS_DEVICERUN_H
