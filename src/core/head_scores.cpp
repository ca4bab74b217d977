// Row by row, in one walk over the weights. See head_scores.h.
#include "core/head_scores.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "core/mask.h"

namespace attn::core {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

class Mean {
 public:
  void add(double value) { sum_ += value, ++count_; }
  double value() const { return count_ == 0 ? kNothing : sum_ / static_cast<double>(count_); }

 private:
  double sum_ = 0;
  Index count_ = 0;
};

bool isDistribution(const Matrix<double>& weights, Index i) {
  const double sum = weights.row(i).sum();  // NaN and infinities stay in it
  return std::isfinite(sum) && sum > 0 && weights.row(i).minCoeff() >= 0;
}

// In nats, of a row that counts.
double entropyOf(const Matrix<double>& weights, Index i, Index columns) {
  const auto row = weights.row(i).head(columns).array();
  const double sum = row.sum();
  return std::log(sum) - (row > 0).select(row * row.log(), 0).sum() / sum;
}

// Of each source the last earlier one with the same token, −1 when there is none.
std::vector<Index> earlierOf(std::span<const Index> tokens) {
  std::map<Index, Index> last;
  std::vector<Index> earlier;
  for (std::size_t j = 0; j < tokens.size(); ++j) {
    const auto [at, is_new] = last.try_emplace(tokens[j], static_cast<Index>(j));
    earlier.push_back(is_new ? -1 : at->second);
    at->second = static_cast<Index>(j);
  }
  return earlier;
}

// What row i gives to earlier positions with its own token, and to those that follow one.
void addRepeats(const Matrix<double>& weights, Index i, Index position, const std::vector<Index>& earlier, Mean& repeat,
                Mean& same) {
  double after = 0, on = 0;
  bool any_after = false;
  const Index last = earlier[static_cast<std::size_t>(position)];
  for (Index j = last; j >= 0; j = earlier[static_cast<std::size_t>(j)]) {
    on += weights(i, j);
    if (j + 1 >= position) continue;
    after += weights(i, j + 1);
    any_after = true;
  }
  if (any_after) repeat.add(after);
  if (last >= 0) same.add(on);
}

double entropyShare(const Matrix<double>& weights, const std::vector<Index>& rows, bool causal) {
  Mean share;
  for (const Index i : rows) {
    const Index position = alignedPosition(Align::kBottomRight, i, weights.rows(), weights.cols());
    const Index choices = causal ? position + 1 : weights.cols();
    if (choices < 2) continue;
    const double part = entropyOf(weights, i, choices) / std::log(static_cast<double>(choices));
    share.add(std::clamp(part, 0.0, 1.0));  // rounding may pass the ends
  }
  return share.value();
}

Index blockBegin(Index block, Index blocks, Index length) {
  return static_cast<Index>(std::int64_t(block) * length / blocks);
}
Index blockEnd(Index block, Index blocks, Index length) {
  return std::max(blockBegin(block + 1, blocks, length), blockBegin(block, blocks, length) + 1);
}

}  // namespace

HeadScores headScores(const Matrix<double>& weights, std::span<const Index> tokens) {
  const Index T = weights.rows(), S = weights.cols();
  const bool named = static_cast<Index>(tokens.size()) == S;
  const std::vector<Index> earlier = named ? earlierOf(tokens) : std::vector<Index>();
  HeadScores out;
  Mean diagonal, previous, first, repeat, same;
  std::vector<Index> counted;
  out.causal = true;
  for (Index i = 0; i < T; ++i) {
    if (S == 0 || !isDistribution(weights, i)) {
      ++out.left_out;
      continue;
    }
    counted.push_back(i);
    const Index position = alignedPosition(Align::kBottomRight, i, T, S);
    const Index own = std::max<Index>(0, position + 1);
    out.causal = out.causal && (weights.row(i).tail(S - own).array() == 0).all();
    if (position < 0) continue;
    diagonal.add(weights(i, position));
    if (position > 0) previous.add(weights(i, position - 1)), first.add(weights(i, 0));
    if (named) addRepeats(weights, i, position, earlier, repeat, same);
  }
  out.causal = out.causal && !counted.empty();
  out.entropy = entropyShare(weights, counted, out.causal);
  out.diagonal = diagonal.value();
  out.previous = previous.value();
  out.first = first.value();
  out.repeat = repeat.value();
  out.same = same.value();
  return out;
}

Matrix<double> smallMap(const Matrix<double>& weights, Index rows, Index columns) {
  Matrix<double> map = Matrix<double>::Constant(rows, columns, kNothing);
  if (weights.size() == 0) return map;
  for (Index r = 0; r < rows; ++r) {
    RowVector<double> sums = RowVector<double>::Zero(columns);
    Index counted = 0;
    for (Index i = blockBegin(r, rows, weights.rows()); i < blockEnd(r, rows, weights.rows()); ++i) {
      if (!isDistribution(weights, i)) continue;
      ++counted;
      for (Index c = 0; c < columns; ++c) {
        const Index begin = blockBegin(c, columns, weights.cols());
        sums(c) += weights.row(i).segment(begin, blockEnd(c, columns, weights.cols()) - begin).sum();
      }
    }
    if (counted > 0) map.row(r) = sums / static_cast<double>(counted);
  }
  return map;
}

}  // namespace attn::core
