// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strict reading and atomic writing of safetensors files.
#include "runtime/Safetensors.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace moelle;
using nlohmann::json;

// A header of 1.3 million names has 132 MB.
static constexpr uint64_t kMaxHeader = 256u << 20;

static uint64_t elementSize(const std::string &dtype) {
  static const std::map<std::string, uint64_t> sizes = {{"F64", 8}, {"F32", 4}, {"F16", 2}, {"BF16", 2}, {"I64", 8}, {"I32", 4},
      {"I16", 2}, {"I8", 1}, {"U8", 1}, {"BOOL", 1}, {"U16", 2}, {"U32", 4}, {"U64", 8}, {"F8_E4M3", 1}, {"F8_E5M2", 1}, {"C64", 8}};
  auto found = sizes.find(dtype);
  return found == sizes.end() ? 0 : found->second;
}

bool SafetensorsFile::parse(std::string_view bytes, std::map<std::string, SafeTensor> &tensors, std::string &error) {
  if (bytes.size() < 8) {
    error = "must begin with an 8-byte header length, but has " + std::to_string(bytes.size()) + " bytes";
    return false;
  }
  uint64_t length;
  std::memcpy(&length, bytes.data(), 8);
  if (length > kMaxHeader || length > bytes.size() - 8) {
    error = "header length must be at most " + std::to_string(kMaxHeader) + " and inside the file of " + std::to_string(bytes.size()) + " bytes, but is " + std::to_string(length);
    return false;
  }
  std::string_view header = bytes.substr(8, length), data = bytes.substr(8 + length);
  bool deep = false;
  std::vector<std::string> seen;
  json table = json::parse(header, [&](int level, json::parse_event_t event, json &parsed) {
    deep |= level > 4;
    if (event == json::parse_event_t::key && level == 1) {
      seen.push_back(parsed.get<std::string>());
    }
    return true;
  }, /*allow_exceptions=*/false);
  if (table.is_discarded() || !table.is_object() || deep) {
    error = "header must be a flat JSON object";
    return false;
  }
  std::sort(seen.begin(), seen.end());
  auto twice = std::adjacent_find(seen.begin(), seen.end());
  if (twice != seen.end()) {
    error = "tensor '" + *twice + "' must appear once, but appears twice";
    return false;
  }
  struct Span {
    uint64_t begin, end;
    const std::string *name;
  };
  std::vector<Span> spans;
  for (const auto &[name, entry] : table.items()) {
    if (name == "__metadata__") {
      continue;
    }
    auto bad = [&](const std::string &rule) {
      error = "tensor '" + name + "' " + rule;
      return false;
    };
    if (!entry.is_object() || !entry.contains("dtype") || !entry["dtype"].is_string() || !entry.contains("shape") || !entry["shape"].is_array() ||
        !entry.contains("data_offsets") || !entry["data_offsets"].is_array() || entry["data_offsets"].size() != 2) {
      return bad("must have 'dtype', 'shape' and two 'data_offsets'");
    }
    SafeTensor tensor;
    tensor.dtype = entry["dtype"].get<std::string>();
    uint64_t expected = elementSize(tensor.dtype);
    if (expected == 0) {
      return bad("has the unknown dtype '" + tensor.dtype + "'");
    }
    for (const json &size : entry["shape"]) {
      if (!size.is_number_unsigned() || size.get<uint64_t>() > INT64_MAX || __builtin_mul_overflow(expected, size.get<uint64_t>(), &expected)) {
        return bad("must have a shape of non-negative sizes whose product fits 64 bits, but got " + entry["shape"].dump());
      }
      tensor.shape.push_back(static_cast<int64_t>(size.get<uint64_t>()));
    }
    const json &first = entry["data_offsets"][0], &last = entry["data_offsets"][1];
    if (!first.is_number_unsigned() || !last.is_number_unsigned() || first.get<uint64_t>() > last.get<uint64_t>() || last.get<uint64_t>() > data.size()) {
      return bad("must have offsets in order inside the " + std::to_string(data.size()) + " data bytes, but got " + entry["data_offsets"].dump());
    }
    uint64_t begin = first.get<uint64_t>(), end = last.get<uint64_t>();
    if (end - begin != expected) {
      return bad("must span " + std::to_string(expected) + " bytes, but spans " + std::to_string(end - begin));
    }
    tensor.data = data.data() + begin;
    tensor.bytes = expected;
    auto placed = tensors.emplace(name, std::move(tensor)).first;
    if (begin != end) {
      spans.push_back({begin, end, &placed->first});
    }
  }
  std::sort(spans.begin(), spans.end(), [](const Span &a, const Span &b) { return a.begin < b.begin; });
  uint64_t reach = 0;
  const std::string *previous = nullptr;
  for (const Span &span : spans) {
    std::string before = previous ? "'" + *previous + "'" : "the header";
    if (span.begin < reach) {
      error = "tensors " + before + " and '" + *span.name + "' must not share bytes";
      return false;
    }
    if (span.begin > reach) {
      error = "there must be no hole between " + before + " and '" + *span.name + "', but " + std::to_string(span.begin - reach) + " bytes are unused";
      return false;
    }
    reach = span.end;
    previous = span.name;
  }
  if (reach != data.size()) {
    error = "data must end with the last tensor, but " + std::to_string(data.size() - reach) + " bytes follow";
    return false;
  }
  return true;
}

