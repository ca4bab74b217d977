// Links: what goes out comes back, and what is broken becomes a default with a note.
#include "app/link.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "app/names.h"
#include "app/walks.h"
#include "lesson/packed_document.h"
#include "support/generated_documents.h"

namespace {

using namespace attn;
using namespace attn::app;
using core::Stage;
using test::Random;

std::string addDocument(Library& library, const std::string& text) {
  auto example = lesson::parseExample(text, "");
  REQUIRE(example.ok());
  return library.add(example.take()).id;
}

// Any State that a link can hold, whether its step belongs to the walk or not.
State randomState(Random& random, const Library& library, const std::vector<std::string>& examples) {
  const auto flip = [&] { return random.below(2) == 0; };
  State state = openingState(
      *library.find(examples[static_cast<std::size_t>(random.below(static_cast<Index>(examples.size())))]));
  const lesson::Example& example = *library.find(state.example);
  state.mask = static_cast<MaskChoice>(random.below(3));
  state.shown = static_cast<Shown>(random.below(3));
  if (flip()) state.edits = {"temperature=" + std::to_string(1 + random.below(9)), "token[0]=a;b\\c&d=%"};
  if (flip())
    state.pinned = Snapshot{examples[static_cast<std::size_t>(random.below(static_cast<Index>(examples.size())))],
                            MaskChoice::kCausal, {"scale=1/3", "token[0]=猫;"}, 0};
  state.order = flip() ? Order::kRow : Order::kStage;
  state.grain = static_cast<Grain>(random.below(4));
  state.row = random.below(static_cast<Index>(example.tokens.size()));
  state.head = random.below(example.problem.heads());
  if (flip())
    state.at = Step{static_cast<Stage>(random.below(core::kStageCount)), random.below(5) - 1, random.below(5) - 1,
                    random.below(5) - 1};
  if (flip())
    state.cursor =
        CellCursor{static_cast<core::Array>(random.below(core::kArrayCount)), random.below(9), random.below(9)};
  state.exact = flip();
  state.decimals = 2 + static_cast<int>(random.below(5));
  state.palette = static_cast<Palette>(random.below(4));
  state.show_spaces = flip();
  if (flip()) return state;
  state.scene = "why-context";
  const std::string_view keys[] = {"layers", "d_k", "%&=", "größe", "x.y"};
  const std::string_view values[] = {"", "1", "-0.5,2", "a&b=c", "猫 ##%s", "2,0,1"};
  for (const std::string_view key : keys)
    if (flip()) state.settings.emplace_back(key, values[random.below(static_cast<Index>(std::size(values)))]);
  std::sort(state.settings.begin(), state.settings.end());
  return state;
}

std::vector<std::string> someExamples(Library& library) {
  Random random(3);
  return {"three-positions", "cat-sat-down",
          addDocument(library, test::documentOf(test::baseCase(), {"<b>", "%s%n", "##id"})),
          addDocument(library, test::documentOf(test::randomProblem(random, 3, 2, 2, 1)))};
}

bool onlyLinkCharacters(std::string_view link) {
  const std::string_view allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~=&%";
  return link.find_first_not_of(allowed) == std::string_view::npos;
}

}  // namespace

TEST_CASE("A link of the opening state is the version alone") {
  const Library library;
  CHECK(encodeLink(State{}, library).link == "v=1");
}

TEST_CASE("A moment reads as what it is") {
  Session session;
  session.dispatch(action::StepBy{7});
  CHECK(encodeLink(session.state(), session.library()).link == "v=1&stage=weights");
  session.dispatch(action::ChooseRow{1});
  session.dispatch(action::SetGrain{Grain::kTerm});
  session.dispatch(action::SetMask{MaskChoice::kNone});
  session.dispatch(action::Seek{session.timeline().positionOf(Step{Stage::kScores, 1, 2, 0})});
  CHECK(encodeLink(session.state(), session.library()).link ==
        "v=1&mask=none&stage=scores&grain=term&row=1&col=2&term=0");
}

TEST_CASE("What a link holds comes back, for any State of any example") {
  Library library;
  const auto examples = someExamples(library);
  Random random(11);
  for (int n = 0; n < 800; ++n) {
    const State state = randomState(random, library, examples);
    const EncodedLink encoded = encodeLink(state, library);
    CHECK(encoded.left_out.empty());
    CHECK(encoded.link.starts_with("v=1"));
    CHECK(onlyLinkCharacters(encoded.link));
    Library elsewhere;  // a machine that has never seen the documents
    const DecodedLink decoded = decodeLink(encoded.link, elsewhere);
    CAPTURE(encoded.link);
    CHECK(decoded.state == state);
    CHECK(decoded.notes.empty());
    CHECK(decodeLink("#" + encoded.link, library).state == state);
  }
}

