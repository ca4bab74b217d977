// Tokens in a row, with what belongs to each below it. Where their order can be set they are dragged, or moved by keys.
#include <algorithm>
#include <cmath>

#include "core/number.h"
#include "ui/scene_controls.h"
#include "ui/scene_figure.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

using figure::Box;
using figure::Typeface;
using lesson::Strip;

constexpr float kStripText = 15, kStripNote = 12.5f;

struct Chip {
  Box box;          // of the token
  float note_y = 0;
};

struct StripLayout {
  std::vector<Chip> chips;
  Extent all;
};

float chipHeight(const SceneView& view) {
  return std::max(view.size(34), view.frame.view.environment.coarse_pointer ? 44.f : 0.f);
}

bool hasNotes(const Strip& strip) {
  return std::any_of(strip.items.begin(), strip.items.end(), [](const auto& each) { return !each.note.empty(); });
}

// In lines from the left; each as wide as its text and its note ask for.
StripLayout layOut(const SceneView& view, const Strip& strip, float room) {
  StripLayout out;
  const float h = chipHeight(view), gap = view.size(6), line = h + (hasNotes(strip) ? view.size(kStripNote) * 1.6f : 0);
  float x = 0, y = 0;
  for (const Strip::Item& each : strip.items) {
    const float text = view.memory.measure(Typeface::kBody, view.size(kStripText), each.text) + view.size(20);
    const float note = richWidth(view.memory.measure, Typeface::kBody, view.size(kStripNote), each.note) + view.size(4);
    const float w = std::min(room, std::max({text, note, view.size(36)}));
    if (x > 0 && x + w > room) x = 0, y += line + view.size(10);
    out.chips.push_back({{x, y, w, h}, y + h + view.size(3)});
    x += w + gap;
    out.all.w = std::max(out.all.w, x - gap);
  }
  out.all.h = strip.items.empty() ? 0 : y + line;
  return out;
}

class StripPainter {
 public:
  StripPainter(SceneView& view, const Strip& strip, std::size_t block, const Rect& area)
      : view_(view), strip_(strip), block_(block), area_(area), c_(view.colors()), layout_(layOut(view, strip, area.w + 0.5f)),
        param_(view.param(strip.order_key)) {
    for (Chip& each : layout_.chips) each.box.x += area.x, each.box.y += area.y, each.note_y += area.y;
  }

  void paint(bool draws) {
    if (param_) takeHold();
    if (!draws) return;
    for (std::size_t i = 0; i < layout_.chips.size(); ++i)
      if (static_cast<Index>(i) != held_) add(i, layout_.chips[i].box);
    if (held_ >= 0) addHeld();
    paintFigure(view_.frame, picture_, area_);
    hover();
  }

 private:
  std::string idOf(std::size_t i) const { return "page/strip/" + std::to_string(block_) + "/" + std::to_string(i); }

