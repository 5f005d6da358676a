"""Who is measured. A contender is prepared for a case, checked against float64
and then gives samples; whatever it raises concerns it alone."""

import contextlib
import dataclasses
import json
import os
import pathlib
import select
import subprocess
import sys
import tempfile

import gpu
import measure
import programs
import torch
import torch_programs
from torch.nn import functional as F

# cudaStreamPerThread: launches `<<<grid, block>>>` go there when they are
# compiled so, and can then be captured.
PER_THREAD_STREAM = 2
XLA_TIMEOUT = 240


@dataclasses.dataclass
class Job:
    """One case with its inputs on the GPU."""

    case: programs.Case
    inputs: dict    # Of NumPy.
    sets: list      # Tensors by name, one dict a set of buffers.
    exact: object   # The result in float64.
    samples: int    # Of the latency, in each batch.
    seconds: float  # For each quantity, in each batch.
    seed: int
    modules: object  # Folder of the originals and hand-written kernels.
    fuse: object     # FuseSetup, or None.


@dataclasses.dataclass
class FuseSetup:
    device: object
    artifact: object  # A function from a case to the path of its artifact.


def make_sets(case, inputs):
    """As many copies of the inputs as the case rotates; weights are shared."""
    first = {name: torch.from_numpy(array).cuda()
             for name, array in inputs.items()}
    copies = [{**first, **{name: first[name].clone()
                           for name in case.names(weights=False)}}
              for _ in range(case.count_sets() - 1)]
    return [first, *copies]


class Contender:
    """Measured in this process, in a graph, by events."""

    name = description = precision = None
    ran = "this process, CUDA graph"

    def serves(self, case):
        """Why it is left out for this case; None if it is not."""
        return None

    def make(self, job):
        """A function from the index of a set to the result."""
        raise NotImplementedError

    def prepare(self, job):
        self.job, self.notes, self.ran = job, [], type(self).ran
        self.stream = self.choose_stream()
        call, sets = self.make(job), len(job.sets)
        gpu.warm(call, sets, self.stream)
        self.latency = self.capture(call, sets, 1)
        self.latency.estimate()
        calls = max(sets, measure.choose_calls(
            min(gpu.time_replays(self.latency, 3, 0.0))))
        self.throughput = self.capture(call, sets, calls,
                                       self.latency.pool)
        self.calls = calls
        self.error = max(self.check(self.latency), self.check(self.throughput))

    def choose_stream(self):
        return torch.cuda.Stream()

    def capture(self, call, sets, calls, pool=None):
        try:
            return gpu.capture(call, sets, calls, self.stream, pool)
        except Exception as error:
            torch.cuda.synchronize()
            self.ran = "this process, stream"
            self.notes.append(f"not captured: {first_line(error)}")
            return gpu.queue_calls(call, sets, calls)

    def check(self, replay):
        """The largest error of its outputs, which are poisoned before."""
        replay.poison()
        replay.queue()
        torch.cuda.synchronize()
        errors = [torch_programs.relative_error(output, self.job.exact)
                  for output in replay.outputs]
        return max(errors, key=lambda error: (error != error, error))

    def measure(self):
        job = self.job
        return {"latency": gpu.time_replays(self.latency, job.samples,
                                            job.seconds),
                "throughput": gpu.time_replays(self.throughput, 10,
                                               job.seconds)}

    def release(self):
        self.job = self.latency = self.throughput = self.stream = None


def first_line(error):
    """The kind of an exception and what it says first."""
    lines = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {lines[0][:200]}"


class Fuse(Contender):
    name, precision = "fuse", "ieee"
    description = "our artifact, through the C interface"

    def make(self, job):
        if not job.fuse:
            raise RuntimeError("the runtime was not loaded")
        import fuse_runtime
        path = job.fuse.artifact(job.case)
        self.program = program = fuse_runtime.Program(
            job.fuse.device, path, job.case.dims)
        for tensor, (name, shape, dtype) in enumerate(
                zip(program.names, program.shapes, program.dtypes)):
            given = job.sets[0].get(name)
            if dtype != fuse_runtime.F32:
                raise TypeError(f"{path}: expects '{name}' of f32")
            if tensor < program.num_arguments and (
                    given is None or tuple(given.shape) != shape):
                raise TypeError(f"{path}: has an argument '{name}' of shape "
                                f"{shape}, which the case has not")
        workspace = torch.empty(program.workspace_bytes, dtype=torch.uint8,
                                device="cuda")
        launches, results = [], []
        for tensors in job.sets:
            arguments = [tensors[name]
                         for name in program.names[:program.num_arguments]]
            results.append([torch.empty(shape, device="cuda") for shape in
                            program.shapes[program.num_arguments:]])
            launches.append(program.bind(
                [tensor.data_ptr() for tensor in (*arguments, *results[-1])],
                workspace.data_ptr()))
        self.memory = workspace, results
        self.notes.append(f"workspace {program.workspace_bytes} bytes, "
                          f"{program.num_compiled} kernels compiled")

        def call(index):
            launches[index](torch.cuda.current_stream().cuda_stream)
            return results[index][0]
        return call

    def release(self):
        super().release()
        if getattr(self, "program", None):
            self.program.close()
        self.program = self.memory = None


class Eager(Contender):
    name, precision = "torch-eager", "fp32"
    description = "PyTorch, op by op"

    def make(self, job):
        forward = torch_programs.FORWARD[job.case.program]
        return lambda index: forward(job.sets[index])


