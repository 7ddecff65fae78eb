// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the zip container, its JSON members and its weights.
#include "lib/Import/Archive.h"

#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace moelle;
using nlohmann::json;

namespace {

// Newest schema that is understood; a newer minor version only adds fields.
constexpr int64_t kSchemaMajor = 8;
constexpr int kMaxDepth = 200;
// A view with strides of 0 may be larger than its storage, but not by so much
// that a damaged file exhausts memory.
constexpr int64_t kMaxExpanded = int64_t(1) << 30;

/// Puts the bare words of older exports (-Infinity, Infinity, NaN) in quotes
/// as newer ones write them, and bounds the nesting. Empty on failure.
std::optional<std::string> normaliseJson(std::string_view text,
                                         std::string &error) {
  std::string out;
  out.reserve(text.size() + 16);
  int depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString) {
      out += c;
      if (c == '\\' && i + 1 < text.size()) {
        out += text[++i];
      } else if (c == '"') {
        inString = false;
      }
      continue;
    }
    if (c == '"') {
      inString = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kMaxDepth) {
        error = "nesting must not exceed " + std::to_string(kMaxDepth) +
                ", but does at byte " + std::to_string(i);
        return std::nullopt;
      }
    } else if (c == '}' || c == ']') {
      --depth;
    }
    bool word = false;
    for (std::string_view name : {"-Infinity", "Infinity", "NaN"}) {
      if (text.substr(i, name.size()) == name) {
        out += '"';
        out += name;
        out += '"';
        i += name.size() - 1;
        word = true;
        break;
      }
    }
    if (!word) {
      out += c;
    }
  }
  return out;
}

bool getInt(const json &value, int64_t &out) {
  if (value.is_object() && value.contains("as_int")) {
    return getInt(value["as_int"], out);
  }
  if (!value.is_number_integer() ||
      (value.is_number_unsigned() && value.get<uint64_t>() > INT64_MAX)) {
    return false;
  }
  out = value.get<int64_t>();
  return true;
}

bool getInts(const json &value, std::vector<int64_t> &out) {
  if (!value.is_array()) {
    return false;
  }
  for (const json &entry : value) {
    if (!getInt(entry, out.emplace_back())) {
      return false;
    }
  }
  return true;
}

} // namespace

int64_t Archive::getElementSize(int dtype) {
  switch (dtype) {
  case 1:
  case 2:
  case 12:
  case 29:
  case 30:
  case 31:
  case 32:
  case 33:
    return 1;
  case 3:
  case 6:
  case 13:
  case 28:
    return 2;
  case 4:
  case 7:
  case 9:
  case 34:
    return 4;
  case 5:
  case 8:
  case 10:
  case 35:
    return 8;
  case 11:
    return 16;
  default:
    return 0;
  }
}

