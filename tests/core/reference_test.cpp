// The core against random problems that tests/data/make_attention_reference.py solved in extended precision.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "support/problems.h"

namespace {

using namespace attn;
using test::Index;
using test::Matrix;

constexpr const char* kDocuments[] = {
#include "data/attention_reference.inc"
};

// One answer: the array `name` of a head.
struct Answer {
  std::string name;
  std::size_t head = 0;
  Matrix value;
};

struct Reference {
  std::string name;
  test::Problem problem;
  std::vector<Answer> answers;
};

std::string word(const char*& at) {
  while (*at == ' ' || *at == '\n') ++at;
  const char* begin = at;
  while (*at != '\0' && *at != ' ' && *at != '\n') ++at;
  return std::string(begin, at);
}

Index integer(const char*& at) { return static_cast<Index>(std::atol(word(at).c_str())); }

double number(const char*& at) { return std::strtod(word(at).c_str(), nullptr); }

Matrix readMatrix(const char*& at) {
  const Index rows = integer(at), columns = integer(at);
  Matrix m(rows, columns);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j) m(i, j) = number(at);
  return m;
}

void readRule(test::Problem& p, const std::string& name, double value) {
  if (name == "causal") p.mask.causal = true;
  else if (name == "bottom-right") p.mask.align = core::Align::kBottomRight;
  else if (name == "window") p.mask.window = static_cast<Index>(value);
  else if (name == "scale") p.scale = value;
  else if (name == "temperature") p.temperature = value;
  else if (name == "softcap") p.softcap = value;
  else if (name == "residual-input") p.residual = core::Residual::kInput;
  else if (name == "residual-state") p.residual = core::Residual::kState;
  else if (name == "residual-norm") {
    p.residual = core::Residual::kPreNorm;
    p.norm.emplace().eps = value;
  } else FAIL("unknown rule " << name);
}

std::vector<double> listOf(const Matrix& m) { return {m.data(), m.data() + m.size()}; }

std::vector<bool> flagsOf(const Matrix& m, Index i) {
  std::vector<bool> flags;
  for (Index j = 0; j < m.cols(); ++j) flags.push_back(m(i, j) != 0);
  return flags;
}

void readInput(test::Problem& p, const std::string& name, const Matrix& m) {
  if (name == "x") p.x = m;
  else if (name == "x_sources") p.x_sources = m;
  else if (name == "state") p.state = m;
  else if (name == "wo") p.wo = m;
  else if (name == "bo") p.bo = m.row(0);
  else if (name == "gain") p.norm->gain = m.row(0);
  else if (name == "shift") p.norm->bias = m.row(0);
  else if (name == "sink") p.sink = listOf(m);
  else if (name == "alibi") p.alibi = listOf(m);
  else if (name == "padding") p.mask.padding = flagsOf(m, 0);
  else if (name == "allowed")
    for (Index i = 0; i < m.rows(); ++i) p.mask.allowed.push_back(flagsOf(m, i));
  else if (name == "wq") p.wq.push_back(m);
  else if (name == "wk") p.wk.push_back(m);
  else if (name == "wv") p.wv.push_back(m);
  else if (name == "bq") p.bq.push_back(m.row(0));
  else if (name == "bk") p.bk.push_back(m.row(0));
  else if (name == "bv") p.bv.push_back(m.row(0));
  else if (name == "q") p.q.push_back(m);
  else if (name == "k") p.k.push_back(m);
  else if (name == "v") p.v.push_back(m);
  else if (name == "bias") p.bias.push_back(m);
  else FAIL("unknown input " << name);
}

Reference readReference(const char* at) {
  Reference reference;
  for (std::string kind = word(at); !kind.empty(); kind = word(at)) {
    if (kind == "problem") {
      reference.name = word(at);
    } else if (kind == "size") {
      reference.problem.T = integer(at);
      reference.problem.S = integer(at);
      reference.problem.cross = integer(at) != 0;
    } else if (kind == "rule") {
      const std::string name = word(at);
      readRule(reference.problem, name, number(at));
    } else {
      const std::string name = word(at);
      const auto head = static_cast<std::size_t>(integer(at));
      const Matrix value = readMatrix(at);
      if (kind == "in") readInput(reference.problem, name, value);
      else reference.answers.push_back({name, head, value});
    }
  }
  return reference;
}

