// The shapes of the signs. Knows no control.
#include "ui/icons.h"

#include <cmath>

#include "ui/theme.h"

namespace attn::ui {
namespace {

// Draws in a square from −1 to 1.
struct Pen {
  ImDrawList& list;
  ImVec2 center;
  float half;
  ImU32 color;

  ImVec2 at(float x, float y) const { return {center.x + x * half, center.y + y * half}; }
  void triangle(float x0, float x1, float tall) const {
    list.AddTriangleFilled(at(x0, -tall), at(x1, 0), at(x0, tall), color);
  }
  void bar(float x, float width, float tall) const { list.AddRectFilled(at(x, -tall), at(x + width, tall), color, 1); }
  void stroke(float x0, float y0, float x1, float y1, float width = 0.2f) const {
    list.AddLine(at(x0, y0), at(x1, y1), color, std::max(1.5f, width * half));
  }
  void dot(float x, float y) const { list.AddCircleFilled(at(x, y), std::max(1.2f, 0.16f * half), color); }
  float width() const { return std::max(1.5f, 0.2f * half); }
};

// An arrow that comes back: to the left with direction 1.
void turned(const Pen& pen, float direction) {
  constexpr float kPi = 3.14159265f;
  const auto point = [&](float x, float y) { return pen.at(direction * x, y); };
  pen.list.PathLineTo(point(-0.75f, -0.3f));
  for (int i = 0; i <= 12; ++i) {
    const float angle = (-0.5f + static_cast<float>(i) / 12) * kPi;
    pen.list.PathLineTo(point(0.3f + std::cos(angle) * 0.5f, 0.2f + std::sin(angle) * 0.5f));
  }
  pen.list.PathLineTo(point(-0.35f, 0.7f));
  pen.list.PathStroke(pen.color, 0, pen.width());
  pen.list.PathLineTo(point(-0.3f, -0.8f));
  pen.list.PathLineTo(point(-0.8f, -0.3f));
  pen.list.PathLineTo(point(-0.3f, 0.2f));
  pen.list.PathStroke(pen.color, 0, pen.width());
}

}  // namespace

void drawIcon(ImDrawList& list, Icon icon, ImVec2 center, float size, figure::Color color, float alpha) {
  const Pen pen{list, center, size / 2, packed(color, alpha)};
  switch (icon) {
    case Icon::kNone: break;
    case Icon::kFirst:
      pen.bar(-0.9f, 0.22f, 0.75f), pen.triangle(0.1f, -0.6f, 0.75f), pen.triangle(0.85f, 0.15f, 0.75f);
      break;
    case Icon::kPreviousStage: pen.triangle(0, -0.75f, 0.7f), pen.triangle(0.8f, 0.05f, 0.7f); break;
    case Icon::kPreviousStep: pen.bar(-0.6f, 0.22f, 0.75f), pen.triangle(0.6f, -0.3f, 0.75f); break;
    case Icon::kPlay: pen.triangle(-0.5f, 0.8f, 0.85f); break;
    case Icon::kPause: pen.bar(-0.6f, 0.4f, 0.75f), pen.bar(0.2f, 0.4f, 0.75f); break;
    case Icon::kNextStep: pen.bar(0.38f, 0.22f, 0.75f), pen.triangle(-0.6f, 0.3f, 0.75f); break;
    case Icon::kNextStage: pen.triangle(0, 0.75f, 0.7f), pen.triangle(-0.8f, -0.05f, 0.7f); break;
    case Icon::kLast:
      pen.bar(0.68f, 0.22f, 0.75f), pen.triangle(-0.1f, 0.6f, 0.75f), pen.triangle(-0.85f, -0.15f, 0.75f);
      break;
    case Icon::kMenu:
      pen.stroke(-0.8f, -0.6f, 0.8f, -0.6f), pen.stroke(-0.8f, 0, 0.8f, 0), pen.stroke(-0.8f, 0.6f, 0.8f, 0.6f);
      break;
    case Icon::kClose: pen.stroke(-0.65f, -0.65f, 0.65f, 0.65f), pen.stroke(-0.65f, 0.65f, 0.65f, -0.65f); break;
    case Icon::kUndo: turned(pen, 1); break;
    case Icon::kRedo: turned(pen, -1); break;
    case Icon::kUp: pen.stroke(-0.6f, 0.3f, 0, -0.35f), pen.stroke(0, -0.35f, 0.6f, 0.3f); break;
    case Icon::kDown: pen.stroke(-0.6f, -0.3f, 0, 0.35f), pen.stroke(0, 0.35f, 0.6f, -0.3f); break;
    case Icon::kCheck: pen.stroke(-0.6f, 0, -0.15f, 0.45f), pen.stroke(-0.15f, 0.45f, 0.65f, -0.5f); break;
    case Icon::kPlus: pen.stroke(-0.6f, 0, 0.6f, 0), pen.stroke(0, -0.6f, 0, 0.6f); break;
    case Icon::kMinus: pen.stroke(-0.6f, 0, 0.6f, 0); break;
    case Icon::kDice:
      pen.stroke(-0.8f, -0.8f, 0.8f, -0.8f), pen.stroke(0.8f, -0.8f, 0.8f, 0.8f);
      pen.stroke(0.8f, 0.8f, -0.8f, 0.8f), pen.stroke(-0.8f, 0.8f, -0.8f, -0.8f);
      pen.dot(-0.4f, -0.4f), pen.dot(0, 0), pen.dot(0.4f, 0.4f);
      break;
  }
}

}  // namespace attn::ui
