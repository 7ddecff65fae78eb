// Folding ends on dead code that uses itself, and leaves what has no value.
// RUN: moelle-opt --canonicalize="region-simplify=disabled" %s | FileCheck %s

// CHECK-LABEL: @unreachable
func.func @unreachable(%x: tensor<4xi64>) -> tensor<4xi64> {
  return %x : tensor<4xi64>
^dead:
  %zero = aten.full {size = array<i64: 4>, fill_value = 0 : i64, dtype = i64} : () -> tensor<4xi64>
  %0 = aten.add.Tensor %0, %zero {alpha = 1 : i64} : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  %1 = aten.view %1 {size = array<i64: 4>} : (tensor<4xi64>) -> tensor<4xi64>
  %2 = aten.permute %3 {dims = array<i64: 0>} : (tensor<4xi64>) -> tensor<4xi64>
  %3 = aten.permute %2 {dims = array<i64: 0>} : (tensor<4xi64>) -> tensor<4xi64>
  %4 = aten.inverse_permutation %5 : (tensor<4xi64>) -> tensor<4xi64>
  %5 = aten.inverse_permutation %4 : (tensor<4xi64>) -> tensor<4xi64>
  %6 = aten.view %7 {size = array<i64: 4>} : (tensor<4xi64>) -> tensor<4xi64>
  %7 = aten.view %6 {size = array<i64: 4>} : (tensor<4xi64>) -> tensor<4xi64>
  return %0 : tensor<4xi64>
}

// CHECK-LABEL: @division_by_zero
// CHECK: aten.div.Tensor_mode
// CHECK: aten.div.Scalar_mode
func.func @division_by_zero(%x: tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>) {
  %zero = aten.full {size = array<i64: 4>, fill_value = 0 : i64, dtype = i64} : () -> tensor<4xi64>
  %0 = aten.div.Tensor_mode %x, %zero {rounding_mode = "floor"} : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  %1 = aten.div.Scalar_mode %x {other = 0 : i64, rounding_mode = "floor"} : (tensor<4xi64>) -> tensor<4xi64>
  return %0, %1 : tensor<4xi64>, tensor<4xi64>
}

// CHECK-LABEL: @empty_table
// CHECK: aten.gather
func.func @empty_table(%i: tensor<0x4xi64>) -> tensor<0x4xf32> {
  %t = aten.literal {value = dense<> : tensor<0x4xf32>} : () -> tensor<0x4xf32>
  %0 = aten.gather %t, %i {dim = 0 : i64, sparse_grad = false} : (tensor<0x4xf32>, tensor<0x4xi64>) -> tensor<0x4xf32>
  return %0 : tensor<0x4xf32>
}
