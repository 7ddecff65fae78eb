// RUN: moelle-opt --canonicalize %s | FileCheck %s

// empty and index_put of a counter at a sort order: the order's inverse.
// CHECK-LABEL: @names_the_inverse
// CHECK: %[[V:.*]], %[[ORDER:.*]] = aten.sort
// CHECK: %[[INVERSE:.*]] = aten.inverse_permutation %[[ORDER]]
// CHECK-NOT: index_put
// CHECK: return %[[INVERSE]]
func.func @names_the_inverse(%ids: tensor<6xi64>) -> tensor<6xi64> {
  %v, %order = aten.sort %ids {dim = 0 : i64, descending = false} : (tensor<6xi64>) -> (tensor<6xi64>, tensor<6xi64>)
  %e = aten.empty_permuted {size = array<i64: 6>, physical_layout = array<i64: 0>, dtype = i64} : () -> tensor<6xi64>
  %n = aten.arange.start_step {start = 0 : i64, end = 6 : i64, step = 1 : i64, dtype = i64} : () -> tensor<6xi64>
  %0 = aten.index_put %e, %order, %n {accumulate = false, indices_present = array<i1: true>} : (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
  return %0 : tensor<6xi64>
}

// Rows written at the places of an order are read by its inverse; those of the
// inverse by the order itself.
// CHECK-LABEL: @reads_by_the_inverse
// CHECK: %[[V:.*]], %[[ORDER:.*]] = aten.sort
// CHECK: %[[INVERSE:.*]] = aten.inverse_permutation %[[ORDER]]
// CHECK: %[[A:.*]] = aten.index.Tensor %arg1, %[[INVERSE]]
// CHECK: %[[B:.*]] = aten.index.Tensor %arg1, %[[ORDER]]
// CHECK: return %[[A]], %[[B]]
func.func @reads_by_the_inverse(%ids: tensor<6xi64>, %x: tensor<6x4xf32>) -> (tensor<6x4xf32>, tensor<6x4xf32>) {
  %v, %order = aten.sort %ids {dim = 0 : i64, descending = false} : (tensor<6xi64>) -> (tensor<6xi64>, tensor<6xi64>)
  %inverse = aten.inverse_permutation %order : (tensor<6xi64>) -> tensor<6xi64>
  %z = aten.full {size = array<i64: 6, 4>, fill_value = 0 : i64, dtype = f32} : () -> tensor<6x4xf32>
  %0 = aten.index_put %z, %order, %x {accumulate = true, indices_present = array<i1: true>} : (tensor<6x4xf32>, tensor<6xi64>, tensor<6x4xf32>) -> tensor<6x4xf32>
  %1 = aten.index_put %x, %inverse, %x {accumulate = false, indices_present = array<i1: true>} : (tensor<6x4xf32>, tensor<6xi64>, tensor<6x4xf32>) -> tensor<6x4xf32>
  return %0, %1 : tensor<6x4xf32>, tensor<6x4xf32>
}

// Not each place once, or something is left of what was there.
// CHECK-LABEL: @keeps_other_writes
// CHECK-COUNT-4: aten.index_put
func.func @keeps_other_writes(%ids: tensor<6xi64>, %x: tensor<6x4xf32>, %y: tensor<8x4xf32>, %row: tensor<4xf32>)
    -> (tensor<6x4xf32>, tensor<6x4xf32>, tensor<8x4xf32>, tensor<6x4xf32>) {
  %v, %order = aten.sort %ids {dim = 0 : i64, descending = false} : (tensor<6xi64>) -> (tensor<6xi64>, tensor<6xi64>)
  %0 = aten.index_put %x, %ids, %x {accumulate = false, indices_present = array<i1: true>} : (tensor<6x4xf32>, tensor<6xi64>, tensor<6x4xf32>) -> tensor<6x4xf32>
  %1 = aten.index_put %x, %order, %x {accumulate = true, indices_present = array<i1: true>} : (tensor<6x4xf32>, tensor<6xi64>, tensor<6x4xf32>) -> tensor<6x4xf32>
  %2 = aten.index_put %y, %order, %x {accumulate = false, indices_present = array<i1: true>} : (tensor<8x4xf32>, tensor<6xi64>, tensor<6x4xf32>) -> tensor<8x4xf32>
  %3 = aten.index_put %x, %order, %row {accumulate = false, indices_present = array<i1: true>} : (tensor<6x4xf32>, tensor<6xi64>, tensor<4xf32>) -> tensor<6x4xf32>
  return %0, %1, %2, %3 : tensor<6x4xf32>, tensor<6x4xf32>, tensor<8x4xf32>, tensor<6x4xf32>
}
