// Edits as choices: carried out, undone bit for bit, compared, and carried in links.
#include <doctest/doctest.h>

#include <cstring>

#include "app/api.h"
#include "app/edit_words.h"
#include "app/explain.h"
#include "app/link.h"
#include "app/session.h"
#include "app/walks.h"
#include "core/compare.h"
#include "core/edit.h"
#include "lesson/trace_json.h"
#include "support/generated_documents.h"

namespace {

using namespace attn;
using namespace attn::app;
using core::Array;
using test::Random;

std::string traceOf(const Session& session) { return lesson::traceJson(session.example(), session.trace()); }

core::ArrayView arrayOf(const Session& session, Array array) {
  return core::arrayOf(session.trace(), session.state().head, array);
}

void edit(Session& session, const std::string& text) {
  session.dispatch(action::AddEdit{text});
  INFO(text);
  REQUIRE(session.notice() == "");
}

// One that parses, fitting or not.
std::string randomEdit(Random& random) {
  const auto n = [&](Index end) { return std::to_string(random.below(end)); };
  const std::string arrays[] = {"x", "q", "k", "v", "scores", "weights", "wo", "wq", "wv"};
  const std::string array = arrays[random.below(9)];
  switch (random.below(14)) {
    case 0: return "forbid=" + n(4) + "," + n(4);
    case 1: return "allow=*," + n(4);
    case 2: return "zero-weight=" + n(4) + "," + n(4);
    case 3: return "uniform=h0," + n(4);
    case 4: return "permute=h0," + n(4) + "," + n(9);
    case 5: return "mean-ablate=h0";
    case 6: return "scale=" + n(9) + "/7";
    case 7: return "temperature=1/" + n(5);  // sometimes 1/0, which is refused
    case 8: return "insert=" + n(5) + ",a;b\\c “" + n(9) + "”";
    case 9: return "delete=" + n(5);
    case 10: return "move=" + n(5) + "," + n(5);
    case 11: return "token[" + n(4) + "]=cat";
    case 12: return "d_k=" + n(5);
    default: return array + "[" + n(4) + "][" + n(3) + "]=sqrt(" + n(9) + ")/3";
  }
}

}  // namespace

TEST_CASE("zeroing a value changes z and leaves every bit of the weights, and undo brings every bit back") {
  Session session;
  const std::string before = traceOf(session);
  edit(session, "v[1]=0,0");
  CHECK(arrayOf(session, Array::kZ)(2, 0) == doctest::Approx(1.5));
  CHECK(arrayOf(session, Array::kZ)(2, 1) == doctest::Approx(2));
  const auto& now = session.trace().heads[0].softmax.weights;
  const auto& then = session.before().trace->heads[0].softmax.weights;
  CHECK(std::memcmp(now.data(), then.data(), sizeof(double) * 9) == 0);
  session.dispatch(action::Undo{});
  CHECK(traceOf(session) == before);
  CHECK(session.state().edits.empty());
  session.dispatch(action::Redo{});
  CHECK(session.state().edits == std::vector<std::string>{"v[1]=0,0"});
}

TEST_CASE("forbidding a source lets the others share its weight") {
  Session session;
  edit(session, "forbid=2,1");
  const auto weights = arrayOf(session, Array::kWeights);
  CHECK(weights(2, 0) == doctest::Approx(1.0 / 3));
  CHECK(weights(2, 1) == 0);
  CHECK(weights(2, 2) == doctest::Approx(2.0 / 3));
  CHECK(arrayOf(session, Array::kZ)(2, 1) == doctest::Approx(8.0 / 3));
}

TEST_CASE("an edit that does not fit changes nothing and says why in one sentence") {
  Session session;
  const std::string before = traceOf(session);
  for (const char* bad : {"", "v[9]=0,0", "v[1]=0", "nonsense=1", "v[1]=1e999,0", "delete=3", "h1.q[0]=1,1"}) {
    CAPTURE(bad);
    session.dispatch(action::AddEdit{bad});
    CHECK(session.notice() != "");
    CHECK(session.state().edits.empty());
    CHECK(traceOf(session) == before);
    CHECK_FALSE(session.canUndo());
  }
}

TEST_CASE("an edit that a later one needs is not removed, and the sentence says so") {
  Session session;
  edit(session, "insert=3,new");
  edit(session, "x[3]=1,2");
  session.dispatch(action::RemoveEdit{0});
  CHECK(session.notice() == "“insert=3,new” stays: the later edit “x[3]=1,2” counts positions with it; remove that one first, or undo.");
  CHECK(session.state().edits.size() == 2);
  session.dispatch(action::RemoveEdit{7});
  CHECK(session.notice().find("no edit 7") != std::string::npos);
}

TEST_CASE("the same cell again takes the place of its last edit, and a whole drag is undone at once") {
  Session session;
  edit(session, "v[1]=0,0");
  for (int n = 0; n < 20; ++n) session.dispatch(action::AddEdit{"x[0][0]=" + std::to_string(n), true});
  CHECK(session.state().edits == std::vector<std::string>{"v[1]=0,0", "x[0][0]=19"});
  session.dispatch(action::Undo{});
  CHECK(session.state().edits == std::vector<std::string>{"v[1]=0,0"});
}

