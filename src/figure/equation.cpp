// The matrices of a computation by name, from the shapes that a Trace has.
#include "figure/equation.h"

#include <algorithm>

#include "core/language.h"
#include "core/number.h"

namespace attn::figure {
namespace {

bool isMap(Array array) {
  switch (array) {
    case Array::kScores: case Array::kScaled: case Array::kSoftcapped: case Array::kBias: case Array::kBiased:
    case Array::kMasked: case Array::kWeights:
      return true;
    default:
      return false;
  }
}

Axis rowAxis(Array array) {
  if (core::isParameter(array)) {
    return Axis::kNone;
  }
  return array == Array::kXSources || array == Array::kK || array == Array::kV ? Axis::kSources : Axis::kDestinations;
}

std::optional<Stage> stageThatWrites(const Equation& equation, Array array) {
  for (const Stage stage : equation.stages) {
    if (core::resultOf(stage) == array) {
      return stage;
    }
  }
  return std::nullopt;
}

std::string projection(const Equation& equation, Array input, Array weight, Array bias) {
  std::string text = arrayTitle(input) + "·" + arrayTitle(weight);
  return equation.has(bias) ? text + " + " + arrayTitle(bias) : text;
}

}  // namespace

const EquationPart* Equation::find(Array array) const {
  const auto found = std::find_if(parts.begin(), parts.end(), [&](const EquationPart& p) { return p.array == array; });
  return found == parts.end() ? nullptr : &*found;
}

bool Equation::has(Stage stage) const { return std::find(stages.begin(), stages.end(), stage) != stages.end(); }

Array Equation::inputOf(Stage stage) const {
  switch (stage) {
    case Stage::kNorm: return Array::kState;
    case Stage::kQ: return Array::kX;
    case Stage::kK:
    case Stage::kV: return cross && has(Array::kXSources) ? Array::kXSources : Array::kX;
    case Stage::kScores: return Array::kQ;
    case Stage::kZ: return Array::kWeights;
    case Stage::kConcat: return Array::kZ;
    case Stage::kResidual: return Array::kY;
    case Stage::kY: return has(Stage::kConcat) ? Array::kConcat : Array::kZ;
    default: break;
  }
  Array before = Array::kScores;
  for (const Stage earlier : stages) {
    if (earlier == stage) {
      break;
    }
    if (earlier >= Stage::kScores && earlier <= Stage::kMasked) {
      before = core::resultOf(earlier);
    }
  }
  return before;
}

Equation equationOf(const core::Trace<double>& trace, Index head) {
  Equation equation;
  equation.stages = core::stagesOf(trace.problem);
  equation.cross = trace.problem.cross;
  equation.heads = static_cast<Index>(trace.heads.size());
  equation.distance_bias = !trace.problem.alibi.empty();
  equation.has_sink = !trace.problem.sink.empty();
  const auto& one = trace.heads[static_cast<std::size_t>(head)];
  equation.scale_text = trace.default_scale ? "÷ √" + std::to_string(one.q.cols()) : "× " + core::fixedText(trace.scale, 4);
  if (!trace.default_scale && core::fixedIsExact(trace.scale, 0)) {
    equation.scale_text = "× " + core::fixedText(trace.scale, 0);
  }
  if (trace.problem.temperature) {
    equation.scale_text += " ÷ " + core::fullText(*trace.problem.temperature);
  }
  if (trace.problem.softcap) {
    equation.softcap_text = tr("cap {0}", {core::fullText(*trace.problem.softcap)});
  }
  for (int i = 0; i < core::kArrayCount; ++i) {
    const auto array = static_cast<Array>(i);
    const core::ArrayView view = core::arrayOf(trace, head, array);
    const auto writer = stageThatWrites(equation, array);
    const bool shown = writer || core::isParameter(array) || array <= Array::kV || array == Array::kBias;
    if (view && shown && view.rows > 0 && view.columns > 0) {
      equation.parts.push_back({array, view.rows, view.columns, rowAxis(array), isMap(array)});
    }
  }
  return equation;
}

std::string arrayTitle(Array array) {
  switch (array) {
    case Array::kState: return tr("state");
    case Array::kX: return "X";
    case Array::kXSources: return "X_sources";
    case Array::kWq: return "W_Q";
    case Array::kWk: return "W_K";
    case Array::kWv: return "W_V";
    case Array::kBq: return "b_Q";
    case Array::kBk: return "b_K";
    case Array::kBv: return "b_V";
    case Array::kQ: return "Q";
    case Array::kK: return "K";
    case Array::kV: return "V";
    case Array::kScores: return tr("scores");
    case Array::kScaled: return tr("scaled");
    case Array::kSoftcapped: return tr("capped");
    case Array::kBias: return tr("bias");
    case Array::kBiased: return tr("biased");
    case Array::kMasked: return tr("masked");
    case Array::kWeights: return tr("weights");
    case Array::kZ: return "z";
    case Array::kConcat: return "concat";
    case Array::kWo: return "W_O";
    case Array::kBo: return "b_O";
    case Array::kY: return "y";
    case Array::kResidual: return tr("residual");
  }
  return {};
}

std::string arrayFormula(const Equation& equation, Array array) {
  const auto writer = stageThatWrites(equation, array);
  const std::string name = arrayTitle(array);
  if (!writer) {
    return name;
  }
  const Array input = equation.inputOf(*writer);
  switch (*writer) {
    case Stage::kNorm: return name + " = norm(" + arrayTitle(input) + ")";
    case Stage::kQ: return name + " = " + projection(equation, input, Array::kWq, Array::kBq);
    case Stage::kK: return name + " = " + projection(equation, input, Array::kWk, Array::kBk);
    case Stage::kV: return name + " = " + projection(equation, input, Array::kWv, Array::kBv);
    case Stage::kScores: return name + " = Q·Kᵀ";
    case Stage::kScaled: return name + " = " + arrayTitle(input) + " " + equation.scale_text;
    case Stage::kWeights: return name + " = softmax(" + arrayTitle(input) + ")";
    case Stage::kZ: return name + " = " + arrayTitle(input) + "·V";
    case Stage::kY:
      return name + " = " + (equation.has(Array::kWo) ? projection(equation, input, Array::kWo, Array::kBo)
                                                      : arrayTitle(input) + (equation.has(Array::kBo) ? " + b_O" : ""));
    case Stage::kResidual:
      return name + " = y + " + arrayTitle(equation.has(Array::kState) ? Array::kState : Array::kX);
    default: return name;
  }
}

std::string provenance(const Equation& equation, Array array) {
  if (core::isParameter(array)) {
    return tr("stored");
  }
  const bool by_rule = array == Array::kBias && equation.distance_bias;
  return by_rule || stageThatWrites(equation, array) ? tr("computed") : tr("given");
}

std::string operatorText(const Equation& equation, Stage stage) {
  switch (stage) {
    case Stage::kNorm: return "norm";
    case Stage::kScores: return "Q·Kᵀ";
    case Stage::kScaled: return equation.scale_text;
    case Stage::kSoftcapped: return equation.softcap_text;
    case Stage::kMasked: return tr("mask");
    case Stage::kWeights: return equation.has_sink ? tr("softmax, sink") : "softmax";
    case Stage::kConcat: return tr("join heads");
    case Stage::kY:
      return equation.has(Array::kWo) ? "· W_O" : equation.has(Array::kBo) ? "+ b_O" : tr("as it is");
    default: return {};
  }
}

}  // namespace attn::figure
