// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The safetensors reader on any bytes; every span it accepts is readable.
#include "runtime/Safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  auto file =
      moelle::SafetensorsFile::parse(std::as_bytes(std::span(data, size)));
  if (!file.ok()) {
    return 0;
  }
  unsigned sum = 0;
  for (const moelle::SafetensorsEntry &entry : file->entries()) {
    for (uint64_t i = 0; i < entry.bytes; ++i) {
      sum += unsigned(entry.data[i]);
    }
    if (file->find(entry.name) != &entry) {
      __builtin_trap();
    }
  }
  volatile unsigned used = sum;
  (void)used;
  return 0;
}
