// A run: which function, with which inputs, and what is printed where.
//
// DEFINE: %{exit} = %python %S/../lib/expect_exit.py

// Results go to stdout, everything else to stderr.
// RUN: fuse-opt %s --run --input=x=1,2,3 --input=k=2 2>%t.err | FileCheck %s --check-prefix=NAMED
// RUN: FileCheck %s --check-prefix=STDERR --input-file=%t.err --implicit-check-not=y:
// NAMED: {{^}}y: 3xf32 = [2, 4, 6]{{$}}
// NAMED-NEXT: {{^}}result1: f32 = 2{{$}}
// NAMED-NOT: {{.}}
// STDERR: fuse-opt: device: {{(cuda|host) [(].+[)]|interpreter}}{{$}}

// Names, then positions: unnamed inputs count by themselves.
// RUN: fuse-opt %s --run --device=interpreter --input=1,2,3 --input=2 | FileCheck %s --check-prefix=NAMED
// RUN: fuse-opt %s --run --device=interpreter --input=k=2 --input=1,2,3 | FileCheck %s --check-prefix=NAMED
// RUN: fuse-opt %s --run --device=interpreter --input=k=2 --input='x=3xf32=[1, 2, 3]' | FileCheck %s --check-prefix=NAMED

// The shape of a scalar or of random values comes from --dims.
// RUN: fuse-opt %s --run --device=interpreter --dims=N=3 --input=x=splat:2 --input=k=-1 | FileCheck %s --check-prefix=SPLAT
// SPLAT: y: 3xf32 = [-2, -2, -2]

// What is not given is random and the same each time: as if spelled out.
// RUN: fuse-opt %s --run --device=interpreter --dims=N=3 --input=k=1 2>%t.err >%t.1
// RUN: fuse-opt %s --run --device=interpreter --dims=N=3 --input=k=1 --input=x=rand:normal:seed=0 >%t.2
// RUN: diff %t.1 %t.2
// RUN: FileCheck %s --check-prefix=DRAWN --input-file=%t.err
// RUN: fuse-opt %s --run --device=interpreter --dims=N=3 --input=x=1 2>&1 >%t.1 | FileCheck %s --check-prefix=DRAWN-K
// RUN: fuse-opt %s --run --device=interpreter --dims=N=3 --input=x=1 --input=k=rand:normal >%t.2
// RUN: diff %t.1 %t.2
// DRAWN: what is not given is drawn, as by --input=x=rand:normal:seed=0{{$}}
// DRAWN-K: what is not given is drawn, as by --input=k=rand:normal:seed=1{{$}}

// Any function, any of the ways in which a program arrives.
// RUN: fuse-opt %s --run --device=interpreter --function=empty | FileCheck %s --check-prefix=EMPTY
// RUN: fuse-opt --run --device=interpreter --function=empty < %s | FileCheck %s --check-prefix=EMPTY
// RUN: fuse-opt %s --emit-bytecode | fuse-opt --run --device=interpreter --function=empty | FileCheck %s --check-prefix=EMPTY
// RUN: fuse-opt %s --run --device=interpreter --function=no_results --dims=N=2 | count 0
// EMPTY: none: 0x3xf32 = []

// All element types, and f64 results of float ones alone.
// RUN: fuse-opt %s --run --device=interpreter --function=types | FileCheck %s --check-prefix=TYPES
// RUN: fuse-opt %s --run --device=interpreter --function=types --output-type=declared | FileCheck %s --check-prefix=TYPES
// RUN: fuse-opt %s --run --device=interpreter --function=types --output-type=f64 | FileCheck %s --check-prefix=F64
// TYPES: result0: f16 = 0.333
// TYPES-NEXT: result1: bf16 = 0.334
// TYPES-NEXT: result2: f32 = 0.33333334
// TYPES-NEXT: result3: f64 = 0.3333333333333333
// TYPES-NEXT: result4: i32 = -7
// TYPES-NEXT: result5: i1 = true
// F64: result0: f64 = 0.3330078125
// F64-NEXT: result1: f64 = 0.333984375
// F64-NEXT: result2: f64 = 0.3333333333333333
// F64-NEXT: result3: f64 = 0.3333333333333333
// F64-NEXT: result4: i32 = -7
// F64-NEXT: result5: i1 = true

// Long results are elided, unless asked for.
// RUN: fuse-opt %s --run --device=interpreter --function=long | FileCheck %s --check-prefix=ELIDED
// RUN: fuse-opt %s --run --device=interpreter --function=long --print-full | FileCheck %s --check-prefix=FULL
// ELIDED: result0: 65xi32 = [0, 1, 2, ..., 62, 63, 64]
// FULL: result0: 65xi32 = [0, 1, 2, 3, 4, 5,
// FULL-SAME: 60, 61, 62, 63, 64]

