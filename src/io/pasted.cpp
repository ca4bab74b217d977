// The tokens of a print, gathered into rows. See pasted.h.
#include "io/pasted.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "io/print_tokens.h"
#include "io/text.h"

namespace attn::io {
namespace {

using core::Index;

constexpr int kMostDecimals = 17;
constexpr int kNone = kMostDecimals + 1;

class RowReader {
 public:
  explicit RowReader(std::string_view text) : text_(text) {}

  core::Result<Pasted> read() {
    using Kind = PrintTokens::Kind;
    // Rows are what stands in one pair of innermost brackets; lines, where no bracket has numbers in it.
    PrintTokens tokens(text_);
    for (PrintTokens::Token token = tokens.next(); token.kind != Kind::kEnd; token = tokens.next()) {
      if (token.kind == Kind::kZeroByte) {
        return refusal(token.at, "holds a zero byte", "it is no text; paste or drop the numbers as text");
      }
      if (token.kind == Kind::kLeftOut) {
        return refusal(token.at, "is abbreviated: “...” stands for numbers that are left out",
                       "print all of them, with numpy.set_printoptions(threshold=sys.maxsize) or "
                       "torch.set_printoptions(profile=\"full\")");
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
    if (coarsest_ < kNone) pasted_.decimals = std::max(pasted_.decimals, coarsest_);
    if (pasted_.rows.empty())
      return core::Error{"There is no number in what you gave; paste or drop numbers, such as 0.25 0.75."};
    return std::move(pasted_);
  }

 private:
  core::Error refusal(std::size_t at, const std::string& what, const std::string& todo) const {
    return {"What you gave " + what + " at " + placeText(placeOf(text_, at)) + "; " + todo + "."};
  }

  void put(const WrittenNumber& number) {
    row_.push_back(number.value);
    if (std::isnan(number.value)) ++pasted_.nan;
    else if (std::isinf(number.value)) ++pasted_.infinite;
    const int decimals = static_cast<int>(std::min<std::size_t>(number.decimals, kMostDecimals));
    if (number.exponent) {
      const int shown =
          std::clamp(decimals - std::clamp(number.power, -kMostDecimals, kMostDecimals), 0, kMostDecimals);
      if (number.value != 0) coarsest_ = std::min(coarsest_, shown);
    } else {
      pasted_.decimals = std::max(pasted_.decimals, number.fraction ? kMostDecimals : decimals);
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
  int coarsest_ = kNone;  // the fewest decimals of numbers such as 3.33e-01
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

core::Result<Pasted> readPasted(std::string_view text) { return RowReader(text).read(); }

core::Result<core::Matrix<double>> shaped(const Pasted& pasted, Index rows, Index columns) {
  const auto wanted = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  const bool as_wanted = pasted.even() && pasted.rows.size() == static_cast<std::size_t>(rows);
  const bool flat = pasted.rows.size() == 1 || (pasted.even() && pasted.rows.front().size() == 1);
  if (pasted.count() != wanted || !(as_wanted || flat)) {
    const bool turned =
        pasted.even() && pasted.rows.size() == static_cast<std::size_t>(columns) && pasted.count() == wanted;
    return core::Error{"You gave " + shapeOf(pasted) + ", and " +
                       core::shapeText(rows, columns) + " are wanted" +
                       (turned ? "; yours is turned: rows are destinations, columns are sources."
                               : "; give " + std::to_string(rows) + " rows of " + std::to_string(columns) + ".")};
  }
  core::Matrix<double> matrix(rows, columns);
  double* to = matrix.data();
  for (const auto& row : pasted.rows) to = std::copy(row.begin(), row.end(), to);
  return matrix;
}

}  // namespace attn::io
