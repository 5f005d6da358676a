//===- RunOptions.h - The options of --run ---------------------*- C++ -*-===//

#ifndef FUSE_TOOLS_RUNOPTIONS_H
#define FUSE_TOOLS_RUNOPTIONS_H

#include "fuse/interpreter/Judge.h"
#include "fuse/ir/FuseOps.h"
#include "fuse/runtime/Arguments.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace llvm::cl {
class OptionCategory;
} // namespace llvm::cl

namespace fuse {

enum class Device { Auto, Cuda, Host, Interpreter };

enum class BenchmarkFormat { None, Text, Json };

enum class OutputType { Declared, F64 };

struct CheckOption {
  Criterion criterion;
  /// Evaluate and judge only so many elements, spread over all results.
  std::optional<int64_t> sample;
};

/// A checked command line.
struct RunOptions {
  Device device = Device::Auto;
  std::string function = "main";
  std::vector<rt::InputOption> inputs;
  std::string inputDir; ///< Empty: none.
  std::vector<std::pair<std::string, int64_t>> dims;
  std::string outputDir; ///< Empty: results go to stdout.
  OutputType outputType = OutputType::Declared;
  std::optional<CheckOption> check;
  BenchmarkFormat benchmark = BenchmarkFormat::None;
  std::optional<Precision> fp32;
  int64_t maxBytes = 0;
  bool stats = false;
  bool printFull = false;
};

/// Registers the options for as long as it lives, and holds what was given.
class RunFlags {
public:
  explicit RunFlags(llvm::cl::OptionCategory &category);
  ~RunFlags();

  bool isRun() const;

  /// The name of an option that only --run has a use for; empty if none of
  /// them was given.
  std::string firstGiven() const;

  /// Prints an error and returns nullopt if an option has no valid value.
  std::optional<RunOptions> parse() const;

private:
  struct Flags;
  std::unique_ptr<Flags> flags;
};

} // namespace fuse

#endif // FUSE_TOOLS_RUNOPTIONS_H
