// Files of arrays in a session: opened, compared with, read on while their page is shown, and left for an example.
#include <doctest/doctest.h>

#include <cmath>

#include "app/link.h"
#include "app/session.h"
#include "lesson/page_json.h"

namespace {

using namespace attn;
using namespace attn::app;
using lesson::Settings;

lesson::Param param(const char* key, lesson::ParamKind kind, const char* preset) {
  lesson::Param made;
  made.key = made.label = key;
  made.kind = kind;
  made.maximum = 9;
  made.preset = preset;
  return made;
}

// A page that says so, with what is set as it was asked for.
std::string pageFor(const Settings& settings, const std::string& says, const std::string& document = "", const std::string& moment = "") {
  lesson::Page page;
  page.id = "arrays";
  page.says = says;
  page.document = document;
  page.moment = moment;
  page.params = {param("part", lesson::ParamKind::kText, "file"), param("layer", lesson::ParamKind::kInteger, "0"),
                 param("token_list", lesson::ParamKind::kData, ""), param("walk", lesson::ParamKind::kToggle, "0"),
                 param("sample", lesson::ParamKind::kText, "")};
  for (lesson::Param& each : page.params) each.value = valueIn(settings, each);
  return lesson::pageJson(page);
}

unsigned long answer(Session& session, const std::string& says = "First.", const std::string& document = "") {
  const auto request = session.sceneRequest();
  REQUIRE(request.has_value());
  session.dispatch(action::ScenePage{request->ticket, pageFor(session.state().settings, says, document)});
  return request->ticket;
}

Session opened() {
  Session session;
  session.dispatch(action::OpenArrays{"attn.npz"});
  return session;
}

const std::string kDocument = R"({"attnscope":1,"title":"Layer 1, head 0","tokens":["a","b"],"q":[[1],[2]],"k":[[1],[2]],"v":[[1],[2]]})";

}  // namespace

TEST_CASE("Files that have been opened show their page, and are known by name") {
  Session session = opened();
  CHECK(session.files() == "attn.npz");
  CHECK(session.state().scene == "arrays");
  CHECK(session.state().settings.empty());
  CHECK(session.notice().empty());
  answer(session);
  CHECK(session.page()->says == "First.");
  session.dispatch(action::Undo{});
  CHECK(session.state().scene.empty());
}

TEST_CASE("Files that none could be opened of leave everything as it was, and say why") {
  Session session = opened();
  answer(session);
  session.dispatch(action::Set{"part", "heads"});
  answer(session);
  const State before = session.state();
  const auto page = session.page();
  session.dispatch(action::OpenArrays{"", false, "`b.npy`: It is empty; save the arrays again."});
  CHECK(session.state() == before);
  CHECK(session.files() == "attn.npz");
  CHECK(session.page() == page);
  CHECK(!session.computing());
  CHECK(session.notice() == "`b.npy`: It is empty; save the arrays again.");
}

TEST_CASE("Other files begin a page of their own, even under the same name and with nothing set") {
  Session session = opened();
  const unsigned long first = answer(session);
  session.dispatch(action::OpenArrays{"attn.npz"});
  REQUIRE(session.computing());
  CHECK(session.sceneRequest()->ticket != first);
  answer(session);
  session.dispatch(action::Set{"layer", "3"});
  answer(session);
  session.dispatch(action::OpenArrays{"b.npz", false, "`c.npy`: It is empty."});
  CHECK(session.state().settings.empty());
  CHECK(session.files() == "b.npz");
  CHECK(session.notice() == "`c.npy`: It is empty.");
  CHECK(session.computing());
}

TEST_CASE("What was left of the page of other files does not come back with new ones") {
  Session session = opened();
  answer(session);
  session.dispatch(action::Set{"layer", "3"});
  answer(session);
  session.dispatch(action::OpenScene{"", {}});
  session.dispatch(action::OpenScene{"arrays", {}});
  CHECK(session.state().settings == Settings{{"layer", "3"}});
  session.dispatch(action::OpenScene{"", {}});
  session.dispatch(action::OpenArrays{"b.npz"});
  CHECK(session.state().settings.empty());
}

TEST_CASE("A link to the page keeps what it sets until the files are there") {
  Session session;
  session.dispatch(action::LoadLink{"v=1&scene=arrays&set.layer=3&set.part=heads"});
  CHECK(session.state().scene == "arrays");
  answer(session);
  session.dispatch(action::OpenArrays{"attn.npz"});
  CHECK(session.state().settings == Settings{{"layer", "3"}, {"part", "heads"}});
  CHECK(session.computing());
}

