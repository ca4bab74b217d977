// Heads for tests of maps, and the same numbers in double, pair by pair, by what the rule says and by nothing else.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include "core/rng.h"
#include "map/head.h"

namespace attn::test {

struct RandomHead {
  RandomHead(map::Shape the_shape, map::Rule the_rule, std::uint64_t seed = 7) : shape(the_shape), rule(the_rule) {
    core::Rng rng(seed);
    q.resize(static_cast<std::size_t>(shape.rows * shape.width));
    k.resize(static_cast<std::size_t>(shape.sources * shape.width));
    for (float& x : q) x = static_cast<float>(1.5 * rng.normal());
    for (float& x : k) x = static_cast<float>(1.5 * rng.normal());
  }

  map::Head head() const {
    auto made = map::Head::make(q.data(), k.data(), shape, rule);
    REQUIRE(made.ok());
    return made.take();
  }
  double score(map::Index i, map::Index j) const {
    double sum = 0;
    for (map::Index c = 0; c < shape.width; ++c)
      sum += static_cast<double>(q[static_cast<std::size_t>(i * shape.width + c)]) *
             static_cast<double>(k[static_cast<std::size_t>(j * shape.width + c)]);
    return rule.scale * sum;
  }
  bool allowed(map::Index i, map::Index j) const {
    const map::Index at = i + rule.shift;
    return (!rule.causal || j <= at) && (rule.window == 0 || std::abs(at - j) < rule.window);
  }
  // The weights of a row; 0 where blocked.
  std::vector<double> weights(map::Index i) const {
    std::vector<double> row(static_cast<std::size_t>(shape.sources));
    double top = -1e300, sum = 0;
    for (map::Index j = 0; j < shape.sources; ++j) {
      row[static_cast<std::size_t>(j)] = score(i, j);
      if (allowed(i, j)) top = std::max(top, row[static_cast<std::size_t>(j)]);
    }
    for (map::Index j = 0; j < shape.sources; ++j) {
      double& x = row[static_cast<std::size_t>(j)];
      x = allowed(i, j) ? std::exp(x - top) : 0;
      sum += x;
    }
    for (double& x : row) x = sum > 0 ? x / sum : 0;
    return row;
  }

  map::Shape shape;
  map::Rule rule;
  std::vector<float> q, k;
};

inline double rootScale(map::Index width) { return 1 / std::sqrt(static_cast<double>(width)); }

// Of all rules and of sizes that fill neither panels, blocks nor cells.
inline std::vector<std::pair<map::Shape, map::Rule>> manyCases() {
  const auto scale = rootScale;
  return {{{1, 1, 1}, {scale(1)}},
          {{7, 5, 1}, {1.0}},
          {{33, 70, 3}, {scale(3), true, 0, 37}},
          {{70, 33, 16}, {scale(16), true}},
          {{70, 33, 16}, {scale(16), false, 4}},  // rows that may read nothing
          {{130, 130, 70}, {scale(70), true}},
          {{600, 600, 17}, {scale(17)}},
          {{590, 600, 8}, {scale(8), true, 100}},
          {{520, 600, 8}, {-0.2, false, 33, 50}}};
}

// To so much of the number itself, and never closer than 1e-30.
inline bool nearlyEqual(double value, double exact, double relative) {
  return std::abs(value - exact) <= relative * std::abs(exact) + 1e-30;
}

}  // namespace attn::test
