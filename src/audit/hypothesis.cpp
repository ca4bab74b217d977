// The codes and the words of departures.
#include "audit/hypothesis.h"

#include <cmath>

#include "audit/number_text.h"
#include "core/language.h"

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
  const std::string pairs = rotary.half_split ? tr("half-split pairs") : tr("interleaved pairs");
  const std::string base = parameterText(rotary.base);
  if (rotary.offset == 0) {
    return tr("queries and keys turned by position after they were exported (rotary, {0}, base {1}, {2} coordinates)",
              {pairs, base, rotary.width});
  }
  return tr("queries and keys turned by position after they were exported (rotary, {0}, base {1}, {2} coordinates, the first "
            "query at position {3})", {pairs, base, rotary.width, rotary.offset});
}

std::string wordsOf(const Departure& d) {
  switch (d.kind) {
    case Kind::kCausal: return tr("a causal mask");
    case Kind::kCausalBottomRight: return tr("a causal mask that aligns the last positions");
    case Kind::kWindow: return tr("a window of {0} {0|position|positions}", {d.count});
    case Kind::kCausalWindow: return tr("a causal window of {0} {0|position|positions}", {d.count});
    case Kind::kPaddingLeft: return tr("the first {0} {0|source|sources} masked as padding", {d.count});
    case Kind::kPaddingRight: return tr("the last {0} {0|source|sources} masked as padding", {d.count});
    case Kind::kZeroCells: return tr("a mask that blocks exactly the cells that are 0");
    case Kind::kRotary: return rotaryWords(d.rotary);
    case Kind::kRmsNorm: return tr("queries and keys divided by their root mean square after they were exported");
    case Kind::kLengthNorm: return tr("queries and keys divided by their lengths after they were exported");
    case Kind::kLayerNorm: return tr("queries and keys layer-normalised after they were exported");
    case Kind::kSharing: return tr("query head h reading key/value head h mod G, where it should be ⌊h·G/H⌋");
    case Kind::kScale: return tr("scale {0} in the place of 1/√d_k", {scaleText(d.scale)});
    case Kind::kTemperature: return tr("scores divided by a temperature of {0}", {parameterText(d.value)});
    case Kind::kSoftcap: return tr("scores capped softly at {0}", {parameterText(d.value)});
    case Kind::kAlibi: return tr("ALiBi, slope {0} in the first head", {parameterText(d.value)});
    case Kind::kDistanceBias: return tr("a bias that depends on the distance alone");
    case Kind::kColumnBias: return tr("a bias that depends on the source alone");
    case Kind::kGivenBias: return tr("the exported bias added to the scores");
    case Kind::kScores16: return tr("scores rounded to float16");
    case Kind::kScoresB16: return tr("scores rounded to bfloat16");
    case Kind::kFill: return tr("masked scores set to {0} instead of −∞", {parameterText(d.value)});
    case Kind::kPenalty: return tr("{0} added to masked scores instead of −∞", {parameterText(d.value)});
    case Kind::kSink:
      return tr("a sink of score {0} in the first head, which takes a share of each row", {parameterText(d.value)});
    case Kind::kSoftmax16: return tr("weights rounded to float16");
    case Kind::kSoftmaxB16: return tr("weights rounded to bfloat16");
    case Kind::kTopK: return tr("only the {0} largest {0|score|scores} of each row kept", {d.count});
    case Kind::kDropout: return tr("dropout of {0} % of the weights", {parameterText(100 * (1 - 1 / d.value))});
    case Kind::kAveraged: return tr("the mean of all heads");
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
  return hypothesis.empty() ? tr("scale 1/√d_k and no mask") : joined(hypothesis, ", ", wordsOf);
}

}  // namespace attn::audit
