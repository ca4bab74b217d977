// Each kind of finding looks at the matrix by itself. See findings.h.
#include "audit/findings.h"

#include <algorithm>
#include <cmath>

#include "audit/number_text.h"
#include "core/language.h"

namespace attn::audit {
namespace {

using core::Index;
using core::Matrix;

std::string sixDigits(double value) { return numberText(value, 6); }

struct Cells {
  Index count = 0, row = 0, col = 0;
  double value = 0;
};

template <class Which>
Cells cellsWhere(const Matrix<double>& weights, Which which) {
  Cells cells;
  for (Index i = 0; i < weights.rows(); ++i) {
    for (Index j = 0; j < weights.cols(); ++j) {
      if (!which(i, j, weights(i, j))) continue;
      if (cells.count++ == 0) cells.row = i, cells.col = j, cells.value = weights(i, j);
    }
  }
  return cells;
}

Finding at(const char* code, std::string sentence, const Cells& cells) {
  return {code, std::move(sentence), 0, {}, cells.row, cells.col, cells.value};
}

Finding ofRow(const char* code, std::string sentence, Index row, double value) {
  return {code, std::move(sentence), 0, {}, row, {}, value};
}

bool isNan(const Matrix<double>& weights, Index i) {
  for (Index j = 0; j < weights.cols(); ++j) {
    if (!std::isnan(weights(i, j))) return false;
  }
  return true;
}

bool isUniform(const Matrix<double>& weights, Index i, double tolerance) {
  const double share = 1.0 / double(weights.cols());
  return (weights.row(i).array() - share).abs().maxCoeff() <= tolerance * share;
}

void findNan(const Matrix<double>& weights, std::vector<Finding>& findings) {
  Index rows = 0, first = 0;
  for (Index i = 0; i < weights.rows(); ++i) {
    if (isNan(weights, i) && rows++ == 0) first = i;
  }
  if (rows > 0) {
    findings.push_back(ofRow("no-source-nan", tr("{0} {0|row holds|rows hold} nothing but NaN, row {1} first: without any "
        "allowed source the softmax of −∞ is NaN in PyTorch; the mask leaves {0|this row|these rows} nothing to read.",
        {rows, first}), first, NAN));
  }
  const Cells loose = cellsWhere(weights, [&](Index i, Index, double w) { return std::isnan(w) && !isNan(weights, i); });
  if (loose.count > 0) {
    findings.push_back(at("nan", tr("{0} {0|cell is|cells are} NaN in rows that hold numbers too, row {1}, column {2} first: "
        "something overflowed before the softmax.", {loose.count, loose.row, loose.col}), loose));
  }
  const Cells infinite = cellsWhere(weights, [](Index, Index, double w) { return std::isinf(w); });
  if (infinite.count > 0) {
    findings.push_back(at("inf", tr("{0} {0|cell is|cells are} infinite, row {1}, column {2} first: these are scores, or the "
        "softmax overflowed.", {infinite.count, infinite.row, infinite.col}), infinite));
  }
}

void findOutside(const Matrix<double>& weights, double tolerance, std::vector<Finding>& findings) {
  const Cells negative = cellsWhere(weights, [](Index, Index, double w) { return w < 0; });
  if (negative.count > 0) {
    findings.push_back(at("negative", tr("{0} {0|cell is|cells are} below 0, row {1}, column {2} first ({3}): these are scores "
        "rather than weights.", {negative.count, negative.row, negative.col, sixDigits(negative.value)}), negative));
  }
  const Cells above = cellsWhere(weights, [&](Index, Index, double w) { return w > 1 + tolerance && !std::isinf(w); });
  if (above.count > 0 && negative.count == 0) {
    findings.push_back(at("above-one", tr("{0} {0|cell is|cells are} above 1, row {1}, column {2} first ({3}): scores, or "
        "weights that dropout has scaled up.", {above.count, above.row, above.col, sixDigits(above.value)}), above));
  }
}

std::string sumReason(double sum, bool all_alike) {
  if (sum > 1) {
    const double p = 1 - 1 / sum;
    return all_alike ? tr("{0} = 1/{1}: weights scaled up as dropout of {2} does; export in evaluation mode.",
                          {sixDigits(sum), sixDigits(1 - p), sixDigits(p)})
                     : tr("dropout in training mode scales up what it keeps; export in evaluation mode.");
  }
  return tr("something takes a share: a mask or a cut after the softmax, dropout, or a sink in the denominator.");
}

void findSums(const Matrix<double>& weights, double tolerance, std::vector<Finding>& findings) {
  Index off = 0, worst = 0, zero_rows = 0, first_zero = 0;
  double largest = 0, low = INFINITY, high = -INFINITY;
  for (Index i = 0; i < weights.rows(); ++i) {
    const double sum = weights.row(i).sum();
    if (!std::isfinite(sum)) continue;
    if (weights.row(i).isZero(0)) {
      if (zero_rows++ == 0) first_zero = i;
      continue;
    }
    if (std::abs(sum - 1) <= tolerance) continue;
    ++off;
    low = std::min(low, sum), high = std::max(high, sum);
    if (std::abs(sum - 1) > largest) largest = std::abs(sum - 1), worst = i;
  }
  if (off > 0) {
    const double sum = weights.row(worst).sum();
    findings.push_back(ofRow("row-sum", tr("{0} {0|row|rows} of {1} {0|does|do} not sum to 1, row {2} least ({3}): {4}",
        {off, weights.rows(), worst, sixDigits(sum), sumReason(sum, high - low <= 4 * tolerance)}), worst, sum));
  }
  if (zero_rows > 0) {
    findings.push_back(ofRow("no-source-zero", tr("{0} {0|row is|rows are} 0 throughout, row {1} first: {0|it has|they have} no "
        "source, and the framework left 0 there.", {zero_rows, first_zero}), first_zero, 0));
  }
}

// Uniform over everything, against the pattern of the other rows: a finite number stood for −∞ where nothing was allowed.
void findUniform(const Matrix<double>& weights, double tolerance, std::vector<Finding>& findings) {
  if (weights.cols() < 2) return;
  const Index T = weights.rows(), S = weights.cols();
  std::vector<bool> uniform(static_cast<std::size_t>(T)), read(static_cast<std::size_t>(S), false);
  bool causal = true;
  Index others = 0;
  for (Index i = 0; i < T; ++i) {
    uniform[static_cast<std::size_t>(i)] = isUniform(weights, i, tolerance);
    if (uniform[static_cast<std::size_t>(i)]) continue;
    ++others;
    for (Index j = 0; j < S; ++j) {
      if (weights(i, j) == 0) continue;
      read[static_cast<std::size_t>(j)] = true;
      causal = causal && j <= std::max(i, i + S - T);
    }
  }
  if (others < 2) return;  // one row shows no pattern
  // It reads what the others' pattern forbids: a later source where they read none, or one that none of them reads.
  const auto breaks = [&](Index i) {
    if (!uniform[static_cast<std::size_t>(i)]) return false;
    if (causal) return std::max(i, i + S - T) < S - 1;
    return std::find(read.begin(), read.end(), false) != read.end();
  };
  Index rows = 0, first = 0;
  for (Index i = 0; i < T; ++i) {
    if (breaks(i) && rows++ == 0) first = i;
  }
  if (rows == 0) return;
  findings.push_back(ofRow("no-source-uniform", tr("{0} {0|row reads|rows read} every source alike, row {1} first, while others "
      "leave sources out: such a row has no source, and the framework masks with a finite number.", {rows, first}), first,
      weights(first, 0)));
}

void findFuture(const Matrix<double>& weights, bool causal, std::vector<Finding>& findings) {
  const Index T = weights.rows(), S = weights.cols();
  const auto later = [&](Index i, Index j) { return j > std::max(i, i + S - T); };
  Index cells = 0;
  for (Index i = 0; i < T; ++i) cells += std::max<Index>(0, S - 1 - std::max(i, i + S - T));
  const Cells future = cellsWhere(weights, [&](Index i, Index j, double w) { return later(i, j) && w != 0 && !std::isnan(w); });
  // Unasked, only where nearly all of the later cells are 0: then a causal mask was meant.
  if (future.count == 0 || (!causal && future.count * 10 > cells)) return;
  findings.push_back(at("future", tr("{0} {0|cell reads|cells read} a later source, row {1}, column {2} first ({3}), which a "
      "causal mask does not allow.", {future.count, future.row, future.col, sixDigits(future.value)}), future));
}

}  // namespace

double sumTolerance(Precision precision, Index S) {
  return std::max(2e-6, 4 * roundingOf(precision) * (8 + std::sqrt(double(S))));
}

bool columnsSumToOne(const Matrix<double>& weights, Precision precision) {
  const double tolerance = sumTolerance(precision, weights.rows());
  bool rows = true;
  for (Index i = 0; i < weights.rows(); ++i) rows = rows && std::abs(weights.row(i).sum() - 1) <= tolerance;
  if (rows) return false;
  for (Index j = 0; j < weights.cols(); ++j) {
    if (!(std::abs(weights.col(j).sum() - 1) <= tolerance)) return false;
  }
  return true;
}

std::vector<Finding> findingsOf(const Matrix<double>& weights, Precision precision, bool causal) {
  std::vector<Finding> findings;
  const double tolerance = sumTolerance(precision, weights.cols());
  findNan(weights, findings);
  findOutside(weights, tolerance, findings);
  if (columnsSumToOne(weights, precision)) {
    const bool upper = weights.rows() > 1 &&
        cellsWhere(weights, [](Index i, Index j, double w) { return j < i && w != 0; }).count == 0;
    findings.push_back({upper ? "transposed" : "columns-normalised",
        upper ? tr("The columns sum to 1, not the rows, and no row reads an earlier source: rows and columns are exchanged; "
                   "transpose the last two axes.")
              : tr("The columns sum to 1, not the rows: the softmax ran along the wrong axis, or rows and columns are "
                   "exchanged."),
        0, {}, {}, {}, {}});
    return findings;
  }
  if (std::none_of(findings.begin(), findings.end(), [](const Finding& f) { return f.code == "negative"; })) {
    findSums(weights, tolerance, findings);
    findUniform(weights, tolerance, findings);
    findFuture(weights, causal, findings);
  }
  return findings;
}

}  // namespace attn::audit
