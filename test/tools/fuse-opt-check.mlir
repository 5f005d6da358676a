// --check judges results; check ops judge whatever the program says.
//
// DEFINE: %{exit} = %python %S/../lib/expect_exit.py
// DEFINE: %{run} = fuse-opt %s --run --device=interpreter --function

// By the bound: rounding to f32 is permitted.
// RUN: %{exit} 0 %{run}=third --check 2>&1 | FileCheck %s --check-prefix=BOUND
// RUN: %{exit} 0 %{run}=third --check=bound 2>&1 | FileCheck %s --check-prefix=BOUND
// BOUND: result0: 4xf32 = [0, 0.33333334, 0.6666667, 1]
// BOUND: fuse-opt: check 'result0' (bound): passed: worst [{{[12]}}]: got 0.{{[0-9]+}}, want 0.{{[0-9]+}}, {{.*}} of what is allowed, 0.{{[0-9]+}} ulps; 0 of 4 elements failed
// BOUND-NEXT: share of what is allowed: <1e-4: 2, <1e-3: 0, <1e-2: 0, <0.1: 0, <=1: 2, >1: 0; undecided: 0
// BOUND-NEXT: largest part of its bound: 'fuse.map' at {{.*}}fuse-opt-check.mlir:[[#]]:[[#]], {{[0-9]+}}%

// Bit for bit: the interpreter rounds its own reference.
// RUN: %{exit} 0 %{run}=third --check=exact 2>&1 | FileCheck %s --check-prefix=EXACT
// EXACT: check 'result0' (exact): passed: {{.*}}; 0 of 4 elements failed

// By a tolerance: that of f32 is 6e-8, and 1e-9 is not to be had.
// RUN: %{exit} 0 %{run}=third --check=rtol:1e-7 2>&1 | FileCheck %s --check-prefix=RTOL
// RUN: %{exit} 3 %{run}=third --check=rtol:1e-9 --output-dir=%t.out 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: ls %t.out | FileCheck %s --check-prefix=WRITTEN
// RTOL: check 'result0' (rtol): passed: {{.*}}; 0 of 4 elements failed
// STRICT: check 'result0' (rtol): failed: worst [{{[12]}}]: {{.*}}; 2 of 4 elements failed
// STRICT-NEXT: share of what is allowed: <1e-4: 2, <1e-3: 0, <1e-2: 0, <0.1: 0, <=1: 0, >1: 2;
// WRITTEN: result0.npy

// Too much that is undecided fails, whatever the values are.
// RUN: %{exit} 3 %{run}=undecided --check 2>&1 | FileCheck %s --check-prefix=UNDECIDED
// UNDECIDED: check 'result0' (bound): failed:
// UNDECIDED: undecided: 1

// A result without elements, and no results.
// RUN: %{exit} 0 %{run}=empty --check 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: %{exit} 0 %{run}=empty --check=sample:3 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: %{exit} 0 %{run}=checks_pass --check 2>&1 | FileCheck %s --check-prefix=PASS
// EMPTY: check 'result0' (bound): passed: no elements

// A sample: that many elements, spread over all results, and no whole run.
// RUN: %{exit} 0 %{run}=two --check=sample:10 --stats 2>%t.err | count 0
// RUN: FileCheck %s --check-prefix=SAMPLE --input-file=%t.err
// SAMPLE: only 10 of 1000 elements are evaluated, so no result is put out and check ops are not judged
// SAMPLE: check 'small' (bound): passed: {{.*}}; 0 of 1 elements failed
// SAMPLE: check 'large' (bound): passed: worst [[[#]], [[#]]]: {{.*}}; 0 of 9 elements failed
// SAMPLE: stats: {{.*}}(of a whole run)

// More than there are is all of them; so is the verdict.
// RUN: %{exit} 0 %{run}=third --check=sample:100 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: %{exit} 3 %{run}=undecided --check=sample:1 2>&1 | FileCheck %s --check-prefix=UNDECIDED
// ALL: only 4 of 4 elements
// ALL: check 'result0' (bound): passed: {{.*}}; 0 of 4 elements failed
// ALL-NEXT: share of what is allowed: <1e-4: 2, <1e-3: 0, <1e-2: 0, <0.1: 0, <=1: 2, >1: 0; undecided: 0

// What no run could hold is judged by a sample.
// RUN: %{exit} 6 %{run}=huge --max-memory=1TiB 2>&1 | FileCheck %s --check-prefix=HUGE
// RUN: %{exit} 0 %{run}=huge --check=sample:5 2>&1 | FileCheck %s --check-prefix=HUGE-SAMPLE
// HUGE: error: the run needs about {{[0-9.]+}} TiB, but only 1.0 TiB are allowed (--max-memory)
// HUGE-SAMPLE: only 5 of 1099511627776 elements are evaluated
// HUGE-SAMPLE: check 'result0' (bound): passed: worst [[[#]], [[#]]]: {{.*}}; 0 of 5 elements failed

