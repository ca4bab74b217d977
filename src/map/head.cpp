// Checks and packs queries and keys. See head.h.
#include "map/head.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "core/language.h"
#include "map/kernel.h"

namespace attn::map {
namespace {

using core::Check;
using core::Error;

constexpr double kLargestScore = 1e30;  // in the kernel's units; a float holds more, and nothing so large has a meaning

// The largest |number|; NaN or infinite where one of them is.
double largestSize(const float* numbers, Index count) {
  double largest = 0;
  for (Index n = 0; n < count; ++n) {
    const double size = std::abs(static_cast<double>(numbers[n]));
    if (!(size <= largest)) largest = size;
    if (!std::isfinite(largest)) return largest;
  }
  return largest;
}

Check checkNumbers(const float* q, const float* k, const Shape& shape, double scale) {
  const double largest_q = largestSize(q, shape.rows * shape.width);
  const double largest_k = largestSize(k, shape.sources * shape.width);
  if (!std::isfinite(largest_q))
    return Error{tr("The queries hold a number that is not finite, so there is no map of them.")};
  if (!std::isfinite(largest_k))
    return Error{tr("The keys hold a number that is not finite, so there is no map of them.")};
  const double largest = largest_q * largest_k * static_cast<double>(shape.width) * std::max(1.0, std::abs(scale) * kLog2E);
  if (!(largest <= kLargestScore) || !(largest_q * std::abs(scale) * kLog2E <= kLargestScore))
    return Error{tr("The queries and keys are so large that their scores cannot be computed; make them smaller.")};
  return {};
}

}  // namespace

core::Result<Head> Head::make(const float* q, const float* k, Shape shape, Rule rule) {
  assert(shape.rows >= 1 && shape.sources >= 1 && shape.width >= 1 && rule.window >= 0);
  constexpr Index kMost = std::numeric_limits<Index>::max() / 16;
  if (std::max(shape.rows, shape.sources) > kMost / shape.width)
    return Error{tr("Queries and keys of this size do not fit into the memory of this program.")};
  if (Check failed = checkNumbers(q, k, shape, rule.scale)) return *failed;
  const Index panels = (shape.sources + kPanel - 1) / kPanel;
  auto packed = core::Buffer::allocate(static_cast<std::size_t>(panels * kPanel * shape.width) * sizeof(float));
  if (!packed) return packed.error();
  float* to = packed.value().as<float>().data();
  for (Index first = 0; first < panels * kPanel; first += kPanel)
    for (Index c = 0; c < shape.width; ++c)
      for (Index lane = 0; lane < kPanel; ++lane)
        *to++ = first + lane < shape.sources ? k[(first + lane) * shape.width + c] : 0.0f;
  Head head;
  head.q_ = q;
  head.panels_ = packed.take();
  head.shape_ = shape;
  head.rule_ = rule;
  return head;
}

const float* Head::panel(Index first_source) const {
  assert(first_source % kPanel == 0);
  return panels_.as<float>().data() + first_source * shape_.width;
}

void Head::readKey(Index source, std::span<double> key) const {
  const float* from = panel(source / kPanel * kPanel) + source % kPanel;
  for (std::size_t c = 0; c < key.size(); ++c) key[c] = static_cast<double>(from[c * kPanel]);
}

Range Head::allowed(Index row) const {
  const Index at = row + rule_.shift;
  Range range{0, shape_.sources};
  if (rule_.causal) range.end = std::min(range.end, at + 1);
  if (rule_.window > 0) range = {std::max(range.begin, at - rule_.window + 1), std::min(range.end, at + rule_.window)};
  return range.empty() ? Range{} : range;
}

Coverage Head::coverage(Range rows, Range sources) const {
  assert(!rows.empty() && !sources.empty());
  // The rule asks only for p − j, and a block holds every p − j from its upper right corner to its lower left one.
  const Index least = rows.begin + rule_.shift - (sources.end - 1), most = rows.end - 1 + rule_.shift - sources.begin;
  const Index unlimited = std::numeric_limits<Index>::max(), reach = rule_.window > 0 ? rule_.window - 1 : unlimited;
  const Index allowed_least = rule_.causal ? 0 : -reach;
  if (most < allowed_least || least > reach) return Coverage::kNone;
  return least >= allowed_least && most <= reach ? Coverage::kAll : Coverage::kSome;
}

}  // namespace attn::map
