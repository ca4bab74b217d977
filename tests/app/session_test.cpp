// Choices, history and playback through the one door of the session.
#include "app/session.h"

#include <doctest/doctest.h>

#include "app/walks.h"
#include "support/generated_documents.h"

namespace {

using namespace attn;
using namespace attn::app;
using core::Stage;
using test::Random;

Step stepAt(const Session& session) { return session.state().at.value_or(Step{Stage::kNorm, -9, -9, -9}); }

// A random request, sensible or not.
Action randomAction(Random& random) {
  const auto flip = [&] { return random.below(2) == 0; };
  switch (random.below(30)) {
    case 0: return action::StepBy{static_cast<int>(random.below(7)) - 3};
    case 1: return action::StageBy{static_cast<int>(random.below(5)) - 2};
    case 2: return action::First{};
    case 3: return action::Last{};
    case 4: return action::Seek{random.below(40) - 5};
    case 5: return action::TogglePlay{};
    case 6: return action::Pause{};
    case 7: return action::Tick{random.uniform()};
    case 8: return action::ChooseRow{random.below(5) - 1};
    case 9: return action::ChooseHead{random.below(3) - 1};
    case 10:
      return action::ChooseCell{
          {static_cast<core::Array>(random.below(core::kArrayCount)), random.below(4), random.below(4)}};
    case 11: return action::LeaveCell{};
    case 12: return action::SetOrder{flip() ? Order::kRow : Order::kStage};
    case 13: return action::SetGrain{static_cast<Grain>(random.below(4))};
    case 14: return action::SetMask{static_cast<MaskChoice>(random.below(3))};
    case 15: return action::OpenExample{flip() ? "three-positions" : "cat-sat-down"};
    case 16: return action::SetExact{flip()};
    case 17: return action::SetDecimals{static_cast<int>(random.below(8))};
    case 18: return action::SetPalette{static_cast<Palette>(random.below(4))};
    case 19: return action::SetSpeed{random.uniform() * 20};
    case 20: return action::SetRunOn{flip()};
    case 21: return action::Undo{};
    case 22: return action::Redo{};
    case 23: return action::OpenScene{flip() ? "why-context" : "", {}};
    case 24: return action::Set{flip() ? "layers" : "seed", std::to_string(random.below(9))};
    case 25: return action::ResetScene{};
    case 26: return action::StopScene{};
    case 27: return action::SceneFailed{static_cast<unsigned long>(random.below(9)), "It failed."};
    case 28: return action::RetryScene{};
    default: return action::SetShowSpaces{flip()};
  }
}

}  // namespace

TEST_CASE("A session starts with three positions, paused, before the first step") {
  const Session session;
  CHECK(session.state() == State{});
  CHECK(session.example().id == "three-positions");
  CHECK(session.position() == 0);
  CHECK(session.timeline().size() == 10);
  CHECK(!session.playback().playing);
  CHECK(!session.canUndo());
  CHECK(session.notice().empty());
}

