//===- BenchmarkTest.cpp - reports of times -------------------------------===//

#include "fuse/runtime/Benchmark.h"

#include "JsonCursor.h"
#include "TestUtils.h"

#include <nlohmann/json.hpp>

using namespace fuse::rt;

TEST(Benchmark, Quantiles) {
  EXPECT_EQ(quantile({3, 1, 2}, 0.5), 2);
  EXPECT_EQ(quantile({4, 1, 2, 3}, 0.5), 2.5);
  EXPECT_EQ(quantile({10, 20}, 0.1), 11);
  EXPECT_EQ(quantile({10, 20}, 0.9), 19);
  EXPECT_EQ(quantile({5}, 0.9), 5);
  EXPECT_TRUE(std::isnan(quantile({}, 0.5)));
}

TEST(Benchmark, GoogleBenchmarkJson) {
  std::string text = formatBenchmarkJson(
      "p/cuda", {{"latency", 1, {3000, 1000, 2000}}}, {{"device", "a GPU"}});
  Result<Json> json = parseJson(text, 8);
  ASSERT_EQ(messageOf(json), "");
  EXPECT_EQ((*json)["context"]["device"], "a GPU");
  EXPECT_EQ((*json)["context"]["date"].get<std::string>().size(), 24u);
  EXPECT_GE((*json)["context"]["num_cpus"], 1);
  const Json &entries = (*json)["benchmarks"];
  ASSERT_EQ(entries.size(), 6u);
  EXPECT_EQ(entries[0]["name"], "p/cuda/latency");
  EXPECT_EQ(entries[0]["run_type"], "iteration");
  EXPECT_EQ(entries[0]["repetition_index"], 0);
  EXPECT_EQ(entries[0]["real_time"], 3000.0);
  EXPECT_EQ(entries[2]["repetition_index"], 2);
  EXPECT_EQ(entries[3]["name"], "p/cuda/latency_median");
  EXPECT_EQ(entries[3]["run_name"], "p/cuda/latency");
  EXPECT_EQ(entries[3]["run_type"], "aggregate");
  EXPECT_EQ(entries[3]["aggregate_name"], "median");
  EXPECT_EQ(entries[3]["real_time"], 2000.0);
  EXPECT_EQ(entries[4]["aggregate_name"], "p10");
  EXPECT_EQ(entries[5]["aggregate_name"], "p90");
  for (const Json &entry : entries) {
    EXPECT_EQ(entry["time_unit"], "ns");
    EXPECT_EQ(entry["repetitions"], 3);
  }
}

TEST(Benchmark, Lines) {
  EXPECT_EQ(formatMeasurement({"latency", 1, {2300}}),
            "latency: 2.300 us (median of 1; p10 2.300, p90 2.300)");
  EXPECT_EQ(formatMeasurement({"twin", 1, {2.5e6, 3.5e6}}),
            "twin: 3.000 ms (median of 2; p10 2.600, p90 3.400)");
  EXPECT_EQ(formatMeasurement({"kernel k", 1, {2300}, 2.5}),
            "kernel k: 2.300 us (median of 1; p10 2.300, p90 2.300), predicted "
            "2.500 us");
  EXPECT_EQ(formatMeasurement({"twin", 1, {2e9}}),
            "twin: 2.000 s (median of 1; p10 2.000, p90 2.000)");
}
