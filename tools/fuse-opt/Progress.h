//===- Progress.h - A sign of life on a terminal ---------------*- C++ -*-===//

#ifndef FUSE_TOOLS_PROGRESS_H
#define FUSE_TOOLS_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace fuse {

/// For as long as it lives, and from the first second on, a line on stderr
/// tells how long `what` has been going on. Does nothing unless stderr is a
/// terminal.
class Progress {
public:
  explicit Progress(llvm::StringRef what);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

private:
  void show();

  std::string what;
  bool done = false;
  std::mutex mutex;
  std::condition_variable wake;
  std::thread thread;
};

} // namespace fuse

#endif // FUSE_TOOLS_PROGRESS_H
