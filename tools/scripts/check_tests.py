#!/usr/bin/env python3
"""Checks that each pass and each op has the test files it must have.

    passes/FormRegions.cpp           test/passes/form-regions.mlir
    an op `fuse.check.equal`         test/ir/check_equal.mlir
    an op with a verifier            test/ir/check_equal-invalid.mlir
    an op `tile.load`                named in a file of test/tile
    a verifier of one                its message in a test/tile/*-invalid.mlir

Terminators are tested with the ops that hold them.
"""

import json
import re
import subprocess
import sys

import project

LLVM = project.Path("/usr/lib/llvm-22")


def kebab(name):
    """`PrepareForCuda` -> `prepare-for-cuda`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()


def pass_tests(root):
    """(path, line, what, test file) of each pass."""
    for path in project.files(root, (".cpp",)):
        if path.parts[0] != "passes":
            continue
        text = (root / path).read_text()
        match = re.search(r"^#define GEN_PASS_DEF_\w+", text, re.M)
        if match:
            line = text[:match.start()].count("\n") + 1
            yield path, line, "a pass", f"test/passes/{kebab(path.stem)}.mlir"


def tablegen_files(root):
    return [path for path in project.files(root, (".td",))
            if path.parts[0] == "ir"]


def op_files(root):
    """The TableGen files of ops that no other file includes."""
    paths = tablegen_files(root)
    included = {name for path in paths
                for name in re.findall(r'^include "([^"]+)"',
                                       (root / path).read_text(), re.M)}
    return [path for path in paths if path.stem.endswith("Ops")
            and not any(path.as_posix().endswith("/" + name)
                        for name in included)]


def tile_op_tests(root, file, line, op):
    """The same of an op on tiles, which are tested in groups."""
    name = f"tile.{op['opName']}"
    def found(pattern, text):
        return any(text in path.read_text()
                   for path in (root / "test/tile").glob(pattern))
    if not found("*.mlir", name):
        yield file, line, f"op '{name}'", "test/tile/*.mlir"
    if op["hasVerifier"] and not found("*-invalid.mlir", f"'{name}' op"):
        yield file, line, f"the verifier of '{name}'", "test/tile/*-invalid.mlir"


def op_tests(root, path):
    """(path, line, what, test file) of each op below a TableGen file."""
    dump = subprocess.run(
        [LLVM / "bin/llvm-tblgen", "--dump-json", "-I", "ir/include",
         "-I", LLVM / "include", path],
        cwd=root, capture_output=True, check=True, text=True)
    records = json.loads(dump.stdout)
    # Locations name a file without its folder.
    paths = {path.name: path for path in tablegen_files(root)}
    for name in sorted(records["!instanceof"].get("Op", [])):
        op = records[name]
        file, line = op["!locs"][0].rsplit(":", 1)
        file = paths.get(file)  # None for an op of another dialect.
        if not file or any(t["def"] == "Terminator" for t in op["traits"]):
            continue
        if op.get("opDialect", {}).get("def") == "Tile_Dialect":
            yield from tile_op_tests(root, file, line, op)
            continue
        test = f"test/ir/{op['opName'].replace('.', '_')}"
        yield file, line, f"op '{op['opName']}'", f"{test}.mlir"
        if op["hasVerifier"] or op["hasRegionVerifier"]:
            yield (file, line, f"the verifier of '{op['opName']}'",
                   f"{test}-invalid.mlir")


def main():
    arguments = project.parser(__doc__).parse_args()
    root = arguments.root
    problems, wanted = [], list(pass_tests(root))
    for path in op_files(root):
        try:
            wanted += op_tests(root, path)
        except subprocess.CalledProcessError as error:
            problems.append((path, 1, "TableGen rejects this file\n"
                             + error.stderr.strip()))
    problems += [(path, line, f"{what} expects a test file {test}")
                 for path, line, what, test in wanted
                 if not (root / test).is_file()]
    return project.report("tests", problems)


if __name__ == "__main__":
    sys.exit(main())
