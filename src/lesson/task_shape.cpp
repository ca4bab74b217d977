// How large each array of a computation is, before it is computed.
#include "lesson/task.h"

namespace attn::lesson {

using core::Array;
using core::Index;

std::optional<Shape> shapeOf(const core::Problem<double>& p, Array array, Index head) {
  if (head < 0 || head >= p.heads() || p.keyValueHeads() <= 0) return std::nullopt;
  const auto h = static_cast<std::size_t>(head);
  const auto g = static_cast<std::size_t>(head * p.keyValueHeads() / p.heads());
  const Index d_k = p.wq.empty() ? p.q[h].cols() : p.wq[h].cols();
  const Index d_v = p.wv.empty() ? p.v[g].cols() : p.wv[g].cols();
  const Index concat = d_v * p.heads();
  const Index out = p.wo ? p.wo->cols() : concat;
  switch (array) {
    case Array::kX:
      if (p.x) return Shape{p.T, p.x->cols()};
      if (p.norm && p.state) return Shape{p.T, p.state->cols()};
      return std::nullopt;
    case Array::kQ: return Shape{p.T, d_k};
    case Array::kK: return Shape{p.S, d_k};
    case Array::kV: return Shape{p.S, d_v};
    case Array::kScores: case Array::kScaled: case Array::kMasked: case Array::kWeights: return Shape{p.T, p.S};
    case Array::kZ: return Shape{p.T, d_v};
    case Array::kConcat: return Shape{p.T, concat};
    case Array::kY: return Shape{p.T, out};
    case Array::kResidual:
      if (p.residual == core::Residual::kNone) return std::nullopt;
      return Shape{p.T, out};
    default: return std::nullopt;
  }
}

}  // namespace attn::lesson
