// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A status code with its message; no exceptions cross or occur in the runtime.
#ifndef MOELLE_RUNTIME_STATUS_H
#define MOELLE_RUNTIME_STATUS_H

#include "moelle/runtime.h"

#include <string>
#include <utility>

namespace moelle {

struct [[nodiscard]] Status {
  moelle_status code = MOELLE_OK;
  std::string message;

  bool ok() const { return code == MOELLE_OK; }
  static Status invalidArtifact(std::string message) { return {MOELLE_INVALID_ARTIFACT, "artifact " + std::move(message)}; }
  static Status invalidArgument(std::string message) { return {MOELLE_INVALID_ARGUMENT, std::move(message)}; }
};

#define RETURN_IF_ERROR(expression)                                            \
  do {                                                                         \
    if (::moelle::Status status_ = (expression); !status_.ok()) {              \
      return status_;                                                          \
    }                                                                          \
  } while (false)

} // namespace moelle

#endif // MOELLE_RUNTIME_STATUS_H
