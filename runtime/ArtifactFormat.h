// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The frame of a .moelle file: magic, version and hash around the payload.
#ifndef MOELLE_RUNTIME_ARTIFACTFORMAT_H
#define MOELLE_RUNTIME_ARTIFACTFORMAT_H

#include <cstdint>
#include <cstring>
#include <string>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace moelle {

/// First 64 bytes of the file; the FlatBuffers payload follows.
struct ArtifactHeader {
  char magic[8];        ///< "MOELLE\r\n": shows damage by text-mode transfer
  uint32_t version;     ///< of this frame and the schema
  uint32_t reserved;
  uint64_t payloadSize; ///< bytes after the header
  uint64_t hash[2];     ///< XXH3-128 of the payload
  char padding[24];
};
static_assert(sizeof(ArtifactHeader) == 64, "payload must stay aligned");

inline constexpr char kArtifactMagic[8] = {'M', 'O', 'E', 'L', 'L', 'E', '\r', '\n'};
inline constexpr uint32_t kArtifactVersion = 1;

inline ArtifactHeader makeArtifactHeader(const void *payload, uint64_t size) {
  ArtifactHeader header = {};
  std::memcpy(header.magic, kArtifactMagic, sizeof(header.magic));
  header.version = kArtifactVersion;
  header.payloadSize = size;
  XXH128_hash_t hash = XXH3_128bits(payload, size);
  header.hash[0] = hash.low64;
  header.hash[1] = hash.high64;
  return header;
}

} // namespace moelle

#endif // MOELLE_RUNTIME_ARTIFACTFORMAT_H
