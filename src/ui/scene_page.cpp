// One calm column: words within a readable measure, figures beside each other where there is room.
#include "ui/scene_page.h"

#include <algorithm>
#include <optional>
#include <type_traits>
#include <utility>

#include "ui/lab_figures.h"
#include "ui/layout.h"
#include "ui/panels.h"
#include "ui/presenting.h"
#include "ui/scene_figure.h"
#include "ui/scene_verdict.h"
#include "ui/scene_words.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

using lesson::Block;

constexpr float kMeasure = 680, kWidest = 1080;  // of text, of figures: at text scale 1
constexpr float kFigureGap = 36;                 // between figures beside each other
constexpr float kNarrowestBeside = 230;

template <class T>
constexpr bool kIsFigure = std::is_same_v<T, lesson::Grid> || std::is_same_v<T, lesson::Table> ||
                           std::is_same_v<T, lesson::Plot> || std::is_same_v<T, lesson::Plane> ||
                           std::is_same_v<T, lesson::Strip> || std::is_same_v<T, lesson::Flow> ||
                           std::is_same_v<T, lesson::Maps>;

bool isFigure(const Block& block) {
  return std::visit([](const auto& b) { return kIsFigure<std::decay_t<decltype(b)>>; }, block.content);
}

template <class T>
bool is(const Block* block) {
  return block && std::holds_alternative<T>(block->content);
}

bool isHeading(const Block* block) {
  return is<lesson::Words>(block) &&
         std::get<lesson::Words>(block->content).style == lesson::Words::Style::kHeading;
}

// Space between two blocks, at text scale 1.
float gapBetween(const Block* above, const Block& below) {
  if (isHeading(&below)) return 34;
  if (isHeading(above)) return 10;
  if (is<lesson::Source>(&below)) return is<lesson::Source>(above) ? 12 : 0;  // the first has a heading of its own
  if (isFigure(below) || (above && isFigure(*above))) return 24;
  if (is<lesson::Claim>(&below) && is<lesson::Claim>(above)) return 8;
  if (is<lesson::Jump>(&below) && is<lesson::Jump>(above)) return 6;
  if (is<lesson::Question>(&below) || is<lesson::Verdict>(&below) || is<lesson::Verdict>(above)) return 24;
  return 14;
}

TextStyle titleStyle(const SceneView& view) {
  return {.face = Face::kStrong, .size = 15, .color = view.colors().text, .leading = 1.35f};
}
TextStyle noteStyle(const SceneView& view) { return {.size = 13.5f, .color = view.colors().muted, .leading = 1.4f}; }

// A figure with its title above and its note below.
struct Plate {
  std::size_t block = 0;
  Extent body;
  float width = 0, title = 0, note = 0;  // heights of title and note
  float height() const { return title + body.h + note; }
};

template <class Figure>
Plate plateOf(SceneView& view, const Figure& figure, std::size_t block, float room) {
  Plate plate{.block = block, .body = extentOf(view, figure, room)};
  const float words = std::min(room, std::max(plate.body.w, view.size(240)));
  const float title = std::min(richWidth(view.frame, titleStyle(view), figure.title), words);
  const float note = std::min(richWidth(view.frame, noteStyle(view), figure.note), words);
  plate.width = std::max({std::min(plate.body.w, room), title + 1, note + 1});
  if (!figure.title.empty())
    plate.title = richHeight(view, titleStyle(view), figure.title, plate.width) + view.size(8);
  if (!figure.note.empty()) plate.note = richHeight(view, noteStyle(view), figure.note, plate.width) + view.size(8);
  return plate;
}

class Column {
 public:
  Column(SceneView& view, Panel& panel, float height) : view_(view), panel_(panel), top_(panel.y), height_(height) {
    width_ = std::min(panel.width(), view.size(kWidest));
    x_ = panel.x() + std::max(0.f, (panel.width() - width_) / 2);
    measure_ = std::min(width_, view.size(kMeasure));
  }

  void draw() {
    const auto& blocks = view_.page.blocks;
    const app::Presentation& shown = view_.frame.session.presentation();
    const Block* above = nullptr;
    for (std::size_t i = 0; i < blocks.size();) {
      if (leavesOut(shown, view_.page, blocks[i])) {
        ++i;
        continue;
      }
      if (above || !shown.present) panel_.y += view_.size(gapBetween(above, blocks[i]));
      const Block* before = std::exchange(above, &blocks[i]);
      if (isFigure(blocks[i])) {
        std::size_t end = i + 1;
        while (end < blocks.size() && blocks[end].beside && isFigure(blocks[end])) ++end;
        const float scale = std::exchange(view_.frame.view.scale, fittingScale(i, end));
        drawGroup(i, end);
        view_.frame.view.scale = scale;
        i = end;
      } else {
        if (is<lesson::Source>(&blocks[i]) && !is<lesson::Source>(before)) furtherHeading();
        drawText(i++);
      }
    }
  }