TEST_CASE("Where files are compared, those that are opened are the other ones, and what is set stays") {
  Session session;
  session.dispatch(action::OpenScene{"arrays", {{"part", "compare"}}});
  CHECK_FALSE(session.filesGoToOther());
  session = opened();
  CHECK_FALSE(session.filesGoToOther());
  answer(session);
  session.dispatch(action::Set{"part", "compare"});
  CHECK(session.filesGoToOther());
  answer(session);
  session.dispatch(action::OpenArrays{"b.npz", true});
  CHECK(session.files() == "attn.npz");
  CHECK(session.state().settings == Settings{{"part", "compare"}});
  CHECK(session.computing());
  session.dispatch(action::OpenScene{"", {}});
  CHECK_FALSE(session.filesGoToOther());
}

TEST_CASE("What a link says of a sample does not stay when files of one's own are opened, and undo leads back to it") {
  Session session;
  session.dispatch(action::LoadLink{"v=1&scene=arrays&set.sample=attention.npz&set.layer=1"});
  answer(session);
  session.dispatch(action::OpenArrays{"attn.npz"});
  CHECK(session.files() == "attn.npz");
  CHECK(session.state().settings.empty());
  session.dispatch(action::Undo{});
  CHECK(session.state().settings == Settings{{"layer", "1"}, {"sample", "attention.npz"}});
}

TEST_CASE("A sample can be compared with files of one's own") {
  Session session;
  const Settings compared = {{"part", "compare"}, {"sample", "attention.npz"}};
  session.dispatch(action::OpenScene{"arrays", compared});
  CHECK(session.filesGoToOther());
  answer(session);
  session.dispatch(action::OpenArrays{"b.npz", true});
  CHECK(session.state().settings == compared);
}

TEST_CASE("The page may come again when more is known, and nothing but the page changes") {
  Session session = opened();
  session.dispatch(action::OpenArrays{"attn.npz", false, "`b.npy`: It is empty."});
  const unsigned long ticket = answer(session);
  const State before = session.state();
  session.dispatch(action::ScenePage{ticket, pageFor({}, "More.")});
  CHECK(session.page()->says == "More.");
  session.dispatch(action::ScenePage{ticket, pageFor({}, "All.")});
  CHECK(session.page()->says == "All.");
  CHECK(session.state() == before);
  CHECK(session.notice() == "`b.npy`: It is empty.");
  CHECK_FALSE(session.computing());
  session.dispatch(action::Undo{});
  CHECK(session.state().scene.empty());
}

TEST_CASE("A page that comes again too late means nothing") {
  Session session = opened();
  const unsigned long ticket = answer(session);
  session.dispatch(action::Set{"layer", "3"});
  session.dispatch(action::ScenePage{ticket, pageFor({}, "Late.")});
  CHECK(session.page()->says == "First.");
  CHECK(session.computing());
  answer(session, "Layer 3.");
  session.dispatch(action::ScenePage{ticket, pageFor({}, "Late.")});
  CHECK(session.page()->says == "Layer 3.");
  session.dispatch(action::OpenScene{"", {}});
  session.dispatch(action::ScenePage{ticket, pageFor({}, "Late.")});
  CHECK_FALSE(session.page());
}

TEST_CASE("The walk through a head opens its numbers, with the way back to the page as it was") {
  Session session = opened();
  answer(session);
  session.dispatch(action::Set{"layer", "1"});
  answer(session);
  const std::string link = linkOf(session).link;
  session.dispatch(action::SetAll{{{"walk", "1"}}});
  CHECK(linkOf(session).link == link);
  answer(session, "", kDocument);
  CHECK(session.state().scene.empty());
  CHECK(session.example().title == "Layer 1, head 0");
  CHECK(session.example().tokens.size() == 2);
  REQUIRE(session.wayBack());
  session.dispatch(action::ReturnToScene{});
  CHECK(session.state().scene == "arrays");
  CHECK(session.state().settings == Settings{{"layer", "1"}});
}

TEST_CASE("A walk begins at the destination that was looked at") {
  Session session = opened();
  answer(session);
  session.dispatch(action::Set{"walk", "1"});
  const auto request = session.sceneRequest();
  REQUIRE(request.has_value());
  session.dispatch(action::ScenePage{request->ticket, pageFor(session.state().settings, "First.", kDocument, "row=0")});
  CHECK(session.notice().empty());
  CHECK(session.state().scene.empty());
  CHECK(session.example().title == "Layer 1, head 0");
  CHECK(session.state().row == 0);
  REQUIRE(session.wayBack().has_value());
  CHECK(session.wayBack()->scene == "arrays");
}

