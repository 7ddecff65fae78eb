// Between narrow floats, doubles and integers, through f32 as in PyTorch.
// RUN: run-step %s 'd:f64[6]=0,1.00390625,-3.7,257.9,1e-3,nan' 'n:i64[6]=0,1,-3,257,16777219,-9' | FileCheck %s
// CHECK: back f64 [6]: 0 1 -3.703125 258 0.00099945068 nan
// CHECK: flag bool [6]: 0 1 1 1 1 1
// CHECK: from bf16 [6]: 0 1 -3 256 16777216 -9
// CHECK: half f64 [6]: 0 1.0039062 -3.6992188 258 0.0010004044 nan
// CHECK: narrow bf16 [6]: 0 1 -3.703125 258 0.00099945068 nan
// CHECK: to i32 [6]: 0 1 -3 256 16777216 -9
func.func @step(%d: tensor<6xf64> {moelle.name = "d"}, %n: tensor<6xi64> {moelle.name = "n"})
    -> (tensor<6xbf16> {moelle.name = "narrow"}, tensor<6xf64> {moelle.name = "back"},
        tensor<6xbf16> {moelle.name = "from"}, tensor<6xi32> {moelle.name = "to"},
        tensor<6xi1> {moelle.name = "flag"}, tensor<6xf64> {moelle.name = "half"}) {
  %0 = aten._to_copy %d {dtype = bf16} : (tensor<6xf64>) -> tensor<6xbf16>
  %1 = aten._to_copy %0 {dtype = f64} : (tensor<6xbf16>) -> tensor<6xf64>
  %2 = aten._to_copy %n {dtype = bf16} : (tensor<6xi64>) -> tensor<6xbf16>
  %3 = aten._to_copy %2 {dtype = i32} : (tensor<6xbf16>) -> tensor<6xi32>
  %4 = aten._to_copy %0 {dtype = i1} : (tensor<6xbf16>) -> tensor<6xi1>
  %5 = aten._to_copy %d {dtype = f16} : (tensor<6xf64>) -> tensor<6xf16>
  %6 = aten._to_copy %5 {dtype = f64} : (tensor<6xf16>) -> tensor<6xf64>
  return %0, %1, %2, %3, %4, %6 : tensor<6xbf16>, tensor<6xf64>, tensor<6xbf16>, tensor<6xi32>, tensor<6xi1>, tensor<6xf64>
}
