// See edits.h. Calls nothing of core that computes attention.
#include "support/edits.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace attn::test {
namespace {

std::vector<core::Edit> parsed(const Texts& edits) {
  std::vector<core::Edit> all;
  for (const std::string& text : edits) {
    const core::Result<core::Edit> edit = core::parseEdit(text);
    REQUIRE_MESSAGE(edit.ok(), (edit ? "" : edit.error().message));
    all.push_back(edit.value());
  }
  return all;
}

Texts numbered(const std::string& letter, Index count) {
  Texts texts;
  for (Index i = 0; i < count; ++i) texts.push_back(letter + std::to_string(i));
  return texts;
}

Matrix projected(const Matrix& input, const std::vector<Matrix>& weights,
                 const std::vector<core::RowVector<double>>& biases, std::size_t n) {
  Matrix out = input * weights[n];
  for (Index i = 0; i < out.rows() && !biases.empty(); ++i) out.row(i) += biases[n];
  return out;
}

Matrix normalised(const Problem& p) {
  Matrix x = *p.state;
  for (Index i = 0; i < x.rows(); ++i) {
    const double mean = x.row(i).mean();
    double variance = 0;
    for (Index j = 0; j < x.cols(); ++j)
      variance += (x(i, j) - mean) * (x(i, j) - mean) / static_cast<double>(x.cols());
    for (Index j = 0; j < x.cols(); ++j) {
      x(i, j) = (x(i, j) - mean) / std::sqrt(variance + p.norm->eps);
      if (p.norm->gain) x(i, j) *= (*p.norm->gain)(j);
      if (p.norm->bias) x(i, j) += (*p.norm->bias)(j);
    }
  }
  return x;
}

template <class T>
T entry(const std::vector<T>& list, std::size_t h) {
  return list.size() == 1 ? list[0] : list[h];
}

// Scores after all rules but the mask.
Matrix ruled(const Problem& p, const Matrix& scores, Index d_k, std::size_t h) {
  Matrix out = scores;
  for (Index i = 0; i < p.T; ++i)
    for (Index j = 0; j < p.S; ++j) {
      double& s = out(i, j);
      s *= p.scale.value_or(1 / std::sqrt(static_cast<double>(d_k))) / p.temperature.value_or(1);
      if (p.softcap) s = *p.softcap * std::tanh(s / *p.softcap);
      if (!p.bias.empty()) s += entry(p.bias, h)(i, j);
      if (!p.alibi.empty()) s -= entry(p.alibi, h) * static_cast<double>(std::abs(i - j));
    }
  return out;
}

Matrix softmax(const Matrix& scores, const MayRead& may_read, const std::vector<double>& sink, std::size_t h) {
  Matrix weights = Matrix::Zero(scores.rows(), scores.cols());
  for (Index i = 0; i < scores.rows(); ++i) {
    double sum = 0;
    for (Index j = 0; j < scores.cols(); ++j)
      if (may_read(i, j)) sum += weights(i, j) = std::exp(scores(i, j));
    if (sum == 0) continue;
    if (!sink.empty()) sum += std::exp(entry(sink, h));
    weights.row(i) /= sum;
  }
  return weights;
}

}  // namespace

core::Subject subjectOf(const Problem& problem, const Texts& tokens) {
  core::Subject subject;
  subject.problem = problem;
  subject.tokens = tokens.empty() ? numbered("t", problem.T) : tokens;
  subject.sources = problem.cross ? numbered("s", problem.S) : subject.tokens;
  return subject;
}

core::Subject edited(const core::Subject& subject, const Texts& edits) {
  core::Result<core::Subject> result = core::applyEdits(subject, parsed(edits));
  REQUIRE_MESSAGE(result.ok(), (result ? "" : result.error().message));
  return result.take();
}

Problem edited(const Problem& problem, const Texts& edits) { return edited(subjectOf(problem), edits).problem; }

Trace editedTrace(const Problem& problem, const Texts& edits) { return traceOf(edited(problem, edits)); }

std::string refusal(const Problem& problem, const Texts& edits) {
  const core::Result<core::Subject> result = core::applyEdits(subjectOf(problem), parsed(edits));
  return result ? "accepted" : result.error().message;
}

Plain plainAttention(const Problem& p, const Touch& touch, const MayRead& may_read) {
  const auto reach = [&](core::Array array, Index head, Matrix& values) {
    if (touch) touch(array, head, values);
  };
  const auto readable = [&](Index i, Index j) {
    if (may_read) return may_read(i, j);
    return (!p.mask.causal || j <= i) && (p.mask.padding.empty() || p.mask.padding[static_cast<std::size_t>(j)]);
  };
  Matrix x = p.norm ? normalised(p) : p.x ? *p.x : Matrix();
  reach(core::Array::kX, 0, x);
  const Matrix& sources = p.cross && p.x_sources ? *p.x_sources : x;
  Plain out;
  Matrix concat(p.T, 0);
  for (Index h = 0; h < p.heads(); ++h) {
    const auto n = static_cast<std::size_t>(h), g = static_cast<std::size_t>(h * p.keyValueHeads() / p.heads());
    Matrix q = p.wq.empty() ? p.q[n] : projected(x, p.wq, p.bq, n);
    Matrix k = p.wk.empty() ? p.k[g] : projected(sources, p.wk, p.bk, g);
    Matrix v = p.wv.empty() ? p.v[g] : projected(sources, p.wv, p.bv, g);
    reach(core::Array::kQ, h, q), reach(core::Array::kK, h, k), reach(core::Array::kV, h, v);
    Matrix scores = q * k.transpose();
    reach(core::Array::kScores, h, scores);
    Matrix weights = softmax(ruled(p, scores, q.cols(), n), readable, p.sink, n);
    reach(core::Array::kWeights, h, weights);
    Matrix z = weights * v;
    reach(core::Array::kZ, h, z);
    Matrix wider(p.T, concat.cols() + z.cols());
    wider << concat, z;
    concat = wider;
    out.weights.push_back(weights), out.z.push_back(z);
  }
  out.y = p.wo ? Matrix(concat * *p.wo) : concat;
  for (Index i = 0; i < p.T && p.bo; ++i) out.y.row(i) += *p.bo;
  if (p.residual == core::Residual::kInput) out.residual = out.y + x;
  if (p.state) out.residual = out.y + *p.state;
  return out;
}

double difference(const Trace& trace, const Plain& plain) {
  double largest = std::max(largestDifference(trace.y, plain.y),
                            largestDifference(trace.residual.value_or(Matrix()), plain.residual));
  for (std::size_t h = 0; h < trace.heads.size(); ++h)
    largest = std::max({largest, largestDifference(trace.heads[h].softmax.weights, plain.weights[h]),
                        largestDifference(trace.heads[h].z, plain.z[h])});
  return trace.heads.size() == plain.z.size() ? largest : kInfinity;
}

double difference(const Trace& a, const Trace& b) {
  if (a.heads.size() != b.heads.size()) return kInfinity;
  double largest = largestDifference(a.y, b.y);
  for (std::size_t h = 0; h < a.heads.size(); ++h)
    largest = std::max({largest, largestDifference(a.heads[h].scores, b.heads[h].scores),
                        largestDifference(a.heads[h].softmax.weights, b.heads[h].softmax.weights),
                        largestDifference(a.heads[h].v, b.heads[h].v), largestDifference(a.heads[h].z, b.heads[h].z)});
  return largest;
}

}  // namespace attn::test
