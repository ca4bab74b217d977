// Each hypothesis about an export is made true in turn, over many seeds: it is named, and nothing else is.
#include "audit/verdict.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "core/half.h"
#include "core/position.h"
#include "core/rng.h"
#include "support/sanitized.h"

namespace {

using namespace attn;
using audit::Departure;
using audit::Export;
using audit::Hypothesis;
using audit::Kind;
using core::Index;
using core::Matrix;

Matrix<double> drawn(core::Rng& rng, Index rows, Index columns) {
  Matrix<double> values(rows, columns);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) values(i, j) = static_cast<float>(rng.normal());
  }
  return values;
}

struct Sizes {
  Index T = 12, S = 12, d = 8, H = 4, G = 4;
};

// q, k, v as a framework would export them in single precision.
Export randomExport(std::uint64_t seed, const Sizes& sizes) {
  core::Rng rng(seed);
  Export exported;
  for (Index h = 0; h < sizes.H; ++h) exported.q.push_back(drawn(rng, sizes.T, sizes.d));
  for (Index g = 0; g < sizes.G; ++g) {
    exported.k.push_back(drawn(rng, sizes.S, sizes.d));
    exported.v.push_back(drawn(rng, sizes.S, sizes.d));
  }
  return exported;
}

Matrix<double> single(const Matrix<double>& values) { return values.cast<float>().cast<double>(); }

// The weights that this hypothesis makes, in single precision. Written apart from what is tested: plain loops.
struct Making {
  double scale = 0;  // 0: 1/√d_k
  double temperature = 1, cap = 0, slope = 0;
  std::function<bool(Index, Index)> may = [](Index, Index) { return true; };
  std::function<double(Index, Index)> bias = [](Index, Index) { return 0.0; };
  std::function<void(Matrix<double>&, Matrix<double>&)> before = {};  // on q and k
  std::function<Index(Index)> key_head = {};
  std::function<double(double)> round_score = {}, round_weight = {};
  double fill = -INFINITY, penalty = 0, sink = -INFINITY;
  Index top = 0;
  double dropout = 0;
  bool mean = false;
};

void make(Export& exported, const Making& how, std::uint64_t seed) {
  core::Rng rng(seed ^ 0x9E37);
  const Index H = exported.heads(), T = exported.T(), S = exported.S();
  for (Index h = 0; h < H; ++h) {
    const Index g = how.key_head ? how.key_head(h) : h * static_cast<Index>(exported.k.size()) / H;
    Matrix<double> q = exported.q[h], k = exported.k[g];
    if (how.before) how.before(q, k);
    const double scale = how.scale > 0 ? how.scale : 1 / std::sqrt(double(q.cols()));
    Matrix<double> weights(T, S);
    for (Index i = 0; i < T; ++i) {
      std::vector<double> e(S, 0), s(S);
      for (Index j = 0; j < S; ++j) {
        s[j] = q.row(i).dot(k.row(j)) * scale / how.temperature;
        if (how.round_score) s[j] = how.round_score(s[j]);
        if (how.cap > 0) s[j] = how.cap * std::tanh(s[j] / how.cap);
        s[j] += how.bias(i, j) - how.slope * std::abs(double(i + S - T - j));
        if (!how.may(i, j)) s[j] = how.penalty != 0 ? double(float(s[j]) + float(how.penalty)) : how.fill;
      }
      if (how.top > 0) {
        std::vector<double> sorted = s;
        std::sort(sorted.rbegin(), sorted.rend());
        for (double& value : s) value = value < sorted[how.top - 1] ? -INFINITY : value;
      }
      const double largest = *std::max_element(s.begin(), s.end());
      double sum = std::exp(how.sink - largest);
      if (std::isfinite(largest)) {
        for (Index j = 0; j < S; ++j) sum += e[j] = std::exp(s[j] - largest);
      }
      for (Index j = 0; j < S; ++j) {
        double w = sum > 0 ? e[j] / sum : 0;
        if (how.dropout > 0) w = rng.uniform() < how.dropout ? 0 : w / (1 - how.dropout);
        weights(i, j) = how.round_weight ? how.round_weight(w) : w;
      }
    }
    exported.weights.push_back(weights);
  }
  if (how.mean) {
    for (Index h = 1; h < H; ++h) exported.weights[0] += exported.weights[h];
    exported.weights[0] /= double(H);
    exported.weights.resize(1);
  }
  for (Matrix<double>& weights : exported.weights) weights = single(weights);
}