// A sample has no results to write and no run to time.
// RUN: %{exit} 1 %{run}=two --check=sample:10 --output-dir=%t.none 2>&1 | FileCheck %s --check-prefix=NO-FILES
// RUN: %{exit} 1 %{run}=two --check=sample:10 --benchmark 2>&1 | FileCheck %s --check-prefix=NO-TIMES
// NO-FILES: error: --output-dir={{.*}}: expects a whole run, but --check=sample evaluates a few elements only
// NO-TIMES: error: --check=sample:10: expects no --benchmark, which takes whole runs

// Check ops: all verdicts, and 3 if one of them is bad.
// RUN: %{exit} 0 %{run}=checks_pass 2>&1 | FileCheck %s --check-prefix=PASS
// RUN: %{exit} 3 %{run}=checks_fail 2>&1 | FileCheck %s --check-prefix=FAIL
// RUN: %{exit} 0 %{run}=checks_fail --check=sample:1 2>&1 | FileCheck %s --check-prefix=UNJUDGED
// PASS: fuse-opt: 'fuse.check.equal' at {{.*}}fuse-opt-check.mlir:[[#]]:3: passed:
// PASS: fuse-opt: 'fuse.check.close' at {{.*}}fuse-opt-check.mlir:[[#]]:3: passed:
// PASS: fuse-opt: 'fuse.check.bound' at {{.*}}fuse-opt-check.mlir:[[#]]:3: passed:
// FAIL: fuse-opt-check.mlir:[[#]]:3: error: 'fuse.check.equal' failed: worst [1]: got 1, want 2, inf of what is allowed; 1 of 3 elements failed
// FAIL: fuse.check.equal %one, %two
// FAIL: fuse-opt: 'fuse.check.close' at {{.*}}fuse-opt-check.mlir:[[#]]:3: passed:
// UNJUDGED-NOT: fuse.check

func.func @third() -> tensor<4xf32> {
  %x = fuse.iota axis 0 shape "4" : tensor<4xf32>
  %three = fuse.constant 3.0 : tensor<f32>
  %y = fuse.map div %x, %three : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// Twice 0.1 may come out a little below 0.2, or not.
func.func @undecided() -> tensor<i1> {
  %one = fuse.constant 1.0 : tensor<f32>
  %ten = fuse.constant 10.0 : tensor<f32>
  %a = fuse.map div %one, %ten : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %b = fuse.map add %a, %a : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %two = fuse.constant 2.0 : tensor<f32>
  %c = fuse.map div %two, %ten : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %less = fuse.compare lt %b, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %less : tensor<i1>
}

func.func @empty() -> tensor<0x4xf32> {
  %0 = fuse.iota axis 0 shape "0 4" : tensor<0x4xf32>
  return %0 : tensor<0x4xf32>
}

func.func @two(%x: tensor<30x30xf32>)
    -> (tensor<100xf32> {fuse.name = "small"},
        tensor<30x30xf32> {fuse.name = "large"}) {
  %small = fuse.iota axis 0 shape "100" : tensor<100xf32>
  %large = fuse.softmax %x axis 1 : (tensor<30x30xf32>) -> tensor<30x30xf32>
  fuse.check.equal %small, %small : tensor<100xf32>, tensor<100xf32>
  return %small, %large : tensor<100xf32>, tensor<30x30xf32>
}

func.func @huge() -> tensor<1048576x1048576xf32> {
  %row = fuse.iota axis 0 shape "1048576 1048576" : tensor<1048576x1048576xf32>
  %sine = fuse.map sin %row : (tensor<1048576x1048576xf32>) -> tensor<1048576x1048576xf32>
  return %sine : tensor<1048576x1048576xf32>
}

func.func @checks_pass() {
  %x = fuse.iota axis 0 shape "3" : tensor<3xf32>
  %three = fuse.constant 3.0 : tensor<f32>
  %y = fuse.map div %x, %three : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %want = fuse.constant [0.0, 0.333333343, 0.666666687] : tensor<3xf32>
  fuse.check.equal %x, %x : tensor<3xf32>, tensor<3xf32>
  fuse.check.close %y, %want rtol 1.0e-7 atol 0.0 : tensor<3xf32>, tensor<3xf32>
  fuse.check.bound %want, %y : tensor<3xf32>, tensor<3xf32>
  return
}

func.func @checks_fail() -> tensor<3xi32> {
  %one = fuse.constant [0, 1, 2] : tensor<3xi32>
  %two = fuse.constant [0, 2, 2] : tensor<3xi32>
  %x = fuse.constant 1.0 : tensor<f32>
  fuse.check.equal %one, %two : tensor<3xi32>, tensor<3xi32>
  fuse.check.close %x, %x rtol 0.0 atol 0.0 : tensor<f32>, tensor<f32>
  return %one : tensor<3xi32>
}
