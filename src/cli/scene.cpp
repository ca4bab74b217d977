// `attnscope-cli scenes` and `attnscope-cli scene`: which scenes there are, and what one computes.
#include <array>

#include "cli/arguments.h"
#include "core/number.h"
#include "desk/desk.h"
#include "disk/file.h"
#include "disk/file_source.h"
#include "disk/shipped.h"
#include "lesson/catalogue.h"
#include "lesson/example.h"
#include "lesson/page_json.h"
#include "scene/scene.h"
#include "scene/text_file.h"
#include "scene/values.h"
#include "study/study.h"
#include "survey/survey.h"

namespace attn::cli {
namespace {

core::Check openFiles(const std::string& id, const Parsed& parsed, survey::Files& files) {
  std::vector<opened::NamedSource> main, other;
  for (const auto& [option, path] : parsed.repeated) {
    if (option == "--set") continue;
    const bool takes = id == survey::kSceneId || (id == study::kSceneId && option == "--file");
    if (!takes) return core::Error{option + " opens files for the scene " + (option == "--file" ? "arrays or model" : "arrays") +
                                   "; leave it out, or write scene arrays."};
    core::Result<std::unique_ptr<io::ByteSource>> source = disk::openFile(path);
    if (!source) return source.error();
    (option == "--file" ? main : other).push_back({disk::fileName(path), source.take()});
  }
  for (auto* sources : {&main, &other}) {
    if (sources->empty()) continue;
    const auto slot = sources == &main ? survey::Slot::kMain : survey::Slot::kOther;
    const survey::Files::Outcome outcome = files.open(slot, std::move(*sources));
    if (!outcome.sentences.empty()) return core::Error{outcome.sentences.front()};
  }
  return {};
}

// Computed again as long as it waits for something of the open files.
core::Result<lesson::Page> computed(const std::string& id, const Parsed& parsed, const lesson::Settings& settings) {
  desk::Desk desk(disk::shippedFile);
  if (core::Check failed = openFiles(id, parsed, desk.files)) return *failed;
  const core::Result<scene::Scene> scene = desk.find(id);
  if (!scene) return scene.error();
  core::Result<lesson::Page> page = scene::run(scene.value(), settings);
  while (page && desk.files.isWanting()) {
    while (desk.files.isWanting()) desk.files.step();
    page = scene::run(scene.value(), settings);
  }
  return page;
}

core::Result<std::string> keyLines(const std::string& id) {
  desk::Desk desk;
  const core::Result<scene::Scene> scene = desk.find(id);
  if (!scene) return scene.error();
  const core::Result<std::vector<lesson::Param>> params = scene::readParams(scene.value().text);
  if (!params) return params.error();
  std::string lines;
  for (const lesson::Param& param : params.value()) {
    lines += param.key + "\t" + std::string(scene::kindName(param.kind)) + "\t" + scene::rangeText(param) + "\t" +
             param.preset + "\n";
  }
  return lines;
}

core::Result<lesson::Settings> settingsOf(const Parsed& parsed) {
  lesson::Settings settings;
  for (const auto& [option, text] : parsed.repeated) {
    if (option != "--set") continue;
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
      return core::Error{option + " is \"" + text + "\"; write " + option + " key=value."};
    }
    settings.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return settings;
}

// The example of a scene about one may be a file too: a document is too long for most command lines.
core::Check readExampleFiles(lesson::Settings& settings) {
  for (auto& [key, value] : settings) {
    if ((key != "example" && key != "pinned_example") || value.empty()) continue;
    if (value.find('{') != std::string::npos || lesson::builtInExample(value)) continue;
    core::Result<std::string> text = disk::readFile(value);
    if (!text) return text.error();
    value = text.take();
  }
  return {};
}

// What a control did not take once the scene was known: it stands at another value than was asked for.
core::Check refusedValue(const lesson::Page& page, const lesson::Settings& settings) {
  for (const lesson::Param& param : page.params) {
    const bool choice = param.kind == lesson::ParamKind::kChoice;
    const bool number = param.kind == lesson::ParamKind::kInteger || param.kind == lesson::ParamKind::kNumber;
    for (const auto& [key, value] : settings)
      if (key == param.key && !value.empty() &&
          ((choice && value != param.value) || (number && core::parseNumber(value) != core::parseNumber(param.value))))
        return core::Error{"`" + key + "` is \"" + value + "\"; write one of " + scene::rangeText(param) + "."};
  }
  return {};
}

}  // namespace

core::Result<Output> runScenes(const Arguments& arguments) {
  const core::Result<Parsed> parsed = parseArguments("scenes", arguments, {});
  if (!parsed) return parsed.error();
  if (!parsed.value().plain.empty()) {
    return core::Error{"The command scenes takes nothing after it, found " + parsed.value().plain.front() +
                       "; leave it out."};
  }
  std::string lines;
  for (const lesson::CatalogueEntry& entry : lesson::catalogue().front().entries) {
    if (scene::find(entry.id)) lines += entry.id + "\t" + entry.title + "\n";
  }
  return Output{lines};
}

core::Result<Output> runScene(const Arguments& arguments) {
  constexpr std::array<std::string_view, 3> kRepeated = {"--set", "--file", "--other"};
  constexpr std::array<std::string_view, 2> kSwitches = {"--keys", "--page"};
  const core::Result<Parsed> parsed = parseArguments("scene", arguments, {}, {kRepeated, kSwitches});
  if (!parsed) return parsed.error();
  const std::vector<std::string>& plain = parsed.value().plain;
  if (plain.size() != 1) {
    return core::Error{"The command scene takes one id, found " + std::to_string(plain.size()) +
                       "; see attnscope-cli scenes for the ids."};
  }
  core::Result<lesson::Settings> settings = settingsOf(parsed.value());
  if (!settings) return settings.error();
  if (core::Check unread = readExampleFiles(settings.value())) return *unread;
  if (parsed.value().options.count("--keys")) {
    if (settings.value().empty()) {
      core::Result<std::string> lines = keyLines(plain.front());
      if (!lines) return lines.error();
      return Output{lines.take()};
    }
    return core::Error{"--keys lists what can be set and sets nothing; leave --set out."};
  }
  const core::Result<lesson::Page> page = computed(plain.front(), parsed.value(), settings.value());
  if (!page) return page.error();
  if (core::Check refused = refusedValue(page.value(), settings.value())) return *refused;
  const bool whole = parsed.value().options.count("--page") > 0;
  return Output{(whole ? lesson::pageJson(page.value()) : lesson::sceneJson(page.value())) + "\n"};
}

}  // namespace attn::cli
