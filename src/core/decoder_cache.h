// A decoder that reads one token at a time and keeps the keys and values of those before, so that each step computes one
// row. Knows no text and chooses no token.
#pragma once
#include <cstddef>
#include <vector>

#include "core/decoder.h"
#include "core/result.h"
#include "core/tensor.h"

namespace attn::core {

class DecoderCache {
 public:
  explicit DecoderCache(const Decoder& decoder);  // which outlives it

  Index length() const { return length_; }  // tokens that have been read
  // Of the keys and values that are kept: 2·D floats for each token and layer.
  std::size_t bytes() const;

  // Reads the token at position t = length(): a run whose arrays have one row, that of t, and whose heads have the query
  // of t (1×d_k), all keys and values up to t ((t + 1)×d), scores and weights over them (1×(t + 1)). The row is row t of
  // runDecoder on all tokens, to the last bit. A token outside the vocabulary, one beyond the context and what runDecoder
  // refuses is refused, and nothing is kept of it.
  Result<DecoderRun> next(Index token);

 private:
  struct Layer {
    std::vector<Matrix<float>> keys, values;  // of each head; rows from length_ on are none
  };

  Result<Trace<float>> attend(std::size_t layer, const Matrix<float>& state);

  const Decoder* decoder_;
  std::vector<Layer> layers_;
  Index length_ = 0;
};

}  // namespace attn::core
