// Runs attention layers one after another and follows what can travel through them. Knows no words and no training.
#include "core/stack.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>
#include <utility>

#include "core/language.h"
#include "core/norm.h"
#include "core/product.h"

namespace attn::core {
namespace {

Problem<double> problemOf(const Stack& stack, const StackLayer& layer, const Matrix<double>& state) {
  Problem<double> problem = layer.attention;
  problem.T = problem.S = state.rows();
  if (stack.residual && stack.pre_norm) {
    problem.residual = Residual::kPreNorm;
    problem.state = state;
    if (!problem.norm) problem.norm.emplace();
  } else {
    problem.x = state;
    problem.residual = stack.residual ? Residual::kInput : Residual::kNone;
  }
  return problem;
}

Matrix<double> afterMlp(const Stack& stack, const Mlp& mlp, const Matrix<double>& state) {
  if (!stack.residual) return applyMlp(mlp, state);
  return state + applyMlp(mlp, stack.pre_norm ? normaliseRows(state, Norm<double>()) : state);
}

}  // namespace

Mlp randomMlp(Rng& rng, Index width, Index hidden) {
  const double in = 1 / std::sqrt(static_cast<double>(width)), out = 1 / std::sqrt(static_cast<double>(hidden));
  Mlp mlp;
  mlp.w1 = rng.normalMatrix(width, hidden, in);
  mlp.b1 = rng.normalMatrix(1, hidden, in);
  mlp.w2 = rng.normalMatrix(hidden, width, out);
  mlp.b2 = rng.normalMatrix(1, width, out);
  return mlp;
}

Matrix<double> applyMlp(const Mlp& mlp, const Matrix<double>& x) {
  Matrix<double> hidden = product(x, mlp.w1);
  hidden.rowwise() += mlp.b1;
  hidden = hidden.cwiseMax(0).eval();
  Matrix<double> out = product(hidden, mlp.w2);
  out.rowwise() += mlp.b2;
  return out;
}

Stack randomStack(Rng& rng, const StackShape& shape, const MaskSpec& mask) {
  assert(shape.heads >= 1 && shape.width % shape.heads == 0);
  const double deviation = 1 / std::sqrt(static_cast<double>(shape.width));
  Stack stack;
  stack.residual = shape.residual;
  stack.pre_norm = shape.pre_norm;
  for (Index l = 0; l < shape.layers; ++l) {
    StackLayer layer;
    const auto projections = [&](std::vector<Matrix<double>>& list) {
      for (Index h = 0; h < shape.heads; ++h)
        list.push_back(rng.normalMatrix(shape.width, shape.width / shape.heads, deviation));
    };
    projections(layer.attention.wq);
    projections(layer.attention.wk);
    projections(layer.attention.wv);
    layer.attention.wo = rng.normalMatrix(shape.width, shape.width, deviation);
    layer.attention.mask = mask;
    if (shape.mlp) layer.mlp = randomMlp(rng, shape.width, 4 * shape.width);
    stack.layers.push_back(std::move(layer));
  }
  return stack;
}

Result<StackRun> runStack(const Stack& stack, const Matrix<double>& x) {
  StackRun run;
  run.states.push_back(x);
  for (std::size_t l = 0; l < stack.layers.size(); ++l) {
    const StackLayer& layer = stack.layers[l];
    Result<Trace<double>> trace = computeTrace(problemOf(stack, layer, run.states.back()));
    if (!trace) return Error{tr("layer {0}: {1}", {l, trace.error().message})};
    Matrix<double> state = trace.value().residual ? *trace.value().residual : trace.value().y;
    if (layer.mlp) state = afterMlp(stack, *layer.mlp, state);
    run.states.push_back(std::move(state));
    run.traces.push_back(trace.take());
  }
  return run;
}

Matrix<double> largestChanges(const StackRun& a, const StackRun& b) {
  assert(a.states.size() == b.states.size());
  Matrix<double> changes(static_cast<Index>(a.states.size()), a.states.front().rows());
  for (std::size_t l = 0; l < a.states.size(); ++l)
    changes.row(static_cast<Index>(l)) = (a.states[l] - b.states[l]).cwiseAbs().rowwise().maxCoeff().transpose();
  return changes;
}

Matrix<bool> mayReach(const Mask& mask, bool residual) {
  Matrix<bool> reach(mask.rows(), mask.columns());
  for (Index i = 0; i < mask.rows(); ++i) {
    const bool itself = residual || mask.allowedInRow(i) >= 2;
    for (Index j = 0; j < mask.columns(); ++j) reach(i, j) = mask.allowed(i, j) || (i == j && itself);
  }
  return reach;
}

Matrix<bool> reachThrough(const std::vector<Mask>& masks, bool residual) {
  assert(!masks.empty());
  Matrix<bool> reach = mayReach(masks.front(), residual);
  for (std::size_t l = 1; l < masks.size(); ++l) {
    const Matrix<bool> layer = mayReach(masks[l], residual), before = reach;
    for (Index i = 0; i < reach.rows(); ++i)
      for (Index j = 0; j < reach.cols(); ++j) {
        bool found = false;
        for (Index m = 0; m < before.rows() && !found; ++m) found = layer(i, m) && before(m, j);
        reach(i, j) = found;
      }
  }
  return reach;
}

Matrix<double> strengths(const Trace<double>& trace, bool residual) {
  Matrix<double> sum = Matrix<double>::Zero(trace.mask.rows(), trace.mask.columns());
  for (const HeadTrace<double>& head : trace.heads) sum += head.softmax.weights;
  sum /= static_cast<double>(trace.heads.size());
  if (residual) sum.diagonal().array() += 1;
  return sum;
}

std::vector<Index> strongestRoute(const std::vector<Matrix<double>>& strengths, Index source, Index destination) {
  assert(!strengths.empty());
  const Index T = strengths.front().rows();
  std::vector<std::vector<Index>> from(strengths.size(), std::vector<Index>(static_cast<std::size_t>(T), 0));
  RowVector<double> best = RowVector<double>::Zero(T);
  best(source) = 1;
  for (std::size_t l = 0; l < strengths.size(); ++l) {
    RowVector<double> next(T);
    for (Index i = 0; i < T; ++i)
      next(i) = strengths[l].row(i).cwiseProduct(best).maxCoeff(&from[l][static_cast<std::size_t>(i)]);
    best = next;
  }
  if (!(best(destination) > 0)) return {};
  std::vector<Index> route = {destination};
  for (std::size_t l = strengths.size(); l-- > 0;) route.push_back(from[l][static_cast<std::size_t>(route.back())]);
  std::reverse(route.begin(), route.end());
  return route;
}

}  // namespace attn::core
