// Scenes in a session: requests with tickets, pages that answer them, settings, undo and the way from scene to scene.
#include <doctest/doctest.h>

#include "app/api.h"
#include "app/explain.h"
#include "app/link.h"
#include "app/session.h"
#include "lesson/catalogue.h"
#include "lesson/page_json.h"
#include "support/problems.h"

namespace {

using namespace attn;
using namespace attn::app;
using lesson::Param;
using lesson::ParamKind;
using lesson::Settings;

const std::string kScene = "why-context", kWriting = "untrained";  // the second has a text of the person's

std::vector<Param> someParams() {
  Param layers;
  layers.key = "layers";
  layers.label = "Layers";
  layers.minimum = 1;
  layers.maximum = 6;
  layers.preset = "2";
  layers.main = true;
  Param mask = layers;
  mask.key = "mask";
  mask.label = "Mask";
  mask.kind = ParamKind::kChoice;
  mask.options = {{"none", "none"}, {"causal", "causal"}};
  mask.preset = "none";
  mask.main = false;
  Param on = layers;
  on.key = "on";
  on.kind = ParamKind::kToggle;
  on.preset = "0";
  on.main = false;
  return {layers, mask, on};
}

// What a scene with these params would answer: it takes what its params allow and presets for the rest.
std::string pageFor(const std::string& id, const Settings& settings) {
  lesson::Page page;
  page.id = id;
  page.title = "A page";
  page.look = "Look.";
  page.says = "It says.";
  page.params = someParams();
  for (Param& param : page.params) param.value = param.preset;
  if (id == kWriting) {
    page.params.emplace_back();
    page.params.back().key = page.params.back().label = "text";
    page.params.back().kind = ParamKind::kText;
  }
  for (Param& param : page.params) {
    for (const auto& [key, value] : settings)
      if (key == param.key) param.value = value;
    const bool number = param.kind == ParamKind::kInteger && param.value.size() == 1 && param.value >= "1" && param.value <= "6";
    const bool option = param.kind == ParamKind::kChoice && (param.value == "none" || param.value == "causal");
    const bool flag = param.kind == ParamKind::kToggle && (param.value == "0" || param.value == "1");
    if (!number && !option && !flag && param.kind != ParamKind::kText) param.value = param.preset;
  }
  return lesson::pageJson(page);
}

// Plays the part that computes.
void answer(Session& session) {
  const auto request = session.sceneRequest();
  REQUIRE(request.has_value());
  session.dispatch(action::ScenePage{request->ticket, pageFor(request->id, request->settings)});
}

Session opened(Settings settings = {}) {
  Session session;
  session.dispatch(action::OpenScene{kScene, std::move(settings)});
  answer(session);
  return session;
}

const std::string& shown(const Session& session, std::string_view key) {
  REQUIRE(session.page());
  for (const Param& param : session.page()->params)
    if (param.key == key) return param.value;
  FAIL("no such param");
  return session.page()->title;
}

}  // namespace

TEST_CASE("A scene that is opened is asked for once, and its page ends the asking") {
  Session session;
  CHECK(!session.sceneRequest());
  CHECK(!session.page());
  session.dispatch(action::OpenScene{kScene, {}});
  REQUIRE(session.sceneRequest());
  CHECK(session.sceneRequest()->id == kScene);
  CHECK(session.sceneRequest()->settings.empty());
  CHECK(session.computing());
  CHECK(!session.page());
  answer(session);
  CHECK(!session.computing());
  CHECK(session.page()->id == kScene);
  CHECK(session.notice().empty());
}

TEST_CASE("What is set is a new request; the old page stays until the new one is there") {
  Session session = opened();
  const auto before = session.page();
  session.dispatch(action::Set{"layers", "5"});
  REQUIRE(session.sceneRequest());
  CHECK(session.sceneRequest()->settings == Settings{{"layers", "5"}});
  CHECK(session.page() == before);
  answer(session);
  CHECK(shown(session, "layers") == "5");
  CHECK(session.state().settings == Settings{{"layers", "5"}});
}

