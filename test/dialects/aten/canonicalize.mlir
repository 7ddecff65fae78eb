// RUN: moelle-opt --canonicalize --split-input-file %s | FileCheck %s

// CHECK-LABEL: @two_permutes_cancel
// CHECK-NEXT: return %{{.*}} : tensor<4x8xf32>
func.func @two_permutes_cancel(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = aten.permute %a {dims = array<i64: 1, 0>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %1 = aten.permute %0 {dims = array<i64: -1, 0>} : (tensor<8x4xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: @views_compose
// CHECK: aten.view %{{.*}} {size = array<i64: 32>}
// CHECK-NOT: aten.view
func.func @views_compose(%a: tensor<4x8xf32>) -> tensor<32xf32> {
  %0 = aten.view %a {size = array<i64: 2, -1>} : (tensor<4x8xf32>) -> tensor<2x16xf32>
  %1 = aten.view %0 {size = array<i64: -1>} : (tensor<2x16xf32>) -> tensor<32xf32>
  return %1 : tensor<32xf32>
}

// -----

// Multiplying by ones is the identity; adding a float zero is not (-0.0 + 0).
// CHECK-LABEL: @ones_and_zeros
// CHECK-NOT: aten.mul
// CHECK: aten.add.Scalar
func.func @ones_and_zeros(%a: tensor<4xf32>) -> tensor<4xf32> {
  %one = aten.full {size = array<i64: 4>, fill_value = 1 : i64, dtype = f32} : () -> tensor<4xf32>
  %0 = aten.mul.Tensor %a, %one : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = aten.add.Scalar %0 {other = 0 : i64, alpha = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: @asserts_vanish
// CHECK-NOT: _assert
func.func @asserts_vanish(%a: tensor<4xf32>) -> tensor<4xf32> {
  aten._assert_tensor_metadata %a {dtype = f32} : tensor<4xf32>
  %0 = aten.alias %a : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
