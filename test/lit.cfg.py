# The lit suite of Fuse. lit.site.cfg.py in the build folder says where things
# are and then loads this file.

import os
import subprocess
import sys

import lit.formats

config.name = "Fuse"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.fuse_obj_root, "test")

# Folders whose files are inputs of tests, or tests of another kind.
config.excludes = ["data", "embed", "fuzz", "lib", "unit"]

# For what never ends. Sanitizers take a multiple of the time.
if lit_config.maxIndividualTestTimeIsSupported[0]:
    lit_config.maxIndividualTestTime = 900 if config.fuse_sanitizers else 300

# Our tools first, then FileCheck, not, split-file and the stock MLIR tools.
config.environment["PATH"] = os.pathsep.join(
    [config.fuse_tools_dir, config.llvm_tools_dir, os.environ["PATH"]])

foreign = "env"

if config.fuse_sanitizers:
    config.available_features.add("asan")
    # The archives of LLVM and MLIR are not instrumented, which checks of
    # containers and of arenas take amiss.
    # LLVM's stacks for signals and those of ASan get in each other's way.
    mixed = ("detect_container_overflow=0:allow_user_poisoning=0:"
             "use_sigaltstack=0")
    # `not` tells a crash from a diagnostic by the signal.
    for variable, options in (
        ("ASAN_OPTIONS", f"abort_on_error=1:{mixed}"),
        ("UBSAN_OPTIONS", "abort_on_error=1:print_stacktrace=1"),
    ):
        config.environment.setdefault(variable, options)
    # A program without ASan that loads a library of ours needs its runtime
    # first.
    runtime = subprocess.check_output(
        [config.host_cxx, "-print-file-name=libasan.so"], text=True).strip()
    foreign = f"env LD_PRELOAD={runtime} ASAN_OPTIONS=detect_leaks=0:{mixed}"

if config.fuse_plugin and os.path.exists(config.fuse_plugin):
    config.available_features.add("plugins")

# Compiled kernels are shared by the tests of one build, and by nobody else.
config.environment["FUSE_CACHE_DIR"] = os.path.join(
    config.fuse_obj_root, "test", "kernel-cache")
for variable in ("FUSE_NVRTC", "CUDA_HOME"):
    if variable in os.environ:
        config.environment[variable] = os.environ[variable]

# What this machine has of CUDA: a GPU, or its run-time compiler alone.
fuse_run = os.path.join(config.fuse_tools_dir, "fuse-run")
if os.path.exists(fuse_run):
    for line in subprocess.run([fuse_run, "--devices"], capture_output=True,
                               text=True, check=True).stdout.splitlines():
        name, _, description = line.partition(": ")
        if not description.startswith("none"):
            config.available_features.add({"cuda": "gpu"}.get(name, name))

config.substitutions += [
    ("%fuse_examples", os.path.join(config.fuse_src_root, "examples")),
    ("%fuse_data", os.path.join(config.test_source_root, "data")),
    ("%fuse_scripts", os.path.join(config.fuse_src_root, "tools", "scripts")),
    ("%fuse_obj_root", config.fuse_obj_root),
    ("%fuse_tools_dir", config.fuse_tools_dir),
    ("%fuse_plugin", config.fuse_plugin),
    ("%stock_mlir_opt", f"{foreign} mlir-opt"),
    ("%foreign", foreign),
    ("%python", sys.executable),
]
