//===- Benchmark.cpp - times, and their report ----------------------------===//

#include "fuse/runtime/Benchmark.h"

#include "JsonCursor.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <limits>
#include <unistd.h>

using namespace fuse::rt;

double fuse::rt::quantile(std::vector<double> samples, double share) {
  if (samples.empty())
    return std::numeric_limits<double>::quiet_NaN();
  std::sort(samples.begin(), samples.end());
  double place = share * double(samples.size() - 1);
  auto below = static_cast<size_t>(place);
  size_t above = std::min(below + 1, samples.size() - 1);
  return samples[below] +
         (place - double(below)) * (samples[above] - samples[below]);
}

/// Aggregates and the share of samples below each.
static constexpr std::pair<const char *, double> kAggregates[] = {
    {"median", 0.5}, {"p10", 0.1}, {"p90", 0.9}};

/// What entries of samples and of aggregates have in common.
static Json entry(const std::string &name, const Measurement &measurement,
                  double nanoseconds) {
  Json json = {{"name", name},
               {"run_name", name},
               {"run_type", "iteration"},
               {"repetitions", measurement.nanoseconds.size()},
               {"threads", 1},
               {"iterations", measurement.calls},
               {"real_time", nanoseconds},
               {"cpu_time", nanoseconds},
               {"time_unit", "ns"}};
  if (measurement.predictedMicroseconds)
    json["predicted_us"] = *measurement.predictedMicroseconds;
  return json;
}

static void addEntries(const std::string &name, const Measurement &measurement,
                       Json &entries) {
  int64_t index = 0;
  for (double nanoseconds : measurement.nanoseconds) {
    Json json = entry(name, measurement, nanoseconds);
    json["repetition_index"] = index++;
    entries.push_back(std::move(json));
  }
  for (auto [aggregate, share] : kAggregates) {
    Json json =
        entry(name, measurement, quantile(measurement.nanoseconds, share));
    json["name"] = name + "_" + aggregate;
    json["run_type"] = "aggregate";
    json["aggregate_name"] = aggregate;
    entries.push_back(std::move(json));
  }
}

/// Local time as Google Benchmark writes it.
static std::string dateNow() {
  std::time_t now = std::time(nullptr);
  std::tm local = {};
  char text[64] = "";
  if (localtime_r(&now, &local))
    std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S%z", &local);
  return text;
}

std::string fuse::rt::formatBenchmarkJson(
    const std::string &name, const std::vector<Measurement> &measurements,
    const std::vector<std::pair<std::string, std::string>> &context) {
  Json json;
  json["context"] = {{"date", dateNow()},
                     {"num_cpus", int64_t(sysconf(_SC_NPROCESSORS_ONLN))}};
  for (const auto &[key, value] : context)
    json["context"][key] = value;
  json["benchmarks"] = Json::array();
  for (const Measurement &measurement : measurements)
    addEntries(name + "/" + measurement.name, measurement, json["benchmarks"]);
  return formatJson(json, /*indent=*/2);
}

std::string fuse::rt::formatMeasurement(const Measurement &measurement) {
  double median = quantile(measurement.nanoseconds, 0.5);
  auto [scale, unit] = median < 1e6   ? std::pair(1e-3, "us")
                       : median < 1e9 ? std::pair(1e-6, "ms")
                                      : std::pair(1e-9, "s");
  char text[160];
  std::snprintf(text, sizeof(text),
                "%s: %.3f %s (median of %zu; p10 %.3f, p90 %.3f)",
                measurement.name.c_str(), median * scale, unit,
                measurement.nanoseconds.size(),
                quantile(measurement.nanoseconds, 0.1) * scale,
                quantile(measurement.nanoseconds, 0.9) * scale);
  std::string line = text;
  if (measurement.predictedMicroseconds) {
    std::snprintf(text, sizeof(text), ", predicted %.3f us",
                  *measurement.predictedMicroseconds);
    line += text;
  }
  return line;
}
