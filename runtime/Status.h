// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors as values: a code of moelle_status and a message.
#ifndef MOELLE_RUNTIME_STATUS_H
#define MOELLE_RUNTIME_STATUS_H

#include "moelle/runtime.h"

#include <cassert>
#include <optional>
#include <string>
#include <utility>

namespace moelle {

/// Thread-compatible. Success holds no message and allocates nothing.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(moelle_status code, std::string message)
      : code_(code), message_(std::move(message)) {}

  bool ok() const { return code_ == MOELLE_OK; }
  moelle_status code() const { return code_; }
  const std::string &message() const { return message_; }

private:
  moelle_status code_ = MOELLE_OK;
  std::string message_;
};

/// A Status with a printf-formatted message.
[[gnu::format(printf, 2, 3)]] Status makeError(moelle_status code,
                                               const char *format, ...);

/// A value, or the Status that says why there is none.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : value_(std::move(value)) {}
  Result(Status status) : status_(std::move(status)) { assert(!status_.ok()); }

  bool ok() const { return value_.has_value(); }
  const Status &status() const { return status_; }
  T &operator*() { return *value_; }
  T *operator->() { return &*value_; }

private:
  Status status_;
  std::optional<T> value_;
};

} // namespace moelle

#define MOELLE_RETURN_IF_ERROR(expression)                                     \
  do {                                                                         \
    if (::moelle::Status status_ = (expression); !status_.ok()) {              \
      return status_;                                                          \
    }                                                                          \
  } while (false)

#define MOELLE_ASSIGN_OR_RETURN(variable, expression)                          \
  auto variable##OrError = (expression);                                       \
  if (!variable##OrError.ok()) {                                               \
    return variable##OrError.status();                                         \
  }                                                                            \
  auto &variable = *variable##OrError

#endif // MOELLE_RUNTIME_STATUS_H