template <class Scalar>
Matrix resultOf(const core::Trace<Scalar>& trace, const Answer& answer) {
  const core::HeadTrace<Scalar>& head = trace.heads[answer.head];
  const std::string& name = answer.name;
  const auto wide = [](const auto& m) { return Matrix(m.template cast<double>()); };
  if (name == "x") return wide(*trace.x);
  if (name == "concat") return wide(trace.concat);
  if (name == "y") return wide(trace.y);
  if (name == "residual") return wide(*trace.residual);
  if (name == "q") return wide(head.q);
  if (name == "k") return wide(head.k);
  if (name == "v") return wide(head.v);
  if (name == "scores") return wide(head.scores);
  if (name == "scaled") return wide(head.scaled);
  if (name == "masked") return wide(head.masked);
  if (name == "row_max") return wide(head.softmax.row_max);
  if (name == "row_sum") return wide(head.softmax.row_sum);
  if (name == "exp") return wide(head.softmax.exp);
  if (name == "weights") return wide(head.softmax.weights);
  if (name == "z") return wide(head.z);
  FAIL("unknown answer " << name);
  return {};
}

double largestFinite(const Matrix& m) {
  double largest = 0;
  for (Index i = 0; i < m.size(); ++i)
    if (std::isfinite(m.data()[i])) largest = std::max(largest, std::abs(m.data()[i]));
  return largest;
}

// How far `found` is from `right`, as a multiple of what is allowed: `relative` of each entry plus `of_largest` of the
// largest entry. Infinity where a shape or a non-finite or exactly zero cell differs.
double excess(const Matrix& found, const Matrix& right, double relative, double of_largest) {
  if (found.rows() != right.rows() || found.cols() != right.cols()) return test::kInfinity;
  const double floor = of_largest * largestFinite(right);
  double worst = 0;
  for (Index i = 0; i < right.size(); ++i) {
    const double a = found.data()[i], b = right.data()[i];
    if (a == b) continue;
    if (!std::isfinite(a) || !std::isfinite(b)) return test::kInfinity;
    worst = std::max(worst, std::abs(a - b) / (relative * std::abs(b) + floor));
  }
  return worst;
}

template <class Scalar>
void checkAll(const Reference& reference, const core::Problem<Scalar>& problem, double relative, double of_largest) {
  CAPTURE(reference.name);
  core::Result<core::Trace<Scalar>> trace = core::computeTrace(problem);
  if (!trace) MESSAGE(trace.error().message);
  REQUIRE(trace.ok());
  CHECK(trace.value().heads.size() == static_cast<std::size_t>(problem.heads()));
  for (const Answer& answer : reference.answers) {
    CAPTURE(answer.name);
    CAPTURE(answer.head);
    CHECK(excess(resultOf(trace.value(), answer), answer.value, relative, of_largest) <= 1);
  }
}

}  // namespace

TEST_CASE("There are at least twenty reference problems, each with answers") {
  CHECK(std::size(kDocuments) >= 20);
  for (const char* document : kDocuments) CHECK(readReference(document).answers.size() >= 13);
}

// Double: 1e-12 relative, the goal of the format. A sum of a few products can cancel, which leaves an absolute error of
// some roundings of its terms; 1e-14 of the largest entry stands for those.
TEST_CASE("Double precision agrees with every reference problem to 1e-12") {
  for (const char* document : kDocuments) {
    const Reference reference = readReference(document);
    checkAll<double>(reference, reference.problem, 1e-12, 1e-14);
  }
}

// Float: 2e-6 of the largest entry is about 17 roundings of single precision, room for the longest chain of operations.
TEST_CASE("Single precision agrees with every reference problem to 2e-6 of the largest entry") {
  for (const char* document : kDocuments) {
    const Reference reference = readReference(document);
    checkAll<float>(reference, core::toFloat(reference.problem), 0, 2e-6);
  }
}
