// The codes and the words of departures.
#include "audit/hypothesis.h"

#include <cmath>

#include "audit/number_text.h"

namespace attn::audit {
namespace {

// Whole numbers in full, others with four digits: what is fitted is known no better.
std::string parameterText(double value) {
  return numberText(value, value == std::round(value) && std::abs(value) < 1e15 ? 17 : 4);
}

const char* scaleText(ScaleRule rule) {
  switch (rule) {
    case ScaleRule::kOne: return "1";
    case ScaleRule::kKeyWidth: return "1/d_k";
    case ScaleRule::kAllHeads: return "1/sqrt(H*d_k)";
    case ScaleRule::kModelWidth: return "1/sqrt(d_model)";
  }
  return "";
}

std::string counted(core::Index count, const char* one, const char* many) {
  return std::to_string(count) + (count == 1 ? one : many);
}

std::string codeOf(const Departure& d) {
  const std::string count = std::to_string(d.count);
  switch (d.kind) {
    case Kind::kCausal: return "causal";
    case Kind::kCausalBottomRight: return "causal bottom-right";
    case Kind::kWindow: return "window " + count;
    case Kind::kCausalWindow: return "causal window " + count;
    case Kind::kPaddingLeft: return "padding left " + count;
    case Kind::kPaddingRight: return "padding right " + count;
    case Kind::kZeroCells: return "mask as the zeros";
    case Kind::kRotary:
      return std::string("rotary ") + (d.rotary.half_split ? "half-split" : "interleaved") + " base " +
             parameterText(d.rotary.base) + " width " + std::to_string(d.rotary.width) +
             (d.rotary.offset != 0 ? " offset " + std::to_string(d.rotary.offset) : "");
    case Kind::kRmsNorm: return "rms-normalised q and k";
    case Kind::kLengthNorm: return "length-normalised q and k";
    case Kind::kLayerNorm: return "layer-normalised q and k";
    case Kind::kSharing: return "key/value head h mod G";
    case Kind::kScale: return std::string("scale ") + scaleText(d.scale);
    case Kind::kTemperature: return "temperature " + parameterText(d.value);
    case Kind::kSoftcap: return "softcap " + parameterText(d.value);
    case Kind::kAlibi: return "alibi " + parameterText(d.value);
    case Kind::kDistanceBias: return "bias by distance";
    case Kind::kColumnBias: return "bias by source";
    case Kind::kGivenBias: return "bias as exported";
    case Kind::kScores16: return "scores in float16";
    case Kind::kScoresB16: return "scores in bfloat16";
    case Kind::kFill: return "fill " + parameterText(d.value);
    case Kind::kPenalty: return "penalty " + parameterText(d.value);
    case Kind::kSink: return "sink " + parameterText(d.value);
    case Kind::kSoftmax16: return "softmax in float16";
    case Kind::kSoftmaxB16: return "softmax in bfloat16";
    case Kind::kTopK: return "top-" + count;
    case Kind::kDropout: return "dropout " + parameterText(1 - 1 / d.value);
    case Kind::kAveraged: return "mean of the heads";
  }
  return "";
}

std::string rotaryWords(const RotaryStep& rotary) {
  return std::string("queries and keys turned by position after they were exported (rotary, ") +
         (rotary.half_split ? "half-split" : "interleaved") + " pairs, base " + parameterText(rotary.base) + ", " +
         std::to_string(rotary.width) + " coordinates" +
         (rotary.offset != 0 ? ", the first query at position " + std::to_string(rotary.offset) : "") + ")";
}

std::string wordsOf(const Departure& d) {
  switch (d.kind) {
    case Kind::kCausal: return "a causal mask";
    case Kind::kCausalBottomRight: return "a causal mask that aligns the last positions";
    case Kind::kWindow: return "a window of " + counted(d.count, " position", " positions");
    case Kind::kCausalWindow: return "a causal window of " + counted(d.count, " position", " positions");
    case Kind::kPaddingLeft: return "the first " + counted(d.count, " source", " sources") + " masked as padding";
    case Kind::kPaddingRight: return "the last " + counted(d.count, " source", " sources") + " masked as padding";
    case Kind::kZeroCells: return "a mask that blocks exactly the cells that are 0";
    case Kind::kRotary: return rotaryWords(d.rotary);
    case Kind::kRmsNorm: return "queries and keys divided by their root mean square after they were exported";
    case Kind::kLengthNorm: return "queries and keys divided by their lengths after they were exported";
    case Kind::kLayerNorm: return "queries and keys layer-normalised after they were exported";
    case Kind::kSharing: return "query head h reading key/value head h mod G, where it should be ⌊h·G/H⌋";
    case Kind::kScale: return std::string("scale ") + scaleText(d.scale) + " in the place of 1/√d_k";
    case Kind::kTemperature: return "scores divided by a temperature of " + parameterText(d.value);
    case Kind::kSoftcap: return "scores capped softly at " + parameterText(d.value);
    case Kind::kAlibi: return "ALiBi, slope " + parameterText(d.value) + " in the first head";
    case Kind::kDistanceBias: return "a bias that depends on the distance alone";
    case Kind::kColumnBias: return "a bias that depends on the source alone";
    case Kind::kGivenBias: return "the exported bias added to the scores";
    case Kind::kScores16: return "scores rounded to float16";
    case Kind::kScoresB16: return "scores rounded to bfloat16";
    case Kind::kFill: return "masked scores set to " + parameterText(d.value) + " instead of −∞";
    case Kind::kPenalty: return parameterText(d.value) + " added to masked scores instead of −∞";
    case Kind::kSink: return "a sink of score " + parameterText(d.value) + " in the first head, which takes a share of each row";
    case Kind::kSoftmax16: return "weights rounded to float16";
    case Kind::kSoftmaxB16: return "weights rounded to bfloat16";
    case Kind::kTopK: return "only the " + counted(d.count, " largest score", " largest scores") + " of each row kept";
    case Kind::kDropout: return "dropout of " + parameterText(100 * (1 - 1 / d.value)) + " % of the weights";
    case Kind::kAveraged: return "the mean of all heads";
  }
  return "";
}

template <class Text>
std::string joined(const Hypothesis& hypothesis, const char* between, Text text) {
  std::string all;
  for (const Departure& departure : hypothesis) all += (all.empty() ? "" : between) + text(departure);
  return all;
}

}  // namespace

bool isMask(Kind kind) { return kind <= Kind::kZeroCells; }

std::string codeText(const Hypothesis& hypothesis) {
  return hypothesis.empty() ? "textbook" : joined(hypothesis, " + ", codeOf);
}

std::string sayHypothesis(const Hypothesis& hypothesis) {
  return hypothesis.empty() ? "scale 1/√d_k and no mask" : joined(hypothesis, ", ", wordsOf);
}

}  // namespace attn::audit
