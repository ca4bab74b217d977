// Tickets, pages and steps of a scene's params. See scene_show.h.
#include "app/scene_show.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <utility>

#include "core/language.h"
#include "core/number.h"

namespace attn::app {
namespace {

using lesson::Param;
using lesson::ParamKind;
using lesson::Settings;

const Param* findParam(const lesson::Page& page, const std::string& key) {
  const auto found = std::find_if(page.params.begin(), page.params.end(), [&](const Param& p) { return p.key == key; });
  return found == page.params.end() ? nullptr : &*found;
}

bool isNumeric(ParamKind kind) {
  return kind == ParamKind::kInteger || kind == ParamKind::kNumber || kind == ParamKind::kSeed;
}

// "from 1 to 512", "one of a, b", … for the sentence about a value that is not possible.
std::string possible(const Param& param) {
  if (param.kind == ParamKind::kInteger || param.kind == ParamKind::kNumber)
    return param.kind == ParamKind::kInteger
               ? tr("a whole number from {0} to {1}", {core::fullText(param.minimum), core::fullText(param.maximum)})
               : tr("a number from {0} to {1}", {core::fullText(param.minimum), core::fullText(param.maximum)});
  if (param.kind == ParamKind::kToggle) return tr("1 or 0");
  if (param.kind == ParamKind::kSeed) return tr("a whole number");
  if (param.kind == ParamKind::kOrder) return tr("each of 0 to {0} once", {param.options.size() - 1});
  if (param.kind == ParamKind::kText) return tr("a text of at most 400 characters");
  if (param.kind == ParamKind::kData) return tr("at most 1 MiB of text");
  if (param.kind == ParamKind::kNumbers) return tr("as many numbers as its preset, {0}", {param.preset});
  std::string ids;
  for (const auto& option : param.options) ids += (ids.empty() ? "" : ", ") + option.id;
  return tr("one of {0}", {ids});
}

constexpr std::size_t kLongestData = std::size_t(1) << 20;  // bytes

std::string impossible(const Param& param, const std::string& value) {
  if (param.kind == ParamKind::kData)
    return tr("A text of {0} bytes is not possible for “{1}”, which takes {2}",
              {value.size(), param.label, possible(param)});
  return tr("“{0}” is not possible for “{1}”, which takes {2}", {value, param.label, possible(param)});
}

// Decimal steps such as 0.1 add up to 0.30000000000000004 otherwise.
double rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.12g", value);
  return core::parseNumber(text).value_or(value);
}

// Twice and half as much, where what matters is the order of magnitude; 0 is left by one step.
double doubled(const Param& param, double value, Index by) {
  for (; by > 0 && value < param.maximum; --by) value = std::max(value * 2, value + param.step);
  for (; by < 0 && value > param.minimum && value / 2 != value; ++by) value /= 2;
  return value;
}

bool reachesMaximum(const Param& param, const std::string& value) {
  const auto number = isNumeric(param.kind) ? core::parseNumber(value) : std::nullopt;
  return number && *number >= param.maximum;
}

bool sameValue(const Param& param, const std::string& a, const std::string& b) {
  if (a == b) return true;
  if (!isNumeric(param.kind)) return false;
  const auto x = core::parseNumber(a), y = core::parseNumber(b);
  return x && y && *x == *y;
}

bool isLimited(const Param& param, const std::string& value) {
  return reachesMaximum(param, value) && reachesMaximum(param, param.value) && !sameValue(param, value, param.value);
}

}  // namespace

void SceneShow::follow(const State& state, const Settings& context) {
  if (state.scene == scene_ && state.settings == settings_ && context == context_) return;
  if (state.scene != scene_) {
    page_.reset();
    shown_settings_.clear();
  }
  scene_ = state.scene;
  settings_ = state.settings;
  context_ = context;
  ask();
}

void SceneShow::retry() {
  if (!failure_.empty()) ask();
}

void SceneShow::keepPage() {
  if (!page_) return;
  settings_ = shown_settings_;
  shown_request_.reset();  // its page comes no more
  request_.reset();
  failure_.clear();
  done_ = -1;
}

void SceneShow::ask() {
  failure_.clear();
  done_ = -1;
  shown_request_.reset();
  before_ = shown_settings_;
  request_.reset();
  if (scene_.empty()) return;
  request_ = SceneRequest{++tickets_, scene_, settings_};
  request_->settings.insert(request_->settings.end(), context_.begin(), context_.end());
}

void SceneShow::arrive(lesson::Page page, Settings settings) {
  settings_ = shown_settings_ = std::move(settings);
  if (request_) shown_request_ = request_;
  page_ = std::make_shared<const lesson::Page>(std::move(page));
  request_.reset();
  done_ = -1;
}

