// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of an artifact as a shared object in memory.
#ifndef MOELLE_RUNTIME_CPU_CODE_H
#define MOELLE_RUNTIME_CPU_CODE_H

#include "runtime/Device.h"

namespace moelle {

/// What a CPU kernel is.
using CpuKernel = void (*)(void *const *buffers, int64_t begin, int64_t end,
                           void *scratch);

/// Loads an ELF shared object; its constructors run. Blocks; allocates.
Result<std::shared_ptr<Code>> loadCpuCode(std::span<const std::byte> object);

} // namespace moelle

#endif // MOELLE_RUNTIME_CPU_CODE_H
