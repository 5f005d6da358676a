//===- Status.h - results without exceptions --------------------*- C++ -*-===//

#ifndef FUSE_RUNTIME_STATUS_H
#define FUSE_RUNTIME_STATUS_H

#include <cassert>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace fuse::rt {

/// Why an operation failed. Tools map it to an exit code.
enum class StatusCode {
  Ok,
  InvalidInput, ///< What the user gave is malformed or does not fit.
  Resource,     ///< Memory, or another limit of the process, is exhausted.
  Io,           ///< The operating system refused to read or to write.
  Runtime,      ///< A device failed, or a program while it ran.
  NoDevice,     ///< There is nothing to run on: no driver, GPU or compiler.
};

/// Success, or a code and one message for the user: lower case, no full stop,
/// in the form "expects X, but got Y" where there is something to expect.
class [[nodiscard]] Status {
public:
  /// Success.
  Status() = default;

  static Status invalidInput(std::string message) {
    return Status(StatusCode::InvalidInput, std::move(message));
  }
  static Status resource(std::string message) {
    return Status(StatusCode::Resource, std::move(message));
  }
  static Status io(std::string message) {
    return Status(StatusCode::Io, std::move(message));
  }
  static Status runtime(std::string message) {
    return Status(StatusCode::Runtime, std::move(message));
  }
  static Status noDevice(std::string message) {
    return Status(StatusCode::NoDevice, std::move(message));
  }

  bool ok() const { return statusCode == StatusCode::Ok; }
  StatusCode code() const { return statusCode; }

  /// Empty on success.
  const std::string &message() const { return text; }

  /// Prefixes a failure's message with "context: "; success stays success.
  Status withContext(std::string_view context) && {
    if (!ok())
      text.insert(0, std::string(context) + ": ");
    return std::move(*this);
  }

private:
  Status(StatusCode code, std::string message)
      : statusCode(code), text(std::move(message)) {}

  StatusCode statusCode = StatusCode::Ok;
  std::string text;
};

/// A value, or the failure that prevented it. Dereferencing a failure is a
/// programming error, checked by assertion.
template <class T>
class [[nodiscard]] Result {
public:
  Result(T value) : content(std::in_place_index<0>, std::move(value)) {}
  Result(Status failure) : content(std::in_place_index<1>, std::move(failure)) {
    assert(!std::get<1>(content).ok() && "a result needs a value or a failure");
  }

  bool ok() const { return content.index() == 0; }

  /// The failure, or success if there is a value.
  Status status() const { return ok() ? Status() : *std::get_if<1>(&content); }

  T &operator*() & {
    assert(ok() && "dereferencing a failed result");
    return *std::get_if<0>(&content);
  }
  const T &operator*() const & {
    assert(ok() && "dereferencing a failed result");
    return *std::get_if<0>(&content);
  }
  T &&operator*() && { return std::move(**this); }
  T *operator->() { return &**this; }
  const T *operator->() const { return &**this; }

  /// As for Status.
  Result withContext(std::string_view context) && {
    if (!ok())
      return std::move(*std::get_if<1>(&content)).withContext(context);
    return std::move(*this);
  }

private:
  std::variant<T, Status> content;
};

} // namespace fuse::rt

#endif // FUSE_RUNTIME_STATUS_H
