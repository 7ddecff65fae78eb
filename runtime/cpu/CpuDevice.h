// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device that is this process's cores and memory.
#ifndef MOELLE_RUNTIME_CPU_CPUDEVICE_H
#define MOELLE_RUNTIME_CPU_CPUDEVICE_H

#include "runtime/Device.h"

namespace moelle {

/// `threads` zero: defaultThreads() of Env.h.
Result<std::unique_ptr<Device>> createCpuDevice(uint32_t threads);

} // namespace moelle

#endif // MOELLE_RUNTIME_CPU_CPUDEVICE_H
