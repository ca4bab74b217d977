// Numbers whose maximum depends on a text: what was chosen stays chosen, while only what is shown is kept within the text.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "app/link.h"
#include "app/session.h"
#include "lesson/page_json.h"

namespace {

using namespace attn;
using namespace attn::app;
using lesson::Settings;

const std::string kScene = "untrained", kText = "Mr. Darcy danced.";  // 17 characters: the last one is 16

lesson::Param param(const char* key, lesson::ParamKind kind, const std::string& preset, double maximum = 99) {
  lesson::Param made;
  made.key = made.label = key;
  made.kind = kind;
  made.maximum = maximum;
  made.preset = made.value = preset;
  return made;
}

// As scenes do: the last position of the text is the most, and the preset where that lies behind it.
lesson::Page pageFor(const Settings& settings) {
  lesson::Page page;
  page.id = kScene;
  page.says = "It says.";
  page.params = {param("text", lesson::ParamKind::kText, kText), param("at", lesson::ParamKind::kInteger, "63"),
                 param("source", lesson::ParamKind::kInteger, "0")};
  for (lesson::Param& each : page.params)
    for (const auto& [key, value] : settings)
      if (key == each.key) each.value = value;
  const std::size_t last = std::max<std::size_t>(page.params[0].value.size(), 1) - 1;
  for (lesson::Param* number : {&page.params[1], &page.params[2]}) {
    number->maximum = static_cast<double>(last);
    for (std::string* value : {&number->value, &number->preset})
      if (std::stoul(*value) > last) *value = std::to_string(last);
  }
  return page;
}

void answer(Session& session) {
  const auto request = session.sceneRequest();
  REQUIRE(request.has_value());
  session.dispatch(action::ScenePage{request->ticket, lesson::pageJson(pageFor(request->settings))});
}

Session opened(const std::string& settings) {
  Session session;
  session.dispatch(action::LoadLink{"v=1&scene=" + kScene + settings});
  answer(session);
  return session;
}

// What the control shows.
std::string shown(const Session& session, std::size_t param) { return valueIn(session.state().settings, session.page()->params[param]); }

}  // namespace

TEST_CASE("A text that is written anew, key by key, changes no position that was chosen") {
  Session session = opened("&set.source=10&set.at=12");
  CHECK(session.notice().empty());
  for (std::size_t length = 0; length <= kText.size(); ++length) {
    CAPTURE(length);
    session.dispatch(action::Set{"text", kText.substr(0, length)});
    answer(session);
    const std::size_t last = std::max<std::size_t>(length, 1) - 1;
    CHECK(shown(session, 1) == std::to_string(std::min<std::size_t>(12, last)));
    CHECK(shown(session, 2) == std::to_string(std::min<std::size_t>(10, last)));
    CHECK(session.notice().empty());
  }
  CHECK(session.state().settings == Settings{{"at", "12"}, {"source", "10"}});
}

TEST_CASE("Pages that are passed over while somebody writes lose nothing, nor does stopping") {
  Session session = opened("&set.source=10");
  session.dispatch(action::Set{"text", "Mr"});
  answer(session);
  session.dispatch(action::Set{"text", "Mr."});
  session.dispatch(action::StopScene{});
  CHECK(session.state().settings == Settings{{"source", "10"}, {"text", "Mr"}});
  CHECK(shown(session, 2) == "1");
}

TEST_CASE("A link to a position behind the text is taken as the last one, and that is said once") {
  Session session = opened("&set.source=40");
  CHECK(shown(session, 2) == "16");
  CHECK(session.notice() == "“40” is not possible for “source”, which takes a whole number from 0 to 16; it is taken as 16.");
  session.dispatch(action::Set{"at", "3"});
  answer(session);
  CHECK(session.notice().empty());
}

TEST_CASE("A page that comes again tells of a number when it has learned its maximum, and then no more") {
  Session session;
  session.dispatch(action::LoadLink{"v=1&scene=" + kScene + "&set.source=40"});
  const auto request = *session.sceneRequest();
  lesson::Page waiting = pageFor({});
  waiting.params[2].maximum = 99;
  waiting.params[2].value = "40";
  session.dispatch(action::ScenePage{request.ticket, lesson::pageJson(waiting)});
  CHECK(session.notice().empty());
  const std::string page = lesson::pageJson(pageFor(request.settings));
  session.dispatch(action::ScenePage{request.ticket, page});
  CHECK(session.notice().find("“40” is not possible for “source”") == 0);
  session.clearNotice();
  session.dispatch(action::ScenePage{request.ticket, page});
  CHECK(session.notice().empty());
  CHECK(session.state().settings == Settings{{"source", "40"}});
}
