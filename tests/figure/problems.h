// Attention problems of every kind, for tests of figures: which matrices exist differs from one to the next.
#pragma once
#include <string>
#include <vector>

#include "core/trace.h"

namespace attn::test {

struct NamedTrace {
  std::string name;
  core::Trace<double> trace;
};

inline core::Matrix<double> ramp(core::Index rows, core::Index columns, double step = 0.125) {
  core::Matrix<double> m(rows, columns);
  for (core::Index i = 0; i < rows * columns; ++i) {
    m.data()[i] = step * static_cast<double>((i * 7 + 3) % 11 - 5);
  }
  return m;
}

inline core::Problem<double> projected(core::Index T, core::Index D, core::Index heads, core::Index d_k, core::Index d_v) {
  core::Problem<double> p;
  p.T = p.S = T;
  p.x = ramp(T, D);
  for (core::Index h = 0; h < heads; ++h) {
    p.wq.push_back(ramp(D, d_k));
    p.wk.push_back(ramp(D, d_k));
    p.wv.push_back(ramp(D, d_v));
  }
  return p;
}

inline void addBiases(core::Problem<double>& p) {
  for (std::size_t h = 0; h < p.wq.size(); ++h) {
    p.bq.push_back(ramp(1, p.wq[h].cols()).row(0));
    p.bk.push_back(ramp(1, p.wk[h].cols()).row(0));
    p.bv.push_back(ramp(1, p.wv[h].cols()).row(0));
  }
}

inline core::Problem<double> givenVectors(core::Index T, core::Index S, core::Index d_k, core::Index d_v) {
  core::Problem<double> p;
  p.T = T;
  p.S = S;
  p.cross = T != S;
  p.q = {ramp(T, d_k)};
  p.k = {ramp(S, d_k)};
  p.v = {ramp(S, d_v)};
  return p;
}

inline std::vector<NamedTrace> everyKind() {
  std::vector<std::pair<std::string, core::Problem<double>>> problems;
  problems.emplace_back("plain", projected(3, 2, 1, 2, 2));
  problems.emplace_back("one token", givenVectors(1, 1, 2, 2));
  problems.emplace_back("given q, k, v", givenVectors(4, 4, 2, 2));
  problems.emplace_back("two queries, five keys", givenVectors(2, 5, 3, 4));
  problems.emplace_back("wide values", givenVectors(3, 3, 2, 40));
  problems.emplace_back("long", givenVectors(200, 200, 16, 16));

  auto causal = projected(5, 12, 1, 3, 4);
  causal.mask.causal = true;
  causal.wo = ramp(4, 12);
  causal.residual = core::Residual::kInput;
  problems.emplace_back("causal with output and residual", causal);

  auto heads = projected(8, 4, 2, 2, 2);
  addBiases(heads);
  heads.wo = ramp(4, 4);
  heads.bo = ramp(1, 4).row(0);
  heads.residual = core::Residual::kInput;
  heads.mask.causal = true;
  problems.emplace_back("two heads with biases", heads);

  auto cross = projected(2, 3, 1, 2, 2);
  cross.cross = true;
  cross.S = 5;
  cross.x_sources = ramp(5, 3);
  cross.wo = ramp(2, 3);
  problems.emplace_back("cross-attention", cross);

  auto rules = givenVectors(3, 4, 2, 2);
  rules.softcap = 5;
  rules.temperature = 2;
  rules.alibi = {0.5};
  rules.sink = {0.25};
  rules.mask.window = 2;
  problems.emplace_back("every score rule", rules);

  auto block = projected(4, 6, 2, 3, 3);
  block.x.reset();
  block.state = ramp(4, 6);
  block.norm = core::Norm<double>{};
  block.residual = core::Residual::kPreNorm;
  block.wo = ramp(6, 6);
  problems.emplace_back("pre-normalised block", block);

  std::vector<NamedTrace> traces;
  for (auto& [name, problem] : problems) {
    auto trace = core::computeTrace(problem);
    if (trace) {
      traces.push_back({name, trace.take()});
    }
  }
  return traces;
}

inline constexpr std::size_t kKinds = 11;

}  // namespace attn::test
