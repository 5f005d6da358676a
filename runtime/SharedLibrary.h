//===- SharedLibrary.h - libraries loaded while running ---------*- C++ -*-===//

#ifndef FUSE_RUNTIME_SHAREDLIBRARY_H
#define FUSE_RUNTIME_SHAREDLIBRARY_H

#include "fuse/runtime/Status.h"

#include <string>

namespace fuse::rt {

/// What becomes of a library that nothing uses any more. Those of others keep
/// memory of their own, which is lost each time they are unloaded.
enum class Unloading { WhenUnused, Never };

/// A library for as long as this lives.
class SharedLibrary {
public:
  SharedLibrary() = default;
  SharedLibrary(SharedLibrary &&other) noexcept
      : handle(std::exchange(other.handle, nullptr)) {}
  SharedLibrary &operator=(SharedLibrary &&other) noexcept {
    std::swap(handle, other.handle);
    return *this;
  }
  ~SharedLibrary();

  /// `name` is a path, or a name for the loader to search. NoDevice, with what
  /// the loader says, if that fails.
  static Result<SharedLibrary>
  open(const std::string &name, Unloading unloading = Unloading::WhenUnused);

  /// Null if there is no such symbol.
  void *find(const char *symbol) const;

  /// Looks up a function; NoDevice if it is not there.
  template <class Function>
  Status get(const char *symbol, Function *&function) const {
    function = reinterpret_cast<Function *>(find(symbol));
    return function
               ? Status()
               : Status::noDevice(std::string("has no function ") + symbol);
  }

private:
  explicit SharedLibrary(void *handle) : handle(handle) {}

  void *handle = nullptr;
};

} // namespace fuse::rt

#endif // FUSE_RUNTIME_SHAREDLIBRARY_H