TEST_CASE("An answer to an older request means nothing") {
  Session session = opened();
  session.dispatch(action::Set{"layers", "5"});
  const auto older = *session.sceneRequest();
  session.dispatch(action::Set{"layers", "6"});
  REQUIRE(session.sceneRequest()->ticket != older.ticket);
  session.dispatch(action::ScenePage{older.ticket, pageFor(kScene, older.settings)});
  session.dispatch(action::SceneFailed{older.ticket, "Too late."});
  session.dispatch(action::SceneProgress{older.ticket, 0.5});
  CHECK(session.computing());
  CHECK(session.notice().empty());
  CHECK(session.sceneProgress() == -1);
  CHECK(shown(session, "layers") == "2");
  answer(session);
  CHECK(shown(session, "layers") == "6");
}

TEST_CASE("Progress is known while it is told, and ends with the page") {
  Session session;
  session.dispatch(action::OpenScene{kScene, {}});
  CHECK(session.sceneProgress() == -1);
  session.dispatch(action::SceneProgress{session.sceneRequest()->ticket, 0.25});
  CHECK(session.sceneProgress() == 0.25);
  session.dispatch(action::SceneProgress{session.sceneRequest()->ticket, 7});
  CHECK(session.sceneProgress() == 1);
  answer(session);
  CHECK(session.sceneProgress() == -1);
}

TEST_CASE("Settings are kept sorted, one value per key, and presets are left out") {
  Session session = opened({{"on", "1"}, {"layers", "3"}, {"layers", "4"}, {"mask", "none"}});
  CHECK(session.state().settings == Settings{{"layers", "4"}, {"on", "1"}});
  session.dispatch(action::Set{"layers", "2"});
  CHECK(session.state().settings == Settings{{"on", "1"}});
  session.dispatch(action::ResetScene{});
  CHECK(session.state().settings.empty());
}

TEST_CASE("What the scene does not take is told when its page arrives") {
  const Session session = opened({{"colour", "red"}, {"layers", "70"}, {"on", "1"}});
  CHECK(session.state().settings == Settings{{"on", "1"}});
  CHECK(session.notice() ==
        "This scene has nothing called “colour”, so it is left out. “70” is not possible for “Layers”, which takes a "
        "whole number from 1 to 6; it is as at the start.");
}

TEST_CASE("An unknown key changes nothing once the page is there") {
  Session session = opened();
  session.dispatch(action::Set{"colour", "red"});
  CHECK(session.notice().find("colour") != std::string::npos);
  CHECK(!session.computing());
  CHECK(!session.state().settings.size());
}

TEST_CASE("An unknown scene changes nothing and is named") {
  Session session;
  session.dispatch(action::OpenScene{"nowhere", {}});
  CHECK(session.state().scene.empty());
  CHECK(session.notice().find("nowhere") != std::string::npos);
  session.dispatch(action::Set{"layers", "3"});
  CHECK(session.notice().find("No scene is open") != std::string::npos);
}

TEST_CASE("Setting the same key again and again is one item of the history") {
  Session session = opened();
  for (const char* value : {"3", "4", "5", "6"}) {
    session.dispatch(action::Set{"layers", value});
    answer(session);
  }
  session.dispatch(action::Undo{});
  CHECK(session.state().settings.empty());
  CHECK(session.state().scene == kScene);
  session.dispatch(action::Redo{});
  CHECK(session.state().settings == Settings{{"layers", "6"}});
}

