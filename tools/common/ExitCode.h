//===- ExitCode.h - What the exit code of a tool says ----------*- C++ -*-===//

#ifndef FUSE_TOOLS_EXITCODE_H
#define FUSE_TOOLS_EXITCODE_H

#include "fuse/runtime/Status.h"

namespace fuse {

/// Part of the command line's contract; scripts tell "wrong" from "no GPU".
enum class ExitCode {
  Ok = 0,
  Diagnostic = 1, ///< Bad program, command line or input file.
  Mismatch = 3,   ///< A check failed.
  Runtime = 4,    ///< The program failed while running, or writing did.
  NoDevice = 5,   ///< Nothing that could run the program.
  Resource = 6,   ///< Would need, or did need, more memory than there is.
};

/// For a failure to read, or to understand, what the user gave.
inline ExitCode exitCodeOfInput(const rt::Status &status) {
  return status.code() == rt::StatusCode::Resource ? ExitCode::Resource
                                                   : ExitCode::Diagnostic;
}

/// For any other failure.
inline ExitCode exitCodeOf(const rt::Status &status) {
  switch (status.code()) {
  case rt::StatusCode::Ok:
    return ExitCode::Ok;
  case rt::StatusCode::InvalidInput:
    return ExitCode::Diagnostic;
  case rt::StatusCode::Resource:
    return ExitCode::Resource;
  case rt::StatusCode::NoDevice:
    return ExitCode::NoDevice;
  case rt::StatusCode::Io:
  case rt::StatusCode::Runtime:
    return ExitCode::Runtime;
  }
  return ExitCode::Runtime;
}

} // namespace fuse

#endif // FUSE_TOOLS_EXITCODE_H
