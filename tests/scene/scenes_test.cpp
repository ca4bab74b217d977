// What every scene satisfies, whatever it shows: each is run at its presets and at the ends of every control.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "core/number.h"
#include "io/json.h"
#include "lesson/catalogue.h"
#include "lesson/page_json.h"
#include "scene/scene.h"
#include "scene/text_file.h"
#include "scene/values.h"
#include "support/pages.h"
#include "support/sanitized.h"

namespace {

using namespace attn;
using namespace attn::scene;
using io::Json;
using lesson::Param;
using lesson::ParamKind;

// A computation that asks more often than this has shown that it can be stopped.
constexpr int kMostAsked = 30;

bool measuresTime(const std::vector<Param>& params) {
  return std::any_of(params.begin(), params.end(), [](const Param& param) { return param.key == "measure" && param.value == "1"; });
}

std::string repeated(const std::string& value, std::size_t count) {
  std::string list;
  for (std::size_t i = 0; i < count; ++i) list += (i ? "," : "") + value;
  return list;
}

std::string reversed(std::size_t count) {
  std::string list;
  for (std::size_t i = count; i-- > 0;) list += std::to_string(i) + (i ? "," : "");
  return list;
}

// The ends of its range and each of its options.
std::vector<std::string> valuesOf(const Param& param) {
  const std::string low = core::fullText(param.minimum), high = core::fullText(param.maximum);
  const std::size_t count = splitList(param.preset).size();
  std::vector<std::string> values;
  switch (param.kind) {
    case ParamKind::kInteger: case ParamKind::kNumber: case ParamKind::kSeed: return {low, high};
    case ParamKind::kToggle: return {"0", "1"};
    case ParamKind::kOrder: return {reversed(param.options.size())};
    case ParamKind::kNumbers: return {repeated(low, count), repeated(high, count)};
    case ParamKind::kText: case ParamKind::kData: return {};
    case ParamKind::kChoice: break;
  }
  for (const lesson::ParamOption& option : param.options) values.push_back(option.id);
  return values;
}

std::vector<Settings> variantsOf(const Scene& scene) {
  std::vector<Settings> variants = {{}};
  const core::Result<std::vector<Param>> params = paramsOf(scene.id);
  REQUIRE_MESSAGE(params.ok(), (params ? "" : params.error().message));
  for (const Param& param : params.value()) {
    for (const std::string& value : valuesOf(param)) {
      if (value != param.preset) variants.push_back({{param.key, value}});
    }
  }
  return variants;
}

// The names that stand behind `key` in the items of the page.
std::set<std::string> namedIn(const Json& file, std::string_view key) {
  std::set<std::string> names;
  const Json* page = file.find("page");
  REQUIRE(page);
  const auto* items = page->as<Json::Items>();
  REQUIRE(items);
  for (const Json& item : *items) {
    const Json* name = item.isObject() ? item.find(key) : nullptr;
    if (name) names.insert(*name->as<std::string>());
  }
  return names;
}

Json fileOf(const Scene& scene) {
  core::Result<Json> file = io::parseJson(scene.text);
  REQUIRE_MESSAGE(file.ok(), (file ? "" : file.error().message));
  return file.take();
}

std::string decoded(std::string_view text) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : (c & ~0x20) - 'A' + 10; };
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      bytes += static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
      i += 2;
    } else {
      bytes += text[i];
    }
  }
  return bytes;
}

// "" when the link opens a scene that exists, with controls that it has, or the walkthrough.
std::string wrongWith(const std::string& link) {
  std::string id;
  Settings settings;
  for (std::size_t start = 0; start < link.size();) {
    const std::size_t end = std::min(link.find('&', start), link.size());
    const std::string part = link.substr(start, end - start);
    const std::size_t equals = std::min(part.find('='), part.size());
    const std::string key = part.substr(0, equals), value = decoded(part.substr(std::min(equals + 1, part.size())));
    if (key == "scene") id = value;
    if (key.rfind("set.", 0) == 0) settings.emplace_back(key.substr(4), value);
    start = end + 1;
  }
  if (id.empty()) return settings.empty() ? "" : "It sets something outside a scene.";
  core::Result<std::vector<Param>> params = paramsOf(id);
  if (!params) return params.error().message;
  const core::Check wrong = applySettings(id, settings, params.value());
  return wrong ? wrong->message : "";
}

