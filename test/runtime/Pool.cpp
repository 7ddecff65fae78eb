// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread pool runs each item once, however it is split.
#include "runtime/cpu/ThreadPool.h"

#include <gtest/gtest.h>

namespace {

TEST(Pool, RunsEachItemOnce) {
  for (uint32_t spin : {0u, 2000u}) {
    for (uint32_t threads : {1u, 2u, 4u}) {
      auto pool = moelle::ThreadPool::create(threads, spin);
      ASSERT_TRUE(pool.ok());
      for (int64_t grid : {0, 1, 15, 16, 17, 1000}) {
        for (int round = 0; round < 50; ++round) {
          std::vector<int> count(size_t(grid), 0);
          (*pool)->parallelFor(
              grid, 16, [&](int64_t begin, int64_t end, uint32_t thread) {
                EXPECT_LT(thread, threads);
                for (int64_t i = begin; i < end; ++i) {
                  ++count[size_t(i)];
                }
              });
          for (int value : count) {
            ASSERT_EQ(value, 1);
          }
        }
      }
    }
  }
}

TEST(Pool, RefusesThreadCounts) {
  EXPECT_FALSE(moelle::ThreadPool::create(0, 0).ok());
  EXPECT_FALSE(moelle::ThreadPool::create(5000, 0).ok());
}

} // namespace
