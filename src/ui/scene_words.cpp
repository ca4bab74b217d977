// Paragraphs as on a page of a book, with claims and questions set apart. Knows no figure.
#include "ui/scene_words.h"

#include <algorithm>
#include <iterator>

#include "io/base64.h"
#include "ui/contents_order.h"
#include "ui/lab_figures.h"
#include "ui/presenting.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

constexpr TextStyle textStyle(const Frame& frame) { return {.size = 16, .color = frame.colors.text, .leading = 1.5f}; }

std::string idOf(const char* what, std::size_t block) { return std::string("page/") + what + "/" + std::to_string(block); }

void rule(const Rect& r, figure::Color color) {
  ImGui::GetWindowDrawList()->AddRectFilled({r.x, r.y}, {r.x + r.w, r.y + r.h}, packed(color), 1.5f);
}

// Lines as they are written, on a ground of their own; what is too long goes on below, set in.
float drawLines(SceneView& view, std::string_view text, float x, float y, float width) {
  const TextStyle style{.face = Face::kNumber, .size = 14, .color = view.colors().text, .leading = 1.45f};
  const float pad = 1.5f * kUnit, height = lineHeight(view.frame, style), room = width - 2 * pad;
  std::vector<std::string> lines;
  while (true) {
    const std::size_t end = text.find('\n');
    std::string_view rest = text.substr(0, end);
    const std::size_t inset = std::min(rest.find_first_not_of(' '), rest.size());
    const std::string lead(rest.substr(0, inset));
    std::string prefix = lead;
    if (rest.empty()) lines.emplace_back();
    const float lead_width = measure(style.face, view.size(style.size), lead + "  ").x;
    for (const std::string& each : wrap(view.frame, style, rest.substr(inset), std::max(room - lead_width, room / 2))) {
      if (!rest.empty()) lines.push_back(prefix + each);
      prefix = lead + "  ";
    }
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  const float tall = static_cast<float>(lines.size()) * height + 2 * pad;
  ImGui::GetWindowDrawList()->AddRectFilled({x, y}, {x + width, y + tall}, packed(view.colors().surface), kRounding);
  float top = y + pad;
  for (const std::string& each : lines) {
    drawText(*ImGui::GetWindowDrawList(), style.face, view.size(style.size),
             {x + pad, top + (height - view.size(style.size)) / 2}, style.color, each);
    recordText(view.frame, each,
               {x + pad, top, measure(style.face, view.size(style.size), each).x, height}, {x, y, width, tall});
    top += height;
  }
  return tall;
}

float drawCode(SceneView& view, const std::string& text, std::size_t block, float x, float y, float width) {
  const float tall = drawLines(view, text, x, y, width);
  if (text.find('\n') == std::string::npos) return tall;  // a line is read, a program is taken away
  const ButtonOptions options{.look = Look::kQuiet};
  const std::string label = tr("Copy the code");
  const Rect rect{x, y + tall + view.size(4), std::min(width, buttonWidth(view.frame, label, options)), view.frame.controlHeight()};
  if (button(view.frame, idOf("copy", block), label, rect, options)) {
    ImGui::SetClipboardText(text.c_str());
    view.frame.view.said = tr("The code is on the clipboard.");
  }
  return tall + view.size(4) + rect.h;
}

// A ring beside the first line of a text of this style: a tick for what is true, a cross for a mistake, nothing for what
// is merely not so.
void drawTruth(SceneView& view, const lesson::Claim& claim, figure::Color color, float x, float y, float line_height) {
  const float radius = view.size(9);
  const ImVec2 center{x + radius, y + line_height / 2};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddCircleFilled(center, radius, packed(color, 0.14f));
  list.AddCircle(center, radius, packed(color), 0, 1.4f);
  if (claim.mistake || claim.holds)
    drawIcon(list, claim.mistake ? Icon::kClose : Icon::kCheck, center, radius * 1.05f, color);
}

}  // namespace

