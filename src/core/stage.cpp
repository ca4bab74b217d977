// The stages and arrays of the computation: their names in files, links and on the screen. Knows no numbers.
#include "core/stage.h"

#include "core/names.h"

namespace attn::core {
namespace {

constexpr std::array<std::string_view, kStageCount> kStageNames = {
    "norm",   "q",      "k",       "v", "scores", "scaled", "softcapped",
    "biased", "masked", "weights", "z", "concat", "y",      "residual"};

constexpr std::array<std::string_view, kArrayCount> kArrayNames = {
    "state", "x",      "x_sources", "wq",   "wk",     "wv",     "bq",      "bk", "bv",     "q",  "k",  "v", "scores",
    "scaled", "softcapped", "bias", "biased", "masked", "weights", "z", "concat", "wo", "bo", "y", "residual"};

constexpr std::array<Array, kStageCount> kResults = {
    Array::kX,      Array::kQ,      Array::kK,       Array::kV, Array::kScores, Array::kScaled, Array::kSoftcapped,
    Array::kBiased, Array::kMasked, Array::kWeights, Array::kZ, Array::kConcat, Array::kY,      Array::kResidual};

}  // namespace

std::string_view stageName(Stage stage) { return kStageNames[static_cast<std::size_t>(stage)]; }
std::optional<Stage> parseStage(std::string_view name) { return valueNamed<Stage>(kStageNames, name); }
std::string_view arrayName(Array array) { return kArrayNames[static_cast<std::size_t>(array)]; }
std::optional<Array> parseArray(std::string_view name) { return valueNamed<Array>(kArrayNames, name); }

bool isParameter(Array array) {
  switch (array) {
    case Array::kWq: case Array::kWk: case Array::kWv: case Array::kBq: case Array::kBk: case Array::kBv:
    case Array::kWo: case Array::kBo:
      return true;
    default:
      return false;
  }
}

Array resultOf(Stage stage) { return kResults[static_cast<std::size_t>(stage)]; }

}  // namespace attn::core
