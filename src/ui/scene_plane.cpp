// Arrows, points and lines on a plane with equal axes. What has params is dragged, or moved by arrow keys.
#include <algorithm>
#include <cmath>

#include "core/number.h"
#include "figure/axis.h"
#include "ui/scene_figure.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

using figure::Box;
using figure::Point;
using figure::Typeface;
using lesson::Plane;

constexpr float kPlaneText = 14, kTicks = 12, kNaturalSide = 360;

figure::Color inkOf(const Colors& c, Plane::Role role) {
  switch (role) {
    case Plane::Role::kQuery: return c.row;
    case Plane::Role::kKey: return c.parameter;
    case Plane::Role::kValue: return c.muted;
    case Plane::Role::kResult: return c.now;
    case Plane::Role::kPlain: return c.text;
  }
  return c.text;
}

std::string withRole(const std::string& label, Plane::Role role) {
  switch (role) {
    case Plane::Role::kQuery: return tr("{0}, a query", {label});
    case Plane::Role::kKey: return tr("{0}, a key", {label});
    case Plane::Role::kValue: return tr("{0}, a value", {label});
    case Plane::Role::kResult: return tr("{0}, a result", {label});
    case Plane::Role::kPlain: break;
  }
  return label;
}

bool crosses(const Box& box, Point a, Point b) {
  // Sampled: lines here are short and boxes not thin.
  constexpr int kSteps = 24;
  for (int i = 0; i <= kSteps; ++i) {
    const float t = static_cast<float>(i) / kSteps;
    if (box.contains({a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t})) return true;
  }
  return false;
}

class PlanePainter {
 public:
  PlanePainter(SceneView& view, const Plane& plane, std::size_t block, const Rect& area)
      : view_(view), plane_(plane), block_(block), area_(area), c_(view.colors()),
        reach_(plane.reach > 0 ? plane.reach : 1), box_{area.x, area.y, area.w, area.h} {}

  void paint(bool draws) {
    for (std::size_t i = 0; i < plane_.arrows.size(); ++i) place(plane_.arrows[i], i, "/arrow/");
    for (std::size_t i = 0; i < plane_.points.size(); ++i) place(plane_.points[i], i, "/point/");
    if (!draws) return;
    picture_.add(figure::Fill{box_, c_.surface, kRounding});
    picture_.add(figure::Frame{box_, c_.line, 1, kRounding});
    picture_.add(figure::ClipTo{box_});
    addGrid();
    for (const Plane::Line& each : plane_.lines) addLine(each);
    for (const Spot& each : spots_) addSpot(each);
    addLabels();
    picture_.add(figure::ClipEnd{});
    const std::string hovered = hover();
    paintFigure(view_.frame, picture_, area_);
    if (!hovered.empty()) tooltip(view_.frame, hovered);
  }

 private:
  // An arrow or a point where it is now.
  struct Spot {
    std::string label;
    double x = 0, y = 0;
    Plane::Role role = Plane::Role::kPlain;
    bool arrow = false, moves = false, active = false;
    Point at;
  };

  Point at(double x, double y) const {
    const double side = box_.w / (2 * reach_);
    return {box_.center().x + static_cast<float>(x * side), box_.center().y - static_cast<float>(y * side)};
  }

  template <class Thing>
  void place(const Thing& thing, std::size_t index, const char* kind) {
    Spot spot;
    spot.label = thing.label;
    spot.x = view_.number(thing.x_key, thing.x);
    spot.y = view_.number(thing.y_key, thing.y);
    spot.role = thing.role;
    spot.arrow = std::is_same_v<Thing, Plane::Arrow>;
    spot.at = at(spot.x, spot.y);
    const lesson::Param* x = view_.param(thing.x_key);
    const lesson::Param* y = view_.param(thing.y_key);
    spot.moves = x || y;
    if (spot.moves) move(spot, "page/plane/" + std::to_string(block_) + kind + std::to_string(index), x, y);
    spots_.push_back(spot);
  }

