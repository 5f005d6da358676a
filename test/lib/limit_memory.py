#!/usr/bin/env python3
"""Runs a command in little memory: limit_memory.py MEBIBYTES COMMAND..."""

import os
import resource
import sys


def main():
    limit = int(sys.argv[1]) << 20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    os.execvp(sys.argv[2], sys.argv[2:])


if __name__ == "__main__":
    main()
