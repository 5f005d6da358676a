//===- DeviceRun.h - --run on a device that runs kernels -------*- C++ -*-===//

#ifndef FUSE_TOOLS_DEVICERUN_H
#define FUSE_TOOLS_DEVICERUN_H

#include "DeviceChoice.h"
#include "Emit.h"
#include "ExitCode.h"
#include "RunOptions.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace fuse {

/// One function's kernels, compiled for a device. Every method prints what is
/// wrong, but for the want of a device where `auto` has another choice.
class DeviceRun {
public:
  /// Auto, Cuda or Host.
  explicit DeviceRun(Device device);

  ExitCode open();
  /// Lowers a copy of the module that `function` is in, with the extents of the
  /// call for dims that are specialised, and compiles its kernels.
  ExitCode load(mlir::FunctionOpInterface function, const DimBindings &dims);
  std::string describe() const { return device.describe(); }
  /// Results of one call. Runtime, with all findings, if the twin has any.
  ExitCode run(const std::vector<rt::HostTensor> &arguments,
               std::vector<rt::HostTensor> &results);
  ExitCode benchmark(const std::vector<rt::HostTensor> &arguments,
                     BenchmarkFormat format);
  void printStats() const;

private:
  ExitCode reportUnlessAuto(const rt::Status &status) const;
  ExitCode bindDims(const std::vector<rt::HostTensor> &arguments,
                    rt::Dims &dims) const;

  bool isAuto;
  DeviceChoice device;
  mlir::FunctionOpInterface function;
  NamedExtents extents;
  std::unique_ptr<rt::Executable> executable;
  double runSeconds = 0;
  uint64_t runBytes = 0;
};

} // namespace fuse

#endif // FUSE_TOOLS_DEVICERUN_H
