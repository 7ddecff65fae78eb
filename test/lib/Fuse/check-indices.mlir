// RUN: moelle-opt --moelle-check-indices --split-input-file %s | FileCheck %s

// Counters, orders and arithmetic on them are known to be in range.
// CHECK-LABEL: func.func @step
// CHECK-NOT: exec.check_range
// CHECK: return
func.func @step(%x: tensor<6x4xf32>, %scores: tensor<6xf32>, %e: tensor<6x3xf32>) -> (tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x2xf32>) {
  %v, %order = aten.sort %scores {dim = 0 : i64, descending = false} : (tensor<6xf32>) -> (tensor<6xf32>, tensor<6xi64>)
  %0 = aten.index.Tensor %x, %order {indices_present = array<i1: true>} : (tensor<6x4xf32>, tensor<6xi64>) -> tensor<6x4xf32>
  %half = aten.div.Scalar_mode %order {other = 2 : i64, rounding_mode = "floor"} : (tensor<6xi64>) -> tensor<6xi64>
  %1 = aten.index.Tensor %x, %half {indices_present = array<i1: true>} : (tensor<6x4xf32>, tensor<6xi64>) -> tensor<6x4xf32>
  %tv, %ti = aten.topk %e {k = 2 : i64, dim = -1 : i64, largest = true, sorted = true} : (tensor<6x3xf32>) -> (tensor<6x2xf32>, tensor<6x2xi64>)
  %2 = aten.gather %e, %ti {dim = 1 : i64, sparse_grad = false} : (tensor<6x3xf32>, tensor<6x2xi64>) -> tensor<6x2xf32>
  return %0, %1, %2 : tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x2xf32>
}

// -----

// An argument can hold anything; one check serves two users. Negative indices
// of index.Tensor count from the end.
// CHECK-LABEL: func.func @step
// CHECK: %[[MIN:.*]] = aten.amin %arg1
// CHECK-NEXT: exec.check_range %[[MIN]] in [0, 8) "operand 1 of 'aten.embedding'" : tensor<i64>
// CHECK: %[[MAX:.*]] = aten.amax %arg1
// CHECK-NEXT: exec.check_range %[[MAX]] in [0, 8) "operand 1 of 'aten.embedding'" : tensor<i64>
// CHECK-NEXT: aten.embedding
// CHECK-NEXT: aten.embedding
// CHECK: exec.check_range %{{.*}} in [-8, 8) "operand 1 of 'aten.index.Tensor'" : tensor<i64>
// CHECK: exec.check_range %{{.*}} in [-8, 8) "operand 1 of 'aten.index.Tensor'" : tensor<i64>
func.func @step(%w: tensor<8x4xf32>, %ids: tensor<3xi64>, %v: tensor<8x5xf32>) -> (tensor<3x4xf32>, tensor<3x5xf32>, tensor<3x4xf32>) {
  %0 = aten.embedding %w, %ids {padding_idx = -1 : i64, scale_grad_by_freq = false, sparse = false} : (tensor<8x4xf32>, tensor<3xi64>) -> tensor<3x4xf32>
  %1 = aten.embedding %v, %ids {padding_idx = -1 : i64, scale_grad_by_freq = false, sparse = false} : (tensor<8x5xf32>, tensor<3xi64>) -> tensor<3x5xf32>
  %2 = aten.index.Tensor %w, %ids {indices_present = array<i1: true>} : (tensor<8x4xf32>, tensor<3xi64>) -> tensor<3x4xf32>
  return %0, %1, %2 : tensor<3x4xf32>, tensor<3x5xf32>, tensor<3x4xf32>
}

// -----

// A clamp proves both bounds, a remainder of nothing but one.
// CHECK-LABEL: func.func @step
// CHECK-NOT: aten.amin
// CHECK: aten.amax
// CHECK-NEXT: exec.check_range
// CHECK-NOT: exec.check_range
func.func @step(%w: tensor<8x4xf32>, %ids: tensor<3xi64>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  %c = aten.clamp %ids {min = 0 : i64, max = 7 : i64} : (tensor<3xi64>) -> tensor<3xi64>
  %0 = aten.embedding %w, %c {padding_idx = -1 : i64, scale_grad_by_freq = false, sparse = false} : (tensor<8x4xf32>, tensor<3xi64>) -> tensor<3x4xf32>
  %d = aten.clamp %ids {min = 0 : i64} : (tensor<3xi64>) -> tensor<3xi64>
  %1 = aten.embedding %w, %d {padding_idx = -1 : i64, scale_grad_by_freq = false, sparse = false} : (tensor<8x4xf32>, tensor<3xi64>) -> tensor<3x4xf32>
  return %0, %1 : tensor<3x4xf32>, tensor<3x4xf32>
}
