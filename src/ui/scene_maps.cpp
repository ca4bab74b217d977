// Small maps in lines, all of them one texture, each with its mark below. One control goes over all of them: the pointer
// and the arrow keys choose which map it stands for.
#include <algorithm>
#include <cmath>
#include <string>

#include "figure/legend.h"
#include "ui/scene_figure.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

using figure::Box;
using figure::Typeface;
using lesson::Maps;

constexpr float kMark = 12.5f;   // size of the words below
constexpr float kWanted = 84, kUsual = 64, kLeast = 36;  // the longer side of a map, at text scale 1

// Where maps are. All that lies between them is whole cells wide, so that one texture has everything.
struct Layout {
  Index per_line = 1, line = 0;  // maps beside each other; of those that belong on one line
  float cell = 1;
  Index column_gap = 1, row_gap = 1;  // in cells, behind each map and below it
  Index lines = 0;
  float press = 0;   // height of a map with its mark, or what a finger needs
  float legend = 0;  // height of the legend above
  Extent all;
};

Index countOf(const Maps& maps) { return static_cast<Index>(maps.items.size()); }

float widestMark(const SceneView& view, const Maps& maps) {
  float widest = 0;
  for (const Maps::Item& each : maps.items)
    widest = std::max(widest, view.memory.measure(Typeface::kBody, view.size(kMark), each.mark));
  return widest + view.size(6);
}

float layLegend(const SceneView& view, const Box& box, figure::Picture* out) {
  figure::LegendLine line(view.memory.measure, view.colors(), view.frame.scale(), box);
  line.add({"", {false, 0, 1}, &figure::sequentialTable(view.frame.session.state().palette), false, 110});
  if (out) *out = std::move(line.picture());
  return line.height() + view.size(10);
}

// What can still be seen, and hit by a finger.
float leastSide(const SceneView& view) {
  return std::max(view.size(kLeast), view.frame.view.environment.coarse_pointer ? 44.f : 0.f);
}

// As many beside each other as belong together, if that leaves them large enough; otherwise equal parts of them.
Index mapsPerLine(const SceneView& view, const Maps& maps, float room, float mark) {
  const float gap = view.size(8);
  const float least = std::max(leastSide(view), mark - gap);
  const auto fitting = [&](float side) { return std::max<Index>(1, static_cast<Index>((room + gap) / (side + gap))); };
  if (maps.line > 0 && maps.line <= fitting(least)) return maps.line;
  const Index usual = fitting(std::max(least, view.size(kUsual)));
  if (maps.line == 0) return std::min(usual, std::max<Index>(1, countOf(maps)));
  const Index parts = (maps.line + usual - 1) / usual;
  return (maps.line + parts - 1) / parts;
}

Layout layOut(const SceneView& view, const Maps& maps, float room) {
  Layout out;
  const float mark = widestMark(view, maps), gap = view.size(8), all_room = room;
  out.line = maps.line > 0 ? maps.line : std::max<Index>(1, countOf(maps));
  // No more than what belongs on one line can use, so that the room that is taken gives the same layout again.
  room = std::min(room, static_cast<float>(std::min(out.line, countOf(maps))) * (std::max(view.size(kWanted), mark) + gap));
  out.per_line = mapsPerLine(view, maps, room, mark);
  const float slot = room / static_cast<float>(out.per_line), columns = static_cast<float>(std::max<Index>(1, maps.columns));
  const float side = std::max(columns, static_cast<float>(maps.rows));
  const float cell = std::min({view.size(kWanted) / side, (slot - gap) / side, slot / (columns + 1)});
  out.cell = cell > 1 ? std::floor(cell * 4) / 4 : std::max(cell, 0.25f);
  const auto cells = [&](float pixels) { return static_cast<Index>(std::ceil(pixels / out.cell)); };
  const auto fitting = static_cast<Index>(slot / out.cell) - maps.columns;
  // Where marks are wider than maps, maps stand further apart, as far as there is room.
  out.column_gap = std::max<Index>(1, std::min(cells(std::max(gap, mark - out.cell * columns)), fitting));
  out.press = std::max(leastSide(view), out.cell * static_cast<float>(maps.rows) + view.size(kMark) * 1.5f);
  out.row_gap = std::max<Index>(1, cells(out.press + gap) - maps.rows);
  const Index parts = (out.line + out.per_line - 1) / out.per_line, groups = (countOf(maps) + out.line - 1) / out.line;
  const Index last = countOf(maps) - (groups - 1) * out.line;  // of the last group
  out.lines = groups == 0 ? 0 : (groups - 1) * parts + (last + out.per_line - 1) / out.per_line;
  out.legend = layLegend(view, {0, 0, all_room, 0}, nullptr);
  out.all.w = std::min(all_room, std::max(room, view.size(170)));
  out.all.h = out.legend + out.cell * static_cast<float>(out.lines * (maps.rows + out.row_gap));
  return out;
}