TEST_CASE("Stepping goes on and back, and stops at both ends") {
  Session session;
  session.dispatch(action::StepBy{-1});
  CHECK(session.position() == 0);
  session.dispatch(action::StepBy{8});
  CHECK(stepAt(session) == Step{Stage::kZ, 2, -1, -1});
  session.dispatch(action::StepBy{-1});
  CHECK(stepAt(session) == Step{Stage::kWeights, 2, -1, -1});
  session.dispatch(action::StepBy{1'000'000'000});
  CHECK(session.position() == 10);
  session.dispatch(action::First{});
  CHECK(session.position() == 0);
  session.dispatch(action::Last{});
  CHECK(stepAt(session).stage == Stage::kResidual);
  CHECK(!session.canUndo());
}

TEST_CASE("Stages are walked whole at a fine grain") {
  Session session;
  session.dispatch(action::SetGrain{Grain::kTerm});
  session.dispatch(action::StepBy{1});
  session.dispatch(action::StageBy{1});
  CHECK(stepAt(session).stage == Stage::kQ);
  CHECK(session.timeline().endsStage(session.position()));
  session.dispatch(action::StageBy{2});
  CHECK(stepAt(session).stage == Stage::kV);
  session.dispatch(action::StageBy{-1});
  CHECK(stepAt(session).stage == Stage::kK);
  session.dispatch(action::StageBy{-9});
  CHECK(session.position() == 0);
}

TEST_CASE("Choosing another row keeps the stage; the same row changes nothing") {
  Session session;
  session.dispatch(action::StepBy{5});
  session.dispatch(action::ChooseRow{2});
  CHECK(session.position() == 5);
  CHECK(!session.canUndo());
  const Stage stage = stepAt(session).stage;
  session.dispatch(action::ChooseRow{0});
  CHECK(stepAt(session) == Step{stage, 0, -1, -1});
  CHECK(session.state().row == 0);
  session.dispatch(action::Undo{});
  CHECK(stepAt(session) == Step{stage, 2, -1, -1});
}

TEST_CASE("At every step of every grain another row is followed at the same stage") {
  for (const Grain grain : {Grain::kStage, Grain::kRow, Grain::kCell, Grain::kTerm}) {
    Session session;
    session.dispatch(action::SetMask{MaskChoice::kCausal});
    session.dispatch(action::SetGrain{grain});
    for (Index position = 0; position <= session.timeline().size(); ++position) {
      session.dispatch(action::ChooseRow{2});
      session.dispatch(action::Seek{position});
      const auto before = session.state().at;
      session.dispatch(action::ChooseRow{0});
      CHECK(session.state().row == 0);
      REQUIRE(before.has_value() == session.state().at.has_value());
      if (before) CHECK(session.state().at->stage == before->stage);
    }
  }
}

TEST_CASE("The mask that is in force is the one that an edit sets, until another is chosen") {
  Session session;
  CHECK(maskInForce(session.state()) == MaskChoice::kDocument);
  session.dispatch(action::AddEdit{"mask=causal"});
  CHECK(maskInForce(session.state()) == MaskChoice::kCausal);
  session.dispatch(action::AddEdit{"v[1]=0,0"});
  session.dispatch(action::AddEdit{"mask=none"});
  CHECK(maskInForce(session.state()) == MaskChoice::kNone);
  session.dispatch(action::SetMask{MaskChoice::kDocument});
  CHECK(maskInForce(session.state()) == MaskChoice::kDocument);
}

TEST_CASE("Stage by stage, choosing a row leaves the moment alone") {
  Session session;
  session.dispatch(action::SetOrder{Order::kStage});
  session.dispatch(action::StepBy{5});
  const auto moment = session.state().at;
  session.dispatch(action::ChooseRow{0});
  CHECK(session.state().row == 0);
  CHECK(session.state().at == moment);
}

TEST_CASE("Going back to one row follows the row that the step is about") {
  Session session;
  session.dispatch(action::SetOrder{Order::kStage});
  session.dispatch(action::StageBy{4});
  session.dispatch(action::StepBy{-1});
  CHECK(stepAt(session) == Step{Stage::kScores, 1, -1, -1});
  session.dispatch(action::SetOrder{Order::kRow});
  CHECK(session.state().row == 1);
  CHECK(stepAt(session) == Step{Stage::kScores, 1, -1, -1});
}

TEST_CASE("Both orders and back is the same moment, at every step and grain") {
  for (const Grain grain : test::kGrains) {
    Session session;
    session.dispatch(action::SetGrain{grain});
    for (Index n = 0; n <= session.timeline().size(); ++n) {
      session.dispatch(action::Seek{n});
      const State before = session.state();
      session.dispatch(action::SetOrder{Order::kStage});
      session.dispatch(action::SetOrder{Order::kRow});
      CHECK(session.position() == n);
      // Keys and values are made by all rows: there the walk of all rows does not say which row was followed.
      CHECK(session.state().row == before.row);
    }
  }
}

TEST_CASE("A mask without blocked cells has no mask stage, and the moment stays near") {
  Session session;
  session.dispatch(action::StepBy{6});
  CHECK(stepAt(session).stage == Stage::kMasked);
  session.dispatch(action::SetMask{MaskChoice::kNone});
  CHECK(stepAt(session).stage == Stage::kScaled);
  CHECK(session.timeline().size() == 9);
  session.dispatch(action::Undo{});
  CHECK(stepAt(session).stage == Stage::kMasked);
  CHECK(session.timeline().size() == 10);
}

TEST_CASE("A chosen mask replaces all of the document's, its alignment included") {
  Session session;
  session.dispatch(action::OpenDocument{
      R"({"attnscope":1,"tokens":["a","b"],"sources":["x","y","z"],"q":[[1],[2]],"k":[[1],[2],[3]],"v":[[1],[2],[3]],
          "mask":{"align":"bottom-right","window":1}})",
      "cross.json"});
  REQUIRE(session.notice() == "");
  session.dispatch(action::SetMask{MaskChoice::kCausal});
  CHECK(session.trace().mask.allowed(0, 0));
  CHECK(!session.trace().mask.allowed(0, 1));
  CHECK(session.trace().problem.mask == core::plainMask(true));
  CHECK(!session.trace().problem.mask.window);
}

