// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reader and writer of safetensors files.
#ifndef MOELLE_RUNTIME_SAFETENSORS_H
#define MOELLE_RUNTIME_SAFETENSORS_H

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace moelle {

struct SafeTensor {
  std::string dtype; ///< as the format spells it: F32, BF16, I64, BOOL ...
  std::vector<int64_t> shape;
  const char *data = nullptr;
  uint64_t bytes = 0;
};

/// A mapped file whose header is checked as a whole: dtypes known, sizes equal
/// to the spans, spans inside the file, disjoint and without holes. Immutable.
class SafetensorsFile {
public:
  /// Null on failure, with one message that names the tensor and the rule.
  static std::unique_ptr<SafetensorsFile> open(const std::string &path, std::string &error);
  static bool parse(std::string_view bytes, std::map<std::string, SafeTensor> &tensors, std::string &error);
  ~SafetensorsFile();
  const std::map<std::string, SafeTensor> &getTensors() const { return tensors; }

private:
  std::map<std::string, SafeTensor> tensors;
  void *mapping = nullptr;
  uint64_t size = 0;
};

/// Writes all tensors to a temporary file beside `path` and renames it: on
/// failure nothing is left behind.
bool writeSafetensors(const std::string &path, const std::map<std::string, SafeTensor> &tensors, std::string &error);

} // namespace moelle

#endif // MOELLE_RUNTIME_SAFETENSORS_H
