// Keeping and finding the controls of one frame. Knows no widget.
#include "ui/recorder.h"

#include <algorithm>

namespace attn::ui {

void Recorder::beginFrame() {
  controls_.clear();
  texts.clear();
  if (++activated_age_ > 1) activated_.clear();
  if (++valued_age_ > 1) valued_.clear();
  if (++written_age_ > 1) written_.clear();
  if (++nudged_age_ > 1) nudged_.clear();
}

void Recorder::add(Control control) {
  control.in_sheet = in_sheet;
  controls_.push_back(std::move(control));
}

void Recorder::describe(std::size_t from, std::string_view words) {
  if (words.empty() || from >= controls_.size()) return;
  const auto first = controls_.begin() + static_cast<std::ptrdiff_t>(from);
  auto told = std::find_if(first, controls_.end(), [](const Control& c) { return c.role == Role::kField; });
  if (told == controls_.end()) told = first;
  told->about += (told->about.empty() ? "" : " ") + std::string(words);
}

const Control* Recorder::find(std::string_view label) const {
  const auto at = std::find_if(controls_.begin(), controls_.end(), [&](const Control& c) { return c.label == label; });
  return at == controls_.end() ? nullptr : &*at;
}

const Control* Recorder::byId(std::string_view id) const {
  const auto at = std::find_if(controls_.begin(), controls_.end(), [&](const Control& c) { return c.id == id; });
  return at == controls_.end() ? nullptr : &*at;
}

bool Recorder::takeActivation(std::string_view id) {
  if (activated_.empty() || activated_ != id) return false;
  activated_.clear();
  return true;
}

std::optional<double> Recorder::takeValue(std::string_view id) {
  if (valued_.empty() || valued_ != id) return std::nullopt;
  valued_.clear();
  return value_;
}

std::optional<std::string> Recorder::takeText(std::string_view id) {
  if (written_.empty() || written_ != id) return std::nullopt;
  written_.clear();
  return text_;
}

std::optional<std::pair<int, int>> Recorder::takeNudge(std::string_view id) {
  if (nudged_.empty() || nudged_ != id) return std::nullopt;
  nudged_.clear();
  return nudge_;
}

}  // namespace attn::ui
