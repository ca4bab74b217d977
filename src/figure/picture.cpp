// Geometry and small compositions of shapes.
#include "figure/picture.h"

#include <algorithm>
#include <cmath>

namespace attn::figure {

Box united(const Box& a, const Box& b) {
  if (a.w <= 0 && a.h <= 0) {
    return b;
  }
  if (b.w <= 0 && b.h <= 0) {
    return a;
  }
  const float x = std::min(a.x, b.x);
  const float y = std::min(a.y, b.y);
  return {x, y, std::max(a.right(), b.right()) - x, std::max(a.bottom(), b.bottom()) - y};
}

Box intersected(const Box& a, const Box& b) {
  const float x = std::max(a.x, b.x);
  const float y = std::max(a.y, b.y);
  return {x, y, std::max(0.0f, std::min(a.right(), b.right()) - x), std::max(0.0f, std::min(a.bottom(), b.bottom()) - y)};
}

bool overlap(const Box& a, const Box& b) {
  const Box common = intersected(a, b);
  return common.w > 0 && common.h > 0;
}

Box grown(const Box& box, float by) { return {box.x - by, box.y - by, box.w + 2 * by, box.h + 2 * by}; }

Point towards(Point from, Point to, float by) {
  const float length = std::max(1e-3f, std::hypot(to.x - from.x, to.y - from.y));
  const float t = std::min(0.5f, by / length);
  return {from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t};
}

namespace {

void addHead(Picture& picture, Point tip, Point from, Color color, float width) {
  const float dx = tip.x - from.x;
  const float dy = tip.y - from.y;
  const float length = std::max(1e-3f, std::hypot(dx, dy));
  const float reach = 4 + 2 * width;
  const Point along = {dx / length * reach, dy / length * reach};
  const Point across = {-along.y * 0.5f, along.x * 0.5f};
  picture.add(Triangle{tip, {tip.x - along.x + across.x, tip.y - along.y + across.y},
                       {tip.x - along.x - across.x, tip.y - along.y - across.y}, color});
}

}  // namespace

void addArrow(Picture& picture, Path path) {
  const Point tip = path.points.back();
  const Point from = path.points[path.points.size() - 2];
  const Color color = path.color;
  const float width = path.width;
  const float length = std::max(1e-3f, std::hypot(tip.x - from.x, tip.y - from.y));
  const float back = std::min(1.0f, (3 + width) / length);  // the line ends inside the head
  path.points.back() = {tip.x - (tip.x - from.x) * back, tip.y - (tip.y - from.y) * back};
  picture.add(std::move(path));
  addHead(picture, tip, from, color, width);
}

std::string elided(const Measure& measure, Typeface face, float size, std::string_view text, float room) {
  if (measure(face, size, text) <= room) {
    return std::string(text);
  }
  // Widths of characters add up, so what does not fit is not looked at.
  float taken = measure(face, size, "…");
  std::size_t end = 0;
  while (end < text.size()) {
    std::size_t next = end + 1;
    while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xC0) == 0x80) {
      ++next;
    }
    taken += measure(face, size, text.substr(end, next - end));
    if (taken > room) {
      break;
    }
    end = next;
  }
  return measure(face, size, "…") <= room ? std::string(text.substr(0, end)) + "…" : std::string{};
}

}  // namespace attn::figure
