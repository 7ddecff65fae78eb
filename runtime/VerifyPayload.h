// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proves that an artifact's bytes describe a program that stays in its memory.
#ifndef MOELLE_RUNTIME_VERIFYPAYLOAD_H
#define MOELLE_RUNTIME_VERIFYPAYLOAD_H

#include "runtime/Status.h"

#include <cstddef>
#include <span>

namespace moelle::artifact {

struct Header;
struct Program;

/// Checks magic, version, sizes and hash; returns the payload inside `file`.
/// Thread-safe.
Result<std::span<const std::byte>> verifyHeader(std::span<const std::byte> file,
                                                Header *header);

/// Checks every index, offset, size and name of a payload, which must be
/// 64-byte aligned. Loads and executes nothing. Code is checked as far as its
/// ELF header. Thread-safe.
Result<const Program *> verifyPayload(std::span<const std::byte> payload);

/// Refuses a program for another architecture or for CPU features that this
/// machine lacks, naming all of them. Thread-safe.
Status checkTarget(const Program &program);

} // namespace moelle::artifact

#endif // MOELLE_RUNTIME_VERIFYPAYLOAD_H
