// What the session tells a page about the open example, and what the page makes of it: edits, undo, documents, pins.
#include "app/session.h"
#include "lesson/page_json.h"
#include "scene/answer.h"
#include "support/generated_documents.h"
#include "support/scenes.h"

namespace {

using namespace attn;

// What the page says once everything that was asked for has been answered.
std::string saysOf(app::Session& session) {
  while (const auto request = session.sceneRequest()) {
    auto json = scene::answer(*scene::find(request->id), request->settings, [](double) { return true; });
    REQUIRE_MESSAGE(json.ok(), (json ? "" : json.error().message));
    if (!json) return "";
    session.dispatch(app::action::ScenePage{request->ticket, json.take()});
  }
  REQUIRE(session.page());
  return session.page()->says;
}

TEST_CASE("an edit on the stage reaches the page about it, and undoing it too") {
  app::Session session;
  session.dispatch(app::action::OpenScene{"compare", {}});
  CHECK(saysOf(session) == "Weights: bit for bit the same before and after.");
  session.dispatch(app::action::AddEdit{"forbid=2,1"});
  CHECK(saysOf(session) == "Weights: 3 of 9 cells changed; the largest change is −0.2500, at row 3, column 2.");
  session.dispatch(app::action::Undo{});
  CHECK(saysOf(session) == "Weights: bit for bit the same before and after.");
  for (const auto& param : session.page()->params) CHECK_MESSAGE(param.key != "edits", "what a page is told is no control");
}

TEST_CASE("what is pinned is what the page compares with") {
  app::Session session;
  session.dispatch(app::action::AddEdit{"forbid=2,1"});
  session.dispatch(app::action::Pin{});
  session.dispatch(app::action::AddEdit{"v[1]=0,0"});
  session.dispatch(app::action::OpenScene{"compare", {}});
  CHECK(saysOf(session) == "Weights: bit for bit the same before and after.");
  session.dispatch(app::action::Unpin{});
  CHECK(saysOf(session).find("3 of 9 cells changed") != std::string::npos);
}

TEST_CASE("a document too large to be pasted is still the one that a page is about") {
  app::Session session;
  const std::string document = test::longDocument();
  REQUIRE(document.size() > (std::size_t(1) << 20));
  session.dispatch(app::action::OpenDocument{document, "long.json"});
  session.dispatch(app::action::AddEdit{"v[3][0]=7"});
  session.dispatch(app::action::OpenScene{"compare", {{"array", "v"}}});
  CHECK(saysOf(session).find("Values v: 1 of 32768 cells changed") == 0);
}

TEST_CASE("a row chosen for one example is the last one in another that has fewer") {
  app::Session session;
  session.dispatch(app::action::OpenExample{"cat-sat-down"});
  session.dispatch(app::action::OpenScene{"what-if", {{"row", "1"}}});
  CHECK(saysOf(session).find("at 1 “cat”") != std::string::npos);
  session.dispatch(app::action::Set{"row", "3"});
  CHECK(saysOf(session).find("at 3 “down”") != std::string::npos);
  session.dispatch(app::action::OpenExample{"three-positions"});
  session.dispatch(app::action::OpenScene{"what-if", {{"row", "3"}}});
  CHECK(saysOf(session).find("at position 3") != std::string::npos);
}

}  // namespace
