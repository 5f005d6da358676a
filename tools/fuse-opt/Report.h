//===- Report.h - What a status says, and its exit code --------*- C++ -*-===//

#ifndef FUSE_TOOLS_REPORT_H
#define FUSE_TOOLS_REPORT_H

#include "Console.h"
#include "ExitCode.h"

namespace fuse {

/// Prints what is wrong, if anything is.
inline ExitCode report(const rt::Status &status) {
  if (!status.ok())
    printError() << status.message() << "\n";
  return exitCodeOf(status);
}

/// The same for what the user gave.
inline ExitCode reportInput(const rt::Status &status) {
  report(status);
  return status.ok() ? ExitCode::Ok : exitCodeOfInput(status);
}

} // namespace fuse

#endif // FUSE_TOOLS_REPORT_H
