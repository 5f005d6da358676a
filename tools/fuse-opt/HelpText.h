//===- HelpText.h - --help and --version -----------------------*- C++ -*-===//

#ifndef FUSE_TOOLS_HELPTEXT_H
#define FUSE_TOOLS_HELPTEXT_H

#include "llvm/Support/CommandLine.h"

namespace fuse {

/// The groups of `--help`, alive for as long as options are parsed.
struct HelpCategories {
  llvm::cl::OptionCategory run{"Fuse run options", "Used with --run."};
  llvm::cl::OptionCategory ir{"IR and passes"};
  llvm::cl::OptionCategory debugging{"MLIR debugging"};
};

/// What `--help` says before the options.
extern const char helpOverview[];
/// And after them: examples and exit codes.
extern const char helpEpilogue[];

/// Renames options of LLVM whose names ours have. Before those are registered.
void freeOptionNames();

/// Puts the options of MLIR, all registered by now, into our categories, and
/// those of LLVM, which no user needs, under `--help-hidden`.
void sortOptions(HelpCategories &categories);

void printVersion(llvm::raw_ostream &os);

} // namespace fuse

#endif // FUSE_TOOLS_HELPTEXT_H
