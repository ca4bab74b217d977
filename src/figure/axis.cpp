// Steps of 1, 2 and 5.
#include "figure/axis.h"

#include <algorithm>
#include <cmath>

#include "core/number.h"

namespace attn::figure {
namespace {

// "10⁶", "2·10⁷".
std::string powerText(int mantissa, int exponent) {
  static const char* const kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = mantissa == 1 ? "10" : std::to_string(mantissa) + "·10";
  if (exponent < 0) text += "⁻";
  for (const char c : std::to_string(std::abs(exponent))) text += kDigits[c - '0'];
  return text;
}

int decimalsOf(double step) { return std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9))); }

std::string plainText(double value, int decimals, double step) {
  if (std::abs(value) < step * 1e-6) return "0";
  if (std::abs(value) >= 1e6 || decimals > 5) {
    const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9));
    const double mantissa = value / std::pow(10, exponent);
    std::string text = core::fixedText(mantissa, core::fixedIsExact(mantissa, 0) ? 0 : 1);
    return text + powerText(1, exponent).replace(0, 0, "·");
  }
  return core::fixedText(value, std::min(decimals, 5));
}

std::vector<Tick> evenTicks(const PlotAxis& axis, int most) {
  const double raw = (axis.high - axis.low) / std::max(1, most);
  const double exponent = std::floor(std::log10(raw));
  const double power = std::pow(10, axis.whole ? std::max(exponent, 0.0) : exponent);
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    step = factor * power;
    const double count = std::floor(axis.high / step + 1e-9) - std::ceil(axis.low / step - 1e-9) + 1;
    if (count <= most) break;
  }
  std::vector<Tick> ticks;
  const auto first = static_cast<long long>(std::ceil(axis.low / step - 1e-9));
  const auto last = static_cast<long long>(std::floor(axis.high / step + 1e-9));
  for (long long k = first; k <= last; ++k) {
    const double value = static_cast<double>(k) * step;
    ticks.push_back({value, plainText(value, decimalsOf(step), step)});
  }
  return ticks;
}

std::vector<Tick> logTicks(const PlotAxis& axis, int most) {
  const int first = static_cast<int>(std::floor(std::log10(axis.low) + 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(axis.high) + 1e-9));
  const int decades = last - first + 1;
  const bool between = decades * 3 <= most;
  const int stride = std::max(1, (decades + most - 1) / std::max(1, most));
  std::vector<Tick> ticks;
  for (int e = first; e <= last; ++e) {
    for (int m = 1; m <= 9; ++m) {
      const double value = m * std::pow(10, e);
      if (value < axis.low * (1 - 1e-9) || value > axis.high * (1 + 1e-9)) continue;
      const bool named = m == 1 ? (e - first) % stride == 0 : between && (m == 2 || m == 5);
      if (!named && (m > 1 && decades > 8)) continue;
      const bool power = e >= 6 || e <= -5 || (e >= 3 && last >= 6);
      ticks.push_back({value, !named ? "" : power ? powerText(m, e) : core::fixedText(value, std::max(0, -e))});
    }
  }
  return ticks;
}

}  // namespace

double PlotAxis::place(double value) const {
  if (logarithmic) return std::log(value / low) / std::log(high / low);
  return (value - low) / (high - low);
}

double PlotAxis::valueAt(double at) const { return logarithmic ? low * std::pow(high / low, at) : low + at * (high - low); }

PlotAxis axisFor(const std::vector<double>& values, bool logarithmic) {
  double low = 0, high = 0;
  bool any = false;
  for (const double value : values) {
    if (!std::isfinite(value) || (logarithmic && value <= 0)) continue;
    low = any ? std::min(low, value) : value;
    high = any ? std::max(high, value) : value;
    any = true;
  }
  if (!any) return logarithmic ? PlotAxis{1, 10, true} : PlotAxis{0, 1, false};
  if (logarithmic) {
    if (high / low < 1.01) low /= 2, high *= 2;
    const double margin = std::pow(high / low, 0.03);
    return {low / margin, high * margin, true};
  }
  if (low > 0 && low < 0.35 * high) low = 0;
  if (high < 0 && high > 0.35 * low) high = 0;
  if (high - low < 1e-12 * std::max(1.0, std::abs(high))) {
    const double half = high == 0 ? 1 : std::abs(high) * 0.5;
    low -= half, high += half;
  }
  const double margin = (high - low) * 0.04;
  return {low == 0 ? 0 : low - margin, high == 0 ? 0 : high + margin, false};
}

std::vector<Tick> ticksOf(const PlotAxis& axis, int most) {
  std::vector<Tick> ticks = axis.logarithmic ? logTicks(axis, std::max(2, most)) : evenTicks(axis, std::max(2, most));
  const auto named = std::count_if(ticks.begin(), ticks.end(), [](const Tick& t) { return !t.text.empty(); });
  if (axis.logarithmic && named < 2) return evenTicks(axis, std::max(2, most));  // less than a decade
  return ticks;
}

}  // namespace attn::figure
