// Names, ends and the ramp between them.
#include "ui/legend.h"

#include <algorithm>

#include "core/number.h"

namespace attn::ui {
namespace {

using figure::Box;

std::string numberText(double value) {
  return core::fixedIsExact(value, 0) ? core::fixedText(value, 0) : core::fixedText(value, 2);
}

float width(Face face, float size, std::string_view words) { return measure(face, size, words).x; }

}  // namespace

void LegendLine::add(const Legend& legend) {
  const float size = frame_.size(13);
  const std::string low = numberText(legend.scale.low);
  const std::string high = numberText(legend.scale.high) + (legend.clipped ? " and above" : "");
  const float numbers = width(Face::kNumber, size, low) + width(Face::kNumber, size, high) + 3 * 6;
  const float name = legend.name.empty() ? 0 : width(Face::kBody, size, legend.name) + 6;
  const float usual = frame_.size(legend.bar > 0 ? legend.bar : box_.w < frame_.size(520) ? 40 : 60);
  const float least = frame_.size(16);
  const bool together = name + numbers + least <= box_.w;  // else the name has a line of its own
  const float bar = std::clamp(box_.w - numbers - (together ? name : 0), least, usual);
  begin(together ? name + numbers + bar : name);
  if (!legend.name.empty()) text(Face::kBody, size, frame_.colors.muted, legend.name);
  if (!together) begin(box_.w);
  text(Face::kNumber, size, frame_.colors.text, low);
  ramp(legend, bar);
  text(Face::kNumber, size, frame_.colors.text, high);
  x_ += frame_.size(14);
}

void LegendLine::mark(figure::CellLook look, std::string_view words) {
  const float size = frame_.size(13), swatch = frame_.size(14);
  begin(width(Face::kBody, size, words) + swatch + 2 * 6);
  const Box box = {x_, middle() - swatch / 2, swatch, swatch};
  if (look == figure::CellLook::kBlocked) {
    picture_.add(figure::Fill{box, figure::faded(frame_.colors.hatch, 0.14), 2});
    picture_.add(figure::Hatch{box, figure::faded(frame_.colors.hatch, 0.85), 4});
  } else {
    picture_.add(figure::Disc{box.center(), 2, frame_.colors.unknown});
  }
  picture_.add(figure::Frame{box, frame_.colors.line, 1, 2});
  x_ += swatch + 6;
  text(Face::kBody, size, frame_.colors.muted, words);
  x_ += frame_.size(14);
}

void LegendLine::changed(std::string_view words) {
  const float size = frame_.size(13), swatch = frame_.size(14), reach = swatch * 0.55f;
  begin(width(Face::kBody, size, words) + swatch + 2 * 6);
  const Box box = {x_, middle() - swatch / 2, swatch, swatch};
  picture_.add(figure::Triangle{{box.right(), box.y}, {box.right() - reach, box.y}, {box.right(), box.y + reach},
                                frame_.colors.text});
  picture_.add(figure::Frame{box, frame_.colors.line, 1, 2});
  x_ += swatch + 6;
  text(Face::kBody, size, frame_.colors.muted, words);
  x_ += frame_.size(14);
}

void LegendLine::begin(float needed) {
  if (x_ + needed > box_.right() && x_ > box_.x) {
    x_ = box_.x;
    y_ += line_;
  }
}

void LegendLine::text(Face face, float size, figure::Color color, std::string_view words) {
  picture_.add(
      figure::Label{{x_, middle()}, 0, 0.5f, static_cast<figure::Typeface>(face), size, color, std::string(words)});
  x_ += width(face, size, words) + 6;
}

void LegendLine::ramp(const Legend& legend, float length) {
  constexpr int kSteps = 36;
  const float tall = frame_.size(10);
  const Box all = {x_, middle() - tall / 2, length, tall};
  for (int i = 0; i < kSteps; ++i) {
    const float from = length * static_cast<float>(i) / kSteps;
    picture_.add(figure::Fill{{x_ + from, all.y, length / kSteps + 0.5f, tall},
                              (*legend.table)[static_cast<std::size_t>(i * 255 / (kSteps - 1))], 0});
  }
  picture_.add(figure::Frame{all, frame_.colors.line, 1, 0});
  if (legend.scale.diverging) {
    const float zero = x_ + length / 2;
    picture_.add(figure::Stroke{{zero, all.bottom()}, {zero, all.bottom() + 3}, frame_.colors.muted, 1});
    picture_.add(figure::Label{{zero, all.center().y},
                               0.5f,
                               0.5f,
                               figure::Typeface::kNumber,
                               frame_.size(11),
                               frame_.colors.text,
                               "0"});
  }
  x_ += length + 6;
}

}  // namespace attn::ui
