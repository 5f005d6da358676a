// A wrong call is one clear diagnostic and exit code 1, before anything runs
// and with nothing written.
//
// RUN: rm -rf %t && mkdir %t
// DEFINE: %{exit} = %python %S/../lib/expect_exit.py
// DEFINE: %{run} = %{exit} 1 fuse-opt %s --allow-unregistered-dialect --run --output-dir=%t/out
// DEFINE: %{check} = FileCheck %s --implicit-check-not=error: --implicit-check-not=note: --check-prefix

// Dims.
// RUN: %{run} 2>&1 | %{check}=UNBOUND
// RUN: %{run} --dims=B=1,T=2,Hq=3,Hkv=2 2>&1 | %{check}=DIVIDES
// RUN: %{run} --dims=B=1,T=2,Hq=2,Hkv=2 --input=q=2x2x2xf32=1 2>&1 | %{check}=TWO-SIZES
// RUN: %{run} --dims=T=2,Hkv=2 --input=q=2x2x2xf32=1 --input=k=1x2x2xf32=1 2>&1 | %{check}=DISAGREE
// RUN: %{run} --dims=B=1,T=2,Hq=2,Hkv=2,X=1 2>&1 | %{check}=UNKNOWN-DIM
// RUN: %{run} --dims=B=1,T=2,Hq=2,Hkv=2 --dims=B=1 2>&1 | %{check}=DIM-TWICE
// RUN: %{run} --dims=B 2>&1 | %{check}=NO-SIZE
// RUN: %{run} --dims=B=-1 2>&1 | %{check}=NEGATIVE
// RUN: %{run} --dims=B=9223372036854775807,T=2,Hq=2,Hkv=2 2>&1 | %{check}=TOO-LARGE
// UNBOUND: fuse-opt-calls.mlir:[[#]]:1: error: dim 'B' has no extent, needed for axis 0 of argument 'q'; give one with --dims=B=..., or an input that has it
// UNBOUND-NEXT: {{^}}func.func @main
// DIVIDES: fuse-opt-calls.mlir:[[#]]:1: error: expects Hq to be a multiple of 2, but got 3 (Hq = 3, Hkv = 2)
// TWO-SIZES: fuse-opt-calls.mlir:[[#]]:1: error: expects axis 0 of argument 'q' to be B = 1, but got 2
// DISAGREE: fuse-opt-calls.mlir:[[#]]:1: error: expects axis 0 of argument 'k' to be B = 2, but got 1
// UNKNOWN-DIM: fuse-opt-calls.mlir:[[#]]:1: error: has no dim 'X'; its dims are B, T, Hq, Hkv
// DIM-TWICE: fuse-opt: error: --dims=B=1: expects dim 'B' once, but got it twice
// NO-SIZE: fuse-opt: error: --dims=B: expects dims such as B=4,N=24, but got 'B'
// NEGATIVE: fuse-opt: error: --dims=B=-1: expects a size from 0 to 2^63 - 1 for dim 'B', but got '-1'
// TOO-LARGE: fuse-opt-calls.mlir:[[#]]:1: error: argument 'q' would be a tensor of 2^63 bytes or more

// Which argument.
// DEFINE: %{dims} = --dims=B=1,T=2,Hq=2,Hkv=2
// RUN: %{run} %{dims} --input=x=1 2>&1 | %{check}=UNKNOWN
// RUN: %{run} %{dims} --input=q=1 --input=q=2 2>&1 | %{check}=TWICE
// RUN: %{run} %{dims} --input=1 --input=q=2 2>&1 | %{check}=BOTH
// RUN: %{run} %{dims} --input=1 --input=1 --input=1 2>&1 | %{check}=TOO-MANY
// RUN: %{run} --function=constant --input=1 2>&1 | %{check}=NO-ARGUMENTS
// UNKNOWN: fuse-opt: error: --input=x=1: expects the name of an argument (q, k), but got 'x'
// TWICE: fuse-opt: error: --input=q=2: expects argument 'q' once, but it is given by --input=q=1 too
// BOTH: fuse-opt: error: --input=q=2: expects argument 'q' once, but it is given by --input=1 too
// TOO-MANY: fuse-opt: error: --input=1: expects at most 2 inputs, one for each argument (q, k)
// NO-ARGUMENTS: fuse-opt: error: --input=1: expects no input, since the function has no arguments

