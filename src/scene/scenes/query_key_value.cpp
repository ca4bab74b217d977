// Queries, keys and values of four given tokens: the same computation with one key moved and with one value moved, and
// its scores by loops and as a product. Knows nothing of where the vectors come from.
#include <algorithm>
#include <chrono>

#include "core/language.h"
#include "core/rng.h"
#include "lesson/example.h"
#include "scene/figures.h"
#include "scene/scene.h"

namespace attn::scene {
namespace {

using core::RowVector;
using lesson::Plane;

constexpr Index kTimedWidth = 64;
constexpr double kProductRounding = 1e-12;  // the sum of 64 products of normal numbers in another order

lesson::Example given() {
  core::Result<lesson::Example> example = lesson::builtInExample("cat-sat-down");
  assert(example.ok());
  return example.take();
}

// The three computations that are compared, and who reads and who is moved in them.
struct Cases {
  core::Trace<double> as_given, key_moved, value_moved;
  Index reader = 0, moved = 0;
  Tokens tokens;
};

Index indexOf(const Tokens& tokens, const std::string& token) {
  return std::find(tokens.begin(), tokens.end(), token) - tokens.begin();
}

Cases computeCases(const Inputs& in) {
  Cases cases;
  lesson::Example example = given();
  cases.tokens = example.tokens;
  cases.reader = indexOf(cases.tokens, in.text("reader"));
  cases.moved = indexOf(cases.tokens, in.text("moved"));
  core::Problem<double>& problem = example.problem;
  problem.q[0].row(cases.reader) *= in.number("length");
  cases.as_given = traceOf(problem);
  core::Problem<double> key = problem, value = problem;
  key.k[0].row(cases.moved) << in.number("key_x"), in.number("key_y");
  value.v[0].row(cases.moved) << in.number("value_x"), in.number("value_y");
  cases.key_moved = traceOf(key);
  cases.value_moved = traceOf(value);
  return cases;
}

Matrix<double> threeRows(const Cases& cases, const Matrix<double> core::HeadTrace<double>::*array) {
  const Matrix<double>& first = cases.as_given.heads[0].*array;
  Matrix<double> rows(3, first.cols());
  rows << first.row(cases.reader), (cases.key_moved.heads[0].*array).row(cases.reader),
      (cases.value_moved.heads[0].*array).row(cases.reader);
  return rows;
}

Matrix<double> weightRows(const Cases& cases) {
  const auto row = [&](const core::Trace<double>& trace) { return trace.heads[0].softmax.weights.row(cases.reader); };
  Matrix<double> rows(3, static_cast<Index>(cases.tokens.size()));
  rows << row(cases.as_given), row(cases.key_moved), row(cases.value_moved);
  return rows;
}

void showCases(const Cases& cases, Outputs& out) {
  const Tokens names = {tr("as given"), tr("key moved"), tr("value moved")};
  const Matrix<double> weights = weightRows(cases), z = threeRows(cases, &core::HeadTrace<double>::z);
  lesson::Grid look = mapLook(tr("Weights"), names, cases.tokens);
  look.map = false;
  out.grid("weights_of_reader", weights, look);
  out.grid("z_of_reader", z, signedLook(tr("Result z"), names, {"z₁", "z₂"}));
  const core::HeadTrace<double>&before = cases.as_given.heads[0], &key = cases.key_moved.heads[0],
                               &value = cases.value_moved.heads[0];
  out.flag("key_changes_weights", weights.row(1) != weights.row(0));
  out.flag("key_keeps_values", key.v == before.v);
  out.flag("value_keeps_weights", value.softmax.weights == before.softmax.weights);
  out.flag("value_changes_z", z.row(2) != z.row(0));
  out.number("weight_before", weights(0, cases.moved));
  out.number("weight_after_key", weights(1, cases.moved));
}

Plane::Point point(const std::string& label, const RowVector<double>& at, Plane::Role role) {
  return {label, at(0), at(1), role, "", ""};
}

void showMixture(const Cases& cases, Outputs& out) {
  const core::HeadTrace<double>& head = cases.as_given.heads[0];
  Plane plane;
  plane.title = tr("Values, and z made of them");
  double nearest = 0;
  for (Index j = 0; j < head.v.rows(); ++j) {
    const std::string& token = cases.tokens[static_cast<std::size_t>(j)];
    plane.points.push_back(point(tr("v of {0}", {token}), head.v.row(j), Plane::Role::kValue));
    const double distance = (head.v.row(j) - head.z.row(cases.reader)).norm();
    if (j > 0 && distance >= nearest) continue;
    nearest = distance;
  }
  plane.points.push_back(point("z", head.z.row(cases.reader), Plane::Role::kResult));
  const RowVector<double> moved = cases.value_moved.heads[0].v.row(cases.moved);
  const std::string& token = cases.tokens[static_cast<std::size_t>(cases.moved)];
  plane.points.push_back({tr("v of {0}, moved", {token}), moved(0), moved(1), Plane::Role::kValue, "value_x", "value_y"});
  plane.points.push_back(point(tr("z, value moved"), cases.value_moved.heads[0].z.row(cases.reader), Plane::Role::kResult));
  plane.reach = std::max(1.25, 1.2 * moved.cwiseAbs().maxCoeff());
  out.figure("plane", std::move(plane));
  out.number("nearest_distance", nearest);
  out.flag("result_is_mixture", nearest > 0);
}

// Whose weight is the largest; several share it where the query is zero.
void describeLargest(const Cases& cases, Outputs& out) {
  const RowVector<double> weights = cases.as_given.heads[0].softmax.weights.row(cases.reader);
  Index top = 0;
  const double largest = weights.maxCoeff(&top);
  out.number("largest_weight", largest);
  out.text("top", cases.tokens[static_cast<std::size_t>(top)]);
  out.flag("top_tied", (weights.array() == largest).count() > 1);
  out.number("others_weight", weights.sum() - largest);
}

lesson::Table library() {
  lesson::Table table;
  table.title = tr("The library picture");
  table.columns = {"", tr("in a library"), tr("here")};
  table.rows = {
      {tr("query q"), tr("what you look for"), tr("a vector of the token that reads")},
      {tr("key k"), tr("what the catalogue says of a book"),
       tr("a vector of each token that may be read, used to match only")},
      {tr("value v"), tr("what stands in the book"),
       tr("a vector of each token that may be read, used to be passed on only")},
      {tr("you get"), tr("one book"), tr("a mixture of all values")}};
  return table;
}

// Every score on its own, the way one would write it by hand.
Matrix<double> scoresByLoops(const Matrix<double>& q, const Matrix<double>& k) {
  Matrix<double> scores(q.rows(), k.rows());
  for (Index i = 0; i < q.rows(); ++i) {
    for (Index j = 0; j < k.rows(); ++j) {
      double sum = 0;
      for (Index c = 0; c < q.cols(); ++c) sum += q(i, c) * k(j, c);
      scores(i, j) = sum;
    }
  }
  return scores;
}

// The shortest of three runs, in milliseconds.
template <class Work>
double timed(Work work) {
  double shortest = 0;
  for (int run = 0; run < 3; ++run) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - start;
    shortest = run == 0 ? passed.count() : std::min(shortest, passed.count());
  }
  return shortest;
}

void measure(Index T, Outputs& out) {
  core::Rng rng(1);
  const Matrix<double> q = rng.normalMatrix(T, kTimedWidth), k = rng.normalMatrix(T, kTimedWidth);
  Matrix<double> by_loops, by_product;
  out.number("loops_ms", timed([&] { by_loops = scoresByLoops(q, k); }));
  out.number("product_ms", timed([&] { by_product.noalias() = q * k.transpose(); }));
  const double difference = largestChange(by_loops, by_product);
  out.number("timed_difference", difference);
  out.flag("timed_equal", difference <= kProductRounding);
}

// The scores of the queries and keys that are shown, by loops and as a product.
void showScores(const Cases& cases, Outputs& out) {
  const core::HeadTrace<double>& head = cases.as_given.heads[0];
  const Matrix<double> by_loops = scoresByLoops(head.q, head.k), by_product = head.q * head.k.transpose();
  lesson::Grid look = signedLook(tr("Scores Q·Kᵀ"), cases.tokens, cases.tokens);
  look.map = true;
  look.decimals = 2;
  out.grid("scores", by_product, look);
  out.flag("scores_equal", by_loops == by_product);
  out.grid("weights", head.softmax.weights, mapLook(tr("Weights"), cases.tokens, cases.tokens));
  out.matrix("z", head.z);
}

// The three vectors of every token side by side, and below them those of one token as they are when moved.
void showVectors(const Cases& cases, Outputs& out) {
  const core::HeadTrace<double>& head = cases.as_given.heads[0];
  const Matrix<double>&k = cases.key_moved.heads[0].k, &v = cases.value_moved.heads[0].v;
  out.matrix("q", head.q);
  out.matrix("k", head.k);
  out.matrix("v", head.v);
  Tokens rows = cases.tokens;
  rows.push_back(tr("{0}, moved", {cases.tokens[static_cast<std::size_t>(cases.moved)]}));
  Matrix<double> all(head.q.rows() + 1, 6);
  all.topRows(head.q.rows()) << head.q, head.k, head.v;
  all.bottomRows(1) << head.q.row(cases.moved), k.row(cases.moved), v.row(cases.moved);
  lesson::Grid look = signedLook(tr("Query, key and value of each token"), rows, {"q₁", "q₂", "k₁", "k₂", "v₁", "v₂"});
  look.decimals = 2;
  out.grid("vectors", all, std::move(look));
}

}  // namespace

core::Check queryKeyValue(const Inputs& in, Outputs& out, const Progress&) {
  const Cases cases = computeCases(in);
  out.text("reading", cases.tokens[static_cast<std::size_t>(cases.reader)]);
  out.text("source", cases.tokens[static_cast<std::size_t>(cases.moved)]);
  out.figure("library", library());
  showVectors(cases, out);
  showScores(cases, out);
  showCases(cases, out);
  showMixture(cases, out);
  describeLargest(cases, out);
  out.number("timed_width", static_cast<double>(kTimedWidth));
  if (in.on("measure")) measure(in.integer("size"), out);
  else out.hide("size");
  return {};
}

}  // namespace attn::scene
