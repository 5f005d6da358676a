// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @names(
// CHECK-SAME:    %{{.*}}: tensor<?xf32> {fuse.name = "q_proj.weight", fuse.param},
// CHECK-SAME:    %{{.*}}: i32 {fuse.name = "a-B_0."})
// CHECK-SAME:    -> (tensor<?xf32> {fuse.name = "out"})
func.func @names(%x: tensor<?xf32> {fuse.name = "q_proj.weight", fuse.param},
                 %y: i32 {fuse.name = "a-B_0."})
    -> (tensor<?xf32> {fuse.name = "out"}) {
  return %x : tensor<?xf32>
}

// Dims are symbols, numbers and expressions. On a static axis too, where both
// hold.
// CHECK-LABEL: func.func @dims(
// CHECK-SAME:    tensor<?x?x4x?xf32> {fuse.dims = ["B", "T_1", 4, "H*D"]},
// CHECK-SAME:    tensor<8x?x?xf32> {fuse.dims = ["N", "(N + 1)/2", "7"]},
// CHECK-SAME:    tensor<f32> {fuse.dims = []})
// CHECK-SAME:    -> (tensor<f32> {fuse.dims = []})
func.func @dims(%x: tensor<?x?x4x?xf32> {fuse.dims = ["B", "T_1", 4, "H*D"]},
                %y: tensor<8x?x?xf32> {fuse.dims = ["N", "(N + 1)/2", "7"]},
                %z: tensor<f32> {fuse.dims = []})
    -> (tensor<f32> {fuse.dims = []}) {
  return %z : tensor<f32>
}

// Element types do not matter.
// CHECK-LABEL: func.func private @declaration(
// CHECK-SAME:    tensor<?xi64> {fuse.dims = ["N"], fuse.name = "x", fuse.param})
// CHECK-SAME:    -> (tensor<?xf32> {fuse.dims = ["2*N"], fuse.name = "y"})
// CHECK-SAME:    attributes {fuse.specialize = ["N"]}
func.func private @declaration(tensor<?xi64> {fuse.dims = ["N"], fuse.name = "x", fuse.param})
    -> (tensor<?xf32> {fuse.dims = ["2*N"], fuse.name = "y"})
    attributes {fuse.specialize = ["N"]}

// CHECK-LABEL: func.func @function_attributes()
// CHECK-SAME:    attributes {fuse.facts = ["Hq % Hkv == 0", "D <= 256", "T >= 1", "S == 2*T"],
// CHECK-SAME:    fuse.relax_rounding,
// CHECK-SAME:    fuse.size_hints = {Hq = 8 : i64, N = 0 : index},
// CHECK-SAME:    fuse.specialize = ["D", "H_1"]}
func.func @function_attributes() attributes {
    fuse.facts = ["Hq % Hkv == 0", "D <= 256", "T >= 1", "S == 2*T"],
    fuse.relax_rounding,
    fuse.size_hints = {N = 0 : index, Hq = 8},
    fuse.specialize = ["D", "H_1"]} {
  return
}

// CHECK-LABEL: func.func @size_classes()
// CHECK-SAME:    attributes {fuse.size_classes = [{function = @empty, when = "N >= 100"}],
// CHECK-SAME:    fuse.size_hints = [{N = 10 : i64}, {N = 1000 : i64}]}
func.func @size_classes() attributes {
    fuse.size_classes = [{function = @empty, when = "N >= 100"}],
    fuse.size_hints = [{N = 10}, {N = 1000}]} {
  return
}

// CHECK-LABEL: func.func @empty()
// CHECK-SAME:    attributes {fuse.facts = [], fuse.size_hints = {}, fuse.specialize = []}
func.func @empty() attributes {fuse.facts = [], fuse.size_hints = {}, fuse.specialize = []} {
  return
}

// The attributes of ops are attributes of their own.
// CHECK-LABEL: func.func @attribute_values()
// CHECK-SAME:    #fuse.scalar_fn<gelu_tanh>
// CHECK-SAME:    #fuse.comparison<ge>
// CHECK-SAME:    #fuse<precision bf16x3>
// CHECK-SAME:    #fuse<reduce_kind max>
// CHECK-SAME:    #fuse<masked_rows zero>
func.func @attribute_values() attributes {test.values = [
    #fuse.scalar_fn<gelu_tanh>, #fuse.comparison<ge>, #fuse<precision bf16x3>,
    #fuse<reduce_kind max>, #fuse<masked_rows zero>]} {
  return
}