core::Result<Page> runAsked(const Scene& scene, const Settings& settings, bool& stopped) {
  int asked = 0;
  stopped = false;
  return run(scene.id, settings, [&](double done) {
    CHECK(done >= 0);
    CHECK(done <= 1);
    stopped = !settings.empty() && ++asked > kMostAsked;
    return !stopped;
  });
}

void checkWords(const Scene& scene, const Page& page) {
  const bool speaks_of_nan = scene.text.find("NaN") != std::string_view::npos;
  const auto sound = [&](const std::string& text) { return speaks_of_nan || text.find("NaN") == std::string::npos; };
  CHECK_FALSE(page.title.empty());
  CHECK_FALSE(page.look.empty());
  CHECK_FALSE(page.says.empty());
  CHECK_FALSE(page.blocks.empty());
  CHECK_FALSE(page.results.empty());
  CHECK(page.look.find('\n') == std::string::npos);
  CHECK(sound(page.says));
  for (const lesson::Block& block : page.blocks) {
    if (const auto* claim = std::get_if<lesson::Claim>(&block.content)) {
      CHECK_FALSE(claim->text.empty());
      CHECK_MESSAGE(sound(claim->text), claim->text);
    }
  }
}

std::set<std::string> linksOf(const Page& page) {
  std::set<std::string> links;
  for (const lesson::Block& block : page.blocks) {
    if (const auto* jump = std::get_if<lesson::Jump>(&block.content)) links.insert(jump->link);
  }
  return links;
}

TEST_CASE("every scene computes at its presets and at the ends of every control") {
  for (const Scene& scene : scenes()) {
    std::set<std::string> links;
    for (const Settings& settings : variantsOf(scene)) {
      const std::string setting = settings.empty() ? "presets" : settings[0].first + "=" + settings[0].second;
      CAPTURE(scene.id);
      CAPTURE(setting);
      if (test::kSanitized && setting == "measure=1") continue;  // which runs by itself for long, in tests of its scene
      bool stopped = false;
      const core::Result<Page> page = runAsked(scene, settings, stopped);
      if (stopped) continue;
      CHECK_MESSAGE(page.ok(), (page ? "" : page.error().message));
      if (!page) continue;
      checkWords(scene, page.value());
      links.merge(linksOf(page.value()));
      if (test::kSanitized && !settings.empty()) continue;  // the same way there and back for each
      const std::string json = lesson::pageJson(page.value());
      const core::Result<Page> back = lesson::parsePage(json);
      CHECK_MESSAGE(back.ok(), (back ? "" : back.error().message));
      if (back) CHECK(lesson::pageJson(back.value()) == json);
    }
    for (const std::string& link : links) CHECK_MESSAGE(wrongWith(link) == "", link);
  }
}

TEST_CASE("a scene run twice gives the same page and the same results") {
  for (const Scene& scene : scenes()) {
    CAPTURE(scene.id);
    const core::Result<Page> first = run(scene.id, {}), second = run(scene.id, {});
    CHECK((first.ok() && second.ok()));
    if (!first || !second) continue;
    CHECK_MESSAGE(!measuresTime(first.value().params), "time is measured only when `measure` is switched on");
    CHECK(lesson::pageJson(first.value()) == lesson::pageJson(second.value()));
    CHECK(lesson::sceneJson(first.value()) == lesson::sceneJson(second.value()));
  }
}

TEST_CASE("no result has the name of a control, which would hide what is set from the words and their conditions") {
  for (const Scene& scene : scenes()) {
    CAPTURE(scene.id);
    const core::Result<Page> page = run(scene.id, {});
    REQUIRE(page.ok());
    for (const Param& param : page.value().params) {
      const auto same = [&](const auto& result) { return result.name == param.key; };
      CHECK_MESSAGE(std::none_of(page.value().results.begin(), page.value().results.end(), same), param.key);
    }
  }
}

