#!/usr/bin/env python3
"""Runs a command and demands an exit code: expect_exit.py CODE COMMAND...

`not` of LLVM tells success from failure only, but scripts that use our tools
tell the failures apart. A command that ends by a signal has no exit code here.
"""

import subprocess
import sys


def main():
    expected, command = int(sys.argv[1]), sys.argv[2:]
    code = subprocess.run(command, check=False).returncode
    if code != expected:
        print(f"expects exit code {expected}, but got {code}", file=sys.stderr)
    return code != expected


if __name__ == "__main__":
    sys.exit(main())
