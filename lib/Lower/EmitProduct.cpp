// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matmul kernel family: packed panels, register tiles, cache blocks.
#include "lib/Lower/EmitKernels.h"

#include "dialects/aten/AtenElements.h"
#include "lib/Analysis/AccessRecorder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace moelle;

namespace {

/// Tile sizes, after Goto and van de Geijn (2008): a panel of the right operand
/// stays in L1, both blocks and the result tile in L2.
struct Tiles {
  int64_t lanes = 16;      ///< elements of a vector register
  int64_t rows = 8;        ///< of a register tile
  int64_t vectors = 3;     ///< of a register tile's width
  int64_t blockRows = 192; ///< of a work item
  int64_t blockColumns = 384;
  int64_t depth = 192; ///< of a packed block
  int64_t columns() const { return vectors * lanes; }
};

class Product {
public:
  Product(KernelFunction &k, ContractionOpInterface op, Contraction product)
      : k(k), b(k.builder), loc(op.getLoc()), op(op), product(product),
        lhs(cast<RankedTensorType>(op->getOperand(product.lhs).getType())),
        rhs(cast<RankedTensorType>(op->getOperand(product.rhs).getType())),
        result(
            cast<RankedTensorType>(op->getResult(product.result).getType())) {}

  LogicalResult emit();

private:
  using Kind = Contraction::Kind;
  Value at(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value sub(Value x, Value y) { return arith::SubIOp::create(b, loc, x, y); }
  Value mul(Value x, int64_t y) {
    return arith::MulIOp::create(b, loc, x, at(y));
  }
  Value div(Value x, int64_t y) {
    return arith::DivUIOp::create(b, loc, x, at(y));
  }
  Value rem(Value x, int64_t y) {
    return arith::RemUIOp::create(b, loc, x, at(y));
  }
  Value least(Value x, Value y) { return arith::MinSIOp::create(b, loc, x, y); }
  Value panels(Value count, int64_t size) {
    return div(add(count, at(size - 1)), size);
  }
  Value pick(Value c, Value x, Value y) {
    return arith::SelectOp::create(b, loc, c, x, y);
  }
  Value less(Value x, Value y) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, x, y);
  }
  void loop(Value low, Value high, int64_t step,
            llvm::function_ref<void(Value)> body) {
    OpBuilder::InsertionGuard guard(b);
    auto loop = scf::ForOp::create(b, loc, low, high, at(step));
    b.setInsertionPointToStart(loop.getBody());
    body(loop.getInductionVar());
  }
  /// Inclusive offset of `group` as an index value.
  Value offsetOf(Value group) {
    BodyEmitter e(b, loc, k.buffers);
    Value value = e.read(op->getOperand(product.offsets),
                         {e.addSymbol(group, 0, groups - 1)});
    Value at0 = arith::IndexCastOp::create(b, loc, b.getIndexType(), value);
    // Wrong offsets must not leave the buffers.
    int64_t limit = product.kind == Kind::grouped_rows ? M : K;
    return least(arith::MaxSIOp::create(b, loc, at0, at(0)), at(limit));
  }
  void locate(Value item);
  Value element(bool left, BodyEmitter &e, AffineExpr group, AffineExpr outer,
                AffineExpr inner);
  bool depthIsConsecutive(bool left);
  void pack(bool left, Value memory, Value first, Value count, Value depthFirst,
            Value depthCount);
  void multiply(Value depthCount);
  LogicalResult finish();
  Value sumValue() { return op->getResult(product.result); }
  std::optional<SmallVector<int64_t>> stridesOf(Value value);

  KernelFunction &k;
  OpBuilder &b;
  Location loc;
  ContractionOpInterface op;
  Contraction product;
  RankedTensorType lhs, rhs, result;
  Tiles tiles;
  Type type; ///< products are summed in
  int64_t groups = 1, M = 0, N = 0, K = 0;
  Value packedLhs, packedRhs, sums;
  // The work item at hand.
  Value group, row, rowCount, column, columnCount, depthBegin, depthEnd;
};

