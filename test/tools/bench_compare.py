#!/usr/bin/env python3
"""Tests of tools/bench that need no GPU: bench_compare.py FOLDER EXAMPLES."""

import contextlib
import io
import json
import math
import pathlib
import re
import subprocess
import sys
import unittest
import unittest.mock

BENCH, EXAMPLES = map(pathlib.Path, sys.argv[1:3])
sys.path.insert(0, str(BENCH))

import clocks
import compare
import fuse_runtime
import measure
import programs
import report


class Statistics(unittest.TestCase):
    def test_quantile_lies_between_neighbours(self):
        samples = [40.0, 10.0, 30.0, 20.0]
        self.assertEqual([measure.quantile(samples, share)
                          for share in (0, 0.5, 1, 1 / 3, 0.9)],
                         [10, 25, 40, 20, 37])
        self.assertEqual(measure.quantile([7.0], 0.9), 7)
        self.assertTrue(math.isnan(measure.quantile([], 0.5)))

    def test_summary(self):
        summary = measure.summarize([float(i) for i in range(101)])
        self.assertEqual(summary, measure.Summary(50, 10, 90, 101))
        self.assertIsNone(measure.summarize([]))

    def test_calls_of_a_graph(self):
        self.assertEqual([measure.choose_calls(time)
                          for time in (2, 19, 21, 24e3, 60e3, 1e6)],
                         [50, 50, 20, 20, 8, 2])

    def test_slopes_leave_the_host_out(self):
        host, call = 40, 3
        self.assertEqual(
            measure.slopes([host + call] * 2, [host + 21 * call] * 2, 20),
            [call, call])


class Alternating(unittest.TestCase):
    def alternate(self, controls, contenders, **options):
        """Runs with these readings of the control; the order of what ran."""
        readings, order = iter(controls), []

        def control():
            order.append("|")
            return next(readings)

        def recorded(name, sample):
            def run():
                order.append(name)
                if isinstance(sample, Exception):
                    raise sample
                return {"throughput": [sample]}
            return run
        alternation = measure.Alternation(control, **options)
        alternation.run({name: recorded(name, sample)
                         for name, sample in contenders.items()})
        return alternation, "".join(order)

    def test_there_and_back_with_controls_between(self):
        alternation, order = self.alternate([100.0] * 12, {
            "A": 1.0, "B": 2.0, "C": 3.0})
        self.assertEqual(order, "|A|B|C|" "|C|B|A|" "|A|B|C|")
        self.assertEqual(alternation.summaries("B")["throughput"],
                         measure.Summary(2, 2, 2, 3))
        self.assertEqual(alternation.spread(), 0)

    def test_a_moved_control_rejects_its_batch(self):
        # The third reading is 3 % off: both batches beside it are lost, and
        # each is measured again.
        alternation, order = self.alternate(
            [100.0, 100, 103] + [100] * 9, {"A": 1.0, "B": 2.0}, rounds=2)
        self.assertEqual(order, "|A|B|" "|B|A|" "|B|")
        self.assertEqual(len(alternation.steady("A")), 2)
        self.assertEqual(len(alternation.steady("B")), 2)
        self.assertEqual([round(share, 3)
                          for share in alternation.rejected("B")], [0.03])
        self.assertEqual(alternation.rejected("A"), [])
        self.assertAlmostEqual(alternation.spread(), 0.03)

    def test_less_than_two_percent_are_allowed(self):
        batch = measure.Batch(98.0, 101.0, {})
        self.assertAlmostEqual(batch.moved(100.0), 0.02)
        alternation, _ = self.alternate([100.0, 101.9, 100, 98.1, 100, 100],
                                        {"A": 1.0}, rounds=3)
        self.assertEqual(len(alternation.steady("A")), 3)

    def test_a_slow_drift_is_seen_too(self):
        # No two neighbours differ by 2 %, but the ends do from the middle.
        alternation, _ = self.alternate(
            [100.0, 101.5, 103, 104.5, 106, 107.5], {"A": 1.0}, rounds=3,
            retries=0)
        self.assertEqual([batch.before for batch in alternation.steady("A")],
                         [103])

    def test_what_never_settles_has_no_times(self):
        alternation, order = self.alternate(
            [100.0, 110] * 5, {"A": 1.0}, rounds=3, retries=2)
        self.assertEqual(order.count("A"), 5)
        self.assertEqual(alternation.summaries("A"), {})
        self.assertEqual(len(alternation.rejected("A")), 5)

    def test_a_failure_concerns_one(self):
        alternation, order = self.alternate(
            [100.0] * 20, {"A": RuntimeError("no"), "B": 2.0}, rounds=2)
        self.assertEqual(order, "|A|B|" "|B|")
        self.assertEqual(str(alternation.failures["A"]), "no")
        self.assertEqual(alternation.summaries("A"), {})
        self.assertEqual(len(alternation.steady("B")), 2)


