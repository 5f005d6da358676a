"""Gives fuse-opt what is broken: broken_inputs.py FUSE_OPT FOLDER EXAMPLES.

Programs, files and command lines. Each must be refused with exit code 1, by a
message that says where the fault is (file:line:column in a program, else the
flag or the file), and leave nothing behind. Prints the count.
"""

import pathlib
import re
import subprocess
import sys

import broken_files
import broken_programs

VALID = """\
func.func @main(%x: tensor<?xf32> {fuse.name = "x", fuse.dims = ["N"]},
                %k: tensor<i32> {fuse.name = "k"})
    -> (tensor<?xf32> {fuse.name = "y"}) {
  %y = fuse.map exp %x : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
"""

# Arguments, beside a valid program and a folder for results, and what the
# message must name: the first argument, if nothing else is said.
COMMAND_LINES = [
    ["--no-such-flag"], ["--run=2"], ["--function"], ["--function="],
    ["--function=x"], ["--device=tpu"], ["--device"], ["--output-type=f32"],
    ["--print-full=maybe"], ["--stats=x"],
    ["--check=x"], ["--check=rtol"], ["--check=rtol:"], ["--check=rtol:x"],
    ["--check=rtol:-1"], ["--check=rtol:inf"], ["--check=sample"],
    ["--check=sample:"], ["--check=sample:0"], ["--check=sample:-3"],
    ["--check=sample:1.5"], ["--check=sample:99999999999999999999"],
    ["--benchmark=xml"], ["--fp32=bf16"], ["--fp32=x"], ["--fp32="],
    ["--max-memory="], ["--max-memory=x"], ["--max-memory=-1"],
    ["--max-memory=1XB"], ["--max-memory=9999999999GiB"],
    ["--input-dir="], ["--input-dir=/no/such/folder"],
    ["--dims="], ["--dims=N"], ["--dims=N="], ["--dims==3"], ["--dims=N=x"],
    ["--dims=N=-1"], ["--dims=N=1.5"], ["--dims=N=99999999999999999999"],
    ["--dims=N=1,N=2"], ["--dims=N=1,"], ["--dims=N=1;M=2"],
    ["--dims=N=1", "--dims=N=1"],
    ["--input="], ["--input=x="], ["--input==1"], ["--input=x=1=2"],
    ["--input=y=1"], ["--input=x=@"], ["--input=x=@/no/such/file.npy"],
    ["--input=x=one"], ["--input=x=1,,2"], ["--input=x=[1"], ["--input=x=1]"],
    ["--input=x=[1,[2]]"], ["--input=x=[[1,2]]"], ["--input=x=f64=1"],
    ["--input=x=2xi32=1"], ["--input=x=2x2xf32=1"], ["--input=x=-2xf32=1"],
    ["--input=x=2xf32=1,2,3", "--dims=N=2"], ["--input=x=2xf32=[1]"],
    ["--input=x=rand"], ["--input=x=rand:"], ["--input=x=rand:cauchy"],
    ["--input=x=rand:normal:"], ["--input=x=rand:normal:seed"],
    ["--input=x=rand:normal:seed=x"], ["--input=x=rand:normal:seed=-1"],
    ["--input=x=rand:normal:seed=1,seed=2"], ["--input=x=rand:normal:std=-1"],
    ["--input=x=rand:normal:lo=1"], ["--input=x=rand:uniform:lo=2,hi=1",
                                     "--dims=N=1"],
    ["--input=x=rand:uniform:lo=nan"], ["--input=x=splat:", "--dims=N=1"],
    ["--input=x=splat:1,2", "--dims=N=2"], ["--input=k=1.5", "--dims=N=1"],
    ["--input=k=99999999999", "--dims=N=1"], ["--input=x=1e999", "--dims=N=1"],
    ["--input=k=1,2", "--dims=N=1"], ["--input=k=inf", "--dims=N=1"],
    ["--input=x=1,2", "--input=x=1,2"], ["--input=1,2", "--input=x=1,2"],
    ["--input=1", "--input=1", "--input=1"],
    ["--split-input-file"], ["--emit-bytecode"], ["-o", "-x"],
    ["--emit=plan"], ["--pass-pipeline=x"], ["--pass-pipeline=builtin.module("],
    ["--pass-pipeline=builtin.module(no-such-pass)"],
    ["--pass-pipeline=builtin.module()", "--canonicalize"],
]

# Passes are flags, too, but MLIR does not say which of them is wrong.
PASSES = [
    ["--canonicalize=no-such-option=1"], ["--canonicalize=max-iterations=x"],
]

# A call that is wrong only as a whole is refused at the function.
CALLS = [
    [], ["--dims=M=3"], ["--dims=N=1,M=3"],
    ["--dims=N=2", "--input=x=1,2,3"], ["--dims=N=9223372036854775807"],
]


