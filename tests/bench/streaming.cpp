// Times attention over long sequences and compares it with the machine, with itself and with double precision.
#include "bench/streaming.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "bench/figures.h"
#include "bench/peak.h"
#include "core/buffer_use.h"
#include "core/streaming/threads.h"
#include "support/long_attention.h"

namespace attn::bench {
namespace {

using core::Index;
using core::streaming::Attention;
using core::streaming::Kernel;
using Better = Figure::Better;

constexpr int kRounds = 5;
constexpr Index kLongest = 65536;
constexpr Index kWidest = 128;

struct Shape {
  Index T = 4096, d = 64;
  bool causal = false;
  Index window = 0;  // none
};

// Numbers for all shapes, and room for what is computed.
class Workbench {
 public:
  Workbench() {
    core::Rng rng(1);
    for (std::vector<float>* numbers : {&q_, &k_, &v_})
      for (numbers->resize(kLongest * 64); float& x : *numbers) x = static_cast<float>(rng.normal());
    z_.resize(q_.size());
    row_max_.resize(kLongest);
    row_sum_.resize(kLongest);
    row_status_.resize(kLongest);
  }

  core::streaming::Inputs inputs(const Shape& shape) const {
    core::streaming::Inputs in;
    in.T = in.S = shape.T;
    in.d_k = in.d_v = shape.d;
    in.q = {q_.data(), shape.d, 0};
    in.k = {k_.data(), shape.d, 0};
    in.v = {v_.data(), shape.d, 0};
    in.rules.causal = shape.causal;
    if (shape.window > 0) in.rules.window = shape.window;
    return in;
  }

  Attention prepare(const Shape& shape, const Kernel& kernel) {
    const core::streaming::Outputs out{z_.data(), shape.d, 0, row_max_.data(), row_sum_.data(), row_status_.data()};
    auto prepared = Attention::prepare(inputs(shape), out, kernel);
    if (!prepared) std::fprintf(stderr, "attnscope-bench: %s\n", prepared.error().message.c_str()), std::exit(1);
    return prepared.take();
  }

  // Of one thread, packing included; the median of some runs, fewer of long ones.
  double seconds(const Shape& shape, const Kernel& kernel) {
    std::vector<double> times;
    for (double total = 0; times.size() < 3 || (total < 0.05 && times.size() < 25); total += times.back()) {
      const double start = threadSeconds();
      Attention attention = prepare(shape, kernel);
      if (const auto failed = attend(attention, 1)) std::exit(1);
      times.push_back(threadSeconds() - start);
      if (times.back() > 1) break;
    }
    return median(times);
  }

  // Of the numbers computed last, against double precision in some rows.
  double error(const Shape& shape) const;