/// Where the work item lies: its group, rows, columns and range of contraction.
void Product::locate(Value item) {
  int64_t columnTiles = llvm::divideCeil(N, tiles.blockColumns),
          rowTiles = llvm::divideCeil(M, tiles.blockRows);
  Value tile = div(item, columnTiles);
  column = mul(rem(item, columnTiles), tiles.blockColumns);
  columnCount = least(at(tiles.blockColumns), sub(at(N), column));
  depthBegin = at(0);
  depthEnd = at(K);
  if (product.kind != Kind::grouped_rows) {
    group = div(tile, rowTiles);
    row = mul(rem(tile, rowTiles), tiles.blockRows);
    rowCount = least(at(tiles.blockRows), sub(at(M), row));
    if (product.kind == Kind::grouped_outer) {
      Value previous = arith::MaxSIOp::create(b, loc, sub(group, at(1)), at(0));
      depthBegin = pick(less(at(0), group), offsetOf(previous), at(0));
      depthEnd = offsetOf(group);
    }
    return;
  }
  // Tiles are counted group after group; rows past the last offset are one
  // more group, whose contraction is empty, so that they become 0.
  SmallVector<Value> init{at(0), at(0), at(groups), at(0),
                          at(0)}; // offset, tiles so far, group, row, end
  auto search = scf::ForOp::create(b, loc, at(0), at(groups + 1), at(1), init);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(search.getBody());
    ValueRange state = search.getRegionIterArgs();
    Value g = search.getInductionVar();
    Value isTail =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, g, at(groups));
    Value stop = pick(isTail, at(M), offsetOf(least(g, at(groups - 1))));
    stop = arith::MaxSIOp::create(b, loc, stop, state[0]);
    Value count = panels(sub(stop, state[0]), tiles.blockRows);
    Value inside = arith::AndIOp::create(
        b, loc,
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, tile,
                              state[1]),
        less(tile, add(state[1], count)));
    Value start =
        add(state[0], arith::MulIOp::create(b, loc, sub(tile, state[1]),
                                            at(tiles.blockRows)));
    scf::YieldOp::create(b, loc,
                         ValueRange{stop, add(state[1], count),
                                    pick(inside, g, state[2]),
                                    pick(inside, start, state[3]),
                                    pick(inside, stop, state[4])});
  }
  row = search.getResult(3);
  rowCount = least(at(tiles.blockRows), sub(search.getResult(4), row));
  Value isTail = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                       search.getResult(2), at(groups));
  group = least(search.getResult(2), at(groups - 1));
  depthEnd = pick(isTail, at(0), at(K));
}

Value Product::element(bool left, BodyEmitter &e, AffineExpr g,
                       AffineExpr outer, AffineExpr inner) {
  // `outer` is the row or column, `inner` the contracted index.
  bool transposed = left ? product.transposeLhs : product.transposeRhs;
  bool outerFirst = left;
  if (left && product.kind == Kind::grouped_outer) {
    outerFirst = transposed; // [R,M] unless transposed
  } else if (transposed) {
    outerFirst = !outerFirst;
  }
  SmallVector<AffineExpr> index;
  if ((left ? lhs : rhs).getRank() == 3) {
    index.push_back(g);
  }
  index.push_back(outerFirst ? outer : inner);
  index.push_back(outerFirst ? inner : outer);
  return aten::convertScalar(
      b, loc, e.read(op->getOperand(left ? product.lhs : product.rhs), index),
      type);
}

/// Whether neighbours along the contraction are neighbours in memory.
bool Product::depthIsConsecutive(bool left) {
  OpBuilder::InsertionGuard guard(b);
  auto probe = scf::ForOp::create(b, loc, at(0), at(0), at(1));
  b.setInsertionPointToStart(probe.getBody());
  BodyEmitter e(b, loc, k.buffers);
  AffineExpr g = e.addDim(at(0), 0, groups - 1),
             outer = e.addDim(at(0), 0, (left ? M : N) - 1),
             inner = e.addDim(at(0), 0, K - 1);
  (void)element(left, e, g, outer, inner);
  bool result = e.lastStride(inner) == 1 && e.lastStride(outer) != 1;
  probe.erase();
  return result;
}

