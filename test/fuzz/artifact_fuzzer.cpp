// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verification of an artifact: its header, and whatever its hash says, the
// payload behind it. Loads no code.
#include "runtime/ArtifactFormat.h"
#include "runtime/VerifyPayload.h"

#include <cstdlib>

using namespace moelle;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // Exact in size but for the rounding to whole lines, which is zero.
  size_t room = (size / 64 + 1) * 64;
  auto *copy = static_cast<std::byte *>(std::aligned_alloc(64, room));
  std::memset(copy + size, 0, room - size);
  if (size != 0) {
    std::memcpy(copy, data, size);
  }
  artifact::Header header;
  auto file = artifact::verifyHeader({copy, size}, &header);
  (void)file.ok();
  if (size >= sizeof(header)) {
    auto program =
        artifact::verifyPayload({copy + sizeof(header), size - sizeof(header)});
    if (program.ok()) {
      Status status = artifact::checkTarget(**program);
      (void)status.ok();
    }
  }
  std::free(copy);
  return 0;
}
