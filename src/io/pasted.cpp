// A scanner that knows numbers, brackets, words and lines. See pasted.h.
#include "io/pasted.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <string>

#include "io/text.h"

namespace attn::io {
namespace {

using core::Index;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kMostDecimals = 17;

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool opens(char c) { return c == '[' || c == '(' || c == '{'; }
bool closes(char c) { return c == ']' || c == ')' || c == '}'; }

std::string lowered(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

// What a print says of its array behind the numbers.
bool describes(std::string_view name) {
  static constexpr std::string_view kNames[] = {"dtype", "device", "size", "shape", "requires_grad", "grad_fn", "layout"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text), rest_(text) {}

  core::Result<Pasted> read() {
    // Rows are what stands in one pair of innermost brackets; lines, where no bracket has numbers in it.
    while (!rest_.empty()) {
      if (rest_[0] == '\0') return refusal("holds a zero byte", "it is no text; paste or drop the numbers as text");
      if (take("...") || take("…"))
        return refusal("is abbreviated: “...” stands for numbers that are left out",
                       "print all of them, with numpy.set_printoptions(threshold=sys.maxsize) or "
                       "torch.set_printoptions(profile=\"full\")");
      step();
    }
    endRow();
    if (pasted_.rows.empty())
      return core::Error{"There is no number in what you gave; paste or drop numbers, such as 0.25 0.75."};
    countDecimals();
    return std::move(pasted_);
  }

 private:
  core::Error refusal(const std::string& what, const std::string& todo) const {
    const Place place = placeOf(text_, static_cast<std::size_t>(rest_.data() - text_.data()));
    return {"What you gave " + what + " at " + placeText(place) + "; " + todo + "."};
  }

  void step() {
    const char c = rest_[0];
    if (opens(c) || closes(c)) {
      endRow();
      depth_ += opens(c) ? 1 : -1;
      advance(1);
    } else if (c == '\n' || c == '\r') {
      if (depth_ <= 0) endRow();  // inside brackets a row may go on
      advance(1);
    } else if (c == '"' || c == '\'') {
      quoted(c);
    } else if (!number()) {
      if (isLetter(c)) word();
      else advance(static_cast<std::size_t>(std::max(1, characterLength(rest_))));
    }
  }

  void advance(std::size_t count) { rest_.remove_prefix(std::min(count, rest_.size())); }

  bool take(std::string_view what) const { return rest_.substr(0, what.size()) == what; }

  // "0.5" is a number, "cuda:0" is not; an apostrophe without another on its line is nothing.
  void quoted(char quote) {
    const std::size_t line = std::min(rest_.find('\n'), rest_.size());
    const std::size_t end = rest_.find(quote, 1);
    advance(1);
    if (end >= line) return;
    const std::string_view inside = rest_.substr(0, end - 1);
    Scanner alone(inside);
    if (alone.wholeNumber()) return;  // read as the rest of the line is
    advance(end);
  }

  bool wholeNumber() { return !rest_.empty() && number() && rest_.empty(); }

  // A name and what it is set to: `dtype=torch.float32`, `size=(1000, 1000)`, `grad_fn=<SoftmaxBackward0>`.
  void word() {
    std::size_t end = 0;
    while (end < rest_.size() && (isLetter(rest_[end]) || isDigit(rest_[end]) || rest_[end] == '.')) ++end;
    const std::string_view name = rest_.substr(0, end);
    advance(end);
    if (rest_.empty() || rest_[0] != '=' || !describes(name)) return;
    advance(1);
    if (!rest_.empty() && opens(rest_[0])) return skipBrackets();
    if (!rest_.empty() && (rest_[0] == '\'' || rest_[0] == '"'))
      return advance(std::min(rest_.find(rest_[0], 1), rest_.size() - 1) + 1);
    advance(std::min(rest_.find_first_of(",)]\n"), rest_.size()));
  }

  void skipBrackets() {
    int depth = 0;
    std::size_t at = 0;
    for (; at < rest_.size(); ++at) {
      depth += opens(rest_[at]) ? 1 : closes(rest_[at]) ? -1 : 0;
      if (depth == 0) break;
    }
    advance(at + 1);
  }

  bool number() {
    std::size_t sign = 0;
    bool negative = false;
    if (take("−")) sign = 3, negative = true;
    else if (rest_[0] == '-' || rest_[0] == '+') sign = 1, negative = rest_[0] == '-';
    const std::string_view after = rest_.substr(sign);
    if (special(after, sign, negative)) return true;
    std::size_t end = digits(after, 0), decimals = 0;
    if (end < after.size() && after[end] == '.') {
      const std::size_t last = digits(after, end + 1);
      decimals = last - end - 1;
      if (end == 0 && decimals == 0) return false;
      end = last;
    }
    if (end == 0) return false;
    const std::size_t exponent = exponentEnd(after, end);
    double value = std::strtod(std::string(after.substr(0, exponent)).c_str(), nullptr);
    const std::size_t fraction = fractionEnd(after, exponent);
    if (fraction > exponent)
      value /= std::strtod(std::string(after.substr(exponent + 1, fraction - exponent - 1)).c_str(), nullptr);
    if (fraction > exponent) {
      put(negative ? -value : value, kMostDecimals, 0);
    } else {
      const int power = exponent > end ? std::atoi(std::string(after.substr(end + 1, exponent - end - 1)).c_str()) : 0;
      const int after_point = static_cast<int>(std::min<std::size_t>(decimals, kMostDecimals));
      put(negative ? -value : value,
          std::clamp(after_point - std::clamp(power, -kMostDecimals, kMostDecimals), 0, kMostDecimals),
          significant(after.substr(0, end)));
      pasted_.most_decimals = std::max(pasted_.most_decimals, after_point);
    }
    advance(sign + fraction);
    return true;
  }

  // Behind "/3" at `at`, or `at` where there is no such thing.
  static std::size_t fractionEnd(std::string_view text, std::size_t at) {
    if (at >= text.size() || text[at] != '/') return at;
    const std::size_t end = digits(text, at + 1);
    return end == at + 1 || text.substr(at + 1, end - at - 1).find_first_not_of('0') == std::string_view::npos ? at : end;
  }

  // nan, inf, infinity in any case, and ∞, when no letter follows.
  bool special(std::string_view after, std::size_t sign, bool negative) {
    static constexpr std::pair<std::string_view, bool> kWords[] = {{"infinity", true}, {"inf", true}, {"nan", false}};
    if (after.substr(0, 3) == "∞") {
      put(negative ? -kInfinity : kInfinity);
      advance(sign + 3);
      return true;
    }
    for (const auto& [word, infinite] : kWords) {
      if (lowered(after.substr(0, word.size())) != word) continue;
      const char next = after.size() > word.size() ? after[word.size()] : ' ';
      if (isLetter(next) || isDigit(next) || next == '=') continue;
      put(!infinite ? std::numeric_limits<double>::quiet_NaN() : negative ? -kInfinity : kInfinity);
      advance(sign + word.size());
      return true;
    }
    return false;
  }

  static std::size_t digits(std::string_view text, std::size_t at) {
    while (at < text.size() && isDigit(text[at])) ++at;
    return at;
  }
  // Behind the exponent at `at`, or `at` where there is none.
  static std::size_t exponentEnd(std::string_view text, std::size_t at) {
    if (at >= text.size() || (text[at] != 'e' && text[at] != 'E')) return at;
    const bool has_sign = at + 1 < text.size() && (text[at + 1] == '-' || text[at + 1] == '+');
    const std::size_t first = at + 1 + has_sign;
    const std::size_t end = digits(text, first);
    return end == first ? at : end;
  }

  // Digits from the first one that is not 0.
  static int significant(std::string_view digits) {
    const std::size_t first = std::min(digits.find_first_of("123456789"), digits.size());
    const auto count = std::count_if(digits.begin() + static_cast<std::ptrdiff_t>(first), digits.end(), isDigit);
    return static_cast<int>(std::min<std::ptrdiff_t>(count, kMostDecimals));
  }

  void countDecimals() {
    std::size_t n = 0;
    for (const auto& row : pasted_.rows) {
      for (const double value : row) {
        int& decimals = pasted_.decimals[n++];
        const bool ends_early = decimals < pasted_.most_decimals && std::isfinite(value);
        if (!ends_early) continue;
        const int before_point = value == 0 ? 1 - kMostDecimals : static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
        decimals = std::max(decimals, std::min(pasted_.most_decimals, most_digits_ - before_point));
      }
    }
  }

  void put(double value, int decimals = kMostDecimals, int digits = 0) {
    row_.push_back(value);
    pasted_.decimals.push_back(decimals);
    most_digits_ = std::max(most_digits_, digits);
    if (value != value) ++pasted_.nan;
    else if (value == kInfinity || value == -kInfinity) ++pasted_.infinite;
  }

  void endRow() {
    if (row_.empty()) return;
    pasted_.rows.push_back(std::move(row_));
    row_.clear();
  }

  std::string_view text_, rest_;
  Pasted pasted_;
  std::vector<double> row_;
  int depth_ = 0;
  int most_digits_ = 0;
};

std::string shapeOf(const Pasted& pasted) {
  const std::size_t rows = pasted.rows.size(), count = pasted.count();
  if (count == 1) return "1 number";
  if (pasted.even())
    return core::shapeText(static_cast<Index>(rows), static_cast<Index>(pasted.rows.front().size())) + " numbers";
  const auto [least, most] = std::minmax_element(pasted.rows.begin(), pasted.rows.end(),
                                                 [](const auto& a, const auto& b) { return a.size() < b.size(); });
  return std::to_string(count) + " numbers in " + std::to_string(rows) + " rows of " + std::to_string(least->size()) +
         " to " + std::to_string(most->size());
}

}  // namespace

std::size_t Pasted::count() const {
  return std::accumulate(rows.begin(), rows.end(), std::size_t(0),
                         [](std::size_t sum, const auto& row) { return sum + row.size(); });
}

bool Pasted::even() const {
  return std::all_of(rows.begin(), rows.end(), [&](const auto& row) { return row.size() == rows.front().size(); });
}

bool hasDecimalCommas(std::string_view text) {
  for (std::size_t i = 1; i + 1 < text.size(); ++i)
    if (text[i] == ',' && isDigit(text[i - 1]) && isDigit(text[i + 1])) return true;
  return false;
}

core::Result<Pasted> readPasted(std::string_view text) { return Scanner(text).read(); }

core::Result<core::Matrix<double>> shaped(const Pasted& pasted, Index rows, Index columns) {
  const auto wanted = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  const bool as_wanted = pasted.even() && pasted.rows.size() == static_cast<std::size_t>(rows);
  const bool flat = pasted.rows.size() == 1 || (pasted.even() && pasted.rows.front().size() == 1);
  if (pasted.count() != wanted || !(as_wanted || flat)) {
    const bool turned =
        pasted.even() && pasted.rows.size() == static_cast<std::size_t>(columns) && pasted.count() == wanted;
    return core::Error{"You gave " + shapeOf(pasted) + ", and " + core::shapeText(rows, columns) + " are wanted; " +
                       (turned ? "yours is turned: " : "") + "give " + std::to_string(rows) + " rows of " +
                       std::to_string(columns) + "."};
  }
  core::Matrix<double> matrix(rows, columns);
  double* to = matrix.data();
  for (const auto& row : pasted.rows) to = std::copy(row.begin(), row.end(), to);
  return matrix;
}

}  // namespace attn::io
