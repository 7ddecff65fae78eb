/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels of the runtime's tests: y = 2 x + 1 through a temporary. */
#include <stdint.h>

void kernel_twice(void *const *b, int64_t begin, int64_t end, void *scratch) {
  float *s = scratch;
  for (int64_t i = begin; i < end; ++i) {
    s[0] = ((const float *)b[0])[i];
    ((float *)b[1])[i] = s[0] * 2;
  }
}

void kernel_plus_one(void *const *b, int64_t begin, int64_t end,
                     void *scratch) {
  (void)scratch;
  for (int64_t i = begin; i < end; ++i) {
    ((float *)b[1])[i] = ((const float *)b[0])[i] + 1;
  }
}
