// Finds an array of a Trace by name. Computes nothing.
#include "core/trace.h"

namespace attn::core {
namespace {

template <class M>
ArrayView viewOf(const M& m) {
  return {m.data(), m.rows(), m.cols()};
}

template <class M>
ArrayView viewOf(const std::optional<M>& m) {
  return m ? viewOf(*m) : ArrayView{};
}

template <class M>
ArrayView viewOf(const std::vector<M>& list, Index i) {
  return list.empty() ? ArrayView{} : viewOf(list[static_cast<std::size_t>(i)]);
}

}  // namespace

ArrayView arrayOf(const Trace<double>& trace, Index h, Array array) {
  const Problem<double>& p = trace.problem;
  const HeadTrace<double>& head = trace.heads[static_cast<std::size_t>(h)];
  switch (array) {
    case Array::kState: return viewOf(p.state);
    case Array::kX: return viewOf(trace.x);
    case Array::kXSources: return viewOf(p.x_sources);
    case Array::kWq: return viewOf(p.wq, h);
    case Array::kWk: return viewOf(p.wk, head.kv_head);
    case Array::kWv: return viewOf(p.wv, head.kv_head);
    case Array::kBq: return viewOf(p.bq, h);
    case Array::kBk: return viewOf(p.bk, head.kv_head);
    case Array::kBv: return viewOf(p.bv, head.kv_head);
    case Array::kQ: return viewOf(head.q);
    case Array::kK: return viewOf(head.k);
    case Array::kV: return viewOf(head.v);
    case Array::kScores: return viewOf(head.scores);
    case Array::kScaled: return viewOf(head.scaled);
    case Array::kSoftcapped: return viewOf(head.softcapped);
    case Array::kBias: return viewOf(head.bias);
    case Array::kBiased: return viewOf(head.biased);
    case Array::kMasked: return viewOf(head.masked);
    case Array::kWeights: return viewOf(head.softmax.weights);
    case Array::kZ: return viewOf(head.z);
    case Array::kConcat: return viewOf(trace.concat);
    case Array::kWo: return viewOf(p.wo);
    case Array::kBo: return viewOf(p.bo);
    case Array::kY: return viewOf(trace.y);
    case Array::kResidual: return viewOf(trace.residual);
  }
  return {};
}

ArrayView computedOf(const Trace<double>& trace, Index h, Array array) {
  if (array == Array::kX && trace.overwritten_x) return viewOf(*trace.overwritten_x);
  for (const auto& [overwritten, computed] : trace.heads[static_cast<std::size_t>(h)].overwritten)
    if (overwritten == array) return viewOf(computed);
  return arrayOf(trace, h, array);
}

}  // namespace attn::core
