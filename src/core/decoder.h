// A decoder in the shape of GPT-2: embeddings of tokens and positions, blocks of attention and MLP, a final norm, logits.
// Everything on the way is kept. Knows no text, no file and no training.
//
// Radford et al. 2019, section 2.3: norms stand before attention and MLP, and one more before the logits. With s the
// residual stream, a T×D matrix:
//   s_0 = E[token] + P[position]
//   s' = s + Attention(Norm(s)),  s = s' + MLP(Norm(s')),  MLP(x) = GELU(x·W_1 + b_1)·W_2 + b_2
//   logits = Norm(s)·Uᵀ
// GELU is the tanh form of Hendrycks and Gimpel 2016, section 2, with which GPT-2 was trained.
#pragma once
#include <span>
#include <vector>

#include "core/problem.h"
#include "core/result.h"
#include "core/tensor.h"
#include "core/trace.h"

namespace attn::core {

// ½x·(1 + tanh(√(2/π)·(x + 0.044715x³))).
template <class Scalar>
Scalar gelu(Scalar x);

// y = x·weight + bias; rows are inputs.
template <class Scalar>
struct Linear {
  Matrix<Scalar> weight;
  RowVector<Scalar> bias;
};

template <class Scalar>
struct DecoderBlock {
  Problem<Scalar> attention;  // weights, norm and mask; T, S, state and residual are filled in by runDecoder
  Norm<Scalar> mlp_norm;
  Linear<Scalar> widen, narrow;  // D×M, M×D
};

template <class Scalar>
struct Decoder {
  Matrix<Scalar> tokens;       // E, V×D
  Matrix<Scalar> positions;    // P, C×D: a text has at most C tokens
  std::vector<DecoderBlock<Scalar>> blocks;
  Norm<Scalar> final_norm;
  Matrix<Scalar> unembedding;  // U, V×D; when empty, U = E

  Index vocabulary() const { return tokens.rows(); }
  Index context() const { return positions.rows(); }
  Index width() const { return tokens.cols(); }
};

template <class Scalar>
struct BlockRun {
  Trace<Scalar> attention;  // from the stream as it comes in (problem.state) to what is read next (residual)
  Matrix<Scalar> mlp_input;  // T×D: normalised
  Matrix<Scalar> hidden;     // T×M: before GELU
  Matrix<Scalar> active;     // T×M: after it
  Matrix<Scalar> mlp;        // T×D: what is added to the stream
  Matrix<Scalar> state;      // T×D: the stream after the block
};

template <class Scalar>
struct DecoderRun {
  Matrix<Scalar> embedded;  // s_0
  std::vector<BlockRun<Scalar>> blocks;
  Matrix<Scalar> normalised;  // T×D: by the final norm
  Matrix<Scalar> logits;      // T×V: row t is about the token after t
};

// The decoder's own shapes fit; that is the business of who makes it. Refuses no tokens, more than C, a token outside
// 0 … V − 1, and what computeTrace refuses. Row t of all results depends on tokens 0 … t alone, to the last bit.
template <class Scalar>
Result<DecoderRun<Scalar>> runDecoder(const Decoder<Scalar>& decoder, std::span<const Index> tokens);

}  // namespace attn::core