// The run comes after the passes: what it evaluates is decomposed.
// RUN: fuse-opt %s --run --device=interpreter --function=softmax --check 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: fuse-opt %s --fuse-decompose-composites --run --device=interpreter --function=softmax --check 2>&1 | FileCheck %s --check-prefix=CORE
// RUN: fuse-opt %s --pass-pipeline='builtin.module(fuse-decompose-composites)' --run --device=interpreter --function=softmax --check 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CORE
// WHOLE: largest part of its bound: 'fuse.softmax' at {{.*}}fuse-opt-run.mlir:[[#]]:[[#]]
// CORE: largest part of its bound: 'fuse.{{map|reduce}}' at {{.*}}fuse-opt-run.mlir:[[#]]:[[#]]

// MLIR's own options hold for a run too.
// RUN: fuse-opt %s --run --device=interpreter --function=empty --verify-roundtrip --mlir-print-ir-before-all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PRINT-IR
// PRINT-IR: IR Dump Before Run
// RUN: fuse-opt %s --run --device=interpreter --function=empty --mlir-timing 2>&1 | FileCheck %s --check-prefix=TIMING
// TIMING: Execution time report

// RUN: %{exit} 0 fuse-opt %s --run --device=interpreter --function=empty 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHOSEN --implicit-check-not=device:
// CHOSEN: none: 0x3xf32

// Devices that this machine has not.
// RUN: env FUSE_CUDA_DRIVER=%t.none %{exit} 5 fuse-opt %s --run --device=cuda --function=empty 2>&1 | FileCheck %s --check-prefix=CUDA
// RUN: env FUSE_CXX=no-such-compiler %{exit} 5 fuse-opt %s --run --device=host --function=empty 2>&1 | FileCheck %s --check-prefix=HOST
// CUDA: fuse-opt: error: no usable device: device cuda expects an NVIDIA driver: {{.*}}.none: cannot open shared object file
// CUDA-NOT: 0x3xf32
// HOST: fuse-opt: error: no usable device: expects a C++ compiler, but there is no program 'no-such-compiler' (FUSE_CXX)

// Left to choose, it goes on to the interpreter where there is none, or where
// the driver is there but no compiler.
// DEFINE: %{none} = env FUSE_CXX=no-such-compiler FUSE_NVRTC=%t.none
// RUN: %{none} FUSE_CUDA_DRIVER=%t.none fuse-opt %s --run --input=1,2,3 --input=2 2>&1 | FileCheck %s --check-prefix=LEFT
// RUN: %{none} FUSE_CUDA_DRIVER=%fuse_obj_root/lib/libfuse-fake-cuda.so fuse-opt %s --run --input=1,2,3 --input=2 2>&1 | FileCheck %s --check-prefix=LEFT
// RUN: %{none} FUSE_CUDA_DRIVER=%t.none %{exit} 6 fuse-opt %s --run --input=1,2,3 --input=2 --max-memory=8 2>&1 | FileCheck %s --check-prefix=TOO-LARGE
// LEFT: fuse-opt: device: interpreter{{$}}
// LEFT: y: 3xf32 = [2, 4, 6]
// TOO-LARGE: fuse-opt: error: the run needs about {{[0-9.]+}} B, but only 8.0 B are allowed (--max-memory)

func.func @main(%x: tensor<?xf32> {fuse.name = "x", fuse.dims = ["N"]},
                %k: tensor<f32> {fuse.name = "k"})
    -> (tensor<?xf32> {fuse.name = "y"}, tensor<f32>) {
  %y = fuse.map mul %x, %k : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return %y, %k : tensor<?xf32>, tensor<f32>
}

func.func @empty() -> (tensor<0x3xf32> {fuse.name = "none"}) {
  %0 = fuse.iota axis 0 shape "0 3" : tensor<0x3xf32>
  return %0 : tensor<0x3xf32>
}

func.func @no_results(%x: tensor<?xf32> {fuse.dims = ["N"]}) {
  return
}

func.func @types() -> (tensor<f16>, tensor<bf16>, tensor<f32>, tensor<f64>,
                       tensor<i32>, tensor<i1>) {
  %f16 = fuse.constant 0.333 : tensor<f16>
  %bf16 = fuse.constant 0.334 : tensor<bf16>
  %one = fuse.constant 1.0 : tensor<f32>
  %three = fuse.constant 3.0 : tensor<f32>
  %f32 = fuse.map div %one, %three : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %f64 = fuse.constant 0.3333333333333333 : tensor<f64>
  %i32 = fuse.constant -7 : tensor<i32>
  %i1 = fuse.constant true : tensor<i1>
  return %f16, %bf16, %f32, %f64, %i32, %i1
      : tensor<f16>, tensor<bf16>, tensor<f32>, tensor<f64>, tensor<i32>,
        tensor<i1>
}

func.func @long() -> tensor<65xi32> {
  %0 = fuse.iota axis 0 shape "65" : tensor<65xi32>
  return %0 : tensor<65xi32>
}

func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = fuse.softmax %x axis 1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
