// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape and dtype rules of the operator tables.
#ifndef MOELLE_DIALECTS_ATEN_INFER_H
#define MOELLE_DIALECTS_ATEN_INFER_H

#include "dialects/aten/Aten.h"

namespace moelle::aten {

using OptionalInts = std::optional<llvm::ArrayRef<int64_t>>;
using OptionalType = std::optional<mlir::Type>;

/// The rules by which an operator's result types follow from its operands and
/// attributes. Every method appends to the inferred types, or emits one error
/// that names the operator, the rule and the value.
class Inference {
public:
  Inference(llvm::StringRef name, mlir::MLIRContext *context,
            std::optional<mlir::Location> location,
            llvm::SmallVectorImpl<mlir::Type> &types)
      : name(name), context(context), location(location), types(types) {}

  using Result = mlir::LogicalResult;
  using Tensors = llvm::ArrayRef<mlir::Value>;
  using Value = mlir::Value;
  using Ints = llvm::ArrayRef<int64_t>;

  Result pointwise(Tensors values);
  Result floating(Tensors values);
  Result predicate(Tensors values);
  Result withNumber(Value self, mlir::Attribute number);
  Result floatingWithNumber(Value self, mlir::Attribute number);
  Result predicateWithNumber(Value self, mlir::Attribute number);
  Result division(Tensors values, std::optional<llvm::StringRef> mode);
  Result divisionWithNumber(Value self, mlir::Attribute number,
                            std::optional<llvm::StringRef> mode);
  Result where(Value condition, Tensors values);
  Result cast(Value self, OptionalType dtype);
  Result same(Value self);

  Result view(Value self, Ints size);
  Result permute(Value self, Ints dims);
  Result expand(Value self, Ints size);
  Result unsqueeze(Value self, int64_t dim);
  Result squeeze(Value self, Ints dims);
  Result slice(Value self, int64_t dim, std::optional<int64_t> start,
               std::optional<int64_t> end, int64_t step);
  Result sliceScatter(Value self, Value source, int64_t dim,
                      std::optional<int64_t> start, std::optional<int64_t> end,
                      int64_t step);
  Result select(Value self, int64_t dim, int64_t index);
  Result split(Value self, Ints sizes, int64_t dim);
  Result cat(mlir::ValueRange tensors, int64_t dim);
  Result pad(Value self, Ints pad);
  Result creation(Ints size, OptionalType dtype, mlir::Attribute number);
  Result arange(mlir::Attribute start, mlir::Attribute end,
                mlir::Attribute step, OptionalType dtype);
  Result literal(mlir::ElementsAttr value);

  Result reduce(Value self, OptionalInts dims, bool keepdim,
                OptionalType dtype);
  Result sum(Value self, OptionalInts dims, bool keepdim, OptionalType dtype);
  Result mean(Value self, OptionalInts dims, bool keepdim, OptionalType dtype);
  Result softmax(Value self, int64_t dim, bool halfToFloat);
  Result cumsum(Value self, int64_t dim, OptionalType dtype);
  Result topk(Value self, int64_t k, int64_t dim);
  Result sort(Value self, int64_t dim);
  Result histc(Value self, int64_t bins);

  Result embedding(Value weight, Value indices);
  Result gather(Value self, int64_t dim, Value index);
  Result scatter(Value self, int64_t dim, Value index);
  Result index(Value self, mlir::ValueRange indices,
               llvm::ArrayRef<bool> present);
  Result indexPut(Value self, mlir::ValueRange indices,
                  llvm::ArrayRef<bool> present, Value values);
  Result permutation(Value self);
  Result product(Value lhs, Value rhs, int64_t rank);
  Result groupedMm(Value lhs, Value rhs, Value offsets);
  Result groupedMmBackward(Value input, Value weight);

private:
  mlir::RankedTensorType typeOf(Value value) const {
    return llvm::cast<mlir::RankedTensorType>(value.getType());
  }
  /// Emits "<op>: <message>" and fails.
  Result fail(const llvm::Twine &message);
  Result add(Ints shape, mlir::Type element);
  /// Checks and wraps a dimension; true on success.
  bool wrap(int64_t &dim, int64_t rank);
  mlir::FailureOr<llvm::SmallVector<int64_t>> broadcast(Tensors values);

  llvm::StringRef name;
  mlir::MLIRContext *context;
  std::optional<mlir::Location> location;
  llvm::SmallVectorImpl<mlir::Type> &types;
};

/// [start, end) of PyTorch's slice, clamped into a dimension of `size`.
SliceRange getSliceRange(mlir::RankedTensorType type, int64_t dim,
                         std::optional<int64_t> start,
                         std::optional<int64_t> end);

} // namespace moelle::aten

#endif // MOELLE_DIALECTS_ATEN_INFER_H
