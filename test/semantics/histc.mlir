// Counts of 32 expert ids, 5 of them the last: as a bincount of length 8, the
// last bin being closed, for ids of each dtype.
// RUN: run-step %s 'ids:i64[32]=7,7,7,7,7,0,0,0,1,1,2,2,2,2,3,3,3,4,4,4,5,5,5,5,5,6,6,6,6,6,6,0' | FileCheck %s
// CHECK: f f32 [8]: 4 2 4 3 3 5 6 5
// CHECK: i i32 [8]: 4 2 4 3 3 5 6 5
// CHECK: l i64 [8]: 4 2 4 3 3 5 6 5
func.func @step(%ids: tensor<32xi64> {moelle.name = "ids"})
    -> (tensor<8xf32> {moelle.name = "f"}, tensor<8xi32> {moelle.name = "i"}, tensor<8xi64> {moelle.name = "l"}) {
  %f = aten._to_copy %ids {dtype = f32} : (tensor<32xi64>) -> tensor<32xf32>
  %i = aten._to_copy %ids {dtype = i32} : (tensor<32xi64>) -> tensor<32xi32>
  %0 = aten.histc %f {bins = 8 : i64, min = 0 : i64, max = 7 : i64} : (tensor<32xf32>) -> tensor<8xf32>
  %1 = aten.histc %i {bins = 8 : i64, min = 0 : i64, max = 7 : i64} : (tensor<32xi32>) -> tensor<8xi32>
  %2 = aten.histc %ids {bins = 8 : i64, min = 0 : i64, max = 7 : i64} : (tensor<32xi64>) -> tensor<8xi64>
  return %0, %1, %2 : tensor<8xf32>, tensor<8xi32>, tensor<8xi64>
}