 private:
  std::vector<float> q_, k_, v_, z_, row_max_, row_sum_;
  std::vector<core::RowStatus> row_status_;
};

double Workbench::error(const Shape& shape) const {
  const Index d = shape.d;
  const auto at = [d](const std::vector<float>& numbers, Index row, Index n) -> double {
    return numbers[static_cast<std::size_t>(row * d + n)];
  };
  double worst = 0;
  for (Index i = 0; i < shape.T; i += shape.T / 32 + 1) {
    std::vector<double> sum(static_cast<std::size_t>(d));
    double total = 0;
    for (Index j = 0; j < shape.T; ++j) {
      double score = 0;  // of unit variance, so that nothing overflows
      for (Index n = 0; n < d; ++n) score += at(q_, i, n) * at(k_, j, n);
      const double power = std::exp(score / std::sqrt(static_cast<double>(d)));
      total += power;
      for (Index n = 0; n < d; ++n) sum[static_cast<std::size_t>(n)] += power * at(v_, j, n);
    }
    for (Index n = 0; n < d; ++n)
      worst = std::fmax(worst, std::abs(sum[static_cast<std::size_t>(n)] / total - at(z_, i, n)));
  }
  return worst;
}

double flops(const Shape& shape) {
  return 4.0 * static_cast<double>(shape.T) * static_cast<double>(shape.T) * static_cast<double>(shape.d);
}

Figure& figure(std::vector<Figure>& figures, const std::string& name, double floor, double goal, Better better) {
  for (Figure& each : figures)
    if (each.name == name) return each;
  figures.push_back({name, floor, goal, better, {}});
  return figures.back();
}

void computeTimed(Attention& attention, Index begin, Index end, double& seconds) {
  auto scratch = attention.scratch();
  if (!scratch) std::exit(1);
  const double start = threadSeconds();
  attention.compute(begin, end, scratch.value());
  seconds = threadSeconds() - start;
}

// The part of the peak that each instruction set reaches.
void measurePeaks(Workbench& bench, std::vector<Figure>& figures) {
  struct Bounds {
    const char* kernel;
    double floor_short, goal_short, floor_long, goal_long;
  };
  constexpr Bounds kBounds[] = {
      {"AVX-512", 0.63, 0.70, 0.71, 0.80}, {"AVX2", 0.68, 0.74, 0.74, 0.82}, {"SSE4.2", 0.68, 0.75, 0.70, 0.78}};
  for (const Kernel* kernel : core::streaming::kernels()) {
    for (const Bounds& bounds : kBounds) {
      if (std::strcmp(bounds.kernel, kernel->name) != 0) continue;
      const double peak = peakFlopsPerSecond(kernel->name);
      for (const Index T : {Index{1024}, Index{4096}}) {
        const Shape shape{T};
        const double part = flops(shape) / bench.seconds(shape, *kernel) / peak;
        figure(figures, std::string(kernel->name) + " ÷ its peak, d = 64, T = " + std::to_string(T),
               T == 1024 ? bounds.floor_short : bounds.floor_long, T == 1024 ? bounds.goal_short : bounds.goal_long,
               Better::kHigher).values.push_back(part);
      }
    }
  }
}

void measureRules(Workbench& bench, std::vector<Figure>& figures) {
  const Kernel& kernel = core::streaming::bestKernel();
  const double full = bench.seconds({}, kernel);
  const double causal = bench.seconds({4096, 64, true}, kernel);
  figure(figures, "causal ÷ full, time, T = 4096", 0.56, 0.52, Better::kLower).values.push_back(causal / full);
  const double all = bench.seconds({16384}, kernel), part = bench.seconds({16384, 64, true, 512}, kernel);
  figure(figures, "causal window of 512 ÷ full, time, T = 16384", 0.06, 0.045, Better::kLower).values.push_back(part / all);
  for (const Index d : {Index{16}, kWidest}) {
    const double other = bench.seconds({4096, d}, kernel) / static_cast<double>(d);
    const double same = bench.seconds({}, kernel) / 64;
    figure(figures, "d = " + std::to_string(d) + " ÷ d = 64, FLOP/s, T = 4096", d == 16 ? 0.70 : 1.0, d == 16 ? 0.80 : 1.05,
           Better::kHigher).values.push_back(same / other);
  }
}

// Each thread's own time, the longer of two that run at once with half of the blocks each: where others use the machine
// too, the clock on the wall would tell of them. Packing is left out.
void measureThreads(Workbench& bench, std::vector<Figure>& figures) {
  const Shape shape{16384};
  const Kernel& kernel = core::streaming::bestKernel();
  Attention alone = bench.prepare(shape, kernel), shared = bench.prepare(shape, kernel);
  const Index half = (shared.blocks() + 1) / 2;
  double one = 0, first = 0, second = 0;
  computeTimed(alone, 0, alone.blocks(), one);
  std::thread other([&] { computeTimed(shared, half, shared.blocks(), second); });
  computeTimed(shared, 0, half, first);
  other.join();
  figure(figures, "one thread ÷ two, their own time, T = 16384", 1.8, 1.95, Better::kHigher)
      .values.push_back(one / std::fmax(first, second));
}

// How far four times the work is from four times the time, at the worst of the doublings.
void measureGrowth(Workbench& bench, std::vector<Figure>& figures) {
  const Kernel& kernel = core::streaming::bestKernel();
  double before = bench.seconds({4096}, kernel), worst = 0;
  for (Index T = 8192; T <= kLongest; T *= 2) {
    const double now = bench.seconds({T}, kernel);
    worst = std::fmax(worst, std::abs(now / before / 4 - 1));
    before = now;
  }
  figure(figures, "T doubled, 4096 to 65536: time off ×4, as a part", 0.10, 0.05, Better::kLower).values.push_back(worst);
}

void measureMemory(Workbench& bench, std::vector<Figure>& figures) {
  constexpr double kMiB = 1 << 20, d = 64, T = kLongest;
  const Kernel& kernel = core::streaming::bestKernel();
  core::watchHeldBytes();
  const std::size_t before = core::heldBytes();
  Attention attention = bench.prepare({kLongest, 64, true, 512}, kernel);
  if (const auto failed = attend(attention, 2)) std::exit(1);
  const double rows = (sizeof(float) + sizeof(float) + sizeof(core::RowStatus)) * T;
  const double bytes = static_cast<double>(core::mostHeldBytes() - before) + rows;
  figure(figures, "MiB beyond q, k, v and z, T = 65536", (2 * d * 4 * T + 8 * T + 16 * kMiB) / kMiB,
         (2 * d * 4 * T + 8 * T + kMiB) / kMiB, Better::kLower).values.push_back(bytes / kMiB);
}

double worstShape(const Kernel& kernel) {
  double worst = 0;
  for (const Index T : {1, 7, 64, 97, 300}) {
    for (const Index S : {1, 2, 65, 257, 300}) {
      for (const Index d : {1, 16, 63, 64, 128, 256}) {
        test::LongCase the;
        the.T = T, the.S = S, the.d_k = the.d_v = d, the.causal = (T + S + d) % 2 == 0;
        test::LongAttention attention(the);
        if (attention.compute(kernel)) std::exit(1);
        worst = std::fmax(worst, test::longError(attention, core::computeTrace(attention.problem()).value()).z);
      }
    }
  }
  return worst;
}

double worstPower(const Kernel& kernel) {
  double worst = 0;
  for (float x = 0; x > -126; x -= 0.0001f) {
    alignas(64) float numbers[16];
    std::fill(numbers, numbers + 16, x);
    kernel.exp2(numbers, 1);
    worst = std::fmax(worst, std::abs(numbers[0] / std::exp2(static_cast<double>(x)) - 1));
  }
  return worst;
}

// Of the worst kernel.
void measureErrors(Workbench& bench, std::vector<Figure>& figures) {
  double at_length = 0, shapes = 0, power = 0;
  for (const Kernel* kernel : core::streaming::kernels()) {
    for (const Index T : {1024, 4096}) {
      bench.seconds({T}, *kernel);
      at_length = std::fmax(at_length, bench.error({T}));
    }
    shapes = std::fmax(shapes, worstShape(*kernel));
    power = std::fmax(power, worstPower(*kernel));
  }
  figure(figures, "error against double, d = 64, T ≥ 1024", 3e-7, 2.5e-7, Better::kLower).values.push_back(at_length);
  figure(figures, "error against double, shapes to 300", 5e-6, 3e-6, Better::kLower).values.push_back(shapes);
  figure(figures, "error of 2^x, as a part", 3e-7, 2.5e-7, Better::kLower).values.push_back(power);
}

}  // namespace

bool printSeconds(const char* kernel, Index T, Index d) {
  if (T < 1 || d < 1 || d > core::streaming::kWidestHead || T > kLongest * 64 / d) return false;
  Workbench bench;
  for (const Kernel* each : core::streaming::kernels())
    if (std::strcmp(each->name, kernel) == 0) return std::printf("%.9g\n", bench.seconds({T, d}, *each)) > 0;
  return false;
}

void benchStreaming() {
  Workbench bench;
  std::vector<Figure> figures;
  for (int round = 0; round < kRounds; ++round) {
    measurePeaks(bench, figures);
    measureRules(bench, figures);
    measureThreads(bench, figures);
    if (round < 3) measureGrowth(bench, figures);
  }
  measureMemory(bench, figures);
  measureErrors(bench, figures);
  printFigures(figures);
}

}  // namespace attn::bench
