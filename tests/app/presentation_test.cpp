// How a link wants the screen to be: what it holds comes back, what is badly written is told, and moving on keeps it.
#include "app/presentation.h"

#include <doctest/doctest.h>

#include "app/link.h"
#include "io/json.h"
#include "support/generated_documents.h"
#include "support/problems.h"

namespace {

using namespace attn;
using namespace attn::app;

std::string times(std::string_view text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

Presentation from(std::string_view link, std::size_t notes = 0) {
  Library library;
  const DecodedLink decoded = decodeLink(link, library);
  CAPTURE(link);
  CHECK(decoded.notes.size() == notes);
  return decoded.presentation;
}

}  // namespace

TEST_CASE("Any presentation comes back from its link") {
  const Library library;
  Library elsewhere;
  test::Random random(5);
  const std::string_view notes[] = {"", "Look at row 2.", "a&b=c #%", "猫 \u2028 é", "<script>alert(1)</script>"};
  for (int n = 0; n < 200; ++n) {
    const auto flip = [&] { return random.below(2) == 0; };
    Presentation shown;
    shown.present = flip(), shown.embed = flip();
    for (bool& one : shown.hidden) one = flip();
    shown.note = notes[random.below(static_cast<Index>(std::size(notes)))];
    const std::string link = encodeLink(State{}, library, shown).link;
    CAPTURE(link);
    const DecodedLink decoded = decodeLink(link, elsewhere);
    CHECK(decoded.presentation == shown);
    CHECK(decoded.state == State{});
    CHECK(decoded.notes.empty());
  }
  CHECK(encodeLink(State{}, library, {}).link == "v=1");
}

TEST_CASE("A link is written as people write it") {
  Presentation shown;
  shown.present = true;
  shown.hidden[static_cast<std::size_t>(Part::kAnswers)] = shown.hidden[static_cast<std::size_t>(Part::kContents)] = true;
  shown.note = "Why is it 3/2?";
  CHECK(encodeLink(State{}, Library{}, shown).link == "v=1&present=1&hide=contents.answers&note=Why%20is%20it%203%2F2%3F");
  for (const char* hide : {"answers.contents", "answers,contents", "contents%2C%20answers", "contents+answers"})
    CHECK(from("v=1&hide=" + std::string(hide)).hidden == shown.hidden);
}

TEST_CASE("What is badly written is told, and shows everything") {
  CHECK(from("v=1&present=yes", 1) == Presentation{});
  CHECK(from("v=1&embed=2", 1) == Presentation{});
  CHECK(from("v=1&hide=answer", 1) == Presentation{});
  CHECK(from("v=1&hide=") == Presentation{});
}

TEST_CASE("A note is one line of at most 280 characters") {
  CHECK(noteText(" a\n\tb\x01 c ") == "a b c");
  CHECK(noteText("a\xff") == "a\uFFFD");
  CHECK(noteText(times("猫", 300)) == times("猫", 280));
  CHECK_FALSE(isLongNote(times("猫", 280)));
  CHECK_FALSE(isLongNote(times("猫", 280) + "  \n"));
  CHECK(isLongNote(times("x", 281)));
  CHECK(noteText(times("x", 279) + "  y") == times("x", 279));
  CHECK(from("v=1&note=" + times("x", 281), 1).note == times("x", 280));
}

TEST_CASE("A session is presented as the last link from outside says, whatever is done in it") {
  Session session;
  session.dispatch(action::LoadLink{"v=1&present=1&hide=answers&note=Hello&stage=weights"});
  const Presentation shown = session.presentation();
  CHECK(shown.present);
  CHECK(shown.note == "Hello");
  session.dispatch(action::SetMask{MaskChoice::kNone});
  session.dispatch(action::Undo{});
  session.dispatch(action::OpenExample{"cat-sat-down"});
  session.dispatch(action::OpenScene{"why-context", {}});
  session.dispatch(action::LoadLink{"v=1&stage=q", true});
  CHECK(session.presentation() == shown);
  CHECK(linkOf(session).link == "v=1&stage=q&present=1&hide=answers&note=Hello");
  session.dispatch(action::LoadLink{"v=1&stage=q"});
  CHECK(session.presentation() == Presentation{});
}

TEST_CASE("A link without answers carries none that its maker has revealed or written") {
  Session session;
  session.dispatch(action::OpenScene{"task", {{"typed", "1/4"}, {"reveal", "1"}, {"task", "2"}}});
  CHECK(linkOf(session).link.find("set.reveal=1") != std::string::npos);
  Presentation presentation;
  presentation.hidden[static_cast<std::size_t>(Part::kAnswers)] = true;
  session.dispatch(action::Present{presentation});
  CHECK(linkOf(session).link == "v=1&scene=task&set.task=2&hide=answers");
}

TEST_CASE("A link that waits for its document is presented at once, and stays so") {
  Session session;
  session.dispatch(action::LoadLink{"v=1&doc=mine.json&present=1&stage=weights"});
  CHECK(session.presentation().present);
  session.dispatch(action::OpenDocument{test::documentOf(test::baseCase(), {"a", "b", "c"}), "mine.json"});
  CHECK(session.state().at);
  CHECK(session.presentation().present);
}

TEST_CASE("An action presents, and refuses a note that is too long") {
  Session session;
  const auto request = parseAction(R"({"type":"present","present":true,"hide":"numbers","note":"Guess first"})");
  REQUIRE(request.ok());
  const auto before = session.revision();
  session.dispatch(request.value());
  CHECK(session.revision() > before);
  CHECK(session.presentation().hides(Part::kNumbers));
  CHECK_FALSE(session.presentation().hides(Part::kEdits));
  CHECK_FALSE(session.canUndo());
  session.dispatch(action::Present{{.note = times("x", 281)}});
  CHECK(session.notice() == "A note has at most 280 characters; shorten it.");
  CHECK(session.presentation().note == "Guess first");
  session.dispatch(action::Present{});
  CHECK(session.presentation() == Presentation{});
  CHECK_FALSE(parseAction(R"({"type":"present","hide":"everything"})").ok());
}