/// Packs `count` rows (columns) from `first` on into panels of the register
/// tile's height (width): [panel][depth][lane]. Lanes past the count stay
/// undefined; their products are never stored.
void Product::pack(bool left, Value memory, Value first, Value count,
                   Value depthFirst, Value depthCount) {
  int64_t width = left ? tiles.rows : tiles.columns();
  bool depthInner = depthIsConsecutive(left);
  loop(at(0), panels(count, width), 1, [&](Value panel) {
    Value start = mul(panel, width);
    Value lanes = least(at(width), sub(count, start));
    Value base = mul(panel, width * tiles.depth);
    Value outerFirst = add(first, start);
    auto body = [&](Value lane, Value depth) {
      BodyEmitter e(b, loc, k.buffers);
      AffineExpr g = e.addSymbol(group, 0, groups - 1);
      AffineExpr outer = e.addSymbol(outerFirst, 0, (left ? M : N) - 1) +
                         e.addDim(lane, 0, width - 1);
      AffineExpr inner = e.addSymbol(depthFirst, 0, K - 1) +
                         e.addDim(depth, 0, tiles.depth - 1);
      // The sum of a start and a counter stays inside the operand.
      auto whole = [&](AffineExpr sum, int64_t size) {
        return e.addDim(e.indexValue(sum), 0, size - 1);
      };
      Value value =
          element(left, e, g, whole(outer, left ? M : N), whole(inner, K));
      memref::StoreOp::create(b, loc, value, memory,
                              add(add(base, mul(depth, width)), lane));
    };
    if (depthInner) {
      loop(at(0), lanes, 1, [&](Value lane) {
        loop(at(0), depthCount, 1, [&](Value depth) { body(lane, depth); });
      });
    } else {
      loop(at(0), depthCount, 1, [&](Value depth) {
        loop(at(0), lanes, 1, [&](Value lane) { body(lane, depth); });
      });
    }
  });
}

/// sums += packed left block x packed right block, a register tile at a time.
void Product::multiply(Value depthCount) {
  auto vector = VectorType::get({tiles.lanes}, type);
  // A block sums from zero: a chain of roundings is no longer than a block,
  // however long the contraction.
  Value zero =
      arith::ConstantOp::create(b, loc, cast<TypedAttr>(b.getZeroAttr(vector)));
  int64_t width = tiles.columns();
  loop(at(0), panels(columnCount, width), 1, [&](Value right) {
    loop(at(0), panels(rowCount, tiles.rows), 1, [&](Value left) {
      SmallVector<Value> places, init;
      for (int64_t i = 0; i < tiles.rows; ++i) {
        for (int64_t v = 0; v < tiles.vectors; ++v) {
          Value place =
              add(mul(add(mul(left, tiles.rows), at(i)), tiles.blockColumns),
                  add(mul(right, width), at(v * tiles.lanes)));
          places.push_back(place);
          init.push_back(zero);
        }
      }
      Value leftBase = mul(left, tiles.rows * tiles.depth),
            rightBase = mul(right, width * tiles.depth);
      auto depth = scf::ForOp::create(b, loc, at(0), depthCount, at(1), init);
      {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToStart(depth.getBody());
        Value l = add(leftBase, mul(depth.getInductionVar(), tiles.rows));
        Value r = add(rightBase, mul(depth.getInductionVar(), width));
        SmallVector<Value> columns, next;
        for (int64_t v = 0; v < tiles.vectors; ++v) {
          columns.push_back(vector::LoadOp::create(
              b, loc, vector, packedRhs, add(r, at(v * tiles.lanes))));
        }
        for (int64_t i = 0; i < tiles.rows; ++i) {
          Value scalar =
              memref::LoadOp::create(b, loc, packedLhs, add(l, at(i)));
          Value rowValue = vector::BroadcastOp::create(b, loc, vector, scalar);
          for (int64_t v = 0; v < tiles.vectors; ++v) {
            next.push_back(vector::FMAOp::create(
                b, loc, rowValue, columns[v],
                depth.getRegionIterArg(i * tiles.vectors + v)));
          }
        }
        scf::YieldOp::create(b, loc, next);
      }
      for (auto [value, place] : llvm::zip(depth.getResults(), places)) {
        Value before = vector::LoadOp::create(b, loc, vector, sums, place);
        Value sum = arith::AddFOp::create(b, loc, before, value);
        vector::StoreOp::create(b, loc, sum, sums, place);
      }
    });
  });
}

