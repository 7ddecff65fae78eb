// Scalar functions at ordinary and at special values, integers with signs, and
// comparisons with NaN. Figures: torch 2.15.
// RUN: run-step %s 'x:f32[10]=-2.5,-1.0,-0.0,0.0,0.30000001192092896,1.0,2.5,inf,-inf,nan' 'y:f32[10]=1.0,-1.0,4.0,-4.0,0.5,nan,2.0,3.0,3.0,3.0' 'i:i64[5]=-7,-6,0,5,7' 'j:i64[5]=2,-4,3,-3,7' --digits 5 --loose | FileCheck %s
// CHECK: abs f32 [10]: 2.5 1 0 0 0.3 1 2.5 inf inf nan
// CHECK: clamp f32 [10]: -1 -1 -0 0 0.3 1 1 1 -1 nan
// CHECK: cos f32 [10]: -0.80114 0.5403 1 1 0.95534 0.5403 -0.80114 nan nan nan
// CHECK: div_floor i64 [5]: -4 1 0 -2 1
// CHECK: div_trunc i64 [5]: -3 1 0 -1 1
// CHECK: eq_s bool [10]: 0 0 0 0 0 1 0 0 0 0
// CHECK: erf f32 [10]: -0.99959 -0.8427 -0 0 0.32863 0.8427 0.99959 1 -1 nan
// CHECK: exp f32 [10]: 0.082085 0.36788 1 1 1.3499 2.7183 12.182 inf 0 nan
// CHECK: floor f32 [10]: -3 -1 -0 0 0 1 2 inf -inf nan
// CHECK: ge_t bool [10]: 0 1 0 1 0 0 1 1 0 0
// CHECK: gt_s bool [10]: 0 0 0 0 0 1 1 1 0 0
// CHECK: gt_t bool [10]: 0 0 0 1 0 0 1 1 0 0
// CHECK: le_s bool [10]: 1 1 1 1 1 0 0 0 1 0
// CHECK: log f32 [10]: nan nan -inf -inf -1.204 0 0.91629 inf nan nan
// CHECK: log1p f32 [10]: nan -inf -0 0 0.26236 0.69315 1.2528 inf nan nan
// CHECK: logical_not bool [10]: 0 0 1 1 0 0 0 0 0 0
// CHECK: lt_t bool [10]: 1 0 1 0 1 0 0 0 1 0
// CHECK: maximum f32 [10]: 1 -1 4 0 0.5 nan 2.5 inf 3 nan
// CHECK: minimum f32 [10]: -2.5 -1 -0 -4 0.3 nan 2 3 -inf nan
// CHECK: ne_t bool [10]: 1 0 1 1 1 1 1 1 1 1
// CHECK: neg f32 [10]: 2.5 1 0 -0 -0.3 -1 -2.5 -inf inf nan
// CHECK: or i64 [5]: -5 -2 3 -3 7
// CHECK: pow_0_5 f32 [10]: nan nan -0 0 0.54772 1 1.5811 inf nan nan
// CHECK: pow_2 f32 [10]: 6.25 1 0 0 0.09 1 6.25 inf inf nan
// CHECK: pow_3 f32 [10]: -15.625 -1 -0 0 0.027 1 15.625 inf -inf nan
// CHECK: pow_m1 f32 [10]: -0.4 -1 -inf inf 3.3333 1 0.4 0 -0 nan
// CHECK: reciprocal f32 [10]: -0.4 -1 -inf inf 3.3333 1 0.4 0 -0 nan
// CHECK: relu f32 [10]: 0 0 {{-?}}0 0 0.3 1 2.5 inf 0 nan
// CHECK: rsqrt f32 [10]: nan nan -inf inf 1.8257 1 0.63246 0 nan nan
// CHECK: sigmoid f32 [10]: 0.075858 0.26894 0.5 0.5 0.57444 0.73106 0.92414 1 0 nan
// CHECK: sin f32 [10]: -0.59847 -0.84147 -0 0 0.29552 0.84147 0.59847 nan nan nan
// CHECK: sqrt f32 [10]: nan nan -0 0 0.54772 1 1.5811 inf nan nan
// CHECK: tanh f32 [10]: -0.98661 -0.76159 -0 0 0.29131 0.76159 0.98661 1 -1 nan
// CHECK: true_div f32 [5]: -3.5 1.5 0 -1.6667 1
func.func @step(%x: tensor<10xf32> {moelle.name = "x"}, %y: tensor<10xf32> {moelle.name = "y"},
                %i: tensor<5xi64> {moelle.name = "i"}, %j: tensor<5xi64> {moelle.name = "j"})
    -> (tensor<10xf32> {moelle.name = "abs"},
        tensor<10xf32> {moelle.name = "clamp"},
        tensor<10xf32> {moelle.name = "cos"},
        tensor<5xi64> {moelle.name = "div_floor"},
        tensor<5xi64> {moelle.name = "div_trunc"},
        tensor<10xi1> {moelle.name = "eq_s"},
        tensor<10xf32> {moelle.name = "erf"},
        tensor<10xf32> {moelle.name = "exp"},
        tensor<10xf32> {moelle.name = "floor"},
        tensor<10xi1> {moelle.name = "ge_t"},
        tensor<10xi1> {moelle.name = "gt_s"},
        tensor<10xi1> {moelle.name = "gt_t"},
        tensor<10xi1> {moelle.name = "le_s"},
        tensor<10xf32> {moelle.name = "log"},
        tensor<10xf32> {moelle.name = "log1p"},
        tensor<10xi1> {moelle.name = "logical_not"},
        tensor<10xi1> {moelle.name = "lt_t"},
        tensor<10xf32> {moelle.name = "maximum"},
        tensor<10xf32> {moelle.name = "minimum"},
        tensor<10xi1> {moelle.name = "ne_t"},
        tensor<10xf32> {moelle.name = "neg"},
        tensor<5xi64> {moelle.name = "or"},
        tensor<10xf32> {moelle.name = "pow_0_5"},
        tensor<10xf32> {moelle.name = "pow_2"},
        tensor<10xf32> {moelle.name = "pow_3"},
        tensor<10xf32> {moelle.name = "pow_m1"},
        tensor<10xf32> {moelle.name = "reciprocal"},
        tensor<10xf32> {moelle.name = "relu"},
        tensor<10xf32> {moelle.name = "rsqrt"},
        tensor<10xf32> {moelle.name = "sigmoid"},
        tensor<10xf32> {moelle.name = "sin"},
        tensor<10xf32> {moelle.name = "sqrt"},
        tensor<10xf32> {moelle.name = "tanh"},
        tensor<5xf32> {moelle.name = "true_div"}) {
  %0 = aten.abs %x : (tensor<10xf32>) -> tensor<10xf32>
  %1 = aten.clamp %x {min = -1 : i64, max = 1 : i64} : (tensor<10xf32>) -> tensor<10xf32>
  %2 = aten.cos %x : (tensor<10xf32>) -> tensor<10xf32>
  %3 = aten.div.Tensor_mode %i, %j {rounding_mode = "floor"} : (tensor<5xi64>, tensor<5xi64>) -> tensor<5xi64>
  %4 = aten.div.Tensor_mode %i, %j {rounding_mode = "trunc"} : (tensor<5xi64>, tensor<5xi64>) -> tensor<5xi64>
  %5 = aten.eq.Scalar %x {other = 1.0 : f64} : (tensor<10xf32>) -> tensor<10xi1>
  %6 = aten.erf %x : (tensor<10xf32>) -> tensor<10xf32>
  %7 = aten.exp %x : (tensor<10xf32>) -> tensor<10xf32>
  %8 = aten.floor %x : (tensor<10xf32>) -> tensor<10xf32>
  %9 = aten.ge.Tensor %x, %y : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xi1>
  %10 = aten.gt.Scalar %x {other = 0.3 : f64} : (tensor<10xf32>) -> tensor<10xi1>
  %11 = aten.gt.Tensor %x, %y : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xi1>
  %12 = aten.le.Scalar %x {other = 0.3 : f64} : (tensor<10xf32>) -> tensor<10xi1>
  %13 = aten.log %x : (tensor<10xf32>) -> tensor<10xf32>
  %14 = aten.log1p %x : (tensor<10xf32>) -> tensor<10xf32>
  %15 = aten.logical_not %x : (tensor<10xf32>) -> tensor<10xi1>
  %16 = aten.lt.Tensor %x, %y : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xi1>
  %17 = aten.maximum %x, %y : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xf32>
  %18 = aten.minimum %x, %y : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xf32>
  %19 = aten.ne.Tensor %x, %y : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xi1>
  %20 = aten.neg %x : (tensor<10xf32>) -> tensor<10xf32>
  %21 = aten.bitwise_or.Tensor %i, %j : (tensor<5xi64>, tensor<5xi64>) -> tensor<5xi64>
  %22 = aten.pow.Tensor_Scalar %x {exponent = 0.5 : f64} : (tensor<10xf32>) -> tensor<10xf32>
  %23 = aten.pow.Tensor_Scalar %x {exponent = 2 : i64} : (tensor<10xf32>) -> tensor<10xf32>
  %24 = aten.pow.Tensor_Scalar %x {exponent = 3 : i64} : (tensor<10xf32>) -> tensor<10xf32>
  %25 = aten.pow.Tensor_Scalar %x {exponent = -1 : i64} : (tensor<10xf32>) -> tensor<10xf32>
  %26 = aten.reciprocal %x : (tensor<10xf32>) -> tensor<10xf32>
  %27 = aten.relu %x : (tensor<10xf32>) -> tensor<10xf32>
  %28 = aten.rsqrt %x : (tensor<10xf32>) -> tensor<10xf32>
  %29 = aten.sigmoid %x : (tensor<10xf32>) -> tensor<10xf32>
  %30 = aten.sin %x : (tensor<10xf32>) -> tensor<10xf32>
  %31 = aten.sqrt %x : (tensor<10xf32>) -> tensor<10xf32>
  %32 = aten.tanh %x : (tensor<10xf32>) -> tensor<10xf32>
  %33 = aten.div.Tensor %i, %j : (tensor<5xi64>, tensor<5xi64>) -> tensor<5xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33 : tensor<10xf32>, tensor<10xf32>, tensor<10xf32>, tensor<5xi64>, tensor<5xi64>, tensor<10xi1>, tensor<10xf32>, tensor<10xf32>, tensor<10xf32>, tensor<10xi1>, tensor<10xi1>, tensor<10xi1>, tensor<10xi1>, tensor<10xf32>, tensor<10xf32>, tensor<10xi1>, tensor<10xi1>, tensor<10xf32>, tensor<10xf32>, tensor<10xi1>, tensor<10xf32>, tensor<5xi64>, tensor<10xf32>, tensor<10xf32>, tensor<10xf32>, tensor<10xf32>, tensor<10xf32>, tensor<10xf32>, tensor<10xf32>, tensor<10xf32>, tensor<10xf32>, tensor<10xf32>, tensor<10xf32>, tensor<5xf32>
}
