// RUN: moelle-opt --canonicalize %s | FileCheck %s

// The sum of copies is a multiple; of one element, a view.
// CHECK-LABEL: @multiplies_copies
// CHECK: %[[V:.*]] = aten.view %arg0
// CHECK: %[[M:.*]] = aten.mul.Scalar %[[V]] {other = 32 : i64}
// CHECK: %[[S:.*]] = aten.view %arg1
// CHECK-NOT: aten.sum
// CHECK: return %[[M]], %[[S]]
func.func @multiplies_copies(%x: tensor<3x1xf32>, %y: tensor<1x5xf32>) -> (tensor<3xf32>, tensor<5xf32>) {
  %w = aten.expand %x {size = array<i64: 4, 3, 8>, implicit = false} : (tensor<3x1xf32>) -> tensor<4x3x8xf32>
  %0 = aten.sum.dim_IntList %w {dim = array<i64: 0, -1>, keepdim = false} : (tensor<4x3x8xf32>) -> tensor<3xf32>
  %1 = aten.sum.dim_IntList %y {dim = array<i64: 0>, keepdim = false} : (tensor<1x5xf32>) -> tensor<5xf32>
  return %0, %1 : tensor<3xf32>, tensor<5xf32>
}

// Sums of something else as well, or of not all copies, stay.
// CHECK-LABEL: @keeps_sums
// CHECK-COUNT-3: aten.sum.dim_IntList
func.func @keeps_sums(%x: tensor<3x1xf32>, %b: tensor<3x1xi1>) -> (tensor<4xf32>, tensor<3x8xf32>, tensor<3xi64>) {
  %w = aten.expand %x {size = array<i64: 4, 3, 8>, implicit = false} : (tensor<3x1xf32>) -> tensor<4x3x8xf32>
  %0 = aten.sum.dim_IntList %w {dim = array<i64: 1, 2>, keepdim = false} : (tensor<4x3x8xf32>) -> tensor<4xf32>
  %1 = aten.sum.dim_IntList %w {dim = array<i64: 0>, keepdim = false} : (tensor<4x3x8xf32>) -> tensor<3x8xf32>
  %2 = aten.sum.dim_IntList %b {dim = array<i64: 1>, keepdim = false} : (tensor<3x1xi1>) -> tensor<3xi64>
  return %0, %1, %2 : tensor<4xf32>, tensor<3x8xf32>, tensor<3xi64>
}
