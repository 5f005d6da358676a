//===- PrintConformance.cpp - what the primitives give on the host --------===//
//
// Prints a line for each case of conformance.cu, `name hash`, which a GPU must
// print, too (conformance_main.cu).

#include "Conformance.h"

#include <iostream>

int main() {
  auto module = fuse::rt::TwinModule::load(FUSE_TWIN_CONFORMANCE);
  if (!module.ok()) {
    std::cerr << module.status().message() << '\n';
    return 1;
  }
  fuse::rt::TwinOptions options;
  options.checks = false;
  for (const auto &test : fuse::test::conformanceCases()) {
    std::vector<fuse::rt::TwinFinding> findings;
    const auto words = fuse::test::runCase(**module, test, options, findings);
    if (words.empty() || !findings.empty()) {
      std::cerr << test.kernel << " does not run\n";
      return 1;
    }
    fuse::test::printConformance(test.kernel, words);
  }
  return 0;
}
