//===- Options.h - The command line of fuse-run ----------------*- C++ -*-===//

#ifndef FUSE_TOOLS_FUSERUN_OPTIONS_H
#define FUSE_TOOLS_FUSERUN_OPTIONS_H

#include "fuse/runtime/Arguments.h"
#include "fuse/runtime/Status.h"
#include "fuse/runtime/Twin.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fuse {

enum class BenchmarkFormat { None, Text, Json };

/// A checked command line.
struct RunOptions {
  std::string artifact; ///< Empty: none was given.
  std::string device = "auto";
  std::vector<rt::InputOption> inputs;
  std::string inputDir; ///< Empty: none.
  std::vector<std::pair<std::string, int64_t>> dims;
  std::string outputDir; ///< Empty: results go to stdout.
  bool outputF64 = false;
  BenchmarkFormat benchmark = BenchmarkFormat::None;
  int64_t maxBytes = 0;
  bool stats = false;
  bool printFull = false;

  int gpu = 0;
  bool debugSync = false;
  bool profilerRanges = false;
  rt::TwinOptions twin;

  bool devices = false;
  bool help = false;
  bool version = false;
};

/// Parses `--name=value`, `--name value` and `--name`. InvalidInput, with the
/// option in front, for what is unknown or has no valid value.
rt::Result<RunOptions> parseOptions(int argc, char **argv);

/// What `--help` prints.
std::string helpText();

} // namespace fuse

#endif // FUSE_TOOLS_FUSERUN_OPTIONS_H
