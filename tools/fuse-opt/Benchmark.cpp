//===- Benchmark.cpp - How long whole runs take ---------------------------===//

#include "Benchmark.h"
#include "Console.h"
#include "Progress.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Threading.h"
#include <chrono>
#include <ctime>

using namespace llvm;
using namespace fuse;

namespace {
/// Of one repetition, in seconds.
struct Times {
  double wall, cpu;
};
} // namespace

static bool measure(llvm::function_ref<bool()> run,
                    std::vector<Times> &repetitions) {
  constexpr double enough = 1;
  constexpr size_t fewest = 3, most = 1000;
  double total = 0;
  Progress progress("benchmark");
  while (repetitions.size() < fewest ||
         (total < enough && repetitions.size() < most)) {
    std::clock_t cpuStart = std::clock();
    auto wallStart = std::chrono::steady_clock::now();
    if (!run())
      return false;
    std::chrono::duration<double> wall =
        std::chrono::steady_clock::now() - wallStart;
    double cpu = double(std::clock() - cpuStart) / CLOCKS_PER_SEC;
    repetitions.push_back({wall.count(), cpu});
    total += wall.count();
  }
  return true;
}

static double median(ArrayRef<Times> repetitions, double Times::*time) {
  std::vector<double> sorted;
  for (const Times &times : repetitions)
    sorted.push_back(times.*time);
  llvm::sort(sorted);
  size_t middle = sorted.size() / 2;
  return sorted.size() % 2 ? sorted[middle]
                           : (sorted[middle - 1] + sorted[middle]) / 2;
}

/// One entry of Google Benchmark's format, in which tools look these up.
static json::Object entry(StringRef name, size_t repetitions, Times times) {
  auto nanoseconds = [](double seconds) { return int64_t(seconds * 1e9); };
  return json::Object{{"run_name", name},
                      {"repetitions", int64_t(repetitions)},
                      {"threads", 1},
                      {"iterations", 1},
                      {"real_time", nanoseconds(times.wall)},
                      {"cpu_time", nanoseconds(times.cpu)},
                      {"time_unit", "ns"}};
}

static void printJson(StringRef name, ArrayRef<Times> repetitions,
                      Times medians) {
  json::Array benchmarks;
  for (auto [index, times] : enumerate(repetitions)) {
    json::Object item = entry(name, repetitions.size(), times);
    item["name"] = name;
    item["run_type"] = "iteration";
    item["repetition_index"] = int64_t(index);
    benchmarks.push_back(std::move(item));
  }
  json::Object item = entry(name, repetitions.size(), medians);
  item["name"] = (name + "_median").str();
  item["run_type"] = "aggregate";
  item["aggregate_name"] = "median";
  benchmarks.push_back(std::move(item));
  auto now = std::chrono::time_point_cast<std::chrono::seconds>(
      std::chrono::system_clock::now());
  json::Object context{
      {"date", formatv("{0:%Y-%m-%dT%H:%M:%S}", sys::TimePoint<>(now)).str()},
      {"executable", "fuse-opt"},
      {"num_cpus", int64_t(hardware_concurrency().compute_thread_count())}};
  outs() << formatv("{0:2}", json::Value(json::Object{
                                 {"context", std::move(context)},
                                 {"benchmarks", std::move(benchmarks)}}))
         << "\n";
}

ExitCode fuse::runBenchmark(StringRef name, BenchmarkFormat format,
                            llvm::function_ref<bool()> run) {
  std::vector<Times> repetitions;
  if (!measure(run, repetitions))
    return ExitCode::Runtime;
  Times medians = {median(repetitions, &Times::wall),
                   median(repetitions, &Times::cpu)};
  if (format == BenchmarkFormat::Json) {
    printJson(name, repetitions, medians);
    return flushStdout() ? ExitCode::Ok : ExitCode::Runtime;
  }
  printInfo() << formatv("{0}: {1:f6} s (median of {2})\n", name, medians.wall,
                         repetitions.size());
  return ExitCode::Ok;
}
