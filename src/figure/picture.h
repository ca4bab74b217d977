// A picture as a list of plain shapes in CSS pixels, painted in order. Whoever paints it (a draw list, SVG) needs to
// know nothing of matrices; it knows nothing of whoever paints it.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "figure/color.h"
#include "figure/heatmap.h"

namespace attn::figure {

struct Point {
  float x = 0, y = 0;
};

struct Box {
  float x = 0, y = 0, w = 0, h = 0;
  float right() const { return x + w; }
  float bottom() const { return y + h; }
  Point center() const { return {x + w / 2, y + h / 2}; }
  bool contains(Point p) const { return p.x >= x && p.x < right() && p.y >= y && p.y < bottom(); }
};
Box united(const Box& a, const Box& b);         // an empty box (no width and no height) adds nothing
Box intersected(const Box& a, const Box& b);    // no width or height when they do not meet
bool overlap(const Box& a, const Box& b);       // share an area
Box grown(const Box& box, float by);            // on all four sides

enum class Typeface : std::uint8_t { kBody, kStrong, kNumber };
// Width of a text in CSS pixels: the only thing that figures ask of fonts.
using Measure = std::function<float(Typeface, float size, std::string_view)>;

struct Fill { Box box; Color color; float rounding = 0; };
struct Frame { Box box; Color color; float width = 1; float rounding = 0; };
struct Stroke { Point a, b; Color color; float width = 1; };
struct Path { std::vector<Point> points; float radius = 0; Color color; float width = 1; };  // corners rounded by radius
struct Triangle { Point a, b, c; Color color; };
struct Disc { Point center; float radius = 1; Color color; };
struct Hatch { Box box; Color color; float spacing = 6; };         // diagonals, rising to the right
// `at` is the point of the text box at (anchor_x, anchor_y): 0 left/top, 1 right/bottom.
struct Label {
  Point at;
  float anchor_x = 0, anchor_y = 0;
  Typeface face = Typeface::kBody;
  float size = 13;
  Color color;
  std::string text;
};
struct ClipTo { Box box; };  // until the matching ClipEnd; clips nest
struct ClipEnd {};

using Shape = std::variant<Fill, Frame, Stroke, Path, Triangle, Disc, Hatch, Label, ClipTo, ClipEnd, HeatmapRequest>;

struct Picture {
  std::vector<Shape> shapes;
  template <class S>
  void add(S shape) { shapes.emplace_back(std::move(shape)); }
};

// `by` pixels on the way, at most half of it: where the rounding of a corner begins.
Point towards(Point from, Point to, float by);

// The lines of a hatch, cut at its box; `line(a, b)` is called with each.
inline constexpr float kHatchWidth = 1.2f;
template <class Line>
void hatchLines(const Hatch& hatch, Line line) {
  const Box& box = hatch.box;
  const float first = std::ceil((box.x + box.y) / hatch.spacing) * hatch.spacing;
  for (float k = first; k < box.right() + box.bottom(); k += hatch.spacing) {
    const float x0 = std::max(box.x, k - box.bottom());
    const float x1 = std::min(box.right(), k - box.y);
    if (x1 - x0 > 0.5f) {
      line(Point{x0, k - x0}, Point{x1, k - x1});
    }
  }
}

// A path with a head at its end.
void addArrow(Picture& picture, Path path);

// The text, or its beginning and "…" within `room` pixels; cut between characters.
std::string elided(const Measure& measure, Typeface face, float size, std::string_view text, float room);

}  // namespace attn::figure