/// The strides in the product along the dimensions of a result of the kernel;
/// nothing where the result reads no element of it, or not at such a place.
std::optional<SmallVector<int64_t>> Product::stridesOf(Value value) {
  AccessRecorder recorder(loc, [&](Value v) { return v == sumValue(); });
  auto shape = cast<RankedTensorType>(value.getType());
  SmallVector<AffineExpr> index;
  for (int64_t size : shape.getShape()) {
    index.push_back(recorder.addDim(size));
  }
  (void)recorder.read(value, index);
  for (const Access &access : recorder.getAccesses()) {
    if (access.tensor == sumValue()) {
      return getStrides(access.offset, shape.getRank());
    }
  }
  return std::nullopt;
}

/// Rounds the sums and applies what follows the product, into the results.
LogicalResult Product::finish() {
  SmallVector<Value> returned = llvm::to_vector(k.kernel.getReturned());
  SmallVector<std::optional<SmallVector<int64_t>>> strides =
      llvm::map_to_vector(returned,
                          [&](Value value) { return stridesOf(value); });
  bool fits = true;
  // The offset in result `number` of the element of the product at `offset`.
  auto placeIn = [&](unsigned number,
                     AffineExpr offset) -> SmallVector<AffineExpr> {
    auto shape = cast<RankedTensorType>(returned[number].getType()).getShape();
    auto place = strides[number] ? invertAccess(*strides[number], shape, offset)
                                 : std::nullopt;
    fits &= place.has_value();
    return place.value_or(SmallVector<AffineExpr>(shape.size(), offset * 0));
  };
  auto offsetOf = [&](AffineExpr g, AffineExpr r, AffineExpr c) {
    return result.getRank() == 3 ? g * (M * N) + r * N + c : r * N + c;
  };
  auto body = [&](Value i, Value j, ArrayRef<unsigned> results) {
    BodyEmitter e(b, loc, k.buffers);
    Value sum = memref::LoadOp::create(b, loc, sums,
                                       add(mul(i, tiles.blockColumns), j));
    AffineExpr g = e.addDim(group, 0, groups - 1),
               r = e.addDim(add(row, i), 0, M - 1),
               c = e.addDim(add(column, j), 0, N - 1);
    AffineExpr offset = offsetOf(g, r, c);
    e.setKnown(sumValue(), offset,
               aten::convertScalar(b, loc, sum, result.getElementType()));
    for (unsigned number : results) {
      SmallVector<AffineExpr> place = placeIn(number, offset);
      e.store(
          e.read(returned[number], place), k.results[number],
          linearise(place, cast<RankedTensorType>(returned[number].getType())));
    }
    fits &= !e.hasMisplacedRead();
  };
  // Results whose neighbours are the product's column neighbours, and others.
  SmallVector<unsigned> byRow, byColumn;
  for (auto [number, value] : llvm::enumerate(returned)) {
    BodyEmitter e(b, loc, k.buffers);
    AffineExpr g = e.addDim(group, 0, groups - 1), r = e.addDim(row, 0, M - 1),
               c = e.addDim(column, 0, N - 1);
    AffineExpr offset =
        e.simplify(linearise(placeIn(number, offsetOf(g, r, c)),
                             cast<RankedTensorType>(value.getType())));
    (e.strideOf(offset, r) == 1 && e.strideOf(offset, c) != 1 ? byColumn
                                                              : byRow)
        .push_back(number);
  }
  if (!byRow.empty()) {
    loop(at(0), rowCount, 1, [&](Value i) {
      loop(at(0), columnCount, 1, [&](Value j) { body(i, j, byRow); });
    });
  }
  if (!byColumn.empty()) {
    loop(at(0), columnCount, 1, [&](Value j) {
      loop(at(0), rowCount, 1, [&](Value i) { body(i, j, byColumn); });
    });
  }
  if (!fits) {
    return k.kernel.emitError()
           << "'" << k.kernel.getSymName()
           << "' must read each element of its product at one place";
  }
  return success();
}