TEST_CASE("Undo goes back through choices to the State before each, whatever was stepped between") {
  Session session;
  session.dispatch(action::StepBy{3});
  const State before = session.state();
  session.dispatch(action::SetGrain{Grain::kCell});
  session.dispatch(action::StepBy{4});
  const State between = session.state();
  session.dispatch(action::OpenExample{"cat-sat-down"});
  session.dispatch(action::StepBy{2});
  const State after = session.state();
  session.dispatch(action::Undo{});
  CHECK(session.state() == between);
  CHECK(session.example().id == "three-positions");
  session.dispatch(action::Undo{});
  CHECK(session.state() == before);
  CHECK(!session.canUndo());
  session.dispatch(action::Redo{});
  session.dispatch(action::Redo{});
  CHECK(session.state() == after);
  CHECK(!session.canRedo());
}

TEST_CASE("A new choice ends redo; a choice of what is already so does not") {
  Session session;
  session.dispatch(action::SetDecimals{2});
  session.dispatch(action::Undo{});
  CHECK(session.canRedo());
  session.dispatch(action::SetDecimals{4});
  CHECK(session.canRedo());
  session.dispatch(action::SetExact{false});
  CHECK(!session.canRedo());
}

TEST_CASE("Undo has no limit") {
  Session session;
  for (int n = 0; n < 2000; ++n) session.dispatch(action::SetDecimals{2 + n % 2});
  int undone = 0;
  for (; session.canUndo(); ++undone) session.dispatch(action::Undo{});
  CHECK(undone == 2000);
  CHECK(session.state() == State{});
}

TEST_CASE("A request that makes no sense changes nothing and says why") {
  Session session;
  session.dispatch(action::StepBy{4});
  const State before = session.state();
  const Action wrong[] = {action::ChooseRow{3},       action::ChooseRow{-1},
                          action::ChooseHead{1},      action::SetDecimals{1},
                          action::Seek{-1},           action::Seek{session.timeline().size() + 1},
                          action::SetSpeed{99},       action::OpenExample{"nowhere"},
                          action::OpenDocument{"{", "broken.json"}, action::ChooseCell{{core::Array::kBias, 0, 0}},
                          action::ChooseCell{{core::Array::kWeights, 0, 3}}};
  for (const Action& action : wrong) {
    session.clearNotice();
    session.dispatch(action);
    CHECK(session.state() == before);
    CHECK(!session.notice().empty());
    CHECK(!session.canUndo());
  }
  session.dispatch(action::StepBy{0});
  CHECK(session.notice().empty());
}

TEST_CASE("An opened document starts at its last row, and how numbers look stays the person's choice") {
  Session session;
  session.dispatch(action::SetDecimals{6});
  session.dispatch(action::StepBy{3});
  session.dispatch(action::OpenDocument{test::documentOf(test::catSatDown(), {"a", "b", "c", "d"}), "mine.json"});
  CHECK(session.state().row == 3);
  CHECK(session.position() == 0);
  CHECK(session.state().decimals == 6);
  CHECK(session.library().isOpened(session.state().example));
  session.dispatch(action::Undo{});
  CHECK(session.example().id == "three-positions");
  CHECK(session.position() == 3);
}

TEST_CASE("The same document twice is one entry under one id") {
  Session session;
  const std::string text = test::documentOf(test::baseCase());
  session.dispatch(action::OpenDocument{text, "a.json"});
  const State first = session.state();
  session.dispatch(action::OpenDocument{text, "b.json"});
  CHECK(session.state() == first);
}

