// A figure is taken in the frame after it was asked for, with the shapes that are then drawn.
#include "ui/lab_figures.h"

#include <array>

#include "app/explain.h"
#include "figure/svg.h"
#include "ui/lab.h"
#include "ui/panels.h"
#include "ui/sheets.h"

namespace attn::ui {
namespace {

// The title of what is drawn as shapes; nothing of everything else.
const std::string* titleOf(const lesson::Block& block) {
  return std::visit(
      [](const auto& b) -> const std::string* {
        using T = std::decay_t<decltype(b)>;
        constexpr bool shapes = std::is_same_v<T, lesson::Grid> || std::is_same_v<T, lesson::Plot> || std::is_same_v<T, lesson::Plane> ||
                                std::is_same_v<T, lesson::Strip> || std::is_same_v<T, lesson::Flow> || std::is_same_v<T, lesson::Maps>;
        if constexpr (shapes) return &b.title;
        else return nullptr;
      },
      block.content);
}

void figureList(Frame& frame, Panel& panel, SceneMemory& memory, bool pixels) {
  const std::string does = frame.view.save_file ? tr("Save picture") : tr("Copy picture");
  for (std::size_t i = 0; i < memory.page->blocks.size(); ++i) {
    const std::string* title = titleOf(memory.page->blocks[i]);
    if (!title) continue;
    const std::string label = does + (title->empty() ? "" : ": " + *title);
    const Rect rect{panel.x(), panel.y, panel.width(), entryHeight(frame, label, panel.width())};
    panel.y += rect.h + kUnit / 2;
    if (!button(frame, "export/figure/" + std::to_string(i), label, rect, {.left = true, .group = panel.group})) continue;
    memory.take = i;
    memory.take_scale = pixels ? frame.view.exports.scale : 0;
    if (frame.view.narrow) closeSheets(frame);  // the page must be drawn
  }
  panel.y += kUnit;
}

void give(SceneView& view, const std::string& svg) {
  Frame& frame = view.frame;
  const std::string stem = lesson::fileStem(view.page) + std::to_string(*view.memory.take);
  const int scale = view.memory.take_scale;
  if (frame.view.save_file) saveBytes(frame, stem + (scale > 0 ? ".png" : ".svg"), svg, scale);
  else copyText(frame, svg);
}

}  // namespace

void drawFigureExport(Frame& frame, Panel& panel) {
  if (SceneMemory& memory = sceneMemory(frame); memory.page) {
    std::string& format = frame.view.exports.figure;
    const std::array<Option, 2> formats{{{"svg", "SVG"}, {"png", "PNG"}}};
    if (frame.view.save_picture) pickFormat(frame, panel, formats, format);
    const bool pixels = frame.view.save_picture && format == "png";
    if (pixels) pickSize(frame, panel);
    heading(frame, panel, tr("Figures of this page"));
    body(frame, panel, tr("As they are drawn now. A table has its own way out below it."));
    figureList(frame, panel, memory, pixels);
  }
  heading(frame, panel, tr("This moment"));
  Acts acts(frame, panel);
  if (acts.press("export/words", tr("Copy words"))) copyText(frame, app::plainText(frame.session));
  if (acts.press("export/link", tr("Copy link"))) copyLink(frame);
}

void takeFigure(SceneView& view, const std::string& title, const Rect& area, const std::function<void()>& draw) {
  constexpr float kMargin = 14;
  figure::Picture picture;
  view.memory.taken = &picture;
  draw();
  view.memory.taken = nullptr;
  const float size = view.size(15), width = std::max(area.w, richWidth(view.memory.measure, figure::Typeface::kStrong, size, title));
  addRich(picture, view.memory.measure, figure::Typeface::kStrong, size, {area.x, area.y}, 0, 0, view.colors().text, title);
  const figure::Box box = figure::grown({area.x, area.y, width, area.h}, kMargin);
  give(view, figure::svgOf(picture, {box, view.colors().ground, title.empty() ? view.page.title : title, view.page.title}));
  view.memory.take.reset();
}

}  // namespace attn::ui
