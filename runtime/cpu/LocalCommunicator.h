// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A world of one rank.
#ifndef MOELLE_RUNTIME_CPU_LOCALCOMMUNICATOR_H
#define MOELLE_RUNTIME_CPU_LOCALCOMMUNICATOR_H

#include "runtime/Communicator.h"

#include <memory>

namespace moelle {

/// Collectives are copies, done when start returns.
std::unique_ptr<Communicator> createLocalCommunicator();

} // namespace moelle

#endif // MOELLE_RUNTIME_CPU_LOCALCOMMUNICATOR_H
