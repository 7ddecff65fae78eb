// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes safetensors files whole or not at all.
#include "runtime/DType.h"
#include "runtime/Safetensors.h"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_set>

namespace moelle {

namespace {

void appendString(std::string &out, std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  out += '"';
  for (char character : text) {
    if (uint8_t(character) < 0x20) {
      out += "\\u00";
      out += kDigits[uint8_t(character) >> 4];
      out += kDigits[character & 15];
      continue;
    }
    if (character == '"' || character == '\\') {
      out += '\\';
    }
    out += character;
  }
  out += '"';
}

const char *fileDType(moelle_dtype dtype) {
  constexpr const char *kNames[] = {nullptr, "BOOL", "U8",  "I8",
                                    "I16",   "I32",  "I64", "F16",
                                    "BF16",  "F32",  "F64", "C64"};
  return size_t(dtype) < std::size(kNames) ? kNames[dtype] : nullptr;
}

// Larger elements first, so that each tensor is aligned to its own element.
std::vector<const SafetensorsEntry *>
orderEntries(std::span<const SafetensorsEntry> entries) {
  std::vector<const SafetensorsEntry *> order;
  for (const SafetensorsEntry &entry : entries) {
    order.push_back(&entry);
  }
  std::stable_sort(order.begin(), order.end(), [](auto *a, auto *b) {
    return dtypeSize(a->dtype) > dtypeSize(b->dtype);
  });
  return order;
}

Result<std::string>
makeHeader(const std::vector<const SafetensorsEntry *> &order,
           const SafetensorsMetadata &metadata) {
  std::string header = "{";
  if (!metadata.empty()) {
    header += "\"__metadata__\":{";
    for (auto &[key, value] : metadata) {
      header += header.back() == '{' ? "" : ",";
      appendString(header, key);
      header += ':';
      appendString(header, value);
    }
    header += '}';
  }
  std::unordered_set<std::string_view> names;
  uint64_t offset = 0;
  for (const SafetensorsEntry *entry : order) {
    auto bytes = tensorBytes(entry->shape, entry->dtype);
    if (!fileDType(entry->dtype) || !bytes || *bytes != entry->bytes ||
        (*bytes && !entry->data)) {
      return makeError(MOELLE_INVALID_ARGUMENT,
                       "tensor '%s' must have a dtype and the bytes of its "
                       "shape, but got %s, %s and %" PRIu64 " bytes",
                       entry->name.c_str(), dtypeName(entry->dtype),
                       shapeText(entry->shape).c_str(), entry->bytes);
    }
    if (entry->name == "__metadata__" || !names.insert(entry->name).second) {
      return makeError(MOELLE_INVALID_ARGUMENT,
                       "names must be unique and not '__metadata__', but got "
                       "'%s'",
                       entry->name.c_str());
    }
    header += header.size() == 1 ? "" : ",";
    appendString(header, entry->name);
    header += std::string(":{\"dtype\":\"") + fileDType(entry->dtype) +
              "\",\"shape\":[";
    for (size_t i = 0; i < entry->shape.size(); ++i) {
      header += i ? "," : "";
      header += std::to_string(entry->shape[i]);
    }
    header += "],\"data_offsets\":[" + std::to_string(offset) + ",";
    offset += *bytes;
    header += std::to_string(offset) + "]}";
  }
  header += '}';
  header.resize((header.size() + 7) / 8 * 8, ' '); // data starts aligned
  if (header.size() > kMaxSafetensorsHeader) {
    return makeError(MOELLE_INVALID_ARGUMENT,
                     "safetensors header must be at most %" PRIu64
                     " bytes, but got %zu",
                     kMaxSafetensorsHeader, header.size());
  }
  return header;
}

bool writeAll(int file, const void *data, uint64_t size) {
  auto *bytes = static_cast<const char *>(data);
  while (size > 0) {
    ssize_t count =
        write(file, bytes, size_t(std::min<uint64_t>(size, 1u << 30)));
    if (count < 0 && errno != EINTR) {
      return false;
    }
    if (count > 0) {
      bytes += count;
      size -= uint64_t(count);
    }
  }
  return true;
}

} // namespace

Status writeSafetensors(const std::string &path,
                        std::span<const SafetensorsEntry> entries,
                        const SafetensorsMetadata &metadata) {
  auto order = orderEntries(entries);
  MOELLE_ASSIGN_OR_RETURN(header, makeHeader(order, metadata));
  std::string temporary = path + ".XXXXXX";
  int file = mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0) {
    return makeError(MOELLE_IO_ERROR, "cannot write '%s': %s", path.c_str(),
                     std::strerror(errno));
  }
  uint64_t headerBytes = header.size();
  bool good = writeAll(file, &headerBytes, sizeof headerBytes) &&
              writeAll(file, header.data(), header.size());
  for (const SafetensorsEntry *entry : order) {
    good = good && writeAll(file, entry->data, entry->bytes);
  }
  mode_t mask = umask(0); // mkostemp makes private files
  umask(mask);
  good = good && fchmod(file, 0666 & ~mask) == 0;
  int error = errno;
  if (close(file) != 0 && good) {
    good = false;
    error = errno;
  }
  if (good && rename(temporary.c_str(), path.c_str()) != 0) {
    good = false;
    error = errno;
  }
  if (!good) {
    unlink(temporary.c_str());
    return makeError(MOELLE_IO_ERROR, "cannot write '%s': %s", path.c_str(),
                     std::strerror(error));
  }
  return {};
}

} // namespace moelle
