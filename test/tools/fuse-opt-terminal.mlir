// Colours and a progress line are for terminals; everything else gets text.
//
// DEFINE: %{terminal} = %python %S/../lib/on_terminal.py
// RUN: env TERM=xterm %{terminal} fuse-opt %s --run --device=interpreter --dims=N=1200 | FileCheck %s --check-prefix=PROGRESS
// RUN: fuse-opt %s --run --device=interpreter --dims=N=1200 2>&1 >%t.out | FileCheck %s --check-prefix=NO-PROGRESS
// PROGRESS: "\r\x1b[Kfuse-opt: running 'main', 1 s
// PROGRESS-SAME: \r\x1b[K"{{$}}
// NO-PROGRESS-NOT: running

// RUN: env TERM=xterm not %{terminal} fuse-opt %s --run --device=interpreter --dims=M=1 | FileCheck %s --check-prefix=COLOURS
// RUN: not fuse-opt %s --run --device=interpreter --dims=M=1 2>&1 | FileCheck %s --check-prefix=NO-COLOURS
// RUN: env TERM=xterm not %{terminal} fuse-opt %s --run --device=interpreter --check=x | FileCheck %s --check-prefix=COLOURED-FLAG
// COLOURS: fuse-opt-terminal.mlir:[[#]]:1: \x1b[{{.*}}error: {{.*}}has no dim 'M'
// NO-COLOURS-NOT: {{\[[0-9;]*m}}
// COLOURED-FLAG: fuse-opt: \x1b[{{.*}}merror: \x1b[0m--check=x

func.func @main(%x: tensor<?x?xf32> {fuse.dims = ["N", "N"]}) -> tensor<?x?xf32> {
  %0 = fuse.einsum "ij,jk->ik" %x, %x : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
