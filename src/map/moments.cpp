// Moments of blocks, their merging, and scores out of them. See moments.h.
#include "map/moments.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <utility>

#include "core/language.h"

namespace attn::map {
namespace {

constexpr Index kSide = 8;  // blocks of sources that are evaluated together

Index blocksOf(Index positions, Index block) { return (positions + block - 1) / block; }

// Mean and upper triangle of the covariance.
Index numbersOfBlock(Index width) { return width + width * (width + 1) / 2; }

// Calls use(block) for each level, the finest first.
template <class Use>
void forEachBlockSize(Shape shape, Index block, Use use) {
  for (;; block *= 2) {
    use(block);
    if (block >= std::max(shape.rows, shape.sources)) return;
  }
}

constexpr Index kTogether = 4;  // positions whose squares are added at once: the triangle is read and written less often

// to += part · the upper triangle of Σ v·vᵀ, of kTogether vectors.
void addSquares(const double* v, Index width, double part, double* to) {
  const double *v0 = v, *v1 = v0 + width, *v2 = v1 + width, *v3 = v2 + width;
  for (Index i = 0; i < width; to += width - i, ++i) {
    const double a0 = part * v0[i], a1 = part * v1[i], a2 = part * v2[i], a3 = part * v3[i];
    double* __restrict row = to - i;
    for (Index j = i; j < width; ++j) row[j] += (a0 * v0[j] + a1 * v1[j]) + (a2 * v2[j] + a3 * v3[j]);
  }
}

// Of positions first … first + n − 1, which read(position, to) gives; `vectors` holds kTogether of them on the way.
template <class Read>
void buildBlock(Index first, Index n, Index width, Read read, double* vectors, double* block) {
  double *mean = block, *covariance = block + width;
  std::fill(block, block + numbersOfBlock(width), 0.0);
  for (Index p = first; p < first + n; ++p) {
    read(p, vectors);
    for (Index c = 0; c < width; ++c) mean[c] += vectors[c];
  }
  const double part = 1 / static_cast<double>(n);
  for (Index c = 0; c < width; ++c) mean[c] *= part;
  for (Index p = first; p < first + n; p += kTogether) {
    const Index count = std::min(kTogether, first + n - p);
    std::fill(vectors + count * width, vectors + kTogether * width, 0.0);
    for (Index r = 0; r < count; ++r) {
      double* at = vectors + r * width;
      read(p + r, at);
      for (Index c = 0; c < width; ++c) at[c] -= mean[c];
    }
    addSquares(vectors, width, part, covariance);
  }
}

}  // namespace

std::uint64_t Moments::bytes(Shape shape, Index block) {
  std::uint64_t blocks = 0;
  forEachBlockSize(shape, block, [&](Index size) {
    blocks += static_cast<std::uint64_t>(blocksOf(shape.rows, size) + blocksOf(shape.sources, size));
  });
  return blocks * static_cast<std::uint64_t>(numbersOfBlock(shape.width)) * sizeof(double);
}

core::Result<Index> Moments::plan(Shape shape, std::uint64_t memory) {
  const Index positions = std::max(shape.rows, shape.sources);
  for (Index block = 1;; block *= 2) {
    if (bytes(shape, block) <= memory) return block;
    if (block >= positions) break;
  }
  return core::Error{tr("Means of the scores of {0}×{1} pairs do not fit into {2}; allow more memory.",
                        {shape.rows, shape.sources, core::bytesText(memory)})};
}

core::Result<Moments> Moments::make(const Head& head, Index block) {
  const Shape& shape = head.shape();
  assert(block >= 1 && std::has_single_bit(static_cast<std::size_t>(block)));
  const std::uint64_t all = bytes(shape, block) + static_cast<std::uint64_t>(kTogether * shape.width) * sizeof(double);
  auto memory = core::Buffer::allocate(static_cast<std::size_t>(std::min<std::uint64_t>(all, SIZE_MAX)));
  if (!memory) return memory.error();
  Moments moments;
  moments.memory_ = memory.take();
  moments.width_ = shape.width, moments.stride_ = numbersOfBlock(shape.width), moments.scale_ = head.rule().scale;
  double* const vectors = moments.memory_.as<double>().data();
  double* next = vectors + kTogether * shape.width;
  const auto side = [&](Index positions, Index size) {
    return Side{std::exchange(next, next + blocksOf(positions, size) * moments.stride_), positions};
  };
  forEachBlockSize(shape, block, [&](Index size) {
    const Side queries = side(shape.rows, size);
    moments.levels_.push_back({size, queries, side(shape.sources, size)});
  });
  const auto build = [&](const Side& to, auto read) {
    for (Index first = 0; first < to.positions; first += block)
      buildBlock(first, std::min(block, to.positions - first), shape.width, read, vectors,
                 to.numbers + first / block * moments.stride_);
  };
  build(moments.levels_[0].queries, [&](Index row, double* to) { std::copy_n(head.query(row), shape.width, to); });
  build(moments.levels_[0].keys, [&](Index source, double* to) {
    head.readKey(source, {to, static_cast<std::size_t>(shape.width)});
  });
  for (std::size_t n = 1; n < moments.levels_.size(); ++n) {
    const Level &fine = moments.levels_[n - 1], &coarse = moments.levels_[n];
    moments.merge(fine.queries, coarse.queries, fine.block);
    moments.merge(fine.keys, coarse.keys, fine.block);
  }
  return moments;
}

// Exactly, by the formula of Chan, Golub and LeVeque 1979 for each pair of neighbours of `block` positions.
void Moments::merge(const Side& fine, const Side& coarse, Index block) const {
  const Index all = blocksOf(fine.positions, block);
  for (Index n = 0; n < all; n += 2) {
    const double* a = fine.numbers + n * stride_;
    double* to = coarse.numbers + n / 2 * stride_;
    if (n + 1 == all) {
      std::copy_n(a, stride_, to);
      continue;
    }
    const double* b = a + stride_;
    const auto of_a = static_cast<double>(block);
    const auto of_b = static_cast<double>(std::min(block, fine.positions - (n + 1) * block));
    const double part_a = of_a / (of_a + of_b), part_b = of_b / (of_a + of_b);
    for (Index c = 0; c < stride_; ++c) to[c] = part_a * a[c] + part_b * b[c];
    double* covariance = to + width_;
    for (Index i = 0; i < width_; ++i)
      for (Index j = i; j < width_; ++j) *covariance++ += part_a * part_b * (a[i] - b[i]) * (a[j] - b[j]);
  }
}

Shape Moments::blocks(int level) const {
  const Level& of = levels_[static_cast<std::size_t>(level)];
  return {blocksOf(of.queries.positions, of.block), blocksOf(of.keys.positions, of.block), width_};
}

// Of kSide blocks side by side: k̄, then for each entry of the triangle B and B + k̄k̄ᵀ, doubled off the diagonal. Those
// beyond `count` are 0.
void Moments::pack(const Side& keys, Index first, Index count, double* panel) const {
  std::fill(panel, panel + kSide * (width_ + 2 * (stride_ - width_)), 0.0);
  for (Index lane = 0; lane < count; ++lane) {
    const double *mean = keys.numbers + (first + lane) * stride_, *covariance = mean + width_;
    double* to = panel + lane;
    for (Index c = 0; c < width_; ++c, to += kSide) *to = mean[c];
    for (Index i = 0; i < width_; ++i)
      for (Index j = i; j < width_; ++j, ++covariance, to += 2 * kSide) {
        const double times = i == j ? 1 : 2;
        to[0] = times * *covariance;
        to[kSide] = times * (*covariance + mean[i] * mean[j]);
      }
  }
}

// One block of queries with a panel: the variance is ⟨q̄q̄ᵀ, B⟩ + ⟨A, B + k̄k̄ᵀ⟩.
void Moments::pairUp(const double* query, const double* panel, double* mean, double* deviation) const {
  double means[kSide] = {}, variances[kSide] = {};
  for (Index c = 0; c < width_; ++c, panel += kSide)
    for (Index lane = 0; lane < kSide; ++lane) means[lane] += query[c] * panel[lane];
  const double* covariance = query + width_;
  for (Index i = 0; i < width_; ++i)
    for (Index j = i; j < width_; ++j, panel += 2 * kSide) {
      const double square = query[i] * query[j], spread = *covariance++;
      for (Index lane = 0; lane < kSide; ++lane)
        variances[lane] += square * panel[lane] + spread * panel[kSide + lane];
    }
  for (Index lane = 0; lane < kSide; ++lane) {
    mean[lane] = scale_ * means[lane];
    deviation[lane] = std::abs(scale_) * std::sqrt(std::max(0.0, variances[lane]));
  }
}

core::Check Moments::evaluate(int level, Range rows, Range sources, std::span<double> mean,
                              std::span<double> deviation) const {
  const Level& of = levels_[static_cast<std::size_t>(level)];
  assert(!rows.empty() && !sources.empty() && static_cast<Index>(mean.size()) == rows.size() * sources.size());
  auto memory = core::Buffer::allocate(static_cast<std::size_t>(kSide * (2 * stride_ - width_)) * sizeof(double));
  if (!memory) return memory.error();
  double* const panel = memory.value().as<double>().data();
  double means[kSide], deviations[kSide];
  for (Index first = sources.begin; first < sources.end; first += kSide) {
    const Index count = std::min(kSide, sources.end - first);
    pack(of.keys, first, count, panel);
    for (Index row = rows.begin; row < rows.end; ++row) {
      pairUp(of.queries.numbers + row * stride_, panel, means, deviations);
      const Index at = (row - rows.begin) * sources.size() + first - sources.begin;
      std::copy_n(means, count, mean.data() + at);
      std::copy_n(deviations, count, deviation.data() + at);
    }
  }
  return {};
}

}  // namespace attn::map
