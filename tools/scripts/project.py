#!/usr/bin/env python3
"""The files of the project, and what the project checks have in common.

Run as a script it lists the project's files: those that git tracks or would
track, or, outside a git work tree, every file that is not in a build folder.
"""

import argparse
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CPP_SUFFIXES = (".cpp", ".h", ".cuh", ".cu")


def _git_files(root, *arguments):
    listing = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z", *arguments],
        capture_output=True, check=True, text=True).stdout
    return [name for name in listing.split("\0") if name]


def _walked_files(root):
    for path in root.rglob("*"):
        name = path.relative_to(root).as_posix()
        if path.is_file() and not re.match(r"(build|install|\.git/)", name):
            yield name


def files(root, suffixes=()):
    """Sorted paths, relative to `root`, that end in one of `suffixes`."""
    try:
        if not (root / ".git").exists():
            raise FileNotFoundError(root / ".git")
        names = _git_files(root, "--cached", "--others", "--exclude-standard")
    except (OSError, subprocess.CalledProcessError):
        names = _walked_files(root)
    return [Path(name) for name in sorted(set(names))
            if name.endswith(tuple(suffixes) or "") and (root / name).is_file()]


def changed_files(root, base, suffixes=()):
    """The files of `files` that differ from the commit `base` or are new."""
    diff = subprocess.run(
        ["git", "-C", str(root), "diff", "--name-only", "-z", base, "--"],
        capture_output=True, check=True, text=True).stdout
    changed = set(diff.split("\0"))
    changed.update(_git_files(root, "--others", "--exclude-standard"))
    return [path for path in files(root, suffixes)
            if path.as_posix() in changed]


def parser(description):
    """An argument parser with the option that every check has."""
    result = argparse.ArgumentParser(
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    result.add_argument("--root", type=Path, default=ROOT,
                        help="the source tree (default: this one)")
    return result


def report(name, problems):
    """Prints problems as `path:line: message` and returns the exit code."""
    for path, line, message in problems:
        print(f"{path}:{line}: {message}")
    print(f"{name}: {len(problems) or 'no'} "
          f"problem{'' if len(problems) == 1 else 's'}")
    return 1 if problems else 0


def main():
    options = parser(__doc__)
    options.add_argument("--suffix", nargs="+", default=[],
                         help="list only names that end in one of these")
    arguments = options.parse_args()
    for path in files(arguments.root, arguments.suffix):
        print(path)


if __name__ == "__main__":
    main()
