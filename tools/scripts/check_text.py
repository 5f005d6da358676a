#!/usr/bin/env python3
"""Checks what the text of a file must look like.

- No path of somebody's machine, such as a home folder, in any file.
- C++ and TableGen files open with `//===- <file name> - <what> ---===//`.
- Headers are guarded by FUSE_<COMPONENT>_<FILE>_H.
"""

import re
import sys

import project

MACHINE_PATH = re.compile(
    r"(?<![\w.$})~-])/(?:home|root|tmp|work|mnt|Users)/[\w./-]+")


def words(text):
    """`text` in the letters of a macro name."""
    return re.sub(r"\W", "_", text).upper()


def machine_paths(path, lines):
    for number, line in enumerate(lines, 1):
        match = MACHINE_PATH.search(line)
        if match:
            yield path, number, f"machine path '{match[0]}'"


def opening_line(path, lines):
    first = lines[0] if lines else ""
    expected = f"//===- {path.name} - "
    if not (first.startswith(expected) and first.endswith("===//")):
        yield path, 1, f"expects a first line '{expected}...===//'"
    elif len(first) > 80:
        yield (path, 1,
               f"expects a first line of 80 columns, but got {len(first)}")


def include_guard(path, lines):
    component, name = words(path.parts[0]), words(path.stem)
    form = re.compile(rf"FUSE_{component}_(\w+_)?{name}_(H|CUH)")
    shown = f"FUSE_{component}_..._{name}_H"
    text = "\n".join(lines)
    guard = re.search(r"^#ifndef (\w+)\n#define \1$", text, re.M)
    if not guard:
        yield path, 1, f"expects an include guard {shown}"
    elif not form.fullmatch(guard[1]):
        line = text[:guard.start()].count("\n") + 1
        yield (path, line,
               f"expects an include guard {shown}, but got {guard[1]}")
    elif lines[-1] != f"#endif // {guard[1]}":
        yield path, len(lines), f"expects a last line '#endif // {guard[1]}'"


def main():
    arguments = project.parser(__doc__).parse_args()
    problems = []
    for path in project.files(arguments.root):
        try:
            lines = (arguments.root / path).read_text("utf-8").splitlines()
        except UnicodeDecodeError:  # Binary test data.
            continue
        problems += machine_paths(path, lines)
        if path.suffix in (*project.CPP_SUFFIXES, ".td"):
            problems += opening_line(path, lines)
        if path.suffix in (".h", ".cuh"):
            problems += include_guard(path, lines)
    return project.report("text", problems)


if __name__ == "__main__":
    sys.exit(main())
