// Lines, points and bars on axes with round numbers. The pointer over the plot tells the values nearest to it.
#include <algorithm>
#include <cmath>

#include "core/number.h"
#include "figure/axis.h"
#include "ui/scene_figure.h"

namespace attn::ui {
namespace {

using figure::Box;
using figure::PlotAxis;
using figure::Point;
using figure::Typeface;
using lesson::Plot;
using Kind = Plot::Kind;

constexpr float kPlotText = 12.5f;  // of ticks and labels
constexpr float kNaturalWidth = 560, kNaturalHeight = 280, kLeastHeight = 190;

// One ink per series, told apart by shade and by kind of line too.
figure::Color inkOf(const Colors& c, std::size_t series) {
  const figure::Color inks[] = {c.row, c.now, c.parameter, c.muted, c.warning};
  return inks[series % std::size(inks)];
}

bool hasBars(const Plot& plot) {
  return std::any_of(plot.series.begin(), plot.series.end(), [](const auto& s) { return s.kind == Kind::kBars; });
}

// The distance between bars, which are as wide as it lets them be.
double barStep(const Plot& plot) {
  double step = 0;
  for (const Plot::Series& each : plot.series) {
    if (each.kind != Kind::kBars) continue;
    for (std::size_t i = 1; i < each.x.size(); ++i) {
      const double gap = std::abs(each.x[i] - each.x[i - 1]);
      if (gap > 0 && (step == 0 || gap < step)) step = gap;
    }
  }
  return step > 0 ? step : 1;
}

// Layers, positions, tiles: there is nothing between two of them.
bool countsAlongX(const Plot& plot) {
  return std::all_of(plot.series.begin(), plot.series.end(), [](const Plot::Series& s) {
    return std::all_of(s.x.begin(), s.x.end(), [](double x) { return x == std::floor(x); });
  });
}

PlotAxis xAxis(const Plot& plot) {
  std::vector<double> all;
  for (const Plot::Series& each : plot.series) all.insert(all.end(), each.x.begin(), each.x.end());
  for (const Plot::Mark& each : plot.marks)
    if (each.vertical) all.push_back(each.at);
  if (hasBars(plot) && !plot.log_x && !all.empty()) {
    const auto [low, high] = std::minmax_element(all.begin(), all.end());
    const double half = barStep(plot) * 0.6;
    return {*low - half, *high + half, false, countsAlongX(plot)};
  }
  PlotAxis axis = figure::axisFor(all, plot.log_x);
  axis.whole = countsAlongX(plot);
  return axis;
}

PlotAxis yAxis(const Plot& plot) {
  std::vector<double> all;
  for (const Plot::Series& each : plot.series) all.insert(all.end(), each.y.begin(), each.y.end());
  for (const Plot::Mark& each : plot.marks)
    if (!each.vertical) all.push_back(each.at);
  if (hasBars(plot) && !plot.log_y) all.push_back(0);
  return figure::axisFor(all, plot.log_y);
}

class PlotPainter {
 public:
  PlotPainter(SceneView& view, const Plot& plot, const Rect& area)
      : view_(view), plot_(plot), area_(area), x_(xAxis(plot)), y_(yAxis(plot)), size_(view.size(kPlotText)),
        c_(view.colors()) {
    layLegend(false);
    const int rows = std::max(2, static_cast<int>(area.h / view.size(48)));
    y_ticks_ = figure::ticksOf(y_, rows);
    float left = 0;
    for (const figure::Tick& each : y_ticks_) left = std::max(left, width(each.text));
    const float head = legend_height_ + (plot.y_label.empty() ? 0 : size_ * 1.7f);
    const float bottom = size_ * 1.6f + 6 + (plot.x_label.empty() ? 0 : size_ * 1.5f);
    left += view.size(10);
    box_ = {area.x + left, 0, area.w - left - view.size(14), 0};  // marks are laid out along its width
    const float top = head + layMarks(area.y + head) + size_ * 0.7f;
    box_.y = area.y + top;
    box_.h = area.h - top - bottom;
  }

  void paint() {
    layLegend(true);
    addAxes();
    picture_.add(figure::ClipTo{figure::grown(box_, 4)});
    for (std::size_t i = 0; i < plot_.series.size(); ++i) addSeries(i);
    addMarkLines();
    picture_.add(figure::ClipEnd{});
    addMarkWords();
    const std::string hovered = hover();
    paintFigure(view_.frame, picture_, area_);
    if (!hovered.empty()) tooltip(view_.frame, hovered);
  }

