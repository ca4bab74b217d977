// One query, three keys and three values of two coordinates each, drawn: scores as projections, the mixture inside the
// hull of the values, and where an output projection takes it. Knows no tokens.
#include <algorithm>
#include <cmath>

#include "core/contribution.h"
#include "core/language.h"
#include "core/number.h"
#include "core/position.h"
#include "core/product.h"
#include "core/trace.h"
#include "scene/figures.h"
#include "scene/scene.h"

namespace attn::scene {
namespace {

using core::RowVector;
using lesson::Plane;

constexpr Index kSources = 3;
constexpr double kInside = 1e-9;  // rounding of a mixture of numbers below 10 stays below
constexpr double kLongest = 4;    // factor on a key's length, as the control allows
constexpr Index kPlaneSteps = 40;
constexpr double kCovers = 0.03;  // of the plane's reach: tips nearer than this cannot be told apart
constexpr std::string_view kCoordinates[] = {"qx",  "qy",  "k1x", "k1y", "k2x", "k2y", "k3x",
                                             "k3y", "v1x", "v1y", "v2x", "v2y", "v3x", "v3y"};

struct PlaneSetting {
  Matrix<double> q{1, 2}, k{kSources, 2}, v{kSources, 2};
  Index key = 0;       // whose length is stretched
  double stretch = 1;
};

PlaneSetting settingOf(const Inputs& in) {
  PlaneSetting set;
  set.q << in.number("qx"), in.number("qy");
  for (Index j = 0; j < kSources; ++j) {
    const std::string at = std::to_string(j + 1);
    set.k.row(j) << in.number("k" + at + "x"), in.number("k" + at + "y");
    set.v.row(j) << in.number("v" + at + "x"), in.number("v" + at + "y");
  }
  set.key = in.integer("key") - 1;
  set.stretch = in.number("stretch");
  return set;
}

core::Trace<double> attend(const PlaneSetting& set, bool stretched) {
  core::Problem<double> problem;
  problem.T = 1;
  problem.S = kSources;
  problem.cross = true;
  problem.q = {set.q};
  problem.k = {set.k};
  problem.v = {set.v};
  if (stretched) problem.k[0].row(set.key) *= set.stretch;
  return traceOf(problem);
}

double cosineOf(const Matrix<double>& a, const Matrix<double>& b, Index row) {
  return core::cosineSimilarity(a.row(0), b.row(row));
}

std::string name(const char* letter, Index j) { return letter + std::to_string(j + 1); }

// Large enough for all of these points, with room around them.
double reachOf(std::initializer_list<const Matrix<double>*> all) {
  double reach = 1;
  for (const Matrix<double>* each : all) reach = std::max(reach, each->cwiseAbs().maxCoeff());
  return 1.3 * reach;
}

lesson::Table scoreTable(const core::Trace<double>& before, const core::Trace<double>& after, Index key) {
  lesson::Table table{tr("Scores of the query"), "",
                      {tr("key"), tr("length"), tr("cosine"), tr("score q·k"), tr("scaled"), tr("weight"),
                       tr("weight before stretching")}, {}, {}};
  const core::HeadTrace<double>&head = after.heads[0], &old = before.heads[0];
  for (Index j = 0; j < kSources; ++j) {
    const auto text = [](double value) { return core::fixedText(value, 4); };
    table.rows.push_back({name("k", j), text(head.k.row(j).norm()), text(cosineOf(head.q, head.k, j)),
                          text(head.scores(0, j)), text(head.scaled(0, j)), text(head.softmax.weights(0, j)),
                          text(old.softmax.weights(0, j))});
  }
  table.marked = {key};
  return table;
}

// The foot of each key on the line of the query: score = length of the query × signed length of that foot.
Plane scorePlane(const PlaneSetting& set, const core::Trace<double>& trace) {
  const core::HeadTrace<double>& head = trace.heads[0];
  Plane plane;
  plane.title = tr("Query and keys");
  plane.reach = reachOf({&head.q, &head.k});
  plane.arrows.push_back({"q", set.q(0, 0), set.q(0, 1), Plane::Role::kQuery, "qx", "qy"});
  for (Index j = 0; j < kSources; ++j) {
    const bool moved = j == set.key && set.stretch != 1;  // a stretched arrow is no handle: its tip is not what was set
    plane.arrows.push_back({name("k", j), head.k(j, 0), head.k(j, 1), Plane::Role::kKey,
                            moved ? "" : name("k", j) + "x", moved ? "" : name("k", j) + "y"});
  }
  const double squared = set.q.squaredNorm();
  if (squared == 0) return plane;
  const RowVector<double> along = set.q.row(0) / std::sqrt(squared) * plane.reach;
  plane.lines.push_back({"", -along(0), -along(1), along(0), along(1), true});
  for (Index j = 0; j < kSources; ++j) {
    const RowVector<double> foot = set.q.row(0) * (head.scores(0, j) / squared);
    plane.lines.push_back({"", head.k(j, 0), head.k(j, 1), foot(0), foot(1), true});
    plane.points.push_back({"", foot(0), foot(1), Plane::Role::kPlain, "", ""});
  }
  return plane;
}

// The first key whose arrow lies on that of the query, as "k3"; "" for none.
std::string coveredKey(const PlaneSetting& set, const Plane& plane, const Matrix<double>& k) {
  for (Index j = 0; j < kSources; ++j) {
    if ((k.row(j) - set.q.row(0)).norm() < kCovers * plane.reach) return name("k", j);
  }
  return "";
}

void addHull(const Matrix<double>& points, Plane& plane) {
  const std::vector<Index> corners = core::convexHull(points);
  for (std::size_t i = 0; i < corners.size() && corners.size() > 1; ++i) {
    const Index a = corners[i], b = corners[(i + 1) % corners.size()];
    plane.lines.push_back({"", points(a, 0), points(a, 1), points(b, 0), points(b, 1), false});
  }
}

Plane valuePlane(const PlaneSetting& set, const Matrix<double>& z, const Matrix<double>& y,
                 const RowVector<double>& weights) {
  Plane plane;
  plane.title = tr("Values, their mixture z, and y = z·W_O");
  plane.reach = reachOf({&set.v, &y});
  for (Index j = 0; j < kSources; ++j) {
    plane.points.push_back({name("v", j) + " × " + core::fixedText(weights(j), 3), set.v(j, 0), set.v(j, 1),
                            Plane::Role::kValue, name("v", j) + "x", name("v", j) + "y"});
    plane.lines.push_back({"", set.v(j, 0), set.v(j, 1), z(0, 0), z(0, 1), true});
  }
  addHull(set.v, plane);
  plane.points.push_back({"z", z(0, 0), z(0, 1), Plane::Role::kResult, "", ""});
  if (y != z) plane.points.push_back({"y", y(0, 0), y(0, 1), Plane::Role::kPlain, "", ""});
  return plane;
}

struct Projection {
  std::string_view id, name;
  double values[4];
};

constexpr Projection kProjections[] = {
    {"identity", "I", {1, 0, 0, 1}},
    {"mirror", "−I", {-1, 0, 0, -1}},
    {"triple", "3·I", {3, 0, 0, 3}},
    {"shear", trLater("shear [1 0; 2 1]"), {1, 0, 2, 1}},
};

Matrix<double> matrixOf(const Projection& projection) {
  return Eigen::Map<const Matrix<double>>(projection.values, 2, 2);
}

lesson::Table projectionTable(const PlaneSetting& set, const Matrix<double>& z, const std::string& chosen, Outputs& out) {
  lesson::Table table{
      tr("The same z through four output projections"), "", {"W_O", "y", tr("outside the hull by"), tr("inside")}, {}, {}};
  std::vector<double> outside;
  for (const Projection& projection : kProjections) {
    const Matrix<double> y = core::product(z, matrixOf(projection));
    outside.push_back(core::distanceOutside(set.v, y(0, 0), y(0, 1)));
    if (chosen == projection.id) table.marked = {static_cast<Index>(table.rows.size())};
    table.rows.push_back({tr(projection.name), "[" + core::fixedText(y(0, 0), 2) + ", " + core::fixedText(y(0, 1), 2) + "]",
                          core::fixedText(outside.back(), 3), outside.back() < kInside ? tr("true") : tr("false")});
  }
  out.numbers("outside_by_projection", outside);
  return table;
}

// Score and cosine of one key while only its length changes.
lesson::Plot lengthPlot(const PlaneSetting& set, Outputs& out) {
  lesson::Plot plot;
  plot.title = tr("Key {0}, only its length changing", {set.key + 1});
  plot.x_label = tr("factor on its length");
  plot.y_label = tr("score, cosine");
  plot.marks.push_back({tr("now"), set.stretch, true});
  lesson::Plot::Series score{tr("score"), lesson::Plot::Kind::kLine, {}, {}},
      cosine{tr("cosine"), lesson::Plot::Kind::kLine, {}, {}};
  for (Index step = 1; step <= kPlaneSteps; ++step) {
    PlaneSetting other = set;
    other.stretch = kLongest * static_cast<double>(step) / static_cast<double>(kPlaneSteps);
    const core::Trace<double> trace = attend(other, true);
    for (lesson::Plot::Series* series : {&score, &cosine}) series->x.push_back(other.stretch);
    score.y.push_back(trace.heads[0].scores(0, set.key));
    cosine.y.push_back(cosineOf(set.q, trace.heads[0].k, set.key));
  }
  const auto [low, high] = std::minmax_element(cosine.y.begin(), cosine.y.end());
  out.flag("cosine_ignores_length", *high - *low <= kInside);
  out.flag("score_depends_on_length", std::abs(score.y.front() - score.y.back()) > kInside);
  plot.series = {std::move(score), std::move(cosine)};
  return plot;
}

void describeScores(const PlaneSetting& set, const core::Trace<double>& before, const core::Trace<double>& after,
                    Outputs& out) {
  const Matrix<double>& k = after.heads[0].k;
  out.matrix("scores", after.heads[0].scores);
  out.matrix("weights", after.heads[0].softmax.weights);
  out.number("score_before", before.heads[0].scores(0, set.key));
  out.number("score_after", after.heads[0].scores(0, set.key));
  out.number("cosine_before", cosineOf(set.q, set.k, set.key));
  out.number("cosine_after", cosineOf(set.q, k, set.key));
  out.number("length_before", set.k.row(set.key).norm());
  out.number("length_after", k.row(set.key).norm());
  out.flag("stretched", set.stretch != 1);
  out.figure("length", lengthPlot(set, out));
  Plane scores = scorePlane(set, after);
  out.text("covered", coveredKey(set, scores, k));
  out.figure("scores", std::move(scores));
  out.flag("query_is_zero", set.q.squaredNorm() == 0);
  out.figure("score_table", scoreTable(before, after, set.key));
}

}  // namespace

core::Check planeOfVectors(const Inputs& in, Outputs& out, const Progress&) {
  const PlaneSetting set = settingOf(in);
  const core::Trace<double> before = attend(set, false), after = attend(set, true);
  describeScores(set, before, after, out);
  for (const std::string_view key : kCoordinates) {
    if (!in.on("coordinates")) out.hide(std::string(key));
  }

  const Matrix<double>& z = after.heads[0].z;
  const std::string& chosen = in.text("wo");
  const auto* projection = std::find_if(std::begin(kProjections), std::end(kProjections),
                                        [&](const Projection& each) { return chosen == each.id; });
  const Matrix<double> y = core::product(z, matrixOf(*projection));
  const double z_outside = core::distanceOutside(set.v, z(0, 0), z(0, 1));
  const double y_outside = core::distanceOutside(set.v, y(0, 0), y(0, 1));
  out.matrix("z", z);
  out.matrix("y", y);
  out.number("weight_sum", after.heads[0].softmax.weights.sum());
  out.number("z_largest", z.maxCoeff());
  out.number("z_smallest", z.minCoeff());
  out.flag("z_inside", z_outside < kInside);
  out.flag("y_inside", y_outside < kInside);
  out.number("y_outside", y_outside);
  out.flag("coordinate_beyond", z.maxCoeff() > 1 || z.minCoeff() < 0);
  out.figure("values", valuePlane(set, z, y, after.heads[0].softmax.weights));
  out.figure("projections", projectionTable(set, z, chosen, out));
  return {};
}

}  // namespace attn::scene
