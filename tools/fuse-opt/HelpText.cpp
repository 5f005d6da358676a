//===- HelpText.cpp - --help and --version --------------------------------===//

#include "HelpText.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

const char fuse::helpOverview[] =
    R"(fuse-opt checks, lowers and runs tensor programs

  fuse-opt P.mlir [passes]                    check, lower and print
  fuse-opt P.mlir [passes] --run [options]    run what the passes leave

P.mlir is MLIR text or bytecode; '-' or nothing reads it from stdin.
)";

const char fuse::helpEpilogue[] = R"(
EXAMPLES:

  fuse-opt P.mlir --fuse-decompose-composites --canonicalize
  fuse-opt P.mlir --run --dims=B=2,N=24 --check
  fuse-opt P.mlir --run --input-dir=case1 --input=mask=splat:1 --output-dir=out

EXIT CODES:

  0  all is well
  1  bad program, command line or input file
  3  a check failed: the results are wrong
  4  the program failed while running, or its results could not be written
  5  no usable device
  6  more memory needed than there is
)";

void fuse::freeOptionNames() {
  // LLVM's counters, which Debian's build does not have.
  if (cl::Option *stats = cl::getRegisteredOptions().lookup("stats"))
    stats->setArgStr("llvm-stats");
}

/// MLIR's options on what is read, done and written.
static const StringSet<> &irOptions() {
  static const StringSet<> names = {
      "allow-unregistered-dialect",
      "dump-pass-pipeline",
      "elide-resource-data-from-bytecode",
      "emit-bytecode",
      "emit-bytecode-version",
      "irdl-file",
      "list-passes",
      "load-dialect-plugin",
      "load-pass-plugin",
      "no-implicit-module",
      "output-split-marker",
      "p",
      "pass-pipeline",
      "run-reproducer",
      "show-dialects",
      "split-input-file",
      "verify-diagnostics",
      "verify-each",
      "verify-roundtrip",
  };
  return names;
}

static bool isDebuggingOption(StringRef name) {
  return name.starts_with("mlir-") || name.starts_with("log-") ||
         name.starts_with("profile-actions");
}

/// A category that is neither ours nor LLVM's.
static bool isGenericCategory(StringRef name) {
  return name == "Generic Options" || name == "Color Options" ||
         name == "Remark Options";
}

void fuse::sortOptions(HelpCategories &categories) {
  for (const auto &entry : cl::getRegisteredOptions()) {
    StringRef name = entry.first;
    cl::Option &option = *entry.second;
    cl::OptionCategory *category = option.Categories.front();
    if (category == &categories.run || isGenericCategory(category->getName()))
      continue;
    // Each pass is listed by its name, but all are values of one option.
    if (option.ArgStr.empty() || irOptions().contains(name))
      option.addCategory(categories.ir);
    else if (isDebuggingOption(name))
      option.addCategory(categories.debugging);
    else
      option.setHiddenFlag(cl::Hidden);
  }
}

void fuse::printVersion(raw_ostream &os) {
  os << "fuse-opt " FUSE_VERSION " (" FUSE_GIT_HASH ")\n"
     << "MLIR and LLVM " LLVM_VERSION_STRING "\n"
     << FUSE_BUILD_TYPE " build\n";
}
