// RUN: moelle-opt %s | moelle-opt | FileCheck %s
// RUN: moelle-opt --mlir-print-op-generic %s | moelle-opt | FileCheck %s

// CHECK-LABEL: @step
// CHECK: %[[A:.*]] = mem.slice 64 : memref<4xf32>
// CHECK: %[[B:.*]] = mem.slice 0 of output 1 : memref<4xf32>
// CHECK: %[[C:.*]] = mem.output 0 : memref<4xf32>
// CHECK: mem.copy %[[A]] to %[[C]] : memref<4xf32>
func.func @step() {
  %0 = mem.slice 64 : memref<4xf32>
  %1 = mem.slice 0 of output 1 : memref<4xf32>
  %2 = mem.output 0 : memref<4xf32>
  mem.copy %0 to %2 : memref<4xf32>
  return
}