TEST_CASE("any list of edits, undone in full, gives the State and the Trace of the start") {
  Random random(5);
  for (int round = 0; round < 25; ++round) {
    Session session;
    session.dispatch(action::OpenExample{round % 2 ? "cat-sat-down" : "three-positions"});
    const State start = session.state();
    const std::string trace = traceOf(session);
    std::size_t taken = 0;
    for (int n = 0; n < 12; ++n) {
      const State before = session.state();
      session.dispatch(action::AddEdit{randomEdit(random)});
      taken += session.state() == before ? 0 : 1;
    }
    CHECK(taken > 0);
    for (std::size_t n = 0; n < taken; ++n) session.dispatch(action::Undo{});
    CHECK(session.state() == start);
    CHECK(traceOf(session) == trace);
  }
}

TEST_CASE("edits, what is pinned and what is shown survive a link, and removed ones of a document stay removed") {
  Random random(6);
  for (int round = 0; round < 40; ++round) {
    Session session;
    if (round % 3 == 0) {
      session.dispatch(action::OpenDocument{
          R"({"attnscope":1,"tokens":["a","b"],"q":[[1],[2]],"k":[[1],[2]],"v":[[1],[3]],"edits":["v[0]=5"]})", "own"});
      REQUIRE(session.state().edits == std::vector<std::string>{"v[0]=5"});
      if (round % 2) session.dispatch(action::SetEdits{{}});
    }
    for (int n = 0; n < 6; ++n) session.dispatch(action::AddEdit{randomEdit(random)});
    if (round % 2) session.dispatch(action::Pin{});
    for (int n = 0; n < 3; ++n) session.dispatch(action::AddEdit{randomEdit(random)});
    session.dispatch(action::SetShown{static_cast<Shown>(random.below(3))});
    const EncodedLink link = encodeLink(session.state(), session.library());
    REQUIRE(link.left_out == "");
    Session other;
    other.dispatch(action::LoadLink{link.link});
    INFO(link.link);
    CHECK(other.notice() == "");
    CHECK(other.state().edits == session.state().edits);
    CHECK(other.state().shown == session.state().shown);
    CHECK(other.state().pinned.has_value() == session.state().pinned.has_value());
    if (session.state().pinned) CHECK(other.state().pinned->edits == session.state().pinned->edits);
    CHECK(traceOf(other) == traceOf(session));
  }
}

TEST_CASE("a link's edits that do not fit are left out with a note, and the rest of the link holds") {
  Session session;
  session.dispatch(action::LoadLink{"v=1&ex=cat-sat-down&edits=v%5B9%5D%3D0%2C0&row=1"});
  CHECK(session.state().example == "cat-sat-down");
  CHECK(session.state().edits.empty());
  CHECK(session.state().row == 1);
  CHECK(session.notice().find("v has no row 9") != std::string::npos);
}

TEST_CASE("edits that grow too long for a link are announced once") {
  Session session;
  std::vector<std::string> many;
  for (int n = 0; n < 220; ++n) many.push_back("x[" + std::to_string(n % 3) + "][0]=0.123456789");
  session.dispatch(action::SetEdits{many});
  REQUIRE(session.notice() == "");
  int announced = 0;
  for (int n = 0; n < 60; ++n) {
    session.dispatch(action::AddEdit{"x[" + std::to_string(n % 3) + "][1]=0.123456789"});
    announced += session.notice().find("too long for a link") != std::string::npos;
  }
  CHECK(announced == 1);
  CHECK(encodeLink(session.state(), session.library()).edits_fit == false);
}

TEST_CASE("choosing a mask removes edits of the mask, which would hide the choice") {
  Session session;
  edit(session, "v[0]=1,1");
  edit(session, "mask=none");
  session.dispatch(action::SetMask{MaskChoice::kCausal});
  CHECK(session.state().edits == std::vector<std::string>{"v[0]=1,1"});
  CHECK_FALSE(session.trace().mask.allowed(0, 2));
}

TEST_CASE("the followed position stays with its token") {
  Session session;
  REQUIRE(session.state().row == 2);
  edit(session, "insert=0,new");
  CHECK(session.state().row == 3);
  edit(session, "move=3,1");
  CHECK(session.state().row == 1);
  edit(session, "delete=0");
  CHECK(session.state().row == 0);
}

TEST_CASE("names of edits use the tokens as they were when the edit was made") {
  Session session;
  session.dispatch(action::OpenExample{"cat-sat-down"});
  edit(session, "v[1]=0,0");
  edit(session, "delete=0");
  edit(session, "v[0]=1,1");
  edit(session, "h0.scores[2][0]=ln(2)");
  const auto items = editItems(session);
  REQUIRE(items.size() == 4);
  CHECK(items[0].name == "v[cat] := [0, 0]");
  CHECK(items[1].name == "the deleted");
  CHECK(items[2].name == "v[cat] := [1, 1]");
  CHECK(items[3].name == "scores[down][cat] := ln(2)");
  CHECK(items[3].effect == "Written h0.scores[2][0]=ln(2). Enters at the stage “scores”. Computed anew: scaled, weights, z.");
}

