// The names of the stages of one attention sublayer, in the order in which they happen,
// and of the arrays that they read and write.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace attn::core {

enum class Stage : std::uint8_t {
  kNorm, kQ, kK, kV, kScores, kScaled, kSoftcapped, kBiased, kMasked, kWeights, kZ, kConcat, kY, kResidual,
};
inline constexpr int kStageCount = 14;

// As in links, documents and JSON: "norm", "q", …, "residual".
std::string_view stageName(Stage stage);
std::optional<Stage> parseStage(std::string_view name);

// Every array that a person can see or point at. Parameters are stored; the rest is given or computed from this input.
enum class Array : std::uint8_t {
  kState, kX, kXSources, kWq, kWk, kWv, kBq, kBk, kBv, kQ, kK, kV, kScores, kScaled, kSoftcapped, kBias, kBiased,
  kMasked, kWeights, kZ, kConcat, kWo, kBo, kY, kResidual,
};
inline constexpr int kArrayCount = 25;

// As in the Trace JSON: "state", "x", "x_sources", "wq", …
std::string_view arrayName(Array array);
std::optional<Array> parseArray(std::string_view name);

// W_Q, W_K, W_V, W_O and the biases of the projections.
bool isParameter(Array array);

// The array that a stage writes (norm writes x).
Array resultOf(Stage stage);

}  // namespace attn::core
