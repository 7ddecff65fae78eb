// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every environment variable that the runtime reads.
//
// MOELLE_THREADS  Threads of a session whose options leave it to the runtime:
//                 1 to 4096. Default: the cores this process may run on.
// MOELLE_SPIN     Iterations that a thread spins before it sleeps; 0 never
//                 spins. Default 20000 (about 0.3 ms); always 0 while the
//                 process holds more runtime threads than cores.
#ifndef MOELLE_RUNTIME_ENV_H
#define MOELLE_RUNTIME_ENV_H

#include "runtime/Status.h"

#include <cstdint>

namespace moelle {

/// Cores of this process's affinity mask, at least 1.
uint32_t availableCores();

/// MOELLE_THREADS, else availableCores(). A malformed value is an error.
Result<uint32_t> defaultThreads();

/// MOELLE_SPIN, else its default. A malformed value is an error.
Result<uint32_t> spinLimit();

} // namespace moelle

#endif // MOELLE_RUNTIME_ENV_H