TEST_CASE("Another key, or anything else between, begins a new item of the history") {
  Session session = opened();
  session.dispatch(action::Set{"layers", "3"});
  session.dispatch(action::Set{"on", "1"});
  session.dispatch(action::SetDecimals{3});
  session.dispatch(action::Set{"on", "0"});
  session.dispatch(action::Undo{});
  CHECK(session.state().settings == Settings{{"layers", "3"}, {"on", "1"}});
  session.dispatch(action::Undo{});
  session.dispatch(action::Undo{});
  CHECK(session.state().settings == Settings{{"layers", "3"}});
  session.dispatch(action::Undo{});
  CHECK(session.state().settings.empty());
}

TEST_CASE("Both coordinates of what is dragged go into one item, and dragging back leaves none") {
  Session session = opened();
  session.dispatch(action::Undo{});
  session.dispatch(action::Redo{});
  answer(session);
  for (const char* value : {"3", "4", "5"}) session.dispatch(action::SetAll{{{"layers", value}, {"mask", "causal"}}});
  session.dispatch(action::Undo{});
  CHECK(session.state().settings.empty());
  session.dispatch(action::Set{"layers", "3"});
  session.dispatch(action::Set{"layers", "2"});
  session.dispatch(action::Undo{});
  CHECK(session.state().scene.empty());
}

TEST_CASE("A step changes the main param by its step, within its range, also before the page has followed") {
  Session session = opened();
  session.dispatch(action::StepBy{1});
  session.dispatch(action::StepBy{1});
  CHECK(session.state().settings == Settings{{"layers", "4"}});
  session.dispatch(action::StepBy{100});
  CHECK(session.state().settings == Settings{{"layers", "6"}});
  session.dispatch(action::StepBy{-100});
  CHECK(session.state().settings == Settings{{"layers", "1"}});
  session.dispatch(action::Undo{});
  CHECK(session.state().settings.empty());
  CHECK(session.position() == 0);
}

TEST_CASE("Steps exist for numbers, choices and switches") {
  struct Row {
    ParamKind kind;
    const char* value;
    Index by;
    const char* expected;
  };
  const Row rows[] = {
      {ParamKind::kInteger, "3", 1, "4"},      {ParamKind::kInteger, "3", -9, "0"},  {ParamKind::kNumber, "0.1", 2, "2.1"},
      {ParamKind::kNumber, "1/2", 1, "1.5"},   {ParamKind::kSeed, "7", 1, "8"},      {ParamKind::kSeed, "0", -1, "0"},
      {ParamKind::kToggle, "0", 1, "1"},       {ParamKind::kToggle, "1", -1, "0"},   {ParamKind::kChoice, "a", 1, "b"},
      {ParamKind::kChoice, "b", 5, "c"},       {ParamKind::kChoice, "b", -5, "a"},   {ParamKind::kChoice, "lost", 1, ""},
      {ParamKind::kText, "a", 1, ""},          {ParamKind::kNumbers, "1,2", 1, ""},  {ParamKind::kInteger, "x", 1, ""},
  };
  for (const Row& row : rows) {
    Param param;
    param.kind = row.kind;
    param.maximum = 100;
    param.options = {{"a", "A"}, {"b", "B"}, {"c", "C"}};
    CAPTURE(row.value);
    CHECK(stepped(param, row.value, row.by).value_or("") == row.expected);
  }
  Param tenths;
  tenths.kind = ParamKind::kNumber;
  tenths.step = 0.1;
  std::string value = "0";
  for (int n = 0; n < 3; ++n) value = *stepped(tenths, value, 1);
  CHECK(value == "0.3");
  Param doubling;
  doubling.minimum = 0;
  doubling.maximum = 512;
  doubling.logarithmic = true;
  const std::pair<std::string, Index> steps[] = {{"0", 1}, {"1", 1}, {"5", 1}, {"400", 1}, {"512", 1000000},
                                                 {"512", -1}, {"5", -1}, {"1", -1}, {"0", -1000000}};
  const char* expected[] = {"1", "2", "10", "512", "512", "256", "2", "0", "0"};
  for (std::size_t i = 0; i < std::size(steps); ++i)
    CHECK(*stepped(doubling, steps[i].first, steps[i].second) == expected[i]);
}