std::unique_ptr<Archive> Archive::open(const std::string &path,
                                       std::string &error) {
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat info;
  if (fd < 0 || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    error = "cannot open '" + path +
            "': " + (fd < 0 ? std::strerror(errno) : "not a regular file");
    if (fd >= 0) {
      close(fd);
    }
    return nullptr;
  }
  if (info.st_size == 0) {
    close(fd);
    error = "'" + path + "' must be a .pt2 archive, but is empty";
    return nullptr;
  }
  void *map = mmap(nullptr, info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  if (map == MAP_FAILED) {
    error = "cannot map '" + path + "': " + std::strerror(errno);
    return nullptr;
  }
  std::string_view bytes(static_cast<const char *>(map), info.st_size);
  auto archive = open(bytes, path, error);
  if (!archive) {
    munmap(map, info.st_size);
    return nullptr;
  }
  archive->mapping = map;
  return archive;
}

Archive::~Archive() {
  if (mapping) {
    munmap(mapping, bytes.size());
  }
}

std::unique_ptr<Archive> Archive::open(std::string_view bytes,
                                       const std::string &name,
                                       std::string &error) {
  std::unique_ptr<Archive> archive(new Archive());
  archive->bytes = bytes;
  archive->name = name;
  if (!archive->readMembers(error)) {
    error = "'" + name + "' " + error;
    return nullptr;
  }
  std::string model;
  for (const auto &[member, place] : archive->members) {
    if (member.rfind("models/", 0) == 0 && member.size() > 12 &&
        member.substr(member.size() - 5) == ".json") {
      model = model.empty() || member == "models/model.json" ? member : model;
    }
  }
  std::string missing;
  for (std::string needed :
       {std::string("archive_format"),
        model.empty() ? std::string("models/model.json") : model}) {
    if (!archive->members.count(needed)) {
      missing += (missing.empty() ? "'" : ", '") + needed + "'";
    }
  }
  if (!missing.empty()) {
    error = "'" + name +
            "' must hold the members of an exported program, but lacks " +
            missing;
    return nullptr;
  }
  // Weights are read as they lie, so the other byte order would be garbage.
  if (auto order = archive->members.find("byteorder");
      order != archive->members.end()) {
    std::string_view value =
        bytes.substr(order->second.offset, order->second.size);
    if (value != "little") {
      error = "'" + name + "' must have byte order 'little', but has '" +
              std::string(value.substr(0, 16)) + "'";
      return nullptr;
    }
  }
  if (!archive->readJson(model, archive->program, error) ||
      !archive->readWeights("data/weights/", "model_weights_config.json",
                            error) ||
      !archive->readWeights("data/constants/", "model_constants_config.json",
                            error)) {
    error = "'" + name + "' " + error;
    return nullptr;
  }
  const json &program = archive->program;
  int64_t major = 0;
  if (!program.is_object() || !program.contains("schema_version") ||
      !program["schema_version"].is_object() ||
      !program["schema_version"].contains("major") ||
      !getInt(program["schema_version"]["major"], major)) {
    error = "'" + name + "' must state 'schema_version' in '" + model + "'";
    return nullptr;
  }
  if (major > kSchemaMajor || major < 1) {
    error = "'" + name + "' has schema version " + std::to_string(major) +
            ", but versions 1 to " + std::to_string(kSchemaMajor) +
            " are understood";
    return nullptr;
  }
  return archive;
}

bool Archive::readMembers(std::string &error) {
  std::vector<ZipMember> found;
  if (!readZipDirectory(bytes, found, error)) {
    return false;
  }
  if (found.empty()) {
    error = "must hold members, but is an empty archive";
    return false;
  }
  // All lie below one folder, which bears the name the archive was saved by.
  root = found.front().name.substr(0, found.front().name.find('/') + 1);
  for (ZipMember &member : found) {
    bool isBelow = member.name.rfind(root, 0) == 0;
    std::string key = isBelow ? member.name.substr(root.size()) : member.name;
    if (!members.emplace(key, std::move(member)).second) {
      error = "must hold '" + key + "' once, but holds it twice";
      return false;
    }
  }
  return true;
}

bool Archive::readJson(const std::string &member, json &out,
                       std::string &error) const {
  const ZipMember &place = members.at(member);
  if (!place.isStored) {
    error = "must store '" + member + "' uncompressed";
    return false;
  }
  std::string why;
  auto text = normaliseJson(bytes.substr(place.offset, place.size), why);
  if (!text) {
    error = "member '" + member + "': " + why;
    return false;
  }
  out = json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (out.is_discarded()) {
    error = "must hold valid JSON in '" + member + "'";
    return false;
  }
  return true;
}

bool Archive::readWeights(const std::string &folder, const std::string &config,
                          std::string &error) {
  if (!members.count(folder + config)) {
    return true; // a program without weights, or one exported without them
  }
  json table;
  if (!readJson(folder + config, table, error)) {
    return false;
  }
  if (!table.is_object() || !table.contains("config") ||
      !table["config"].is_object()) {
    error = "must hold an object 'config' in '" + folder + config + "'";
    return false;
  }
  for (const auto &[key, entry] : table["config"].items()) {
    WeightView view;
    bool good = entry.is_object() && entry.contains("path_name") &&
                entry["path_name"].is_string() && entry.contains("tensor_meta");
    if (good && entry["tensor_meta"].is_null()) {
      continue; // not a tensor: only reported when the program needs it
    }
    int64_t dtype = 0;
    if (good) {
      const json &meta = entry["tensor_meta"];
      good = meta.is_object() && meta.contains("dtype") &&
             getInt(meta["dtype"], dtype) && meta.contains("sizes") &&
             getInts(meta["sizes"], view.sizes) && meta.contains("strides") &&
             getInts(meta["strides"], view.strides) &&
             meta.contains("storage_offset") &&
             getInt(meta["storage_offset"], view.storageOffset) &&
             view.sizes.size() == view.strides.size();
      view.member = folder + entry["path_name"].get<std::string>();
    }
    if (!good) {
      error = "must describe weight '" + key +
              "' by path, dtype, sizes, strides and offset in '" + folder +
              config + "'";
      return false;
    }
    view.dtype = static_cast<int>(dtype);
    weights.emplace(key, std::move(view));
  }
  return true;
}

bool Archive::locate(const std::string &key, Extent &out,
                     std::string &error) const {
  auto found = weights.find(key);
  if (found == weights.end()) {
    error = "'" + name + "' holds no weight '" + key + "'";
    return false;
  }
  const WeightView &view = found->second;
  auto place = members.find(view.member);
  if (place == members.end() || !place->second.isStored) {
    error = "'" + name + "' must hold '" + view.member + "', the storage of '" +
            key + "', uncompressed";
    return false;
  }
  int64_t size = getElementSize(view.dtype), numel = 1,
          last = view.storageOffset;
  if (size == 0) {
    error = "weight '" + key + "' has the unknown dtype code " +
            std::to_string(view.dtype);
    return false;
  }
  bool fits = last >= 0;
  for (size_t i = 0; i < view.sizes.size() && fits; ++i) {
    int64_t reach = 0;
    fits = view.sizes[i] >= 0 && view.strides[i] >= 0 &&
           !__builtin_mul_overflow(numel, view.sizes[i], &numel) &&
           !__builtin_mul_overflow(std::max<int64_t>(view.sizes[i] - 1, 0),
                                   view.strides[i], &reach) &&
           !__builtin_add_overflow(last, reach, &last);
  }
  int64_t end = 0, total = 0;
  fits = fits && !__builtin_add_overflow(last, 1, &end) &&
         !__builtin_mul_overflow(end, size, &end) &&
         !__builtin_mul_overflow(numel, size, &total);
  if (!fits || (numel > 0 && static_cast<uint64_t>(end) > place->second.size)) {
    error = "weight '" + key + "' reaches past its storage of " +
            std::to_string(place->second.size) + " bytes";
    return false;
  }
  if (total > std::max<int64_t>(place->second.size, kMaxExpanded)) {
    error = "weight '" + key + "' must not expand its storage to " +
            std::to_string(total) + " bytes";
    return false;
  }
  // An empty view may start anywhere; it reads nothing.
  out = {numel == 0
             ? bytes.data()
             : bytes.data() + place->second.offset + view.storageOffset * size,
         numel, size};
  return true;
}

bool Archive::getContiguous(const std::string &key, std::string_view &out,
                            std::string &error) const {
  Extent extent;
  if (!locate(key, extent, error)) {
    return false;
  }
  const WeightView &view = weights.at(key);
  int64_t expected = 1;
  for (size_t d = view.sizes.size(); d-- > 0 && extent.numel > 0;) {
    if (view.sizes[d] != 1 && view.strides[d] != expected) {
      error = "weight '" + key + "' must be contiguous, but has stride " +
              std::to_string(view.strides[d]) + " in dimension " +
              std::to_string(d);
      return false;
    }
    expected *= view.sizes[d];
  }
  out = std::string_view(extent.base, extent.numel * extent.elementSize);
  return true;
}

bool Archive::materialise(const std::string &key, std::vector<char> &out,
                          std::string &error) const {
  Extent extent;
  if (!locate(key, extent, error)) {
    return false;
  }
  const WeightView &view = weights.at(key);
  auto [base, numel, size] = extent;
  out.resize(numel * size);
  std::vector<int64_t> index(view.sizes.size(), 0);
  // Copy runs along the last dimension where it is consecutive.
  int64_t run =
      !view.sizes.empty() && view.strides.back() == 1 ? view.sizes.back() : 1;
  for (int64_t i = 0; i < numel; i += run) {
    int64_t rest = i, offset = 0;
    for (size_t d = view.sizes.size(); d-- > 0;) {
      offset += rest % view.sizes[d] * view.strides[d];
      rest /= view.sizes[d];
    }
    std::memcpy(out.data() + i * size, base + offset * size, run * size);
  }
  return true;
}
