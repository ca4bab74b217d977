// Editing by the controls' labels and by the keyboard, as a person does.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "app/edit_words.h"
#include "core/number.h"
#include "ui/harness.h"

namespace {

using namespace attn;
using core::Array;
using test::Screen;

core::ArrayView arrayOf(const Screen& screen, Array array) {
  return core::arrayOf(screen.session.trace(), screen.session.state().head, array);
}

// Writes into the field of that id and leaves it, as the mirror does.
void write(Screen& screen, const std::string& id, const std::string& text) {
  REQUIRE(screen.find(id));
  screen.recorder.setText(id, text);
  screen.frame(3);
}

void choose(Screen& screen, Array array, core::Index row, core::Index col) {
  screen.dispatch(app::action::ChooseCell{{array, row, col}});
  screen.frame(2);
}

// The base case A of two widths: queries and keys are the rows of x.
void openBase(Screen& screen) {
  screen.open(R"({"attnscope":1,"tokens":["a","b","c"],"q":[[1,0],[0,1],[1,1]],"k":[[1,0],[0,1],[1,1]],)"
              R"("v":[[1,2],[3,4],[5,6]],"mask":"causal"})");
}

}  // namespace

TEST_CASE("a value vector is zeroed through the laboratory, and the line above the stage says what changed") {
  Screen screen;
  REQUIRE(screen.click("Edit"));
  screen.frame(2);
  CHECK(screen.shows("Nothing is edited yet."));
  CHECK_FALSE(screen.find("Difference"));
  choose(screen, Array::kV, 1, 0);
  REQUIRE(screen.press("Zero the value"));
  screen.frame(2);
  CHECK(screen.session.state().edits == std::vector<std::string>{"v[1]=0,0"});
  CHECK(arrayOf(screen, Array::kZ)(2, 1) == doctest::Approx(2));
  CHECK(screen.shows("v of position 2 := [0, 0]"));
  CHECK(app::editItems(screen.session)[0].effect == "Written v[1]=0,0. Enters at the stage “values”. Computed anew: z, y, residual.");
  CHECK(screen.shows("Enters at the stage"));
  REQUIRE(screen.find("comparison/summary"));
  CHECK(screen.find("comparison/summary")->label.find("weights: the same, bit for bit.") == 0);
  REQUIRE(screen.press("Difference"));
  CHECK(screen.session.state().shown == app::Shown::kDifference);
  REQUIRE(screen.press("Remove: v of position 2 := [0, 0]"));
  screen.frame(2);
  CHECK(screen.session.state().edits.empty());
  CHECK_FALSE(screen.find("Difference"));
}

TEST_CASE("a source is forbidden and allowed again, a scale set, a token inserted, each by its label") {
  Screen screen;
  REQUIRE(screen.click("Edit"));
  screen.frame(2);
  choose(screen, Array::kWeights, 2, 1);
  REQUIRE(screen.press("Forbid this"));
  screen.frame(2);
  CHECK(arrayOf(screen, Array::kWeights)(2, 2) == doctest::Approx(2.0 / 3));
  REQUIRE(screen.press("Allow this"));
  screen.frame(2);
  CHECK(arrayOf(screen, Array::kWeights)(2, 2) == doctest::Approx(0.5));
  openBase(screen);
  screen.frame(2);
  screen.dispatch(app::action::SetMask{app::MaskChoice::kNone});
  screen.frame(2);
  write(screen, "lab/scale", "1");
  CHECK(arrayOf(screen, Array::kWeights)(2, 2) == doctest::Approx(0.576117).epsilon(1e-6));
  write(screen, "lab/token", "renamed");
  CHECK(screen.session.example().tokens[2] == "renamed");
  REQUIRE(screen.press("Insert after"));
  screen.frame(2);
  CHECK(screen.session.example().tokens.size() == 4);
  write(screen, "lab/d_v", "3");
  CHECK(arrayOf(screen, Array::kV).columns == 3);
}

TEST_CASE("three acts that look alike, by their labels: two agree in z and differ in the map") {
  struct Act {
    const char* label;
    double weight, z;  // of row 2 on source 0, and its first component
  };
  const Act acts[] = {{"Zero the value", 0.248255, 3.262214}, {"Zero the weight", 0, 3.262214}, {"Forbid the column", 0, 4.339523}};
  for (const Act& act : acts) {
    CAPTURE(act.label);
    Screen screen;
    openBase(screen);
    REQUIRE(screen.click("Edit"));
    screen.frame(2);
    choose(screen, Array::kWeights, 2, 0);
    REQUIRE(screen.press(act.label));
    screen.frame(2);
    CHECK(arrayOf(screen, Array::kWeights)(2, 0) == doctest::Approx(act.weight).epsilon(1e-5));
    CHECK(arrayOf(screen, Array::kZ)(2, 0) == doctest::Approx(act.z).epsilon(1e-6));
    REQUIRE(screen.press("Undo"));
    CHECK(arrayOf(screen, Array::kWeights)(2, 0) == doctest::Approx(0.248255).epsilon(1e-5));
  }
}

