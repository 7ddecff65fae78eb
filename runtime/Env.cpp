// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the environment variables of Env.h.
#include "runtime/Env.h"

#include <cstdlib>
#include <cstring>
#include <sched.h>

namespace moelle {

namespace {

Result<uint32_t> readNumber(const char *name, uint32_t low, uint32_t high,
                            uint32_t fallback) {
  const char *text = std::getenv(name);
  if (!text || !*text) {
    return fallback;
  }
  uint64_t value = 0;
  size_t length = std::strlen(text);
  bool digits = length <= 10 && std::strspn(text, "0123456789") == length;
  if (digits) {
    value = std::strtoull(text, nullptr, 10);
  }
  if (!digits || value < low || value > high) {
    return makeError(MOELLE_INVALID_ARGUMENT,
                     "environment variable '%s' must be in [%u, %u], but got "
                     "'%s'",
                     name, low, high, text);
  }
  return uint32_t(value);
}

} // namespace

uint32_t availableCores() {
  // More than 1024 cores need a larger set than cpu_set_t.
  constexpr int kMaxCores = 16384;
  cpu_set_t *set = CPU_ALLOC(kMaxCores);
  size_t size = CPU_ALLOC_SIZE(kMaxCores);
  int count = 0;
  if (set && sched_getaffinity(0, size, set) == 0) {
    count = CPU_COUNT_S(size, set);
  }
  CPU_FREE(set);
  return count > 0 ? uint32_t(count) : 1;
}

Result<uint32_t> defaultThreads() {
  return readNumber("MOELLE_THREADS", 1, 4096, availableCores());
}

Result<uint32_t> spinLimit() {
  return readNumber("MOELLE_SPIN", 0, 1000000000, 20000);
}

} // namespace moelle