class MapsPainter {
 public:
  MapsPainter(SceneView& view, const Maps& maps, std::size_t block, const Rect& area)
      : view_(view), maps_(maps), block_(block), area_(area), c_(view.colors()), layout_(layOut(view, maps, area.w)),
        x_(std::round(area.x)), y_(std::round(area.y + layout_.legend)) {}

  void paint() {
    if (maps_.items.empty() || maps_.rows < 1 || maps_.columns < 1) return;
    const bool draws = view_.onScreen(area_) || view_.frame.recorder.keep_texts;
    if (draws) {
      figure::Picture legend;
      layLegend(view_, {x_, area_.y, area_.w, 0}, &legend);
      paintFigure(view_.frame, legend, area_);
      addTexture();
      for (Index i = 0; i < countOf(maps_); ++i) add(i);
      paintFigure(view_.frame, picture_, area_);
    }
    if (!maps_.keys.empty()) control();
    else if (const Index i = pointed(); i >= 0) tooltip(view_.frame, itemAt(i).label + "\n" + itemAt(i).note);
  }

 private:
  const Maps::Item& itemAt(Index i) const { return maps_.items[static_cast<std::size_t>(i)]; }

  // Line and column of a map, and the map that is there: the last one of a shorter line.
  std::pair<Index, Index> spotOf(Index i) const {
    const Index parts = (layout_.line + layout_.per_line - 1) / layout_.per_line, inside = i % layout_.line;
    return {i / layout_.line * parts + inside / layout_.per_line, inside % layout_.per_line};
  }
  Index mapAt(Index line, Index column) const {
    const Index parts = (layout_.line + layout_.per_line - 1) / layout_.per_line;
    const Index first = line / parts * layout_.line, begin = first + line % parts * layout_.per_line;
    const Index end = std::min({begin + layout_.per_line, first + layout_.line, countOf(maps_)});
    return std::min(begin + column, end - 1);
  }

  Box boxOf(Index i) const {
    const auto [line, column] = spotOf(i);
    return {x_ + layout_.cell * static_cast<float>(column * (maps_.columns + layout_.column_gap)),
            y_ + layout_.cell * static_cast<float>(line * (maps_.rows + layout_.row_gap)),
            layout_.cell * static_cast<float>(maps_.columns), layout_.cell * static_cast<float>(maps_.rows)};
  }
  // With its mark: what is pressed.
  Rect wholeOf(Index i) const {
    const Box box = boxOf(i);
    return {box.x - 2, box.y - 2, std::max(box.w, std::min(markRoom(), leastSide(view_))) + 4, layout_.press + 4};
  }
  float markRoom() const { return layout_.cell * static_cast<float>(maps_.columns + layout_.column_gap) - 2; }

  Index pointed() const {
    for (Index i = 0; i < countOf(maps_); ++i)
      if (view_.hovers(wholeOf(i))) return i;
    return -1;
  }

  // The maps of the page in their lines, with nothing between them. Another layout of the same maps has another size.
  std::shared_ptr<const figure::HeatmapData> texture() {
    const int wide = static_cast<int>(layout_.per_line * (maps_.columns + layout_.column_gap));
    const int tall = static_cast<int>(layout_.lines * (maps_.rows + layout_.row_gap));
    auto& slot = view_.memory.textures[block_];
    if (slot && slot->rows == tall && slot->columns == wide) return slot;
    auto made = std::make_shared<figure::HeatmapData>();
    made->key = newTextureKey();
    made->rows = tall;
    made->columns = wide;
    made->values.assign(static_cast<std::size_t>(wide) * static_cast<std::size_t>(tall), 0);
    made->marks.assign(made->values.size(), figure::markOf(figure::CellLook::kUnknown));
    for (Index i = 0; i < countOf(maps_); ++i) copy(i, *made);
    slot = std::move(made);
    return slot;
  }

