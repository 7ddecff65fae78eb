// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formats error messages and describes dtypes.
#include "runtime/Status.h"
#include "runtime/DType.h"

#include <cstdarg>
#include <cstdio>

namespace moelle {

Status makeError(moelle_status code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  int length = std::vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  std::string message(length > 0 ? size_t(length) : 0, '\0');
  if (length > 0) {
    std::vsnprintf(message.data(), message.size() + 1, format, again);
  }
  va_end(again);
  return Status(code, std::move(message));
}

namespace {
struct DTypeFacts {
  const char *name;
  size_t size;
};
// In the order of moelle_dtype.
constexpr DTypeFacts kDTypes[] = {{"none", 0}, {"bool", 1}, {"u8", 1},
                                  {"i8", 1},   {"i16", 2},  {"i32", 4},
                                  {"i64", 8},  {"f16", 2},  {"bf16", 2},
                                  {"f32", 4},  {"f64", 8},  {"complex64", 8}};
} // namespace

size_t dtypeSize(moelle_dtype dtype) {
  return size_t(dtype) < std::size(kDTypes) ? kDTypes[dtype].size : 0;
}

const char *dtypeName(moelle_dtype dtype) {
  return size_t(dtype) < std::size(kDTypes) ? kDTypes[dtype].name : "none";
}

std::optional<uint64_t> tensorBytes(std::span<const int64_t> shape,
                                    moelle_dtype dtype) {
  uint64_t bytes = dtypeSize(dtype);
  bool empty = bytes == 0;
  for (int64_t extent : shape) {
    if (extent < 0) {
      return std::nullopt;
    }
    if (extent == 0) {
      empty = true;
      continue;
    }
    // The product of the other extents must fit even where one is zero: a
    // shape that overflows is never meant.
    if (__builtin_mul_overflow(bytes, uint64_t(extent), &bytes) ||
        bytes > uint64_t(INT64_MAX)) {
      return std::nullopt;
    }
  }
  return empty ? 0 : bytes;
}

std::string shapeText(std::span<const int64_t> shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i) {
    text += i ? ", " : "";
    text += std::to_string(shape[i]);
  }
  return text + "]";
}

} // namespace moelle
