#!/usr/bin/env python3
"""Counts the tests of a run and says whether it is a good one.

Reads the JUnit files that ctest and lit write, shows the output of each failed
test, and ends with the line

    N passed, N failed, N skipped

A run is good if each runner ran a test and exited with 0, none failed, and no
test was skipped but those that need a hardware feature which may be absent.
"""

import argparse
import re
import sys
import xml.etree.ElementTree as xml
from dataclasses import dataclass

LAST_LINES = 60
LIT_NOT_SELECTED = "Test not selected"
LIT_MISSING = "Missing required feature(s): "


@dataclass
class Result:
    name: str
    outcome: str  # "passed", "failed" or "skipped"
    detail: str  # The output of a failed test, the reason of a skipped one.


def case_result(case):
    """The result of one `testcase` element; None if it was not selected."""
    suite, name = case.get("classname", ""), case.get("name")
    if suite and suite != name:
        # lit writes the folder as `Suite.folder/below`.
        name = f"{suite.replace('.', ' :: ', 1)}/{name}"
    failure, skipped = case.find("failure"), case.find("skipped")
    reason = "" if skipped is None else skipped.get("message", "")
    if reason.startswith(LIT_NOT_SELECTED):
        return None
    if case.get("status") == "disabled":
        return Result(name, "skipped", "disabled")
    # ctest calls a test that it could not start "skipped" as well.
    if case.get("status") == "notrun" and not reason.startswith("SKIP_"):
        return Result(name, "failed", reason)
    if skipped is not None:
        return Result(name, "skipped", reason)
    if failure is not None:
        output = case.findtext("system-out") or failure.text
        return Result(name, "failed", output or failure.get("message", ""))
    return Result(name, "passed", "")


def read_results(file):
    """The results in a JUnit file, of the tests that were selected."""
    cases = xml.parse(file).iter("testcase")
    return [result for result in map(case_result, cases) if result]


def may_be_skipped(result, features):
    """Whether nothing but hardware `features` kept this test from running."""
    if not result.detail.startswith(LIT_MISSING):
        return False
    missing = re.findall(r"[\w.+-]+", result.detail[len(LIT_MISSING):])
    return set(missing) <= set(features)


def indented_tail(text):
    lines = text.strip().splitlines()
    if len(lines) > LAST_LINES:
        lines = [f"... {len(lines) - LAST_LINES} lines", *lines[-LAST_LINES:]]
    return "".join(f"    {line}\n" for line in lines)


def main():
    options = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument(
        "--run", nargs=3, action="append", required=True,
        metavar=("RUNNER", "FILE", "EXIT"),
        help="a test runner's name, its JUnit file and its exit code")
    options.add_argument(
        "--optional", nargs="*", default=[], metavar="FEATURE",
        help="lit features that a machine may lack")
    options.add_argument(
        "--filtered", action="store_true",
        help="one test is enough, whichever runner it is of")
    arguments = options.parse_args()

    results, complaints = [], []
    for runner, file, exit_code in arguments.run:
        try:
            found = read_results(file)
        except FileNotFoundError as error:
            # lit writes nothing if a filter leaves it without tests.
            found = []
            if not (arguments.filtered and exit_code == "0"):
                complaints.append(f"{runner} left no results: {error}")
                continue
        except xml.ParseError as error:
            complaints.append(f"{runner} left no readable results: {error}")
            continue
        results += found
        if not found and not arguments.filtered:
            complaints.append(f"{runner} ran no test")
        if exit_code != "0" and all(r.outcome != "failed" for r in found):
            complaints.append(
                f"{runner} exited with {exit_code}, but no test of it failed")

    count = dict.fromkeys(("passed", "failed", "skipped"), 0)
    for result in results:
        count[result.outcome] += 1
        if result.outcome == "failed":
            print(f"FAILED {result.name}\n{indented_tail(result.detail)}")
        elif result.outcome == "skipped":
            print(f"SKIPPED {result.name}: {result.detail}")
            if not may_be_skipped(result, arguments.optional):
                complaints.append(f"{result.name} was skipped, but should run")
    if not count["passed"] and not count["failed"]:
        complaints.append("no test ran")
    for complaint in complaints:
        print(f"error: {complaint}")
    print(", ".join(f"{n} {outcome}" for outcome, n in count.items()))
    return 1 if complaints or count["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
