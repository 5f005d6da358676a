#!/usr/bin/env python3
"""Runs the console blocks of a Markdown file and compares what they print.

In a block fenced as `console`, a line `$ build/release/bin/TOOL ...` is a
command, run with the tool of the folder given, from the project's root; the
lines up to the next command are what it must print, stdout before stderr.
`...` stands for any further text, on a line or for lines. Other commands are
left out, for they install or build.
"""

import argparse
import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r"^```console\n(.*?)^```", re.DOTALL | re.MULTILINE)
PREFIX = "build/release/bin/"


def commands(text):
    """Yields (command, expected output) for each command to run."""
    for block in BLOCK.findall(text):
        joined = block.replace("\\\n", " ")
        for part in re.split(r"^\$ ", joined, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            if command.startswith(PREFIX):
                yield command[len(PREFIX) :], expected


def matches(expected, printed):
    pattern = ".*".join(re.escape(piece) for piece in expected.split("..."))
    return re.fullmatch(pattern, printed, re.DOTALL) is not None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--bin", required=True, help="folder of the tools")
    parser.add_argument("--root", required=True, help="the project's root")
    options = parser.parse_args()
    count = 0
    for command, expected in commands(options.file.read_text()):
        count += 1
        run = subprocess.run(
            ["bash", "-c", f"{options.bin}/{command}"],
            cwd=options.root,
            capture_output=True,
            text=True,
            check=False,
        )
        printed = run.stdout + run.stderr
        if not matches(expected.strip(), printed.strip()):
            sys.exit(
                f"error: {options.file}: expects '{command}' to print\n"
                f"{expected}\nbut got\n{printed}"
            )
    if count == 0:
        sys.exit(f"error: {options.file}: expects commands to run")
    print(f"{count} commands print what {options.file.name} says")


if __name__ == "__main__":
    main()
