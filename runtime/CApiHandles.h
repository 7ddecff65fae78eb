// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the opaque handles of the C interface hold.
#ifndef MOELLE_RUNTIME_CAPIHANDLES_H
#define MOELLE_RUNTIME_CAPIHANDLES_H

#include "runtime/Session.h"

#include <cstring>

struct moelle_program {
  std::shared_ptr<const moelle::Program> program;
};

struct moelle_communicator {
  std::shared_ptr<moelle::Communicator> communicator;
};

struct moelle_session {
  std::unique_ptr<moelle::Session> session;
  std::string message;
};

namespace moelle {

/// Keeps the message for moelle_last_message; returns the code.
moelle_status report(const Status &status);

/// Refuses a null pointer by name.
moelle_status reportNull(const char *name);

/// Copies as much of `value` as the caller's struct has room for, and keeps
/// the size it stated: an older caller has a shorter struct.
template <typename Info> moelle_status fillInfo(Info *info, Info value) {
  if (info->size < sizeof(size_t) || info->size > 65536) {
    return report(makeError(MOELLE_INVALID_ARGUMENT,
                            "size of an info struct must be its sizeof, but "
                            "got %zu",
                            info->size));
  }
  size_t size = info->size;
  value.size = size;
  std::memcpy(info, &value, size < sizeof value ? size : sizeof value);
  return MOELLE_OK;
}

} // namespace moelle

#endif // MOELLE_RUNTIME_CAPIHANDLES_H
