// RUN: moelle-opt --moelle-decompose-aten %s | FileCheck %s

// CHECK-LABEL: @softmax
// CHECK: %[[MAX:.*]] = aten.amax
// CHECK: %[[SHIFTED:.*]] = aten.sub.Tensor %{{.*}}, %[[MAX]]
// CHECK: %[[EXP:.*]] = aten.exp %[[SHIFTED]]
// CHECK: %[[SUM:.*]] = aten.sum.dim_IntList %[[EXP]]
// CHECK: aten.div.Tensor %[[EXP]], %[[SUM]]
func.func @softmax(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = aten._softmax %a {dim = -1 : i64, half_to_float = false} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
