// Operands and results of one cell, and the formulas in letters. Which of them are shown: number_lines.cpp.
#include "app/numbers.h"

#include <cmath>

#include "app/words.h"
#include "core/language.h"
#include "core/number.h"

namespace attn::app {

using core::Array;
using core::Stage;

namespace {

// A token that can stand in a formula in place of q or k: one word, and the only one of its kind.
bool namesItself(const std::vector<std::string>& tokens, Index position) {
  const std::string& token = tokens[static_cast<std::size_t>(position)];
  if (token.empty() || token.size() > 16) return false;
  for (char c : token)
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) return false;
  Index same = 0;
  for (const std::string& other : tokens) same += other == token;
  return same == 1;
}

std::string meanAndVariance(bool gain, bool bias) {
  std::string formula = tr("x = (state − mean) ÷ √(variance + eps)");
  if (gain) formula += " × " + tr("gain");
  return bias ? formula + " + " + tr("bias") : formula;
}

}  // namespace

Numbers::Numbers(const Session& session, Printer printer)
    : session_(session),
      trace_(session.trace()),
      head_(session.trace().heads[static_cast<std::size_t>(session.state().head)]),
      example_(session.example()),
      printer_(printer) {}

core::ArrayView Numbers::array(Array name) const { return core::arrayOf(trace_, session_.state().head, name); }

bool Numbers::silent(Stage stage, Index row) const {
  return row >= 0 && (stage == Stage::kWeights || stage == Stage::kZ) && !anySet(Stage::kWeights, row) &&
         head_.softmax.row_status[static_cast<std::size_t>(row)] == core::RowStatus::kNoSource;
}

double Numbers::computed(Stage stage, Index row, Index col) const {
  return core::computedOf(trace_, session_.state().head, core::resultOf(stage))(row, col);
}

std::optional<double> Numbers::set(Stage stage, Index row, Index col) const {
  const Array result = core::resultOf(stage);
  if (!core::intervened(trace_.problem, result, session_.state().head, row, col)) return std::nullopt;
  return array(result)(row, col);
}

bool Numbers::anySet(Stage stage, Index row) const {
  const Index columns = array(core::resultOf(stage)).columns;
  for (Index j = 0; j < columns; ++j)
    if (set(stage, row, j)) return true;
  return false;
}

// The score as the stage before `stage` left it.
double Numbers::before(Stage stage, Index row, Index col) const {
  if (stage > Stage::kBiased && head_.biased) return (*head_.biased)(row, col);
  if (stage > Stage::kSoftcapped && head_.softcapped) return (*head_.softcapped)(row, col);
  return head_.scaled(row, col);
}

std::vector<Numbers::Term> Numbers::dotTerms(core::ArrayView a, Index row, core::ArrayView b, Index col,
                                             core::ArrayView bias) const {
  std::vector<Term> all;
  for (Index n = 0; n < a.columns; ++n)
    all.push_back({product(number(a(row, n)), number(b(n, col))), a(row, n) * b(n, col)});
  if (bias) all.push_back({number(bias(0, col)), bias(0, col)});
  return all;
}

std::vector<Numbers::Term> Numbers::mixTerms(Index row, Index col) const {
  std::vector<Term> all;
  for (Index j = 0; j < head_.v.rows(); ++j) {
    const double weight = head_.softmax.weights(row, j), value = head_.v(j, col);
    if (trace_.mask.allowed(row, j) || weight != 0)
      all.push_back({product(number(weight), number(value)), weight * value, false});
    else
      all.push_back({Printed{}, 0, true});
  }
  return all;
}

std::vector<Numbers::Term> Numbers::terms(Stage stage, Index row, Index col) const {
  const core::ArrayView sources = trace_.problem.cross ? array(Array::kXSources) : array(Array::kX);
  switch (stage) {
    case Stage::kQ: return dotTerms(array(Array::kX), row, array(Array::kWq), col, array(Array::kBq));
    case Stage::kK: return dotTerms(sources, row, array(Array::kWk), col, array(Array::kBk));
    case Stage::kV: return dotTerms(sources, row, array(Array::kWv), col, array(Array::kBv));
    case Stage::kScores: {
      std::vector<Term> all;
      for (Index n = 0; n < head_.q.cols(); ++n)
        all.push_back({product(number(head_.q(row, n)), number(head_.k(col, n))), head_.q(row, n) * head_.k(col, n)});
      return all;
    }
    case Stage::kZ: return mixTerms(row, col);
    case Stage::kY: {
      if (trace_.problem.wo) return dotTerms(array(Array::kConcat), row, array(Array::kWo), col, array(Array::kBo));
      const double copied = trace_.concat(row, col);
      std::vector<Term> all = {{number(copied), copied}};
      if (const auto bias = array(Array::kBo)) all.push_back({number(bias(0, col)), bias(0, col)});
      return all;
    }
    default: return {};
  }
}

Printed Numbers::scaled(double score) const {
  Printed result = number(score);
  if (trace_.default_scale) {
    const auto d_k = static_cast<double>(head_.q.cols());
    result = quotient(result, {"√" + std::to_string(head_.q.cols()), std::sqrt(d_k)});
  } else {
    result = times(result, number(trace_.scale));
  }
  if (trace_.problem.temperature) result = quotient(result, number(*trace_.problem.temperature));
  return result;
}

