// RUN: moelle-opt --moelle-decompose-aten --moelle-form-kernels --moelle-reuse-operands --split-input-file %s | FileCheck %s
// RUN: moelle-opt --moelle-decompose-aten --moelle-form-kernels --moelle-reuse-operands --moelle-plan-arena --moelle-check-plan --split-input-file %s -o /dev/null

// A softmax reads each row before it stores it, and nothing else reads the
// product: written over. The step's argument is not; so the launches of one
// kernel become launches of two.
// CHECK: exec.kernel @div_Tensor {
// CHECK: exec.kernel @div_Tensor_0 attributes {in_place = array<i64: 0>} {
// CHECK-LABEL: func.func @step
// CHECK: %[[MM:.*]] = exec.launch @mm
// CHECK: exec.launch @div_Tensor_0(%[[MM]])
// CHECK: exec.launch @div_Tensor(%arg0)
func.func @step(%a: tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) {
  %0 = aten.mm %a, %a : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %s = aten._softmax %0 {dim = 1 : i64, half_to_float = false} : (tensor<16x16xf32>) -> tensor<16x16xf32>
  %1 = aten.mm %s, %a : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %2 = aten.mm %a, %s : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %r = aten._softmax %a {dim = 1 : i64, half_to_float = false} : (tensor<16x16xf32>) -> tensor<16x16xf32>
  %3 = aten.mm %r, %a : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %4 = aten.mm %a, %r : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  return %1, %2, %3, %4 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
}

// -----

// Left alone: an operand read in another order, one that another launch reads
// afterwards, and one that the step returns.
// CHECK-NOT: in_place
// CHECK-LABEL: func.func @step
// CHECK-NOT: in_place
func.func @step(%a: tensor<16x16xf32>, %i: tensor<16xi64>) -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) {
  %0 = aten.mm %a, %a : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %g = aten.index.Tensor %0, %i {indices_present = array<i1: true>} : (tensor<16x16xf32>, tensor<16xi64>) -> tensor<16x16xf32>
  %s = aten._softmax %g {dim = 1 : i64, half_to_float = false} : (tensor<16x16xf32>) -> tensor<16x16xf32>
  %1 = aten.mm %s, %a : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %2 = aten.mm %1, %s : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %t = aten._softmax %1 {dim = 1 : i64, half_to_float = false} : (tensor<16x16xf32>) -> tensor<16x16xf32>
  %3 = aten.mm %t, %a : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %4 = aten.mm %a, %t : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  return %1, %2, %3, %4 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
}