TEST_CASE("every figure that a scene makes is placed, and every one that it places is made" *
          doctest::skip(attn::test::kSlow)) {
  for (const Scene& scene : scenes()) {
    CAPTURE(scene.id);
    const Json file = fileOf(scene);
    std::set<std::string> figures, lists;
    for (const Settings& settings : variantsOf(scene)) {
      core::Result<std::vector<Param>> params = paramsOf(scene.id);
      REQUIRE_FALSE(applySettings(scene.id, settings, params.value()));
      Outputs outputs;
      int asked = 0;
      const core::Check wrong = scene.compute(Inputs(params.value()), outputs, [&](double) { return ++asked <= kMostAsked; });
      if (wrong && asked <= kMostAsked) FAIL(wrong->message);
      for (const Outputs::Named& figure : outputs.figures) figures.insert(figure.name);
      for (const auto& list : outputs.lists) lists.insert(list.first);
    }
    CHECK(figures == namedIn(file, "figure"));
    CHECK(lists == namedIn(file, "blocks"));
  }
}

TEST_CASE("every text file says where to read further, or that there is nothing") {
  for (const Scene& scene : scenes()) {
    CAPTURE(scene.id);
    const Json file = fileOf(scene);
    const Json* further = file.find("further");
    REQUIRE(further);
    const auto* sources = further->as<Json::Items>();
    REQUIRE(sources);
    for (const Json& source : *sources) {
      for (const std::string field : {"authors", "year", "title", "section", "measured"}) {
        const Json* text = source.find(field);
        CAPTURE(field);
        CHECK((text && text->as<std::string>() && (field == "section" || !text->as<std::string>()->empty())));
      }
    }
  }
}

TEST_CASE("every control has a key for links and a label for people") {
  for (const Scene& scene : scenes()) {
    CAPTURE(scene.id);
    const core::Result<std::vector<Param>> params = paramsOf(scene.id);
    REQUIRE(params.ok());
    for (const Param& param : params.value()) {
      CAPTURE(param.key);
      CHECK_FALSE(param.label.empty());
      CHECK(param.key.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string::npos);
    }
  }
}

TEST_CASE("the teaching order of the catalogue lists the walkthrough and every registered scene, with the same titles") {
  const std::vector<lesson::CatalogueEntry>& entries = lesson::catalogue().front().entries;
  std::set<std::string> ids = {"walkthrough"}, listed;
  for (const Scene& scene : scenes()) ids.emplace(scene.id);
  std::size_t apart = 0;  // what needs a model is no scene by itself
  for (const lesson::CatalogueEntry& entry : entries) {
    if (entry.of_model) ++apart;
    else listed.insert(entry.id);
  }
  CHECK(listed == ids);
  CHECK(listed.size() + apart == entries.size());
  for (const Scene& scene : scenes()) {
    CAPTURE(scene.id);
    const lesson::CatalogueEntry* entry = lesson::findScene(scene.id);
    const Json file = fileOf(scene);
    const Json* title = file.find("title");
    CHECK((entry && title));
    if (entry && title) CHECK(entry->title == *title->as<std::string>());
  }
}

TEST_CASE("every link of the catalogue opens a scene with controls that it has") {
  for (const lesson::CatalogueOrder& order : lesson::catalogue()) {
    for (const lesson::CatalogueEntry& entry : order.entries) {
      if (entry.of_model) continue;
      CAPTURE(entry.title);
      CHECK_MESSAGE(wrongWith(entry.link) == "", entry.link);
    }
  }
}

TEST_CASE("an unknown scene is refused with the list of those that exist") {
  const core::Result<Page> page = run("no-such-scene", {});
  REQUIRE_FALSE(page.ok());
  CHECK(page.error().message.find("why-context") != std::string::npos);
  CHECK_FALSE(paramsOf("no-such-scene").ok());
}

}  // namespace