Printed Numbers::normalised(Index row, Index col) const {
  const core::Norm<double>& norm = *trace_.problem.norm;
  const auto state = trace_.problem.state->row(row);
  const double mean = state.sum() / static_cast<double>(state.size());
  const double variance = (state.array() - mean).square().sum() / static_cast<double>(state.size());
  const Printed eps{core::fullText(norm.eps), norm.eps};
  Printed result = quotient(bracketed(difference(number(state(col)), number(mean))),
                            squareRoot(sum({number(variance), eps})));
  if (norm.gain) result = times(result, number((*norm.gain)(col)));
  if (norm.bias) result = sum({result, number((*norm.bias)(col))});
  return result;
}

// What an exponential of the row is divided by.
Printed Numbers::denominator(Index row) const {
  const Printed sum_of_row = number(head_.softmax.row_sum(row));
  if (!head_.sink) return sum_of_row;
  const Printed sink = exponential(difference(number(*head_.sink), number(head_.softmax.row_max(row))));
  return bracketed(sum({sum_of_row, sink}));
}

Printed Numbers::cell(Stage stage, Index row, Index col) const {
  switch (stage) {
    case Stage::kNorm: return normalised(row, col);
    case Stage::kScaled: return scaled(head_.scores(row, col));
    case Stage::kSoftcapped: {
      const Printed cap = number(*trace_.problem.softcap);
      return times(cap, hyperbolicTangent(quotient(number(head_.scaled(row, col)), cap)));
    }
    case Stage::kBiased:
      return sum({number(before(Stage::kBiased, row, col)), number((*head_.bias)(row, col))});
    case Stage::kWeights:
      return ratio(exponential(difference(number(head_.masked(row, col)), number(head_.softmax.row_max(row)))),
                   denominator(row));
    case Stage::kResidual: {
      const auto held = trace_.problem.state ? array(Array::kState) : array(Array::kX);
      return sum({number(trace_.y(row, col)), number(held(row, col))});
    }
    case Stage::kMasked: return number(head_.masked(row, col));
    case Stage::kConcat: return number(trace_.concat(row, col));
    default: break;
  }
  std::vector<Printed> printed;
  for (const Term& term : terms(stage, row, col))
    if (!term.blocked) printed.push_back(term.printed);
  return sum(printed, trLater("{0} products"));
}

std::string Numbers::label(Stage stage, Index row, Index col) const {
  if (stage != Stage::kScores) return "";
  const bool named = namesItself(example_.tokens, row) && namesItself(example_.sources, col);
  if (named)
    return example_.tokens[static_cast<std::size_t>(row)] + "·" + example_.sources[static_cast<std::size_t>(col)];
  return indexed("q", example_, row) + "·" + indexed("k", example_, col);
}

Numbers::Part Numbers::part(Stage stage, Index row, Index col) const {
  return {label(stage, row, col), {cell(stage, row, col)}, computed(stage, row, col), set(stage, row, col)};
}

std::string Numbers::formula(const Step& step) const {
  const core::Problem<double>& p = trace_.problem;
  const bool one = step.row >= 0;
  const auto name = [&](std::string_view letter, std::string_view whole) {
    return one ? indexed(letter, example_, step.row) : std::string(whole);
  };
  const auto projection = [&](std::string_view letter, std::string_view whole, bool bias, bool source) {
    const std::string input = source && p.cross ? tr("{0} (sources)", {name("x", "X")}) : name("x", "X");
    const std::string letters(whole);
    return name(letter, whole) + " = " + input + "·W_" + letters + (bias ? " + b_" + letters : "");
  };
  switch (step.stage) {
    case Stage::kNorm: return meanAndVariance(p.norm->gain.has_value(), p.norm->bias.has_value());
    case Stage::kQ: return projection("q", "Q", !p.bq.empty(), false);
    case Stage::kK: return projection("k", "K", !p.bk.empty(), true);
    case Stage::kV: return projection("v", "V", !p.bv.empty(), true);
    case Stage::kScores: return tr("score = q_i·k_j, the sum of products of a query and a key");
    case Stage::kScaled: return tr("scaled = score {0}", {scaleText(session_)});
    case Stage::kSoftcapped: return tr("capped = c × tanh(scaled ÷ c), c = {0}", {printer_.text(*p.softcap)});
    case Stage::kBiased:
      if (p.bias.empty()) return tr("biased = score + bias, bias = −slope × distance");
      return p.alibi.empty() ? tr("biased = score + bias") : tr("biased = score + bias, bias = given − slope × distance");
    case Stage::kMasked: return tr("masked = score where reading is allowed, −∞ where it is blocked");
    case Stage::kWeights:
      return head_.sink ? tr("weight = e^(score − max) / (sum of e^(score − max) over the row + e^(sink − max))")
                        : tr("weight = e^(score − max) / (sum of e^(score − max) over the row)");
    case Stage::kZ: return tr("{0} = sum over all sources of weight × value", {name("z", "z_i")});
    case Stage::kConcat: return tr("concat = the z of every head, side by side");
    case Stage::kY: {
      const std::string input = trace_.heads.size() > 1 ? "concat" : name("z", "Z");
      return name("y", "Y") + " = " + input + (p.wo ? "·W_O" : "") + (p.bo ? " + b_O" : "");
    }
    case Stage::kResidual: return p.state ? tr("residual = y + state") : tr("residual = y + x");
  }
  return "";
}

}  // namespace attn::app
