//===- Benchmark.h - times, and their report --------------------*- C++ -*-===//

#ifndef FUSE_RUNTIME_BENCHMARK_H
#define FUSE_RUNTIME_BENCHMARK_H

#include "fuse/runtime/Status.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fuse::rt {

struct BenchmarkOptions {
  int64_t replays = 200;       ///< Samples of each measurement, at least.
  double seconds = 0.5;        ///< Or more samples, for so long.
  int64_t mostReplays = 2000;  ///< But not more.
  int64_t callsPerReplay = 20; ///< Of the throughput.
};

/// Samples of one quantity.
struct Measurement {
  std::string name;  ///< Such as `latency`.
  int64_t calls = 1; ///< In each sample; times are of one call.
  std::vector<double> nanoseconds;
  std::optional<double> predictedMicroseconds = {}; ///< At the planned sizes.
};

/// The value below which a share of `samples` lies, between neighbours in
/// proportion. NaN if there is none.
double quantile(std::vector<double> samples, double share);

/// The context and the benchmarks of Google Benchmark's JSON: each sample is a
/// repetition, followed by the aggregates median, p10 and p90. Names start with
/// `name/`. `context` adds to date and number of CPUs.
std::string formatBenchmarkJson(
    const std::string &name, const std::vector<Measurement> &measurements,
    const std::vector<std::pair<std::string, std::string>> &context);

/// A line such as `latency: 12.3 us (median of 200; p10 12.1, p90 12.9)`, and
/// `, predicted 11.9 us` where something was.
std::string formatMeasurement(const Measurement &measurement);

} // namespace fuse::rt

#endif // FUSE_RUNTIME_BENCHMARK_H
