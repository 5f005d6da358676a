"""CUDA graphs of calls, and their times by events, through PyTorch."""

import contextlib
import math
import statistics
import time

import torch

WARM_CALLS = 10
CHUNK = 32  # Replays between two synchronizations.
CHUNK_SECONDS = 0.05
LONG_SECONDS = 1e-3  # The host is ahead of such replays anyway.
EVENT_SECONDS = 1e-5  # Of the host, for recording two.
HOLD_CYCLES = 2e9  # A second, at most: clocks may be lower, not higher.
CONTROL_SIZE = 2048
CONTROL_CALLS = 10


class Replay:
    """`calls` calls that `queue` puts on the current stream; `outputs` are
    their results, one a set of buffers."""

    def __init__(self, queue, calls, outputs, in_graph):
        self.queue, self.calls, self.outputs = queue, calls, outputs
        self.in_graph, self.pool, self.call = in_graph, None, None
        self.host_seconds = self.gpu_seconds = None

    def poison(self):
        """What is not written then shows."""
        for output in self.outputs:
            output.fill_(math.nan)

    def estimate(self):
        """Seconds of a replay on the host and on the GPU, once warm."""
        for _ in range(2):
            torch.cuda.synchronize()
            start = time.perf_counter()
            self.queue()
            self.host_seconds = time.perf_counter() - start
            torch.cuda.synchronize()
            self.gpu_seconds = time.perf_counter() - start


@contextlib.contextmanager
def _stream_restored():
    """A capture that fails leaves its stream the current one."""
    stream = torch.cuda.current_stream()
    try:
        yield
    finally:
        torch.cuda.set_stream(stream)


def warm(call, sets, stream):
    """Runs `call` until compilers and allocators are done."""
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for index in range(max(WARM_CALLS, sets)):
            call(index % sets)
    torch.cuda.current_stream().wait_stream(stream)
    torch.cuda.synchronize()


def capture(call, sets, calls, stream, pool=None):
    """One graph of `calls` calls, call i of them `call(i % sets)`. It may share
    the pool of another one that never runs at the same time."""
    graph, outputs = torch.cuda.CUDAGraph(), [None] * sets
    with _stream_restored():
        with torch.cuda.graph(graph, pool=pool, stream=stream,
                              capture_error_mode="thread_local"):
            for index in range(calls):
                outputs[index % sets] = call(index % sets)
    torch.cuda.synchronize()
    written = [output for output in outputs if output is not None]
    replay = Replay(graph.replay, calls, written, in_graph=True)
    # The graph has the addresses of what `call` reads: it must stay.
    replay.graph, replay.pool, replay.call = graph, graph.pool(), call
    return replay


def queue_calls(call, sets, calls):
    """The same without a graph, for what cannot be captured."""
    replay = Replay(None, calls, [call(0)], in_graph=False)

    def queue():
        for index in range(calls):
            output = call(index % sets)
        replay.outputs = [output]
    replay.queue = queue
    return replay


def _hold(replay, count):
    """Keeps the GPU busy while `count` replays are queued behind: one that
    idles would add the host's time to theirs."""
    ahead = count if replay.gpu_seconds < LONG_SECONDS else 3
    seconds = min(1.5 * ahead * (replay.host_seconds + EVENT_SECONDS), 0.2)
    torch.cuda._sleep(int(seconds * HOLD_CYCLES))


def _time_chunk(replay, count):
    events = [[torch.cuda.Event(enable_timing=True) for _ in range(2)]
              for _ in range(count)]
    _hold(replay, count)
    for start, end in events:
        start.record()
        replay.queue()
        end.record()
    torch.cuda.synchronize()
    return [start.elapsed_time(end) * 1e3 / replay.calls
            for start, end in events]


def time_replays(replay, least, seconds):
    """Microseconds a call, of `least` replays or of as many as `seconds` hold,
    but within four times `seconds`; the GPU is warmed up first."""
    replay.estimate()
    chunk = 1
    if replay.in_graph:
        chunk = min(CHUNK, max(1, int(CHUNK_SECONDS / replay.gpu_seconds)))
    _time_chunk(replay, min(chunk, 3))
    samples, start = [], time.perf_counter()
    while True:
        samples += _time_chunk(replay, chunk)
        elapsed = time.perf_counter() - start
        if elapsed >= seconds and (len(samples) >= least
                                   or elapsed >= 4 * seconds):
            return samples


def make_control():
    """A function that times a matrix product, which is always the same."""
    generator = torch.Generator(device="cuda").manual_seed(1)
    a, b = (torch.randn(CONTROL_SIZE, CONTROL_SIZE, device="cuda",
                        generator=generator) for _ in range(2))
    product, stream = torch.empty_like(a), torch.cuda.Stream()

    def call(_):
        return torch.mm(a, b, out=product)
    warm(call, 1, stream)
    replay = capture(call, 1, CONTROL_CALLS, stream)
    return lambda: statistics.median(time_replays(replay, CONTROL_CALLS, 0.0))


def time_empty_kernel(least, seconds):
    """Samples of a graph with one kernel that does next to nothing."""
    stream = torch.cuda.Stream()

    def call(_):
        torch.cuda._sleep(1)
    warm(call, 1, stream)
    return {"latency": time_replays(capture(call, 1, 1, stream), least,
                                    seconds),
            "throughput": time_replays(capture(call, 1, 50, stream), least,
                                       seconds)}
