#!/usr/bin/env python3
"""Measures our programs beside their peers, on one GPU.

Each contender computes the same from the same random inputs: our artifacts
through the C interface, PyTorch eager and compiled, its attention kernels,
hand-written CUDA, and XLA. All but XLA are captured in CUDA graphs in this
process. They are measured in turn, A B C, C B A, with a control run between any
two: what was measured while the control moved by more than --tolerance does not
count, and is measured again. Every result is compared with float64; matrix
products are exact fp32, without TF32.

Writes compare.md, compare.json and, where matplotlib is, compare.png, again
after each case.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import clocks
import fuse_runtime
import measure
import programs
import report

ROOT = pathlib.Path(__file__).resolve().parents[2]

# As of our programs.
OK, USAGE, MISMATCH, RUNTIME, NO_DEVICE = 0, 1, 3, 4, 5

CONTENDERS = ("fuse", "torch-eager", "torch-compile", "torch-sdpa",
              "torch-sdpa-efficient", "hand-written", "xla", "torch-autotune")

EXAMPLES = """\
examples:
  compare.py --list
  compare.py --only small --modules PEERS --out report
  compare.py --only triangle-384,scene-large --contenders fuse,torch-compile
  compare.py --quick --limit 400

What it needs: the runtime's shared library and fuse-opt (a bundle has both, a
build in build/release too), a driver, NVRTC, PyTorch; JAX for xla. What is
missing for one contender leaves that one out.

exit codes: 0 measured; 1 wrong call; 3 our result is wrong; 4 ours failed, or
nothing could be measured; 5 no library, driver, GPU or PyTorch
"""


class Failure(Exception):
    """Ends the program with this exit code and message."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def comma_list(text):
    return [word for word in text.split(",") if word]


def contender_list(text):
    words = comma_list(text)
    for word in words:
        if word not in CONTENDERS:
            raise argparse.ArgumentTypeError(
                f"expects some of {', '.join(CONTENDERS)}, but got '{word}'")
    return words


