// An embedding's gradient in which 4096 tokens are all id 5, each row 2^-8:
// 16, none lost between threads, and not the 1 at which a sum in bf16 stalls.
// RUN: run-step %s 'ids:i64[4096]=5' 'f:f32[4096,8]=0.00390625' 'h:bf16[4096,8]=0.00390625' | FileCheck %s
// CHECK-DAG: wide f32 [7, 8]: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 16 16 16 16 16 16 16 16 0
// CHECK-DAG: narrow bf16 [7, 8]: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 16 16 16 16 16 16 16 16 0
func.func @step(%ids: tensor<4096xi64> {moelle.name = "ids"}, %f: tensor<4096x8xf32> {moelle.name = "f"},
                %h: tensor<4096x8xbf16> {moelle.name = "h"})
    -> (tensor<7x8xf32> {moelle.name = "wide"}, tensor<7x8xbf16> {moelle.name = "narrow"}) {
  %zf = aten.full {size = array<i64: 7, 8>, fill_value = 0 : i64, dtype = f32} : () -> tensor<7x8xf32>
  %zh = aten.full {size = array<i64: 7, 8>, fill_value = 0 : i64, dtype = bf16} : () -> tensor<7x8xbf16>
  %0 = aten.index_put %zf, %ids, %f {accumulate = true, indices_present = array<i1: true>} : (tensor<7x8xf32>, tensor<4096xi64>, tensor<4096x8xf32>) -> tensor<7x8xf32>
  %1 = aten.index_put %zh, %ids, %h {accumulate = true, indices_present = array<i1: true>} : (tensor<7x8xbf16>, tensor<4096xi64>, tensor<4096x8xbf16>) -> tensor<7x8xbf16>
  return %0, %1 : tensor<7x8xf32>, tensor<7x8xbf16>
}
