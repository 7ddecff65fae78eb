// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of one process keep their own code. The loader tells libraries
// apart by path, so that a reused descriptor number would run the first one's.
#include "test/runtime/OneKernel.h"

namespace {

using namespace moelle::test;

float runOnce(moelle_program *program) {
  float x[kItems], y[kItems] = {};
  std::fill(x, x + kItems, 3.f);
  moelle_session *session = bindOneKernel(program, x, y);
  EXPECT_EQ(moelle_session_run(session), MOELLE_OK);
  moelle_session_destroy(&session);
  return y[kItems - 1];
}

TEST(TwoPrograms, EachRunsItsOwnKernels) {
  for (bool swapped : {false, true}) {
    const char *code[] = {TEST_KERNELS, TEST_KERNELS_OTHER};
    moelle_program *first = loadOneKernel(code[swapped]);
    moelle_program *second = loadOneKernel(code[!swapped]);
    EXPECT_EQ(runOnce(first), swapped ? 30 : 6);
    EXPECT_EQ(runOnce(second), swapped ? 6 : 30);
    moelle_program_destroy(&first);
    EXPECT_EQ(runOnce(second), swapped ? 6 : 30);
    moelle_program_destroy(&second);
  }
}

} // namespace
