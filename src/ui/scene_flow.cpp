// What reads what through a stack of layers, the input at the bottom: strong edges are broad, marked ones are told apart.
#include <algorithm>
#include <cmath>

#include "core/number.h"
#include "ui/scene_figure.h"

namespace attn::ui {
namespace {

using figure::Box;
using figure::Point;
using figure::Typeface;
using lesson::Flow;

constexpr float kFlowText = 13.5f, kFlowNote = 12, kRow = 84, kColumn = 96;

float layerRoom(const SceneView& view, const Flow& flow) {
  float widest = 0;
  for (const std::string& each : flow.layers)
    widest = std::max(widest, richWidth(view.memory.measure, Typeface::kBody, view.size(kFlowText), each));
  return std::min(widest, view.size(110)) + view.size(14);
}

class FlowPainter {
 public:
  FlowPainter(SceneView& view, const Flow& flow, const Rect& area)
      : view_(view), flow_(flow), area_(area), c_(view.colors()), left_(std::min(layerRoom(view, flow), area.w * 0.3f)) {
    const auto columns = static_cast<float>(std::max<std::size_t>(1, flow.positions.size()));
    step_x_ = (area.w - left_) / columns;
    const float names = view.size(kFlowText) * 1.7f;
    top_ = area.y + view.size(20);
    const auto rows = static_cast<float>(std::max<std::size_t>(2, flow.layers.size()) - 1);
    bottom_ = area.y + area.h - names - view.size(16);
    step_y_ = (bottom_ - top_) / rows;
  }

  void paint() {
    for (const bool marked : {false, true})
      for (const Flow::Edge& each : flow_.edges)
        if (each.marked == marked) addEdge(each);
    for (std::size_t l = 0; l < flow_.layers.size(); ++l) {
      const Point p = at(static_cast<Index>(l), 0);
      const float size = view_.size(kFlowText);
      addRich(picture_, view_.memory.measure, Typeface::kBody, size, {area_.x, p.y}, 0, 0.5f, c_.muted,
              figure::elided(view_.memory.measure, Typeface::kBody, size, flow_.layers[l], left_ - view_.size(6)));
      for (std::size_t i = 0; i < flow_.positions.size(); ++i) addNode(static_cast<Index>(l), static_cast<Index>(i));
    }
    for (std::size_t i = 0; i < flow_.positions.size(); ++i) {
      const float size = view_.size(kFlowText);
      picture_.add(figure::Label{{at(0, static_cast<Index>(i)).x, area_.y + area_.h}, 0.5f, 1, Typeface::kBody, size, c_.text,
                                 figure::elided(view_.memory.measure, Typeface::kBody, size, flow_.positions[i], step_x_ - 4)});
    }
    const std::string hovered = hover();
    paintFigure(view_.frame, picture_, area_);
    if (!hovered.empty()) tooltip(view_.frame, hovered);
  }

 private:
  Point at(Index layer, Index position) const {
    return {area_.x + left_ + step_x_ * (static_cast<float>(position) + 0.5f), bottom_ - step_y_ * static_cast<float>(layer)};
  }
  float radius() const { return std::min({view_.size(8), step_x_ * 0.28f, step_y_ * 0.22f}); }

  // Upright where it leaves and arrives, so that crossing edges can be followed.
  std::vector<Point> wayOf(const Flow::Edge& edge) const {
    const Point a = at(edge.layer, edge.from), b = at(edge.layer + 1, edge.to);
    const float bend = step_y_ * 0.35f;
    std::vector<Point> way;
    for (int k = 0; k <= 16; ++k) {
      const float t = static_cast<float>(k) / 16, u = 1 - t;
      way.push_back({u * u * u * a.x + 3 * u * u * t * a.x + 3 * u * t * t * b.x + t * t * t * b.x,
                     u * u * u * a.y + 3 * u * u * t * (a.y - bend) + 3 * u * t * t * (b.y + bend) + t * t * t * b.y});
    }
    return way;
  }

  void addEdge(const Flow::Edge& edge) {
    const double strength = std::clamp(std::isfinite(edge.strength) ? edge.strength : 0, 0.0, 1.0);
    if (strength == 0 && !edge.marked) return;
    const double crowd = std::min(1.0, std::sqrt(16.0 / static_cast<double>(flow_.edges.size())));  // many are thin
    const figure::Color ink = edge.marked ? c_.now : figure::faded(c_.row, 0.18 + (0.2 + 0.4 * crowd) * strength);
    const auto wide = static_cast<float>(1 + 4.5 * strength * crowd);
    picture_.add(figure::Path{wayOf(edge), 0, ink, view_.size(edge.marked ? std::max(2.4f, wide * 0.8f) : wide)});
  }

