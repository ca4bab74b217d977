// The tokens of a print, gathered into rows. See pasted.h.
#include "io/pasted.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "core/language.h"
#include "io/print_tokens.h"
#include "io/text.h"

namespace attn::io {
namespace {

using core::Index;

constexpr int kMostDecimals = 17;

class RowReader {
 public:
  explicit RowReader(std::string_view text) : text_(text) {}

  core::Result<Pasted> read() {
    using Kind = PrintTokens::Kind;
    // Rows are what stands in one pair of innermost brackets; lines, where no bracket has numbers in it.
    PrintTokens tokens(text_);
    for (PrintTokens::Token token = tokens.next(); token.kind != Kind::kEnd; token = tokens.next()) {
      if (token.kind == Kind::kZeroByte) {
        return refusal(token.at, tr("holds a zero byte"), tr("it is no text; paste or drop the numbers as text"));
      }
      if (token.kind == Kind::kLeftOut) {
        return refusal(token.at, tr("is abbreviated: “...” stands for numbers that are left out"),
                       tr("print all of them, with numpy.set_printoptions(threshold=sys.maxsize) or "
                          "torch.set_printoptions(profile=\"full\")"));
      }
      if (token.kind == Kind::kOpen || token.kind == Kind::kClose) {
        endRow();
        depth_ += token.kind == Kind::kOpen ? 1 : -1;
      } else if (token.kind == Kind::kLineEnd && depth_ <= 0) {
        endRow();  // inside brackets a row may go on
      } else if (token.kind == Kind::kNumber) {
        put(token.number);
      }
    }
    endRow();
    if (pasted_.rows.empty())
      return core::Error{tr("There is no number in what you gave; paste or drop numbers, such as 0.25 0.75.")};
    countDecimals();
    return std::move(pasted_);
  }

 private:
  core::Error refusal(std::size_t at, const std::string& what, const std::string& todo) const {
    return {tr("What you gave {0} at {1}; {2}.", {what, placeText(placeOf(text_, at)), todo})};
  }

  void put(const WrittenNumber& number) {
    row_.push_back(number.value);
    if (std::isnan(number.value)) ++pasted_.nan;
    else if (std::isinf(number.value)) ++pasted_.infinite;
    pasted_.decimals.push_back(decimalsOf(number));
    if (!number.countable()) return;
    pasted_.most_decimals = std::max(pasted_.most_decimals, capped(number.decimals));
    most_digits_ = std::max(most_digits_, capped(number.digits));
  }

  static int capped(std::size_t count) { return static_cast<int>(std::min<std::size_t>(count, kMostDecimals)); }

  static int decimalsOf(const WrittenNumber& number) {
    if (!number.countable()) return kMostDecimals;
    return std::clamp(capped(number.decimals) - std::clamp(number.power, -kMostDecimals, kMostDecimals), 0, kMostDecimals);
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

  void endRow() {
    if (row_.empty()) return;
    pasted_.rows.push_back(std::move(row_));
    row_.clear();
  }

  std::string_view text_;
  Pasted pasted_;
  std::vector<double> row_;
  int depth_ = 0;
  int most_digits_ = 0;
};

std::string shapeOf(const Pasted& pasted) {
  const std::size_t rows = pasted.rows.size(), count = pasted.count();
  if (count == 1) return tr("1 number");
  if (pasted.even())
    return tr("{0} numbers", {core::shapeText(static_cast<Index>(rows), static_cast<Index>(pasted.rows.front().size()))});
  const auto [least, most] = std::minmax_element(pasted.rows.begin(), pasted.rows.end(),
                                                 [](const auto& a, const auto& b) { return a.size() < b.size(); });
  return tr("{0} numbers in {1} rows of {2} to {3}", {count, rows, least->size(), most->size()});
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
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t i = 1; i + 1 < text.size(); ++i)
    if (text[i] == ',' && isDigit(text[i - 1]) && isDigit(text[i + 1])) return true;
  return false;
}

core::Result<Pasted> readPasted(std::string_view text) { return RowReader(text).read(); }

core::Result<core::Matrix<double>> shaped(const Pasted& pasted, Index rows, Index columns) {
  const auto wanted = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  const bool as_wanted = pasted.even() && pasted.rows.size() == static_cast<std::size_t>(rows);
  const bool flat = pasted.rows.size() == 1 || (pasted.even() && pasted.rows.front().size() == 1);
  if (pasted.count() != wanted || !(as_wanted || flat)) {
    const bool turned =
        pasted.even() && pasted.rows.size() == static_cast<std::size_t>(columns) && pasted.count() == wanted;
    const std::string given = shapeOf(pasted), shape = core::shapeText(rows, columns);
    return core::Error{turned ? tr("You gave {0}, and {1} are wanted; yours is turned: give {2} rows of {3}.",
                                   {given, shape, rows, columns})
                              : tr("You gave {0}, and {1} are wanted; give {2} rows of {3}.",
                                   {given, shape, rows, columns})};
  }
  core::Matrix<double> matrix(rows, columns);
  double* to = matrix.data();
  for (const auto& row : pasted.rows) to = std::copy(row.begin(), row.end(), to);
  return matrix;
}

}  // namespace attn::io