class Programs(unittest.TestCase):
    def test_inputs_are_those_of_the_examples(self):
        for program, tensors in programs.TENSORS.items():
            text = (EXAMPLES / f"{program}.mlir").read_text()
            text = text[:text.index("-> (")]
            found = re.findall(
                r'fuse\.name = "([^"]+)", fuse\.dims = \[([^]]*)\]'
                r'(, fuse\.param)?', text)
            self.assertEqual(
                [(name, " ".join(re.findall(r'"(\w+)"', dims)), bool(param))
                 for name, dims, param in found],
                [(name, dims, fill not in ("data", "mask"))
                 for name, dims, fill in tensors])

    def test_artifacts_are_made_for_the_right_dims(self):
        for program, dims in programs.SPECIALIZED.items():
            text = (EXAMPLES / f"{program}.mlir").read_text()
            found = re.search(r"fuse\.specialize = \[([^]]*)\]", text)[1]
            self.assertEqual(re.findall(r'"(\w+)"', found), list(dims))

    def test_large_cases_leave_the_cache(self):
        for case in programs.CASES:
            total = case.count_sets() * case.activation_bytes()
            if case.is_small:
                self.assertEqual(case.count_sets(), 1)
            else:
                self.assertGreater(total, 3 * programs.L2_BYTES)
        self.assertEqual(sum(case.is_small for case in programs.CASES), 3)

    def test_names(self):
        case = programs.choose_cases(["gqa-small"])[0]
        self.assertEqual(case.title, "gqa_causal B=2,T=80,Hq=8,Hkv=2,D=32")
        self.assertEqual(case.artifact_name, "gqa_causal-Hq8-Hkv2-D32.fuse")
        self.assertEqual(case.names(weights=False), ["q", "k", "v"])
        self.assertEqual(case.shape("B T Hkv D"), (2, 80, 2, 32))

    def test_choice_of_cases(self):
        self.assertEqual(programs.choose_cases([]), programs.CASES)
        self.assertEqual([case.key for case in
                          programs.choose_cases(["384", "gqa"])],
                         ["gqa-small", "triangle-384", "gqa-large"])
        with self.assertRaisesRegex(ValueError, "but got 'nothing'"):
            programs.choose_cases(["gqa", "nothing"])


class Clocks(unittest.TestCase):
    def test_line(self):
        moment, values = clocks.parse_line(
            "2026/01/02 03:04:05.500, 1980, 3201, 412.55, [N/A]\n")
        self.assertEqual(moment % 60, 5.5)
        self.assertEqual(values, (1980, 3201, 412.55, None))
        for line in ("", "No devices were found", "today, 1, 2, 3, 4",
                     "2026/01/02 03:04:05.500, 1980"):
            self.assertIsNone(clocks.parse_line(line))

    def test_window(self):
        readings = [(moment, (clock, 3201.0, None, 40.0)) for moment, clock in
                    ((1, 345.0), (2, 1500.0), (3, 1980.0), (4, 1700.0),
                     (5, 900.0), (6, 345.0))]
        window = clocks.summarize_window(readings, 2, 4)
        self.assertEqual(window["clocks.sm"], {
            "before": 345, "during": [1500, 1700, 1980], "after": 900})
        self.assertNotIn("power.draw", window)
        self.assertEqual(clocks.summarize_window(readings, 10, 11)["clocks.sm"],
                         {"before": 345, "during": None, "after": None})
        self.assertEqual(clocks.summarize_window([], 0, 1), {})

    def test_without_nvidia_smi(self):
        log = clocks.ClockLog()
        with unittest.mock.patch.dict("os.environ", PATH=""):
            log.start()
            self.assertEqual(log.window(0, 1), {})
        self.assertIn("nvidia-smi", log.problem)
        log.stop()