TEST_CASE("A session restores every moment of every walk from its link") {
  for (const char* id : {"three-positions", "cat-sat-down"})
    for (const Order order : test::kOrders)
      for (const Grain grain : test::kGrains) {
        Session session;
        session.dispatch(action::OpenExample{id});
        session.dispatch(action::SetOrder{order});
        session.dispatch(action::SetGrain{grain});
        for (Index n = 0; n <= session.timeline().size(); ++n) {
          session.dispatch(action::Seek{n});
          Session other;
          other.dispatch(action::LoadLink{encodeLink(session.state(), session.library()).link});
          CHECK(other.state() == session.state());
          CHECK(other.notice().empty());
        }
      }
}

TEST_CASE("Bad values become defaults, each with one note") {
  struct Row {
    const char* link;
    std::size_t notes;
    State state;
  };
  const State standard;
  State cat;
  cat.example = "cat-sat-down";
  cat.row = 3;
  State row_one;
  row_one.row = 1;
  State edited;
  edited.edits = {"mask=none"};
  State pinned;
  pinned.pinned = Snapshot{standard.example, MaskChoice::kDocument, {}, 0};
  State scene;
  scene.scene = "why-context";
  State set = scene;
  set.settings = {{"a", "1"}, {"b", ""}};
  const Row rows[] = {
      {"", 0, standard},
      {"v=1", 0, standard},
      {"v=2", 1, standard},
      {"nonsense", 0, standard},
      {"v=1&unknown=1&another", 0, standard},
      {"mask=sideways", 1, standard},
      {"order=up&grain=sand", 2, standard},
      {"row=3", 1, standard},
      {"row=-1", 1, standard},
      {"row=1e0", 1, standard},
      {"row=99999999999999999999", 1, standard},
      {"row=1", 0, row_one},
      {"row=1&row=2", 0, row_one},
      {"row=%31", 0, row_one},
      {"row=%3", 1, standard},
      {"row=%zz", 1, standard},
      {"row=1 ", 1, standard},
      {"head=1", 1, standard},
      {"stage=nowhere", 1, standard},
      {"cursor=weights.1", 1, standard},
      {"cursor=nothing.1.1", 1, standard},
      {"exact=yes", 1, standard},
      {"dec=7", 1, standard},
      {"palette=rainbow", 1, standard},
      {"spaces=2", 1, standard},
      {"edits=mask%3Dnone", 0, edited},
      {"edits=mask%3Dsideways", 1, standard},
      {"show=sometimes", 1, standard},
      {"pin=ex%3Dlost", 1, standard},
      {"pin=v%3D1%26pin%3Dv%253D1", 0, pinned},
      {"pin=garbage", 1, standard},
      {"edits=mask=none", 0, edited},
      {"ex=cat-sat-down", 0, cat},
      {"ex=cat-sat-down&row=4", 1, cat},
      {"ex=lost&row=1&stage=z&mask=none", 1, standard},
      {"d=!!!", 1, standard},
      {"d=AAAA&row=1", 1, standard},
      {"doc=..%2Fsecret.json", 1, standard},
      {"scene=why-context", 0, scene},
      {"scene=why-context&set.b=&set.a=1&set.a=2&set.=3&set=4", 0, set},
      {"scene=why-context&set.a=%zz", 1, scene},
      {"scene=lost&set.a=1", 1, standard},
      {"scene=walkthrough&set.a=1", 0, standard},
      {"set.a=1", 0, standard},
  };
  for (const Row& row : rows) {
    CAPTURE(row.link);
    Library library;
    const DecodedLink decoded = decodeLink(row.link, library);
    CHECK(decoded.state == row.state);
    CHECK(decoded.notes.size() == row.notes);
    for (const std::string& note : decoded.notes) CHECK(note.ends_with("."));
  }
}

TEST_CASE("No string breaks the reader: random bytes and damaged links") {
  Library library;
  const auto examples = someExamples(library);
  Random random(5);
  const std::string_view pieces[] = {
      "v=1", "&", "=", "%", "%4", "row", "stage=", "d=", "doc=", "cursor=", "..", "1", "all", "eJw"};
  for (int n = 0; n < 1500; ++n) {
    std::string link;
    if (n % 2 == 0) {
      link = encodeLink(randomState(random, library, examples), library).link;
      for (Index hits = 1 + random.below(4); hits > 0; --hits) {
        const auto at = static_cast<std::size_t>(random.below(static_cast<Index>(link.size())));
        if (random.below(3) == 0) link.erase(at, 1);
        else link[at] = static_cast<char>(random.below(256));
        if (link.empty()) link = "=";
      }
    } else {
      for (Index parts = random.below(30); parts > 0; --parts) {
        link += pieces[random.below(static_cast<Index>(std::size(pieces)))];
        if (random.below(4) == 0) link += static_cast<char>(random.below(256));
      }
    }
    Session session;
    session.dispatch(action::LoadLink{link});
    CHECK(session.timeline().at(session.position()) == session.state().at);
    const std::string again = encodeLink(session.state(), session.library()).link;
    CHECK(onlyLinkCharacters(again));
  }
}

