//===- SignalFiles.h - Files that go when a signal comes -------*- C++ -*-===//

#ifndef FUSE_TOOLS_FUSERUN_SIGNALFILES_H
#define FUSE_TOOLS_FUSERUN_SIGNALFILES_H

#include "OutputFiles.h"

namespace fuse {

/// Removes what is added when a signal ends the process. Installs handlers for
/// SIGINT, SIGTERM and SIGHUP.
SignalCleanup installSignalCleanup();

} // namespace fuse

#endif // FUSE_TOOLS_FUSERUN_SIGNALFILES_H
