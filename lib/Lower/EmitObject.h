// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel functions to machine code.
#ifndef MOELLE_LOWER_EMITOBJECT_H
#define MOELLE_LOWER_EMITOBJECT_H

#include "lib/Lower/TargetCpu.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"

namespace moelle {

/// Every function of `module` as LLVM IR under its name with the kernel C ABI
/// (below). Consumes the module's body.
mlir::FailureOr<std::unique_ptr<llvm::Module>>
lowerToLLVM(mlir::ModuleOp module, llvm::LLVMContext &context);

/// Compiles every function of `module` and links them to one ELF shared
/// object, whose symbols are the functions' names with the kernel C ABI
/// `void f(void *const *buffers, int64_t begin, int64_t end, void *scratch)`.
/// Consumes the module's body. Emits an error and fails otherwise.
mlir::FailureOr<std::string> emitSharedObject(mlir::ModuleOp module,
                                              const Target &target);

} // namespace moelle

#endif // MOELLE_LOWER_EMITOBJECT_H
