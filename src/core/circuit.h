// What a head would do with tokens alone: whom each likes to read, and what reading it says about the next. Judged from
// weights, without any text. Knows no text and no run.
//
// Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits", sections on QK and OV circuits. With
// x_c = Norm(E[c]), the embedding of token c alone through the norm before the head's attention, gain and bias included,
// and positions left out:
//   QK(c, s) = (x_c·W_Q + b_Q)·(x_s·W_K + b_K) / √d_k        the score that c as destination gives s as source
//   OV(s, c) = (centred((x_s·W_V + b_V)·W_O,h) ∘ g)·U[c]     what weight 1 on s adds to the logit of c
// with g the gain of the final norm. That norm's deviation σ is left out, which depends on the text: in a run logits change
// by OV/σ. Of a head behind the first layer this is the direct path: earlier layers are passed over.
#pragma once
#include <span>

#include "core/decoder.h"
#include "core/tensor.h"

namespace attn::core {

// n×n over these tokens, which lie inside the vocabulary; row: destination, column: source. Layer and head lie inside.
Matrix<double> qkCircuit(const Decoder& decoder, Index layer, Index head, std::span<const Index> tokens);

// n×n over these tokens; row: the source that is read, column: the token whose logit changes.
Matrix<double> ovCircuit(const Decoder& decoder, Index layer, Index head, std::span<const Index> tokens);

}  // namespace attn::core
