// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes and names of dtypes and shapes, with arithmetic that cannot wrap.
#ifndef MOELLE_RUNTIME_DTYPE_H
#define MOELLE_RUNTIME_DTYPE_H

#include "moelle/runtime.h"

#include <optional>
#include <span>
#include <string>

namespace moelle {

/// Bytes of one element, 0 for an unknown dtype.
size_t dtypeSize(moelle_dtype dtype);

/// "f32"; "none" for an unknown dtype.
const char *dtypeName(moelle_dtype dtype);

/// Bytes of a contiguous tensor; nothing when an extent is negative or the
/// product passes 2^63 - 1.
std::optional<uint64_t> tensorBytes(std::span<const int64_t> shape,
                                    moelle_dtype dtype);

/// "[2, 3]".
std::string shapeText(std::span<const int64_t> shape);

} // namespace moelle

#endif // MOELLE_RUNTIME_DTYPE_H