class Compiled(Contender):
    precision = "fp32"

    def __init__(self, name, mode, description):
        self.name, self.mode, self.description = name, mode, description

    def make(self, job):
        torch._dynamo.reset()
        forward = torch.compile(torch_programs.FORWARD[job.case.program],
                                dynamic=False, fullgraph=True, mode=self.mode)
        return lambda index: forward(job.sets[index])


class Sdpa(Contender):
    """`scaled_dot_product_attention`, which has its own kernels for fp32; the
    error tells whether those are exact."""

    precision = "fp32, backend's"

    def __init__(self, name, backend, description):
        self.name, self.backend, self.description = name, backend, description

    def serves(self, case):
        return None if case.program == "gqa_causal" else "it is no attention"

    def make(self, job):
        from torch.nn.attention import SDPBackend, sdpa_kernel
        case = job.case
        group = case.dims["Hq"] // case.dims["Hkv"]

        def grouped(q, k, v):
            return F.scaled_dot_product_attention(q, k, v, is_causal=True,
                                                  enable_gqa=True)

        def expanded(q, k, v):
            with sdpa_kernel(getattr(SDPBackend, self.backend)):
                return F.scaled_dot_product_attention(
                    q, k.repeat_interleave(group, 1),
                    v.repeat_interleave(group, 1), is_causal=True)

        attend = expanded if self.backend else grouped

        def call(index):
            heads = (job.sets[index][name].transpose(1, 2) for name in "qkv")
            return attend(*heads).transpose(1, 2)
        return call


class HandWritten(Contender):
    """The kernels beside the originals. They launch on the legacy stream, which
    cannot be captured, and are compiled for one a thread instead."""

    name, precision = "hand-written", "fp32, as written"
    description = "the CUDA kernels in --modules, at the size they are made for"

    def serves(self, case):
        return (None if case.key.endswith("-small") else
                "made for the small size")

    def choose_stream(self):
        return torch.cuda.ExternalStream(PER_THREAD_STREAM, device="cuda")

    def make(self, job):
        if not job.modules:
            raise FileNotFoundError("--modules is not given")
        with self._compiled_for_threads():
            module = torch_programs.load_module(job.modules,
                                                f"{job.case.program}_hand")
            model = torch_programs.make_model(module.ModelNew, job.case,
                                              job.sets[0]).cuda()
        names = job.case.names(weights=False)
        return lambda index: model(*(job.sets[index][name] for name in names))

    @staticmethod
    @contextlib.contextmanager
    def _compiled_for_threads():
        """In a folder of its own: a run that was killed in its midst leaves a
        lock, at which others would wait."""
        from torch.utils import cpp_extension
        original = cpp_extension.load_inline
        with tempfile.TemporaryDirectory() as folder:
            def load_inline(*arguments, **options):
                options["build_directory"] = folder
                options["extra_cuda_cflags"] = [
                    *(options.get("extra_cuda_cflags") or []),
                    "--default-stream=per-thread"]
                return original(*arguments, **options)

            cpp_extension.load_inline = load_inline
            try:
                yield
            finally:
                cpp_extension.load_inline = original


class Xla(Contender):
    """jax.jit in a process of its own, which waits for its turn."""

    name, precision = "xla", "fp32"
    description = "jax.jit"
    ran = "own process, chained calls in one jit, host clock"
    platform = "gpu"
    worker = None

    def prepare(self, job):
        self.job, self.notes = job, []
        if not self.worker:
            self._start()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "result.npy"
            answer = self._ask(command="prepare", key=job.case.key,
                               seed=job.seed, result=str(path))
            import numpy
            result = torch.from_numpy(numpy.load(path)).to(job.exact.device)
        self.calls = answer["calls"]
        self.notes += answer["notes"]
        self.error = torch_programs.relative_error(result, job.exact)

    def _start(self):
        script = pathlib.Path(__file__).with_name("xla_worker.py")
        self.worker = subprocess.Popen(
            [sys.executable, "-B", str(script), self.platform], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=1,
            env={"TF_CPP_MIN_LOG_LEVEL": "2", **os.environ,
                 "XLA_PYTHON_CLIENT_PREALLOCATE": "false"})
        try:
            self._answer()
        except RuntimeError:
            self.close()
            raise

    def _ask(self, **request):
        self.worker.stdin.write(json.dumps(request) + "\n")
        self.worker.stdin.flush()
        return self._answer()

    def _answer(self):
        ready, _, _ = select.select([self.worker.stdout], [], [], XLA_TIMEOUT)
        line = self.worker.stdout.readline() if ready else ""
        if not line:
            self.close()
            raise RuntimeError("its process ended" if ready else
                               f"no answer in {XLA_TIMEOUT} s")
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer

    def measure(self):
        torch.cuda.synchronize()
        return {"throughput": self._ask(command="measure",
                                        seconds=self.job.seconds)["samples"]}

    def release(self):
        self.job = None
        if self.worker:
            self._ask(command="release")

    def close(self):
        if self.worker:
            self.worker.kill()
            self.worker.wait()
        self.worker = None


def all_contenders():
    """In the order in which they are prepared: the slow ones last."""
    return [
        Fuse(),
        Eager(),
        Compiled("torch-compile", None, "torch.compile, dynamic=False"),
        Sdpa("torch-sdpa", None, "scaled_dot_product_attention with "
             "enable_gqa, PyTorch's choice"),
        Sdpa("torch-sdpa-efficient", "EFFICIENT_ATTENTION", "its "
             "memory-efficient backend, expanding keys and values"),
        HandWritten(),
        Xla(),
        Compiled("torch-autotune", "max-autotune-no-cudagraphs",
                 "torch.compile, max-autotune-no-cudagraphs, captured by us"),
    ]
