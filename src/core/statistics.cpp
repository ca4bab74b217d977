// Mean, spread, histogram, quantiles. Knows nothing of where the numbers come from.
#include "core/statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace attn::core {

void Running::add(double value) {
  ++count_;
  const double before = value - mean_;
  mean_ += before / static_cast<double>(count_);
  squares_ += before * (value - mean_);
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
}

void Running::merge(const Running& other) {
  if (other.count_ == 0) return;
  const double mine = static_cast<double>(count_), theirs = static_cast<double>(other.count_), all = mine + theirs;
  const double apart = other.mean_ - mean_;
  mean_ += apart * theirs / all;
  squares_ += other.squares_ + apart * apart * mine * theirs / all;
  count_ += other.count_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

double Running::populationVariance() const { return count_ == 0 ? 0 : squares_ / static_cast<double>(count_); }

double Running::sampleVariance() const { return count_ < 2 ? 0 : squares_ / static_cast<double>(count_ - 1); }

double Running::populationDeviation() const { return std::sqrt(populationVariance()); }

double Running::sampleDeviation() const { return std::sqrt(sampleVariance()); }

Running summary(std::span<const double> values) {
  Running running;
  for (double value : values) running.add(value);
  return running;
}

double roundStep(double least) {
  assert(least > 0 && std::isfinite(least));
  const double ten = std::pow(10.0, std::floor(std::log10(least)));
  // A little room, so that 0.30000000000000004 does not ask for the step above it, nor log10 for the decade above.
  for (double factor : {1.0, 2.0, 5.0})
    if (factor * ten >= least * (1 - 1e-12)) return factor * ten;
  return 10 * ten;
}

Histogram::Histogram(double low, double high, int about_bins) : step_(roundStep((high - low) / about_bins)) {
  assert(low < high && about_bins >= 1);
  first_ = static_cast<std::int64_t>(std::floor(low / step_));
  const auto last = static_cast<std::int64_t>(std::ceil(high / step_));
  counts_.assign(static_cast<std::size_t>(std::max<std::int64_t>(last - first_, 1)), 0);
}

void Histogram::add(double value) {
  if (std::isnan(value)) return;
  ++total_;
  const double at = value / step_ - static_cast<double>(first_);
  if (at < 0) ++below_;
  else if (at >= static_cast<double>(counts_.size())) ++above_;
  else ++counts_[static_cast<std::size_t>(at)];
}

double Histogram::density(std::size_t bin) const {
  return total_ == 0 ? 0 : static_cast<double>(counts_[bin]) / (static_cast<double>(total_) * step_);
}

double quantileOfSorted(std::span<const double> sorted, double p) {
  assert(!sorted.empty() && p >= 0 && p <= 1);
  const double at = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  if (below + 1 >= sorted.size()) return sorted.back();
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[below + 1] - sorted[below]);
}

double quantile(std::vector<double> values, double p) {
  std::sort(values.begin(), values.end());
  return quantileOfSorted(values, p);
}

double normalDensity(double x, double mean, double standard_deviation) {
  const double z = (x - mean) / standard_deviation;
  return std::exp(-z * z / 2) / (standard_deviation * std::sqrt(2 * 3.14159265358979323846));
}

}  // namespace attn::core
