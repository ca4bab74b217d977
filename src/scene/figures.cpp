// Shared figures of scenes.
#include "scene/figures.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/language.h"
#include "core/number.h"
#include "core/rng.h"

namespace attn::scene {

using core::Index;
using core::Matrix;
using core::RowVector;

Tokens tokensOf(const std::string& sentence) {
  Tokens tokens;
  for (std::size_t start = 0; start < sentence.size();) {
    const std::size_t end = std::min(sentence.find(' ', start), sentence.size());
    if (end > start) tokens.push_back(sentence.substr(start, end - start));
    start = end + 1;
  }
  return tokens;
}

RowVector<double> vectorOf(const std::string& word, std::uint64_t seed, Index d) {
  std::uint64_t hash = 14695981039346656037u ^ seed;  // FNV-1a
  for (const char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return core::Rng(hash).normalMatrix(1, d);
}

Matrix<double> vectorsOf(const Tokens& tokens, std::uint64_t seed, Index d) {
  Matrix<double> x(static_cast<Index>(tokens.size()), d);
  for (Index i = 0; i < x.rows(); ++i) x.row(i) = vectorOf(tokens[static_cast<std::size_t>(i)], seed, d);
  return x;
}

std::vector<std::string> blockedCells(const core::Mask& mask) {
  std::vector<std::string> reasons;
  for (Index i = 0; i < mask.rows(); ++i) {
    for (Index j = 0; j < mask.columns(); ++j) reasons.push_back(core::blockReasonText(mask.reasons(i, j)));
  }
  return reasons;
}

lesson::Grid mapLook(std::string title, Tokens destinations, Tokens sources, const core::Mask* mask) {
  lesson::Grid grid = signedLook(std::move(title), std::move(destinations), std::move(sources));
  grid.scale = lesson::GridScale::kWeights;
  grid.map = true;
  if (mask) grid.blocked = blockedCells(*mask);
  return grid;
}

lesson::Grid signedLook(std::string title, Tokens rows, Tokens columns) {
  lesson::Grid grid;
  grid.title = std::move(title);
  grid.row_labels = std::move(rows);
  grid.column_labels = std::move(columns);
  return grid;
}

lesson::Strip weightStrip(std::string title, const Tokens& tokens, const RowVector<double>& weights, Index marked) {
  lesson::Strip strip;
  strip.title = std::move(title);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const double weight = weights(static_cast<Index>(i));
    strip.items.push_back({tokens[i], core::fixedText(weight, 3), weight, static_cast<Index>(i) == marked});
  }
  return strip;
}

core::Index mapSide(std::uint64_t length) {
  constexpr std::uint64_t kMost = 24;
  if (length == 0) return 0;
  const std::uint64_t block = (length + kMost - 1) / kMost;
  return static_cast<core::Index>((length + block - 1) / block);
}

std::string shadesOf(const core::Matrix<double>& map) {
  using lesson::Maps;
  const double last = static_cast<double>(Maps::kShades.size() - 1);
  std::string shades;
  for (core::Index i = 0; i < map.rows(); ++i) {
    for (core::Index j = 0; j < map.cols(); ++j) {
      const double value = map(i, j);
      if (!std::isfinite(value)) shades += Maps::kNoNumber;
      else shades += Maps::kShades[static_cast<std::size_t>(std::lround(std::clamp(value, 0.0, 1.0) * last))];
    }
  }
  return shades;
}

lesson::Plot namedBars(std::string title, std::string x_label, std::string y_label, Tokens names, std::vector<double> values) {
  assert(names.size() == values.size());
  lesson::Plot plot;
  lesson::Plot::Series series{y_label, lesson::Plot::Kind::kBars, {}, std::move(values)};
  for (std::size_t n = 0; n < names.size(); ++n) series.x.push_back(static_cast<double>(n));
  plot.title = std::move(title);
  plot.x_label = std::move(x_label);
  plot.y_label = std::move(y_label);
  plot.names = std::move(names);
  plot.series.push_back(std::move(series));
  return plot;
}

Tokens numbered(Index count, std::string_view each) {
  Tokens names;
  for (Index i = 0; i < count; ++i) names.push_back(tr(each, {i}));
  return names;
}

std::vector<double> listOf(const core::RowVector<double>& row) { return {row.begin(), row.end()}; }

std::string tuple(std::initializer_list<Index> numbers) {
  std::string text = "(";
  for (const Index number : numbers) text += (text.size() > 1 ? ", " : "") + std::to_string(number);
  return text + ")";
}

double largestChange(const Matrix<double>& a, const Matrix<double>& b) { return (a - b).cwiseAbs().maxCoeff(); }

RowVector<double> rowChanges(const Matrix<double>& a, const Matrix<double>& b) {
  return (a - b).cwiseAbs().rowwise().maxCoeff().transpose();
}

Index changedEntries(const Matrix<double>& a, const Matrix<double>& b) { return (a.array() != b.array()).count(); }

core::Trace<double> traceOf(const core::Problem<double>& problem) {
  core::Result<core::Trace<double>> trace = core::computeTrace(problem);
  assert(trace.ok() && "the scene gives shapes that do not fit");
  return trace.take();
}

}  // namespace attn::scene