  const Flow::Node* nodeAt(Index layer, Index position) const {
    for (const Flow::Node& each : flow_.nodes)
      if (each.layer == layer && each.position == position) return &each;
    return nullptr;
  }

  void addNode(Index layer, Index position) {
    const Point p = at(layer, position);
    const Flow::Node* node = nodeAt(layer, position);
    const bool marked = node && node->marked;
    picture_.add(figure::Disc{p, radius() + 1.5f, marked ? c_.now : node ? c_.text : c_.muted});
    picture_.add(figure::Disc{p, radius(), marked ? c_.now : c_.ground});
    if (!node || node->note.empty()) return;
    const float size = view_.size(kFlowNote), room = step_x_ - 2;
    const std::string text = figure::elided(view_.memory.measure, Typeface::kBody, size, node->note, room);
    const float wide = richWidth(view_.memory.measure, Typeface::kBody, size, text);
    const bool top = layer + 1 == static_cast<Index>(flow_.layers.size());
    const float y = top ? p.y - radius() - 3 - size * 0.6f : p.y + radius() + 3 + size * 0.6f;
    picture_.add(figure::Fill{{p.x - wide / 2 - 3, y - size * 0.6f, wide + 6, size * 1.2f}, figure::faded(c_.ground, 0.88), 3});
    addRich(picture_, view_.memory.measure, Typeface::kBody, size, {p.x, y}, 0.5f, 0.5f, marked ? c_.now : c_.text, text);
  }

  std::string edgeText(const Flow::Edge& each) const {
    const auto name = [&](Index i) { return flow_.positions[static_cast<std::size_t>(i)]; };
    return flow_.layers[static_cast<std::size_t>(each.layer + 1)] + ": " + tr("{0} reads {1}", {name(each.to), name(each.from)}) +
           "\n" + core::fullText(each.strength);
  }

  // Over a position: everything that it reads. Else the nearest edge.
  std::string hover() {
    if (!view_.hovers(area_)) return "";
    const ImVec2 mouse = ImGui::GetMousePos();
    for (Index l = 0; l < static_cast<Index>(flow_.layers.size()); ++l)
      for (Index i = 0; i < static_cast<Index>(flow_.positions.size()); ++i)
        if (std::hypot(at(l, i).x - mouse.x, at(l, i).y - mouse.y) < radius() + 5) return nodeText(l, i);
    const Flow::Edge* nearest = nullptr;
    float least = 6;
    for (const Flow::Edge& each : flow_.edges)
      for (const Point& p : wayOf(each))
        if (const float d = std::hypot(p.x - mouse.x, p.y - mouse.y); d < least) least = d, nearest = &each;
    return nearest ? edgeText(*nearest) : "";
  }

  std::string nodeText(Index layer, Index position) const {
    std::string text = flow_.layers[static_cast<std::size_t>(layer)] + ", " + flow_.positions[static_cast<std::size_t>(position)];
    if (const Flow::Node* node = nodeAt(layer, position); node && !node->note.empty()) text += ": " + node->note;
    for (const Flow::Edge& each : flow_.edges)
      if (each.layer + 1 == layer && each.to == position)
        text += "\n" + tr("reads {0}: {1}", {flow_.positions[static_cast<std::size_t>(each.from)], core::fullText(each.strength)});
    return text;
  }

  SceneView& view_;
  const Flow& flow_;
  Rect area_;
  const Colors& c_;
  float left_, step_x_ = 0, step_y_ = 0, top_ = 0, bottom_ = 0;
  figure::Picture picture_;
};

}  // namespace

Extent extentOf(SceneView& view, const lesson::Flow& flow, float room) {
  const auto columns = static_cast<float>(std::max<std::size_t>(1, flow.positions.size()));
  const auto rows = static_cast<float>(std::max<std::size_t>(2, flow.layers.size()) - 1);
  float widest = view.size(kColumn);
  for (const std::string& each : flow.positions)
    widest = std::max(widest, std::min(view.memory.measure(Typeface::kBody, view.size(kFlowText), each) + 10, view.size(150)));
  const float w = std::min(room, layerRoom(view, flow) + widest * columns);
  const float row = rows > 4 ? view.size(kRow) * 0.75f : view.size(kRow);
  return {w, row * rows + view.size(kFlowText) * 1.7f + view.size(36)};
}

void drawFigure(SceneView& view, const lesson::Flow& flow, std::size_t, const Rect& area) {
  if (flow.layers.empty() || flow.positions.empty()) return;
  if (!view.onScreen(area) && !view.frame.recorder.keep_texts) return;
  FlowPainter(view, flow, area).paint();
}

}  // namespace attn::ui
