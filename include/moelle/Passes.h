// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every pass of the compiler.
#ifndef MOELLE_PASSES_H
#define MOELLE_PASSES_H

#include "dialects/aten/Aten.h"
#include "dialects/exec/Exec.h"
#include "dialects/mem/Mem.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace moelle {

// Each generated header undefines what selects its sections.
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lib/Fuse/Passes.h.inc"
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lib/Memory/Passes.h.inc"
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lib/Lower/Passes.h.inc"

} // namespace moelle

#endif // MOELLE_PASSES_H
