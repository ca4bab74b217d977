// Figures as tables. Knows no screen.
#include "ui/scene_mirror.h"

#include <algorithm>
#include <cmath>

#include "core/number.h"
#include "io/json_writer.h"
#include "io/label.h"
#include "ui/presenting.h"
#include "ui/scene_verdict.h"
#include "ui/scene_words.h"

namespace attn::ui {
namespace {

using core::Index;
using lesson::Page;

constexpr std::size_t kMostTold = 64;

struct WordTable {
  std::string caption;
  std::vector<std::string> columns;
  struct Row {
    std::string head;
    std::vector<std::string> cells;
  };
  std::vector<Row> rows;
  std::size_t all_rows = 0, all_columns = 0;  // before what is left out; 0: nothing is
};

// On axes with names: "head 1.1".
std::string markPlace(const lesson::Plot& plot, const lesson::Plot::Mark& mark) {
  const auto n = static_cast<std::size_t>(std::max(0.0, mark.at));
  if (!mark.vertical || n >= plot.names.size()) return core::fixedText(mark.at, 4);
  return (plot.x_label.empty() ? "" : plot.x_label + " ") + plot.names[n];
}

std::string joined(std::string a, const std::string& b, const char* between = ". ") {
  if (a.empty() || b.empty()) return a + b;
  const bool ended = a.back() == '.' || a.back() == ':' || a.back() == '?';
  return a + (ended && std::string_view(between) == ". " ? " " : between) + b;
}

std::string pairText(double x, double y) { return core::fixedText(x, 4) + ", " + core::fixedText(y, 4); }

class Mirror {
 public:
  Mirror(const Page& page, const std::set<std::size_t>& answers, const app::Presentation& shown)
      : page_(page), answers_(answers), shown_(shown) {}

  std::string take() {
    json_.beginList();
    if (!leavesLookOut(shown_, page_)) put("text", page_.look);
    for (at_ = 0; at_ < page_.blocks.size(); ++at_)
      if (!leavesOut(shown_, page_, page_.blocks[at_])) std::visit([this](const auto& block) { write(block); }, page_.blocks[at_].content);
    json_.endList();
    return json_.take();
  }

 private:
  void put(const char* kind, const std::string& text) {
    json_.beginObject().name("kind").text(kind).name("text").text(text).endObject();
  }

  void put(WordTable table) {
    std::string caption = table.caption;
    if (table.rows.size() > kMostTold || table.all_rows > table.rows.size()) {
      const std::size_t all = std::max(table.all_rows, table.rows.size());
      caption = joined(caption, tr("The first {0} of {1} rows", {std::min(kMostTold, table.rows.size()), all}));
      table.rows.resize(std::min(kMostTold, table.rows.size()));
    }
    if (table.all_columns > table.columns.size())
      caption = joined(caption, tr("The first {0} of {1} columns", {table.columns.size(), table.all_columns}));
    json_.beginObject().name("kind").text("table").name("caption").text(caption).name("columns").beginList();
    for (const std::string& each : table.columns) json_.text(each);
    json_.endList().name("rows").beginList();
    for (const WordTable::Row& row : table.rows) {
      json_.beginObject().name("head").text(row.head).name("cells").beginList();
      for (const std::string& each : row.cells) json_.text(io::withoutTicks(each));
      json_.endList().endObject();
    }
    json_.endList().endObject();
  }

  void write(const lesson::Words& words) {
    static constexpr const char* kKinds[] = {"text", "heading", "note", "code"};
    put(kKinds[static_cast<int>(words.style)], words.style == lesson::Words::Style::kCode ? words.text : io::withoutTicks(words.text));
  }
  void write(const lesson::Claim& claim) {
    put("claim", claim.mistake ? joined(claimLead(claim), claim.text, " ")
                               : joined(claim.text, claimTruth(claim), " "));
  }
  void write(const lesson::Question& question) {
    put("question", question.text);
    if (answers_.count(at_) > 0 && !shown_.hides(app::Part::kAnswers)) put("answer", question.answer);
  }
  void write(const lesson::Verdict& verdict) {
    put("claim", verdict.words);
    put("text", predictionLine(verdict));
    put("text", answerLine(verdict));
    if (!verdict.note.empty()) put("note", noteLine(verdict));
  }
  void write(const lesson::Jump&) {}  // a control
  void write(const lesson::Maps& maps) {
    WordTable table;
    table.caption = joined(maps.title, maps.note);
    table.columns = {tr("what is known")};
    for (const lesson::Maps::Item& item : maps.items) table.rows.push_back({item.label, {item.note}});
    put(std::move(table));
  }
  void write(const lesson::Source& source) {
    if (!further_) put("heading", tr("Read further"));
    further_ = true;
    put("source", joined(sourceTitle(source), source.measured, " "));
  }

  static std::string cellText(const lesson::Grid& grid, std::size_t at) {
    const std::string reason = grid.blocked.empty() ? "" : grid.blocked[at];
    const double value = grid.values[at];
    const std::string number = core::fixedText(value, grid.decimals);
    if (reason.empty()) return number;
    const bool leaks = std::isfinite(value) && value != 0;
    return (leaks || std::isnan(value) ? number + ", " : "") + blockedText(reason);
  }

