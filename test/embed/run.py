#!/usr/bin/env python3
"""Uses Fuse as other projects do: each step is a test of its own.

The step `install` installs the build into a folder of the test and moves it, so
that nothing works by where it was built. The others configure, build and run
the projects beside this file against that folder.
"""

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parents[1]

# Objects that may be written to: MLIR's and the compiler's own, and what
# TableGen writes for each op and each pass.
# Handlers of signals are the process's: runtime/twin/Faults.cpp notes the runs
# that they serve, and is quiet when there is none.
NO_STATE = re.compile(
    r"(guard variable for )?((mlir|llvm)::|"
    r"fuse::(tile::)?\w+::getAttributeNames\(\)::attrNames$|"
    r"fuse::impl::\w+<.*>::resolveTypeID\(\)::id$|"
    r"\(anonymous namespace\)::registry$)|DW\.ref\.|__odr_asan\.")


class Failure(Exception):
    """What a step expected and what it got."""


def expect(condition, wanted, got):
    if not condition:
        raise Failure(f"expects {wanted}, but got:\n{got}")


def run(*command, cwd=None, code=0):
    """Runs a command that shall exit with `code`; returns (stdout, stderr)."""
    command = [str(word) for word in command]
    print("+", *command, flush=True)
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True,
                          check=False)
    expect(done.returncode == code, f"exit code {code}",
           f"{done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


def configure(options, project, name, *settings, prefix=None, code=0):
    """Configures a project afresh; returns its build folder and messages."""
    build = options.scratch / name
    shutil.rmtree(build, ignore_errors=True)
    output = run(
        "cmake", "-S", HERE / project, "-B", build, "-G", "Ninja",
        "-DCMAKE_BUILD_TYPE=Release",
        f"-DCMAKE_C_COMPILER={options.cc}",
        f"-DCMAKE_CXX_COMPILER={options.cxx}",
        f"-DCMAKE_CXX_COMPILER_LAUNCHER={options.launcher}",
        f"-DCMAKE_C_FLAGS={options.flags}",
        f"-DCMAKE_CXX_FLAGS={options.flags}",
        f"-DCMAKE_PREFIX_PATH={prefix or options.prefix}", *settings,
        code=code)
    return build, "".join(output)


def build_and_run(options, project, name, *settings, prefix=None):
    """Each source is a program. It prints what its CHECK lines say, and the
    libraries print nothing. Returns the programs."""
    build, _ = configure(options, project, name, *settings, prefix=prefix)
    run("cmake", "--build", build)
    programs = []
    for source in sorted((HERE / project).glob("*.cpp")):
        programs.append(build / source.stem)
        stdout, stderr = run(programs[-1], cwd=build)
        expect(not stderr, "a silent stderr", stderr)
        output = build / f"{source.stem}.txt"
        output.write_text(stdout)
        run(options.filecheck, source, f"--input-file={output}")
    return programs


def install(options):
    """A package that may be moved, and programs that run."""
    shutil.rmtree(options.scratch, ignore_errors=True)
    staged = options.scratch / "staged"
    run("cmake", "--install", options.build, "--prefix", staged)
    staged.rename(options.prefix)
    for path in options.prefix.rglob("*"):
        if path.suffix in (".cmake", ".h", ".td", ".def", ".inc"):
            text = path.read_text()
            for root in (SOURCE, options.build, staged):
                expect(f"{root}/" not in text, "no path of the build",
                       f"{root} in {path}")
    dialects = run(options.prefix / "bin" / "fuse-opt", "--show-dialects")[0]
    expect("fuse" in dialects, "the dialect fuse", dialects)


def needed_libraries(program):
    return re.findall(r"NEEDED +(\S+)", run("objdump", "-p", program)[0])


def compiler(options):
    for program in build_and_run(options, "compiler", "compiler"):
        libraries = needed_libraries(program)
        expect(any(name.startswith("libMLIR.so") for name in libraries),
               "libMLIR.so", libraries)


def compiler_static(options):
    for program in build_and_run(options, "compiler", "compiler-static",
                                 "-DFuseCompiler_LINK=static"):
        libraries = needed_libraries(program)
        expect(not any(name.startswith("libMLIR") for name in libraries),
               "no libMLIR.so", libraries)


def host_commands(build):
    """The commands that would compile and link the host."""
    commands = run("ninja", "-C", build, "-t", "commands",
                   "compile")[0].splitlines()
    return (next(c for c in commands if "compiler/compile.cpp" in c),
            commands[-1])


def compiler_unlinked(options):
    """A host may bring an MLIR of its own."""
    build, _ = configure(options, "compiler", "compiler-unlinked",
                         "-DFuseCompiler_LINK=none")
    _, link = host_commands(build)
    expect("MLIR" not in link, "no library of MLIR", link)


def runtime(options):
    """The runtime, installed and used as on a machine without LLVM."""
    prefix = options.scratch / "runtime-prefix"
    shutil.rmtree(prefix, ignore_errors=True)
    run("cmake", "--install", options.build, "--component", "Runtime",
        "--prefix", prefix)
    without_llvm = ["-DCMAKE_DISABLE_FIND_PACKAGE_LLVM=ON",
                    "-DCMAKE_DISABLE_FIND_PACKAGE_MLIR=ON"]
    build_and_run(options, "runtime", "runtime", *without_llvm, prefix=prefix)
    _, output = configure(options, "package", "runtime-package",
                          "-DCOMPONENTS=IR", prefix=prefix, code=1)
    expect_message("expects components of: Runtime; but got 'IR'", output)


def expect_message(message, output):
    """CMake breaks the lines of a message."""
    expect(message in " ".join(output.split()), message, output)


def package(options):
    """A package that cannot serve says why."""
    for settings, message in (
        (["-DVERSION=9.0"], 'requested version "9.0"'),
        (["-DCOMPONENTS=Kernels"],
         "expects components of: Runtime, IR, Interpreter, Passes; but got "
         "'Kernels'"),
        (["-DCOMPONENTS=Passes", "-DCMAKE_DISABLE_FIND_PACKAGE_MLIR=ON"],
         "module MLIR called with REQUIRED"),
        (["-DFuseCompiler_LINK=dynamic"],
         "FuseCompiler_LINK expects shared, static or none, but got "
         "'dynamic'"),
    ):
        _, output = configure(options, "package", "package", *settings, code=1)
        expect_message(message, output)


def subproject(options):
    """Fuse as a folder of another project: configured, not built."""
    build, _ = configure(options, "subproject", "subproject",
                         f"-DFUSE_SOURCE_DIR={SOURCE}")
    expect(not (build / "compile_commands.json").exists(),
           "no compile commands that nobody asked for", "some")
    compilation, link = host_commands(build)
    for flag in ("-Werror", "-Wall", "-fno-exceptions"):
        expect(flag not in compilation, f"no {flag}", compilation)
    expect("/libMLIR.so" in link, "libMLIR.so", link)


def state(options):
    """Our archives hold no state of the process."""
    archives = sorted(options.prefix.glob("lib*/**/libFuse*.a"))
    expect(len(archives) >= 3, "the archives", archives)
    found = []
    for archive in archives:
        for line in run("objdump", "-tC", archive)[0].splitlines():
            match = re.match(r"\S+ .{6}O (\.t?(?:bss|data)\S*)\s+\S+\s+"
                             r"(?:\.hidden )?(.*)", line)
            if (match and not match[1].startswith(".data.rel.ro")
                    and not NO_STATE.match(match[2])):
                found.append(f"{archive.name}: {match[2]}")
    expect(not found, "no object that may be written to", "\n".join(found))


STEPS = (install, compiler, compiler_static, compiler_unlinked, runtime,
         package, subproject, state)


def main():
    steps = {step.__name__.replace("_", "-"): step for step in STEPS}
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=steps)
    parser.add_argument("--build", type=Path, required=True,
                        help="the build folder of Fuse")
    parser.add_argument("--scratch", type=Path, required=True,
                        help="a folder for these tests alone")
    parser.add_argument("--filecheck", required=True)
    parser.add_argument("--cc", required=True)
    parser.add_argument("--cxx", required=True)
    parser.add_argument("--launcher", default="", help="such as ccache")
    parser.add_argument("--flags", default="", help="for the compilers")
    options = parser.parse_args()
    options.prefix = options.scratch / "prefix"
    try:
        steps[options.step](options)
    except Failure as failure:
        print(failure)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
