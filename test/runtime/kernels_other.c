/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The symbols of kernels.c with other bodies: a second program's code. */
#include <stdint.h>

void kernel_twice(void *const *buffers, int64_t begin, int64_t end,
                  void *scratch) {
  (void)scratch;
  for (int64_t i = begin; i < end; ++i) {
    ((float *)buffers[1])[i] = 10 * ((const float *)buffers[0])[i];
  }
}
