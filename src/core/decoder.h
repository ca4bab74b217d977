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

#include "core/half_matrix.h"
#include "core/problem.h"
#include "core/result.h"
#include "core/tensor.h"
#include "core/trace.h"

namespace attn::core {

// ½x·(1 + tanh(√(2/π)·(x + 0.044715x³))).
template <class Scalar>
Scalar gelu(Scalar x);

// y = x·weight + bias; rows are inputs.
struct Linear {
  HalfMatrix weight;
  RowVector<float> bias;
};

struct DecoderBlock {
  Index heads = 1;  // they divide D evenly
  Norm<float> attention_norm;
  Linear qkv;  // D×3D: columns are those of Q, of K, of V, and within each head by head
  Linear mix;  // D×D: W_O and its bias
  Norm<float> mlp_norm;
  Linear widen, narrow;  // D×M, M×D
};

// Matrices are float16, as most files of models have them: GPT-2 with 124 million parameters takes 250 MB. They become
// floats each time that they are computed with, one layer after the other; all sums are in single precision.
struct Decoder {
  HalfMatrix tokens;       // E, V×D
  HalfMatrix positions;    // P, C×D: a text has at most C tokens
  std::vector<DecoderBlock> blocks;
  Norm<float> final_norm;
  HalfMatrix unembedding;  // U, V×D; when empty, U = E

  Index vocabulary() const { return tokens.rows(); }
  Index context() const { return positions.rows(); }
  Index width() const { return tokens.cols(); }
  const HalfMatrix& readout() const { return unembedding.size() > 0 ? unembedding : tokens; }  // U
};

// The attention of a block as a problem to compute: weights, norm and causal mask. T, S, state and residual are left to
// fill in.
Problem<float> attentionOf(const DecoderBlock& block);

struct BlockRun {
  // From the stream as it comes in (problem.state) to what is read next (residual). Of the problem's parameters the
  // weights and biases are left out: attentionOf gives them, and a large model has no room for them twice.
  Trace<float> attention;
  Matrix<float> mlp_input;  // T×D: normalised
  Matrix<float> hidden;     // T×M: before GELU
  Matrix<float> active;     // T×M: after it
  Matrix<float> mlp;        // T×D: what is added to the stream
  Matrix<float> state;      // T×D: the stream after the block
};

struct DecoderRun {
  Matrix<float> embedded;  // s_0
  std::vector<BlockRun> blocks;
  Matrix<float> normalised;  // T×D: by the final norm
  Matrix<float> logits;      // T×V: row t is about the token after t

  // T×D: the stream as far as it has been computed.
  const Matrix<float>& finalState() const { return blocks.empty() ? embedded : blocks.back().state; }
};

// What is done to an array of one layer's attention in a run.
struct LayerIntervention {
  Index layer = 0;
  Intervention what;
};

// The decoder's own shapes fit; that is the business of who makes it. Refuses no tokens, more than C, a token outside
// 0 … V − 1, a run whose memory cannot be had, and what computeTrace refuses. Row t of all results depends on tokens
// 0 … t alone, to the last bit. The interventions of a layer are carried out in their order; refused are those about a
// layer that is not there, and those after which a position may read nothing.
Result<DecoderRun> runDecoder(const Decoder& decoder, std::span<const Index> tokens,
                              std::span<const LayerIntervention> interventions = {});

// The final norm and the unembedding on any state (n×D): what the model would expect if it stopped there, n×V (the "logit
// lens" of nostalgebraist 2020).
Matrix<float> logitsFrom(const Decoder& decoder, const Matrix<float>& state);

}  // namespace attn::core