 private:
  float width(std::string_view text, Typeface face = Typeface::kNumber) const {
    return richWidth(view_.memory.measure, face, size_, text);
  }
  float atX(double value) const { return box_.x + box_.w * static_cast<float>(x_.place(value)); }
  float atY(double value) const { return box_.bottom() - box_.h * static_cast<float>(y_.place(value)); }
  bool drawable(double x, double y) const {
    return std::isfinite(x) && std::isfinite(y) && (!x_.logarithmic || x > 0) && (!y_.logarithmic || y > 0);
  }
  void word(Point at, float ax, float ay, figure::Color color, const std::string& text, Typeface face = Typeface::kBody) {
    addRich(picture_, view_.memory.measure, face, size_, at, ax, ay, color, text);
  }

  // Swatch and name of each series, in lines from the top left.
  void layLegend(bool draws) {
    if (plot_.series.size() < 2 && (plot_.series.empty() || plot_.series[0].label.empty())) return;
    const float swatch = view_.size(18), line = size_ * 1.6f;
    float x = area_.x, y = area_.y;
    for (std::size_t i = 0; i < plot_.series.size(); ++i) {
      const Plot::Series& each = plot_.series[i];
      const float wide = swatch + 6 + width(each.label, Typeface::kBody);
      if (x > area_.x && x + wide > area_.x + area_.w) x = area_.x, y += line;
      if (draws) {
        const float middle = y + line / 2;
        if (each.kind == Kind::kBars) picture_.add(figure::Fill{{x, middle - 5, swatch, 10}, figure::faded(inkOf(c_, i), 0.75), 2});
        else if (each.kind == Kind::kPoints) picture_.add(figure::Disc{{x + swatch / 2, middle}, 4, inkOf(c_, i)});
        else picture_.add(figure::Stroke{{x, middle}, {x + swatch, middle}, inkOf(c_, i), 2.5f});
        word({x + swatch + 6, middle}, 0, 0.5f, c_.text,
             figure::elided(view_.memory.measure, Typeface::kBody, size_, each.label, area_.w - swatch - 6));
      }
      x += wide + view_.size(18);
    }
    legend_height_ = y + line - area_.y + view_.size(4);
  }

  void addAxes() {
    for (const figure::Tick& each : y_ticks_) {
      if (each.value < y_.low - 1e-12 || each.value > y_.high * (y_.high > 0 ? 1 + 1e-9 : 1 - 1e-9) + 1e-12) continue;
      const float y = atY(each.value);
      if (each.text.empty()) continue;
      picture_.add(figure::Stroke{{box_.x, y}, {box_.right(), y}, figure::faded(c_.line, 0.75), 1});
      word({box_.x - view_.size(7), y}, 1, 0.5f, c_.muted, each.text, Typeface::kNumber);
    }
    if (y_.low < 0 && y_.high > 0 && !y_.logarithmic)
      picture_.add(figure::Stroke{{box_.x, atY(0)}, {box_.right(), atY(0)}, c_.muted, 1});
    picture_.add(figure::Stroke{{box_.x, box_.bottom()}, {box_.right(), box_.bottom()}, c_.muted, 1.2f});
    if (!plot_.names.empty()) addNames();
    else addNumbers();
    if (!plot_.y_label.empty())
      word({area_.x, area_.y + legend_height_}, 0, 0, c_.muted,
           figure::elided(view_.memory.measure, Typeface::kBody, size_, "↑ " + plot_.y_label, area_.w));
    if (!plot_.x_label.empty())
      word({box_.right(), area_.y + area_.h}, 1, 1, c_.muted,
           figure::elided(view_.memory.measure, Typeface::kBody, size_, plot_.x_label + " →", area_.w));
  }

  void addNumbers() {
    const int most = std::max(2, static_cast<int>(box_.w / view_.size(70)));
    float free = box_.x - view_.size(20);  // names must not run into each other
    for (const figure::Tick& each : figure::ticksOf(x_, most)) {
      const float x = atX(each.value), half = width(each.text) / 2;
      if (x < box_.x - 1 || x > box_.right() + 1) continue;
      picture_.add(figure::Stroke{{x, box_.bottom()}, {x, box_.bottom() + (each.text.empty() ? 3.f : 5.f)}, c_.muted, 1});
      if (each.text.empty() || x - half < free) continue;
      const float inside = std::min(x, area_.x + area_.w - half);
      word({inside, box_.bottom() + 6}, 0.5f, 0, c_.muted, each.text, Typeface::kNumber);
      free = inside + half + view_.size(6);
    }
  }