  void copy(Index i, figure::HeatmapData& into) const {
    const std::string& shades = itemAt(i).shades;
    if (shades.empty()) return;
    const auto [line, column] = spotOf(i);
    for (Index r = 0; r < maps_.rows; ++r) {
      for (Index k = 0; k < maps_.columns; ++k) {
        const auto to = static_cast<std::size_t>((line * (maps_.rows + layout_.row_gap) + r) * into.columns +
                                                 column * (maps_.columns + layout_.column_gap) + k);
        const char shade = shades[static_cast<std::size_t>(r * maps_.columns + k)];
        const bool known = shade != Maps::kNoNumber;
        into.marks[to] = figure::markOf(known ? figure::CellLook::kValue : figure::CellLook::kNan);
        if (known) into.values[to] = static_cast<float>(Maps::kShades.find(shade)) / static_cast<float>(Maps::kShades.size() - 1);
      }
    }
  }

  void addTexture() {
    const auto data = texture();
    const float wide = layout_.cell * static_cast<float>(data->columns), tall = layout_.cell * static_cast<float>(data->rows);
    picture_.add(figure::HeatmapRequest{x_, y_, wide, tall, x_, y_, std::min(wide, area_.x + area_.w - x_), tall, data,
                                        {false, 0, 1}, view_.frame.session.state().palette, isDark(view_.frame.view), c_.ground,
                                        c_.hatch, 0});
  }

  void add(Index i) {
    const Rect whole = wholeOf(i);
    if (!view_.onScreen(whole) && !view_.frame.recorder.keep_texts) return;
    const Box box = boxOf(i);
    picture_.add(figure::Frame{figure::grown(box, 1), c_.line, 1, 0});
    const float size = view_.size(kMark);
    picture_.add(figure::Label{{box.x, box.bottom() + view_.size(3)}, 0, 0, Typeface::kBody, size, c_.muted,
                               figure::elided(view_.memory.measure, Typeface::kBody, size, itemAt(i).mark, markRoom())});
    if (!maps_.keys.empty())
      view_.frame.recorder.add({.id = id() + "/" + std::to_string(i), .label = itemAt(i).label, .role = Role::kCell,
                                .rect = whole, .visible = view_.onScreen(whole)});
  }

  std::string id() const { return "page/maps/" + std::to_string(block_); }

  // The map that was chosen last, under whatever order the page has now.
  Index chosen() const {
    const auto same = [this](const Maps::Item& item) { return item.label == view_.memory.map; };
    const auto found = std::find_if(maps_.items.begin(), maps_.items.end(), same);
    return found == maps_.items.end() ? 0 : static_cast<Index>(found - maps_.items.begin());
  }

  void control() {
    // A pointer at rest leaves the choice to the keys.
    const bool moved = view_.frame.view.pointer.since > view_.memory.map_since;
    if (moved || ImGui::IsMouseClicked(ImGuiMouseButton_Left))
      if (const Index i = pointed(); i >= 0) view_.memory.map = itemAt(i).label;
    if (const auto by = view_.frame.recorder.takeNudge(id())) move(*by);
    const Index now = chosen();
    const std::string place = tr("{0} of {1}", {now + 1, countOf(maps_)});
    const ButtonOptions options{.look = Look::kQuiet, .bare = true, .tip = itemAt(now).note, .group = maps_.title,
                                .value = place, .handle = true};
    if (!button(view_.frame, id(), itemAt(now).label, wholeOf(now), options)) return;
    lesson::Settings values;
    for (std::size_t k = 0; k < maps_.keys.size(); ++k) values.emplace_back(maps_.keys[k], itemAt(now).values[k]);
    view_.frame.dispatch(app::action::SetAll{std::move(values)});
  }

  // To the right and up, without leaving the maps.
  void move(std::pair<int, int> by) {
    const auto [line, column] = spotOf(chosen());
    const Index to = by.second == 0 ? std::clamp<Index>(chosen() + by.first, 0, countOf(maps_) - 1)
                                    : mapAt(std::clamp<Index>(line - by.second, 0, layout_.lines - 1), column);
    view_.memory.map = itemAt(to).label;
    view_.memory.map_since = view_.frame.view.environment.now;
    const Rect whole = wholeOf(to);
    const ImVec2 low = ImGui::GetWindowDrawList()->GetClipRectMin(), high = ImGui::GetWindowDrawList()->GetClipRectMax();
    if (whole.y < low.y || whole.y + whole.h > high.y) view_.frame.recorder.brought_into_view.clear();
  }

  SceneView& view_;
  const Maps& maps_;
  std::size_t block_;
  Rect area_;
  const Colors& c_;
  Layout layout_;
  float x_, y_;  // of the first map
  figure::Picture picture_;
};

}  // namespace

Extent extentOf(SceneView& view, const Maps& maps, float room) { return layOut(view, maps, room).all; }

void drawFigure(SceneView& view, const Maps& maps, std::size_t block, const Rect& area) {
  MapsPainter(view, maps, block, area).paint();
}

}  // namespace attn::ui
