// Small random decoders. Knows core only.
#pragma once
#include <cstdint>

#include "core/decoder.h"

namespace attn::test {

inline constexpr core::Index kDecoderVocabulary = 11, kDecoderContext = 12, kDecoderWidth = 8, kDecoderHeads = 2,
                             kDecoderHidden = 20;

// Rounded to float16.
core::HalfMatrix halfOf(const core::Matrix<float>& matrix);

// Of those sizes, with an unembedding of its own; another one for each seed.
core::Decoder randomDecoder(std::uint64_t seed, int blocks);

}  // namespace attn::test
