//===- DeviceChoice.cpp - --device=auto|cuda|host -------------------------===//

#include "DeviceChoice.h"

using namespace fuse;

DeviceChoice::DeviceChoice(const std::string &name, rt::CudaOptions cuda,
                           rt::HostOptions host)
    : cuda(std::move(cuda)), host(std::move(host)) {
  if (name == "auto")
    candidates = {"cuda", "host"};
  else
    candidates = {name};
}

void DeviceChoice::reject(const rt::Status &status) {
  reasons += (reasons.empty() ? "" : "; ") + status.message();
}

rt::Status DeviceChoice::open() {
  device.reset();
  while (!candidates.empty()) {
    std::string name = candidates.front();
    candidates.erase(candidates.begin());
    auto opened =
        name == "cuda" ? rt::openCudaDevice(cuda) : rt::openHostDevice(host);
    if (opened.ok()) {
      device = std::move(*opened);
      return {};
    }
    if (opened.status().code() != rt::StatusCode::NoDevice)
      return opened.status();
    reject(opened.status());
  }
  return rt::Status::noDevice("no usable device: " + reasons);
}

rt::Result<std::unique_ptr<rt::Executable>>
DeviceChoice::load(const std::shared_ptr<const rt::Program> &program) {
  for (;;) {
    rt::Result<std::unique_ptr<rt::Executable>> executable =
        device->load(program);
    if (executable.ok() ||
        executable.status().code() != rt::StatusCode::NoDevice)
      return executable;
    reject(executable.status());
    if (rt::Status status = open(); !status.ok())
      return status;
  }
}

std::string DeviceChoice::describe() const {
  return std::string(device->name()) + " (" + device->describe() + ")";
}