class Runner:
    def __init__(self, fuse_opt, folder):
        self.fuse_opt, self.folder = fuse_opt, folder
        self.count = 0
        self.failures = []

    def expect_refusal(self, name, arguments, place):
        """`place` is a regular expression for what the message must say."""
        self.count += 1
        before = set(self.folder.rglob("*"))
        result = subprocess.run(
            [self.fuse_opt, *map(str, arguments)], stdin=subprocess.DEVNULL,
            capture_output=True, check=False, timeout=60)
        message = result.stderr.decode(errors="replace")
        left = sorted(map(str, set(self.folder.rglob("*")) - before))
        if result.returncode != 1:
            self.fail(name, f"exit code {result.returncode}", message)
        elif not re.search(place, message):
            self.fail(name, f"no message with {place}", message)
        elif left:
            self.fail(name, f"left behind: {left}", message)
        for path in left:
            pathlib.Path(path).unlink(missing_ok=True)

    def expect_success(self, arguments):
        """What is broken below must be whole to begin with."""
        subprocess.run([self.fuse_opt, *map(str, arguments)], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def fail(self, name, what, message):
        self.failures.append(name)
        print(f"{name}: {what}\n  {message[:500]!r}")


def write(path, contents):
    if isinstance(contents, str):
        contents = contents.encode()
    path.write_bytes(contents)
    return path


def check_programs(runner, programs):
    output = runner.folder / "out"
    for name, text in programs:
        path = write(runner.folder / f"{name}.mlir", text)
        place = rf"{re.escape(path.name)}:\d+:\d+: (error|\S*error): \S"
        runner.expect_refusal(name, [path, "-o", output], place)
        path.unlink()


def check_files(runner, program):
    folder = runner.folder / "inputs"
    folder.mkdir()
    output = runner.folder / "out"
    for name, contents in broken_files.malformed():
        path = write(folder / "x.npy", contents)
        runner.expect_refusal(
            f"npy-{name}",
            [program, "--run", f"--input=@{path}", f"--output-dir={output}"],
            rf"error: --input=@.*{re.escape(path.name)}: \S")
    # The last of them, by its folder.
    runner.expect_refusal(
        "npy-folder",
        [program, "--run", f"--input-dir={folder}", f"--output-dir={output}"],
        rf"error: --input-dir=.*{re.escape(path.name)}: \S")


def check_bytecode(runner, program):
    whole = subprocess.run([runner.fuse_opt, program, "--emit-bytecode"],
                           capture_output=True, check=True).stdout
    parts = [(f"bytecode-{part}", whole[:len(whole) * part // 8])
             for part in range(1, 8)]
    check_programs(runner, parts)


def check_command_lines(runner, program):
    base = [program, "--run", f"--output-dir={runner.folder / 'out'}"]
    for arguments in COMMAND_LINES:
        flag = arguments[-1] if arguments[0] == arguments[-1] else arguments[0]
        name = re.match("-*[^=]*", flag)[0]
        runner.expect_refusal(" ".join(arguments), [*base, *arguments],
                              rf"{re.escape(name)}|{re.escape(name[2:])}")
    for arguments in PASSES:
        runner.expect_refusal(" ".join(arguments), [*base, *arguments],
                              "error: passes on the command line: ")
    for arguments in CALLS:
        runner.expect_refusal("call " + " ".join(arguments),
                              [*base, *arguments],
                              rf"{program.name}:1:1: error: \S")
    for arguments, place in [
            ([program, "--dims=N=1"], "--dims"),
            ([program, program], "Too many positional arguments"),
            ([runner.folder / "none.mlir"], "none.mlir"),
            ([runner.folder], runner.folder.name),
            (["/dev/zero"], "/dev/zero"), ([""], "cannot read")]:
        runner.expect_refusal(f"fuse-opt {arguments[0]}", arguments, place)


def main():
    fuse_opt, folder, examples = sys.argv[1:]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True)
    runner = Runner(fuse_opt, folder)
    program = write(folder / "valid.mlir", VALID)
    base = write(folder / "base.mlir", broken_programs.BASE)
    values = write(folder / "x.npy", broken_files.GOOD)
    runner.expect_success([base, "--fuse-check-dims"])
    runner.expect_success([program, "--run", f"--input=@{values}"])
    check_programs(runner, broken_programs.replaced())
    check_programs(runner, broken_programs.truncated(pathlib.Path(examples)))
    check_programs(runner, broken_programs.garbage())
    check_programs(runner, (
        (kind, getattr(broken_programs.nested_text, kind)(count))
        for kind, count in broken_programs.NESTED))
    check_bytecode(runner, program)
    check_files(runner, program)
    check_command_lines(runner, program)
    print(f"{runner.count} broken inputs, {len(runner.failures)} not refused "
          "as they should be")
    return bool(runner.failures)


if __name__ == "__main__":
    sys.exit(main())
