//===- Progress.cpp - A sign of life on a terminal ------------------------===//

#include "Progress.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace fuse;

Progress::Progress(llvm::StringRef what) : what(what.str()) {
  if (llvm::errs().is_displayed())
    thread = std::thread([this] { show(); });
}

Progress::~Progress() {
  if (!thread.joinable())
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    done = true;
  }
  wake.notify_one();
  thread.join();
}

void Progress::show() {
  constexpr const char *startOfLine = "\r\033[K"; // and erase it
  std::unique_lock<std::mutex> lock(mutex);
  int seconds = 0;
  while (!wake.wait_for(lock, std::chrono::seconds(1), [this] { return done; }))
    llvm::errs() << startOfLine << "fuse-opt: " << what << ", " << ++seconds
                 << " s";
  if (seconds > 0)
    llvm::errs() << startOfLine;
}
