#!/usr/bin/env python3
"""Checks that includes follow the direction of the components.

    ir -> passes -> codegen -> tools        runtime -> nothing

A component includes itself and what stands before it. The runtime knows
nothing of the compiler, of MLIR or of LLVM; codegen shares one C header with
it, and a tool built on the runtime alone must stay so.
"""

import re
import sys

import project

# What each folder may include of the project, as prefixes of include paths.
ALLOWED = {
    "ir": ("fuse/ir/", "fuse/tile/"),
    "ir/interpreter": ("fuse/ir/", "fuse/interpreter/"),
    "passes": ("fuse/ir/", "fuse/tile/", "fuse/passes/"),
    "codegen": ("fuse/ir/", "fuse/tile/", "fuse/passes/", "fuse/codegen/",
                "fuse-c/", "fuse/runtime/Abi.h", "fuse/runtime/Artifact.h",
                "fuse/runtime/DeviceHeader.h"),
    "runtime": ("fuse/runtime/",),
    "tools/fuse-run": ("fuse/runtime/",),
}
WITHOUT_MLIR = ("runtime", "tools/fuse-run", "test/runtime")

INCLUDE = re.compile(r'\s*#\s*include\s+["<]([^">]+)[">]')
TABLEGEN_INCLUDE = re.compile(r'\s*include\s+"([^"]+)"')


def folder_of(path, folders):
    """The longest of `folders` that holds `path`, or None."""
    holding = [f for f in folders if path.as_posix().startswith(f + "/")]
    return max(holding, key=len, default=None)


def problem(path, include):
    """Why `path` must not include `include`, or None."""
    folder = folder_of(path, ALLOWED)
    if folder and re.match(r"fuse(-c)?/", include):
        if not include.startswith(ALLOWED[folder]):
            return (f"{folder} must not include '{include}'; "
                    f"it may include {', '.join(ALLOWED[folder])}")
    folder = folder_of(path, WITHOUT_MLIR)
    if folder and re.match(r"(mlir|llvm|clang)(-c)?/", include):
        return (f"{folder} must not include '{include}'; "
                "it is free of MLIR and LLVM")
    if include.startswith("../"):
        return ("expects an include path from a public folder, "
                f"but got '{include}'")
    return None


def main():
    arguments = project.parser(__doc__).parse_args()
    problems = []
    suffixes = (*project.CPP_SUFFIXES, ".td", ".def", ".inc")
    for path in project.files(arguments.root, suffixes):
        pattern = TABLEGEN_INCLUDE if path.suffix == ".td" else INCLUDE
        text = (arguments.root / path).read_text()
        for number, line in enumerate(text.splitlines(), 1):
            match = pattern.match(line)
            message = match and problem(path, match[1])
            if message:
                problems.append((path, number, message))
    return project.report("include direction", problems)


if __name__ == "__main__":
    sys.exit(main())
