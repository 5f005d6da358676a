// RUN: fuse-opt %s --fuse-specialize --verify-diagnostics
// RUN: not fuse-opt %s --fuse-specialize=dims=C 2>&1 | FileCheck %s --check-prefix=EXTENT
// RUN: not fuse-opt %s --fuse-specialize=dims==4 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not fuse-opt %s --fuse-specialize=dims=C=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not fuse-opt %s --fuse-specialize=dims=C=4x 2>&1 | FileCheck %s --check-prefix=NUMBER
// EXTENT: error: 'dims' expects name=extent, but got 'C'
// NAME: error: 'dims' expects name=extent, but got '=4'
// NEGATIVE: error: 'dims' expects name=extent, but got 'C=-1'
// NUMBER: error: 'dims' expects name=extent, but got 'C=4x'

// expected-error @+1 {{expects an extent for 'C', which 'fuse.specialize' names, but got none in 'dims' or 'fuse.size_hints'}}
func.func @f(%x: tensor<?x?xf32> {fuse.dims = ["N", "C"]})
    attributes {fuse.specialize = ["C"], fuse.size_hints = {N = 64}} {
  return
}
