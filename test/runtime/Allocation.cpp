// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The step path does not allocate, on any thread.
#include "test/runtime/OneKernel.h"

#include <atomic>
#include <cstdlib>
#include <new>

static std::atomic<uint64_t> allocations{0};

#if !defined(__SANITIZE_ADDRESS__) // its other forms of new are not ours
// NOLINTBEGIN: replaces the program's own operators to count their calls.
// Inlined, GCC would take malloc and delete for a mismatched pair.
[[gnu::noinline]] void *operator new(size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  void *memory = std::malloc(size ? size : 1);
  if (!memory) {
    std::abort();
  }
  return memory;
}
[[gnu::noinline]] void operator delete(void *memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void *memory, size_t) noexcept {
  std::free(memory);
}
// NOLINTEND
#endif

namespace {

using namespace moelle::test;

TEST(Allocation, NoneInARun) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "AddressSanitizer keeps its own operators";
#endif
  moelle_program *program = loadOneKernel(TEST_KERNELS);
  float x[kItems] = {}, y[kItems] = {};
  moelle_session *session = bindOneKernel(program, x, y);
  moelle_session_set_timing(session, 1);
  uint64_t before = allocations.load();
  moelle_status status = MOELLE_OK;
  for (int i = 0; i < 20 && status == MOELLE_OK; ++i) {
    status = moelle_session_run(session); // the first checks the bindings
  }
  EXPECT_EQ(allocations.load(), before);
  EXPECT_EQ(status, MOELLE_OK);
  moelle_session_destroy(&session);
  moelle_program_destroy(&program);
}

} // namespace