TEST_CASE("Stages lead from scene to scene in the teaching order, and back to the walkthrough") {
  const auto& order = lesson::catalogue().front();
  REQUIRE(order.id == "teaching");
  REQUIRE(order.entries.size() >= 2);
  REQUIRE(order.entries.front().id == "walkthrough");
  Session session;
  session.dispatch(action::OpenScene{order.entries[1].id, {}});
  for (std::size_t i = 2; i < order.entries.size(); ++i) {
    session.dispatch(action::StageBy{1});
    CHECK(session.state().scene == order.entries[i].id);
  }
  session.dispatch(action::StageBy{1});
  CHECK(session.state().scene == order.entries.back().id);
  session.dispatch(action::StageBy{-1000});
  CHECK(session.state().scene.empty());
  session.dispatch(action::StageBy{1});
  CHECK(session.position() == 1);
}

TEST_CASE("The walkthrough is where it was when a scene is left, and an example leaves the scene") {
  Session session;
  session.dispatch(action::StepBy{4});
  session.dispatch(action::TogglePlay{});
  const State before = session.state();
  session.dispatch(action::OpenScene{kScene, {}});
  CHECK(!session.playback().playing);
  CHECK(session.state().at == before.at);
  session.dispatch(action::OpenScene{"walkthrough", {}});
  CHECK(session.state() == before);
  CHECK(!session.sceneRequest());
  session.dispatch(action::OpenScene{kScene, {{"layers", "3"}}});
  session.dispatch(action::OpenExample{"cat-sat-down"});
  CHECK(session.state().scene.empty());
  CHECK(session.state().settings.empty());
  session.dispatch(action::Undo{});
  CHECK(session.state().scene == kScene);
  CHECK(session.sceneRequest()->settings == Settings{{"layers", "3"}});
}

TEST_CASE("The stage's own actions change nothing while a scene is open") {
  Session session = opened();
  const State before = session.state();
  for (const Action& each : {Action{action::First{}}, Action{action::Seek{3}}, Action{action::ChooseRow{1}},
                             Action{action::TogglePlay{}}, Action{action::SetMask{MaskChoice::kNone}}}) {
    session.dispatch(each);
    CHECK(session.state() == before);
    CHECK(session.notice().find("walkthrough") != std::string::npos);
  }
  CHECK(!session.playback().playing);
}

TEST_CASE("A main control that plays goes on by itself, a step when the page of the one before is there, and stops at its end") {
  Session session;
  session.dispatch(action::Last{});  // the walkthrough stands at its end: no matter
  session.dispatch(action::OpenScene{kScene, {}});
  const auto arrive = [&session](const std::string& now) {
    lesson::Page page;
    page.id = kScene;
    page.params.push_back({.key = "made", .label = "Made", .kind = lesson::ParamKind::kInteger, .minimum = 0, .maximum = 2,
                           .preset = "0", .value = now, .main = true, .plays = true});
    REQUIRE(session.sceneRequest());
    session.dispatch(action::ScenePage{session.sceneRequest()->ticket, lesson::pageJson(page)});
  };
  const auto made = [&session] { return session.state().settings.empty() ? "0" : session.state().settings.front().second; };
  arrive("0");
  session.dispatch(action::TogglePlay{});
  CHECK(session.playback().playing);
  session.dispatch(action::Tick{0.1});
  CHECK(made() == "1");
  for (int i = 0; i < 20; ++i) session.dispatch(action::Tick{0.25});
  CHECK(made() == "1");  // its page is still being computed
  arrive("1");
  session.dispatch(action::Tick{0.25});
  CHECK(made() == "2");
  arrive("2");
  for (int i = 0; i < 20; ++i) session.dispatch(action::Tick{0.25});
  CHECK_FALSE(session.playback().playing);
  session.dispatch(action::TogglePlay{});
  CHECK_FALSE(session.playback().playing);
  CHECK(session.notice() == "This is the last step; set “Made” back to play again.");
  session.dispatch(action::Undo{});
  CHECK(made() == "0");  // all that was played is one item
}

