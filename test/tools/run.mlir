// Steps written by hand, and what run refuses.
// RUN: rm -rf %t && mkdir %t
// RUN: moelle compile %s -o %t/step.moelle | FileCheck %s --check-prefix=SUMMARY
// SUMMARY: 2 inputs, 2 outputs of 24 bytes, {{[0-9]+}} commands, {{[0-9]+}} kernels
// SUMMARY-NEXT: arena of {{[0-9]+}} bytes, lower bound {{[0-9]+}}, without reuse {{[0-9]+}}

func.func @step(
    %x: tensor<2x3xf32> {moelle.name = "x", moelle.kind = "input"},
    %w: tensor<3x2xf32> {moelle.name = "w", moelle.kind = "parameter"})
    -> (tensor<2x2xf32> {moelle.name = "y", moelle.kind = "output"},
        tensor<2xf32> {moelle.name = "top", moelle.kind = "output"}) {
  %0 = aten.mm %x, %w : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %1 = aten.amax %0 {dim = array<i64: 1>, keepdim = false} : (tensor<2x2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2x2xf32>, tensor<2xf32>
}

// A NaN goes where it is read, and nowhere else.
// RUN: tensors write %t/in.safetensors 'x:f32[2,3]=1,2,3,4,5,nan' 'w:f32[3,2]=1,0,0,1,1,1'
// RUN: moelle run %t/step.moelle --inputs %t/in.safetensors --outputs %t/out.safetensors --repeat 3 --threads 2 | FileCheck %s --check-prefix=TIMES
// TIMES: step {{.*}} ms (median of 3), arena {{[0-9]+}} bytes
// RUN: tensors show %t/out.safetensors | FileCheck %s
// CHECK: top f32 [2]: 5 nan
// CHECK: y f32 [2, 2]: 4 5 nan nan

// RUN: moelle run %t/step.moelle --inputs %t/in.safetensors --json --timing %t/timing.json | FileCheck %s --check-prefix=JSON
// JSON: "arena_bytes": {{[0-9]+}}
// JSON: "seconds": [
// RUN: FileCheck %s --check-prefix=TIMING --input-file %t/timing.json
// TIMING: "nanoseconds": {{[0-9]+}}
// TIMING: "operators": "aten.mm

// Everything that is wrong with the inputs, at once; nothing runs.
// RUN: tensors write %t/bad.safetensors 'w:i64[3,2]=1' 'x:f32[2,2]=1' 'z:f32[1]=1'
// RUN: not moelle run %t/step.moelle --inputs %t/bad.safetensors --outputs %t/bad-out.safetensors 2>&1 | FileCheck %s --check-prefix=BAD
// BAD:      moelle: error: inputs that the program does not have:
// BAD-NEXT:   'z'
// BAD-NEXT: inputs of the wrong shape or dtype:
// BAD-NEXT:   'x' must be f32[2,3], but is f32[2,2]
// BAD-NEXT:   'w' must be f32[3,2], but is i64[3,2]
// RUN: tensors write %t/lacking.safetensors 'experts.0.w:f32[3,2]=1' 'experts.1.w:f32[3,2]=1'
// RUN: not moelle run %t/step.moelle --inputs %t/lacking.safetensors --outputs %t/bad-out.safetensors 2>&1 | FileCheck %s --check-prefix=LACKING
// LACKING:      moelle: error: inputs that must be given, but are missing:
// LACKING-NEXT:   'x': f32[2,3]
// LACKING-NEXT:   'w': f32[3,2]
// LACKING-NEXT: inputs that the program does not have:
// LACKING-NEXT:   'experts.0.w'
// LACKING-NEXT:   'experts.1.w'
// RUN: not ls %t/bad-out.safetensors

// Paths that cannot be written leave nothing behind.
// RUN: not moelle compile %s -o %t/none/step.moelle 2>&1 | FileCheck %s --check-prefix=PATH
// PATH: moelle: error: cannot write '{{.*}}none/step.moelle': No such file or directory
// RUN: not moelle run %t/step.moelle --inputs %t/in.safetensors --outputs %t/none/out 2>&1 | FileCheck %s --check-prefix=PATH2
// PATH2: moelle: error: {{.*}}none/out{{.*}}: No such file or directory
// RUN: not ls %t/none

// Damage is found before anything is executed.
// RUN: head -c 3000 %t/step.moelle > %t/cut.moelle
// RUN: not moelle run %t/cut.moelle --inputs %t/in.safetensors 2>&1 | FileCheck %s --check-prefix=DAMAGED
// DAMAGED: moelle: error: '{{.*}}cut.moelle': payload must have the {{[0-9]+}} bytes of the header, but got {{[0-9]+}}
// RUN: cp %t/step.moelle %t/bits.moelle && printf 'XX' | dd of=%t/bits.moelle bs=1 seek=2000 conv=notrunc
// RUN: not moelle run %t/bits.moelle --inputs %t/in.safetensors 2>&1 | FileCheck %s --check-prefix=BITS
// BITS: moelle: error: '{{.*}}bits.moelle': hash of the payload must be {{[0-9a-f]+}}, but got {{[0-9a-f]+}}
// RUN: not moelle run %s --inputs %t/in.safetensors 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: moelle: error: '{{.*}}': artifact must begin with 'MOELLE'

// Code for a CPU that this machine is not.
// RUN: moelle compile %s -o %t/newer.moelle --target diamondrapids | FileCheck %s --check-prefix=TARGET
// TARGET: compiled; this machine cannot run it: artifact needs CPU features that this machine lacks: {{.*}}'amx-
// RUN: not moelle run %t/newer.moelle --inputs %t/in.safetensors 2>&1 | FileCheck %s --check-prefix=FEATURES
// FEATURES: artifact needs CPU features that this machine lacks
// RUN: not moelle compile %s -o %t/none.moelle --target nosuch 2>&1 | FileCheck %s --check-prefix=NOSUCH
// NOSUCH: moelle: error: unknown target 'nosuch': must be 'cpu', this machine ({{.*}}), or the name that LLVM has
// RUN: not ls %t/none.moelle
