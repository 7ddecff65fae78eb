// RUN: moelle-opt %s | moelle-opt | FileCheck %s
// RUN: moelle-opt --mlir-print-op-generic %s | moelle-opt | FileCheck %s

// CHECK-LABEL: exec.kernel @twice attributes {in_place = array<i64: 0>} {
// CHECK: ^bb0(%[[A:.*]]: tensor<4xf32>):
// CHECK: exec.return %{{.*}} : tensor<4xf32>
exec.kernel @twice attributes {in_place = array<i64: 0>} {
^bb0(%a: tensor<4xf32>):
  %0 = aten.add.Tensor %a, %a {alpha = 1 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  exec.return %0 : tensor<4xf32>
}

// CHECK-LABEL: @on_tensors
// CHECK: %[[R:.*]] = exec.launch @twice(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK: exec.check_range %arg1 in [-3, 9) "a count" : tensor<i64>
func.func @on_tensors(%x: tensor<4xf32>, %n: tensor<i64>) -> tensor<4xf32> {
  %0 = exec.launch @twice(%x) : (tensor<4xf32>) -> tensor<4xf32>
  exec.check_range %n in [-3, 9) "a count" : tensor<i64>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @on_memory
// CHECK: exec.launch @twice(%arg0) outs(%arg1 : memref<4xf32>) : (memref<4xf32>) -> ()
// CHECK: exec.check_range %arg2 in [0, 1) "a flag" : memref<i32>
func.func @on_memory(%x: memref<4xf32>, %y: memref<4xf32>, %n: memref<i32>) {
  exec.launch @twice(%x) outs(%y : memref<4xf32>) : (memref<4xf32>) -> ()
  exec.check_range %n in [0, 1) "a flag" : memref<i32>
  return
}
