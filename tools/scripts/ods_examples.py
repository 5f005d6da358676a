#!/usr/bin/env python3
"""Prints the mlir examples of the TableGen files given, one after another.

Each example stands behind `Example:` in an op description, between fences. The
output is separated by `// -----` and starts each part with the op's name, so
that `fuse-opt --split-input-file --verify-roundtrip` can read it.
"""

import argparse
import pathlib
import re
import sys
import textwrap

OP = re.compile(r"^def (\w+) : Fuse_\w+<\"([\w.]+)\"", re.MULTILINE)
EXAMPLE = re.compile(r"Example:\n\s*```mlir\n(.*?)```", re.DOTALL)


def examples(text):
    """Yields (op, example or None) for each op that a file defines."""
    ops = list(OP.finditer(text))
    for op, following in zip(ops, ops[1:] + [None]):
        body = text[op.end() : following.start() if following else len(text)]
        found = EXAMPLE.search(body)
        yield op.group(2), textwrap.dedent(found.group(1)) if found else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parts = []
    for path in parser.parse_args().files:
        for op, example in examples(path.read_text()):
            if example is None and op != "yield":
                sys.exit(f"error: {path}: expects an example for '{op}'")
            if example is not None:
                parts.append(f"// fuse.{op}\n{example}")
    if not parts:
        sys.exit("error: expects files that define ops, but found none")
    print("// -----\n".join(parts), end="")


if __name__ == "__main__":
    main()
