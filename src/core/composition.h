// How much of what a head writes into the residual stream a head of a later layer reads, judged from weights alone. Knows
// no input and no model file.
//
// Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits", section "Three Kinds of Composition". There
// vectors are columns; here they are rows, so with x of 1×D a head adds x·W_OV to the stream, and its scores are
// x_i·W_QK·x_jᵀ, where
//   W_OV = diag(g)·W_V·W_O,  W_QK = diag(g)·W_Q·W_Kᵀ·diag(g)     (D×D, of rank d_v and d_k at most)
// with g the gain of the norm before the head's attention, folded into what the head reads. The norm's centring and
// division, all biases and the MLPs in between are left out. For an earlier head a and a later head b:
//   Q: ‖W_OV(a)·W_QK(b)‖ / (‖W_OV(a)‖·‖W_QK(b)‖)     a's output as what b's queries are made of
//   K: ‖W_QK(b)·W_OV(a)ᵀ‖ / (‖W_QK(b)‖·‖W_OV(a)‖)    … keys
//   V: ‖W_OV(a)·W_OV(b)‖ / (‖W_OV(a)‖·‖W_OV(b)‖)     … values
// with Frobenius norms. 0: b reads nothing of what a writes; 1, the most: nothing of it is lost, and b reads nothing else.
#pragma once
#include <cstdint>

#include "core/problem.h"
#include "core/tensor.h"

namespace attn::core {

// The D×D matrix left·right, whose rank is small: left is D×r, right r×D.
struct LowRank {
  Matrix<double> left, right;
};

// ‖left·right‖, the root of the sum of all squares.
double frobeniusNorm(const LowRank& map);

struct HeadMaps {
  LowRank qk, ov;
};

// Of a decoder's attention (attentionOf), which has weights, W_O and heads of one width.
HeadMaps headMaps(const Problem<float>& attention, Index head);

// Each 0 … 1; NaN where one of the two maps is 0.
struct Composition {
  double q = 0, k = 0, v = 0;
};
Composition composition(const HeadMaps& earlier, const HeadMaps& later);

// What two maps of this width and rank have in common by chance: the mean of ‖A·B‖ / (‖A‖·‖B‖) over seeded draws of
// normal factors. About 1/√D, for Q, K and V alike. draws ≥ 1.
double randomComposition(Index width, Index rank, int draws, std::uint64_t seed);

}  // namespace attn::core
