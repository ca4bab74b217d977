// What the weights of one head do, in six numbers, and the same weights small. Knows no file, no model and no token's
// text.
//
// Weights are T×S. Destination i stands at source position p_i = i + S − T, so that the last of both are one (as where
// earlier sources were kept); in self-attention p_i = i. A row counts when it is a distribution, if not of sum 1: no
// number of it is NaN, infinite or negative, and not all are 0. The others are left out of all that follows.
#pragma once
#include <span>

#include "core/tensor.h"

namespace attn::core {

// Means over rows, each 0 … 1; NaN where no row has any say in it.
struct HeadScores {
  // H_i / ln n_i, with H_i = −Σ_j a ln a over a = w_ij / Σ_j w_ij (Shannon 1948). n_i is p_i + 1 in a head of which no
  // destination reads a source after its own position, otherwise S. Rows of n_i = 1 have no choice and no say.
  // 0: each row reads one source; 1: each reads all that it may equally.
  double entropy = 0;
  double diagonal = 0;  // w(i, p_i): the weight on the position itself
  // w(i, p_i − 1), rows from p_i = 1 on: a head whose mean is near 1 is a previous-token head (Elhage et al. 2021;
  // Olsson et al. 2022).
  double previous = 0;
  // w(i, 0), rows from p_i = 1 on: near 1 where the first source serves as a sink (Xiao et al. 2023).
  double first = 0;
  // Σ w(i, j + 1) over the positions j + 1 < p_i that follow an earlier occurrence j of the token at p_i; rows that
  // have one. Prefix matching, by which induction heads are told (Olsson et al. 2022).
  double repeat = 0;
  // Σ w(i, j) over the earlier positions j < p_i with the token at p_i; rows that have one. Near 1 in a duplicate-token
  // head (Wang et al. 2022).
  double same = 0;

  Index left_out = 0;   // rows
  bool causal = false;  // no destination reads a source after its own position
};

// `tokens` has one number for each source, equal where the tokens are; without them (or with other than S) `repeat` and
// `same` are NaN.
HeadScores headScores(const Matrix<double>& weights, std::span<const Index> tokens = {});

// rows×columns blocks, rows and columns ≥ 1: how much of its weight a destination of the block's rows gives to the
// sources of its columns, on average. So rows sum to what they summed to. Block r has the rows from ⌊r·T/rows⌋ on, at
// least one; NaN where none of them counts, and everywhere when there are no weights.
Matrix<double> smallMap(const Matrix<double>& weights, Index rows, Index columns);

}  // namespace attn::core