TEST_CASE("An opened document rides along while the link stays short") {
  Library library;
  const State small = openingState(*library.find(addDocument(library, test::documentOf(test::baseCase()))));
  const EncodedLink with = encodeLink(small, library);
  CHECK(with.link.find("&d=") != std::string::npos);
  State large = openingState(*library.find(addDocument(library, test::manyHeadsDocument())));
  large.head = 3;
  const EncodedLink without = encodeLink(large, library);
  CHECK(without.link.size() <= kMaxLink);
  CHECK(without.link.find("d=doc") == std::string::npos);
  CHECK(!without.left_out.empty());
  CHECK(decodeLink(without.link, library).state == large);
  Library elsewhere;
  CHECK(decodeLink(without.link, elsewhere).notes.size() == 1);
}

TEST_CASE("A link that is too long is not read") {
  Library library;
  const DecodedLink decoded = decodeLink("v=1&row=1&x=" + std::string(kMaxLink, 'a'), library);
  CHECK(decoded.state == State{});
  CHECK(decoded.notes.size() == 1);
}

TEST_CASE("A document that unpacks without end is refused") {
  const std::string bomb = lesson::packDocument(std::string(lesson::kMaxUnpacked + 1, ' '));
  CHECK(bomb.size() < kMaxLink);
  CHECK(!lesson::unpackDocument(bomb).ok());
  CHECK(lesson::unpackDocument(lesson::packDocument("{}")).value() == "{}");
}

TEST_CASE("A link to a file waits for it and then opens the moment in it") {
  Session session;
  session.dispatch(action::LoadLink{"v=1&doc=mine.json&stage=scores&row=1"});
  CHECK(session.documentFile() == "mine.json");
  CHECK(session.state() == State{});
  session.dispatch(action::OpenDocument{test::documentOf(test::catSatDown()), "mine.json"});
  CHECK(session.documentFile().empty());
  CHECK(session.example().tokens.size() == 4);
  CHECK(session.state().row == 1);
  CHECK(session.state().at == Step{Stage::kScores, 1, -1, -1});
}

TEST_CASE("A document too large for a link that lies beside the page is asked for again by the next link") {
  Session session;
  session.dispatch(action::LoadLink{"v=1&doc=mine.json&row=1"});
  session.dispatch(action::OpenDocument{test::longDocument(), "mine.json"});
  REQUIRE(session.library().packed(session.state().example).empty());
  const EncodedLink link = linkOf(session);
  CHECK(link.link == "v=1&doc=mine.json&row=1");
  CHECK(link.left_out.empty());
  Session opened_by_hand;
  opened_by_hand.dispatch(action::OpenDocument{test::longDocument(), "mine.json"});
  CHECK(linkOf(opened_by_hand).link.find("doc=") == std::string::npos);
  CHECK_FALSE(linkOf(opened_by_hand).left_out.empty());
}

TEST_CASE("Waiting for a file ends when it cannot be had") {
  Session session;
  session.dispatch(action::LoadLink{"v=1&doc=mine.json&row=1"});
  session.notify("mine.json was not found.");
  CHECK(session.documentFile().empty());
  session.dispatch(action::LoadLink{"v=1&doc=mine.json&row=1"});
  session.dispatch(action::OpenDocument{"[", "mine.json"});
  CHECK(session.documentFile().empty());
  session.dispatch(action::OpenDocument{test::documentOf(test::catSatDown()), "other.json"});
  CHECK(session.state().row == 3);
}

TEST_CASE("A link to a moment that is no step says so and shows the nearest one") {
  Session session;
  session.dispatch(action::LoadLink{"v=1&stage=masked&mask=none"});
  CHECK(session.state().at->stage == Stage::kScaled);
  CHECK(!session.notice().empty());
}

TEST_CASE("A link that is followed can be undone, the one that a person arrives by cannot") {
  Session session;
  session.dispatch(action::LoadLink{"v=1&ex=cat-sat-down"});
  CHECK(session.state().example == "cat-sat-down");
  CHECK(!session.canUndo());
  const State arrived = session.state();
  session.dispatch(action::LoadLink{"v=1&mask=none"});
  CHECK(session.state().example == "three-positions");
  session.dispatch(action::Undo{});
  CHECK(session.state() == arrived);
}

TEST_CASE("A row that is not followed lands in the same stage of the followed one, and a cell outside is named") {
  for (const char* at : {"0", "77"}) {
    Session session;
    session.dispatch(action::LoadLink{std::string("v=1&stage=weights&at=") + at});
    REQUIRE(session.state().at.has_value());
    CHECK(session.state().at->stage == Stage::kWeights);
    CHECK(session.state().at->row == session.state().row);
    CHECK(session.notice().find("nearest") != std::string::npos);
  }
  Session session;
  session.dispatch(action::LoadLink{"v=1&stage=weights&cursor=weights.9.9"});
  CHECK(!session.state().cursor);
  CHECK(session.notice() == "The link's cell weights.9.9 does not exist here; no cell is chosen.");
  session.dispatch(action::LoadLink{"v=1&stage=weights&cursor=weights.2.1"});
  CHECK(session.state().cursor.has_value());
  CHECK(session.notice() == "");
}