TEST_CASE("A failure is told, ends the asking and can be tried again") {
  Session session;
  session.dispatch(action::OpenScene{kScene, {}});
  session.dispatch(action::SceneFailed{session.sceneRequest()->ticket, "The scenes could not be loaded."});
  CHECK(!session.computing());
  CHECK(session.sceneFailure() == "The scenes could not be loaded.");
  CHECK(session.notice() == session.sceneFailure());
  session.dispatch(action::RetryScene{});
  CHECK(session.computing());
  CHECK(session.sceneFailure().empty());
  answer(session);
  CHECK(session.page());
  session.dispatch(action::RetryScene{});
  CHECK(!session.computing());
}

TEST_CASE("A scene that opens with what cannot be computed begins as usual and says why") {
  Session session;
  session.dispatch(action::OpenScene{kScene, {{"d_k", "7"}}});
  session.dispatch(action::SceneFailed{session.sceneRequest()->ticket, "Seven is too many.", true});
  CHECK(session.computing());
  CHECK(session.state().settings.empty());
  CHECK(session.notice().rfind("Seven is too many.", 0) == 0);
  answer(session);
  CHECK(session.page());
  CHECK(session.notice().rfind("Seven is too many.", 0) == 0);
}

TEST_CASE("A value that its control does not take changes nothing and says what it takes") {
  Session session = opened({{"layers", "4"}});
  for (const char* value : {"abc", "", "-5", "99", "2.5", "nan"}) {
    session.clearNotice();
    session.dispatch(action::Set{"layers", value});
    CHECK(session.state().settings == Settings{{"layers", "4"}});
    CHECK(session.notice() == "“" + std::string(value) + "” is not possible for “Layers”, which takes a whole number from 1 to 6.");
    CHECK_FALSE(session.computing());
  }
  session.dispatch(action::Set{"mask", "sideways"});
  session.dispatch(action::Set{"on", "perhaps"});
  CHECK(session.state().settings == Settings{{"layers", "4"}});
  session.dispatch(action::Set{"layers", "12/4"});
  CHECK(session.state().settings == Settings{{"layers", "12/4"}});
}

TEST_CASE("What is refused while a page is shown leaves the page, and what was set") {
  Session session = opened();
  const auto page = session.page();
  session.dispatch(action::Set{"layers", "5"});
  REQUIRE(session.computing());
  const auto settings = session.state().settings;
  session.dispatch(action::SceneFailed{session.sceneRequest()->ticket, "Too many.", true});
  CHECK(session.page() == page);
  CHECK(session.state().settings == settings);
  CHECK(!session.computing());
}

TEST_CASE("Of a page that came before what it waits for, it is told why it cannot be computed after all") {
  Session session;
  session.dispatch(action::OpenScene{kScene, {}});
  const unsigned long ticket = session.sceneRequest()->ticket;
  answer(session);
  const auto page = session.page();
  session.dispatch(action::SceneFailed{ticket, "What came is damaged.", true});
  CHECK(session.page() == page);
  CHECK(session.notice() == "What came is damaged.");
  session.clearNotice();
  session.dispatch(action::Set{"layers", "5"});
  session.dispatch(action::SceneFailed{ticket, "What came is damaged.", true});
  CHECK(session.notice().empty());
  CHECK(session.computing());
}

TEST_CASE("A damaged answer is a failure, not a page") {
  for (const std::string& json : {std::string("{"), std::string("{}"), pageFor("elsewhere", {})}) {
    Session session;
    session.dispatch(action::OpenScene{kScene, {}});
    session.dispatch(action::ScenePage{session.sceneRequest()->ticket, json});
    CHECK(!session.page());
    CHECK(!session.sceneFailure().empty());
    CHECK(session.notice() == session.sceneFailure());
  }
}

