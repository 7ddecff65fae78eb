// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bf16 on CPUs that know nothing of it.
#ifndef MOELLE_LOWER_BFLOATBITS_H
#define MOELLE_LOWER_BFLOATBITS_H

namespace llvm {
class Module;
} // namespace llvm

namespace moelle {

/// Keeps bf16 values in 16-bit integers. Their arithmetic is expanded, so what
/// is left moves them; but a value of the type is selected and shuffled by
/// calls into a library on a CPU that lacks it.
void keepBFloatsInIntegers(llvm::Module &module);

} // namespace moelle

#endif // MOELLE_LOWER_BFLOATBITS_H