float drawWords(SceneView& view, const lesson::Words& words, std::size_t block, float x, float y, float width) {
  switch (words.style) {
    case lesson::Words::Style::kText: return richParagraph(view, textStyle(view.frame), words.text, x, y, width);
    case lesson::Words::Style::kHeading:
      return richParagraph(view, {.face = Face::kStrong, .size = 19, .color = view.colors().text, .leading = 1.3f},
                           words.text, x, y, width);
    case lesson::Words::Style::kNote:
      return richParagraph(view, {.size = 14, .color = view.colors().muted, .leading = 1.45f}, words.text, x, y, width);
    case lesson::Words::Style::kCode: return drawCode(view, words.text, block, x, y, width);
  }
  return 0;
}

float drawLook(SceneView& view, std::string_view text, float x, float y, float width) {
  if (text.empty()) return 0;
  const TextStyle style{.face = Face::kStrong, .size = 16, .color = view.colors().text, .leading = 1.45f};
  const float inset = 1.5f * kUnit + 3;
  const float height = richParagraph(view, style, text, x + inset, y, width - inset);
  rule({x, y + 2, 3, height - 4}, view.colors().now);
  return height;
}

std::string claimLead(const lesson::Claim& claim) { return claim.mistake ? tr("Wrong on purpose:") : ""; }
std::string claimTruth(const lesson::Claim& claim) { return claim.holds ? tr("true") : tr("false"); }

float drawClaim(SceneView& view, const lesson::Claim& claim, std::size_t, float x, float y, float width) {
  const Colors& c = view.colors();
  const figure::Color color = claim.mistake ? c.warning : claim.holds ? c.row : c.muted;
  const TextStyle body = textStyle(view.frame);
  const TextStyle tag{.face = Face::kStrong, .size = 16, .color = color, .leading = body.leading};
  const float inset = view.size(18) + 1.5f * kUnit, height = lineHeight(view.frame, body), left = x + inset;
  const float room = width - inset;
  float top = y;
  if (claim.mistake) {
    richLine(view.frame, tag, claimLead(claim), left, top, {left, y, room, 1e6f});
    top += height;
  }
  const auto& lines = richLines(view, body, claim.text, room);
  const float used = lines.empty() ? 0 : richWidth(view.frame, body, lines.back());
  top += richParagraph(view, body, claim.text, left, top, room);
  if (!claim.mistake) {  // the truth in words, after the text where there is room
    const std::string truth = claimTruth(claim);
    const float wide = richWidth(view.frame, tag, truth), gap = view.size(9);
    const bool fits = used + gap + wide <= room;
    richLine(view.frame, tag, truth, left + (fits ? used + gap : 0), top - (fits ? height : 0),
             {left, y, room, 1e6f});
    if (!fits) top += height;
  } else {
    rule({x - 1.5f * kUnit, y, 3, top - y}, c.warning);
  }
  drawTruth(view, claim, color, x, y, height);
  return top - y;
}

float drawQuestion(SceneView& view, const lesson::Question& question, std::size_t block, float x, float y,
                   float width) {
  const TextStyle ask{.face = Face::kStrong, .size = 16, .color = view.colors().text, .leading = 1.45f};
  float top = y + richParagraph(view, ask, question.text, x, y, width) + kUnit;
  if (hides(view.frame, app::Part::kAnswers)) return top - y;
  std::set<std::size_t>& shown = view.memory.answers;
  const bool open = shown.count(block) > 0;
  if (open) {
    const float inset = 1.5f * kUnit + 3;
    const float height = richParagraph(view, textStyle(view.frame), question.answer, x + inset, top, width - inset);
    rule({x, top + 2, 3, height - 4}, view.colors().row);
    top += height + kUnit;
  }
  const std::string label = open ? tr("Hide the answer") : tr("Show the answer");
  const float tall = view.frame.controlHeight();
  const ButtonOptions options{.look = open ? Look::kQuiet : Look::kRaised};
  const float wide = std::min(width, buttonWidth(view.frame, label, options));
  if (button(view.frame, idOf("answer", block), label, {x, top, wide, tall}, options)) {
    if (open) shown.erase(block);
    else shown.insert(block);
    view.memory.mirror.clear();
  }
  return top + tall - y;
}

