// RUN: fuse-opt %s --fuse-specialize --split-input-file --verify-diagnostics
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

// -----

// expected-error @+1 {{'fuse.size_hints' expects classes from small to large, but arguments of class 1 have 3 elements, after 8}}
func.func @order(%x: tensor<?xf32> {fuse.dims = ["N"]})
    attributes {fuse.size_hints = [{N = 8}, {N = 3}]} {
  return
}

// -----

// expected-error @+1 {{'fuse.size_hints' expects at most 3 classes, but got 4}}
func.func @many(%x: tensor<?xf32> {fuse.dims = ["N"]})
    attributes {fuse.size_hints = [{N = 1}, {N = 2}, {N = 3}, {N = 4}]} {
  return
}
