// What tells an attention layer where a token stands. Knows nothing of words; a learned table is just a T×d matrix.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/tensor.h"

namespace attn::core {

// T×d, Vaswani et al. 2017, section 3.5: column 2i is sin(t / base^(2i/d)), column 2i + 1 the cosine of the same angle.
// With odd d the last column is a sine without its cosine. T, d ≥ 1; base > 0.
Matrix<double> sinusoidalPositions(Index T, Index d, double base = 10000);

// a·b / (‖a‖·‖b‖); 0 when one of them is zero.
double cosineSimilarity(const RowVector<double>& a, const RowVector<double>& b);

// Of row `position` with every row.
RowVector<double> cosineSimilarities(const Matrix<double>& rows, Index position);

// Which two coordinates are turned together.
enum class RotaryLayout : std::uint8_t {
  kInterleaved,  // (0,1), (2,3), …: Su et al. 2021, GPT-J
  kHalfSplit,    // (0, d/2), (1, d/2 + 1), …: GPT-NeoX, Llama in Hugging Face's Transformers
};

// "interleaved", "half-split".
std::string_view rotaryLayoutName(RotaryLayout layout);

// ⌊d/2⌋ angles per step of position: base^(−2i/d). Su et al. 2021 (RoFormer), section 3.2.2.
RowVector<double> rotaryFrequencies(Index d, double base = 10000);

// Row t of x (queries or keys of one head) turned by (first_position + t)·frequency in each pair, so that the dot
// product of two turned rows depends on the distance of their positions only. An odd last coordinate stays as it is.
Matrix<double> rotary(const Matrix<double>& x, RotaryLayout layout, Index first_position = 0, double base = 10000);

// One slope per head: 2^(−8h/H) for h = 1 … H when H is a power of two; otherwise those of the next lower power, then
// every other one of twice that power. Press, Smith and Lewis 2022 (ALiBi), section 3 and their published code.
std::vector<double> alibiSlopes(Index heads);

}  // namespace attn::core