TEST_CASE("Playback stops at the end of each stage, unless it runs on, and at the last step") {
  Session session;
  session.dispatch(action::SetGrain{Grain::kCell});
  session.dispatch(action::TogglePlay{});
  CHECK(session.playback().playing);
  for (int n = 0; n < 40; ++n) session.dispatch(action::Tick{0.25});
  CHECK(!session.playback().playing);
  CHECK(stepAt(session).stage == Stage::kQ);
  CHECK(session.timeline().endsStage(session.position()));
  session.dispatch(action::SetRunOn{true});
  session.dispatch(action::SetSpeed{16});
  session.dispatch(action::TogglePlay{});
  for (int n = 0; n < 200; ++n) session.dispatch(action::Tick{0.1});
  CHECK(!session.playback().playing);
  CHECK(session.position() == session.timeline().size());
  session.dispatch(action::TogglePlay{});
  CHECK(!session.playback().playing);
  CHECK(!session.notice().empty());
}

TEST_CASE("Playback keeps its speed however time is cut up") {
  for (const double slice : {0.01, 0.03, 0.1, 0.25}) {
    Session session;
    session.dispatch(action::SetGrain{Grain::kTerm});
    session.dispatch(action::SetRunOn{true});
    session.dispatch(action::SetSpeed{4});
    session.dispatch(action::TogglePlay{});
    double time = 0;
    for (; time < 3; time += slice) session.dispatch(action::Tick{slice});
    // The first step comes at once, then four each second; one more or less where a slice straddles a step.
    CHECK(std::abs(static_cast<double>(session.position()) - (1 + 4 * time)) <= 1.01);
  }
}

TEST_CASE("A tab that slept does not leap") {
  Session session;
  session.dispatch(action::SetGrain{Grain::kTerm});
  session.dispatch(action::SetRunOn{true});
  session.dispatch(action::TogglePlay{});
  session.dispatch(action::Tick{0});
  CHECK(session.position() == 1);
  session.dispatch(action::Tick{3600});
  CHECK(session.position() == 2);
}

TEST_CASE("Stepping by hand, another row and undo pause; how numbers look does not") {
  const Action pausing[] = {action::StepBy{1}, action::Seek{2}, action::Last{}, action::ChooseRow{0},
                            action::SetOrder{Order::kStage}, action::OpenExample{"cat-sat-down"}, action::Pause{}};
  for (const Action& action : pausing) {
    Session session;
    session.dispatch(action::TogglePlay{});
    session.dispatch(action);
    CHECK(!session.playback().playing);
  }
  Session session;
  session.dispatch(action::SetExact{false});
  session.dispatch(action::TogglePlay{});
  session.dispatch(action::SetDecimals{2});
  session.dispatch(action::ChooseCell{{core::Array::kX, 0, 0}});
  CHECK(session.playback().playing);
  session.dispatch(action::Undo{});
  CHECK(!session.playback().playing);
}

TEST_CASE("The revision counts what changed and nothing else") {
  Session session;
  const auto counted = [&](const Action& action) {
    const unsigned long before = session.revision();
    session.dispatch(action);
    return session.revision() != before;
  };
  CHECK(counted(action::StepBy{1}));
  CHECK(!counted(action::StepBy{0}));
  CHECK(!counted(action::SetDecimals{4}));
  CHECK(!counted(action::Tick{1}));
  CHECK(counted(action::TogglePlay{}));
  CHECK(counted(action::Tick{0}));
  CHECK(counted(action::ChooseRow{17}));  // a notice
  CHECK(counted(action::Undo{}));  // the notice goes
  CHECK(!counted(action::Undo{}));
}

TEST_CASE("Whatever is asked, the State stays inside its example, and undo comes back to the start") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    Session session;
    for (int n = 0; n < 120; ++n) {
      session.dispatch(randomAction(random));
      const State& state = session.state();
      CHECK(state.example == session.example().id);
      CHECK(state.row < static_cast<Index>(session.example().tokens.size()));
      CHECK(session.timeline().at(session.position()) == state.at);
      CHECK(session.trace().problem.mask == chosenMask(session.example(), state.mask));
      if (state.cursor) CHECK(core::arrayOf(session.trace(), state.head, state.cursor->array).rows > state.cursor->row);
    }
    while (session.canUndo()) session.dispatch(action::Undo{});
    State start = session.state();
    start.at.reset();
    start.cursor.reset();
    CHECK(start == State{});
  }
}

TEST_CASE("A step changes only where it is, whatever the State") {
  const Session session;
  const Context context{session.example(), session.trace(), session.timeline()};
  const auto stepped = update(session.state(), action::StepBy{4}, context);
  REQUIRE(stepped.ok());
  State expected = session.state();
  expected.at = Step{Stage::kScores, 2, -1, -1};
  CHECK(stepped.value() == expected);
  CHECK(session.position() == 0);
}
