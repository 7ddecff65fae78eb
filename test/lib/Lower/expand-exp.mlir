// RUN: moelle-opt --moelle-expand-exp %s | FileCheck %s
// RUN: moelle-opt --moelle-expand-exp %s | mlir-opt --test-lower-to-llvm \
// RUN:   | mlir-runner -e main --entry-point-result=i64 | FileCheck %s --check-prefix=WRONG

// Every 509th bit pattern of f32 against the exponential in f64: the error is
// at most one unit in the last place, and what is not finite is right too.
// CHECK-LABEL: func.func @expanded
// CHECK-NOT: math.exp
// CHECK: return
// WRONG: 0
func.func @expanded(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  return %0 : f32
}

// CHECK-LABEL: func.func @vectors
// CHECK-NOT: math.exp
// CHECK: return
func.func @vectors(%x: vector<4xf32>) -> vector<4xf32> {
  %0 = math.exp %x : vector<4xf32>
  return %0 : vector<4xf32>
}

// CHECK-LABEL: func.func @main
// CHECK: math.exp %{{.*}} : f64
func.func @main() -> i64 {
  %c0 = arith.constant 0 : index
  %c509 = arith.constant 509 : index
  %last = arith.constant 4294967296 : index
  %none = arith.constant 0 : i64
  %relative = arith.constant 1.1920928955078125e-07 : f64
  %least = arith.constant 1.401298464324817e-45 : f64
  %overflow = arith.constant 88.72283935546875 : f64
  %wrong = scf.for %i = %c0 to %last step %c509 iter_args(%sum = %none) -> i64 {
    %bits = arith.index_cast %i : index to i32
    %x = arith.bitcast %bits : i32 to f32
    %wide = arith.extf %x : f32 to f64
    %exact = math.exp %wide : f64
    %y = func.call @expanded(%x) : (f32) -> f32
    %mine = arith.extf %y : f32 to f64
    %difference = arith.subf %mine, %exact : f64
    %error = math.absf %difference : f64
    %allowed = arith.mulf %exact, %relative : f64
    %limit = arith.maximumf %allowed, %least : f64
    %close = arith.cmpf ole, %error, %limit : f64
    // NaN for NaN; infinity from the first argument whose result overflows.
    %isNan = arith.cmpf uno, %wide, %wide : f64
    %mineNan = arith.cmpf uno, %y, %y : f32
    %bothNan = arith.andi %isNan, %mineNan : i1
    %over = arith.cmpf ogt, %wide, %overflow : f64
    %infinity = arith.constant 0x7F800000 : f32
    %mineInfinite = arith.cmpf oeq, %y, %infinity : f32
    %bothInfinite = arith.andi %over, %mineInfinite : i1
    %a = arith.ori %close, %bothNan : i1
    %right = arith.ori %a, %bothInfinite : i1
    %one = arith.constant true
    %bad = arith.xori %right, %one : i1
    %count = arith.extui %bad : i1 to i64
    %next = arith.addi %sum, %count : i64
    scf.yield %next : i64
  }
  return %wrong : i64
}
