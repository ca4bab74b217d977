// In which order the keyboard and the mirror go through the controls: by what they are about, within that as the eye
// reads them. Draws nothing.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "ui/recorder.h"

namespace attn::ui {

bool isControl(const Control& control);  // something to work, rather than a cell or a text

// What a group of controls is about, from the beginning of their ids: "transport/next" → "Stepping".
std::string groupName(std::string_view id);
// Stepping and choosing: what stands before the explanation of the step.
bool comesFirst(std::string_view id);

std::vector<const Control*> inReadingOrder(const Recorder& recorder);

}  // namespace attn::ui
