// What every page that can be shown satisfies. Knows no scene and no screen.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/language.h"
#include "lesson/page_json.h"

namespace attn::lesson {
namespace {

constexpr Index kMostSide = 1 << 20;

bool isShade(char c) { return c == Maps::kNoNumber || Maps::kShades.find(c) != std::string_view::npos; }
bool noneOr(std::size_t count, Index wanted) { return count == 0 || static_cast<Index>(count) == wanted; }
bool inside(Index at, Index count) { return at >= 0 && at < count; }
Index count(const auto& list) { return static_cast<Index>(list.size()); }

// The first thing that is wrong, "" when nothing is. One overload for each block that can be wrong.
class Checker {
 public:
  explicit Checker(const Page& page) : page_(page) {}

  std::string_view operator()(const Grid& grid) const {
    const bool sized = grid.rows >= 0 && grid.columns >= 0 && grid.rows <= kMostSide && grid.columns <= kMostSide;
    // In 64 bits: on the web an Index has 32.
    const auto cells = std::int64_t(grid.rows) * grid.columns;
    if (!sized || static_cast<std::int64_t>(grid.values.size()) != cells)
      return trLater("has other than rows times columns values");
    if (!noneOr(grid.row_labels.size(), grid.rows)) return trLater("has labels for some of its rows");
    if (!noneOr(grid.column_labels.size(), grid.columns)) return trLater("has labels for some of its columns");
    if (!noneOr(grid.blocked.size(), count(grid.values))) return trLater("has blocking reasons for some of its cells");
    if (!(grid.limit >= 0) || !std::isfinite(grid.limit)) return trLater("has a limit that is no size");
    if (grid.decimals < 0 || grid.decimals > 17) return trLater("has other than 0 to 17 decimals");
    const bool marked = std::all_of(grid.marked.begin(), grid.marked.end(), [&](const auto& cell) {
      return inside(cell.first, grid.rows) && inside(cell.second, grid.columns);
    });
    return marked ? "" : trLater("marks a cell that it does not have");
  }

  std::string_view operator()(const Table& table) const {
    const auto fits = [&](const auto& row) { return row.size() == table.columns.size(); };
    if (!std::all_of(table.rows.begin(), table.rows.end(), fits))
      return trLater("has a row with more or fewer cells than columns");
    const auto there = [&](Index row) { return inside(row, count(table.rows)); };
    return std::all_of(table.marked.begin(), table.marked.end(), there) ? "" : trLater("marks a row that it does not have");
  }

  std::string_view operator()(const Plot& plot) const {
    const auto paired = [](const Plot::Series& series) { return series.x.size() == series.y.size(); };
    return std::all_of(plot.series.begin(), plot.series.end(), paired)
               ? ""
               : trLater("has a series with more x than y, or fewer");
  }

  std::string_view operator()(const Plane& plane) const {
    if (!(plane.reach > 0) || !std::isfinite(plane.reach)) return trLater("has a reach that is no size");
    const auto known = [&](const auto& spot) { return isParam(spot.x_key) && isParam(spot.y_key); };
    const bool all_known = std::all_of(plane.arrows.begin(), plane.arrows.end(), known) &&
                           std::all_of(plane.points.begin(), plane.points.end(), known);
    return all_known ? "" : trLater("has a handle that moves no param");
  }

  std::string_view operator()(const Strip& strip) const {
    if (strip.order_key.empty()) return "";
    const auto found = std::find_if(page_.params.begin(), page_.params.end(), [&](const Param& param) {
      return param.key == strip.order_key && param.kind == ParamKind::kOrder;
    });
    if (found == page_.params.end()) return trLater("orders no param");
    return found->options.size() == strip.items.size() ? "" : trLater("has more items than its param orders, or fewer");
  }

  std::string_view operator()(const Flow& flow) const {
    const Index layers = count(flow.layers), positions = count(flow.positions);
    const bool edges = std::all_of(flow.edges.begin(), flow.edges.end(), [&](const Flow::Edge& edge) {
      return inside(edge.layer, layers - 1) && inside(edge.from, positions) && inside(edge.to, positions);
    });
    if (!edges) return trLater("has an edge to where nothing is");
    const bool nodes = std::all_of(flow.nodes.begin(), flow.nodes.end(), [&](const Flow::Node& node) {
      return inside(node.layer, layers) && inside(node.position, positions);
    });
    return nodes ? "" : trLater("has a node where nothing is");
  }

  std::string_view operator()(const Jump& jump) const {
    if (jump.keys.size() != jump.values.size()) return trLater("has a button with more keys than values, or fewer");
    if (!std::all_of(jump.keys.begin(), jump.keys.end(), [&](const auto& key) { return isParam(key); }))
      return trLater("sets no param");
    if ((!jump.keys.empty() || !jump.file.empty()) && jump.link.empty()) return "";
    return jump.link.rfind("v=1", 0) == 0 ? "" : trLater("has a link that does not start with v=1");
  }

  std::string_view operator()(const Maps& maps) const {
    if (maps.line < 0) return trLater("has lines of fewer than no maps");
    if (maps.rows < 0 || maps.columns < 0 || maps.rows > kMostSide || maps.columns > kMostSide)
      return trLater("has maps without a size");
    const auto cells = static_cast<std::size_t>(std::int64_t(maps.rows) * maps.columns);
    if (!std::all_of(maps.keys.begin(), maps.keys.end(), [&](const auto& key) { return isParam(key); }))
      return trLater("sets no param");
    for (const Maps::Item& item : maps.items) {
      if (item.values.size() != maps.keys.size()) return trLater("has a map with more values than keys, or fewer");
      if (!item.shades.empty() && item.shades.size() != cells)
        return trLater("has a map with other than rows times columns shades");
      if (!std::all_of(item.shades.begin(), item.shades.end(), isShade)) return trLater("has a shade that there is not");
    }
    return "";
  }

  template <class Other>
  std::string_view operator()(const Other&) const { return ""; }

 private:
  bool isParam(const std::string& key) const {
    return key.empty() || std::any_of(page_.params.begin(), page_.params.end(),
                                      [&](const Param& param) { return param.key == key; });
  }

  const Page& page_;
};

core::Check checkParams(const std::vector<Param>& params) {
  Index main = 0;
  for (std::size_t i = 0; i < params.size(); ++i) {
    const Param& param = params[i];
    main += param.main && param.shown;
    const auto same = [&](const Param& other) { return other.key == param.key; };
    if (param.key.empty() || std::count_if(params.begin(), params.end(), same) > 1) {
      return core::Error{tr("The page has two params of the key `{0}`, or one without; name each once.", {param.key})};
    }
    if (!(param.minimum <= param.maximum)) {
      return core::Error{tr("The param `{0}` has a range that is empty; put its minimum first.", {param.key})};
    }
  }
  if (main > 1) return core::Error{tr("The page shows several main params; keep one.")};
  return {};
}

}  // namespace

core::Check checkPage(const Page& page) {
  if (core::Check wrong = checkParams(page.params)) return wrong;
  const Checker checker(page);
  for (std::size_t i = 0; i < page.blocks.size(); ++i) {
    const std::string_view wrong = std::visit(checker, page.blocks[i].content);
    if (!wrong.empty()) return core::Error{tr("Block {0} of the page {1}; mend it.", {i, tr(wrong)})};
  }
  return {};
}

}  // namespace attn::lesson
