// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which results of a kernel may be written over which of its operands.
#ifndef MOELLE_ANALYSIS_OVERWRITE_H
#define MOELLE_ANALYSIS_OVERWRITE_H

#include "dialects/exec/Exec.h"

namespace moelle {

/// Whether `kernel` computes the same when the memory of result `number` is
/// that of `argument`: whatever reads an element of the argument does so before
/// the result's element at the same place is stored, in the same work item.
/// Decided from the kernel's body alone; false where that cannot be shown.
bool mayOverwrite(exec::KernelOp kernel, unsigned number, unsigned argument);

} // namespace moelle

#endif // MOELLE_ANALYSIS_OVERWRITE_H
