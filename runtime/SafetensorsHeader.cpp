// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A parser for exactly this header: no document is built, so that millions of
// names cost only their records.
#include "runtime/SafetensorsHeader.h"

#include <cinttypes>

namespace moelle {

namespace {

class Parser {
public:
  explicit Parser(std::string_view text) : text_(text) {}

  Status run(std::vector<SafetensorsRecord> *records,
             SafetensorsMetadata *metadata) {
    bool sawMetadata = false;
    MOELLE_RETURN_IF_ERROR(object([&](std::string name) -> Status {
      if (name == "__metadata__") {
        if (sawMetadata) {
          return error("key '__metadata__' must be unique");
        }
        sawMetadata = true;
        return object([&](std::string key) -> Status {
          std::string value;
          MOELLE_RETURN_IF_ERROR(string(&value));
          if (!metadata->emplace(key, std::move(value)).second) {
            return error("key '" + key + "' of the metadata must be unique");
          }
          return {};
        });
      }
      SafetensorsRecord &record = records->emplace_back();
      record.name = std::move(name);
      return tensor(record);
    }));
    skipSpace();
    if (position_ != text_.size()) {
      return error("expected the end of the header");
    }
    return {};
  }

private:
  Status error(const std::string &rule) const {
    return makeError(MOELLE_INVALID_ARGUMENT,
                     "safetensors header at byte %zu: %s", position_,
                     rule.c_str());
  }

  void skipSpace() {
    while (position_ < text_.size() &&
           (text_[position_] == ' ' || text_[position_] == '\n' ||
            text_[position_] == '\t' || text_[position_] == '\r')) {
      ++position_;
    }
  }

  bool accept(char character) {
    skipSpace();
    if (position_ < text_.size() && text_[position_] == character) {
      ++position_;
      return true;
    }
    return false;
  }

  Status expect(char character) {
    if (!accept(character)) {
      return error(std::string("expected '") + character + "'");
    }
    return {};
  }

  // Calls `member` with each key, placed at its value.
  template <typename Member> Status object(Member member) {
    MOELLE_RETURN_IF_ERROR(expect('{'));
    if (accept('}')) {
      return {};
    }
    do {
      std::string key;
      MOELLE_RETURN_IF_ERROR(string(&key));
      MOELLE_RETURN_IF_ERROR(expect(':'));
      MOELLE_RETURN_IF_ERROR(member(std::move(key)));
    } while (accept(','));
    return expect('}');
  }

  template <typename Number> Status numbers(std::vector<Number> *values) {
    MOELLE_RETURN_IF_ERROR(expect('['));
    if (accept(']')) {
      return {};
    }
    do {
      uint64_t value = 0;
      MOELLE_RETURN_IF_ERROR(number(&value));
      if (value > uint64_t(INT64_MAX)) {
        return error("number must be below 2^63");
      }
      values->push_back(Number(value));
    } while (accept(','));
    return expect(']');
  }

  Status tensor(SafetensorsRecord &record) {
    unsigned seen = 0;
    MOELLE_RETURN_IF_ERROR(object([&](std::string key) -> Status {
      unsigned field = key == "dtype"          ? 1
                       : key == "shape"        ? 2
                       : key == "data_offsets" ? 4
                                               : 0;
      if (field == 0 || (seen & field)) {
        return error(
            (field ? "key must be unique, but got '" : "unknown key '") + key +
            "' of tensor '" + record.name + "'");
      }
      seen |= field;
      if (field == 1) {
        return string(&record.dtype);
      }
      if (field == 2) {
        return numbers(&record.shape);
      }
      std::vector<uint64_t> offsets;
      MOELLE_RETURN_IF_ERROR(numbers(&offsets));
      if (offsets.size() != 2) {
        return error("data_offsets of tensor '" + record.name +
                     "' must be two numbers");
      }
      record.begin = offsets[0];
      record.end = offsets[1];
      return {};
    }));
    if (seen != 7) {
      return error("tensor '" + record.name +
                   "' must have dtype, shape and data_offsets");
    }
    return {};
  }

  Status number(uint64_t *value) {
    skipSpace();
    size_t begin = position_;
    uint64_t result = 0;
    while (position_ < text_.size() && text_[position_] >= '0' &&
           text_[position_] <= '9') {
      if (__builtin_mul_overflow(result, uint64_t(10), &result) ||
          __builtin_add_overflow(result, uint64_t(text_[position_] - '0'),
                                 &result)) {
        return error("number must be below 2^64");
      }
      ++position_;
    }
    if (position_ == begin || (text_[begin] == '0' && position_ - begin > 1)) {
      return error("expected an unsigned integer");
    }
    *value = result;
    return {};
  }

  Status hex(uint32_t *value) {
    uint32_t result = 0;
    for (int i = 0; i < 4; ++i, ++position_) {
      char c = position_ < text_.size() ? text_[position_] : '\0';
      int digit = c >= '0' && c <= '9'   ? c - '0'
                  : c >= 'a' && c <= 'f' ? c - 'a' + 10
                  : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                         : -1;
      if (digit < 0) {
        return error("expected four hexadecimal digits");
      }
      result = result * 16 + uint32_t(digit);
    }
    *value = result;
    return {};
  }

  // A \u escape, its surrogate pair included, as UTF-8.
  Status unicode(std::string *out) {
    uint32_t code = 0;
    MOELLE_RETURN_IF_ERROR(hex(&code));
    if (code >= 0xd800 && code < 0xe000) {
      uint32_t low = 0;
      if (code >= 0xdc00 || text_.substr(position_, 2) != "\\u") {
        return error("surrogate must come in a pair");
      }
      position_ += 2;
      MOELLE_RETURN_IF_ERROR(hex(&low));
      if (low < 0xdc00 || low >= 0xe000) {
        return error("surrogate must come in a pair");
      }
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    if (code < 0x80) {
      *out += char(code);
      return {};
    }
    int extra = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    constexpr uint8_t kLead[] = {0, 0xc0, 0xe0, 0xf0};
    *out += char(kLead[extra] | code >> (6 * extra));
    while (extra-- > 0) {
      *out += char(0x80 | (code >> (6 * extra) & 0x3f));
    }
    return {};
  }

  Status string(std::string *out) {
    MOELLE_RETURN_IF_ERROR(expect('"'));
    while (position_ < text_.size()) {
      char character = text_[position_++];
      if (character == '"') {
        return {};
      }
      if (uint8_t(character) < 0x20) {
        return error("control characters must be escaped");
      }
      if (character != '\\') {
        *out += character;
        continue;
      }
      char escape = position_ < text_.size() ? text_[position_++] : '\0';
      constexpr std::string_view kFrom = "\"\\/bfnrt", kTo = "\"\\/\b\f\n\r\t";
      size_t index = kFrom.find(escape);
      if (escape == 'u') {
        MOELLE_RETURN_IF_ERROR(unicode(out));
      } else if (index != std::string_view::npos) {
        *out += kTo[index];
      } else {
        return error("unknown escape");
      }
    }
    return error("string must end within the header");
  }

  std::string_view text_;
  size_t position_ = 0;
};

} // namespace

Status parseSafetensorsHeader(std::string_view text,
                              std::vector<SafetensorsRecord> *records,
                              SafetensorsMetadata *metadata) {
  return Parser(text).run(records, metadata);
}

} // namespace moelle
