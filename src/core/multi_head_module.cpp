// The batched multi-head module. Knows no training and no tokens beyond their being the same or not.
#include "core/multi_head_module.h"

#include <cassert>
#include <cmath>
#include <map>

#include "core/product.h"

namespace attn::core {
namespace {

template <class Scalar>
ModuleHead<Scalar> runHead(Matrix<Scalar> q, Matrix<Scalar> k, Matrix<Scalar> v, const Mask& mask) {
  ModuleHead<Scalar> head;
  head.scores = product<Scalar>(q, k.transpose());
  head.scaled = head.scores / std::sqrt(static_cast<Scalar>(q.cols()));
  head.softmax = softmaxRows(head.scaled, mask);
  head.z = product(head.softmax.weights, v);
  head.q = std::move(q);
  head.k = std::move(k);
  head.v = std::move(v);
  return head;
}

}  // namespace

MultiHeadModule<double> randomModule(Rng& rng, Index width, Index heads) {
  assert(heads >= 1 && width % heads == 0);
  MultiHeadModule<double> module;
  module.heads = heads;
  module.w_qkv = linearWeights(rng, width, 3 * width);
  module.b_qkv = linearBias(rng, width, 3 * width);
  module.w_proj = linearWeights(rng, width, width);
  module.b_proj = linearBias(rng, width, width);
  return module;
}

MultiHeadModule<float> toFloat(const MultiHeadModule<double>& module) {
  return {module.heads, module.causal, module.w_qkv.cast<float>(), module.b_qkv.cast<float>(),
          module.w_proj.cast<float>(), module.b_proj.cast<float>()};
}

template <class Scalar>
ParameterCount parametersOf(const MultiHeadModule<Scalar>& module) {
  return {module.w_qkv.size(), module.b_qkv.size(), module.w_proj.size(), module.b_proj.size()};
}

template <class Scalar>
std::vector<Matrix<Scalar>> splitHeads(const Matrix<Scalar>& x, Index heads) {
  assert(heads >= 1 && x.cols() % heads == 0);
  const Index width = x.cols() / heads;
  std::vector<Matrix<Scalar>> split;
  for (Index h = 0; h < heads; ++h) split.push_back(x.middleCols(h * width, width));
  return split;
}

template <class Scalar>
Matrix<Scalar> mergeHeads(const std::vector<Matrix<Scalar>>& heads) {
  assert(!heads.empty());
  const Index width = heads.front().cols();
  Matrix<Scalar> merged(heads.front().rows(), width * static_cast<Index>(heads.size()));
  for (std::size_t h = 0; h < heads.size(); ++h) merged.middleCols(static_cast<Index>(h) * width, width) = heads[h];
  return merged;
}

template <class Scalar>
std::vector<ModuleSequence<Scalar>> runModule(const MultiHeadModule<Scalar>& module,
                                              const std::vector<Matrix<Scalar>>& batch) {
  const Index width = module.width();
  std::vector<ModuleSequence<Scalar>> results;
  for (const Matrix<Scalar>& x : batch) {
    assert(x.cols() == width);
    ModuleSequence<Scalar> out;
    // 1. One product for Q, K and V.
    out.qkv = product(x, module.w_qkv);
    out.qkv.rowwise() += module.b_qkv;
    // 2. Split into three, and each into heads.
    const auto part = [&](Index n) { return splitHeads<Scalar>(out.qkv.middleCols(n * width, width), module.heads); };
    std::vector<Matrix<Scalar>> q = part(0), k = part(1), v = part(2);
    // 3. Attention, head by head.
    const Mask mask = makeMask(plainMask(module.causal), x.rows(), x.rows()).take();
    std::vector<Matrix<Scalar>> z;
    for (std::size_t h = 0; h < q.size(); ++h) {
      out.heads.push_back(runHead(std::move(q[h]), std::move(k[h]), std::move(v[h]), mask));
      z.push_back(out.heads.back().z);
    }
    // 4. Side by side again, and the output projection.
    out.merged = mergeHeads(z);
    out.y = product(out.merged, module.w_proj);
    out.y.rowwise() += module.b_proj;
    results.push_back(std::move(out));
  }
  return results;
}

Matrix<double> untrainedEmbeddings(Rng& rng, const std::vector<std::string>& tokens, Index width) {
  std::map<std::string, Matrix<double>> table;
  Matrix<double> x(static_cast<Index>(tokens.size()), width);
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    auto found = table.find(tokens[t]);
    if (found == table.end()) found = table.emplace(tokens[t], rng.normalMatrix(1, width)).first;
    x.row(static_cast<Index>(t)) = found->second;
  }
  return x + rng.normalMatrix(x.rows(), width);
}

#define ATTN_INSTANTIATE(Scalar)                                                       \
  template ParameterCount parametersOf(const MultiHeadModule<Scalar>&);                \
  template std::vector<Matrix<Scalar>> splitHeads(const Matrix<Scalar>&, Index);       \
  template Matrix<Scalar> mergeHeads(const std::vector<Matrix<Scalar>>&);              \
  template std::vector<ModuleSequence<Scalar>> runModule(const MultiHeadModule<Scalar>&, \
                                                         const std::vector<Matrix<Scalar>>&);
ATTN_INSTANTIATE(double)
ATTN_INSTANTIATE(float)
#undef ATTN_INSTANTIATE

}  // namespace attn::core
