// Reading numbers as people write them: products and quotients of decimals, roots and logarithms.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/number.h"

namespace attn::core {
namespace {

// Whatever is left of the text; each reader takes what it knows from its start.
class NumberReader {
 public:
  explicit NumberReader(std::string_view text) : rest_(text) {}

  // Every part must be finite, so that 1/1e999 is not 0.
  std::optional<double> product() {
    std::optional<double> value = factor();
    while (value && std::isfinite(*value)) {
      const bool divides = take("/");
      if (!divides && !take("*") && !take("·")) break;
      const std::optional<double> next = factor();
      if (!next || !std::isfinite(*next)) return std::nullopt;
      value = divides ? *value / *next : *value * *next;
    }
    return value && std::isfinite(*value) ? value : std::nullopt;
  }

  bool atEnd() {
    skipBlanks();
    return rest_.empty();
  }

 private:
  static constexpr int kMostNested = 8;

  std::optional<double> factor() {
    double sign = 1;
    for (bool more = true; more;) {
      if (take("-") || take("−")) sign = -sign;
      else more = take("+");
    }
    const bool root = take("sqrt") || take("√");
    if (!root && !take("ln")) {
      const std::optional<double> value = decimal();
      return value ? std::optional(sign * *value) : std::nullopt;
    }
    const std::optional<double> inside = take("(") ? bracketed() : decimal();
    if (!inside) return std::nullopt;
    return sign * (root ? std::sqrt(*inside) : std::log(*inside));
  }

  std::optional<double> bracketed() {
    if (++depth_ > kMostNested) return std::nullopt;
    const std::optional<double> value = product();
    --depth_;
    return take(")") ? value : std::nullopt;
  }

  // Digits with a point and an exponent, and nothing else that strtod would take.
  std::optional<double> decimal() {
    skipBlanks();
    std::size_t end = digits(0);
    std::size_t count = end;
    if (end < rest_.size() && rest_[end] == '.') {
      const std::size_t after = digits(end + 1);
      count += after - end - 1;
      end = after;
    }
    if (count == 0) return std::nullopt;
    if (end < rest_.size() && (rest_[end] == 'e' || rest_[end] == 'E')) {
      const bool has_sign = end + 1 < rest_.size() && (rest_[end + 1] == '-' || rest_[end + 1] == '+');
      const std::size_t first = end + 1 + has_sign;
      if (digits(first) == first) return std::nullopt;
      end = digits(first);
    }
    const double value = std::strtod(std::string(rest_.substr(0, end)).c_str(), nullptr);
    rest_.remove_prefix(end);
    return value;
  }

  std::size_t digits(std::size_t at) const {
    while (at < rest_.size() && rest_[at] >= '0' && rest_[at] <= '9') ++at;
    return at;
  }

  void skipBlanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }

  bool take(std::string_view what) {
    skipBlanks();
    if (rest_.substr(0, what.size()) != what) return false;
    rest_.remove_prefix(what.size());
    return true;
  }

  std::string_view rest_;
  int depth_ = 0;
};

}  // namespace

std::optional<double> parseNumber(std::string_view text) {
  NumberReader reader(text);
  const std::optional<double> value = reader.product();
  return reader.atEnd() ? value : std::nullopt;
}

}  // namespace attn::core
