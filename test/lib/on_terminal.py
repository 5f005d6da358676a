#!/usr/bin/env python3
"""Runs a command whose stderr is a terminal, and prints what that shows.

Control characters are printed as Python spells them. The exit code is that of
the command.
"""

import os
import pty
import subprocess
import sys


def main():
    reader, terminal = pty.openpty()
    with subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL,
                          stderr=terminal) as process:
        os.close(terminal)
        shown = b""
        while True:
            try:
                part = os.read(reader, 4096)
            except OSError:  # Linux says so at the end.
                break
            if not part:
                break
            shown += part
    for line in shown.decode().replace("\r\n", "\n").split("\n"):
        print(ascii(line))
    return process.returncode


if __name__ == "__main__":
    sys.exit(main())