void SceneShow::fail(std::string sentence) {
  failure_ = std::move(sentence);
  request_.reset();
  done_ = -1;
}

bool SceneShow::progress(double done) {
  if (!request_) request_ = shown_request_;
  const double inside = done >= 0 ? std::min(done, 1.0) : -1;
  return std::exchange(done_, inside) != inside;
}

Settings SceneShow::newSettings() const {
  Settings added;
  std::set_difference(settings_.begin(), settings_.end(), before_.begin(), before_.end(), std::back_inserter(added));
  return added;
}

std::string valueIn(const Settings& settings, const Param& param) {
  const auto found = std::find_if(settings.begin(), settings.end(), [&](const auto& s) { return s.first == param.key; });
  if (found == settings.end()) return param.preset;
  return reachesMaximum(param, found->second) ? core::fullText(param.maximum) : found->second;
}

Settings settingsOf(const lesson::Page& page, const Settings& asked) {
  Settings settings;
  for (const Param& param : page.params)
    if (!sameValue(param, param.value, param.preset)) settings.emplace_back(param.key, param.value);
  std::sort(settings.begin(), settings.end());
  for (const auto& [key, value] : asked)
    if (const Param* param = findParam(page, key); param && reachesMaximum(*param, value) && reachesMaximum(*param, param->value))
      settings = withSetting(std::move(settings), key, value);
  return settings;
}

Settings withSetting(Settings settings, const std::string& key, const std::string& value) {
  const auto at = std::lower_bound(settings.begin(), settings.end(), key,
                                   [](const auto& setting, const std::string& k) { return setting.first < k; });
  if (at != settings.end() && at->first == key)
    at->second = value;
  else
    settings.insert(at, {key, value});
  return settings;
}

std::string refusedSettings(const Settings& asked, const lesson::Page& page) {
  std::string sentences;
  for (const auto& [key, value] : asked) {
    const Param* param = findParam(page, key);
    const bool taken = param && (sameValue(*param, value, param->value) || isLimited(*param, value) ||
                                 !sameValue(*param, param->value, param->preset));
    if (taken) continue;
    sentences += sentences.empty() ? "" : " ";
    if (!param)
      sentences += tr("This scene has nothing called “{0}”, so it is left out.", {key});
    else
      sentences += tr("{0}; it is as at the start.", {impossible(*param, value)});
  }
  return sentences;
}

std::string limitedSettings(const Settings& asked, const lesson::Page& page) {
  std::string sentences;
  for (const auto& [key, value] : asked) {
    const Param* param = findParam(page, key);
    if (!param || !isLimited(*param, value)) continue;
    sentences += (sentences.empty() ? "" : " ") + tr("{0}; it is taken as {1}.", {impossible(*param, value), param->value});
  }
  return sentences;
}

std::string refusal(const Param& param, const std::string& value) {
  const auto number = isNumeric(param.kind) ? core::parseNumber(value) : std::nullopt;
  bool taken = true;
  if (isNumeric(param.kind)) {
    const bool whole = param.kind == ParamKind::kNumber || (number && *number == std::floor(*number));
    taken = number && whole && *number >= param.minimum && *number <= param.maximum;
  } else if (param.kind == ParamKind::kToggle) {
    taken = value == "0" || value == "1";
  } else if (param.kind == ParamKind::kData) {
    taken = value.size() <= kLongestData;
  } else if (param.kind == ParamKind::kChoice) {
    taken = std::any_of(param.options.begin(), param.options.end(), [&](const auto& o) { return o.id == value; });
  }
  return taken ? "" : impossible(param, value) + ".";
}

std::optional<std::string> stepped(const Param& param, const std::string& value, Index by) {
  if (param.kind == ParamKind::kToggle) return by > 0 ? "1" : "0";
  if (param.kind == ParamKind::kChoice) {
    const auto now = std::find_if(param.options.begin(), param.options.end(), [&](const auto& o) { return o.id == value; });
    if (now == param.options.end()) return std::nullopt;
    const Index last = static_cast<Index>(param.options.size()) - 1;
    return param.options[static_cast<std::size_t>(std::clamp<Index>(now - param.options.begin() + by, 0, last))].id;
  }
  const auto number = isNumeric(param.kind) ? core::parseNumber(value) : std::nullopt;
  if (!number) return std::nullopt;
  const double wanted = param.logarithmic ? doubled(param, *number, by) : *number + static_cast<double>(by) * param.step;
  const bool whole = param.kind != ParamKind::kNumber;
  return core::fullText(std::clamp(whole ? std::floor(wanted) : rounded(wanted), param.minimum, param.maximum));
}

}  // namespace attn::app