// What kind of value: nothing is cast.
// RUN: fuse-opt %s --allow-unregistered-dialect --run --device=interpreter --function=f64 --input=x=1 --output-dir=%t/f64
// RUN: %{run} %{dims} --input=q=2x2x2xf64=1 2>&1 | %{check}=DTYPE
// RUN: %{run} %{dims} --input=q=@%t/f64/result0.npy 2>&1 | %{check}=FILE-DTYPE
// RUN: %{run} %{dims} --input=q=2x2xf32=1 2>&1 | %{check}=RANK
// RUN: %{run} %{dims} '--input=q=[[1, 2], [3, 4]]' 2>&1 | %{check}=NUMBERS-RANK
// RUN: %{run} %{dims} --input=q=1,2,3 2>&1 | %{check}=COUNT
// RUN: %{run} %{dims} --input=q=1,2,x,4 2>&1 | %{check}=NO-NUMBER
// RUN: %{run} %{dims} '--input=q=[1, [2]]' 2>&1 | %{check}=RAGGED
// RUN: %{run} %{dims} --input=q=rand:foo 2>&1 | %{check}=RANDOM
// RUN: %{run} %{dims} --input= 2>&1 | %{check}=NOTHING
// DTYPE: fuse-opt: error: --input=q=2x2x2xf64=1: expects elements of f32 for argument 'q', but got f64
// FILE-DTYPE: fuse-opt: error: --input=q=@{{.*}}result0.npy: expects elements of f32 for argument 'q', but got f64
// RANK: fuse-opt: error: --input=q=2x2xf32=1: expects rank 3 for argument 'q', but got 2
// NUMBERS-RANK: fuse-opt: error: {{.*}}: expects rank 3 for argument 'q', but got 2
// COUNT: fuse-opt: error: --input=q=1,2,3: expects 4 values for 1x2x2xf32, but got 3
// NO-NUMBER: fuse-opt: error: --input=q=1,2,x,4: expects a number in the range of f32, but got 'x'
// RAGGED: fuse-opt: error: --input=q=[1, [2]]: expects
// RANDOM: fuse-opt: error: --input=q=rand:foo: expects rand:normal or rand:uniform, but got 'foo'
// NOTHING: fuse-opt: error: --input=: expects @file.npy, numbers, rand:normal, rand:uniform or splat:x, but got no value

// Files.
// RUN: %{run} %{dims} --input=q=@%t/none.npy 2>&1 | %{check}=MISSING
// RUN: %{run} %{dims} --input=q=@%s 2>&1 | %{check}=NO-NPY
// RUN: %{run} %{dims} --input=q=@%t 2>&1 | %{check}=NO-FILE
// MISSING: fuse-opt: error: --input=q=@{{.*}}: {{.*}}none.npy: cannot open: No such file or directory
// NO-NPY: fuse-opt: error: --input=q=@{{.*}}: {{.*}}fuse-opt-calls.mlir: expects
// NO-FILE: fuse-opt: error: --input=q=@{{.*}}: expects a regular file

// Which function.
// RUN: %{run} --function=none 2>&1 | %{check}=NO-FUNCTION
// RUN: echo "module {}" | %{exit} 1 fuse-opt --run --device=interpreter 2>&1 | %{check}=EMPTY
// RUN: %{run} --function= 2>&1 | %{check}=UNNAMED
// RUN: %{run} --function=external 2>&1 | %{check}=EXTERNAL
// RUN: %{run} --function=no_tensor 2>&1 | %{check}=NO-TENSOR
// RUN: %{run} --function=same_arguments 2>&1 | %{check}=SAME-ARGUMENTS
// RUN: %{run} --function=same_results 2>&1 | %{check}=SAME-RESULTS
// RUN: %{run} --function=blocks 2>&1 | %{check}=BLOCKS
// RUN: %{run} --function=foreign 2>&1 | %{check}=FOREIGN
// NO-FUNCTION: fuse-opt: error: --function=none: expects a function of the program, which has main, constant, f64, external, no_tensor, same_arguments, same_results, blocks, foreign
// EMPTY: fuse-opt: error: --function=main: expects a function of the program, which has none
// UNNAMED: fuse-opt: error: --function=: expects a name, but got none
// EXTERNAL: fuse-opt-calls.mlir:[[#]]:1: error: expects a body to run, but has none
// NO-TENSOR: fuse-opt-calls.mlir:[[#]]:1: error: expects argument 'arg1' to be a tensor of f16, bf16, f32, f64, i32 or i1, but got 'index'
// SAME-ARGUMENTS: fuse-opt-calls.mlir:[[#]]:1: error: expects different names, but has two arguments 'x'
// SAME-RESULTS: fuse-opt-calls.mlir:[[#]]:1: error: expects different names, but has two results 'result1'
// BLOCKS: fuse-opt-calls.mlir:[[#]]:1: error: cannot be interpreted: expects one block, but got 2
// FOREIGN: fuse-opt-calls.mlir:[[#]]:8: error: cannot be interpreted: expects an op of dialect fuse, but got 'x.foreign'