  // Names of bars: all, or every n-th where they would run together.
  void addNames() {
    const float step = plot_.names.size() > 1 ? std::abs(atX(1) - atX(0)) : box_.w;
    float widest = 0;
    for (const std::string& each : plot_.names) widest = std::max(widest, width(each, Typeface::kBody) + view_.size(6));
    const bool cut = widest > step && plot_.names.size() <= 12;  // a few long names are shortened instead
    const auto stride = cut ? 1 : std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(widest / std::max(1.f, step))));
    for (std::size_t i = 0; i < plot_.names.size(); i += stride) {
      const float room = cut ? step - 4 : step * static_cast<float>(stride);
      word({atX(static_cast<double>(i)), box_.bottom() + 6}, 0.5f, 0, c_.muted,
           figure::elided(view_.memory.measure, Typeface::kBody, size_, plot_.names[i], room));
    }
  }

  void addSeries(std::size_t index) {
    const Plot::Series& s = plot_.series[index];
    const figure::Color ink = inkOf(c_, index);
    if (s.kind == Kind::kBars) return addBars(s, index);
    std::vector<Point> run;
    const auto flush = [&] {
      if (run.size() > 1) picture_.add(figure::Path{run, 0, ink, 2});
      else if (run.size() == 1 && s.kind == Kind::kLine) picture_.add(figure::Disc{run[0], 3, ink});
      run.clear();
    };
    const bool dots = s.kind == Kind::kPoints || s.x.size() <= 12;
    const float radius = s.kind == Kind::kLine ? 3 : s.x.size() > 200 ? 2.f : 4.f;
    for (std::size_t i = 0; i < s.x.size(); ++i) {
      if (!drawable(s.x[i], s.y[i])) {
        flush();
        continue;
      }
      const Point at{atX(s.x[i]), atY(s.y[i])};
      if (s.kind == Kind::kLine) run.push_back(at);
      if (dots) picture_.add(figure::Disc{at, radius, ink});
    }
    flush();
  }

  // Several series of bars stand side by side.
  void addBars(const Plot::Series& s, std::size_t index) {
    std::size_t count = 0, mine = 0;
    for (std::size_t i = 0; i < plot_.series.size(); ++i) {
      if (plot_.series[i].kind != Kind::kBars) continue;
      if (i == index) mine = count;
      ++count;
    }
    const double step = barStep(plot_);
    const float slot = x_.logarithmic ? view_.size(8) : std::abs(atX(x_.low + step) - atX(x_.low));
    const float gap = slot > 12 ? std::min(slot * 0.18f, 12.f) : 0.5f;
    const float wide = std::max(1.f, (slot - gap) / static_cast<float>(count));
    const float zero = y_.logarithmic ? box_.bottom() : atY(0);
    for (std::size_t i = 0; i < s.x.size(); ++i) {
      if (!drawable(s.x[i], s.y[i])) continue;
      const float x = atX(s.x[i]) - (slot - gap) / 2 + wide * static_cast<float>(mine), y = atY(s.y[i]);
      const float inner = count > 1 && wide > 6 ? 1.f : 0;
      picture_.add(figure::Fill{{x, std::min(y, zero), wide - inner, std::max(std::abs(zero - y), s.y[i] == 0 ? 0.f : 1.f)},
                                figure::faded(inkOf(c_, index), 0.78), wide > 8 ? 2.f : 0});
    }
  }

  void addMarkLines() {
    for (const Plot::Mark& each : plot_.marks) {
      if (!drawable(each.vertical ? each.at : x_.high, each.vertical ? y_.high : each.at)) continue;
      const Point a = each.vertical ? Point{atX(each.at), box_.y} : Point{box_.x, atY(each.at)};
      const Point b = each.vertical ? Point{a.x, box_.bottom()} : Point{box_.right(), a.y};
      const float length = std::hypot(b.x - a.x, b.y - a.y);
      for (float at = 0; at < length; at += 9) {
        const float from = at / length, to = std::min(1.f, (at + 5) / length);
        picture_.add(figure::Stroke{{a.x + (b.x - a.x) * from, a.y + (b.y - a.y) * from},
                                    {a.x + (b.x - a.x) * to, a.y + (b.y - a.y) * to}, c_.text, 1.4f});
      }
    }
  }

  std::string markText(const Plot::Mark& mark) const {
    return figure::elided(view_.memory.measure, Typeface::kBody, size_, mark.label, box_.w * 0.9f);
  }
  bool hasWords(const Plot::Mark& mark) const {
    return !mark.label.empty() && drawable(mark.vertical ? mark.at : x_.high, mark.vertical ? y_.high : mark.at);
  }

