// Least squares within rows, one function for each kind. See fit.h.
#include "audit/fit.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/mask.h"

namespace attn::audit {
namespace {

using core::Index;
using core::Matrix;

// Cells whose logarithm means something: allowed, and far above what rounding leaves of a number.
struct Logs {
  struct Cell {
    Index i, j;
    double log;
  };
  std::vector<Cell> cells;  // row by row
  Index rows = 0;

  // Calls use(begin, end) for the cells of each row that has two or more.
  void eachRow(const std::function<void(std::size_t, std::size_t)>& use) const {
    for (std::size_t begin = 0, end; begin < cells.size(); begin = end) {
      for (end = begin; end < cells.size() && cells[end].i == cells[begin].i;) ++end;
      if (end - begin >= 2) use(begin, end);
    }
  }
};

Logs logsOf(const Matrix<double>& given, const Matrix<bool>& allowed, double rounding) {
  Logs logs;
  logs.rows = given.rows();
  const double least = std::max(1e-9, rounding * 0.05);
  for (Index i = 0; i < given.rows(); ++i) {
    for (Index j = 0; j < given.cols(); ++j) {
      if (allowed(i, j) && given(i, j) > least) logs.cells.push_back({i, j, std::log(given(i, j))});
    }
  }
  return logs;
}

// Σ over rows of the products of x and y, each less its mean in the row.
template <class X, class Y>
double centredProduct(const Logs& logs, X x, Y y) {
  double total = 0;
  logs.eachRow([&](std::size_t begin, std::size_t end) {
    double sum_x = 0, sum_y = 0, product = 0;
    for (std::size_t n = begin; n < end; ++n) {
      const double a = x(logs.cells[n]), b = y(logs.cells[n]);
      sum_x += a, sum_y += b, product += a * b;
    }
    total += product - sum_x * sum_y / double(end - begin);
  });
  return total;
}

// The slope of y over x within rows; nothing when x does not vary.
template <class X, class Y>
std::optional<double> slope(const Logs& logs, X x, Y y) {
  const double spread = centredProduct(logs, x, x);
  if (!(spread > 1e-12)) return std::nullopt;
  return centredProduct(logs, x, y) / spread;
}

std::optional<Departure> fitTemperature(const Logs& logs, Scores& scores) {
  const auto factor = slope(logs, [&](const Logs::Cell& c) { return scores.values(c.i, c.j); },
                            [](const Logs::Cell& c) { return c.log; });
  if (!factor || !(*factor > 1e-6)) return std::nullopt;
  scores.values *= *factor;
  scores.uncertainty *= *factor;
  return Departure{.kind = Kind::kTemperature, .value = 1 / *factor};
}

double capMisfit(const Logs& logs, const Matrix<double>& scores, double cap) {
  const auto rest = [&](const Logs::Cell& c) { return c.log - cap * std::tanh(scores(c.i, c.j) / cap); };
  return centredProduct(logs, rest, rest);
}

// The misfit has one valley; a coarse search over magnitudes finds it, sections narrow it down.
std::optional<Departure> fitSoftcap(const Logs& logs, Scores& scores) {
  const double largest = scores.values.cwiseAbs().maxCoeff();
  if (!(largest > 0)) return std::nullopt;
  double best = 0, least = std::numeric_limits<double>::infinity();
  constexpr double kStep = 1.15;
  for (double cap = largest / 20; cap < largest * 40; cap *= kStep) {
    const double misfit = capMisfit(logs, scores.values, cap);
    if (misfit < least) least = misfit, best = cap;
  }
  if (best <= largest / 20 || best * kStep >= largest * 40) return std::nullopt;
  double low = best / kStep, high = best * kStep;
  for (int n = 0; n < 100; ++n) {
    const double a = low + 0.382 * (high - low), b = low + 0.618 * (high - low);
    if (capMisfit(logs, scores.values, a) < capMisfit(logs, scores.values, b)) high = b;
    else low = a;
  }
  const double cap = (low + high) / 2;
  scores.values = scores.values.unaryExpr([cap](double s) { return cap * std::tanh(s / cap); });
  return Departure{.kind = Kind::kSoftcap, .value = cap};
}

std::optional<Departure> fitAlibi(const Logs& logs, const Export& exported, Scores& scores) {
  const Index T = exported.positions.empty() ? exported.T() : exported.all_rows, S = exported.S();
  const auto distance = [&](Index i, Index j) {
    return -std::abs(double(core::alignedPosition(core::Align::kBottomRight, exported.position(i), T, S) - j));
  };
  const auto m = slope(logs, [&](const Logs::Cell& c) { return distance(c.i, c.j); },
                       [&](const Logs::Cell& c) { return c.log - scores.values(c.i, c.j); });
  if (!m || !(*m > 1e-9)) return std::nullopt;
  for (Index i = 0; i < scores.values.rows(); ++i) {
    for (Index j = 0; j < S; ++j) scores.values(i, j) += *m * distance(i, j);
  }
  return Departure{.kind = Kind::kAlibi, .value = *m};
}

// One unknown per group (a distance, or a source) and one per row: each in turn takes the mean of what is left, until
// nothing moves. Groups must be fewer than the cells, or anything would fit.
std::optional<Departure> fitBias(Kind kind, const Logs& logs, const Export& exported, Scores& scores) {
  const Index S = exported.S();
  const Index T = exported.positions.empty() ? exported.T() : exported.all_rows;
  const auto groupOf = [&](Index i, Index j) {
    return kind == Kind::kColumnBias ? j : exported.position(i) - j + S - 1;
  };
  const Index groups = kind == Kind::kColumnBias ? S : T + S - 1;
  std::vector<double> bias(groups, 0), row(logs.rows, 0), sum(std::max(groups, logs.rows));
  std::vector<Index> count(sum.size());
  std::vector<bool> seen(groups, false);
  Index used = 0;
  for (const Logs::Cell& c : logs.cells) {
    if (const Index g = groupOf(c.i, c.j); !seen[g]) seen[g] = true, ++used;
  }
  if (static_cast<Index>(logs.cells.size()) < 2 * (used + logs.rows)) return std::nullopt;
  const auto pass = [&](std::vector<double>& mine, auto index, auto other) {
    std::fill(sum.begin(), sum.end(), 0.0);
    std::fill(count.begin(), count.end(), 0);
    for (const Logs::Cell& c : logs.cells) {
      sum[index(c)] += c.log - scores.values(c.i, c.j) - other(c);
      ++count[index(c)];
    }
    double moved = 0;
    for (std::size_t n = 0; n < mine.size(); ++n) {
      const double value = count[n] ? sum[n] / double(count[n]) : 0;
      moved = std::max(moved, std::abs(value - mine[n]));
      mine[n] = value;
    }
    return moved;
  };
  for (int n = 0; n < 2000; ++n) {
    const double by_row = pass(row, [](const Logs::Cell& c) { return c.i; },
                               [&](const Logs::Cell& c) { return bias[groupOf(c.i, c.j)]; });
    const double by_group = pass(bias, [&](const Logs::Cell& c) { return groupOf(c.i, c.j); },
                                 [&](const Logs::Cell& c) { return row[c.i]; });
    if (std::max(by_row, by_group) < 1e-12) break;
  }
  for (Index i = 0; i < scores.values.rows(); ++i) {
    for (Index j = 0; j < S; ++j) scores.values(i, j) += bias[groupOf(i, j)];
  }
  return Departure{.kind = kind};
}

double middleOf(std::vector<double>& values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

// A row of weights w sums to Z ÷ (Z + e^sink), with Z the sum of the exponentials.
std::optional<Departure> fitSink(const Scores& scores, const Matrix<bool>& allowed, const Matrix<double>& given) {
  std::vector<double> sinks;
  for (Index i = 0; i < given.rows(); ++i) {
    const double kept = given.row(i).sum();
    if (!(kept > 1e-4 && kept < 1 - 1e-5)) continue;
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (Index j = 0; j < given.cols(); ++j) {
      if (allowed(i, j)) largest = std::max(largest, scores.values(i, j));
    }
    for (Index j = 0; j < given.cols(); ++j) {
      if (allowed(i, j)) sum += std::exp(scores.values(i, j) - largest);
    }
    if (sum > 0) sinks.push_back(largest + std::log(sum) + std::log(1 / kept - 1));
  }
  if (sinks.empty()) return std::nullopt;
  return Departure{.kind = Kind::kSink, .value = middleOf(sinks)};
}

std::optional<Departure> fitTopK(const Matrix<bool>& allowed, const Matrix<double>& given) {
  Index most = 0, most_allowed = 0;
  for (Index i = 0; i < given.rows(); ++i) {
    most = std::max<Index>(most, (given.row(i).array() != 0).count());
    most_allowed = std::max<Index>(most_allowed, allowed.row(i).count());
  }
  if (most == 0 || most >= most_allowed) return std::nullopt;
  return Departure{.kind = Kind::kTopK, .count = most};
}

std::optional<Departure> fitDropout(const Hypothesis& others, const Export& exported, const Scores& scores,
                                    const Matrix<bool>& allowed, const Matrix<double>& given) {
  const Matrix<double> before = weightsUnder(others, exported, scores, &given);
  std::vector<double> ratios;
  bool dropped = false;
  for (Index i = 0; i < given.rows(); ++i) {
    for (Index j = 0; j < given.cols(); ++j) {
      if (!allowed(i, j) || !(before(i, j) > 1e-6)) continue;
      if (given(i, j) == 0) dropped = true;
      else ratios.push_back(given(i, j) / before(i, j));
    }
  }
  if (!dropped || ratios.empty()) return std::nullopt;
  const double factor = middleOf(ratios);
  if (!(factor > 1 + 1e-4 && factor < 1e3)) return std::nullopt;
  return Departure{.kind = Kind::kDropout, .value = factor};
}

}  // namespace

bool isFitted(Kind kind) {
  switch (kind) {
    case Kind::kTemperature: case Kind::kSoftcap: case Kind::kAlibi: case Kind::kDistanceBias: case Kind::kColumnBias:
    case Kind::kSink: case Kind::kTopK: case Kind::kDropout: return true;
    default: return false;
  }
}

std::optional<Departure> fitted(Kind kind, const Hypothesis& others, const Export& exported, Scores& scores,
                                const Matrix<double>& given) {
  const Matrix<bool> allowed = allowedBy(others, exported, &given);
  switch (kind) {
    case Kind::kSink: return fitSink(scores, allowed, given);
    case Kind::kTopK: return fitTopK(allowed, given);
    case Kind::kDropout: return fitDropout(others, exported, scores, allowed, given);
    default: break;
  }
  const Logs logs = logsOf(given, allowed, roundingOf(exported.precision));
  switch (kind) {
    case Kind::kTemperature: return fitTemperature(logs, scores);
    case Kind::kSoftcap: return fitSoftcap(logs, scores);
    case Kind::kAlibi: return fitAlibi(logs, exported, scores);
    case Kind::kDistanceBias: case Kind::kColumnBias: return fitBias(kind, logs, exported, scores);
    default: return std::nullopt;
  }
}

}  // namespace attn::audit
