// Numbers about many numbers: mean, spread, histogram, quantiles. Knows nothing of where they come from.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/tensor.h"

namespace attn::core {

// Mean and spread of a stream that is not stored: Welford 1962; merging two after Chan, Golub and LeVeque 1983.
class Running {
 public:
  void add(double value);
  void merge(const Running& other);  // as if all of the other's values had been added here

  std::uint64_t count() const { return count_; }
  double mean() const { return mean_; }  // 0 before the first value
  double min() const { return min_; }    // +∞ before the first value
  double max() const { return max_; }    // −∞ before the first value
  // Divided by n (the population's own spread) or by n − 1 (an estimate from a sample). 0 where that is not possible.
  double populationVariance() const;
  double sampleVariance() const;
  double populationDeviation() const;
  double sampleDeviation() const;

 private:
  std::uint64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // Σ (value − mean)²
  double min_ = std::numeric_limits<double>::infinity();
  double max_ = -std::numeric_limits<double>::infinity();
};

Running summary(std::span<const double> values);

// The smallest of 1, 2, 5 × 10^k that is at least `least` (> 0).
double roundStep(double least);

// Bins of equal width whose edges are multiples of a round step. A value on an edge belongs to the bin above it.
class Histogram {
 public:
  // Covers low … high (low < high, finite) with at most about_bins + 2 bins; about_bins ≥ 1.
  Histogram(double low, double high, int about_bins);

  void add(double value);  // NaN is counted nowhere

  std::size_t bins() const { return counts_.size(); }
  double edge(std::size_t bin) const { return static_cast<double>(first_ + static_cast<std::int64_t>(bin)) * step_; }
  double center(std::size_t bin) const { return (edge(bin) + edge(bin + 1)) / 2; }
  double step() const { return step_; }
  std::uint64_t count(std::size_t bin) const { return counts_[bin]; }
  std::uint64_t below() const { return below_; }  // left of the first edge
  std::uint64_t above() const { return above_; }  // at or right of the last
  std::uint64_t total() const { return total_; }  // all of them
  // The share of all values per unit of the axis, to lie beside a probability density.
  double density(std::size_t bin) const;

 private:
  double step_;
  std::int64_t first_;  // the first edge, in steps
  std::vector<std::uint64_t> counts_;
  std::uint64_t below_ = 0, above_ = 0, total_ = 0;
};

// The value below which the part p (0 … 1) lies, linear between neighbours (Hyndman and Fan 1996, type 7, as in NumPy).
// At least one value; `sorted` ascends.
double quantileOfSorted(std::span<const double> sorted, double p);
double quantile(std::vector<double> values, double p);

// The density of the normal distribution, to draw beside a histogram.
double normalDensity(double x, double mean, double standard_deviation);

}  // namespace attn::core