  void takeHold() {
    SceneMemory& memory = view_.memory;
    const ImVec2 mouse = ImGui::GetMousePos();
    for (std::size_t i = 0; i < layout_.chips.size(); ++i) {
      const Box& box = layout_.chips[i].box;
      const Grip grip = handle(view_.frame, idOf(i), tr("Move “{0}”", {strip_.items[i].text}), {box.x, box.y, box.w, box.h},
                               tr("place {0} of {1}", {i + 1, layout_.chips.size()}), strip_.title);
      if (grip.hovered) hovered_ = static_cast<Index>(i);
      if (grip.pressed) memory.grip_x = mouse.x - box.x, memory.grip_y = mouse.y - box.y;
      const bool dragging = ImGui::GetIO().MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] > 9;
      if (grip.held && dragging) {
        held_ = static_cast<Index>(i);
        memory.target = placeUnder(mouse);
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
      }
      if (grip.released && dragging && memory.target >= 0) move(static_cast<Index>(i), std::exchange(memory.target, -1));
      if (grip.nudge && grip.nudge->first != 0) {
        const Index to = static_cast<Index>(i) + grip.nudge->first;
        if (to >= 0 && to < static_cast<Index>(layout_.chips.size())) {
          move(static_cast<Index>(i), to);
          if (!view_.frame.view.environment.page_owns_focus) view_.frame.recorder.focused = idOf(static_cast<std::size_t>(to));
        }
      }
    }
  }

  Index placeUnder(ImVec2 mouse) const {
    Index best = -1;
    float least = 1e9f;
    for (std::size_t i = 0; i < layout_.chips.size(); ++i) {
      const figure::Point middle = layout_.chips[i].box.center();
      const float distance = std::hypot(middle.x - mouse.x, 2 * (middle.y - mouse.y));
      if (distance < least) least = distance, best = static_cast<Index>(i);
    }
    return best;
  }

  void move(Index from, Index to) {
    std::vector<Index> places = placesOf(view_.value(*param_), strip_.items.size());
    if (from == to || places.size() != strip_.items.size()) return;
    const Index moved = places[static_cast<std::size_t>(from)];
    places.erase(places.begin() + from);
    places.insert(places.begin() + to, moved);
    view_.set(*param_, orderText(places));
  }

  void add(std::size_t i, const Box& box) {
    const Strip::Item& item = strip_.items[i];
    const bool weighted = item.weight >= 0;
    const figure::ColorTable& table = figure::sequentialTable(view_.frame.session.state().palette);
    const figure::Color fill = weighted ? figure::colorOf({false, 0, 1}, table, item.weight) : c_.surface;
    picture_.add(figure::Fill{box, fill, kRounding});
    const bool hovered = static_cast<Index>(i) == hovered_ && held_ < 0;
    picture_.add(figure::Frame{box, item.marked ? c_.now : hovered ? c_.text : c_.line, item.marked ? 2.2f : 1, kRounding});
    if (param_) grip(box, weighted ? figure::readableOn(fill) : c_.muted);
    const float size = view_.size(kStripText), pad = view_.size(6);
    picture_.add(figure::Label{{box.center().x, box.center().y}, 0.5f, 0.5f, item.marked ? Typeface::kStrong : Typeface::kBody,
                               size, weighted ? figure::readableOn(fill) : c_.text,
                               figure::elided(view_.memory.measure, Typeface::kBody, size, item.text, box.w - pad)});
    if (item.note.empty()) return;
    const float note = view_.size(kStripNote);
    addRich(picture_, view_.memory.measure, Typeface::kBody, note, {box.center().x, box.bottom() + view_.size(4)}, 0.5f, 0,
            item.marked ? c_.text : c_.muted, figure::elided(view_.memory.measure, Typeface::kBody, note, item.note, box.w));
  }

  // Two short lines of dots along the top: it can be moved.
  void grip(const Box& box, figure::Color ink) {
    for (int k = -1; k <= 1; ++k)
      picture_.add(figure::Disc{{box.center().x + static_cast<float>(k) * 5, box.y + 4.5f}, 1.2f, figure::faded(ink, 0.7)});
  }

  // The held item at the pointer, and a bar where it would go.
  void addHeld() {
    const auto i = static_cast<std::size_t>(held_);
    Box box = layout_.chips[i].box;
    picture_.add(figure::Frame{box, c_.line, 1, kRounding});
    if (view_.memory.target >= 0 && view_.memory.target != held_) {
      const Box& to = layout_.chips[static_cast<std::size_t>(view_.memory.target)].box;
      const float x = view_.memory.target > held_ ? to.right() + 1 : to.x - 4;
      picture_.add(figure::Fill{{x, to.y - 3, 3, to.h + 6}, c_.now, 1.5f});
    }
    const ImVec2 mouse = ImGui::GetMousePos();
    box.x = mouse.x - view_.memory.grip_x;
    box.y = mouse.y - view_.memory.grip_y;
    add(i, box);
  }

  void hover() {
    if (held_ >= 0) return;
    for (std::size_t i = 0; i < layout_.chips.size(); ++i) {
      const Box& box = layout_.chips[i].box;
      if (!view_.hovers({box.x, box.y, box.w, box.h})) continue;
      const Strip::Item& item = strip_.items[i];
      std::string text = tr("“{0}”", {item.text});
      if (item.weight >= 0) text += ": " + core::fullText(item.weight);
      if (!item.note.empty()) text += "\n" + item.note;
      if (param_) text += "\n" + tr("Drag it to another place.");
      tooltip(view_.frame, text);
    }
  }

  SceneView& view_;
  const Strip& strip_;
  std::size_t block_;
  Rect area_;
  const Colors& c_;
  StripLayout layout_;
  const lesson::Param* param_;
  Index held_ = -1, hovered_ = -1;
  figure::Picture picture_;
};

}  // namespace

Extent extentOf(SceneView& view, const Strip& strip, float room) {
  return layOut(view, strip, room).all;
}

void drawFigure(SceneView& view, const Strip& strip, std::size_t block, const Rect& area) {
  StripPainter(view, strip, block, area).paint(view.onScreen(area) || view.frame.recorder.keep_texts);
}

}  // namespace attn::ui
