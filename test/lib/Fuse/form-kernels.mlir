// RUN: moelle-opt --moelle-form-kernels %s | FileCheck %s

// Equal products share one kernel; the permutation is read through.
// CHECK: exec.kernel @mm
// CHECK: aten.permute
// CHECK-NOT: exec.kernel
// CHECK-LABEL: func.func @step
// CHECK: exec.launch @mm
// CHECK: exec.launch @mm
func.func @step(%a: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %p = aten.permute %w {dims = array<i64: 1, 0>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = aten.mm %a, %p : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = aten.mm %0, %p : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}
