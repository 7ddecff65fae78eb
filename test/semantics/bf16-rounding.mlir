// To nearest, ties to even, in vector bodies and tails alike: 17 elements.
// A NaN that has only low bits set stays a NaN; the greatest f32 becomes inf.
// RUN: run-step %s 'x:f32[17]=0.2691408770292272,1.00390625,1.01171875,3.4028235e38,nan,1e-40,-1.00390625,-3.4028235e38,0.2691408770292272,1.00390625,1.01171875,3.4028235e38,nan,1e-40,-1.00390625,-3.4028235e38,1.01171875' | FileCheck %s
// CHECK: y bf16 [17]: 0.26953125 1 1.015625 inf nan 9.1835496e-41 -1 -inf 0.26953125 1 1.015625 inf nan 9.1835496e-41 -1 -inf 1.015625
func.func @step(%x: tensor<17xf32> {moelle.name = "x"}) -> (tensor<17xbf16> {moelle.name = "y"}) {
  %0 = aten._to_copy %x {dtype = bf16} : (tensor<17xf32>) -> tensor<17xbf16>
  return %0 : tensor<17xbf16>
}
