// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mem dialect: arena slices, outputs and copies of a planned step.
#ifndef MOELLE_DIALECTS_MEM_H
#define MOELLE_DIALECTS_MEM_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/mem/MemDialect.h.inc"
#define GET_OP_CLASSES
#include "dialects/mem/MemOps.h.inc"

namespace moelle::mem {

/// Size in bytes of the arena, on the step's function.
inline constexpr llvm::StringLiteral kArenaBytesAttr = "mem.arena_bytes";
/// Types of the outputs of a planned step, on its function: an array of types.
inline constexpr llvm::StringLiteral kOutputTypesAttr = "mem.output_types";
/// Every slice starts at a multiple of this.
inline constexpr int64_t kAlignment = 64;

/// Bytes of a value of static shape as it is stored: one byte a bool.
/// Fails (-1) when the size does not fit 63 bits.
int64_t getByteSize(mlir::ShapedType type);

} // namespace moelle::mem

#endif // MOELLE_DIALECTS_MEM_H
