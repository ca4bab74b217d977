// What may have been done between exported queries and keys and exported weights: a list of departures from the textbook
// computation (scale 1/√d_k, softmax, nothing else). Plain data and its words; computes nothing.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/tensor.h"

namespace attn::audit {

enum class Kind : std::uint8_t {
  // Which cells may be read. `count` is the window or the number of padding positions.
  kCausal, kCausalBottomRight, kWindow, kCausalWindow, kPaddingLeft, kPaddingRight, kZeroCells,
  // Queries and keys before the product.
  kRotary, kRmsNorm, kLengthNorm, kLayerNorm, kSharing,
  // Scores.
  kScale, kTemperature, kSoftcap, kAlibi, kDistanceBias, kColumnBias, kGivenBias, kScores16, kScoresB16,
  // Softmax and after.
  kFill, kPenalty, kSink, kSoftmax16, kSoftmaxB16, kTopK, kDropout, kAveraged,
};

// Queries and keys turned by their positions after they were exported (core/position.h).
struct RotaryStep {
  bool half_split = false;
  double base = 10000;
  core::Index width = 0;   // of the d_k coordinates, the first so many
  core::Index offset = 0;  // position of the first query minus that of the first key

  bool operator==(const RotaryStep&) const = default;
};

enum class ScaleRule : std::uint8_t { kOne, kKeyWidth, kAllHeads, kModelWidth };

struct Departure {
  Kind kind = Kind::kCausal;
  core::Index count = 0;   // window, padding, k of top-k
  double value = 0;        // temperature, soft-cap, slope, sink, fill, 1/(1 − p) of dropout; of the first head where fitted
  RotaryStep rotary = {};
  ScaleRule scale = ScaleRule::kOne;

  bool operator==(const Departure&) const = default;
};

// Empty: the textbook computation without a mask. At most one departure of each kind.
using Hypothesis = std::vector<Departure>;

bool isMask(Kind kind);

// "textbook", "causal", "causal + scale 1", "causal + rotary half-split base 10000 width 32": stable, for files.
std::string codeText(const Hypothesis& hypothesis);

// "scale 1/√d_k, a causal mask", "queries and keys turned by position after they were exported (half-split pairs, base
// 10000, all 64 coordinates)", …: for people.
std::string sayHypothesis(const Hypothesis& hypothesis);

}  // namespace attn::audit
