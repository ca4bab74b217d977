// Attention tile by tile, every state kept. Knows nothing of heads or projections.
#include "core/tiles.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace attn::core {
namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

struct Operands {
  const Matrix<double>&q, &k, &v;
  double scale;
  const Mask& mask;
};

// Masked scores of the tile; also sets `blocked` and `tile_max`.
void scoreTile(const Operands& in, Tile& tile) {
  const Index rows = tile.row_end - tile.row_begin, columns = tile.column_end - tile.column_begin;
  tile.masked.setConstant(rows, columns, kMinusInfinity);
  tile.tile_max.setConstant(rows, kMinusInfinity);
  tile.blocked = true;
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) {
      const Index row = tile.row_begin + i, column = tile.column_begin + j;
      if (!in.mask.allowed(row, column)) continue;
      tile.blocked = false;
      double score = 0;
      for (Index d = 0; d < in.q.cols(); ++d) score += in.q(row, d) * in.k(column, d);
      tile.masked(i, j) = score * in.scale;
      tile.tile_max(i) = std::max(tile.tile_max(i), tile.masked(i, j));
    }
  }
}

// The tile's exponentials join the running state that it was given (row_max, row_sum, output).
void joinTile(const Operands& in, Tile& tile) {
  const Index rows = tile.masked.rows(), columns = tile.masked.cols();
  tile.exp.setZero(rows, columns);
  tile.rescale.setOnes(rows);
  for (Index i = 0; i < rows; ++i) {
    const double before = tile.row_max(i), now = std::max(before, tile.tile_max(i));
    if (now == kMinusInfinity) continue;  // nothing allowed yet: (−∞) − (−∞) has no value
    tile.rescale(i) = std::exp(before - now);
    tile.row_max(i) = now;
    tile.row_sum(i) *= tile.rescale(i);
    tile.output.row(i) *= tile.rescale(i);
    for (Index j = 0; j < columns; ++j) {
      if (tile.masked(i, j) == kMinusInfinity) continue;
      tile.exp(i, j) = std::exp(tile.masked(i, j) - now);
      tile.row_sum(i) += tile.exp(i, j);
      tile.output.row(i) += tile.exp(i, j) * in.v.row(tile.column_begin + j);
    }
  }
}

}  // namespace

TiledAttention attendInTiles(const Matrix<double>& q, const Matrix<double>& k, const Matrix<double>& v, double scale,
                             const Mask& mask, Index tile_rows, Index tile_columns) {
  const Index T = q.rows(), S = k.rows();
  assert(q.cols() == k.cols() && v.rows() == S && mask.rows() == T && mask.columns() == S);
  assert(T >= 1 && S >= 1 && tile_rows >= 1 && tile_columns >= 1);
  const Operands in{q, k, v, scale, mask};
  TiledAttention out;
  out.tile_rows = std::min(tile_rows, T);
  out.tile_columns = std::min(tile_columns, S);
  out.row_max.resize(T);
  out.row_sum.resize(T);
  out.z.setZero(T, v.cols());
  for (Index row = 0; row < T; row += out.tile_rows) {
    const Index rows = std::min(out.tile_rows, T - row);
    Tile tile;  // carries the running state from one column of tiles to the next
    tile.row_max.setConstant(rows, kMinusInfinity);
    tile.row_sum.setZero(rows);
    tile.output.setZero(rows, v.cols());
    tile.row_begin = row;
    tile.row_end = row + rows;
    for (Index column = 0; column < S; column += out.tile_columns) {
      tile.column_begin = column;
      tile.column_end = std::min(column + out.tile_columns, S);
      scoreTile(in, tile);
      joinTile(in, tile);
      out.tiles.push_back(tile);
    }
    out.row_max.segment(row, rows) = tile.row_max;
    out.row_sum.segment(row, rows) = tile.row_sum;
    for (Index i = 0; i < rows; ++i)
      if (tile.row_sum(i) > 0) out.z.row(row + i) = tile.output.row(i) / tile.row_sum(i);
  }
  return out;
}

}  // namespace attn::core