struct Case {
  std::string name;      // what every fit must begin with, "|" between the masks and the rest: all of these codes in it
  Sizes sizes;
  std::function<Making(std::uint64_t, const Export&)> how;
};

bool causal(Index i, Index j) { return j <= i; }
double half(double x) { return core::fromHalf(core::toHalf(static_cast<float>(x))); }
double bfloat(double x) { return core::fromBfloat(core::toBfloat(static_cast<float>(x))); }

void turn(Matrix<double>& q, Matrix<double>& k, core::RotaryLayout layout, Index width, double base, Index offset = 0) {
  q.leftCols(width) = core::rotary(q.leftCols(width), layout, offset, base);
  k.leftCols(width) = core::rotary(k.leftCols(width), layout, 0, base);
}

#define HOW [](std::uint64_t seed, const Export& exported) -> Making
#define UNUSED (void)seed, (void)exported

const std::vector<Case>& cases() {
  using core::RotaryLayout;
  static const std::vector<Case> all = {
      {"textbook", {}, HOW { UNUSED; return {}; }},
      {"causal", {}, HOW { UNUSED; return {.may = causal}; }},
      {"causal bottom-right", {6, 12, 8, 2, 2}, HOW { UNUSED; return {.may = [](Index i, Index j) { return j <= i + 6; }}; }},
      {"causal", {6, 12, 8, 2, 2}, HOW { UNUSED; return {.may = causal}; }},
      {"window 3", {}, HOW { UNUSED; return {.may = [](Index i, Index j) { return std::abs(i - j) < 3; }}; }},
      {"causal window 4", {}, HOW { UNUSED; return {.may = [](Index i, Index j) { return j <= i && i - j < 4; }}; }},
      {"padding right 3", {}, HOW { UNUSED; return {.may = [](Index, Index j) { return j < 9; }}; }},
      {"padding left 2", {}, HOW { UNUSED; return {.may = [](Index, Index j) { return j >= 2; }}; }},
      {"causal + padding left 2", {}, HOW { UNUSED; return {.may = [](Index i, Index j) { return j <= i && j >= 2; }}; }},
      {"causal + padding right 3", {}, HOW { UNUSED; return {.may = [](Index i, Index j) { return j <= i && j < 9; }}; }},
      {"scale 1", {}, HOW { UNUSED; return {.scale = 1}; }},
      {"causal + scale 1", {}, HOW { UNUSED; return {.scale = 1, .may = causal}; }},
      {"scale 1/d_k", {}, HOW { UNUSED; return {.scale = 1 / 8.0}; }},
      {"causal + scale 1/sqrt(H*d_k)", {}, HOW { UNUSED; return {.scale = 1 / std::sqrt(32.0), .may = causal}; }},
      {"temperature", {}, HOW { (void)exported; return {.temperature = 1.32 + 0.05 * double(seed)}; }},
      {"causal + temperature", {}, HOW { (void)exported; return {.temperature = 0.4 + 0.02 * double(seed), .may = causal}; }},
      {"softcap", {}, HOW { (void)exported; return {.cap = 1 + 0.2 * double(seed)}; }},
      {"causal + softcap", {}, HOW { (void)exported; return {.cap = 2 + 0.1 * double(seed), .may = causal}; }},
      {"alibi", {}, HOW { (void)exported; return {.slope = 0.05 + 0.02 * double(seed)}; }},
      {"causal + alibi", {}, HOW { (void)exported; return {.slope = 0.05 + 0.02 * double(seed), .may = causal}; }},
      {"causal + sink", {}, HOW { (void)exported; return {.may = causal, .sink = 0.1 * double(seed) - 1}; }},
      {"sink", {}, HOW { (void)exported; return {.sink = 0.1 * double(seed) - 1}; }},
      {"dropout 0.1", {}, HOW { UNUSED; return {.dropout = 0.1}; }},
      {"causal + dropout 0.25", {}, HOW { UNUSED; return {.may = causal, .dropout = 0.25}; }},
      {"top-3", {}, HOW { UNUSED; return {.top = 3}; }},
      {"causal + top-4", {}, HOW { UNUSED; return {.may = causal, .top = 4}; }},
      {"rotary half-split base 10000 width 8", {}, HOW { UNUSED;
         return {.before = [](auto& q, auto& k) { turn(q, k, RotaryLayout::kHalfSplit, 8, 10000); }}; }},
      {"causal + rotary interleaved base 10000 width 8", {}, HOW { UNUSED;
         return {.may = causal, .before = [](auto& q, auto& k) { turn(q, k, RotaryLayout::kInterleaved, 8, 10000); }}; }},
      {"causal + rotary half-split base 500000 width 8", {}, HOW { UNUSED;
         return {.may = causal, .before = [](auto& q, auto& k) { turn(q, k, RotaryLayout::kHalfSplit, 8, 500000); }}; }},
      {"causal + rotary half-split base 10000 width 4", {}, HOW { UNUSED;
         return {.may = causal, .before = [](auto& q, auto& k) { turn(q, k, RotaryLayout::kHalfSplit, 4, 10000); }}; }},
      {"causal bottom-right + rotary half-split base 10000 width 8 offset 6", {6, 12, 8, 2, 2}, HOW { UNUSED;
         return {.may = [](Index i, Index j) { return j <= i + 6; },
                 .before = [](auto& q, auto& k) { turn(q, k, RotaryLayout::kHalfSplit, 8, 10000, 6); }}; }},
      {"rms-normalised q and k", {}, HOW { UNUSED;
         return {.before = [](auto& q, auto& k) {
           for (auto* x : {&q, &k}) {
             for (Index i = 0; i < x->rows(); ++i) x->row(i) /= std::sqrt(x->row(i).squaredNorm() / 8 + 1e-6);
           }
         }}; }},
      {"causal + length-normalised q and k", {}, HOW { UNUSED;
         return {.may = causal, .before = [](auto& q, auto& k) { q.rowwise().normalize(); k.rowwise().normalize(); }}; }},
      {"layer-normalised q and k", {}, HOW { UNUSED;
         return {.before = [](auto& q, auto& k) {
           for (auto* x : {&q, &k}) {
             for (Index i = 0; i < x->rows(); ++i) {
               x->row(i).array() -= x->row(i).mean();
               x->row(i) /= std::sqrt(x->row(i).squaredNorm() / 8 + 1e-6);
             }
           }
         }}; }},
      {"key/value head h mod G", {12, 12, 8, 4, 2}, HOW { UNUSED; return {.key_head = [](Index h) { return h % 2; }}; }},
      {"causal + key/value head h mod G", {12, 12, 8, 4, 2}, HOW { UNUSED; return {.may = causal, .key_head = [](Index h) { return h % 2; }}; }},
      {"mean of the heads", {}, HOW { UNUSED; return {.mean = true}; }},
      {"causal + mean of the heads", {}, HOW { UNUSED; return {.may = causal, .mean = true}; }},
      {"scores in float16", {}, HOW { UNUSED; return {.round_score = half}; }},
      {"causal + scores in bfloat16", {}, HOW { UNUSED; return {.may = causal, .round_score = bfloat}; }},
      {"softmax in float16", {}, HOW { UNUSED; return {.round_weight = half}; }},
      {"causal + softmax in bfloat16", {}, HOW { UNUSED; return {.may = causal, .round_weight = bfloat}; }},
      {"bias by source", {16, 16, 8, 2, 2}, HOW { (void)exported;
         return {.bias = [seed](Index, Index j) { return std::sin(double(seed) + 1.7 * double(j)); }}; }},
      {"causal + bias by distance", {16, 16, 8, 2, 2}, HOW { (void)exported;
         return {.may = causal, .bias = [seed](Index i, Index j) { return std::sin(double(seed) + 1.7 * double(i - j)); }}; }},
      {"causal + padding left 2 + fill", {}, HOW { UNUSED;
         return {.may = [](Index i, Index j) { return j <= i && j >= 2; }, .fill = -1e9}; }},
      {"causal + padding left 2 + penalty -10000", {}, HOW { UNUSED;
         return {.may = [](Index i, Index j) { return j <= i && j >= 2; }, .penalty = -1e4}; }},
      // Pairs.
      {"causal + scale 1 + rotary half-split base 10000 width 8", {}, HOW { UNUSED;
         return {.scale = 1, .may = causal, .before = [](auto& q, auto& k) { turn(q, k, RotaryLayout::kHalfSplit, 8, 10000); }}; }},
      {"causal + rotary half-split base 10000 width 8 + sink", {}, HOW { (void)exported;
         return {.may = causal, .before = [](auto& q, auto& k) { turn(q, k, RotaryLayout::kHalfSplit, 8, 10000); },
                 .sink = 0.1 * double(seed)}; }},
      {"causal + rotary half-split base 10000 width 8 + key/value head h mod G", {12, 12, 8, 4, 2}, HOW { UNUSED;
         return {.may = causal, .before = [](auto& q, auto& k) { turn(q, k, RotaryLayout::kHalfSplit, 8, 10000); },
                 .key_head = [](Index h) { return h % 2; }}; }},
      {"causal + scale 1 + dropout 0.1", {}, HOW { UNUSED; return {.scale = 1, .may = causal, .dropout = 0.1}; }},
      {"causal + softcap 3 + dropout 0.1", {}, HOW { UNUSED; return {.cap = 3, .may = causal, .dropout = 0.1}; }},
  };
  // Designated members above stand in the order of Making.
  return all;
}

