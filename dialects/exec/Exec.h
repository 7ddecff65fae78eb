// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exec dialect: kernels, launches, and the names of the signature.
#ifndef MOELLE_DIALECTS_EXEC_H
#define MOELLE_DIALECTS_EXEC_H

#include "dialects/interfaces/Interfaces.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/exec/ExecDialect.h.inc"
#define GET_OP_CLASSES
#include "dialects/exec/ExecOps.h.inc"

namespace moelle::exec {

/// Attributes of the arguments and results of `@step`.
inline constexpr llvm::StringLiteral kNameAttr = "moelle.name";
inline constexpr llvm::StringLiteral kKindAttr = "moelle.kind";
/// Other names of a tied parameter.
inline constexpr llvm::StringLiteral kAliasesAttr = "moelle.aliases";
/// Symbol of the function that is the step.
inline constexpr llvm::StringLiteral kStepName = "step";

/// The step of a module, a function of one block. Emits an error and returns
/// null where there is none.
mlir::func::FuncOp getStep(mlir::ModuleOp module);

} // namespace moelle::exec

#endif // MOELLE_DIALECTS_EXEC_H
