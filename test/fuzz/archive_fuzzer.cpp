// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes as an archive: opens it and reads every weight.
#include "lib/Import/Archive.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string error;
  std::string_view bytes(reinterpret_cast<const char *>(data), size);
  auto archive = moelle::Archive::open(bytes, "fuzz", error);
  if (!archive) {
    return 0;
  }
  for (const auto &[name, view] : archive->getWeights()) {
    std::vector<char> out;
    std::string_view lent;
    // Expanded views are legal up to 1 GiB each; that only tests memset.
    int64_t numel = 1;
    for (int64_t extent : view.sizes) {
      numel =
          extent > 0 && extent < 4096 && numel < 4096 ? numel * extent : 4096;
    }
    (void)archive->getContiguous(name, lent, error);
    if (numel < 4096) {
      (void)archive->materialise(name, out, error);
    }
  }
  return 0;
}