  void head() {
    const float size = presents(view_.frame) ? 18 : width_ < view_.size(480) ? 22 : 27;
    const TextStyle title{.face = Face::kStrong, .size = size, .color = view_.colors().text, .leading = 1.2f};
    const float height = richParagraph(view_, title, view_.page.title, x_, panel_.y, measure_);
    view_.frame.recorder.add({.id = "page/title", .label = view_.page.title, .role = Role::kHeading,
                              .rect = {x_, panel_.y, measure_, height}});
    panel_.y += height + view_.size(12);
    if (leavesLookOut(view_.frame.session.presentation(), view_.page)) return;
    panel_.y += drawLook(view_, view_.page.look, x_, panel_.y, measure_) + view_.size(10);
  }

  const std::vector<Rect>& figures() const { return figures_; }
  const std::optional<Rect>& verdict() const { return verdict_; }

 private:
  void furtherHeading() {
    panel_.y += view_.size(36);
    ImGui::GetWindowDrawList()->AddLine({x_, panel_.y}, {x_ + measure_, panel_.y}, packed(view_.colors().line));
    panel_.y += view_.size(18);
    const TextStyle style{.face = Face::kStrong, .size = 16, .color = view_.colors().text, .leading = 1.3f};
    panel_.y += paragraph(view_.frame, style, tr("Read further"), x_, panel_.y, measure_) + view_.size(10);
  }

  void drawText(std::size_t i) {
    const float x = x_, y = panel_.y, width = measure_;
    panel_.y += std::visit(
        [&](const auto& b) -> float {
          using T = std::decay_t<decltype(b)>;
          if constexpr (std::is_same_v<T, lesson::Words>) return drawWords(view_, b, i, x, y, width);
          else if constexpr (std::is_same_v<T, lesson::Claim>) return drawClaim(view_, b, i, x, y, width);
          else if constexpr (std::is_same_v<T, lesson::Question>) return drawQuestion(view_, b, i, x, y, width);
          else if constexpr (std::is_same_v<T, lesson::Verdict>) return drawVerdict(view_, b, i, x, y, width);
          else if constexpr (std::is_same_v<T, lesson::Jump>) return drawJump(view_, b, i, x, y, width);
          else if constexpr (std::is_same_v<T, lesson::Source>) return drawSource(view_, b, i, x, y, width);
          else return 0;
        },
        view_.page.blocks[i].content);
    if (is<lesson::Verdict>(&view_.page.blocks[i])) verdict_ = Rect{x, y, width, panel_.y - y};
  }

  Plate plate(std::size_t i, float room) {
    return std::visit(
        [&](const auto& b) -> Plate {
          if constexpr (kIsFigure<std::decay_t<decltype(b)>>) return plateOf(view_, b, i, room);
          else return {};
        },
        view_.page.blocks[i].content);
  }

  std::vector<Plate> plates(std::size_t begin, std::size_t end, float room) {
    std::vector<Plate> all;
    for (std::size_t i = begin; i < end; ++i) all.push_back(plate(i, room));
    return all;
  }

  // Whether this figure may be drawn smaller to stand beside another.
  bool yields(const Plate& natural, const Plate& small, float share) const {
    const Block& block = view_.page.blocks[natural.block];
    if (const auto* grid = std::get_if<lesson::Grid>(&block.content)) return keepsNumbers(view_, *grid, share);
    const bool scales = is<lesson::Plot>(&block) || is<lesson::Plane>(&block);
    return scales || small.body.w >= natural.body.w * 0.8f;
  }

  // As many beside each other as there is room for: at their own widths, else at equal ones.
  std::vector<Plate> arrange(std::size_t begin, std::size_t end, std::size_t& per_line) {
    std::vector<Plate> natural = plates(begin, end, width_);
    const float gap = view_.size(kFigureGap);
    float sum = -gap;
    for (const Plate& each : natural) sum += each.width + gap;
    per_line = natural.size();
    if (sum <= width_) return natural;
    for (std::size_t count = std::min<std::size_t>(natural.size(), 4); count > 1; --count) {
      const float share = (width_ - gap * static_cast<float>(count - 1)) / static_cast<float>(count);
      if (share < view_.size(kNarrowestBeside)) continue;
      std::vector<Plate> small = plates(begin, end, share);
      bool fits = true;
      for (std::size_t i = 0; i < small.size(); ++i)
        fits = fits && small[i].width <= share + 0.5f && yields(natural[i], small[i], share);
      per_line = count;
      if (fits) return small;
    }
    per_line = 1;
    return natural;
  }

