// Texts of expressions together with what these texts come to.
#include "app/printed.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "core/number.h"

namespace attn::app {
namespace {

constexpr std::string_view kMinus = "−";
constexpr double kLargestWhole = 1e9;
constexpr std::size_t kMostTerms = 6, kShownTerms = 2;

bool startsNegative(const Printed& a) { return a.text.starts_with(kMinus); }
bool contains(const Printed& a, std::string_view part) { return a.text.find(part) != std::string::npos; }

// As a left factor or a dividend: a root or a logarithm must not seem to swallow what follows.
std::string leftOperand(const Printed& a) {
  const bool bare = !startsNegative(a) && !contains(a, "√") && !contains(a, "ln");
  return bare || a.text.ends_with(")") ? a.text : "(" + a.text + ")";
}
std::string rightOperand(const Printed& a) { return startsNegative(a) ? "(" + a.text + ")" : a.text; }
std::string divisor(const Printed& a) {
  const bool compound = contains(a, "/") || contains(a, "·") || contains(a, " ") || startsNegative(a);
  return compound && !contains(a, "(") && a.text != "ln 2" ? "(" + a.text + ")" : a.text;
}

// The value of a number written by core::fixedText.
double readFixed(std::string text) {
  const double sign = text.starts_with(kMinus) ? -1 : 1;
  if (sign < 0) text.erase(0, kMinus.size());
  if (text == "∞") return sign * std::numeric_limits<double>::infinity();
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  return sign * std::strtod(text.c_str(), nullptr);
}

}  // namespace

std::string roundedMark() { return " (" + tr("rounded") + "; " + tr("hover for full precision") + ")"; }

std::optional<std::string> Printer::exactly(double value) const {
  if (full_ && std::isfinite(value)) {
    const std::string magnitude = core::fullText(std::abs(value));
    return value < 0 ? std::string(kMinus) + magnitude : magnitude;
  }
  if (exact_) {
    if (in_line_ && mixed_) return std::nullopt;  // this attempt is lost: look for no more exact forms
    auto exact = core::exactText(value);
    mixed_ = mixed_ || (!exact && std::isfinite(value));
    return exact;
  }
  const bool whole = std::abs(value) < kLargestWhole && value == std::floor(value);
  return whole ? std::optional(core::fixedText(value, 0)) : std::nullopt;
}

std::string Printer::text(double value) const { return exactly(value).value_or(core::fixedText(value, decimals_)); }

Printed Printer::number(double value) const {
  if (auto exact = exactly(value)) return {*exact, value};
  const std::string fixed = core::fixedText(value, decimals_);
  return {fixed, readFixed(fixed)};
}

bool Printer::agrees(const Printed& expression, double result) const {
  if (std::isnan(result) || std::isnan(expression.value)) return std::isnan(result) && std::isnan(expression.value);
  if (exactly(result)) {
    // An exact form claims equality: what is left is the rounding of a few operations on doubles.
    return std::abs(expression.value - result) <= 1e-12 * std::max(1.0, std::abs(result));
  }
  const std::string fixed = core::fixedText(result, decimals_);
  if (core::fixedText(expression.value, decimals_) == fixed) return true;
  // A tie may be rounded either way; the margin is for the doubles that come near it.
  const double half_unit = 0.5 * std::pow(10, -decimals_) * (1 + 1e-9);
  return fixed.find('e') == std::string::npos && std::abs(expression.value - readFixed(fixed)) <= half_unit;
}

std::string Printer::partText(const Part& part) const {
  std::string out = part.label;
  const auto follow = [&out](const std::string& next) {
    out += (out.empty() ? "" : out.ends_with(":") ? " " : " = ") + next;
  };
  const std::string result = text(part.result);
  for (const Printed& expression : part.expressions)
    if (expression.text != result) follow(expression.text);
  follow(result);
  return part.set ? tr("{0} → set to {1}", {out, text(*part.set)}) : out;
}

std::string Printer::line(const std::vector<Part>& parts) const {
  std::string out;
  bool adds_up = true;
  for (const Part& part : parts) {
    out += (out.empty() ? "" : "; ") + partText(part);
    for (const Printed& expression : part.expressions) adds_up = adds_up && agrees(expression, part.result);
  }
  return adds_up || full_ ? out : out + roundedMark();
}

Printed product(const Printed& a, const Printed& b) {
  return {leftOperand(a) + "×" + rightOperand(b), a.value * b.value};
}
Printed times(const Printed& a, const Printed& b) {
  return {leftOperand(a) + " × " + rightOperand(b), a.value * b.value};
}
Printed quotient(const Printed& a, const Printed& b) {
  return {leftOperand(a) + " ÷ " + divisor(b), a.value / b.value};
}
Printed ratio(const Printed& a, const Printed& b) { return {leftOperand(a) + " / " + divisor(b), a.value / b.value}; }
Printed difference(const Printed& a, const Printed& b) {
  return {a.text + " − " + rightOperand(b), a.value - b.value};
}
Printed bracketed(const Printed& a) { return {"(" + a.text + ")", a.value}; }
Printed exponential(const Printed& a) { return {"e^(" + a.text + ")", std::exp(a.value)}; }
Printed hyperbolicTangent(const Printed& a) { return {"tanh(" + a.text + ")", std::tanh(a.value)}; }
Printed squareRoot(const Printed& a) { return {"√(" + a.text + ")", std::sqrt(a.value)}; }
Printed square(const Printed& a) { return {"(" + a.text + ")²", a.value * a.value}; }

Printed largest(const std::vector<Printed>& all) {
  Printed result{"max(", -std::numeric_limits<double>::infinity()};
  const bool elided = all.size() > kMostTerms;
  for (std::size_t n = 0; n < all.size(); ++n) {
    result.value = std::max(result.value, all[n].value);
    if (!elided || n < kShownTerms) result.text += (n ? ", " : "") + all[n].text;
  }
  if (elided) result.text += ", … " + tr("{0} scores", {all.size()});
  result.text += ")";
  return result;
}

Printed sum(const std::vector<Printed>& terms, std::string_view counted) {
  if (terms.empty()) return {"0", 0};
  const bool elided = terms.size() > kMostTerms;
  Printed result;
  for (std::size_t n = 0; n < terms.size(); ++n) {
    result.value += terms[n].value;
    if (!elided || n < kShownTerms) result.text += n ? " + " + rightOperand(terms[n]) : terms[n].text;
  }
  if (elided) result.text += " + … (" + tr(counted, {terms.size()}) + ")";
  return result;
}

}  // namespace attn::app