TEST_CASE("a row that may read nothing has no distribution, and no other row changes") {
  Screen screen;
  openBase(screen);
  REQUIRE(screen.click("Edit"));
  screen.frame(2);
  choose(screen, Array::kWeights, 0, 0);
  REQUIRE(screen.press("Forbid the row"));
  screen.frame(2);
  CHECK(arrayOf(screen, Array::kWeights)(0, 0) == 0);
  CHECK(arrayOf(screen, Array::kZ)(0, 1) == 0);
  CHECK(arrayOf(screen, Array::kWeights)(1, 1) == doctest::Approx(0.669762).epsilon(1e-6));
}

TEST_CASE("the keyboard alone chooses a cell, types a number and undoes it") {
  Screen screen;
  screen.key(ImGuiKey_Enter);  // into the matrix
  REQUIRE(screen.session.state().cursor);
  screen.key(ImGuiKey_RightArrow);
  screen.key(ImGuiKey_Enter);  // into the field
  screen.frame(3);
  REQUIRE(screen.view.lab_open);
  CHECK(screen.recorder.focused == "lab/value");
  REQUIRE(ImGui::GetIO().WantTextInput);
  screen.key(ImGuiKey_A, true);
  for (const char c : std::string("5/2")) ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(c));
  screen.frame(2);
  screen.key(ImGuiKey_Enter);
  screen.frame(3);
  REQUIRE(screen.session.state().edits.size() == 1);
  const app::CellCursor cell = *screen.session.state().cursor;
  CHECK(arrayOf(screen, cell.array)(cell.row, cell.col) == 2.5);
  screen.key(ImGuiKey_Z, true);
  CHECK(screen.session.state().edits.empty());
}

TEST_CASE("a whole row is pasted as NumPy, PyTorch or anybody prints it, and a wrong count is a sentence") {
  Screen screen;
  REQUIRE(screen.click("Edit"));
  screen.frame(2);
  choose(screen, Array::kX, 0, 0);
  for (const char* pasted : {"array([3., 4.])", "tensor([3.0000, 4.0000], dtype=torch.float64)", "3\t4", "[3;4]", "3,4", "sqrt(9), 2*2"}) {
    CAPTURE(pasted);
    screen.dispatch(app::action::SetEdits{{}});
    screen.frame(2);
    write(screen, "lab/row", pasted);
    CHECK(arrayOf(screen, Array::kX)(0, 0) == doctest::Approx(3));
    CHECK(arrayOf(screen, Array::kX)(0, 1) == doctest::Approx(4));
  }
  write(screen, "lab/row", "1 2 3");
  CHECK(screen.session.notice().find("a row of x has 2 numbers") != std::string::npos);
}

TEST_CASE("a number that is dragged follows the slider, as one item of the history") {
  Screen screen;
  REQUIRE(screen.click("Edit"));
  screen.frame(2);
  choose(screen, Array::kWeights, 2, 0);
  REQUIRE(screen.find("lab/drag"));
  for (const double value : {0.3, 0.5, 0.75}) {
    screen.recorder.setValue("lab/drag", value);
    screen.frame(2);
  }
  CHECK(screen.session.state().edits == std::vector<std::string>{"weights[2][0]=0.75"});
  screen.dispatch(app::action::Undo{});
  CHECK(screen.session.state().edits.empty());
}

TEST_CASE("any edit can be written out, and one that is none is a sentence") {
  Screen screen;
  REQUIRE(screen.click("Edit"));
  screen.frame(2);
  write(screen, "lab/write", "bias[2][0]=-1");
  CHECK(screen.session.state().edits == std::vector<std::string>{"bias[2][0]=-1"});
  CHECK(arrayOf(screen, Array::kBiased)(2, 0) == doctest::Approx(0.693147 - 1).epsilon(1e-5));
  write(screen, "lab/write", "nonsense");
  CHECK(screen.session.state().edits.size() == 1);
  CHECK(screen.session.notice().find("has no “=”") != std::string::npos);
}

TEST_CASE("the document is saved with its edits and its mask, and opens with them") {
  Screen screen;
  std::string saved, name;
  screen.view.save_file = [&](const std::string& file, const std::string& text) { name = file, saved = text; };
  screen.dispatch(app::action::AddEdit{"v[1]=0,0"});
  screen.dispatch(app::action::SetMask{app::MaskChoice::kNone});
  REQUIRE(screen.click("Edit"));
  screen.frame(2);
  REQUIRE(screen.press("Save document"));
  CHECK(name == "Three-positions-worked-exactly.json");
  Screen other;
  other.open(saved);
  CHECK(other.session.state().edits == std::vector<std::string>{"mask=none", "v[1]=0,0"});
  CHECK(other.session.trace().heads[0].z == screen.session.trace().heads[0].z);
}

