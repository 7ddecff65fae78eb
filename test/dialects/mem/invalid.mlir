// RUN: moelle-opt --split-input-file --verify-diagnostics %s

func.func @slice_C1() {
  // expected-error @below {{'offset' must be a non-negative multiple of 64, but got 4}}
  %0 = mem.slice 4 : memref<4xf32>
  return
}

// -----

func.func @slice_C1_negative() {
  // expected-error @below {{'offset' must be a non-negative multiple of 64, but got -64}}
  %0 = mem.slice -64 : memref<4xf32>
  return
}

// -----

func.func @copy_types(%a: memref<4xf32>, %b: memref<5xf32>) {
  // expected-error @below {{requires all operands to have the same type}}
  "mem.copy"(%a, %b) : (memref<4xf32>, memref<5xf32>) -> ()
  return
}
