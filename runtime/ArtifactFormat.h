// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The envelope of a .moelle file, for the compiler that writes it and the
// runtime that reads it.
#ifndef MOELLE_RUNTIME_ARTIFACTFORMAT_H
#define MOELLE_RUNTIME_ARTIFACTFORMAT_H

#include <cstddef>
#include <cstdint>
#include <cstring>

#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

namespace moelle::artifact {

inline constexpr char kMagic[8] = {'M', 'O', 'E', 'L', 'L', 'E', '\r', '\n'};

/// Raised by every change that an older runtime would misread.
inline constexpr uint32_t kFormatVersion = 1;

// What the code prepends to a kernel's name: kernels are named after operators,
// and one called 'exp' must not answer for libm's.
inline constexpr char kKernelPrefix[] = "kernel_";

/// Alignment of the payload in the file, hence of constants and code in it.
inline constexpr size_t kPayloadAlignment = 64;

/// The first bytes of the file, little endian. The payload (a finished
/// flatbuffer of artifact.fbs, file identifier included) follows at once and
/// ends the file.
struct Header {
  char magic[8];
  uint32_t version;
  uint32_t headerSize;
  uint64_t payloadSize;
  uint64_t hashLow;
  uint64_t hashHigh;
  uint64_t reserved[3];
};
static_assert(sizeof(Header) == 64, "the payload must start aligned");

/// The header for `payload`; write it, then the payload, to one file.
inline Header makeHeader(const void *payload, size_t size) {
  Header header;
  std::memset(&header, 0, sizeof header);
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.version = kFormatVersion;
  header.headerSize = sizeof(Header);
  header.payloadSize = size;
  XXH128_hash_t hash = XXH3_128bits(payload, size);
  header.hashLow = hash.low64;
  header.hashHigh = hash.high64;
  return header;
}

} // namespace moelle::artifact

#endif // MOELLE_RUNTIME_ARTIFACTFORMAT_H
