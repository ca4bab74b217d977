// ImGui's editor of several lines in the colours of our controls, around a string that grows. See text_area.h.
#include "ui/text_area.h"

#include "ui/text.h"

namespace attn::ui {
namespace {

constexpr std::size_t kMostTyped = 8;  // bytes in one frame; more have been pasted

int grow(ImGuiInputTextCallbackData* data) {
  if (data->EventFlag != ImGuiInputTextFlags_CallbackResize) return 0;
  auto& text = *static_cast<std::string*>(data->UserData);
  text.resize(static_cast<std::size_t>(data->BufTextLen));
  data->Buf = text.data();
  return 0;
}

// True while it is being written in.
bool edit(Frame& frame, const std::string& name, const Rect& rect, const FieldOptions& options, bool begin,
          std::string& text) {
  pushFace(options.figures ? Face::kNumber : Face::kBody, frame.size(options.figures ? 13.5f : kBody));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {frame.size(8), frame.size(6)});
  ImGui::SetCursorScreenPos({rect.x, rect.y});
  ImGui::PushID(name.data(), name.data() + name.size());
  if (begin) ImGui::SetKeyboardFocusHere();
  ImGui::InputTextMultiline("##area", text.data(), text.capacity() + 1, {rect.w, rect.h},
                            ImGuiInputTextFlags_CallbackResize, grow, &text);
  ImGui::PopID();
  ImGui::PopStyleVar();
  popFace();
  return ImGui::IsItemActive();
}

void ring(Frame& frame, const Rect& r) {
  ImGui::GetWindowDrawList()->AddRect({r.x + 1, r.y + 1}, {r.x + r.w - 1, r.y + r.h - 1}, packed(frame.colors.focus),
                                      kRounding, 0, 2);
  if (frame.recorder.brought_into_view == frame.recorder.focused) return;
  frame.recorder.brought_into_view = frame.recorder.focused;
  ImGui::SetScrollFromPosY(r.y + r.h / 2 - ImGui::GetWindowPos().y);
}

}  // namespace

std::optional<std::string> textArea(Frame& frame, std::string_view id, std::string_view label, const std::string& text,
                                    const Rect& rect, const FieldOptions& options) {
  const std::string name(id);
  const bool was_writing = frame.view.edited == name;
  std::string shown = was_writing ? frame.view.edited_text : text;
  const bool begin = frame.recorder.takeActivation(name);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({rect.x, rect.y}, {rect.x + rect.w, rect.y + rect.h}, packed(frame.colors.ground), kRounding);
  const bool writing = edit(frame, name, rect, options, begin, shown);
  list.AddRect({rect.x, rect.y}, {rect.x + rect.w, rect.y + rect.h},
               packed(writing ? frame.colors.focus : frame.colors.line), kRounding, 0, writing ? 2.f : 1.f);
  if (shown.empty() && !options.hint.empty())
    paragraph(frame, {.size = kBody, .color = frame.colors.muted}, options.hint, rect.x + frame.size(8),
              rect.y + frame.size(6), rect.w - frame.size(16));
  if (frame.recorder.focused == name && !writing) ring(frame, rect);
  std::optional<std::string> written = frame.recorder.takeText(name);
  if (writing) {
    const std::size_t before = was_writing ? frame.view.edited_text.size() : text.size();
    if (shown.size() > before + kMostTyped) written = shown;
    frame.view.edited = name;
    frame.view.edited_text = shown;
    if (!frame.view.environment.page_owns_focus) frame.recorder.focused = name;
  } else if (was_writing) {
    written = shown;
    frame.view.edited.clear();
  }
  const float top = ImGui::GetWindowDrawList()->GetClipRectMin().y,
              bottom = ImGui::GetWindowDrawList()->GetClipRectMax().y;
  frame.recorder.add({.id = name,
                      .label = std::string(label),
                      .role = Role::kField,
                      .rect = rect,
                      .visible = rect.y < bottom && rect.y + rect.h > top,
                      .value_text = shown,
                      .group = std::string(options.group),
                      .lines = true});
  return written && *written != text ? written : std::nullopt;
}

}  // namespace attn::ui
