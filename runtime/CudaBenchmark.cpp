//===- CudaBenchmark.cpp - how long calls and their kernels take ----------===//

#include "CompileCached.h"
#include "CudaExecutable.h"
#include "JsonCursor.h"
#include "NoThrow.h"

#include <algorithm>

using namespace fuse::rt;

namespace {
/// Times replays of graphs by events around each. The replays follow one
/// another without a pause, because a GPU that idles adds the latency of the
/// host to the times.
class ReplayTimer {
public:
  ReplayTimer(std::shared_ptr<const CudaGpu> gpu, cuda::Stream stream,
              const BenchmarkOptions &options)
      : gpu(std::move(gpu)), stream(stream), options(options) {}

  Result<Measurement> measure(const std::string &name, int64_t calls,
                              const CapturedCall &graph);

private:
  Status synchronize() const {
    return gpu->driver->check(gpu->driver->streamSynchronize(stream),
                              "run the benchmark");
  }
  Result<int64_t> warmUp(const CapturedCall &graph);

  std::shared_ptr<const CudaGpu> gpu;
  cuda::Stream stream;
  const BenchmarkOptions &options;
};
} // namespace

/// Runs until clocks and caches are settled; returns how many replays to time.
Result<int64_t> ReplayTimer::warmUp(const CapturedCall &graph) {
  constexpr int64_t kRounds = 3, kReplays = 5;
  double seconds = 0;
  for (int64_t round = 0; round < kRounds; ++round) {
    Stopwatch watch;
    for (int64_t i = 0; i < kReplays; ++i)
      if (Status status = graph.launch(stream); !status.ok())
        return status;
    if (Status status = synchronize(); !status.ok())
      return status;
    seconds = watch.seconds() / double(kReplays);
  }
  double wanted = options.seconds / std::max(seconds, 1e-9);
  return std::clamp(int64_t(std::min(wanted, 1e9)), options.replays,
                    std::max(options.replays, options.mostReplays));
}

Result<Measurement> ReplayTimer::measure(const std::string &name, int64_t calls,
                                         const CapturedCall &graph) {
  Result<int64_t> replays = warmUp(graph);
  if (!replays.ok())
    return replays.status();
  std::vector<CudaEvent> events;
  for (int64_t i = 0; i <= 2 * *replays; ++i)
    events.emplace_back(gpu);
  constexpr int64_t kLeadIn = 3; // The first times would have the host in them.
  for (int64_t i = -kLeadIn; i < *replays; ++i) {
    Status status;
    if (i >= 0)
      status = events[size_t(2 * i)].record(stream);
    if (status.ok())
      status = graph.launch(stream);
    if (status.ok() && i >= 0)
      status = events[size_t(2 * i + 1)].record(stream);
    if (!status.ok())
      return status;
  }
  if (Status status = synchronize(); !status.ok())
    return status;
  Measurement measurement = {name, calls, {}};
  for (int64_t i = 0; i < *replays; ++i) {
    Result<double> time =
        events[size_t(2 * i + 1)].nanosecondsSince(events[size_t(2 * i)]);
    if (!time.ok())
      return time.status();
    measurement.nanoseconds.push_back(*time / double(calls));
  }
  return measurement;
}

/// As many sets of buffers as it takes to leave the L2 cache behind, so that
/// the throughput of large calls is that of memory.
static int64_t countSets(uint64_t bytes, int64_t l2Bytes, int64_t most) {
  if (bytes == 0 || uint64_t(l2Bytes) / 16 > bytes)
    return 1; // A small call is measured warm.
  int64_t wanted = int64_t(uint64_t(3 * l2Bytes) / bytes) + 1;
  return std::clamp<int64_t>(wanted, 1, most);
}