  void move(Spot& spot, const std::string& id, const lesson::Param* x, const lesson::Param* y) {
    const float side = std::max(view_.size(26), view_.frame.view.environment.coarse_pointer ? 44.f : 0.f);
    const Point inside{std::clamp(spot.at.x, box_.x + 4, box_.right() - 4), std::clamp(spot.at.y, box_.y + 4, box_.bottom() - 4)};
    const std::string where = core::fixedText(spot.x, 2) + ", " + core::fixedText(spot.y, 2);
    const Grip grip = handle(view_.frame, id, tr("Move {0}", {spot.label}), {inside.x - side / 2, inside.y - side / 2, side, side},
                             where, plane_.title);
    spot.active = grip.hovered || grip.held || grip.focused;
    if (grip.hovered || grip.held) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
    SceneMemory& memory = view_.memory;
    const ImVec2 mouse = ImGui::GetMousePos();
    if (grip.pressed) memory.grip_x = mouse.x - inside.x, memory.grip_y = mouse.y - inside.y;
    double to_x = spot.x, to_y = spot.y;
    if (grip.held && !grip.pressed && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 2)) {
      const double scale = 2 * reach_ / box_.w;
      to_x = (mouse.x - memory.grip_x - box_.center().x) * scale;
      to_y = (box_.center().y - mouse.y + memory.grip_y) * scale;
    } else if (grip.nudge) {
      to_x += grip.nudge->first * stepOf(x);
      to_y += grip.nudge->second * stepOf(y);
    } else {
      return;
    }
    lesson::Settings changed;
    put(changed, x, to_x, spot.x);
    put(changed, y, to_y, spot.y);
    if (!changed.empty()) view_.frame.dispatch(app::action::SetAll{changed});
  }

  double stepOf(const lesson::Param* param) const { return param && param->step > 0 ? param->step : reach_ / 20; }

  void put(lesson::Settings& changed, const lesson::Param* param, double to, double from) const {
    if (!param) return;
    lesson::Param rounded = *param;
    if (rounded.step <= 0) rounded.step = reach_ / 200;
    if (to != from) changed.emplace_back(param->key, settingText(rounded, to));
  }

  void addGrid() {
    const figure::PlotAxis axis{-reach_, reach_, false};
    const int most = std::max(3, static_cast<int>(box_.w / view_.size(54)));
    const float size = view_.size(kTicks);
    const Point zero = at(0, 0);
    for (const figure::Tick& each : figure::ticksOf(axis, most)) {
      if (std::abs(each.value) < 1e-12 * reach_) continue;
      const Point p = at(each.value, each.value);
      picture_.add(figure::Stroke{{p.x, box_.y}, {p.x, box_.bottom()}, figure::faded(c_.line, 0.45), 1});
      picture_.add(figure::Stroke{{box_.x, p.y}, {box_.right(), p.y}, figure::faded(c_.line, 0.45), 1});
      const float half = view_.memory.measure(Typeface::kNumber, size, each.text) / 2;
      if (p.x - half > box_.x + 2 && p.x + half < box_.right() - 2)
        tick({p.x, zero.y + 3}, 0.5f, 0, each.text);
      if (p.y - size > box_.y && p.y + size < box_.bottom()) tick({zero.x - 5, p.y}, 1, 0.5f, each.text);
    }
    segments_.push_back({{box_.x, zero.y}, {box_.right(), zero.y}});
    segments_.push_back({{zero.x, box_.y}, {zero.x, box_.bottom()}});
    picture_.add(figure::Stroke{{box_.x, zero.y}, {box_.right(), zero.y}, figure::faded(c_.muted, 0.8), 1});
    picture_.add(figure::Stroke{{zero.x, box_.y}, {zero.x, box_.bottom()}, figure::faded(c_.muted, 0.8), 1});
  }

  void tick(Point where, float ax, float ay, const std::string& text) {
    const float size = view_.size(kTicks);
    const float wide = view_.memory.measure(Typeface::kNumber, size, text);
    taken_.push_back(figure::grown({where.x - wide * ax, where.y - size * ay, wide, size}, view_.size(3)));
    picture_.add(figure::Label{where, ax, ay, Typeface::kNumber, size, figure::faded(c_.muted, 0.9), text});
  }

  void addLine(const Plane::Line& line) {
    const Point a = at(line.x0, line.y0), b = at(line.x1, line.y1);
    segments_.push_back({a, b});
    const float length = std::hypot(b.x - a.x, b.y - a.y);
    const figure::Color ink = figure::faded(c_.text, line.dashed ? 0.7 : 0.5);
    if (!line.dashed) return picture_.add(figure::Stroke{a, b, ink, 1.6f});
    for (float from = 0; from < length; from += 8) {
      const float t = from / length, u = std::min(1.f, (from + 4.5f) / length);
      picture_.add(figure::Stroke{{a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t}, {a.x + (b.x - a.x) * u, a.y + (b.y - a.y) * u}, ink, 1.4f});
    }
  }

  void addSpot(const Spot& spot) {
    const figure::Color ink = inkOf(c_, spot.role);
    const Point zero = at(0, 0);
    if (spot.moves) {  // what can be taken hold of has a halo
      picture_.add(figure::Disc{spot.at, view_.size(spot.active ? 13 : 11), figure::faded(ink, spot.active ? 0.32 : 0.18)});
    }
    if (!spot.arrow) {
      picture_.add(figure::Disc{spot.at, view_.size(spot.role == Plane::Role::kResult ? 6.5f : 5), ink});
      return;
    }
    segments_.push_back({zero, spot.at});
    if (std::hypot(spot.at.x - zero.x, spot.at.y - zero.y) < 4) picture_.add(figure::Disc{spot.at, 3, ink});
    else figure::addArrow(picture_, figure::Path{{zero, spot.at}, 0, ink, 2.6f});
  }

  bool isFree(const Box& box) const {
    const Box room = figure::grown(box_, -2);
    if (box.x < room.x || box.y < room.y || box.right() > room.right() || box.bottom() > room.bottom()) return false;
    for (const Box& each : taken_)
      if (figure::overlap(each, box)) return false;
    for (const Spot& each : spots_)
      if (figure::grown(box, view_.size(each.moves ? 10 : 6)).contains(each.at)) return false;
    return true;
  }
  int crossings(const Box& box) const {
    return static_cast<int>(std::count_if(segments_.begin(), segments_.end(), [&](const auto& s) { return crosses(box, s.first, s.second); }));
  }

  // Beside its place, away from the origin first; the nearest place that is free and that no line crosses.
  void label(Point p, Point away, const std::string& text, figure::Color ink, float clear) {
    if (text.empty()) return;
    const float size = view_.size(kPlaneText), wide = richWidth(view_.memory.measure, Typeface::kStrong, size, text);
    const float tall = size * 1.15f, start = std::atan2(away.y, away.x);
    Box best{p.x + clear, p.y - tall / 2, wide, tall};
    float least = 1e9f;
    for (int ring = 0; ring < 4; ++ring) {
      const float out = clear + static_cast<float>(ring) * size * 0.8f;
      for (int turn = 0; turn < 16; ++turn) {
        const float angle = start + (turn % 2 ? 1.f : -1.f) * static_cast<float>((turn + 1) / 2) * 0.393f;
        const float dx = std::cos(angle), dy = std::sin(angle);
        const Point middle{p.x + dx * (out + wide / 2), p.y + dy * (out + tall / 2)};
        const Box box{middle.x - wide / 2, middle.y - tall / 2, wide, tall};
        if (!isFree(box)) continue;
        const float cost = static_cast<float>(ring) * 3 + static_cast<float>(turn) * 0.35f + static_cast<float>(crossings(box)) * 4;
        if (cost < least) least = cost, best = box;
      }
    }
    if (least > 1e8f) {  // crowded: anywhere inside
      best.x = std::clamp(best.x, box_.x + 3, std::max(box_.x + 3, box_.right() - wide - 3));
      best.y = std::clamp(best.y, box_.y + 3, std::max(box_.y + 3, box_.bottom() - tall - 3));
      if (std::any_of(taken_.begin(), taken_.end(), [&](const Box& b) { return figure::overlap(b, best); })) return;
    }
    taken_.push_back(best);
    addRich(picture_, view_.memory.measure, Typeface::kStrong, size, {best.x, best.y + tall / 2}, 0, 0.5f, ink, text);
  }

  void addLabels() {
    const Point zero = at(0, 0);
    for (const Spot& each : spots_) {
      const bool center = std::hypot(each.at.x - zero.x, each.at.y - zero.y) < 3;
      const Point away = center ? Point{1, -1} : Point{each.at.x - zero.x, each.at.y - zero.y};
      label(each.at, away, each.label, inkOf(c_, each.role), view_.size(each.moves ? 13 : 8));
    }
    for (const Plane::Line& each : plane_.lines) {
      const Point a = at(each.x0, each.y0), b = at(each.x1, each.y1);
      label({(a.x + b.x) / 2, (a.y + b.y) / 2}, {-(b.y - a.y), b.x - a.x}, each.label, c_.muted, view_.size(5));
    }
  }

  std::string hover() {
    if (!view_.hovers(area_)) return "";
    const ImVec2 mouse = ImGui::GetMousePos();
    const Spot* nearest = nullptr;
    float least = view_.size(16);
    for (const Spot& each : spots_) {
      const float distance = std::hypot(each.at.x - mouse.x, each.at.y - mouse.y);
      if (distance < least) least = distance, nearest = &each;
    }
    if (!nearest) return "";
    return withRole(nearest->label, nearest->role) + "\n(" + core::fullText(nearest->x) + ", " + core::fullText(nearest->y) + ")" +
           (nearest->moves ? "\n" + tr("Drag it.") : "");
  }

  SceneView& view_;
  const Plane& plane_;
  std::size_t block_;
  Rect area_;
  const Colors& c_;
  double reach_;
  Box box_;
  std::vector<Spot> spots_;
  std::vector<std::pair<Point, Point>> segments_;
  std::vector<Box> taken_;
  figure::Picture picture_;
};

}  // namespace

Extent extentOf(SceneView& view, const Plane&, float room) {
  const float side = std::min(room, view.size(kNaturalSide));
  return {side, side};
}

void drawFigure(SceneView& view, const Plane& plane, std::size_t block, const Rect& area) {
  PlanePainter(view, plane, block, area).paint(view.onScreen(area) || view.frame.recorder.keep_texts);
}

}  // namespace attn::ui