TEST_CASE("A walk whose document is too large for a link is linked as the page that it began from, with its moment") {
  std::string row = "[", rows = "[";  // too large
  for (int n = 0; n < 3000; ++n) row += (n ? "," : "") + std::to_string(std::sin(n));
  row += "]";
  for (int n = 0; n < 4; ++n) rows += (n ? "," : "") + row;
  rows += "]";
  const std::string document =
      R"({"attnscope":1,"title":"Large","tokens":["a","b","c","d"],"q":)" + rows + R"(,"k":)" + rows + R"(,"v":)" + rows + "}";
  const auto walk = [&](Session& session) {
    const auto request = session.sceneRequest();
    REQUIRE(request.has_value());
    session.dispatch(action::ScenePage{request->ticket, pageFor(session.state().settings, "First.", document, "row=1&head=0")});
    REQUIRE(session.state().scene.empty());
  };
  Session session = opened();
  answer(session);
  session.dispatch(action::SetAll{{{"layer", "2"}, {"walk", "1"}}});
  walk(session);
  CHECK(session.state().row == 1);
  session.dispatch(action::ChooseRow{3});
  const EncodedLink encoded = linkOf(session);
  CHECK(encoded.left_out.empty());
  CHECK(encoded.link == "v=1&scene=arrays&set.layer=2&set.walk=1&row=3&head=0");
  Session other;
  other.dispatch(action::LoadLink{encoded.link});
  answer(other, "Being fetched.");
  CHECK(linkOf(other).link.find("set.walk=1") != std::string::npos);
  CHECK(other.notice().empty());
  const std::string again = pageFor(other.state().settings, "First.", document, "row=1&head=0");
  other.dispatch(action::ScenePage{1, again});
  REQUIRE(other.state().scene.empty());
  CHECK(other.notice().empty());
  CHECK(other.example().title == "Large");
  CHECK(other.state().row == 3);
  CHECK(linkOf(other).link == encoded.link);
  other.dispatch(action::ReturnToScene{});
  CHECK(other.state().settings == Settings{{"layer", "2"}});
}

TEST_CASE("A page that is computed again tells its progress and can be stopped, and then comes no more") {
  Session session = opened();
  const unsigned long ticket = answer(session);
  CHECK_FALSE(session.computing());
  session.dispatch(action::SceneProgress{ticket, 0.25});
  CHECK(session.computing());
  CHECK(session.sceneProgress() == 0.25);
  session.dispatch(action::ScenePage{ticket, pageFor({}, "Second.")});
  CHECK_FALSE(session.computing());
  CHECK(session.page()->says == "Second.");
  session.dispatch(action::SceneProgress{ticket, 0.5});
  session.dispatch(action::StopScene{});
  CHECK_FALSE(session.computing());
  session.dispatch(action::SceneProgress{ticket, 0.75});
  session.dispatch(action::ScenePage{ticket, pageFor({}, "Third.")});
  CHECK_FALSE(session.computing());
  CHECK(session.page()->says == "Second.");
}

TEST_CASE("Undo after a walk leads to the page and does not walk again") {
  Session session = opened();
  answer(session);
  session.dispatch(action::SetAll{{{"layer", "2"}, {"walk", "1"}}});
  answer(session, "", kDocument);
  REQUIRE(session.state().scene.empty());
  session.dispatch(action::Undo{});
  CHECK(session.state().scene == "arrays");
  CHECK(session.state().settings.empty());
  answer(session);
  session.dispatch(action::Undo{});
  CHECK(session.state().scene.empty());
  CHECK(session.example().id == "three-positions");
  session.dispatch(action::Redo{});
  session.dispatch(action::Redo{});
  CHECK(session.example().title == "Layer 1, head 0");
}

TEST_CASE("A walk that cannot be opened leaves the page and says why") {
  Session session = opened();
  answer(session);
  session.dispatch(action::Set{"walk", "1"});
  answer(session, "", R"({"attnscope":1,"tokens":[]})");
  CHECK(session.state().scene == "arrays");
  CHECK(session.state().settings.empty());
  CHECK(session.page()->says == "First.");
  CHECK(session.notice().find("tokens") != std::string::npos);
}

TEST_CASE("A text that is opened on the page of files is no text for its field") {
  Session session = opened();
  answer(session);
  CHECK_FALSE(session.takesText());
}