TEST_CASE("an edit of a token that is named by its number is named in words, as edits are written from 0") {
  Session session;
  edit(session, "v[1]=0,0");
  edit(session, "scores[2][1]=3");
  edit(session, "wq[0][1]=2");
  std::vector<std::string> names;
  for (const EditItem& item : editItems(session)) names.push_back(item.name);
  CHECK(names == std::vector<std::string>{"v of position 2 := [0, 0]", "scores of position 3 reading 2 := 3",
                                          "W_Q, row 1, column 2 := 2"});
}

TEST_CASE("what changed is said row by row, with the largest change and where it is") {
  Session session;
  edit(session, "v[1]=0,0");
  CHECK(changesText(session) ==
        "weights: the same, bit for bit. z: rows 2 and 3 changed, most by −8/3, in component 2 of the z of position 2. "
        "y: rows 2 and 3 changed, most by −8/3, in component 2 of the y of position 2.");
  edit(session, "insert=3,new");
  CHECK(changesText(session).find("Before and after cannot be laid over each other: x was 3×2 and is 4×2. weights: 3×3 "
                                  "before and 4×4 now, so nothing can be subtracted.") == 0);
}

TEST_CASE("where a weight changed most is said without a number that could be misread, and so are other heads") {
  Session session;
  edit(session, "forbid=2,1");
  CHECK(changesText(session).find("in the weight with which position 3 reads position 2.") != std::string::npos);
  edit(session, "add-head=h0");
  session.dispatch(action::Pin{});
  edit(session, "h0.weights[2]=1,0,0");
  edit(session, "h1.weights[2]=0,0,1");
  CHECK(changesText(session).find("weights of head 1: row 3 changed") == 0);
  CHECK(changesText(session).find(" Head 2 changed too.") != std::string::npos);
}

TEST_CASE("the plain text of a moment says what is edited and what changed") {
  Session session;
  CHECK(plainText(session).find("Edited") == std::string::npos);
  edit(session, "v[1]=0,0");
  edit(session, "scale=1");
  CHECK(plainText(session).find("Edited: v of position 2 := [0, 0]; scale := 1.\nCompared with the example without edits: weights: rows") !=
        std::string::npos);
}

TEST_CASE("what is pinned is what the present moment is compared with, another head or example included") {
  Session session;
  CHECK_FALSE(session.compares());
  edit(session, "forbid=2,1");
  session.dispatch(action::Pin{});
  CHECK_FALSE(session.compares());
  edit(session, "v[0]=0,0");
  REQUIRE(session.compares());
  CHECK(core::arrayOf(*session.before().trace, 0, Array::kWeights)(2, 1) == 0);
  session.dispatch(action::Unpin{});
  CHECK(core::arrayOf(*session.before().trace, 0, Array::kWeights)(2, 1) == doctest::Approx(0.25));
}

TEST_CASE("an edited number stands beside the computed one in the explanation") {
  Session session;
  edit(session, "v[1][1]=1");
  edit(session, "weights[2][0]=1/2");
  session.dispatch(action::LoadLink{encodeLink(session.state(), session.library()).link + "&stage=v&grain=cell&at=1&col=1"});
  const Explanation of_value = explain(session);
  REQUIRE(of_value.numbers.size() == 1);
  CHECK(of_value.numbers[0] == "0×0 + 1×4 = 4 → set to 1");
  session.dispatch(action::SetGrain{Grain::kRow});
  session.dispatch(action::Last{});
  const Explanation whole = explain(session);
  CHECK(whole.distribution_sum == "The weights sum to 1.2500, because an edit has set them: they are kept as they are.");
  CHECK(cellText(session, {Array::kWeights, 2, 0}).find("0.5 = 1/2 (set by an edit); before: 0.25") != std::string::npos);
}

TEST_CASE("the page's API edits, removes, lists, shows and pins") {
  Session session;
  const auto dispatch = [&](const char* json) {
    auto parsed = parseAction(json);
    REQUIRE(parsed.ok());
    session.dispatch(parsed.value());
  };
  dispatch(R"({"type":"edit","edit":"v[1]=0,0"})");
  dispatch(R"({"type":"edit","edit":"forbid=2,0"})");
  dispatch(R"({"type":"unedit","index":0})");
  dispatch(R"({"type":"show","show":"difference"})");
  dispatch(R"({"type":"pin"})");
  CHECK(session.state().edits == std::vector<std::string>{"forbid=2,0"});
  CHECK(session.state().shown == Shown::kDifference);
  CHECK(session.state().pinned.has_value());
  const std::string json = stateJson(session);
  CHECK(json.find(R"("edits":["forbid=2,0"],"show":"difference","pinned":true)") != std::string::npos);
  dispatch(R"({"type":"edits","edits":["scale=1","v[0]=1,1"]})");
  CHECK(session.state().edits.size() == 2);
  CHECK_FALSE(parseAction(R"({"type":"edits","edits":[1]})").ok());
  CHECK_FALSE(parseAction(R"({"type":"edit"})").ok());
}
