// Views, gathers and reductions, by their places. Figures: torch 2.15.
// RUN: run-step %s 'x:f32[2,3,4]=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23' 'i:i64[2,2]=2,0,1,1' 'a:i64[2]=1,0' 'b:i64[2]=-1,2' 'c:i64[2]=-1,0' | FileCheck %s
// CHECK: all f32 []: 276
// CHECK: amin f32 [2, 1, 4]: 0 1 2 3 12 13 14 15
// CHECK: arange i64 [3]: 7 4 1
// CHECK: bmm f32 [2, 3, 3]: 14 38 62 38 126 214 62 214 366 734 950 1166 950 1230 1510 1166 1510 1854
// CHECK: cat f32 [2, 3, 6]: 1 3 0 1 2 3 5 7 4 5 6 7 9 11 8 9 10 11 13 15 12 13 14 15 17 19 16 17 18 19 21 23 20 21 22 23
// CHECK: cumsum f32 [2, 3, 4]: 0 1 2 3 4 6 8 10 12 15 18 21 12 13 14 15 28 30 32 34 48 51 54 57
// CHECK: gather f32 [2, 2]: 10 8 21 21
// CHECK: index f32 [2, 3]: 15 19 23 2 6 10
// CHECK: index2 f32 [2, 2, 4]: 8 9 10 11 0 1 2 3 20 21 22 23 12 13 14 15
// CHECK: last f32 [2, 2, 4]: 4 5 6 7 8 9 10 11 16 17 18 19 20 21 22 23
// CHECK: mean f32 [2, 4]: 4 5 6 7 16 17 18 19
// CHECK: pad f32 [2, 4, 4]: 9 0 1 2 9 4 5 6 9 8 9 10 9 9 9 9 9 12 13 14 9 16 17 18 9 20 21 22 9 9 9 9
// CHECK: permute f32 [4, 2, 3]: 0 4 8 12 16 20 1 5 9 13 17 21 2 6 10 14 18 22 3 7 11 15 19 23
// CHECK: scatter_value f32 [2, 4]: 5 0 5 0 0 5 0 0
// CHECK: select f32 [2, 4]: 8 9 10 11 20 21 22 23
// CHECK: slice f32 [2, 3, 2]: 1 3 5 7 9 11 13 15 17 19 21 23
// CHECK: slice_scatter f32 [2, 3, 4]: 0 1 2 3 1 1 1 1 8 9 10 11 12 13 14 15 1 1 1 1 20 21 22 23
// CHECK: sum f32 [3]: 60 92 124
// CHECK: view f32 [4, 6]: 0 4 8 12 16 20 1 5 9 13 17 21 2 6 10 14 18 22 3 7 11 15 19 23
func.func @step(%x: tensor<2x3x4xf32> {moelle.name = "x"}, %i: tensor<2x2xi64> {moelle.name = "i"},
                %a: tensor<2xi64> {moelle.name = "a"}, %b: tensor<2xi64> {moelle.name = "b"}, %c: tensor<2xi64> {moelle.name = "c"})
    -> (tensor<4x2x3xf32> {moelle.name = "permute"},
        tensor<4x6xf32> {moelle.name = "view"},
        tensor<2x3x2xf32> {moelle.name = "slice"},
        tensor<2x2x4xf32> {moelle.name = "last"},
        tensor<2x4xf32> {moelle.name = "select"},
        tensor<2x3x6xf32> {moelle.name = "cat"},
        tensor<2x4x4xf32> {moelle.name = "pad"},
        tensor<2x2xf32> {moelle.name = "gather"},
        tensor<2x4xf32> {moelle.name = "scatter_value"},
        tensor<2x3xf32> {moelle.name = "index"},
        tensor<2x2x4xf32> {moelle.name = "index2"},
        tensor<2x3x4xf32> {moelle.name = "cumsum"},
        tensor<3xf32> {moelle.name = "sum"},
        tensor<f32> {moelle.name = "all"},
        tensor<2x1x4xf32> {moelle.name = "amin"},
        tensor<2x4xf32> {moelle.name = "mean"},
        tensor<2x3x3xf32> {moelle.name = "bmm"},
        tensor<3xi64> {moelle.name = "arange"},
        tensor<2x3x4xf32> {moelle.name = "slice_scatter"}) {
  %z = aten.full {size = array<i64: 2, 4>, fill_value = 0 : i64, dtype = f32} : () -> tensor<2x4xf32>
  %o = aten.full {size = array<i64: 2, 1, 4>, fill_value = 1 : i64, dtype = f32} : () -> tensor<2x1x4xf32>
  %t = aten.permute %x {dims = array<i64: 0, 2, 1>} : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  %0 = aten.permute %x {dims = array<i64: 2, 0, 1>} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %1 = aten.view %0 {size = array<i64: 4, 6>} : (tensor<4x2x3xf32>) -> tensor<4x6xf32>
  %2 = aten.slice.Tensor %x {dim = 2 : i64, start = 1 : i64, end = 9223372036854775807 : i64, step = 2 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x2xf32>
  %3 = aten.slice.Tensor %x {dim = 1 : i64, start = -2 : i64, end = 9223372036854775807 : i64, step = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x2x4xf32>
  %4 = aten.select.int %x {dim = 1 : i64, index = -1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x4xf32>
  %5 = aten.cat %2, %x {dim = -1 : i64} : (tensor<2x3x2xf32>, tensor<2x3x4xf32>) -> tensor<2x3x6xf32>
  %6 = aten.constant_pad_nd %x {pad = array<i64: 1, -1, 0, 1>, value = 9.0 : f64} : (tensor<2x3x4xf32>) -> tensor<2x4x4xf32>
  %7 = aten.gather %4, %i {dim = 1 : i64, sparse_grad = false} : (tensor<2x4xf32>, tensor<2x2xi64>) -> tensor<2x2xf32>
  %8 = aten.scatter.value %z, %i {dim = 1 : i64, value = 5.0 : f64} : (tensor<2x4xf32>, tensor<2x2xi64>) -> tensor<2x4xf32>
  %9 = aten.index.Tensor %x, %a, %b {indices_present = array<i1: true, false, true>} : (tensor<2x3x4xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x3xf32>
  %10 = aten.index.Tensor %x, %c {indices_present = array<i1: false, true>} : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<2x2x4xf32>
  %11 = aten.cumsum %x {dim = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %12 = aten.sum.dim_IntList %x {dim = array<i64: 0, -1>, keepdim = false} : (tensor<2x3x4xf32>) -> tensor<3xf32>
  %13 = aten.sum.dim_IntList %x {keepdim = false} : (tensor<2x3x4xf32>) -> tensor<f32>
  %14 = aten.amin %x {dim = array<i64: 1>, keepdim = true} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  %15 = aten.mean.dim %x {dim = array<i64: 1>, keepdim = false} : (tensor<2x3x4xf32>) -> tensor<2x4xf32>
  %16 = aten.bmm %x, %t : (tensor<2x3x4xf32>, tensor<2x4x3xf32>) -> tensor<2x3x3xf32>
  %17 = aten.arange.start_step {start = 7 : i64, end = -2 : i64, step = -3 : i64, dtype = i64} : () -> tensor<3xi64>
  %18 = aten.slice_scatter %x, %o {dim = 1 : i64, start = 1 : i64, end = 3 : i64, step = 2 : i64} : (tensor<2x3x4xf32>, tensor<2x1x4xf32>) -> tensor<2x3x4xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18 : tensor<4x2x3xf32>, tensor<4x6xf32>, tensor<2x3x2xf32>, tensor<2x2x4xf32>, tensor<2x4xf32>, tensor<2x3x6xf32>, tensor<2x4x4xf32>, tensor<2x2xf32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x2x4xf32>, tensor<2x3x4xf32>, tensor<3xf32>, tensor<f32>, tensor<2x1x4xf32>, tensor<2x4xf32>, tensor<2x3x3xf32>, tensor<3xi64>, tensor<2x3x4xf32>
}
