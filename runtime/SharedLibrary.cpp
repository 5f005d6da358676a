//===- SharedLibrary.cpp - libraries loaded while running -----------------===//

#include "SharedLibrary.h"

#include <dlfcn.h>

using namespace fuse::rt;

Result<SharedLibrary> SharedLibrary::open(const std::string &name,
                                          Unloading unloading) {
  const int stays = unloading == Unloading::Never ? RTLD_NODELETE : 0;
  if (void *handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | stays))
    return SharedLibrary(handle);
  const char *reason = dlerror(); // It starts with the name.
  return Status::noDevice(reason ? reason : name + ": cannot be loaded");
}

SharedLibrary::~SharedLibrary() {
  if (handle)
    dlclose(handle);
}

void *SharedLibrary::find(const char *symbol) const {
  return handle ? dlsym(handle, symbol) : nullptr;
}
