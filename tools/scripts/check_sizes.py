#!/usr/bin/env python3
"""Checks the length of source files.

A file holds one concern and about 500 lines. Past 500 it is listed as a
warning, past 600 it is a problem. A table or a header that truly belongs
together is named in EXEMPT, with its reason. (The length of functions is
clang-tidy's to check.)
"""

import sys

import project

WARN, LIMIT = 500, 600
SUFFIXES = (*project.CPP_SUFFIXES, ".td", ".def", ".py", ".cmake", "tools/dev")

# Path -> why this file is one file.
EXEMPT = {}


def main():
    arguments = project.parser(__doc__).parse_args()
    sizes = {}
    for path in project.files(arguments.root, SUFFIXES):
        sizes[path] = len((arguments.root / path).read_bytes().splitlines())
    long = sorted((p for p in sizes if sizes[p] > WARN),
                  key=lambda p: -sizes[p])
    for path in long:
        note = EXEMPT.get(path.as_posix(), "split it by concern")
        print(f"{sizes[path]:6} lines  {path}  ({note})")
    problems = [
        (path, 1, f"expects at most {LIMIT} lines, but got {sizes[path]}")
        for path in long
        if sizes[path] > LIMIT and path.as_posix() not in EXEMPT
    ]
    problems += [
        ("tools/scripts/check_sizes.py", 1, f"'{name}' needs no exemption")
        for name in EXEMPT
        if sizes.get(project.Path(name), 0) <= WARN
    ]
    return project.report("file sizes", problems)


if __name__ == "__main__":
    sys.exit(main())