  // Words of upright lines stand above the plot, over their lines, where they hide no curve; those that would meet one below
  // the other. Gives the height that they take.
  float layMarks(float y) {
    const float tall = size_ * 1.3f;
    float height = 0;
    for (const Plot::Mark& each : plot_.marks) {
      if (!each.vertical || !hasWords(each)) continue;
      const float wide = width(markText(each), Typeface::kBody);
      Box box{std::clamp(atX(each.at) - wide / 2, box_.x, std::max(box_.x, box_.right() - wide)), y, wide, tall};
      const auto meets = [&](const Box& other) { return figure::overlap({other.x - 4, other.y, other.w + 8, other.h}, box); };
      while (std::any_of(mark_boxes_.begin(), mark_boxes_.end(), meets)) box.y += tall;
      mark_boxes_.push_back(box);
      height = std::max(height, box.bottom() - y);
    }
    return height;
  }

  // Those of level lines stand above them at the right, on a ground of their own.
  void addMarkWords() {
    auto upright = mark_boxes_.begin();
    for (const Plot::Mark& each : plot_.marks) {
      if (!hasWords(each)) continue;
      const std::string text = markText(each);
      const float wide = width(text, Typeface::kBody), tall = size_ * 1.3f;
      Box box{box_.right() - wide, atY(each.at) - tall - 1, wide, tall};
      if (each.vertical) box = *upright++;
      else if (box.y < box_.y - tall) box.y = atY(each.at) + 1;
      if (!each.vertical) picture_.add(figure::Fill{figure::grown(box, 2), figure::faded(c_.ground, 0.94), 3});
      word({box.x, box.y + tall / 2}, 0, 0.5f, c_.text, text);
    }
  }

  // The place nearest to the pointer along x, with every series' value there.
  std::string hover() {
    if (!view_.hovers({box_.x, box_.y, box_.w, box_.h})) return "";
    const float mouse = ImGui::GetMousePos().x;
    double best = 0;
    float least = 1e9f;
    for (const Plot::Series& s : plot_.series)
      for (std::size_t i = 0; i < s.x.size(); ++i)
        if (drawable(s.x[i], s.y[i]) && std::abs(atX(s.x[i]) - mouse) < least)
          least = std::abs(atX(s.x[i]) - mouse), best = s.x[i];
    if (least > 1e8f) return "";
    const auto name = static_cast<std::size_t>(std::max(0.0, best));
    std::string text = !plot_.names.empty() && name < plot_.names.size()
                           ? plot_.names[name]
                           : (plot_.x_label.empty() ? "x" : plot_.x_label) + ": " + core::fullText(best);
    picture_.add(figure::Stroke{{atX(best), box_.y}, {atX(best), box_.bottom()}, figure::faded(c_.focus, 0.5), 1});
    for (std::size_t k = 0; k < plot_.series.size(); ++k) {
      const Plot::Series& s = plot_.series[k];
      for (std::size_t i = 0; i < s.x.size(); ++i) {
        if (s.x[i] != best) continue;
        const std::string& label = s.label.empty() ? plot_.y_label : s.label;
        text += "\n" + (label.empty() ? "" : label + ": ") + core::fullText(s.y[i]);
        if (drawable(s.x[i], s.y[i])) picture_.add(figure::Disc{{atX(best), atY(s.y[i])}, 4.5f, inkOf(c_, k)});
        break;
      }
    }
    return text;
  }

  SceneView& view_;
  const Plot& plot_;
  Rect area_;
  PlotAxis x_, y_;
  float size_, legend_height_ = 0;
  const Colors& c_;
  Box box_;
  std::vector<figure::Tick> y_ticks_;
  std::vector<Box> mark_boxes_;  // of the words of upright lines, in their order
  figure::Picture picture_;
};

}  // namespace

Extent extentOf(SceneView& view, const Plot&, float room) {
  const float w = std::min(room, view.size(kNaturalWidth));
  return {w, std::clamp(w * kNaturalHeight / kNaturalWidth, view.size(kLeastHeight), view.size(kNaturalHeight + 40))};
}

void drawFigure(SceneView& view, const Plot& plot, std::size_t, const Rect& area) {
  if (!view.onScreen(area) && !view.frame.recorder.keep_texts) return;
  PlotPainter(view, plot, area).paint();
}

}  // namespace attn::ui