namespace {

void keep(Frame& frame, const lesson::Jump& jump) {
  const core::Result<std::string> bytes = io::fromBase64Url(jump.content);
  if (!bytes) frame.view.said = bytes.error().message;
  else if (frame.view.save_file) saveBytes(frame, jump.file, bytes.value(), 0);
  else frame.view.said = tr("No file can be kept here; what is text can be copied.");
}

}  // namespace

float drawJump(SceneView& view, const lesson::Jump& jump, std::size_t block, float x, float y, float width) {
  const TextStyle style{.face = Face::kStrong, .size = kBody, .color = view.colors().row};
  const std::string label = "→ " + jump.label;
  const float pad = view.size(12), room = width - 2 * pad;
  const float wide = std::min(room, richWidth(view.frame, style, label) + 1);
  const float words = richHeight(view, style, label, wide);
  const Rect rect{x, y, wide + 2 * pad, std::max(view.frame.controlHeight(), words + kUnit)};
  // A page that comes again may have another jump in this place: a press that was meant for the one before is not for it.
  const bool pressed = button(view.frame, idOf("jump", block) + "/" + jump.label, jump.label, rect, {.look = Look::kQuiet, .bare = true});
  richParagraph(view, style, label, x + pad, y + (rect.h - words) / 2, wide);
  if (pressed && !jump.file.empty()) keep(view.frame, jump);
  else if (pressed && jump.keys.empty()) follow(view.frame, jump.link);
  if (pressed && !jump.keys.empty()) {
    lesson::Settings values;
    for (std::size_t i = 0; i < jump.keys.size(); ++i) values.emplace_back(jump.keys[i], jump.values[i]);
    view.frame.dispatch(app::action::SetAll{std::move(values)});
  }
  return rect.h;
}

std::string blockedText(std::string_view reason) {
  static constexpr std::string_view kReasons[] = {trLater("causal"), trLater("window"), trLater("padding"), trLater("allowed"),
                                                  trLater("edit")};
  std::string text;
  for (std::string_view rest = reason; !rest.empty();) {
    const std::string_view each = rest.substr(0, rest.find('+'));
    if (std::find(std::begin(kReasons), std::end(kReasons), each) == std::end(kReasons)) return std::string(reason);
    text += (text.empty() ? "" : "+") + tr(each);
    rest.remove_prefix(std::min(rest.size(), each.size() + 1));
  }
  return tr("may not be read: {0}", {text});
}

std::string sourceTitle(const lesson::Source& source) {
  std::string text = source.authors;
  if (!source.year.empty()) text += " (" + source.year + ")";
  if (!source.title.empty()) text += (text.empty() ? "" : ", ") + source.title;
  const bool number = !source.section.empty() && source.section[0] >= '0' && source.section[0] <= '9';
  if (!source.section.empty()) text += ", " + (number ? tr("section {0}", {source.section}) : source.section);
  if (!text.empty() && text.back() != '.') text += '.';
  return text;
}

float drawSource(SceneView& view, const lesson::Source& source, std::size_t, float x, float y, float width) {
  const TextStyle title{.face = Face::kStrong, .size = 14, .color = view.colors().text, .leading = 1.45f};
  const TextStyle body{.size = 14, .color = view.colors().muted, .leading = 1.45f};
  float top = y + richParagraph(view, title, sourceTitle(source), x, y, width);
  top += richParagraph(view, body, source.measured, x, top, width);
  return top - y;
}

}  // namespace attn::ui
