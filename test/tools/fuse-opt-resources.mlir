// What a run may need, what it took, and how it fails while it runs.
//
// DEFINE: %{exit} = %python %S/../lib/expect_exit.py

// Too much memory is refused before anything is made of that size.
// RUN: %{exit} 6 fuse-opt %s --run --device=interpreter --dims=N=1000 --max-memory=1KiB --output-dir=%t.none 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REFUSED
// RUN: not ls %t.none
// RUN: %{exit} 6 fuse-opt %s --run --device=interpreter --dims=N=1000000000000 2>&1 | FileCheck %s --check-prefix=DEFAULT
// RUN: %{exit} 0 fuse-opt %s --run --device=interpreter --dims=N=1000 --max-memory=1MiB
// RUN: %{exit} 0 fuse-opt %s --run --device=interpreter --dims=N=4 --max-memory='1 KiB'
// RUN: %{exit} 6 fuse-opt %s --run --device=interpreter --dims=N=10 --max-memory=0
// REFUSED: fuse-opt: error: the run needs about [[#]].{{[0-9]}} KiB, but only 1.0 KiB are allowed (--max-memory)
// REFUSED-NOT: {{.}}
// DEFAULT: fuse-opt: error: the run needs about {{[0-9.]+}} TiB, but only {{[0-9.]+}} {{[GT]}}iB are allowed (--max-memory)

// So does a sample, of which only the arguments count.
// RUN: %{exit} 6 fuse-opt %s --run --device=interpreter --dims=N=1000000000000 --check=sample:1 2>&1 | FileCheck %s --check-prefix=DEFAULT

// What is allowed but not there is the same kind of failure. (The shadow memory
// of ASan alone takes more than any limit.)
// RUN: %if !asan %{ %{exit} 6 %python %S/../lib/limit_memory.py 500 \
// RUN:   fuse-opt %s --run --device=interpreter --dims=N=100000000 --max-memory=1TiB 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EXHAUSTED %}
// EXHAUSTED: fuse-opt: error: {{.*}}out of memory

// Counters.
// RUN: fuse-opt %s --run --device=interpreter --dims=N=10 --stats 2>&1 >%t.out | FileCheck %s --check-prefix=STATS
// RUN: fuse-opt %s --run --device=interpreter --function=attention --dims=T=3 --stats 2>&1 >%t.out | FileCheck %s --check-prefix=NESTED
// STATS: fuse-opt: stats: ops: 2, elements: 20, seconds: {{[0-9]+\.[0-9]+}}, peak: about {{[0-9.]+ (B|KiB)}}, compiles: 0
// NESTED: fuse-opt: stats: ops: 3, elements: 16,

// Times: a line, or JSON that holds stdout alone.
// RUN: fuse-opt %s --run --device=interpreter --dims=N=10 --benchmark 2>%t.err | FileCheck %s --check-prefix=RESULT
// RUN: FileCheck %s --check-prefix=TIMES --input-file=%t.err
// RUN: fuse-opt %s --run --device=interpreter --dims=N=10 --benchmark=json --output-dir=%t.json.out >%t.json
// RUN: %python -c "import json; b = json.load(open(r'%t.json'))['benchmarks']; print(*(x['name'] for x in b)); print(b[-1]['real_time'] > 0)" \
// RUN:   | FileCheck %s --check-prefix=JSON
// RUN: ls %t.json.out | FileCheck %s --check-prefix=JSON-RESULT
// RESULT: result0: 10xf32 =
// TIMES: fuse-opt: main/interpreter: {{[0-9]+\.[0-9]+}} s (median of [[#]])

// JSON: {{^main/interpreter main/interpreter main/interpreter .*main/interpreter_median$}}
// JSON-NEXT: True
// JSON-RESULT: result0.npy

// A failure at run time is at the op.
// RUN: %{exit} 0 fuse-opt %s --run --device=interpreter --function=divide --input=3 --input=2
// RUN: %{exit} 4 fuse-opt %s --run --device=interpreter --function=divide --input=3 --input=0 --output-dir=%t.none 2>&1 \
// RUN:   | FileCheck %s --check-prefix=DIVISION
// RUN: not ls %t.none
// RUN: %{exit} 4 fuse-opt %s --run --device=interpreter --function=divide --input=3 --input=0 --check=sample:1 2>&1 \
// RUN:   | FileCheck %s --check-prefix=DIVISION
// RUN: %{exit} 4 fuse-opt %s --run --device=interpreter --function=divide --input=3 --input=0 --benchmark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=DIVISION
// DIVISION: fuse-opt-resources.mlir:[[#]]:8: error: {{.*}}zero
// DIVISION-NEXT: {{^}}  %0 = fuse.map floordiv %x, %y

func.func @main(%x: tensor<?xf32> {fuse.dims = ["N"]}) -> tensor<?xf32> {
  %0 = fuse.map exp %x : (tensor<?xf32>) -> tensor<?xf32>
  %1 = fuse.map neg %0 : (tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

func.func @attention(%x: tensor<1x?x1x2xf32> {fuse.dims = [1, "T", 1, 2]}) -> tensor<1x?x1x2xf32> {
  %two = fuse.constant 2.0 : tensor<f32>
  %0 = fuse.attention %x, %x, %x "b t h d, b s h d, b s h d -> b t h d" scores "b h t s" {
  ^bb0(%s: tensor<?x?x?x?xf32>):
    %1 = fuse.map mul %s, %two : (tensor<?x?x?x?xf32>, tensor<f32>) -> tensor<?x?x?x?xf32>
    fuse.yield %1 : tensor<?x?x?x?xf32>
  } : (tensor<1x?x1x2xf32>, tensor<1x?x1x2xf32>, tensor<1x?x1x2xf32>) -> tensor<1x?x1x2xf32>
  return %0 : tensor<1x?x1x2xf32>
}

func.func @divide(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = fuse.map floordiv %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
