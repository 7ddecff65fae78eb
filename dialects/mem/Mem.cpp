// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registration and verifiers of the mem dialect.
#include "dialects/mem/Mem.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace moelle::mem;

#include "dialects/mem/MemDialect.cpp.inc"

void MemDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/mem/MemOps.cpp.inc"
      >();
}

int64_t moelle::mem::getByteSize(ShapedType type) {
  int64_t bytes =
      llvm::divideCeil(isa<ComplexType>(type.getElementType())
                           ? 2 * cast<ComplexType>(type.getElementType())
                                     .getElementType()
                                     .getIntOrFloatBitWidth()
                           : type.getElementTypeBitWidth(),
                       8);
  for (int64_t size : type.getShape()) {
    if (__builtin_mul_overflow(bytes, size, &bytes)) {
      return -1;
    }
  }
  return bytes;
}

LogicalResult SliceOp::verify() {
  int64_t offset = getOffset();
  if (offset < 0 || offset % kAlignment != 0) { // C1
    return emitOpError() << "'offset' must be a non-negative multiple of "
                         << kAlignment << ", but got " << offset;
  }
  auto function = (*this)->getParentOfType<FunctionOpInterface>();
  if (!function) {
    return success();
  }
  int64_t room = -1; // unknown before the plan is complete
  std::string where = "the arena";
  if (getOutput()) {
    where = "output " + std::to_string(*getOutput());
    if (auto types = function->getAttrOfType<ArrayAttr>(kOutputTypesAttr)) {
      bool exists = *getOutput() < types.size();
      auto type = exists ? dyn_cast<TypeAttr>(types[*getOutput()]) : TypeAttr();
      if (!type || !isa<ShapedType>(type.getValue())) {
        return emitOpError() << "'output' must be in [0, " << types.size()
                             << "), but got " << *getOutput();
      }
      room = getByteSize(cast<ShapedType>(type.getValue()));
    }
  } else if (auto arena =
                 function->getAttrOfType<IntegerAttr>(kArenaBytesAttr)) {
    room = arena.getInt();
  }
  int64_t bytes = getByteSize(cast<ShapedType>(getSlice().getType()));
  if (room >= 0 && (bytes < 0 || bytes > room - offset)) { // C2
    return emitOpError() << "must end inside " << where << " of " << room
                         << " bytes, but got offset " << offset << " and "
                         << bytes << " bytes";
  }
  return success();
}

void CopyOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getTargetMutable());
}

#define GET_OP_CLASSES
#include "dialects/mem/MemOps.cpp.inc"
