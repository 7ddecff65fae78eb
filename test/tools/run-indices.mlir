// Indices out of range end a run with an error; memory is safe all the same.
// RUN: moelle compile %s -o %t.moelle
// RUN: tensors write %t.good 'w:f32[3,2]=1,2,3,4,5,6' 'ids:i64[2]=2,0' 'at:i32[2]=-3,2'
// RUN: moelle run %t.moelle --inputs %t.good --outputs %t.out
// RUN: tensors show %t.out | FileCheck %s
// CHECK: picked f32 [2, 2]: 1 2 5 6
// CHECK: rows f32 [2, 2]: 5 6 1 2
// RUN: tensors write %t.high 'w:f32[3,2]=1' 'ids:i64[2]=0,3' 'at:i32[2]=0,0'
// RUN: not moelle run %t.moelle --inputs %t.high --outputs %t.none 2>&1 | FileCheck %s --check-prefix=HIGH
// HIGH: moelle: error: operand 1 of 'aten.embedding'{{.*}} must be in [0, 3), but got 3
// RUN: tensors write %t.low 'w:f32[3,2]=1' 'ids:i64[2]=0,-9000000000' 'at:i32[2]=0,0'
// RUN: not moelle run %t.moelle --inputs %t.low --outputs %t.none 2>&1 | FileCheck %s --check-prefix=LOW
// LOW: moelle: error: operand 1 of 'aten.embedding'{{.*}} must be in [0, 3), but got -9000000000
// RUN: tensors write %t.back 'w:f32[3,2]=1' 'ids:i64[2]=0,0' 'at:i32[2]=0,-4'
// RUN: not moelle run %t.moelle --inputs %t.back --outputs %t.none 2>&1 | FileCheck %s --check-prefix=BACK
// BACK: moelle: error: operand 1 of 'aten.index.Tensor'{{.*}} must be in [-3, 3), but got -4
// RUN: not ls %t.none
func.func @step(
    %w: tensor<3x2xf32> {moelle.name = "w", moelle.kind = "parameter"},
    %ids: tensor<2xi64> {moelle.name = "ids", moelle.kind = "input"},
    %at: tensor<2xi32> {moelle.name = "at", moelle.kind = "input"})
    -> (tensor<2x2xf32> {moelle.name = "rows", moelle.kind = "output"},
        tensor<2x2xf32> {moelle.name = "picked", moelle.kind = "output"}) {
  %0 = aten.embedding %w, %ids {padding_idx = -1 : i64, scale_grad_by_freq = false, sparse = false} : (tensor<3x2xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  %1 = aten.index.Tensor %w, %at {indices_present = array<i1: true>} : (tensor<3x2xf32>, tensor<2xi32>) -> tensor<2x2xf32>
  return %0, %1 : tensor<2x2xf32>, tensor<2x2xf32>
}