def case_list(text):
    try:
        return programs.choose_cases(comma_list(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def positive(text):
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(
            f"expects a positive number, but got '{text}'")
    return value


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(USAGE, f"{self.prog}: error: {message}\n")


def make_parser():
    parser = Parser(prog="compare.py", description=__doc__, epilog=EXAMPLES,
                    formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--list", action="store_true",
        help="print cases and contenders, and measure nothing")
    add("--only", type=case_list, default=programs.CASES, metavar="WORD,...",
        help="cases whose name has one of these words")
    add("--contenders", type=contender_list, metavar="NAME,...",
        help="default: all")
    add("--quick", action="store_true",
        help="two short rounds, and no torch-autotune unless it is named: good "
             "for a look, not for a claim")
    add("--limit", type=positive, default=float("inf"), metavar="SECONDS",
        help="begin nothing new after that time; what is left out is said")
    add("--out", type=pathlib.Path, default=pathlib.Path("compare"),
        metavar="FOLDER", help="of the report (default: compare)")
    add("--modules", type=pathlib.Path, metavar="FOLDER",
        default=os.environ.get("MODULES_DIR") or None,
        help="with the PyTorch originals <program>_ref.py (class Model), "
             "which confirm the reference, and hand-written kernels "
             "<program>_hand.py (class ModelNew); default: $MODULES_DIR")
    add("--artifacts", type=pathlib.Path, metavar="FOLDER",
        help="with artifacts such as gqa_causal-Hq8-Hkv2-D32.fuse, instead of "
             "making them by fuse-opt")
    add("--library", type=pathlib.Path, metavar="FILE",
        help="libfuse_runtime.so (default: of this bundle or build/release)")
    add("--fuse-opt", type=pathlib.Path, metavar="FILE",
        help="(default: of this bundle or build/release)")
    add("--tolerance", type=positive, default=2.0, metavar="PERCENT",
        help="by which the control may move (default: 2)")
    add("--seed", type=int, default=1, help="of the inputs (default: 1)")
    return parser


def parse(words):
    parser = make_parser()
    arguments = parser.parse_args(words)
    if not arguments.contenders:
        arguments.contenders = [name for name in CONTENDERS if not
                                (arguments.quick and name == "torch-autotune")]
    if arguments.modules and not pathlib.Path(arguments.modules).is_dir():
        parser.error(f"--modules: there is no folder {arguments.modules}")
    return arguments


def print_list():
    for case in programs.CASES:
        print(f"{case.key:16} {case.title}")
    print("\ncontenders: " + ", ".join(CONTENDERS))


#===------------------------------------------------------------------------===#
# Getting ready
#===------------------------------------------------------------------------===#

START = time.monotonic()


def say(text):
    print(f"[{time.monotonic() - START:5.0f} s] {text}", flush=True)


def find(given, names):
    """The file that was given, or the first of `names` that is there; if none
    is, the first."""
    if given:
        return given
    paths = [ROOT / name for name in names]
    return next((path for path in paths if path.exists()), paths[0])


def open_device(arguments):
    """Of our runtime. Failure without a library, driver or GPU."""
    path = find(arguments.library, ("lib/libfuse_runtime.so",
                                    "build/release/lib/libfuse_runtime.so"))
    try:
        runtime = fuse_runtime.Runtime(path)
    except (OSError, AttributeError) as error:
        raise Failure(NO_DEVICE, f"cannot load the runtime: {error}") from None
    try:
        return fuse_runtime.Device(runtime, "cuda", ROOT)
    except fuse_runtime.FuseError as error:
        code = NO_DEVICE if error.code == fuse_runtime.NO_DEVICE else RUNTIME
        raise Failure(code, f"no usable device: {error}") from None


def import_torch():
    """PyTorch with a GPU and exact fp32 products. Failure without."""
    try:
        import torch
    except (ImportError, OSError) as error:
        raise Failure(NO_DEVICE, f"expects PyTorch: {error}") from None
    if not torch.cuda.is_available():
        raise Failure(NO_DEVICE, "expects a GPU that PyTorch can use, but it "
                      "has none")
    torch.set_float32_matmul_precision("highest")
    return torch


class Artifacts:
    """Paths of the artifacts of cases, made when they are first asked for."""

    def __init__(self, arguments, folder):
        self.given, self.folder = arguments.artifacts, pathlib.Path(folder)
        self.fuse_opt = find(arguments.fuse_opt,
                             ("bin/fuse-opt", "build/release/bin/fuse-opt"))

    def __call__(self, case):
        path = (self.given or self.folder) / case.artifact_name
        if self.given or path.exists():
            return path
        fixed = ",".join(f"{name}={case.dims[name]}"
                         for name in programs.SPECIALIZED[case.program])
        source = ROOT / "examples" / f"{case.program}.mlir"
        done = subprocess.run(
            [self.fuse_opt, source, "--emit=artifact", f"--dims={fixed}", "-o",
             path], capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"fuse-opt: exit {done.returncode}: "
                               f"{done.stderr.strip()[-400:]}")
        return path


def describe(torch, device, arguments):
    """The context of the report."""
    context = {"date": time.strftime("%Y-%m-%d %H:%M:%S"),
               "GPU": torch.cuda.get_device_name(),
               "PyTorch": torch.__version__,
               "control": "an exact fp32 product of 2048 x 2048; batches "
                          f"count within {arguments.tolerance:g} %",
               "call": " ".join(map(os.path.basename, sys.argv))}
    if device:
        context["Fuse"] = (f"{device.description}, API "
                           f"{device.runtime.version}")
    return context


def gpu_id(torch):
    """For nvidia-smi, whose numbers CUDA_VISIBLE_DEVICES does not change."""
    uuid = getattr(torch.cuda.get_device_properties(0), "uuid", None)
    return f"GPU-{uuid}" if uuid else "0"


#===------------------------------------------------------------------------===#
# Measuring
#===------------------------------------------------------------------------===#


class Comparison:
    def __init__(self, arguments, torch, setup):
        # They need PyTorch.
        import contenders
        import gpu
        import torch_programs
        self.arguments, self.torch, self.setup = arguments, torch, setup
        self.gpu, self.torch_programs = gpu, torch_programs
        self.first_line = contenders.first_line
        self.contenders = [each for each in contenders.all_contenders()
                           if each.name in arguments.contenders]
        self.rounds = 2 if arguments.quick else 3
        self.samples = 30 if arguments.quick else 70
        self.seconds = 0.1 if arguments.quick else 0.3
        say("control and empty kernel")
        self.control = gpu.make_control()
        self.empty_kernel = {
            quantity: measure.summarize(samples) for quantity, samples in
            gpu.time_empty_kernel(200, self.seconds).items()}
        self.clocks = clocks.ClockLog(gpu_id(torch))
        self.clocks.start()

    def is_late(self):
        return time.monotonic() - START > self.arguments.limit

    def make_job(self, case):
        import contenders
        inputs = programs.make_inputs(case, self.arguments.seed)
        sets = contenders.make_sets(case, inputs)
        exact = self.torch_programs.reference(case, sets[0])
        return contenders.Job(case, inputs, sets, exact, self.samples,
                              self.seconds, self.arguments.seed,
                              self.arguments.modules, self.setup)

    def confirm_reference(self, job):
        """Notes on how the original compares; small cases only, it is slow."""
        if not self.arguments.modules or not job.case.is_small:
            return []
        try:
            error = self.torch_programs.original_error(
                self.arguments.modules, job.case, job.inputs, job.exact)
        except Exception as problem:
            return [f"no original: {self.first_line(problem)}"]
        return [f"the original in float64 on the CPU differs by {error:.0e}"]

    def prepare(self, contender, job):
        """Why it is left out; None if it is ready."""
        reason = contender.serves(job.case)
        if not reason and self.is_late():
            reason = "--limit"
        if reason:
            return f"left out: {reason}"
        start = time.monotonic()
        try:
            contender.prepare(job)
        except Exception as error:
            reason = f"failed: {self.first_line(error)}"
        say(f"{job.case.key}: {contender.name}: "
            + (reason or f"ready after {time.monotonic() - start:.1f} s, error "
               f"{contender.error:.1e}"))
        self.torch.cuda.synchronize()  # Raises if the GPU is lost.
        return reason

    def run(self, case):
        """The report of a case."""
        say(f"{case.key}: {case.title}")
        job = self.make_job(case)
        notes = self.confirm_reference(job)
        statuses = {contender: self.prepare(contender, job)
                    for contender in self.contenders}
        ready = {contender.name: contender.measure
                 for contender, reason in statuses.items() if not reason}
        begin = clocks.now()
        alternation = measure.Alternation(
            self.control, self.rounds,
            tolerance=self.arguments.tolerance / 100)
        alternation.run(ready)
        self.torch.cuda.synchronize()
        window = self.clocks.window(begin, clocks.now())
        if self.clocks.problem:
            notes.append(self.clocks.problem)
        rows = [self.make_row(contender, statuses[contender], alternation)
                for contender in self.contenders]
        for contender in self.contenders:
            self.release(contender)
        for row in rows:
            say(f"{case.key}: {row.contender}: "
                + (f"{report.format_time(row.throughput.median)} us"
                   if row.throughput else row.status))
        controls = alternation.controls
        return report.CaseReport(
            case, rows, self.empty_kernel,
            alternation.baseline if controls else float("nan"),
            alternation.spread() if controls else 0.0, window, notes)

    def make_row(self, contender, reason, alternation):
        name = contender.name
        row = report.Row(name, contender.precision, contender.ran,
                         reason or "ok")
        if reason:
            return row
        row.calls, row.error = contender.calls, contender.error
        row.notes = list(contender.notes)
        if name in alternation.failures:
            row.status = ("failed: "
                          + self.first_line(alternation.failures[name]))
            return row
        rejected = alternation.rejected(name)
        if rejected:
            row.notes.append(f"{len(rejected)} of "
                             f"{len(alternation.batches[name])} batches "
                             "rejected: the control moved by up to "
                             f"{100 * max(rejected):.1f} %")
        summaries = alternation.summaries(name)
        if not summaries:
            row.status = "rejected: the control moved"
        row.throughput = summaries.get("throughput")
        row.latency = summaries.get("latency")
        return row

    def release(self, contender):
        try:
            contender.release()
        except Exception as error:
            say(f"{contender.name}: {self.first_line(error)}")

    def close(self):
        self.clocks.stop()
        for contender in self.contenders:
            getattr(contender, "close", lambda: None)()


def judge(reports, contenders):
    """The exit code."""
    if not any(row.throughput for each in reports for row in each.rows):
        return RUNTIME
    if "fuse" not in contenders:
        return OK
    rows = [each.row("fuse") for each in reports]
    if any(row.error is not None and not row.is_right for row in rows):
        return MISMATCH
    failed = any(row.status.startswith("failed") for row in rows)
    return RUNTIME if failed else OK


def write(arguments, context, reports):
    out = arguments.out
    (out / "compare.md").write_text(report.format_report(context, reports))
    (out / "compare.json").write_text(report.format_json(context, reports))
    return report.draw(reports, out / "compare.png")


def run(arguments):
    device = open_device(arguments) if "fuse" in arguments.contenders else None
    torch = import_torch()
    try:
        arguments.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Failure(RUNTIME, f"cannot write: {error}") from None
    context, reports = describe(torch, device, arguments), []
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        setup = None
        if device:
            import contenders
            setup = contenders.FuseSetup(device, Artifacts(arguments, folder))
        comparison = Comparison(arguments, torch, setup)
        try:
            for case in arguments.only:
                if comparison.is_late():
                    say(f"{case.key}: left out: --limit")
                    continue
                reports.append(comparison.run(case))
                drawn = write(arguments, context, reports)
                torch.cuda.empty_cache()
        except RuntimeError as error:
            # The GPU is lost to this process, or its memory is full.
            raise Failure(RUNTIME, f"cannot go on: {error}") from None
        finally:
            comparison.close()
    if not reports:
        raise Failure(RUNTIME, "nothing was measured within --limit")
    print("\n" + report.format_report(context, reports))
    say(f"written: {arguments.out}/compare.md, compare.json"
        + (", compare.png" if drawn else " (no matplotlib, so no plot)"))
    return judge(reports, arguments.contenders)


def main(words=None):
    arguments = parse(words)
    if arguments.list:
        print_list()
        return OK
    try:
        return run(arguments)
    except Failure as failure:
        print(f"compare.py: error: {failure}", file=sys.stderr)
        return failure.code


if __name__ == "__main__":
    sys.exit(main())