TEST_CASE("from a page about the example, its stage is found again with its edits") {
  Screen screen;
  screen.dispatch(app::action::AddEdit{"v[1]=0,0"});
  screen.dispatch(app::action::Last{});
  REQUIRE(screen.click("Edit"));
  screen.frame(2);
  REQUIRE(screen.press("Side by side"));
  CHECK(screen.session.state().scene == "compare");
  CHECK_FALSE(screen.view.lab_open);
  REQUIRE(screen.session.sceneRequest());
  CHECK(screen.session.sceneRequest()->settings ==
        lesson::Settings{{"example", "three-positions"}, {"mask", "document"}, {"edits", "v[1]=0,0"}, {"head", "0"}});
  screen.dispatch(app::action::OpenExample{"three-positions"});
  CHECK(screen.session.state().scene == "");
  CHECK(screen.session.state().edits == std::vector<std::string>{"v[1]=0,0"});
  CHECK(screen.session.position() == screen.session.timeline().size());
}

TEST_CASE("heads are added, ablated and removed, and what is pinned is compared with") {
  Screen screen;
  REQUIRE(screen.click("Edit"));
  screen.frame(2);
  const double y = arrayOf(screen, Array::kY)(2, 1);
  REQUIRE(screen.press("Add a head"));
  screen.frame(2);
  CHECK(screen.session.trace().heads.size() == 2);
  CHECK(arrayOf(screen, Array::kY)(2, 1) == y);
  REQUIRE(screen.press("Pin this moment"));
  screen.frame(2);
  REQUIRE(screen.press("Ablate"));
  screen.frame(2);
  CHECK(arrayOf(screen, Array::kY)(2, 1) == 0);
  CHECK(app::comparedText(screen.session) == "what you pinned: Three positions, worked exactly, head 1, 1 edit");
  CHECK(screen.shows("With what you pinned"));
  REQUIRE(screen.press("Compare with no edits"));
  CHECK_FALSE(screen.session.state().pinned);
}

TEST_CASE("what a field does not take stays in it to be mended, until something else happens") {
  Screen screen;
  REQUIRE(screen.click("Edit"));
  screen.frame(2);
  screen.dispatch(app::action::Last{});
  choose(screen, Array::kV, 1, 0);
  write(screen, "lab/value", "12,,5x");
  CHECK_FALSE(screen.session.notice().empty());
  CHECK(screen.session.state().edits.empty());
  CHECK(screen.find("lab/value")->value_text == "12,,5x");
  CHECK(screen.find("lab/row")->value_text != "12,,5x");
  write(screen, "lab/value", "12.5");
  CHECK(screen.session.notice().empty());
  CHECK(screen.find("lab/value")->value_text == "12.5");
  write(screen, "lab/value", "oops");
  choose(screen, Array::kV, 0, 0);
  CHECK(screen.find("lab/value")->value_text == core::fullText(arrayOf(screen, Array::kV)(0, 0)));
}

TEST_CASE("a number that is not yet known stands in no field, and can be set all the same") {
  Screen screen;
  REQUIRE(screen.click("Edit"));
  screen.dispatch(app::action::First{});
  choose(screen, Array::kScores, 2, 0);
  CHECK(screen.find("lab/value")->value_text == "");
  CHECK(screen.find("lab/row")->value_text == "");
  CHECK(screen.find("lab/drag")->value_text == "not yet known");
  write(screen, "lab/value", "7");
  CHECK(screen.find("lab/value")->value_text == "7");
  CHECK(arrayOf(screen, Array::kScores)(2, 0) == 7);
  CHECK(screen.find("lab/row")->value_text == "");
  screen.dispatch(app::action::Last{});
  screen.frame(2);
  CHECK(screen.find("lab/value")->value_text == "7");
  CHECK(screen.find("lab/row")->value_text.starts_with("7, "));
}

TEST_CASE("the laboratory's controls are grouped by the headings they stand under") {
  Screen screen;
  REQUIRE(screen.click("Edit"));
  choose(screen, Array::kWeights, 2, 1);
  struct Place {
    const char* id;
    const char* group;
  };
  const Place places[] = {
      {"lab/write", "Edits, in order"}, {"lab/value", "The chosen cell"}, {"lab/forbid", "The chosen cell"},
      {"lab/token", "The followed position"}, {"lab/delete", "The followed position"},
      {"lab/ablate", "The head in view"}, {"lab/scale", "Rules of the scores"}, {"lab/pin", "Compare"}};
  for (const Place& each : places) {
    CAPTURE(each.id);
    REQUIRE(screen.find(each.id));
    CHECK(screen.find(each.id)->group == each.group);
  }
}
