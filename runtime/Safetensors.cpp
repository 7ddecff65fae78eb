// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens safetensors files: header against data, tensor against tensor.
#include "runtime/Safetensors.h"
#include "runtime/DType.h"
#include "runtime/SafetensorsHeader.h"

#include <algorithm>
#include <cinttypes>
#include <cstring>

namespace moelle {

namespace {

moelle_dtype readDType(std::string_view name) {
  constexpr std::pair<std::string_view, moelle_dtype> kNames[] = {
      {"F32", MOELLE_F32},   {"BF16", MOELLE_BF16},    {"I64", MOELLE_I64},
      {"F64", MOELLE_F64},   {"F16", MOELLE_F16},      {"I32", MOELLE_I32},
      {"I16", MOELLE_I16},   {"I8", MOELLE_I8},        {"U8", MOELLE_U8},
      {"BOOL", MOELLE_BOOL}, {"C64", MOELLE_COMPLEX64}};
  for (auto &[text, dtype] : kNames) {
    if (text == name) {
      return dtype;
    }
  }
  return MOELLE_DTYPE_NONE;
}

Status checkRecord(const SafetensorsRecord &record, uint64_t dataBytes,
                   SafetensorsEntry *entry) {
  const char *name = record.name.c_str();
  entry->dtype = readDType(record.dtype);
  if (entry->dtype == MOELLE_DTYPE_NONE) {
    return makeError(MOELLE_INVALID_ARGUMENT,
                     "dtype of tensor '%s' must be known, but got '%s'", name,
                     record.dtype.c_str());
  }
  auto bytes = tensorBytes(record.shape, entry->dtype);
  if (!bytes) {
    return makeError(MOELLE_INVALID_ARGUMENT,
                     "size of tensor '%s' must be below 2^63 bytes, but got "
                     "shape %s",
                     name, shapeText(record.shape).c_str());
  }
  if (record.begin > record.end || record.end > dataBytes) {
    return makeError(MOELLE_INVALID_ARGUMENT,
                     "span of tensor '%s' must be ordered and within the "
                     "%" PRIu64 " bytes of data, but got [%" PRIu64 ", %" PRIu64
                     ")",
                     name, dataBytes, record.begin, record.end);
  }
  if (record.end - record.begin != *bytes) {
    return makeError(MOELLE_INVALID_ARGUMENT,
                     "span of tensor '%s' must have the %" PRIu64
                     " bytes of shape %s, but got %" PRIu64,
                     name, *bytes, shapeText(record.shape).c_str(),
                     record.end - record.begin);
  }
  entry->bytes = *bytes;
  return {};
}

// Spans in order must tile the data: each begins where the last one ended.
Status checkTiling(const std::vector<SafetensorsRecord> &records,
                   uint64_t dataBytes) {
  uint64_t end = 0;
  const char *last = nullptr;
  for (const SafetensorsRecord &record : records) {
    if (record.begin != end) {
      return makeError(MOELLE_INVALID_ARGUMENT,
                       "data must have no %s, but got [%" PRIu64 ", %" PRIu64
                       ") of '%s' after %s%s%s that ends at %" PRIu64,
                       record.begin < end ? "overlap" : "hole", record.begin,
                       record.end, record.name.c_str(), last ? "'" : "",
                       last ? last : "the start", last ? "'" : "", end);
    }
    end = record.end;
    last = record.name.c_str();
  }
  if (end != dataBytes) {
    return makeError(MOELLE_INVALID_ARGUMENT,
                     "data must end with the last tensor%s%s%s at %" PRIu64
                     ", but got %" PRIu64 " bytes",
                     last ? " '" : "", last ? last : "", last ? "'" : "", end,
                     dataBytes);
  }
  return {};
}

} // namespace

Result<SafetensorsFile> SafetensorsFile::open(const std::string &path) {
  SafetensorsFile result;
  MOELLE_ASSIGN_OR_RETURN(file, MappedFile::open(path));
  result.file_ = std::move(file);
  if (Status status = result.read(result.file_.bytes()); !status.ok()) {
    return Status(status.code(), "'" + path + "': " + status.message());
  }
  return result;
}

Result<SafetensorsFile>
SafetensorsFile::parse(std::span<const std::byte> bytes) {
  SafetensorsFile result;
  MOELLE_RETURN_IF_ERROR(result.read(bytes));
  return result;
}

Status SafetensorsFile::read(std::span<const std::byte> bytes) {
  uint64_t headerBytes = 0;
  if (bytes.size() < sizeof headerBytes) {
    return makeError(MOELLE_INVALID_ARGUMENT,
                     "safetensors file must have at least 8 bytes, but got %zu",
                     bytes.size());
  }
  std::memcpy(&headerBytes, bytes.data(), sizeof headerBytes);
  bytes = bytes.subspan(sizeof headerBytes);
  if (headerBytes > kMaxSafetensorsHeader) {
    return makeError(MOELLE_INVALID_ARGUMENT,
                     "safetensors header must be at most %" PRIu64
                     " bytes, but got %" PRIu64,
                     kMaxSafetensorsHeader, headerBytes);
  }
  if (headerBytes > bytes.size()) {
    return makeError(MOELLE_INVALID_ARGUMENT,
                     "safetensors header must be within the file, but got "
                     "%" PRIu64 " bytes with %zu left",
                     headerBytes, bytes.size());
  }
  auto data = bytes.subspan(headerBytes);
  std::vector<SafetensorsRecord> records;
  MOELLE_RETURN_IF_ERROR(parseSafetensorsHeader(
      {reinterpret_cast<const char *>(bytes.data()), size_t(headerBytes)},
      &records, &metadata_));
  // Empty tensors come before the one that begins at the same byte.
  std::stable_sort(records.begin(), records.end(), [](auto &a, auto &b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  entries_.resize(records.size());
  byName_.resize(records.size());
  for (size_t i = 0; i < records.size(); ++i) {
    byName_[i] = uint32_t(i);
    MOELLE_RETURN_IF_ERROR(checkRecord(records[i], data.size(), &entries_[i]));
    entries_[i].data = data.data() + records[i].begin;
  }
  std::sort(byName_.begin(), byName_.end(), [&](uint32_t a, uint32_t b) {
    return records[a].name < records[b].name;
  });
  for (size_t i = 1; i < byName_.size(); ++i) {
    if (records[byName_[i - 1]].name == records[byName_[i]].name) {
      return makeError(MOELLE_INVALID_ARGUMENT,
                       "names must be unique, but got tensor '%s' twice",
                       records[byName_[i]].name.c_str());
    }
  }
  MOELLE_RETURN_IF_ERROR(checkTiling(records, data.size()));
  for (size_t i = 0; i < records.size(); ++i) {
    entries_[i].name = std::move(records[i].name);
    entries_[i].shape = std::move(records[i].shape);
  }
  return {};
}

const SafetensorsEntry *SafetensorsFile::find(std::string_view name) const {
  auto place = std::lower_bound(byName_.begin(), byName_.end(), name,
                                [&](uint32_t index, std::string_view wanted) {
                                  return entries_[index].name < wanted;
                                });
  return place != byName_.end() && entries_[*place].name == name
             ? &entries_[*place]
             : nullptr;
}

} // namespace moelle
