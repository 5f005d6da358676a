//===- Reporter.h - collects findings ---------------------------*- C++ -*-===//

#ifndef FUSE_RUNTIME_TWIN_REPORTER_H
#define FUSE_RUNTIME_TWIN_REPORTER_H

#include "Library.h"
#include "fuse/runtime/Twin.h"

#include <atomic>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace fuse::rt::twin {

/// A program counter that a finding names.
struct Place {
  const Library *library;
  uint32_t pc; ///< Of the instruction after the call that it stands for.
};

/// Marks of the first and second place in a finding's text.
constexpr const char *firstPlace = "\1";
constexpr const char *secondPlace = "\2";

/// Findings of a run. They are kept with program counters; lines are looked up
/// once, at the end. Used by all workers.
class Reporter {
public:
  explicit Reporter(unsigned maxFindings) : maxFindings(maxFindings) {}

  /// Records a finding unless it is known. `text` holds the marks of `places`.
  void add(FindingKind kind, const std::string &kernel, std::string text,
           std::vector<Place> places);

  /// Ends the run: no thread goes on from here.
  void stop() { stopped.store(true, std::memory_order_relaxed); }
  bool mustStop() const { return stopped.load(std::memory_order_relaxed); }

  /// Ends the run with an error instead of findings.
  void fail(Status status);
  const Status &failure() const { return error; }

  /// The findings so far, with lines.
  std::vector<TwinFinding> finish();

private:
  struct Raw {
    FindingKind kind;
    std::string kernel, text;
    std::vector<Place> places;
  };

  const unsigned maxFindings;
  std::atomic<bool> stopped = false;
  std::mutex mutex;
  std::vector<Raw> found;
  std::set<std::string> known;
  Status error;
};

} // namespace fuse::rt::twin

#endif // FUSE_RUNTIME_TWIN_REPORTER_H
