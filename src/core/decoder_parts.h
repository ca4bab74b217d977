// The steps of a decoder's forward pass that are the same for a whole text and for one token after the others. Knows
// neither how attention comes by its keys nor what is changed on the way.
#pragma once
#include <cstddef>

#include "core/decoder.h"
#include "core/product.h"

namespace attn::core {

// Eigen ends the program where there is no memory, so ask first: for what is kept of `length` tokens beside the traces,
// which ask themselves, and for the floats of one layer's attention, of which the trace makes a copy, or of its MLP.
Check checkRoom(const Decoder& decoder, std::size_t length);

// x·weight + bias.
template <class Scalar>
Matrix<Scalar> affine(const Matrix<Scalar>& x, const Matrix<Scalar>& weight, const RowVector<Scalar>& bias) {
  Matrix<Scalar> y = product(x, weight);
  y.rowwise() += bias;
  return y;
}

// That the token at this position is one of the model's.
Check checkToken(const Decoder& decoder, Index token, Index position);

// From the attention of a block to the stream after it; the trace's parameters are left out.
BlockRun throughMlp(const DecoderBlock& block, Trace<float> attention);

// The final norm and the logits of the last state.
void readOut(const Decoder& decoder, DecoderRun& run);

}  // namespace attn::core