  float groupHeight(std::size_t begin, std::size_t end) {
    std::size_t per_line = 1;
    const std::vector<Plate> all = arrange(begin, end, per_line);
    float height = 0;
    for (std::size_t i = 0; i < all.size(); i += per_line) {
      float title = 0, below = 0;
      for (std::size_t k = i; k < std::min(all.size(), i + per_line); ++k) {
        title = std::max(title, all[k].title);
        below = std::max(below, all[k].body.h + all[k].note);
      }
      height += title + below + (i > 0 ? view_.size(24) : 0);
    }
    return height;
  }

  // A presentation shows figures whole, as far as they can still be read: those that open it below its title, others on a
  // screen of their own.
  float fittingScale(std::size_t begin, std::size_t end) {
    float& scale = view_.frame.view.scale;
    const float whole = scale;
    if (!presents(view_.frame)) return whole;
    const float room = height_ - kUnit - (figures_.empty() ? panel_.y - top_ + 2 * kUnit : 0);
    float fitting = whole;
    for (; fitting > 1; fitting *= 0.95f) {
      scale = fitting;
      if (groupHeight(begin, end) <= room) break;
    }
    scale = whole;
    return std::max(1.f, fitting);
  }

  void drawGroup(std::size_t begin, std::size_t end) {
    std::size_t per_line = 1;
    const std::vector<Plate> all = arrange(begin, end, per_line);
    for (std::size_t i = 0; i < all.size(); i += per_line) {
      if (i > 0) panel_.y += view_.size(24);
      float x = x_, tallest = 0, title = 0;
      const std::size_t stop = std::min(all.size(), i + per_line);
      for (std::size_t k = i; k < stop; ++k) title = std::max(title, all[k].title);
      for (std::size_t k = i; k < stop; ++k) {
        drawPlate(all[k], x, title);
        x += all[k].width + view_.size(kFigureGap);
        tallest = std::max(tallest, title + all[k].body.h + all[k].note);
      }
      panel_.y += tallest;
    }
  }

  void drawPlate(const Plate& plate, float x, float title) {
    std::visit(
        [&](const auto& b) {
          if constexpr (kIsFigure<std::decay_t<decltype(b)>>) {
            const float y = panel_.y, w = plate.width;
            richParagraph(view_, titleStyle(view_), b.title, x, y, w);
            const Rect body{x, y + title, plate.body.w, plate.body.h};
            figures_.push_back({x, y, w, title + body.h});
            const auto draw = [&] { drawFigure(view_, b, plate.block, body); };
            if (view_.memory.take == plate.block) takeFigure(view_, b.title, figures_.back(), draw);
            else draw();
            richParagraph(view_, noteStyle(view_), b.note, x, body.y + body.h + view_.size(8), w);
          }
        },
        view_.page.blocks[plate.block].content);
  }

  SceneView& view_;
  Panel& panel_;
  float x_ = 0, width_ = 0, measure_ = 0;
  float top_, height_;  // where the page begins, and how much of it can be seen
  std::vector<Rect> figures_;
  std::optional<Rect> verdict_;
};

// Whole where it fits, its beginning where it does not.
bool bringVerdict(SceneMemory& memory, const std::optional<Rect>& verdict, const Rect& area) {
  if (!std::exchange(memory.show_verdict, false) || !verdict) return false;
  memory.show_figure = false;
  if (verdict->y >= area.y && verdict->y + verdict->h <= area.y + area.h) return true;
  ImGui::SetScrollY(ImGui::GetScrollY() + verdict->y - area.y - 3 * kUnit);
  return true;
}

// A control that is worked while no figure is in view scrolls to the nearest one.
void bringFigure(SceneMemory& memory, const std::vector<Rect>& figures, const Rect& area) {
  if (!std::exchange(memory.show_figure, false) || figures.empty()) return;
  const Rect* nearest = nullptr;
  float least = 1e9f;
  for (const Rect& each : figures) {
    const float seen = std::min(each.y + each.h, area.y + area.h) - std::max(each.y, area.y);
    if (seen >= 0.6f * std::min(each.h, area.h)) return;
    const float distance = std::abs(each.y + each.h / 2 - area.y - area.h / 2);
    if (distance < least) least = distance, nearest = &each;
  }
  ImGui::SetScrollY(ImGui::GetScrollY() + nearest->y - area.y - kUnit);
}

}  // namespace

void drawScenePage(SceneView& view, Panel& panel, const Rect& area) {
  Column column(view, panel, area.h);
  column.head();
  column.draw();
  panel.y += view.size(40);
  if (!bringVerdict(view.memory, column.verdict(), area)) bringFigure(view.memory, column.figures(), area);
}

}  // namespace attn::ui