TEST_CASE("Stopping goes back to what the page shows; without a page it can be tried again") {
  Session session = opened();
  session.dispatch(action::Set{"layers", "6"});
  session.dispatch(action::StopScene{});
  CHECK(!session.computing());
  CHECK(session.state().settings.empty());
  CHECK(!session.notice().empty());
  session.dispatch(action::Undo{});
  CHECK(session.state().settings == Settings{{"layers", "6"}});
  CHECK(session.computing());
  Session other;
  other.dispatch(action::OpenScene{kScene, {}});
  other.dispatch(action::StopScene{});
  CHECK(!other.computing());
  CHECK(!other.sceneFailure().empty());
}

TEST_CASE("Undo and redo go through scenes and ask for their pages") {
  Session session = opened({{"layers", "3"}});
  session.dispatch(action::Set{"mask", "causal"});
  answer(session);
  session.dispatch(action::Undo{});
  REQUIRE(session.sceneRequest());
  CHECK(session.sceneRequest()->settings == Settings{{"layers", "3"}});
  CHECK(session.page());
  session.dispatch(action::Undo{});
  CHECK(session.state().scene.empty());
  CHECK(!session.page());
  CHECK(!session.sceneRequest());
  session.dispatch(action::Redo{});
  session.dispatch(action::Redo{});
  CHECK(session.sceneRequest()->settings == Settings{{"layers", "3"}, {"mask", "causal"}});
}

TEST_CASE("The state as JSON names the scene and what is set") {
  const Session session = opened({{"layers", "3"}});
  const std::string json = stateJson(session);
  CHECK(json.find(R"("scene":"why-context","set":{"layers":"3"})") != std::string::npos);
  CHECK(stateJson(Session{}).find(R"("scene":"","set":{})") != std::string::npos);
}

TEST_CASE("Settings that are too long for a link are left out of it, and that is said") {
  Session session;
  session.dispatch(action::OpenScene{kScene, {{"layers", std::string(kMaxLink, 'x')}}});
  const EncodedLink encoded = encodeLink(session.state(), session.library());
  CHECK(encoded.link == "v=1&scene=why-context");
  CHECK(encoded.left_out.find("too long") != std::string::npos);
}

TEST_CASE("The text of a scene is its page's words, and before them that it is being computed") {
  Session session;
  session.dispatch(action::OpenScene{kScene, {}});
  CHECK(plainText(session).find("being computed") != std::string::npos);
  lesson::Page page;
  page.id = kScene;
  page.title = "A page";
  page.look = "Look at this.";
  page.says = "It says so.";
  page.blocks = {{lesson::Words{lesson::Words::Style::kText, "A paragraph."}}, {lesson::Claim{"Both agree.", true, false}},
                 {lesson::Claim{"They differ.", false, false}}, {lesson::Claim{"The wrong axis.", true, true}}};
  session.dispatch(action::ScenePage{session.sceneRequest()->ticket, lesson::pageJson(page)});
  CHECK(plainText(session) ==
        "A page\nLook at this.\nA paragraph.\nTrue: Both agree.\nFalse: They differ.\nWrong on purpose: The wrong axis.\n"
        "It says so.\n");
}

TEST_CASE("What a page was made with stands in links to it, unless the link that led there said otherwise") {
  for (const char* said : {"", "other"}) {
    Session session;
    lesson::Settings settings;
    if (*said) settings.emplace_back("made_with", said);
    session.dispatch(action::OpenScene{kScene, settings});
    CHECK(encodeLink(session.linkedState(), session.library()).link == encodeLink(session.state(), session.library()).link);
    lesson::Page page = lesson::parsePage(pageFor(kScene, settings)).take();
    page.made_with = "5540a78d";
    page.params.push_back({.key = "made_with", .label = "Model", .kind = lesson::ParamKind::kText, .value = said, .shown = false});
    session.dispatch(action::ScenePage{session.sceneRequest()->ticket, lesson::pageJson(page)});
    REQUIRE(session.page());
    CHECK(encodeLink(session.linkedState(), session.library()).link ==
          std::string("v=1&scene=why-context&set.made_with=") + (*said ? said : "5540a78d"));
    CHECK(lesson::fileStem(*session.page()) == "why-context-5540a78d-");
  }
}