def make_row(name, median, error=1e-7, **options):
    summary = (measure.Summary(median, median - 1, median + 1, 9)
               if median else None)
    return report.Row(name, "fp32", "this process", options.pop("status", "ok"),
                      error=error, throughput=summary, **options)


def make_report(*rows):
    empty = measure.Summary(1.0, 1.0, 1.0, 9)
    return report.CaseReport(programs.CASES[0], list(rows),
                             {"throughput": empty, "latency": empty}, 350.0,
                             0.004, {}, [])


class Report(unittest.TestCase):
    def test_times(self):
        self.assertEqual([report.format_time(value) for value in
                          (2.345, 99.9, 123.45, 4567.8, None, math.nan)],
                         ["2.35", "99.90", "123.5", "4568", "", ""])

    def test_best_peer_is_right(self):
        each = make_report(make_row("fuse", 4.0), make_row("slow", 9.0),
                           make_row("wrong", 2.0, error=1e-3),
                           make_row("nan", 1.0, error=math.nan),
                           make_row("fast", 8.0))
        self.assertEqual(each.best_peer().contender, "fast")
        self.assertIn("| 4.00 | 3.20 | 8.00 (fast) | 2.00 |",
                      report.format_overview([each]))

    def test_case(self):
        each = make_report(
            make_row("slow", 9.0, notes=["a remark"]), make_row("fuse", 4.0),
            make_row("nan", 1.0, error=math.nan),
            make_row("gone", None, error=None, status="failed: ValueError: no"))
        lines = report.format_case(each).splitlines()
        self.assertEqual(lines[0], f"## {programs.CASES[0].title}")
        self.assertEqual(
            [line.split(" | ")[0] for line in lines[4:8]],
            ["| nan", "| fuse", "| slow", "| gone"])  # By time.
        self.assertIn(" nan WRONG |  | ", lines[4])
        self.assertEqual(lines[5], "| fuse | fp32 | 4.00 | 3.00 to 5.00 |  |  "
                         "| 1.0e-07 | 1.00 | this process |")
        self.assertIn(" | 2.25 | ", lines[6])
        self.assertIn("failed: ValueError: no", lines[7])
        self.assertIn("- slow: a remark", lines)
        self.assertIn("- an empty kernel: 1.00 us a call, latency 1.00 us",
                      lines)
        self.assertIn("- the control took 350.0 us and moved by at most 0.4 %",
                      lines)

    def test_clocks(self):
        each = make_report(make_row("fuse", 4.0))
        each.clocks = {"clocks.sm": {"before": 345.0, "after": None,
                                     "during": [1500.0, 1700.0, 1980.0]}}
        self.assertIn("clocks.sm: 345 MHz before, 1700 (1500 to 1980) during, "
                      "? after", report.format_case(each))

    def test_our_error_beside_that_of_pytorch(self):
        for error, said in ((2e-7, False), (3e-7, True)):
            text = report.format_case(make_report(
                make_row("fuse", 4.0, error=error),
                make_row("torch-eager", 9.0, error=1e-7)))
            self.assertEqual("3.0 times that of torch-eager" in text, said)

    def test_json_holds_what_json_cannot(self):
        each = make_report(make_row("fuse", 4.0, error=math.nan))
        data = json.loads(report.format_json({"GPU": "some"}, [each]),
                          parse_constant=self.fail)
        self.assertEqual(data["context"], {"GPU": "some"})
        row = data["cases"][0]["rows"][0]
        self.assertEqual(row["error"], "nan")
        self.assertEqual(row["throughput"]["median"], 4.0)
        self.assertEqual(data["cases"][0]["case"]["dims"]["T"], 80)

    def test_a_row_without_times_is_no_report(self):
        empty = make_report(make_row("fuse", None, error=None))
        self.assertIsNone(empty.fuse_time())
        self.assertIsNone(empty.best_peer())
        self.assertIn("|  | 3.20 |  |  |", report.format_overview([empty]))


