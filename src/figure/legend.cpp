// Names, ends and the ramp between them.
#include "figure/legend.h"

#include <algorithm>

#include "core/language.h"
#include "core/number.h"

namespace attn::figure {
namespace {

std::string numberText(double value) {
  return core::fixedIsExact(value, 0) ? core::fixedText(value, 0) : core::fixedText(value, 2);
}

}  // namespace

void LegendLine::add(const Legend& legend) {
  const std::string low = numberText(legend.scale.low);
  const std::string highest = numberText(legend.scale.high);
  const std::string high = legend.clipped ? tr("{0} and above", {highest}) : highest;
  const float numbers = width(Typeface::kNumber, low) + width(Typeface::kNumber, high) + 3 * 6;
  const float name = legend.name.empty() ? 0 : width(Typeface::kBody, legend.name) + 6;
  const float usual = size(legend.bar > 0 ? legend.bar : box_.w < size(520) ? 40 : 60);
  const float least = size(16);
  const bool together = name + numbers + least <= box_.w;  // else the name has a line of its own
  const float bar = std::clamp(box_.w - numbers - (together ? name : 0), least, usual);
  begin(together ? name + numbers + bar : name);
  if (!legend.name.empty()) text(Typeface::kBody, inks_.muted, legend.name);
  if (!together) begin(box_.w);
  text(Typeface::kNumber, inks_.text, low);
  ramp(legend, bar);
  text(Typeface::kNumber, inks_.text, high);
  x_ += size(14);
}

void LegendLine::mark(CellLook look, std::string_view words) {
  const Box box = swatch(words);
  if (look == CellLook::kBlocked) {
    picture_.add(Fill{box, faded(inks_.hatch, 0.14), 2});
    picture_.add(Hatch{box, faded(inks_.hatch, 0.85), 4});
  } else {
    picture_.add(Disc{box.center(), 2, inks_.unknown});
  }
  named(box, words);
}

void LegendLine::changed(std::string_view words) {
  const Box box = swatch(words);
  const float reach = box.w * 0.55f;
  picture_.add(Triangle{{box.right(), box.y}, {box.right() - reach, box.y}, {box.right(), box.y + reach}, inks_.text});
  named(box, words);
}

Box LegendLine::swatch(std::string_view words) {
  const float side = size(14);
  begin(width(Typeface::kBody, words) + side + 2 * 6);
  return {x_, middle() - side / 2, side, side};
}

void LegendLine::named(const Box& swatch, std::string_view words) {
  picture_.add(Frame{swatch, inks_.line, 1, 2});
  x_ += swatch.w + 6;
  text(Typeface::kBody, inks_.muted, words);
  x_ += size(14);
}

void LegendLine::begin(float needed) {
  if (x_ + needed > box_.right() && x_ > box_.x) {
    x_ = box_.x;
    y_ += line_;
  }
}

void LegendLine::text(Typeface face, Color color, std::string_view words) {
  picture_.add(Label{{x_, middle()}, 0, 0.5f, face, size(13), color, std::string(words)});
  x_ += width(face, words) + 6;
}

void LegendLine::ramp(const Legend& legend, float length) {
  const float tall = size(10);
  const Box all = {x_, middle() - tall / 2, length, tall};
  addRamp(picture_, all, *legend.table, inks_);
  if (legend.scale.diverging) {
    const float zero = x_ + length / 2;
    picture_.add(Stroke{{zero, all.bottom()}, {zero, all.bottom() + 3}, inks_.muted, 1});
    picture_.add(Label{{zero, all.center().y}, 0.5f, 0.5f, Typeface::kNumber, size(11), inks_.text, "0"});
  }
  x_ += length + 6;
}

void addRamp(Picture& picture, const Box& box, const ColorTable& table, const Inks& inks) {
  constexpr int kSteps = 36;
  for (int i = 0; i < kSteps; ++i) {
    const float from = box.w * static_cast<float>(i) / kSteps;
    picture.add(Fill{{box.x + from, box.y, box.w / kSteps + 0.5f, box.h}, table[static_cast<std::size_t>(i * 255 / (kSteps - 1))], 0});
  }
  picture.add(Frame{box, inks.line, 1, 0});
}

}  // namespace attn::figure