/// What the artifact says of a kernel, if it does.
static std::optional<double> predictionOf(const Artifact::Kernel &kernel) {
  Result<Json> json = parseJson(kernel.predicted, FUSE_MAX_JSON_DEPTH);
  if (!json.ok() || !json->is_object() || !json->contains("predicted_us") ||
      !(*json)["predicted_us"].is_number())
    return std::nullopt;
  return (*json)["predicted_us"].get<double>();
}

Result<std::vector<CudaCall>>
CudaExecutable::createSets(const Dims &dims,
                           const std::vector<HostTensor> &arguments,
                           int64_t most, cuda::Stream stream) const {
  std::vector<CudaCall> sets;
  int64_t count = 1;
  for (int64_t i = 0; i < count; ++i) {
    Result<CudaCall> set =
        CudaCall::create(gpu, *loaded, dims, arguments, stream);
    if (!set.ok() && i > 0)
      break; // Fewer sets, then.
    if (!set.ok())
      return set.status();
    sets.push_back(std::move(*set));
    count = countSets(sets[0].bytes(), gpu->l2Bytes, most);
  }
  return sets;
}

Result<std::vector<Measurement>>
CudaExecutable::measure(const Program::Plan &plan, const Dims &dims,
                        const std::vector<CudaCall> &sets, cuda::Stream stream,
                        const BenchmarkOptions &options) const {
  std::vector<Measurement> measurements;
  ReplayTimer timer(gpu, stream, options);
  using Enqueue = std::function<Status(const Call &, cuda::Stream)>;
  auto measure = [&](const std::string &name, int64_t calls,
                     const Enqueue &enqueueCall) -> Status {
    auto graph = captureGraph(gpu, [&](cuda::Stream capture) {
      Status status;
      for (int64_t i = 0; i < calls && status.ok(); ++i)
        status = enqueueCall(sets[size_t(i) % sets.size()].call(), capture);
      return status;
    });
    if (!graph.ok())
      return graph.status();
    Result<Measurement> measurement = timer.measure(name, calls, **graph);
    if (!measurement.ok())
      return measurement.status();
    measurements.push_back(std::move(*measurement));
    return {};
  };
  Enqueue all = [&](const Call &call, cuda::Stream capture) {
    return enqueue(plan, dims.data(), call, capture);
  };
  if (Status status = measure("latency", 1, all); !status.ok())
    return status;
  if (Status status = measure("throughput", options.callsPerReplay, all);
      !status.ok())
    return status;
  for (size_t i = 0; i < plan.launches.size(); ++i) {
    const Artifact::Kernel &kernel =
        loaded->artifact().kernels[plan.launches[i].kernel];
    Enqueue alone = [&](const Call &call, cuda::Stream capture) {
      return enqueueAlone(plan, i, dims.data(), call, capture);
    };
    if (Status status =
            measure("kernel " + kernel.name, options.callsPerReplay, alone);
        !status.ok())
      return status;
    measurements.back().predictedMicroseconds = predictionOf(kernel);
  }
  return measurements;
}

Result<std::vector<Measurement>>
CudaExecutable::benchmark(const Dims &dims,
                          const std::vector<HostTensor> &arguments,
                          const BenchmarkOptions &options) const {
  return noThrow([&]() -> Result<std::vector<Measurement>> {
    if (Status status = checkArguments(dims, arguments); !status.ok())
      return status;
    ContextScope scope(*gpu->driver, gpu->context);
    if (Status status = scope.status(); !status.ok())
      return status;
    Result<CudaStream> stream = CudaStream::create(gpu);
    if (!stream.ok())
      return stream.status();
    Result<const Program::Plan *> plan =
        loaded->selectPlan(dims.data(), dims.size());
    if (!plan.ok())
      return plan.status();
    auto sets =
        createSets(dims, arguments, options.callsPerReplay, stream->get());
    if (!sets.ok())
      return sets.status();
    if (Status status = stream->synchronize("copy the arguments"); !status.ok())
      return status;
    return measure(**plan, dims, *sets, stream->get(), options);
  });
}
