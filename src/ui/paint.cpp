// One overload per shape.
#include "ui/paint.h"

#include <cstdint>
#include <string>
#include <unordered_map>

namespace attn::ui {
namespace {

using namespace figure;

void drawHeatmapNow(const ImDrawList*, const ImDrawCmd* command) {
  const auto which = static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(command->UserCallbackData));
  const auto* view = static_cast<const ViewState*>(ImGui::GetIO().UserData);
  if (view && view->draw_heatmap && which < view->heatmaps.size()) {
    view->draw_heatmap(view->heatmaps[which]);
  }
}

ImVec2 at(Point p) { return {p.x, p.y}; }
ImVec2 low(const Box& b) { return {b.x, b.y}; }
ImVec2 high(const Box& b) { return {b.right(), b.bottom()}; }

class Painter {
 public:
  Painter(ImDrawList& list, ViewState& view) : list_(list), view_(view) {}

  void operator()(const Fill& s) { list_.AddRectFilled(low(s.box), high(s.box), packed(s.color), s.rounding); }
  void operator()(const figure::Frame& s) {
    list_.AddRect(low(s.box), high(s.box), packed(s.color), s.rounding, ImDrawFlags_None, s.width);
  }
  void operator()(const Stroke& s) { list_.AddLine(at(s.a), at(s.b), packed(s.color), s.width); }
  void operator()(const Path& s) {
    if (s.points.size() < 2) {
      return;
    }
    if (s.radius <= 0) return strokeSegments(s);
    list_.PathLineTo(at(s.points.front()));
    for (std::size_t i = 1; i + 1 < s.points.size(); ++i) {
      const Point corner = s.points[i];
      list_.PathLineTo(at(towards(corner, s.points[i - 1], s.radius)));
      list_.PathBezierQuadraticCurveTo(at(corner), at(towards(corner, s.points[i + 1], s.radius)));
    }
    list_.PathLineTo(at(s.points.back()));
    list_.PathStroke(packed(s.color), ImDrawFlags_None, s.width);
  }
  // One by one: ImGui thins a line where it turns back on itself.
  void strokeSegments(const Path& s) {
    for (std::size_t i = 1; i < s.points.size(); ++i) {
      list_.PathLineTo(at(s.points[i - 1]));
      list_.PathLineTo(at(s.points[i]));
      list_.PathStroke(packed(s.color), ImDrawFlags_None, s.width);
    }
  }
  void operator()(const Triangle& s) { list_.AddTriangleFilled(at(s.a), at(s.b), at(s.c), packed(s.color)); }
  void operator()(const Disc& s) { list_.AddCircleFilled(at(s.center), s.radius, packed(s.color)); }

  // Clipped by arithmetic: a clip rectangle per cell would cost a draw call each.
  void operator()(const Hatch& s) {
    const ImU32 color = packed(s.color);
    hatchLines(s, [&](Point a, Point b) { list_.AddLine(at(a), at(b), color, kHatchWidth); });
  }

  void operator()(const Label& s) {
    const Face face = static_cast<Face>(s.face);
    ImVec2 corner = at(s.at);
    if (s.anchor_x != 0 || s.anchor_y != 0) {
      const ImVec2 size = measure(face, s.size, s.text);
      corner.x -= size.x * s.anchor_x;
      corner.y -= size.y * s.anchor_y;
    }
    drawText(list_, face, s.size, corner, s.color, s.text);
  }

  void operator()(const ClipTo& s) { list_.PushClipRect(low(s.box), high(s.box), true); }
  void operator()(const ClipEnd&) { list_.PopClipRect(); }

  void operator()(const HeatmapRequest& s) {
    // The window's own clipping does not reach what a callback draws.
    const ImVec2 first = list_.GetClipRectMin(), last = list_.GetClipRectMax();
    const figure::Box clip = figure::intersected({s.clip_x, s.clip_y, s.clip_width, s.clip_height},
                                                 {first.x, first.y, last.x - first.x, last.y - first.y});
    if (clip.w <= 0 || clip.h <= 0) {
      return;
    }
    HeatmapRequest clipped = s;
    clipped.clip_x = clip.x, clipped.clip_y = clip.y, clipped.clip_width = clip.w, clipped.clip_height = clip.h;
    view_.heatmaps.push_back(std::move(clipped));
    list_.AddCallback(drawHeatmapNow, reinterpret_cast<void*>(static_cast<std::uintptr_t>(view_.heatmaps.size() - 1)));
    list_.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
  }

 private:
  ImDrawList& list_;
  ViewState& view_;
};

}  // namespace

void paint(const Picture& picture, ImDrawList& list, ViewState& view) {
  ImGui::GetIO().UserData = &view;
  Painter painter(list, view);
  for (const Shape& shape : picture.shapes) {
    std::visit(painter, shape);
  }
}

Measure cachedMeasure() {
  struct Cache {
    std::unordered_map<std::string, float> widths;
    std::string key;
  };
  constexpr std::size_t kMost = 4096;
  return [cache = Cache{}](Typeface face, float size, std::string_view text) mutable {
    // Widths grow with size all but exactly; one measurement at a large size serves every size.
    constexpr float kReference = 32;
    cache.key.assign(1, static_cast<char>('0' + static_cast<int>(face)));
    cache.key.append(text);
    auto found = cache.widths.find(cache.key);
    if (found == cache.widths.end()) {
      if (cache.widths.size() >= kMost) {
        cache.widths.clear();
      }
      found = cache.widths.emplace(cache.key, measure(static_cast<Face>(face), kReference, text).x).first;
    }
    return found->second * size / kReference;
  };
}

}  // namespace attn::ui