class CommandLine(unittest.TestCase):
    def refused(self, *words):
        with contextlib.redirect_stderr(io.StringIO()) as text:
            with self.assertRaises(SystemExit) as end:
                compare.parse(words)
        self.assertEqual(end.exception.code, 1)
        return text.getvalue()

    def test_defaults(self):
        arguments = compare.parse([])
        self.assertEqual(arguments.only, programs.CASES)
        self.assertEqual(arguments.contenders, list(compare.CONTENDERS))
        self.assertEqual(arguments.tolerance, 2)

    def test_choices(self):
        arguments = compare.parse(
            ["--only=gqa-small", "--contenders=fuse,xla", "--limit=9"])
        self.assertEqual([case.key for case in arguments.only], ["gqa-small"])
        self.assertEqual(arguments.contenders, ["fuse", "xla"])
        self.assertEqual(arguments.limit, 9)

    def test_quick_leaves_out_what_is_slow_unless_named(self):
        self.assertNotIn("torch-autotune",
                         compare.parse(["--quick"]).contenders)
        named = compare.parse(["--quick", "--contenders=torch-autotune"])
        self.assertEqual(named.contenders, ["torch-autotune"])

    def test_wrong_values(self):
        self.assertIn("expects a part of gqa-small", self.refused("--only=x"))
        self.assertIn("but got 'gcc'", self.refused("--contenders=fuse,gcc"))
        for value in ("0", "-1", "nan", "inf", "much"):
            self.assertIn(f"expects a positive number, but got '{value}'",
                          self.refused(f"--limit={value}"))
        self.assertIn("there is no folder no/such",
                      self.refused("--modules=no/such"))
        self.assertIn("unrecognized arguments", self.refused("--fast"))

    def test_exit_codes(self):
        right, wrong = make_row("fuse", 4.0), make_row("fuse", 4.0, error=1e-3)
        failed = make_row("fuse", None, error=None, status="failed: no")
        peer, everyone = make_row("xla", 9.0), compare.CONTENDERS
        for rows, contenders, code in (
                ((right, peer), everyone, 0), ((wrong, peer), everyone, 3),
                ((make_row("fuse", 4.0, error=math.nan),), everyone, 3),
                ((failed, peer), everyone, 4), ((failed,), everyone, 4),
                ((peer,), ("xla",), 0)):
            self.assertEqual(compare.judge([make_report(*rows)], contenders),
                             code)

    def test_artifacts(self):
        arguments = compare.parse(["--artifacts=given"])
        path = compare.Artifacts(arguments, "made")(programs.CASES[0])
        self.assertEqual(
            path, pathlib.Path("given/gqa_causal-Hq8-Hkv2-D32.fuse"))
        arguments = compare.parse(["--fuse-opt=false"])
        with self.assertRaisesRegex(RuntimeError, "fuse-opt: exit 1"):
            compare.Artifacts(arguments, "made")(programs.CASES[0])


class Runtime(unittest.TestCase):
    def test_options_are_those_of_our_programs(self):
        options = fuse_runtime.device_options(
            {"FUSE_CUDA_DRIVER": "d.so", "CUDA_HOME": "toolkit",
             "FUSE_NVRTC": ""}, pathlib.Path("root"))
        self.assertEqual(options[:2], [("driver", "d.so"),
                                       ("cuda-home", "toolkit")])
        self.assertIn(("python-folder", "root/build/cuda"), options)
        self.assertNotIn("nvrtc", dict(options))

    def test_library_that_is_none(self):
        with self.assertRaises(OSError):
            fuse_runtime.Runtime("no/such/library.so")


class XlaWorker(unittest.TestCase):
    def test_says_what_is_missing(self):
        """JAX, or such a platform; stdout has the answer alone."""
        done = subprocess.run(
            [sys.executable, "-B", BENCH / "xla_worker.py", "no-platform"],
            input='{"command": "release"}\n', capture_output=True, text=True,
            check=True)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([list(answer) for answer in answers], [["error"], []])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