LogicalResult Product::emit() {
  type = aten::getComputeType(result.getElementType());
  if (!isa<FloatType>(type)) {
    return op->emitError() << "a product must have a floating dtype, but got "
                           << type;
  }
  tiles.lanes = 64 / (type.getIntOrFloatBitWidth() / 8);
  M = result.getDimSize(result.getRank() - 2);
  N = result.getDimSize(result.getRank() - 1);
  K = lhs.getDimSize(lhs.getRank() - 1);
  groups =
      product.offsets >= 0
          ? cast<RankedTensorType>(op->getOperand(product.offsets).getType())
                .getDimSize(0)
          : (result.getRank() == 3 ? result.getDimSize(0) : 1);
  if (product.kind == Kind::grouped_outer) {
    K = rhs.getDimSize(0);
  }
  tiles.vectors = std::clamp<int64_t>(llvm::divideCeil(N, tiles.lanes), 1, 3);
  tiles.blockColumns =
      llvm::alignTo(std::min(N, tiles.blockColumns), tiles.columns());
  tiles.blockRows = llvm::alignTo(std::min(M, tiles.blockRows), tiles.rows);
  tiles.depth = std::max<int64_t>(1, std::min(K, tiles.depth));
  int64_t columnTiles = llvm::divideCeil(N, tiles.blockColumns),
          rowTiles = llvm::divideCeil(M, tiles.blockRows);
  k.shape.items = columnTiles * (product.kind == Kind::grouped_rows
                                     ? M / tiles.blockRows + groups + 1
                                     : groups * rowTiles);
  if (result.getNumElements() == 0) {
    k.shape.items = 0;
    return success();
  }
  int64_t size = type.getIntOrFloatBitWidth() / 8;
  int64_t left = tiles.blockRows * tiles.depth,
          right = tiles.blockColumns * tiles.depth,
          tile = tiles.blockRows * tiles.blockColumns;
  auto bytes = [&](int64_t count) { return llvm::alignTo(count * size, 64); };
  packedLhs = k.getScratch(0, left, type);
  packedRhs = k.getScratch(bytes(left), right, type);
  sums = k.getScratch(bytes(left) + bytes(right), tile, type);
  k.shape.scratchBytes = bytes(left) + bytes(right) + bytes(tile);
  Value zero =
      arith::ConstantOp::create(b, loc, cast<TypedAttr>(b.getZeroAttr(type)));
  LogicalResult status = success();
  loop(k.begin, k.end, 1, [&](Value item) {
    locate(item);
    loop(at(0), mul(rowCount, tiles.blockColumns), 1,
         [&](Value i) { memref::StoreOp::create(b, loc, zero, sums, i); });
    loop(depthBegin, depthEnd, tiles.depth, [&](Value first) {
      Value count = least(at(tiles.depth), sub(depthEnd, first));
      pack(true, packedLhs, row, rowCount, first, count);
      pack(false, packedRhs, column, columnCount, first, count);
      multiply(count);
    });
    status = finish();
  });
  return status;
}

} // namespace

LogicalResult moelle::emitProduct(KernelFunction &k,
                                  ContractionOpInterface op) {
  for (const Contraction &product : op.getContractions()) {
    if (failed(Product(k, op, product).emit())) {
      return failure();
    }
  }
  return success();
}
