#!/usr/bin/env python3
"""Runs clang-tidy over the project's C++ files, several at a time.

Takes the files that the build compiles: all of them, or those that changed
since a commit and those that directly include a header that changed.
"""

import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import project

# The build is g++'s; clang is not to complain about options it does not know.
CLANG_OPTIONS = ["--extra-arg=-Wno-unknown-warning-option"]


def compiled_files(root, build):
    """The project's files in the compilation database, relative to `root`."""
    entries = json.loads((build / "compile_commands.json").read_text())
    compiled = {Path(entry["directory"], entry["file"]).resolve()
                for entry in entries}
    return [path for path in project.files(root, (".cpp",))
            if (root / path).resolve() in compiled]


def affected(root, sources, base):
    """Those of `sources` that changed, or that include a changed header."""
    changed = project.changed_files(root, base, project.CPP_SUFFIXES)
    headers = [path.as_posix() for path in changed if path.suffix != ".cpp"]
    result = []
    for source in sources:
        text = (root / source).read_text()
        included = re.findall(r'^#include "([^"]+)"', text, re.M)
        if source in changed or any(
                header.endswith("/" + name)
                for header in headers for name in included):
            result.append(source)
    return result


def check(tidy, root, build, source):
    """clang-tidy's exit code and text for one file."""
    run = subprocess.run(
        [tidy, "-p", str(build), "--quiet", *CLANG_OPTIONS, str(root / source)],
        capture_output=True, text=True)
    # What remains of its stderr without findings is a count of warnings.
    return run.returncode, run.stdout + (run.stderr if run.returncode else "")


def main():
    options = project.parser(__doc__)
    options.add_argument("--tidy", default="clang-tidy-22",
                         help="the clang-tidy to run (default: %(default)s)")
    options.add_argument("--build", type=Path, required=True,
                         help="the build folder with compile_commands.json")
    options.add_argument("--base", default="HEAD",
                         help="check what changed since this commit "
                         "(default: %(default)s)")
    options.add_argument("--all", action="store_true",
                         help="check every file")
    options.add_argument("--jobs", type=int, default=os.cpu_count(),
                         help="files at a time (default: the cores)")
    arguments = options.parse_args()

    sources = compiled_files(arguments.root, arguments.build)
    if not arguments.all:
        try:
            sources = affected(arguments.root, sources, arguments.base)
        except subprocess.CalledProcessError as error:
            reason = error.stderr.strip()
            return f"error: git does not know what changed: {reason}"
    bad = 0
    with ThreadPoolExecutor(arguments.jobs) as pool:
        runs = {pool.submit(check, arguments.tidy, arguments.root,
                            arguments.build, source): source
                for source in sources}
        for done, run in enumerate(as_completed(runs), 1):
            code, text = run.result()
            bad += code != 0
            print(f"[{done}/{len(sources)}] {runs[run]}\n{text}", end="",
                  flush=True)
    print(f"clang-tidy: {len(sources)} files, {bad or 'none'} with problems")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