TEST_CASE("Whoever sets something in a page that a link of another model led to makes links of the model that is here") {
  Session session = opened({{"made_with", "12345678"}});
  lesson::Page page = *session.page();
  page.made_with = "5540a78d";
  page.params.push_back({.key = "made_with", .label = "Model", .kind = lesson::ParamKind::kText, .value = "12345678", .shown = false});
  session.dispatch(action::OpenScene{kScene, {{"made_with", "12345678"}, {"on", "1"}}});
  session.dispatch(action::ScenePage{session.sceneRequest()->ticket, lesson::pageJson(page)});
  CHECK(linkOf(session).link.find("made_with=12345678") != std::string::npos);
  session.dispatch(action::Set{"layers", "5"});
  CHECK(linkOf(session).link.find("made_with=5540a78d") != std::string::npos);
}

TEST_CASE("A link leads into a scene, and what is set there stands in its link") {
  Session session;
  session.dispatch(action::LoadLink{"v=1&scene=why-context&set.layers=4&set.colour=red&set.on=1"});
  CHECK(session.state().scene == kScene);
  CHECK(!session.canUndo());
  CHECK(session.notice().empty());
  answer(session);
  CHECK(session.notice().find("colour") != std::string::npos);
  CHECK(encodeLink(session.state(), session.library()).link == "v=1&scene=why-context&set.layers=4&set.on=1");
  session.dispatch(action::LoadLink{"v=1&scene=nowhere&set.layers=4"});
  CHECK(session.state().scene.empty());
  CHECK(session.notice().find("nowhere") != std::string::npos);
}

TEST_CASE("A link from a scene to the walkthrough leaves a way back, until something else is opened") {
  Session session = opened();
  session.dispatch(action::Set{"layers", "5"});
  answer(session);
  CHECK_FALSE(session.wayBack());
  const auto follow = [&] { session.dispatch(action::LoadLink{"v=1&edits=v%5B1%5D%3D0%2C0&stage=z"}); };
  follow();
  REQUIRE(session.wayBack());
  session.dispatch(action::StepBy{-1});
  session.dispatch(action::AddEdit{"v[0]=1,1"});
  REQUIRE(session.wayBack());
  session.dispatch(action::ReturnToScene{});
  CHECK(session.state().scene == kScene);
  CHECK(session.state().settings == Settings{{"layers", "5"}});
  CHECK_FALSE(session.wayBack());
  session.dispatch(action::LoadLink{"v=1&edits=v%5B1%5D%3D0%2C0&pin=v%3D1%26edits%3Dscale%253D1"});
  CHECK(session.state().pinned);
  session.dispatch(action::OpenExample{"cat-sat-down"});
  CHECK_FALSE(session.state().pinned);
  CHECK_FALSE(session.wayBack());
}

TEST_CASE("What is written in a scene is there when it is opened again, a document's only with that document") {
  Session session;
  session.dispatch(action::OpenScene{kWriting, {}});
  answer(session);
  session.dispatch(action::Set{"text", "mine"});
  answer(session);
  session.dispatch(action::OpenScene{kScene, {}});
  session.dispatch(action::OpenScene{kWriting, {}});
  CHECK(session.state().settings == Settings{{"text", "mine"}});
  session.dispatch(action::OpenDocument{R"({"attnscope":1,"tokens":["a"],"q":[[1]],"k":[[1]],"v":[[1]]})", ""});
  session.dispatch(action::OpenScene{kWriting, {}});
  CHECK(session.state().settings.empty());
}
