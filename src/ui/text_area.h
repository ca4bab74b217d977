// A field of several lines: pasted text keeps its lines. Knows nothing of what is written in it.
#pragma once
#include "ui/widgets.h"

namespace attn::ui {

// As field(), but what is pasted counts at once, and Enter begins a new line: Ctrl + Enter, Tab and a press elsewhere end
// what is typed.
std::optional<std::string> textArea(Frame& frame, std::string_view id, std::string_view label, const std::string& text,
                                    const Rect& rect, const FieldOptions& options = {});

}  // namespace attn::ui
