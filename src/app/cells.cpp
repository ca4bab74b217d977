// Looks from the Trace and its mask, texts from the choices.
#include "app/cells.h"

#include <algorithm>
#include <cmath>

#include "core/number.h"
#include "lesson/token_text.h"

namespace attn::app {
namespace {

using core::Array;
using figure::CellLook;

constexpr double kHuge = 1e5;             // from here on as "1e5"
constexpr double kSmallestRounded = 9.5;  // to a whole number
constexpr double kClippedShare = 0.99;    // of the weights, where single ones would leave the rest in the dark
constexpr Index kManySources = 32;

// "1e12", "−1.5e7": as many digits as a cell has room for.
std::string shortText(double value, int digits) {
  const int decimals = std::clamp(digits - 2, 0, 2);
  auto exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
  if (std::abs(value) / std::pow(10.0, exponent) + 0.5 * std::pow(10.0, -decimals) >= 10) {
    ++exponent;  // 9.999 is printed as 10
  }
  std::string text = core::fixedText(value / std::pow(10.0, exponent), decimals);
  while (text.find('.') != std::string::npos && (text.back() == '0' || text.back() == '.')) {
    text.pop_back();
  }
  return text + "e" + std::to_string(exponent);
}

// "" where so few decimals would leave too little of a small number.
std::string decimalText(double value, int decimals) {
  if (std::abs(value) >= kHuge) {
    return shortText(value, decimals);
  }
  const bool whole = value == std::floor(value);
  return decimals == 0 && !whole && std::abs(value) < kSmallestRounded ? "" : core::fixedText(value, whole ? 0 : decimals);
}

}  // namespace

bool isMasked(Array array) { return array == Array::kMasked || array == Array::kWeights; }

CellLook lookOf(const core::Trace<double>& trace, Index head, Array array, Index row, Index column, double value, bool set) {
  const auto& status = trace.heads[static_cast<std::size_t>(head)].softmax.row_status;
  const bool no_source = status[static_cast<std::size_t>(row < trace.problem.T ? row : 0)] == core::RowStatus::kNoSource;
  if ((array == Array::kWeights || array == Array::kZ) && no_source && !set && value == 0) return CellLook::kNoSource;
  if (isMasked(array) && !trace.mask.allowed(row, column) && !(array == Array::kWeights && value != 0)) return CellLook::kBlocked;
  if (std::isnan(value)) return CellLook::kNan;
  if (std::isinf(value)) return value > 0 ? CellLook::kInfinity : CellLook::kMinusInfinity;
  return array == Array::kWeights && value == 0 && !set ? CellLook::kUnderflow : CellLook::kValue;
}

int cellForms(const State& state) { return state.decimals + 2; }

std::string cellText(const State& state, double value, int form) {
  if (form > 0) return decimalText(value, state.decimals - (form - 1));
  return state.exact ? core::exactText(value).value_or("") : "";
}

double largestMagnitude(const double* values, Index count) {
  double largest = 0;
  for (Index i = 0; i < count; ++i) {
    if (std::isfinite(values[i])) largest = std::max(largest, std::abs(values[i]));
  }
  return largest;
}

figure::Scale signedScale(double largest) {
  const double high = largest > 0 ? largest : 1;
  return {true, -high, high};
}

figure::Scale weightScale(const core::Trace<double>& trace, Index head, bool& clipped) {
  const core::ArrayView weights = core::arrayOf(trace, head, Array::kWeights);
  clipped = false;
  if (weights.columns <= kManySources) return {false, 0, 1};
  std::vector<double> allowed;
  for (Index i = 0; i < weights.rows; ++i) {
    for (Index j = 0; j < weights.columns; ++j) {
      if (trace.mask.allowed(i, j)) allowed.push_back(weights(i, j));
    }
  }
  if (allowed.empty()) return {false, 0, 1};
  const auto nth = allowed.begin() + static_cast<std::ptrdiff_t>(kClippedShare * static_cast<double>(allowed.size() - 1));
  std::nth_element(allowed.begin(), nth, allowed.end());
  clipped = *nth < 0.5 && *nth > 0;
  return {false, 0, clipped ? *nth : 1};
}

AxisLabels axisLabels(const lesson::Example& example, bool sources, bool show_spaces) {
  AxisLabels names;
  const std::vector<std::string>& tokens = sources ? example.sources : example.tokens;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    names.numbers.push_back(std::to_string(static_cast<Index>(i) + example.first_index));
    names.tokens.push_back(lesson::tokenText(tokens[i], show_spaces));
    names.labels.push_back(names.tokens[i] == names.numbers[i] ? names.numbers[i] : names.numbers[i] + " " + names.tokens[i]);
  }
  return names;
}

}  // namespace attn::app