  void write(const lesson::Grid& grid) {
    WordTable table;
    table.caption = joined(grid.title, grid.note);
    if (grid.map) table.caption = joined(table.caption, tr("Each row reads, each column is read"));
    const Index rows = std::min<Index>(grid.rows, kMostTold), columns = std::min<Index>(grid.columns, kMostTold);
    table.all_rows = static_cast<std::size_t>(grid.rows);
    table.all_columns = static_cast<std::size_t>(grid.columns);
    const auto name = [](const std::vector<std::string>& labels, Index i) {
      return labels.empty() ? std::to_string(i) : labels[static_cast<std::size_t>(i)];
    };
    for (Index j = 0; j < columns; ++j) table.columns.push_back(name(grid.column_labels, j));
    for (Index i = 0; i < rows; ++i) {
      WordTable::Row row{name(grid.row_labels, i), {}};
      for (Index j = 0; j < columns; ++j) {
        const bool hidden = shown_.hides(app::Part::kNumbers);
        row.cells.push_back(hidden ? tr("hidden") : cellText(grid, static_cast<std::size_t>(i * grid.columns + j)));
      }
      table.rows.push_back(std::move(row));
    }
    put(std::move(table));
  }

  void write(const lesson::Table& from) {
    WordTable table;
    table.caption = joined(from.title, from.note);
    if (!from.columns.empty()) table.columns.assign(from.columns.begin() + 1, from.columns.end());
    for (const auto& cells : from.rows)
      if (!cells.empty()) table.rows.push_back({cells[0], {cells.begin() + 1, cells.end()}});
    put(std::move(table));
  }

  // One row for every x that a series has, in their order.
  void write(const lesson::Plot& plot) {
    WordTable table;
    table.caption = joined(plot.title, plot.note);
    if (!plot.x_label.empty()) table.caption = joined(table.caption, tr("Rows: {0}", {plot.x_label}));
    for (const auto& mark : plot.marks)
      table.caption = joined(table.caption, tr("{0} at {1}", {mark.label, markPlace(plot, mark)}));
    std::vector<double> all;
    for (const auto& series : plot.series) {
      table.columns.push_back(series.label.empty() ? plot.y_label : series.label);
      all.insert(all.end(), series.x.begin(), series.x.end());
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    table.all_rows = all.size();
    const std::size_t stride = (all.size() + kMostTold - 1) / kMostTold;  // spread over the whole range
    for (std::size_t i = 0; i < all.size(); i += std::max<std::size_t>(1, stride)) table.rows.push_back(plotRow(plot, all[i]));
    put(std::move(table));
  }

  static WordTable::Row plotRow(const lesson::Plot& plot, double x) {
    const bool named = x >= 0 && x < static_cast<double>(plot.names.size());
    WordTable::Row row{named ? plot.names[static_cast<std::size_t>(x)] : core::fullText(x), {}};
    for (const auto& series : plot.series) {
      const auto at = std::find(series.x.begin(), series.x.end(), x);
      row.cells.push_back(at == series.x.end() ? "" : core::fixedText(series.y[static_cast<std::size_t>(at - series.x.begin())], 4));
    }
    return row;
  }

  void write(const lesson::Plane& plane) {
    static constexpr std::string_view kArrows[] = {trLater("query arrow"), trLater("key arrow"), trLater("value arrow"),
                                                   trLater("result arrow"), trLater("arrow")};
    static constexpr std::string_view kPoints[] = {trLater("query point"), trLater("key point"), trLater("value point"),
                                                   trLater("result point"), trLater("point")};
    WordTable table{joined(plane.title, plane.note), {tr("what"), "x, y"}, {}};
    for (const auto& each : plane.arrows)
      table.rows.push_back({each.label, {tr(kArrows[static_cast<int>(each.role)]), pairText(each.x, each.y)}});
    for (const auto& each : plane.points)
      table.rows.push_back({each.label, {tr(kPoints[static_cast<int>(each.role)]), pairText(each.x, each.y)}});
    for (const auto& each : plane.lines)
      table.rows.push_back({each.label, {each.dashed ? tr("dashed line") : tr("line"), tr("{0} to {1}", {pairText(each.x0, each.y0), pairText(each.x1, each.y1)})}});
    put(std::move(table));
  }

  void write(const lesson::Strip& strip) {
    WordTable table{joined(strip.title, strip.note), {tr("weight"), tr("note")}, {}};
    for (const auto& each : strip.items)
      table.rows.push_back({each.text, {each.weight < 0 ? "" : core::fixedText(each.weight, 4), joined(each.note, each.marked ? tr("marked") : "", ", ")}});
    put(std::move(table));
  }

  static std::string readText(const lesson::Flow& flow, const lesson::Flow::Edge& edge) {
    const std::string text = flow.positions[static_cast<std::size_t>(edge.from)] + " " + core::fixedText(edge.strength, 4);
    return edge.marked ? tr("{0} (marked)", {text}) : text;
  }

  // Each position of each layer with what it reads, from the bottom.
  void write(const lesson::Flow& flow) {
    WordTable table{joined(flow.title, flow.note), {tr("position"), tr("reads")}, {}};
    for (std::size_t l = 0; l < flow.layers.size(); ++l) {
      for (std::size_t i = 0; i < flow.positions.size(); ++i) {
        std::string reads;
        for (const auto& each : flow.edges)
          if (each.layer + 1 == static_cast<Index>(l) && each.to == static_cast<Index>(i))
            reads = joined(reads, readText(flow, each), ", ");
        std::string note;
        for (const auto& each : flow.nodes)
          if (each.layer == static_cast<Index>(l) && each.position == static_cast<Index>(i)) note = each.note;
        if (reads.empty() && note.empty()) continue;
        table.rows.push_back({flow.layers[l], {joined(flow.positions[i], note, ": "), reads}});
      }
    }
    put(std::move(table));
  }

  const Page& page_;
  const std::set<std::size_t>& answers_;
  const app::Presentation& shown_;
  std::size_t at_ = 0;
  bool further_ = false;
  io::JsonWriter json_;
};

}  // namespace

std::string pageMirror(const Page& page, const std::set<std::size_t>& answers, const app::Presentation& shown) {
  return Mirror(page, answers, shown).take();
}

}  // namespace attn::ui
