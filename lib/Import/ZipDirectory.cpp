// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks end record, central directory and local headers, with every range
// checked before it is read.
#include "lib/Import/ZipDirectory.h"

#include <unordered_set>

namespace moelle {

namespace {

constexpr uint64_t kEndSize = 22, kLocatorSize = 20, kEnd64Size = 56,
                   kEntrySize = 46, kLocalSize = 30, kMaxComment = 0xffff;
constexpr uint32_t kInExtra = 0xffffffff; // the zip64 field has the number

/// Little-endian numbers of a range of the file.
class Reader {
public:
  explicit Reader(std::string_view bytes) : bytes(bytes) {}

  bool has(uint64_t at, uint64_t size) const {
    return at <= bytes.size() && size <= bytes.size() - at;
  }
  uint64_t number(uint64_t at, unsigned size) const {
    uint64_t value = 0;
    for (unsigned i = size; i-- > 0;) {
      value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    }
    return value;
  }
  bool isAt(uint64_t at, std::string_view signature) const {
    return has(at, signature.size()) &&
           bytes.substr(at, signature.size()) == signature;
  }
  std::string_view slice(uint64_t at, uint64_t size) const {
    return bytes.substr(at, size);
  }
  uint64_t size() const { return bytes.size(); }

private:
  std::string_view bytes;
};

struct Directory {
  uint64_t begin = 0, end = 0, count = 0;
};

/// The end record is the last one whose comment reaches the file's end.
bool findDirectory(const Reader &file, Directory &out, std::string &error) {
  uint64_t end = file.size();
  bool found = false;
  for (uint64_t i = kEndSize; i <= kEndSize + kMaxComment && i <= file.size();
       ++i) {
    end = file.size() - i;
    if (file.isAt(end, "PK\5\6") && file.number(end + 20, 2) == i - kEndSize) {
      found = true;
      break;
    }
  }
  if (!found) {
    error = "must be a zip archive, but has no end record (truncated, or "
            "another format)";
    return false;
  }
  uint64_t disks = file.number(end + 4, 4), limit = end, size;
  out.count = file.number(end + 10, 2);
  size = file.number(end + 12, 4);
  out.begin = file.number(end + 16, 4);
  if (end >= kLocatorSize && file.isAt(end - kLocatorSize, "PK\6\7")) {
    uint64_t end64 = file.number(end - kLocatorSize + 8, 8);
    if (!file.has(end64, kEnd64Size) || !file.isAt(end64, "PK\6\6")) {
      error = "must have a zip64 end record at byte " + std::to_string(end64) +
              ", as its locator says";
      return false;
    }
    limit = end64;
    disks = file.number(end64 + 16, 4) | file.number(end64 + 20, 4);
    out.count = file.number(end64 + 32, 8);
    size = file.number(end64 + 40, 8);
    out.begin = file.number(end64 + 48, 8);
  }
  if (disks != 0) {
    error = "must be one file, but is part of several";
    return false;
  }
  if (out.begin > limit || size > limit - out.begin) {
    error = "must have its central directory in front of byte " +
            std::to_string(limit) + ", but it is " + std::to_string(size) +
            " bytes from byte " + std::to_string(out.begin) + " on";
    return false;
  }
  out.end = out.begin + size;
  return true;
}

/// Replaces the numbers that did not fit 32 bits by those of the zip64 field.
bool readZip64(const Reader &file, uint64_t at, uint64_t end,
               uint64_t *const (&numbers)[3]) {
  while (end - at >= 4) {
    uint64_t id = file.number(at, 2), size = file.number(at + 2, 2);
    at += 4;
    if (size > end - at) {
      return false;
    }
    if (id != 1) {
      at += size;
      continue;
    }
    uint64_t field = at, fieldEnd = at + size;
    for (uint64_t *number : numbers) {
      if (*number == kInExtra) {
        if (fieldEnd - field < 8) {
          return false;
        }
        *number = file.number(field, 8);
        field += 8;
      }
    }
    return true;
  }
  return true;
}

} // namespace

bool readZipDirectory(std::string_view bytes, std::vector<ZipMember> &members,
                      std::string &error) {
  Reader file(bytes);
  Directory directory;
  if (!findDirectory(file, directory, error)) {
    return false;
  }
  std::unordered_set<std::string> names;
  uint64_t at = directory.begin;
  for (uint64_t i = 0; i < directory.count; ++i) {
    auto fail = [&](const std::string &rule) {
      error = "must have " + rule + " as member " + std::to_string(i) + " of " +
              std::to_string(directory.count);
      return false;
    };
    if (directory.end - at < kEntrySize || !file.isAt(at, "PK\1\2")) {
      return fail("a readable directory entry");
    }
    uint64_t flags = file.number(at + 8, 2), method = file.number(at + 10, 2),
             packed = file.number(at + 20, 4), size = file.number(at + 24, 4),
             nameSize = file.number(at + 28, 2),
             extraSize = file.number(at + 30, 2),
             commentSize = file.number(at + 32, 2),
             local = file.number(at + 42, 4);
    uint64_t tail = nameSize + extraSize + commentSize;
    if (tail > directory.end - at - kEntrySize) {
      return fail("a readable directory entry");
    }
    ZipMember member;
    member.name = file.slice(at + kEntrySize, nameSize);
    uint64_t extra = at + kEntrySize + nameSize;
    if (!readZip64(file, extra, extra + extraSize, {&size, &packed, &local})) {
      return fail("a readable zip64 field");
    }
    if (!file.has(local, kLocalSize) || !file.isAt(local, "PK\3\4") ||
        file.number(local + 26, 2) != nameSize ||
        !file.has(local + kLocalSize, nameSize) ||
        file.slice(local + kLocalSize, nameSize) != member.name) {
      return fail("a local header of '" + member.name + "'");
    }
    member.offset = local + kLocalSize + nameSize + file.number(local + 28, 2);
    member.size = packed;
    member.isStored = method == 0 && (flags & 1) == 0;
    if (member.offset > directory.begin ||
        packed > directory.begin - member.offset ||
        (member.isStored && packed != size)) {
      return fail("the " + std::to_string(size) + " bytes of '" + member.name +
                  "' in front of the directory");
    }
    if (!names.insert(member.name).second) {
      return fail("another name than '" + member.name + "', which is there,");
    }
    members.push_back(std::move(member));
    at += kEntrySize + tail;
  }
  return true;
}

} // namespace moelle
