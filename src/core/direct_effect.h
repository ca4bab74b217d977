// Who speaks for a token: the logit of one token at one position as a sum of what each part of the decoder has written
// into the residual stream. Knows no text, and nothing of what parts do to each other.
//
// Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits", sections on the residual stream and on direct
// path contributions: the last state s is the sum of all that was added to it. The final norm's mean and deviation σ are
// taken as they are in this run, so the norm is linear, and a part p of s (1×D) speaks with
//   ((p − mean(p)) / σ ∘ gain)·u
// where u is the token's row of the unembedding. What a part changes in other parts, and in σ, is not in its number.
#pragma once
#include <span>
#include <vector>

#include "core/decoder.h"
#include "core/tensor.h"

namespace attn::core {

struct LayerParts {
  std::vector<double> heads;  // z of each head times its rows of W_O
  double attention_bias = 0;  // of W_O
  double mlp = 0;
};

struct LogitParts {
  double token = 0, position = 0;  // the embeddings of the token that stands there, and of the place
  std::vector<LayerParts> layers;
  double norm_bias = 0;  // of the final norm: the same in every run

  double sum() const;  // the logit, up to the rounding of single precision in the run
};

// The parts of run.logits(t, token), in double precision from the numbers of `run`, which is a run of `decoder` on
// `tokens`, with or without interventions. t and token lie inside.
LogitParts logitParts(const Decoder& decoder, const DecoderRun& run, std::span<const Index> tokens, Index t, Index token);

}  // namespace attn::core
