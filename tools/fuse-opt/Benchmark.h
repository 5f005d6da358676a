//===- Benchmark.h - How long whole runs take ------------------*- C++ -*-===//

#ifndef FUSE_TOOLS_BENCHMARK_H
#define FUSE_TOOLS_BENCHMARK_H

#include "ExitCode.h"
#include "RunOptions.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace fuse {

/// Calls `run` again and again for about a second, three times at least, and
/// reports the median wall time: a line on stderr, or Google Benchmark's JSON
/// on stdout. `run` returns false to end it all with a run-time error.
ExitCode runBenchmark(StringRef name, BenchmarkFormat format,
                      llvm::function_ref<bool()> run);

} // namespace fuse

#endif // FUSE_TOOLS_BENCHMARK_H