// Values of other options.
// RUN: %{run} --device=tpu 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: %{run} --output-type=f32 2>&1 | FileCheck %s --check-prefix=OUTPUT-TYPE
// RUN: %{run} --check=fine 2>&1 | %{check}=CHECK
// RUN: %{run} --check=rtol:-1 2>&1 | %{check}=CHECK-RTOL
// RUN: %{run} --check=rtol:nan 2>&1 | %{check}=CHECK-NAN
// RUN: %{run} --check=sample:0 2>&1 | %{check}=CHECK-SAMPLE
// RUN: %{run} --benchmark=xml 2>&1 | %{check}=BENCHMARK
// RUN: %{run} --fp32=bf16 2>&1 | %{check}=FP32
// RUN: %{run} --max-memory=much 2>&1 | %{check}=MAX-MEMORY
// DEVICE: fuse-opt: for the --device option: {{.*}}'tpu'
// OUTPUT-TYPE: fuse-opt: for the --output-type option: {{.*}}'f32'
// CHECK-RTOL: fuse-opt: error: --check=rtol:-1: expects a number of 0 or more after 'rtol:'
// CHECK-NAN: fuse-opt: error: --check=rtol:nan: expects a number of 0 or more after 'rtol:'
// CHECK-SAMPLE: fuse-opt: error: --check=sample:0: expects a number of 1 or more after 'sample:'
// CHECK: fuse-opt: error: --check=fine: expects bound, exact, rtol:X or sample:K
// BENCHMARK: fuse-opt: error: --benchmark=xml: expects json or nothing
// FP32: fuse-opt: error: --fp32=bf16: expects ieee, bf16x6, bf16x3 or tf32
// MAX-MEMORY: fuse-opt: error: --max-memory=much: expects a size such as 4GiB

// None of these wrote anything.
// RUN: ls %t | FileCheck %s --check-prefix=LISTING
// LISTING: f64
// LISTING-NOT: {{.}}

func.func @main(%q: tensor<?x?x?xf32> {fuse.name = "q", fuse.dims = ["B", "T", "Hq"]},
                %k: tensor<?x?x?xf32> {fuse.name = "k", fuse.dims = ["B", "T", "Hkv"]})
    -> tensor<?x?x?xf32> attributes {fuse.facts = ["Hq % Hkv == 0"]} {
  return %q : tensor<?x?x?xf32>
}
func.func @constant() -> tensor<f32> {
  %0 = fuse.constant 1.0 : tensor<f32>
  return %0 : tensor<f32>
}
func.func @f64(%x: tensor<1x2x2xf64> {fuse.name = "x"}) -> tensor<1x2x2xf64> {
  return %x : tensor<1x2x2xf64>
}
func.func private @external(tensor<f32>) -> tensor<f32>
func.func @no_tensor(%x: tensor<f32>, %i: index) {
  return
}
func.func @same_arguments(%x: tensor<f32> {fuse.name = "x"},
                          %y: tensor<f32> {fuse.name = "x"}) {
  return
}
func.func @same_results(%x: tensor<f32>)
    -> (tensor<f32> {fuse.name = "result1"}, tensor<f32>) {
  return %x, %x : tensor<f32>, tensor<f32>
}
func.func @blocks(%x: tensor<f32>) {
  "x.branch"()[^bb1] : () -> ()
^bb1:
  return
}
func.func @foreign(%x: tensor<f32>) -> tensor<f32> {
  %0 = "x.foreign"(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
