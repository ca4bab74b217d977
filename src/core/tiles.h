// Attention that never holds the whole T×S grid: sources arrive in tiles, and each destination keeps its largest score
// so far, the sum of exponentials and a weighted sum of values, rescaled whenever the largest score grows. The running
// maximum and sum are those of Milakov and Gimelshein 2018 (algorithm 3); with the output, Rabe and Staats 2021 and
// Dao et al. 2022 (FlashAttention, algorithm 1). Every state in between is kept here, for showing.
#pragma once
#include <vector>

#include "core/mask.h"
#include "core/tensor.h"

namespace attn::core {

// One tile of the grid: rows row_begin … row_end − 1 and columns column_begin … column_end − 1, and what the rows of
// this tile hold after it. r = row_end − row_begin, c = column_end − column_begin.
struct Tile {
  Index row_begin = 0, row_end = 0, column_begin = 0, column_end = 0;
  bool blocked = false;        // the mask blocks every cell: nothing is computed, the state stays
  Matrix<double> masked;       // r×c: scaled scores, −∞ where blocked
  RowVector<double> tile_max;  // r: largest allowed score of this tile, −∞ when there is none
  RowVector<double> row_max;   // r: largest so far
  RowVector<double> rescale;   // r: e^(row_max before − row_max), the factor for sum and output so far; 0 at first
  Matrix<double> exp;          // r×c: e^(score − row_max), 0 where blocked
  RowVector<double> row_sum;   // r: sum of exponentials so far
  Matrix<double> output;       // r×d_v: Σ exp·v so far, not yet divided by row_sum
};

struct TiledAttention {
  Index tile_rows = 0, tile_columns = 0;  // as used: at most T and S
  std::vector<Tile> tiles;                // row block by row block, sources in order
  RowVector<double> row_max, row_sum;     // T
  Matrix<double> z;                       // T×d_v: output ÷ row_sum; 0 in rows that may read nothing
};

// q is T×d_k, k S×d_k, v S×d_v, mask T×S; tile sizes ≥ 1. Equal to softmax(q·kᵀ·scale)·v to rounding.
TiledAttention attendInTiles(const Matrix<double>& q, const Matrix<double>& k, const Matrix<double>& v, double scale,
                             const Mask& mask, Index tile_rows, Index tile_columns);

}  // namespace attn::core
