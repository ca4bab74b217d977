// field() of widgets.h: ImGui's own editors of one line and of several in the colours of our controls, around a string
// that grows. Where the page takes the keyboard, what stands in its own field is put into ours here.
#include <algorithm>
#include <utility>

#include "ui/keys.h"
#include "ui/text.h"
#include "ui/widget_parts.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

constexpr std::size_t kMostTyped = 8;  // bytes in one frame; more have been pasted

struct Writing {
  ViewState& view;
  std::string& text;
};

void putAsked(ImGuiInputTextCallbackData& data, const EditedText& asked) {
  if (std::string_view(data.Buf, static_cast<std::size_t>(data.BufTextLen)) != asked.text) {
    data.DeleteChars(0, data.BufTextLen);
    data.InsertChars(0, asked.text.c_str());
  }
  data.SelectionStart = std::clamp(asked.from, 0, data.BufTextLen);
  data.SelectionEnd = data.CursorPos = std::clamp(asked.to, 0, data.BufTextLen);
}

int onEdit(ImGuiInputTextCallbackData* data) {
  const Writing& writing = *static_cast<Writing*>(data->UserData);
  if (data->EventFlag == ImGuiInputTextFlags_CallbackResize) {
    writing.text.resize(static_cast<std::size_t>(data->BufTextLen));
    data->Buf = writing.text.data();
    return 0;
  }
  if (const auto asked = std::exchange(writing.view.edit_asked, std::nullopt)) putAsked(*data, *asked);
  const bool selects = data->SelectionStart != data->SelectionEnd;
  writing.view.edited_text.from = selects ? data->SelectionStart : data->CursorPos;
  writing.view.edited_text.to = selects ? data->SelectionEnd : data->CursorPos;
  return 0;
}

// Rows of a print stay whole as long as they can be read: numbers are as wide as each other.
float linesSize(const Frame& frame, const std::string& text, float room) {
  constexpr float kUsual = 13.5f, kLeast = 10;
  std::size_t longest = 1;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    longest = std::max(longest, end - from);
    from = end + 1;
  }
  const float width = measure(Face::kNumber, frame.size(kUsual), "0").x * static_cast<float>(longest);
  return frame.size(std::clamp(kUsual * room / width, kLeast, kUsual));
}

// True while it is being written in.
bool edit(Frame& frame, const std::string& name, const Rect& rect, const FieldOptions& options, bool begin,
          std::string& text) {
  pushFace(options.figures ? Face::kNumber : Face::kBody, options.lines ? linesSize(frame, text, rect.w - frame.size(32)) : frame.size(kBody));
  const float above = options.lines ? frame.size(6) : std::max(0.f, (rect.h - ImGui::GetFontSize()) / 2);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {frame.size(8), above});
  ImGui::SetCursorScreenPos({rect.x, rect.y});
  ImGui::SetNextItemWidth(rect.w);
  ImGui::PushID(name.data(), name.data() + name.size());
  if (begin) ImGui::SetKeyboardFocusHere();
  Writing writing{frame.view, text};
  const ImGuiInputTextFlags flags = ImGuiInputTextFlags_CallbackResize | ImGuiInputTextFlags_CallbackAlways;
  const std::size_t size = text.capacity() + 1;
  if (options.lines) ImGui::InputTextMultiline("##area", text.data(), size, {rect.w, rect.h}, flags, onEdit, &writing);
  else ImGui::InputText("##field", text.data(), size, flags | ImGuiInputTextFlags_AutoSelectAll, onEdit, &writing);
  ImGui::PopID();
  ImGui::PopStyleVar();
  popFace();
  return ImGui::IsItemActive();
}

void decorate(Frame& frame, const Rect& rect, const FieldOptions& options, bool writing, bool empty) {
  const Colors& c = frame.colors;
  ImGui::GetWindowDrawList()->AddRect({rect.x, rect.y}, {rect.x + rect.w, rect.y + rect.h},
                                      packed(writing ? c.focus : c.line), kRounding, 0, writing ? 2.f : 1.f);
  if (!empty || options.hint.empty()) return;
  const TextStyle style{.size = kBody, .color = c.muted};
  const float left = rect.x + frame.size(8), room = rect.w - frame.size(16);
  if (options.lines) paragraph(frame, style, options.hint, left, rect.y + frame.size(6), room);
  else line(frame, style, options.hint, {left, rect.y, room, rect.h});
}

// What counts as written in this frame.
std::optional<std::string> writtenNow(ViewState& view, const std::string& name, const FieldOptions& options,
                                      const std::string& text, const std::string& shown, bool writing) {
  const bool was_writing = view.edited == name;
  if (!writing) {
    if (!was_writing) return std::nullopt;
    view.edited.clear();
    view.edit_asked.reset();
    return shown;
  }
  const std::size_t before = was_writing ? view.edited_text.text.size() : text.size();
  view.edited = name;
  view.edited_text.text = shown;
  const bool pasted = options.lines && shown.size() > before + kMostTyped;
  return options.live || pasted ? std::optional(shown) : std::nullopt;
}

}  // namespace

std::optional<std::string> field(Frame& frame, std::string_view id, std::string_view label, const std::string& text,
                                 const Rect& rect, const FieldOptions& options) {
  const std::string name(id);
  std::string shown = frame.view.edited == name ? frame.view.edited_text.text : text;
  const bool begin = frame.recorder.takeActivation(name);
  fill(rect, frame.colors.ground);
  const bool writing = edit(frame, name, rect, options, begin, shown);
  decorate(frame, rect, options, writing, shown.empty());
  if (frame.recorder.focused == name && !writing) focusRing(frame, rect);
  tooltipOfItem(frame, label, keysOf(id), options.tip);
  std::optional<std::string> written = frame.recorder.takeText(name);
  if (auto now = writtenNow(frame.view, name, options, text, shown, writing)) written = std::move(now);
  if (writing && !frame.view.environment.page_owns_focus) frame.recorder.focused = name;
  const std::string_view hint = shown.empty() ? options.hint : std::string_view{};
  frame.recorder.add({.id = name,
                      .label = std::string(label),
                      .role = Role::kField,
                      .rect = rect,
                      .visible = onScreen(rect),
                      .value_text = shown,
                      .keys = keysOf(id),
                      .group = std::string(options.group),
                      .lines = options.lines,
                      .about = std::string(hint) + (hint.empty() || options.tip.empty() ? "" : ". ") + std::string(options.tip)});
  return written && *written != text ? written : std::nullopt;
}

}  // namespace attn::ui