std::string codesOf(const audit::Verdict& verdict) {
  std::string codes;
  for (const audit::Fit& fit : verdict.fits) codes += (codes.empty() ? "" : " | ") + audit::codeText(fit.hypothesis);
  return codes.empty() ? "none" : codes;
}

}  // namespace

TEST_CASE("each hypothesis is named when it is true, and no other is, over twenty seeds") {
  for (const Case& one : cases()) {
    for (std::uint64_t seed = 1; seed <= (test::kSlow ? 1 : 20); ++seed) {
      const std::string name = one.name;
      CAPTURE(name);
      CAPTURE(seed);
      Export exported = randomExport(seed, one.sizes);
      make(exported, one.how(seed, exported), seed);
      const audit::Verdict verdict = audit::explain(exported);
      const std::string codes = codesOf(verdict);
      CAPTURE(codes);
      const bool fills = one.name.find("+ fill") != std::string::npos;
      CHECK(verdict.fits.size() == (fills ? 4 : 1));
      for (const audit::Fit& fit : verdict.fits) CHECK(audit::codeText(fit.hypothesis).rfind(one.name, 0) == 0);
      if (one.name.find("temperature") != std::string::npos) continue;
      if (!verdict.fits.empty()) CHECK(audit::codeText(verdict.fits[0].hypothesis).size() <= one.name.size() + 12);
    }
  }
}

TEST_CASE("of masks the one with the least difference is the nearest, though another one was tried before") {
  for (std::uint64_t seed = 1; seed <= (test::kSlow ? 1 : 5); ++seed) {
    CAPTURE(seed);
    Export exported = randomExport(seed, {});
    make(exported, {.may = [](Index i, Index j) { return j <= i; }}, seed);
    std::swap(exported.weights[1](5, 1), exported.weights[1](5, 2));
    const audit::Verdict verdict = audit::explain(exported);
    REQUIRE(verdict.fits.empty());
    REQUIRE(verdict.nearest.has_value());
    CHECK(audit::codeText(verdict.nearest->hypothesis) == "causal");
    CHECK(verdict.nearest->first->head == 1);
    CHECK(verdict.nearest->first->row == 5);
  }
}
