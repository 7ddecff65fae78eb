// RUN: moelle-opt --moelle-form-kernels %s | FileCheck %s

// A row-wise chain with two reductions is one kernel of one result.
// CHECK: exec.kernel @div_Tensor
// CHECK: aten.amax
// CHECK: aten.sum.dim_IntList
// CHECK: exec.return %{{[0-9]+}} : tensor<4x1x8xf32>

// What reads each element of a product once follows it, transposed or not.
// CHECK: exec.kernel @mm
// CHECK: aten.mm
// CHECK: aten.permute
// CHECK: exec.return %{{[0-9]+}} : tensor<8x32xf32>

// A reduction read at other rows stays apart.
// CHECK: exec.kernel @sum_dim_IntList
// CHECK-NEXT: ^bb0
// CHECK-NEXT: aten.sum.dim_IntList
// CHECK-NEXT: exec.return

// CHECK-LABEL: func.func @step
// CHECK: exec.launch @div_Tensor
// CHECK: exec.launch @mm
func.func @step(%x: tensor<4x1x8xf32>, %a: tensor<32x8xf32>, %w: tensor<8x8xf32>, %s: tensor<8x8xf32>) -> (tensor<4x1x8xf32>, tensor<8x32xf32>, tensor<8x8xf32>) {
  %m = aten.amax %x {dim = array<i64: 2>, keepdim = true} : (tensor<4x1x8xf32>) -> tensor<4x1x1xf32>
  %d = aten.sub.Tensor %x, %m {alpha = 1 : i64} : (tensor<4x1x8xf32>, tensor<4x1x1xf32>) -> tensor<4x1x8xf32>
  %e = aten.exp %d : (tensor<4x1x8xf32>) -> tensor<4x1x8xf32>
  %t = aten.sum.dim_IntList %e {dim = array<i64: 2>, keepdim = true} : (tensor<4x1x8xf32>) -> tensor<4x1x1xf32>
  %softmax = aten.div.Tensor %e, %t : (tensor<4x1x8xf32>, tensor<4x1x1xf32>) -> tensor<4x1x8xf32>
  %p = aten.mm %a, %w : (tensor<32x8xf32>, tensor<8x8xf32>) -> tensor<32x8xf32>
  %transposed = aten.permute %p {dims = array<i64: 1, 0>} : (tensor<32x8xf32>) -> tensor<8x32xf32>
  %r = aten.sum.dim_IntList %s {dim = array<i64: 1>, keepdim = false} : (tensor<8x8xf32>) -> tensor<8xf32>
  %crossed = aten.mul.Tensor %s, %r : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
  return %softmax, %transposed, %crossed : tensor<4x1x8xf32>, tensor<8x32xf32>, tensor<8x8xf32>
}
