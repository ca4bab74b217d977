// Vectors that say where a token stands: waves, a table of numbers, and pairs that are turned. Knows no words.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/language.h"
#include "core/number.h"
#include "core/position.h"
#include "core/rng.h"
#include "core/statistics.h"
#include "scene/figures.h"
#include "scene/scene.h"

namespace attn::scene {
namespace {

using core::RotaryLayout;
using core::RowVector;

constexpr Index kDistances[] = {0, 1, 5, 20, 50};  // from the chosen position: what the table of similarities has
constexpr Index kTurned = 12;                      // positions of the map of turned queries and keys
constexpr double kSameScore = 1e-9;                     // rounding of a few hundred products of numbers near 1 stays below

// The largest difference between two cells of one diagonal, over all diagonals: 0 when a cell depends on i − j only.
double spreadAlongDiagonals(const Matrix<double>& map) {
  double spread = 0;
  for (Index i = 1; i < map.rows(); ++i) {
    for (Index j = 1; j < map.cols(); ++j) {
      const Index back = std::min(i, j);
      spread = std::max(spread, std::abs(map(i, j) - map(i - back, j - back)));
    }
  }
  return spread;
}

Matrix<double> similarityMap(const Matrix<double>& table) {
  Matrix<double> map(table.rows(), table.rows());
  for (Index i = 0; i < table.rows(); ++i) map.row(i) = core::cosineSimilarities(table, i);
  return map;
}

lesson::Table probes(const RowVector<double>& similarity, Index position) {
  lesson::Table table{tr("Cosine similarity with position {0}", {position}), "",
                      {tr("position"), tr("distance"), tr("similarity")}, {}, {}};
  for (const Index distance : kDistances) {
    if (position + distance >= similarity.size()) continue;
    table.rows.push_back({std::to_string(position + distance), std::to_string(distance),
                          core::fixedText(similarity(position + distance), 3)});
  }
  return table;
}

lesson::Plot similarityPlot(const RowVector<double>& similarity, Index position) {
  lesson::Plot plot;
  plot.title = tr("Cosine similarity of position {0} with every position", {position});
  plot.x_label = tr("position");
  plot.y_label = tr("cosine similarity");
  std::vector<double> x;
  for (Index t = 0; t < similarity.size(); ++t) x.push_back(static_cast<double>(t));
  plot.series.push_back({tr("similarity"), lesson::Plot::Kind::kLine, x, listOf(similarity)});
  plot.marks.push_back({tr("position {0}", {position}), static_cast<double>(position), true});
  return plot;
}

// What a table of one vector per position has to say.
void describeTable(const Matrix<double>& table, Index position, Outputs& out) {
  const RowVector<double> similarity = core::cosineSimilarities(table, position);
  const Index neighbour = position + 1 < table.rows() ? position + 1 : position - 1;
  const Index farthest = position * 2 >= table.rows() - 1 ? 0 : table.rows() - 1;
  core::Running others;
  Index rises = 0;
  for (Index t = 0; t < table.rows(); ++t) {
    if (t != position) others.add(similarity(t));
    rises += t > position && similarity(t) >= similarity(t - 1);
  }
  out.number("position_used", static_cast<double>(position));
  out.number("neighbour", static_cast<double>(neighbour));
  out.number("farthest", static_cast<double>(farthest));
  out.numbers("similarity", listOf(similarity));
  out.number("with_neighbour", similarity(neighbour));
  out.number("with_farthest", similarity(farthest));
  out.flag("nearer_is_more_alike", similarity(neighbour) > similarity(farthest));
  out.flag("other_than_neighbour", farthest != neighbour);
  out.number("steps_right", static_cast<double>(table.rows() - 1 - position));
  out.number("steps_not_falling", static_cast<double>(rises));
  out.flag("falls_at_every_step", rises == 0);
  out.flag("does_not_always_fall", rises > 0);
  out.number("similarity_spread", others.populationDeviation());
  out.figure("probes", probes(similarity, position));
  out.figure("curve", similarityPlot(similarity, position));
  const double map_spread = spreadAlongDiagonals(similarityMap(table));
  out.number("map_spread", map_spread);
  out.flag("similarity_by_distance", map_spread < kSameScore);

  lesson::Grid look;
  look.title = tr("One vector per position");
  look.decimals = 2;
  look.limit = table.cwiseAbs().maxCoeff();
  look.row_labels = numbered(table.rows());
  look.column_labels = numbered(table.cols());
  out.grid("table", table, look);
}

struct Heads {  // one query and one key, each standing at every position
  Matrix<double> q, k;
};

// Scores of every pair of positions for queries and keys as they are.
Matrix<double> scoresOf(const Matrix<double>& q, const Matrix<double>& k) {
  core::Problem<double> problem;
  problem.T = problem.S = q.rows();
  problem.q = {q};
  problem.k = problem.v = {k};
  return traceOf(problem).heads[0].scores;
}

struct Encoding {
  std::string name;
  Matrix<double> scores;
};

std::vector<Encoding> waysOf(const Heads& same, double base) {
  const auto turned = [&](const Matrix<double>& x, RotaryLayout layout) { return core::rotary(x, layout, 0, base); };
  const RotaryLayout one = RotaryLayout::kInterleaved, other = RotaryLayout::kHalfSplit;
  const Matrix<double> waves = core::sinusoidalPositions(same.q.rows(), same.q.cols(), base);
  return {{tr("turned, both interleaved"), scoresOf(turned(same.q, one), turned(same.k, one))},
          {tr("turned, both half-split"), scoresOf(turned(same.q, other), turned(same.k, other))},
          {tr("wrong: queries interleaved, keys half-split"), scoresOf(turned(same.q, one), turned(same.k, other))},
          {tr("waves added to q and k"), scoresOf(same.q + waves, same.k + waves)},
          {tr("no position at all"), scoresOf(same.q, same.k)}};
}

std::pair<Index, Index> pairOf(RotaryLayout layout, Index pair, Index d) {
  if (layout == RotaryLayout::kInterleaved) return {2 * pair, 2 * pair + 1};
  return {pair, pair + d / 2};
}

lesson::Table pairTable(Index d, double base) {
  lesson::Table table{tr("Which coordinates are turned together"),
                      "",
                      {tr("pair"), tr("interleaved"), tr("half-split"), tr("turn per step, radians"),
                       tr("steps for a whole turn")},
                      {},
                      {}};
  const RowVector<double> frequencies = core::rotaryFrequencies(d, base);
  const auto text = [&](RotaryLayout layout, Index pair) {
    const auto [a, b] = pairOf(layout, pair, d);
    return std::to_string(a) + ", " + std::to_string(b);
  };
  for (Index pair = 0; pair < std::min<Index>(frequencies.size(), 8); ++pair) {
    table.rows.push_back({std::to_string(pair), text(RotaryLayout::kInterleaved, pair),
                          text(RotaryLayout::kHalfSplit, pair), core::fixedText(frequencies(pair), 4),
                          core::fixedText(2 * std::numbers::pi / frequencies(pair), 1)});
  }
  if (frequencies.size() > 8) table.note = tr("The first 8 of {0} pairs.", {frequencies.size()});
  return table;
}

lesson::Plane turningPlane(const Heads& same, RotaryLayout layout, double base) {
  const Matrix<double> q = core::rotary(same.q, layout, 0, base);
  const auto [a, b] = pairOf(layout, 0, q.cols());
  lesson::Plane plane;
  plane.title = tr("The first pair of the query, at four positions");
  plane.note = tr("Coordinates {0} and {1}.", {a, b});
  for (Index t = 0; t < 4; ++t) {
    plane.arrows.push_back({tr("at {0}", {t}), q(t, a), q(t, b), lesson::Plane::Role::kQuery, "", ""});
  }
  plane.reach = 1.3 * std::max(0.1, std::hypot(q(0, a), q(0, b)));
  return plane;
}

void describeRotary(const Inputs& in, Outputs& out) {
  const Index d = in.integer("d"), distance = in.integer("distance");
  const double base = in.number("base");
  core::Rng rng(in.seed("seed"));
  const Matrix<double> q = rng.normalMatrix(1, d), k = rng.normalMatrix(1, d);
  const Heads same{q.replicate(kTurned, 1), k.replicate(kTurned, 1)};
  const bool interleaved = in.text("layout") == "interleaved";
  const std::vector<Encoding> ways = waysOf(same, base);
  const Matrix<double>& scores = ways[interleaved ? 0 : 1].scores;

  lesson::Table table{
      tr("How far scores of one distance lie apart"), "", {tr("position comes in as"), tr("largest difference")}, {}, {}};
  std::vector<double> spreads;
  for (const Encoding& way : ways) {
    spreads.push_back(spreadAlongDiagonals(way.scores));
    table.rows.push_back({way.name, core::fixedText(spreads.back(), 4)});
  }
  table.marked = {interleaved ? 0 : 1};
  out.numbers("diagonal_spreads", spreads);
  out.flag("depends_on_distance_only", spreads[interleaved ? 0 : 1] < kSameScore);
  out.flag("mixed_layouts_work", spreads[2] < kSameScore);
  out.flag("added_depends_on_distance_only", spreads[3] < kSameScore);
  out.flag("added_depends_on_place", spreads[3] >= kSameScore);
  out.flag("one_pair_at_distance", distance == kTurned - 1);
  out.number("score_here", scores(distance, 0));
  out.number("score_there", scores(kTurned - 1, kTurned - 1 - distance));
  out.number("last_position", kTurned - 1);
  out.number("last_source", static_cast<double>(kTurned - 1 - distance));
  out.number("layouts_differ", (ways[0].scores - ways[1].scores).cwiseAbs().maxCoeff());

  lesson::Grid look;
  look.title = tr("Scores: the same query at every position, the same key at every position");
  look.map = true;
  look.decimals = 2;
  look.row_labels = numbered(kTurned, trLater("q at {0}"));
  look.column_labels = numbered(kTurned, trLater("k at {0}"));
  for (Index i = distance; i < kTurned; ++i) look.marked.emplace_back(i, i - distance);
  out.grid("rotary_scores", scores, look);
  out.figure("ways", table);
  out.figure("pairs", pairTable(d, base));
  out.figure("turning", turningPlane(same, interleaved ? RotaryLayout::kInterleaved : RotaryLayout::kHalfSplit, base));
}

}  // namespace

core::Check positionVectors(const Inputs& in, Outputs& out, const Progress&) {
  const Index T = in.integer("T"), d = in.integer("d");
  const double base = in.number("base");
  const std::string& kind = in.text("kind");
  const bool learned = kind == "learned", rotary = kind == "rotary";
  out.limit("position", static_cast<double>(T - 1));
  if (!rotary) for (const char* key : {"layout", "distance"}) out.hide(key);
  if (rotary) for (const char* key : {"T", "position"}) out.hide(key);
  if (learned) out.hide("base");
  if (!learned && !rotary) out.hide("seed");

  core::Rng rng(in.seed("seed"));
  const Matrix<double> table = learned ? rng.normalMatrix(T, d) : core::sinusoidalPositions(T, d, base);
  describeTable(table, std::min(in.integer("position"), T - 1), out);
  out.text("table_kind", learned ? tr("A table before training") : tr("Sinusoidal vectors"));
  out.flag("odd", d % 2 == 1);
  out.flag("one_angle", d == 2);
  out.number("parameters", static_cast<double>(T * d));
  out.number("expected_spread", 1 / std::sqrt(static_cast<double>(d)));
  out.number("last_row", static_cast<double>(T - 1));
  out.number("fastest", 2 * std::numbers::pi);
  out.number("slowest",
             2 * std::numbers::pi * std::pow(base, 2.0 * static_cast<double>((d - 1) / 2) / static_cast<double>(d)));
  describeRotary(in, out);
  return {};
}

}  // namespace attn::scene
