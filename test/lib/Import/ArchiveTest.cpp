// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Archives: what is read, and one clear message for each kind of damage.
#include "lib/Import/Archive.h"
#include "test/lib/Import/ZipWriter.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace moelle;
using namespace moelle::test;

namespace {

const std::string kProgram = R"({"schema_version": {"major": 8, "minor": 20}})";

std::string errorOf(std::string_view bytes) {
  std::string error;
  EXPECT_EQ(Archive::open(bytes, "a.pt2", error), nullptr);
  return error;
}

#define EXPECT_HAS(text, part)                                                 \
  EXPECT_NE((text).find(part), std::string::npos) << (text)

/// Six floats 0..5 seen through the given view as weight `w`.
std::string writeWeight(const std::string &meta,
                        const std::string &path = "weight_0") {
  Members members =
      makeProgram(kProgram, R"({"w": {"path_name": ")" + path +
                                R"(", "tensor_meta": )" + meta + "}}");
  std::string data;
  for (float value = 0; value < 6; ++value) {
    data.append(reinterpret_cast<const char *>(&value), sizeof(value));
  }
  members.push_back({"r/data/weights/weight_0", data});
  return writeZip(members);
}

std::vector<float> readWeight(const std::string &bytes, std::string &error) {
  auto archive = Archive::open(bytes, "a.pt2", error);
  std::vector<char> raw;
  if (!archive || !archive->materialise("w", raw, error)) {
    return {};
  }
  std::vector<float> values(raw.size() / sizeof(float));
  std::memcpy(values.data(), raw.data(), raw.size());
  return values;
}

TEST(Archive, readsProgramWhateverTheRootIsCalled) {
  std::string error, bytes = writeZip(makeProgram(kProgram));
  auto archive = Archive::open(bytes, "a.pt2", error);
  ASSERT_NE(archive, nullptr) << error;
  EXPECT_EQ(archive->getProgram()["schema_version"]["minor"], 20);
}

TEST(Archive, refusesEmptyBytes) {
  EXPECT_HAS(errorOf(""), "must be a zip archive");
}

TEST(Archive, refusesAnotherFormat) {
  EXPECT_HAS(errorOf(std::string(4096, 'x')), "must be a zip archive");
}

TEST(Archive, refusesArchiveWithoutMembers) {
  EXPECT_HAS(errorOf(writeZip({})),
             "must hold members, but is an empty archive");
}

TEST(Archive, refusesAbsentFile) {
  std::string error;
  EXPECT_EQ(Archive::open("/nonexistent/a.pt2", error), nullptr);
  EXPECT_HAS(error, "cannot open '/nonexistent/a.pt2'");
}

TEST(Archive, survivesEveryTruncation) {
  std::string bytes = writeWeight(meta({6}, {1}));
  for (size_t size = 0; size < bytes.size(); ++size) {
    std::string error;
    EXPECT_EQ(
        Archive::open(std::string_view(bytes).substr(0, size), "a.pt2", error),
        nullptr);
    EXPECT_FALSE(error.empty()) << size;
  }
}

TEST(Archive, survivesEveryFlippedByte) {
  std::string bytes = writeWeight(meta({2, 3}, {1, 2}));
  for (size_t at = 0; at < bytes.size(); ++at) {
    for (char mask : {'\x01', '\x80', '\xff'}) {
      std::string damaged = bytes, error;
      damaged[at] ^= mask;
      if (auto archive = Archive::open(damaged, "a.pt2", error)) {
        std::vector<char> out;
        (void)archive->materialise("w", out, error);
      }
    }
  }
}

TEST(Archive, namesAllMissingMembers) {
  std::string error = errorOf(writeZip({{"r/byteorder", "little"}}));
  EXPECT_HAS(error, "lacks 'archive_format', 'models/model.json'");
}

TEST(Archive, refusesNewerMajorWithBothNumbers) {
  std::string error = errorOf(
      writeZip(makeProgram(R"({"schema_version": {"major": 9, "minor": 0}})")));
  EXPECT_HAS(error, "schema version 9");
  EXPECT_HAS(error, "1 to 8");
}

TEST(Archive, acceptsNewerMinor) {
  std::string error, bytes = writeZip(makeProgram(
                         R"({"schema_version": {"major": 8, "minor": 999}})"));
  EXPECT_NE(Archive::open(bytes, "a.pt2", error), nullptr) << error;
}

TEST(Archive, refusesOtherByteOrder) {
  Members members = makeProgram(kProgram);
  members.push_back({"r/byteorder", "big"});
  EXPECT_HAS(errorOf(writeZip(members)),
             "must have byte order 'little', but has 'big'");
}

