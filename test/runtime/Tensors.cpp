// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Safetensors files: round trip, and what is refused.
#include "runtime/Safetensors.h"

#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

namespace {

using namespace moelle;

std::string file(const std::string &header, size_t data) {
  uint64_t size = header.size();
  std::string text(reinterpret_cast<char *>(&size), 8);
  return text + header + std::string(data, '\1');
}

Result<SafetensorsFile> parse(const std::string &text) {
  return SafetensorsFile::parse(std::as_bytes(std::span(text)));
}

std::string tensor(const char *name, const char *dtype, const char *shape,
                   const char *span) {
  return std::string("\"") + name + "\":{\"dtype\":\"" + dtype +
         "\",\"shape\":" + shape + ",\"data_offsets\":" + span + "}";
}

void expectRefused(const std::string &text, const char *message) {
  auto result = parse(text);
  ASSERT_FALSE(result.ok()) << message;
  EXPECT_NE(result.status().message().find(message), std::string::npos)
      << result.status().message();
}

TEST(Safetensors, RoundTrip) {
  auto folder = std::filesystem::temp_directory_path() /
                ("moelle-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  std::string path = folder / "t.safetensors";
  double value = 2.5;
  bool flag = true;
  std::vector<SafetensorsEntry> entries(3);
  entries[0] = {"fl\"ag", MOELLE_BOOL, {1}, (const std::byte *)&flag, 1};
  entries[1] = {"scalar", MOELLE_F64, {}, (const std::byte *)&value, 8};
  entries[2] = {"empty", MOELLE_F32, {0, 16}, nullptr, 0};
  Status status = writeSafetensors(path, entries, {{"k", "v\n"}});
  ASSERT_TRUE(status.ok()) << status.message();
  auto read = SafetensorsFile::open(path);
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(read->entries().size(), 3u);
  EXPECT_EQ(read->metadata().at("k"), "v\n");
  EXPECT_EQ(std::memcmp(read->find("scalar")->data, &value, 8), 0);
  EXPECT_EQ(read->find("empty")->shape, (std::vector<int64_t>{0, 16}));
  EXPECT_NE(read->find("fl\"ag"), nullptr);
  EXPECT_EQ(read->find("other"), nullptr);
  entries[1].bytes = 4;
  EXPECT_FALSE(writeSafetensors(path, entries).ok());
  EXPECT_FALSE(writeSafetensors(folder / "no" / "t", {}).ok());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  std::filesystem::remove_all(folder);
}

TEST(Safetensors, Refuses) {
  auto one = [](const char *dtype, const char *shape, const char *span,
                size_t data) {
    return file("{" + tensor("a", dtype, shape, span) + "}", data);
  };
  EXPECT_TRUE(parse(one("F32", "[2]", "[0,8]", 8)).ok());
  EXPECT_TRUE(parse(file("{}", 0)).ok());
  expectRefused("", "at least 8 bytes");
  expectRefused(std::string("\xfb\xff\xff\xff\xff\xff\xff\xff", 8), "at most");
  expectRefused(std::string("\x10\0\0\0\0\0\0\0{}", 10), "within the file");
  expectRefused(one("F32", "[4611686018427387904]", "[0,8]", 8), "2^63");
  expectRefused(one("F32", "[32,8]", "[0,65536]", 65536), "1024 bytes");
  expectRefused(one("F32", "[2]", "[8,0]", 8), "ordered");
  expectRefused(one("F32", "[2]", "[0,8]", 4), "within the 4 bytes");
  expectRefused(one("F9", "[2]", "[0,8]", 8), "'F9'");
  expectRefused(one("F32", "[2]", "[0,8]", 9), "must end with");
  expectRefused(one("F32", "[-2]", "[0,8]", 8), "unsigned integer");
  auto two = [](const char *first, const char *second, size_t data) {
    return file("{" + tensor("a", "F32", "[1]", first) + "," +
                    tensor("b", "F32", "[1]", second) + "}",
                data);
  };
  EXPECT_TRUE(parse(two("[4,8]", "[0,4]", 8)).ok());
  expectRefused(two("[0,4]", "[0,4]", 4), "no overlap, but got [0, 4) of 'b' "
                                          "after 'a'");
  expectRefused(two("[0,4]", "[2,6]", 6), "overlap");
  expectRefused(two("[0,4]", "[8,12]", 12), "hole");
  std::string a = tensor("a", "F32", "[0]", "[0,0]");
  expectRefused(file("{" + a + "," + a + "}", 0), "'a' twice");
  expectRefused(file("{" + a + ",}", 0), "expected '\"'");
  expectRefused(file("{" + a + "} x", 0), "the end");
  expectRefused(file("{\"a", 0), "must end within");
}

TEST(Safetensors, TakesMillionsOfNames) {
  std::string header = "{";
  constexpr int kNames = 1300000;
  for (int i = 0; i < kNames; ++i) {
    header += i ? "," : "";
    header += tensor(
        ("model.layers.experts.weight." + std::to_string(i) + ".aaaaaaaaaa")
            .c_str(),
        "F32", "[0]", "[0,0]");
  }
  auto result = parse(file(header + "}", 0));
  ASSERT_TRUE(result.ok()) << result.status().message();
  EXPECT_EQ(result->entries().size(), size_t(kNames));
}

} // namespace
