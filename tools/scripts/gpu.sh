# shellcheck shell=bash
# The commands of tools/dev for machines with a GPU.

help_bundle() {
  cat <<TEXT
usage: tools/dev bundle [FOLDER]

Makes FOLDER (build/bundle): our programs and the runtime's shared library,
stripped, with the examples, their stored cases, tools/gpu-check, which checks
and times them on a machine with a GPU, and tools/bench, which measures them
beside their peers there. It needs no LLVM there, and may be moved anywhere.
TEXT
}

# bundle_program FOLDER NAME OPTION-OR-SOURCE...: a program for the GPU.
bundle_program() {
  local folder=$1 name=$2
  shift 2
  run nvcc -std=c++17 --fmad=false -gencode arch=compute_90a,code=sm_90a \
    -o "$folder/bin/$name" "$@"
}

# The device header's functions as programs for the GPU, and what they give here.
bundle_conformance() {
  local folder=$1 built=build/$preset
  build --target fuse-math-hashes fuse-twin-conformance fuse-device-header
  timed "scalar functions" bundle_program "$folder" math-conformance \
    -I runtime -I runtime/include test/math/conformance_main.cu
  "$built/test/math/hashes-g++-O2" >"$folder/test/math-conformance.txt"
  timed "primitives" bundle_program "$folder" primitives-conformance \
    -include "$built/runtime/device/fuse_device.h" test/twin/conformance_main.cu
  "$built/bin/fuse-twin-conformance" >"$folder/test/primitives-conformance.txt"
}

cmd_bundle() {
  local folder=${1:-build/bundle} program
  (($# <= 1)) || die "bundle expects one folder, but got '$2'"
  need_toolchain
  build --target fuse-opt fuse-run FuseRuntimeShared
  rm -rf "$folder"
  mkdir -p "$folder/bin" "$folder/lib" "$folder/tools/bench" "$folder/test"
  for program in bin/fuse-opt bin/fuse-run lib/libfuse_runtime.so; do
    strip -o "$folder/$program" "build/$preset/$program"
  done
  cp -r examples "$folder/examples"
  cp -r test/data "$folder/test/data"
  cp tools/gpu-check "$folder/tools/gpu-check"
  cp tools/bench/*.py "$folder/tools/bench"
  if command -v nvcc >/dev/null; then
    bundle_conformance "$folder"
  else
    say "no nvcc here: the bundle does not check the device header"
  fi
  say "$folder: $(du -sh "$folder" | cut -f1)"
}

help_cuda() {
  cat <<TEXT
usage: tools/dev cuda

Installs NVRTC, the run-time compiler of CUDA, from the Python package
nvidia-cuda-nvrtc into build/cuda, where our programs find it. That is for
machines without a CUDA toolkit; with one there is nothing to do. Compiling
kernels needs no more than this, running them a GPU and its driver.
TEXT
}

cmd_cuda() {
  (($# == 0)) || die "cuda expects no arguments, but got '$1'"
  need cuda
  [[ -x build/cuda/bin/python ]] ||
    timed "environment" run "$python" -m venv build/cuda
  # The CUDA version that we build for, so that older drivers take its code.
  timed "install" run build/cuda/bin/python -m pip install --quiet \
    --disable-pip-version-check 'nvidia-cuda-nvrtc==13.0.*'
  say "installed: $(echo build/cuda/lib/python*/site-packages/nvidia/*/lib/libnvrtc.so.*)"
}