std::unique_ptr<SafetensorsFile> SafetensorsFile::open(const std::string &path, std::string &error) {
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat info;
  if (fd < 0 || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0) {
    error = "can not read '" + path + "': " + (fd < 0 ? std::strerror(errno) : "not a regular file with content");
    if (fd >= 0) {
      close(fd);
    }
    return nullptr;
  }
  std::unique_ptr<SafetensorsFile> file(new SafetensorsFile());
  void *map = mmap(nullptr, info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  if (map == MAP_FAILED) {
    error = "can not map '" + path + "': " + std::strerror(errno);
    return nullptr;
  }
  file->mapping = map;
  file->size = info.st_size;
  if (!parse({static_cast<const char *>(map), file->size}, file->tensors, error)) {
    error = "'" + path + "': " + error;
    return nullptr;
  }
  return file;
}

SafetensorsFile::~SafetensorsFile() {
  if (mapping) {
    munmap(mapping, size);
  }
}

bool moelle::writeSafetensors(const std::string &path, const std::map<std::string, SafeTensor> &tensors, std::string &error) {
  json table = json::object();
  uint64_t offset = 0;
  for (const auto &[name, tensor] : tensors) {
    table[name] = {{"dtype", tensor.dtype}, {"shape", tensor.shape}, {"data_offsets", {offset, offset + tensor.bytes}}};
    offset += tensor.bytes;
  }
  std::string header = table.dump();
  header.append((8 - header.size() % 8) % 8, ' ');
  std::string temporary = path + ".XXXXXX";
  int fd = mkstemp(temporary.data());
  auto failed = [&] {
    error = "can not write '" + path + "': " + std::strerror(errno);
    if (fd >= 0) {
      close(fd);
      unlink(temporary.c_str());
    }
    return false;
  };
  if (fd < 0) {
    return failed();
  }
  auto put = [&](const char *data, uint64_t bytes) {
    while (bytes > 0) {
      ssize_t count = write(fd, data, bytes);
      if (count <= 0) {
        return false;
      }
      data += count;
      bytes -= count;
    }
    return true;
  };
  uint64_t length = header.size();
  bool good = put(reinterpret_cast<const char *>(&length), 8) && put(header.data(), length);
  for (const auto &[name, tensor] : tensors) {
    good = good && put(tensor.data, tensor.bytes);
  }
  if (!good || fchmod(fd, 0644) != 0) {
    return failed();
  }
  if (close(fd) != 0 || rename(temporary.c_str(), path.c_str()) != 0) {
    error = "can not write '" + path + "': " + std::strerror(errno);
    unlink(temporary.c_str());
    return false;
  }
  return true;
}