TEST(Archive, acceptsBareInfinityOutsideStringsOnly) {
  std::string program =
      R"({"schema_version": {"major": 8}, "x": [-Infinity, Infinity, NaN], "y": "a NaN \" NaN"})";
  std::string error, bytes = writeZip(makeProgram(program));
  auto archive = Archive::open(bytes, "a.pt2", error);
  ASSERT_NE(archive, nullptr) << error;
  EXPECT_EQ(archive->getProgram()["x"][0], "-Infinity");
  EXPECT_EQ(archive->getProgram()["x"][2], "NaN");
  EXPECT_EQ(archive->getProgram()["y"], "a NaN \" NaN");
}

TEST(Archive, keepsIntegersExact) {
  std::string error,
      bytes = writeZip(makeProgram(
          R"({"schema_version": {"major": 8}, "x": 9223372036854775807})"));
  auto archive = Archive::open(bytes, "a.pt2", error);
  ASSERT_NE(archive, nullptr) << error;
  EXPECT_EQ(archive->getProgram()["x"].get<int64_t>(), INT64_MAX);
}

TEST(Archive, boundsNesting) {
  EXPECT_HAS(errorOf(writeZip(makeProgram(std::string(100000, '[')))),
             "nesting must not exceed");
}

TEST(Archive, refusesDamagedJson) {
  EXPECT_HAS(errorOf(writeZip(makeProgram("{\"a\": "))), "valid JSON");
}

TEST(Archive, copiesStridedWeightInRowMajorOrder) {
  std::string error;
  EXPECT_EQ(readWeight(writeWeight(meta({3, 2}, {1, 3})), error),
            (std::vector<float>{0, 3, 1, 4, 2, 5}))
      << error;
  EXPECT_EQ(readWeight(writeWeight(meta({2}, {1}, 3)), error),
            (std::vector<float>{3, 4}))
      << error;
  EXPECT_EQ(readWeight(writeWeight(meta({}, {}, 5)), error),
            (std::vector<float>{5}))
      << error;
  EXPECT_EQ(readWeight(writeWeight(meta({2, 2}, {0, 1})), error),
            (std::vector<float>{0, 1, 0, 1}))
      << error;
}

TEST(Archive, lendsContiguousWeightsOnly) {
  std::string error, bytes = writeWeight(meta({2, 2}, {2, 1}, 2));
  auto archive = Archive::open(bytes, "a.pt2", error);
  std::string_view lent;
  ASSERT_TRUE(archive && archive->getContiguous("w", lent, error)) << error;
  float first;
  std::memcpy(&first, lent.data(), sizeof(first));
  EXPECT_EQ(first, 2);
  EXPECT_EQ(lent.size(), 16u);

  std::string other = writeWeight(meta({3, 2}, {1, 3}));
  archive = Archive::open(other, "a.pt2", error);
  ASSERT_NE(archive, nullptr) << error;
  EXPECT_FALSE(archive->getContiguous("w", lent, error));
  EXPECT_HAS(error, "must be contiguous");
}

TEST(Archive, refusesWeightsThatReachPastTheirStorage) {
  for (const std::string &view :
       {meta({7}, {1}), meta({6}, {1}, 1), meta({2, 3}, {4, 1}),
        meta({2}, {INT64_MAX}), meta({1}, {1}, INT64_MAX), meta({1}, {1}, -1),
        meta({2}, {-1}, 1), meta({INT64_MAX, INT64_MAX}, {0, 0})}) {
    std::string error;
    EXPECT_TRUE(readWeight(writeWeight(view), error).empty());
    EXPECT_HAS(error, "reaches past its storage of 24 bytes");
  }
}

TEST(Archive, refusesHugeExpansion) {
  std::string error;
  EXPECT_TRUE(
      readWeight(writeWeight(meta({int64_t(1) << 40}, {0})), error).empty());
  EXPECT_HAS(error, "must not expand its storage");
}

TEST(Archive, missesWeightFilesOnlyWhenRead) {
  std::string error, bytes = writeWeight(meta({6}, {1}), "weight_9");
  auto archive = Archive::open(bytes, "a.pt2", error);
  ASSERT_NE(archive, nullptr) << error;
  std::vector<char> out;
  EXPECT_FALSE(archive->materialise("w", out, error));
  EXPECT_HAS(error, "must hold 'data/weights/weight_9'");
}

TEST(Archive, refusesUnknownDtype) {
  std::string error;
  EXPECT_TRUE(readWeight(writeWeight(meta({6}, {1}, 0, 99)), error).empty());
  EXPECT_HAS(error, "unknown dtype code 99");
}

} // namespace
