// One source taken away from one row in three ways that are easily confused: its value, its weight, the right to read
// it. Knows no example: the open one is acted on.
#include <algorithm>
#include <numeric>

#include "core/language.h"
#include "core/number.h"
#include "lesson/edits.h"
#include "scene/acts.h"
#include "scene/figures.h"
#include "scene/open_example.h"
#include "scene/projected.h"

namespace attn::scene {
namespace {

constexpr Index kMostCells = 1 << 18;  // beyond it only the chosen row is computed
constexpr Index kMostMapped = 64;      // rows and columns of a map of all rows
constexpr Index kMostInTable = 6;      // numbers of a row in one cell of a table
constexpr std::size_t kLongestAct = 48;

constexpr std::size_t kWays = 4;
constexpr std::string_view kNames[kWays] = {trLater("as it is"), trLater("value zeroed"), trLater("weight zeroed"),
                                            trLater("forbidden")};
const char* const kWayKeys[kWays] = {"as_it_is", "value_zeroed", "weight_zeroed", "forbidden"};

struct Case {
  const OpenExample& open;
  Index head, row, source;
  bool all_rows;             // the act concerns every row
  std::vector<Index> rows;   // those that are computed
  Index at;                  // where the chosen one is among them
  std::vector<std::vector<std::string>> edits;  // of each way, as written
  std::vector<Matrix<double>> weights, z;       // of each way: the rows that are computed
};

Act actOf(std::size_t way, const Case& c) {
  Act act;
  act.kind = way == 1 ? Act::Kind::kZeroValue : way == 2 ? Act::Kind::kZeroWeight : Act::Kind::kForbid;
  if (!c.all_rows) act.row = c.row;
  act.source = c.source;
  return act;
}

// The source that matters most to the row beside its own position; the later one of two alike.
Index usualSource(const OpenExample& open, Index head, Index row) {
  const core::Trace<double>& trace = *open.trace;
  const Matrix<double>& weights = trace.heads[static_cast<std::size_t>(head)].softmax.weights;
  const Index own = trace.problem.cross ? -1 : row;
  Index best = 0;
  double most = -1;
  for (Index j = 0; j < weights.cols(); ++j)
    if (j != own && trace.mask.allowed(row, j) && weights(row, j) >= most) most = weights(row, j), best = j;
  return best;
}

void computeWays(Case& c) {
  const core::Problem<double> plain = projectedProblem(*c.open.trace, c.rows);
  for (std::size_t way = 0; way < kWays; ++way) {
    core::Problem<double> problem = plain;
    if (way > 0) carryOut(actOf(way, c), c.at, problem);
    c.edits.push_back(way > 0 ? editsOf(actOf(way, c), *c.open.trace) : std::vector<std::string>{});
    const core::Trace<double> trace = traceOf(problem);
    c.weights.push_back(trace.heads[static_cast<std::size_t>(c.head)].softmax.weights);
    c.z.push_back(trace.heads[static_cast<std::size_t>(c.head)].z);
  }
}

std::string numbersText(const Matrix<double>& rows, Index at) {
  if (rows.cols() > kMostInTable) return tr("see the grid");
  std::string text;
  for (Index j = 0; j < rows.cols(); ++j)
    text += (j ? ", " : "") + core::exactText(rows(at, j)).value_or(core::fixedText(rows(at, j), 4));
  return text;
}

std::string editLine(const std::vector<std::string>& edits) {
  const std::string line = lesson::joinEdits(edits);
  if (line.empty()) return "–";
  return line.size() <= kLongestAct ? line : line.substr(0, kLongestAct) + "…";
}

lesson::Table waysTable(const Case& c) {
  lesson::Table table;
  table.columns = {tr("act"), tr("edit (from 0)"), tr("weights of the row"), tr("row sum"), tr("z of the row")};
  for (std::size_t way = 0; way < kWays; ++way) {
    const bool silent = c.weights[way].row(c.at).cwiseAbs().maxCoeff() == 0 && way == 3;
    table.rows.push_back({tr(kNames[way]), editLine(c.edits[way]),
                          silent ? tr("no source left") : numbersText(c.weights[way], c.at),
                          core::fixedText(c.weights[way].row(c.at).sum(), 4), numbersText(c.z[way], c.at)});
  }
  return table;
}

// The chosen row of each way, one below the other.
Matrix<double> rowOfEach(const std::vector<Matrix<double>>& ways, Index at) {
  Matrix<double> rows(static_cast<Index>(ways.size()), ways[0].cols());
  for (std::size_t way = 0; way < ways.size(); ++way) rows.row(static_cast<Index>(way)) = ways[way].row(at);
  return rows;
}

void showRow(const Case& c, Outputs& out) {
  const core::Mask& mask = c.open.trace->mask;
  lesson::Grid map = mapLook(tr("Weights of the row"), {}, positionLabels(c.open.example, true));
  for (const std::string_view name : kNames) map.row_labels.push_back(tr(name));
  map.map = false;
  for (std::size_t way = 0; way < kWays; ++way) {
    for (Index j = 0; j < mask.columns(); ++j) {
      const bool forbidden = way == 3 && j == c.source;
      map.blocked.push_back(core::blockReasonText(forbidden ? core::kBlockedByEdit : mask.reasons(c.row, j)));
    }
    map.marked.emplace_back(static_cast<Index>(way), c.source);
  }
  out.grid("row_weights", rowOfEach(c.weights, c.at), map);
  lesson::Grid z = signedLook(tr("z of the row"), {}, componentLabels(c.open.example, c.z[0].cols()));
  z.row_labels = map.row_labels;
  out.grid("row_z", rowOfEach(c.z, c.at), z);
}

// A map for each way, when all rows are concerned and the eye can take them in.
void showMaps(const Case& c, Outputs& out) {
  std::vector<lesson::Block> maps;
  const core::Mask& mask = c.open.trace->mask;
  const bool shown = c.all_rows && mask.rows() <= kMostMapped && mask.columns() <= kMostMapped;
  for (std::size_t way = 0; shown && way < kWays; ++way) {
    lesson::Grid map = mapLook(tr("Map: {0}", {tr(kNames[way])}), positionLabels(c.open.example, false),
                               positionLabels(c.open.example, true), &mask);
    map.rows = mask.rows(), map.columns = mask.columns();
    map.values.assign(c.weights[way].data(), c.weights[way].data() + c.weights[way].size());
    for (Index i = 0; way == 3 && i < map.rows; ++i) {
      std::string& reason = map.blocked[static_cast<std::size_t>(i * map.columns + c.source)];
      if (reason.empty()) reason = core::blockReasonText(core::kBlockedByEdit);
    }
    maps.push_back({std::move(map), way > 0});
  }
  out.flag("maps_shown", shown);
  out.blocks("maps", std::move(maps));
  for (std::size_t way = 0; way < kWays; ++way) {
    out.matrix(std::string("weights_") + kWayKeys[way], c.weights[way]);
    out.matrix(std::string("z_") + kWayKeys[way], c.z[way]);
    std::vector<double> sums;
    for (Index i = 0; i < c.weights[way].rows(); ++i) sums.push_back(c.weights[way].row(i).sum());
    out.numbers(std::string("sums_") + kWayKeys[way], std::move(sums));
  }
}

// What is claimed is asked of the rows that the act concerns.
void compareWays(const Case& c, Outputs& out) {
  const auto concerned = [&](const Matrix<double>& m) { return c.all_rows ? m : Matrix<double>(m.row(c.at)); };
  const auto same = [&](const std::vector<Matrix<double>>& ways, std::size_t a, std::size_t b) {
    return changedEntries(concerned(ways[a]), concerned(ways[b])) == 0;
  };
  out.flag("first_two_agree_in_z", same(c.z, 1, 2));
  out.flag("first_two_differ_in_map", !same(c.weights, 1, 2));
  out.flag("value_leaves_map", same(c.weights, 0, 1));
  out.flag("forbidding_differs_in_z", !same(c.z, 3, 1) && !same(c.z, 3, 2));
  out.flag("forbidding_differs_in_map", !same(c.weights, 3, 1) && !same(c.weights, 3, 2));
  const bool same_z = same(c.z, 0, 1) && same(c.z, 0, 2) && same(c.z, 0, 3);
  out.flag("all_alike", same_z && same(c.weights, 0, 2) && same(c.weights, 0, 3));
  out.number("weight", c.weights[0](c.at, c.source));
  out.flag("weight_is_zero", c.weights[0](c.at, c.source) == 0);
  out.flag("nothing_left", c.weights[3].row(c.at).cwiseAbs().maxCoeff() == 0);
  out.number("largest_z_forbidden", largestChange(c.z[3].row(c.at), c.z[0].row(c.at)));
  out.number("largest_z_zeroed", largestChange(c.z[2].row(c.at), c.z[0].row(c.at)));
}

void leadOn(const Case& c, Outputs& out) {
  std::vector<lesson::Block> jumps;
  std::vector<std::string> written;
  const std::string labels[kWays] = {"", tr("zero the value"), tr("zero the weight"), tr("forbid it")};
  for (std::size_t way = 1; way < kWays; ++way) {
    written.push_back(lesson::joinEdits(c.edits[way]));
    const std::string link = walkthroughLink(c.open, c.edits[way], c.row, c.head);
    if (!link.empty()) jumps.push_back({lesson::Jump{tr("Carry it out on the stage: {0}", {labels[way]}), link}});
  }
  out.texts("edits_written", written);
  out.flag("by_link", jumps.size() + 1 == kWays);
  out.blocks("onwards", std::move(jumps));
}

void offerControls(const Case& c, Outputs& out, Index usual) {
  out.options("row", positionOptions(c.open.example, false));
  out.standard("row", std::to_string(c.open.trace->problem.T - 1));
  out.options("source", positionOptions(c.open.example, true));
  out.standard("source", std::to_string(usual));
  out.options("of_head", headOptions(c.open));
  out.standard("of_head", std::to_string(c.open.head));
  if (c.open.heads() == 1) out.hide("of_head");
  out.text("row_name", destinationText(c.open.example, c.row));
  out.text("row_begins", begun(destinationText(c.open.example, c.row)));
  out.text("source_name", sourceText(c.open.example, c.source));
  out.text("in_head", c.open.heads() > 1 ? tr(" in head {0}", {ordinal(c.open.example, c.head)}) : "");
}

}  // namespace

core::Check threeActsThatLookAlike(const Inputs& in, Outputs& out, const Progress&) {
  auto opened = openExample(in);
  if (!opened) return opened.error();
  const OpenExample& open = opened.value();
  const core::Problem<double>& problem = open.trace->problem;
  const Index head = chosenIndex(in.text("of_head"), open.heads(), open.head);
  const Index row = chosenIndex(in.text("row"), problem.T, problem.T - 1);
  const Index usual = usualSource(open, head, row);
  Case c{open, head, row, chosenIndex(in.text("source"), problem.S, usual), in.on("all_rows"), {row}, 0, {}, {}, {}};
  if (problem.T * problem.S <= kMostCells || needsAllRows(problem)) {
    c.rows.resize(static_cast<std::size_t>(problem.T));
    std::iota(c.rows.begin(), c.rows.end(), Index(0));
    c.at = row;
  }
  computeWays(c);
  offerControls(c, out, usual);
  out.figure("ways", waysTable(c));
  showRow(c, out);
  showMaps(c, out);
  compareWays(c, out);
  leadOn(c, out);
  return {};
}

}  // namespace attn::scene
