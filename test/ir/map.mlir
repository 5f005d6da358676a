// RUN: fuse-opt %s | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// Every function of numbers, in the order of the table.
// CHECK-LABEL: func.func @floating_point(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<4x?xf32>
func.func @floating_point(%x: tensor<4x?xf32>) {
  // CHECK-NEXT: fuse.map neg %[[X]] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %neg = fuse.map neg %x : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map abs %[[X]] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %abs = fuse.map abs %x : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map add %[[X]], %[[X]] : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %add = fuse.map add %x, %x : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map sub %[[X]], %[[X]] : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %sub = fuse.map sub %x, %x : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map mul %[[X]], %[[X]] : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %mul = fuse.map mul %x, %x : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map div %[[X]], %[[X]] : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %div = fuse.map div %x, %x : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map min %[[X]], %[[X]] : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %min = fuse.map min %x, %x : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map max %[[X]], %[[X]] : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %max = fuse.map max %x, %x : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map clamp %[[X]], %[[X]], %[[X]] : (tensor<4x?xf32>, tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %clamp = fuse.map clamp %x, %x, %x : (tensor<4x?xf32>, tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map pow %[[X]], %[[X]] : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %pow = fuse.map pow %x, %x : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map sqrt %[[X]] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %sqrt = fuse.map sqrt %x : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map rsqrt %[[X]] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %rsqrt = fuse.map rsqrt %x : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map exp %[[X]] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %exp = fuse.map exp %x : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map exp2 %[[X]] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %exp2 = fuse.map exp2 %x : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map expm1 %[[X]] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %expm1 = fuse.map expm1 %x : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map log %[[X]] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %log = fuse.map log %x : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map log2 %[[X]] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %log2 = fuse.map log2 %x : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map log1p %[[X]] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %log1p = fuse.map log1p %x : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map sin %[[X]] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %sin = fuse.map sin %x : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map cos %[[X]] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %cos = fuse.map cos %x : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map tanh %[[X]] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %tanh = fuse.map tanh %x : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map erf %[[X]] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %erf = fuse.map erf %x : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map sigmoid %[[X]] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %sigmoid = fuse.map sigmoid %x : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map silu %[[X]] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %silu = fuse.map silu %x : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map gelu %[[X]] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %gelu = fuse.map gelu %x : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map gelu_tanh %[[X]] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %gelu_tanh = fuse.map gelu_tanh %x : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map softplus %[[X]] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %softplus = fuse.map softplus %x : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map relu %[[X]] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %relu = fuse.map relu %x : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map leaky_relu %[[X]], %[[X]] : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %leaky_relu = fuse.map leaky_relu %x, %x : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map elu %[[X]], %[[X]] : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %elu = fuse.map elu %x, %x : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map floor %[[X]] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %floor = fuse.map floor %x : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map ceil %[[X]] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %ceil = fuse.map ceil %x : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK-NEXT: fuse.map round %[[X]] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %round = fuse.map round %x : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// Those that take i32.
// CHECK-LABEL: func.func @integers(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<4x?xi32>
func.func @integers(%x: tensor<4x?xi32>) {
  // CHECK-NEXT: fuse.map neg %[[X]] : (tensor<4x?xi32>) -> tensor<4x?xi32>
  %neg = fuse.map neg %x : (tensor<4x?xi32>) -> tensor<4x?xi32>
  // CHECK-NEXT: fuse.map abs %[[X]] : (tensor<4x?xi32>) -> tensor<4x?xi32>
  %abs = fuse.map abs %x : (tensor<4x?xi32>) -> tensor<4x?xi32>
  // CHECK-NEXT: fuse.map add %[[X]], %[[X]] : (tensor<4x?xi32>, tensor<4x?xi32>) -> tensor<4x?xi32>
  %add = fuse.map add %x, %x : (tensor<4x?xi32>, tensor<4x?xi32>) -> tensor<4x?xi32>
  // CHECK-NEXT: fuse.map sub %[[X]], %[[X]] : (tensor<4x?xi32>, tensor<4x?xi32>) -> tensor<4x?xi32>
  %sub = fuse.map sub %x, %x : (tensor<4x?xi32>, tensor<4x?xi32>) -> tensor<4x?xi32>
  // CHECK-NEXT: fuse.map mul %[[X]], %[[X]] : (tensor<4x?xi32>, tensor<4x?xi32>) -> tensor<4x?xi32>
  %mul = fuse.map mul %x, %x : (tensor<4x?xi32>, tensor<4x?xi32>) -> tensor<4x?xi32>
  // CHECK-NEXT: fuse.map min %[[X]], %[[X]] : (tensor<4x?xi32>, tensor<4x?xi32>) -> tensor<4x?xi32>
  %min = fuse.map min %x, %x : (tensor<4x?xi32>, tensor<4x?xi32>) -> tensor<4x?xi32>
  // CHECK-NEXT: fuse.map max %[[X]], %[[X]] : (tensor<4x?xi32>, tensor<4x?xi32>) -> tensor<4x?xi32>
  %max = fuse.map max %x, %x : (tensor<4x?xi32>, tensor<4x?xi32>) -> tensor<4x?xi32>
  // CHECK-NEXT: fuse.map clamp %[[X]], %[[X]], %[[X]] : (tensor<4x?xi32>, tensor<4x?xi32>, tensor<4x?xi32>) -> tensor<4x?xi32>
  %clamp = fuse.map clamp %x, %x, %x : (tensor<4x?xi32>, tensor<4x?xi32>, tensor<4x?xi32>) -> tensor<4x?xi32>
  // CHECK-NEXT: fuse.map floordiv %[[X]], %[[X]] : (tensor<4x?xi32>, tensor<4x?xi32>) -> tensor<4x?xi32>
  %floordiv = fuse.map floordiv %x, %x : (tensor<4x?xi32>, tensor<4x?xi32>) -> tensor<4x?xi32>
  // CHECK-NEXT: fuse.map mod %[[X]], %[[X]] : (tensor<4x?xi32>, tensor<4x?xi32>) -> tensor<4x?xi32>
  %mod = fuse.map mod %x, %x : (tensor<4x?xi32>, tensor<4x?xi32>) -> tensor<4x?xi32>
  // CHECK-NEXT: fuse.map relu %[[X]] : (tensor<4x?xi32>) -> tensor<4x?xi32>
  %relu = fuse.map relu %x : (tensor<4x?xi32>) -> tensor<4x?xi32>
  // CHECK-NEXT: fuse.map and %[[X]], %[[X]] : (tensor<4x?xi32>, tensor<4x?xi32>) -> tensor<4x?xi32>
  %and = fuse.map and %x, %x : (tensor<4x?xi32>, tensor<4x?xi32>) -> tensor<4x?xi32>
  // CHECK-NEXT: fuse.map or %[[X]], %[[X]] : (tensor<4x?xi32>, tensor<4x?xi32>) -> tensor<4x?xi32>
  %or = fuse.map or %x, %x : (tensor<4x?xi32>, tensor<4x?xi32>) -> tensor<4x?xi32>
  // CHECK-NEXT: fuse.map xor %[[X]], %[[X]] : (tensor<4x?xi32>, tensor<4x?xi32>) -> tensor<4x?xi32>
  %xor = fuse.map xor %x, %x : (tensor<4x?xi32>, tensor<4x?xi32>) -> tensor<4x?xi32>
  // CHECK-NEXT: fuse.map not %[[X]] : (tensor<4x?xi32>) -> tensor<4x?xi32>
  %not = fuse.map not %x : (tensor<4x?xi32>) -> tensor<4x?xi32>
  return
}

// Those that take truth values.
// CHECK-LABEL: func.func @logic(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<4x?xi1>
func.func @logic(%x: tensor<4x?xi1>) {
  // CHECK-NEXT: fuse.map and %[[X]], %[[X]] : (tensor<4x?xi1>, tensor<4x?xi1>) -> tensor<4x?xi1>
  %and = fuse.map and %x, %x : (tensor<4x?xi1>, tensor<4x?xi1>) -> tensor<4x?xi1>
  // CHECK-NEXT: fuse.map or %[[X]], %[[X]] : (tensor<4x?xi1>, tensor<4x?xi1>) -> tensor<4x?xi1>
  %or = fuse.map or %x, %x : (tensor<4x?xi1>, tensor<4x?xi1>) -> tensor<4x?xi1>
  // CHECK-NEXT: fuse.map xor %[[X]], %[[X]] : (tensor<4x?xi1>, tensor<4x?xi1>) -> tensor<4x?xi1>
  %xor = fuse.map xor %x, %x : (tensor<4x?xi1>, tensor<4x?xi1>) -> tensor<4x?xi1>
  // CHECK-NEXT: fuse.map not %[[X]] : (tensor<4x?xi1>) -> tensor<4x?xi1>
  %not = fuse.map not %x : (tensor<4x?xi1>) -> tensor<4x?xi1>
  return
}

// CHECK-LABEL: func.func @element_types(
func.func @element_types(%a: tensor<f16>, %b: tensor<bf16>, %c: tensor<f64>) {
  // CHECK-NEXT: fuse.map exp %{{.*}} : (tensor<f16>) -> tensor<f16>
  %x = fuse.map exp %a : (tensor<f16>) -> tensor<f16>
  // CHECK-NEXT: fuse.map exp %{{.*}} : (tensor<bf16>) -> tensor<bf16>
  %y = fuse.map exp %b : (tensor<bf16>) -> tensor<bf16>
  // CHECK-NEXT: fuse.map exp %{{.*}} : (tensor<f64>) -> tensor<f64>
  %z = fuse.map exp %c : (tensor<f64>) -> tensor<f64>
  return
}

// An operand of rank 0 is used for every element, wherever it stands.
// CHECK-LABEL: func.func @scalar_operands(
// CHECK-SAME:    %[[X:.*]]: tensor<?x3xf32>, %[[S:.*]]: tensor<f32>
func.func @scalar_operands(%x: tensor<?x3xf32>, %s: tensor<f32>) {
  // CHECK-NEXT: fuse.map sub %[[X]], %[[S]] : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %right = fuse.map sub %x, %s : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  // CHECK-NEXT: fuse.map sub %[[S]], %[[X]] : (tensor<f32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %left = fuse.map sub %s, %x : (tensor<f32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  // CHECK-NEXT: fuse.map clamp %[[X]], %[[S]], %[[S]] : (tensor<?x3xf32>, tensor<f32>, tensor<f32>) -> tensor<?x3xf32>
  %clamp = fuse.map clamp %x, %s, %s : (tensor<?x3xf32>, tensor<f32>, tensor<f32>) -> tensor<?x3xf32>
  // CHECK-NEXT: fuse.map add %[[S]], %[[S]] : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %scalar = fuse.map add %s, %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// Static and dynamic extents mix; the result may say what one operand knows.
// CHECK-LABEL: func.func @mixed_shapes(
func.func @mixed_shapes(%x: tensor<?x3xf32>, %y: tensor<5x?xf32>) {
  // CHECK-NEXT: fuse.map add %{{.*}}, %{{.*}} : (tensor<?x3xf32>, tensor<5x?xf32>) -> tensor<5x3xf32>
  %known = fuse.map add %x, %y : (tensor<?x3xf32>, tensor<5x?xf32>) -> tensor<5x3xf32>
  // CHECK-NEXT: fuse.map add %{{.*}}, %{{.*}} {tag} : (tensor<?x3xf32>, tensor<5x?xf32>) -> tensor<?x?xf32>
  %forgotten = fuse.map add %x, %y {tag} : (tensor<?x3xf32>, tensor<5x?xf32>) -> tensor<?x?xf32>
  return
}
