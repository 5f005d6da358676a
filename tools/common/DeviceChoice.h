//===- DeviceChoice.h - --device=auto|cuda|host ----------------*- C++ -*-===//

#ifndef FUSE_TOOLS_DEVICECHOICE_H
#define FUSE_TOOLS_DEVICECHOICE_H

#include "fuse/runtime/Device.h"

#include <memory>
#include <string>
#include <vector>

namespace fuse {

/// Opens the device that was asked for. `auto` is cuda, else host; it goes on
/// to host also where cuda cannot load a program for want of a compiler.
class DeviceChoice {
public:
  /// `name` is auto, cuda or host.
  DeviceChoice(const std::string &name, rt::CudaOptions cuda,
               rt::HostOptions host);

  /// NoDevice, with all reasons, if nothing opens.
  rt::Status open();

  /// Loads a program on the open device, or on the next one that can.
  rt::Result<std::unique_ptr<rt::Executable>>
  load(const std::shared_ptr<const rt::Program> &program);

  const rt::Device &get() const { return *device; }
  /// `host (g++ 12)`.
  std::string describe() const;

private:
  /// Notes why a device is not used.
  void reject(const rt::Status &status);

  std::vector<std::string> candidates; ///< Not tried yet.
  rt::CudaOptions cuda;
  rt::HostOptions host;
  std::unique_ptr<rt::Device> device;
  std::string reasons;
};

} // namespace fuse

#endif // FUSE_TOOLS_DEVICECHOICE_H
