// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the members of a zip archive lie. Format: PKWARE's APPNOTE 6.3.
#ifndef MOELLE_IMPORT_ZIPDIRECTORY_H
#define MOELLE_IMPORT_ZIPDIRECTORY_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace moelle {

/// A member's payload: bytes [offset, offset + size) of the archive.
struct ZipMember {
  std::string name;
  uint64_t offset = 0, size = 0; ///< size as stored
  bool isStored = true;          ///< without compression or encryption
};

/// Reads the central directory, zip64 included. Every payload lies inside
/// `bytes` and in front of the directory; names are those of the local headers
/// too, and each is there once. On failure false with `error` set to the rule
/// that the archive breaks. No payload is read.
bool readZipDirectory(std::string_view bytes, std::vector<ZipMember> &members,
                      std::string &error);

} // namespace moelle

#endif // MOELLE_IMPORT_ZIPDIRECTORY_H
