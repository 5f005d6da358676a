//===- CudaDriver.cpp - the CUDA driver, loaded while running -------------===//

#include "CudaDriver.h"

using namespace fuse::rt;

static Status noDriver(const std::string &reason) {
  return Status::noDevice("device cuda expects an NVIDIA driver: " + reason);
}

Result<std::shared_ptr<const CudaDriver>> CudaDriver::load(std::string path) {
  if (path.empty())
    path = "libcuda.so.1";
  Result<SharedLibrary> library = SharedLibrary::open(path, Unloading::Never);
  if (!library.ok())
    return noDriver(library.status().message());
  auto driver = std::make_shared<CudaDriver>();
  driver->library = std::move(*library);
#define FUSE_LOOK_UP(name, symbol, parameters)                                 \
  if (Status status = driver->library.get(symbol, driver->name); !status.ok()) \
    return noDriver(path + " " + status.message() + ", it is too old");
  FUSE_CUDA_FUNCTIONS(FUSE_LOOK_UP)
#undef FUSE_LOOK_UP
  if (int result = driver->init(0); result == cuda::ErrorNoDevice)
    return Status::noDevice("device cuda expects a GPU, but the driver has "
                            "none");
  else if (result != cuda::Success)
    return noDriver("it does not start: " + driver->describe(result));
  if (int result = driver->driverGetVersion(&driver->versionNumber))
    return noDriver("it does not tell its version: " +
                    driver->describe(result));
  return std::shared_ptr<const CudaDriver>(std::move(driver));
}

std::string CudaDriver::describe(int result) const {
  const char *name = nullptr, *text = nullptr;
  if (getErrorName(result, &name) != cuda::Success || !name)
    return "error " + std::to_string(result);
  if (getErrorString(result, &text) != cuda::Success || !text)
    return name;
  return std::string(name) + ": " + text;
}

Status CudaDriver::check(int result, std::string_view what) const {
  if (result == cuda::Success)
    return {};
  std::string message = "cannot " + std::string(what) + ": " + describe(result);
  return result == cuda::ErrorOutOfMemory ? Status::resource(std::move(message))
                                          : Status::runtime(std::move(message));
}
