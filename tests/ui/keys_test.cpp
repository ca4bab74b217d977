// The keyboard alone: the table of keys, focus, moving inside a matrix.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "figure/matrix_figure.h"
#include "ui/harness.h"
#include "ui/keys.h"
#include "ui/stage_memory.h"

using attn::app::Grain;
using attn::core::Array;
using attn::test::Screen;

TEST_CASE("the keyboard alone goes from the first screen to the last number") {
  Screen screen;
  for (int i = 0; i < 10; ++i) screen.key(ImGuiKey_RightArrow);
  CHECK(screen.session.position() == 10);
  CHECK(screen.session.position() == screen.session.timeline().size());
  screen.key(ImGuiKey_LeftArrow);
  CHECK(screen.session.position() == 9);
  screen.key(ImGuiKey_LeftArrow, false, true);
  CHECK(screen.session.position() == 8);
  screen.key(ImGuiKey_Home);
  CHECK(screen.session.position() == 0);
  screen.key(ImGuiKey_End);
  CHECK(screen.session.position() == 10);
}

TEST_CASE("keys choose row, grain, order and mask, and play") {
  Screen screen;
  screen.key(ImGuiKey_UpArrow);
  CHECK(screen.session.state().row == 1);
  screen.key(ImGuiKey_4);
  CHECK(screen.session.state().grain == Grain::kTerm);
  screen.key(ImGuiKey_O);
  CHECK(screen.session.state().order == attn::app::Order::kStage);
  screen.key(ImGuiKey_M);
  CHECK(screen.session.state().mask == attn::app::MaskChoice::kNone);
  screen.key(ImGuiKey_Z, true);
  CHECK(screen.session.state().mask == attn::app::MaskChoice::kDocument);
  screen.key(ImGuiKey_Z, true, true);
  CHECK(screen.session.state().mask == attn::app::MaskChoice::kNone);
  screen.key(ImGuiKey_Z, true);
  screen.key(ImGuiKey_Y, true);
  CHECK(screen.session.state().mask == attn::app::MaskChoice::kNone);
  screen.key(ImGuiKey_Space);
  CHECK(screen.session.playback().playing);
  screen.key(ImGuiKey_Space);
  CHECK_FALSE(screen.session.playback().playing);
}

TEST_CASE("Enter moves the keyboard into the matrix of the step and Esc out of it") {
  Screen screen;
  for (int i = 0; i < 4; ++i) screen.key(ImGuiKey_RightArrow);
  screen.key(ImGuiKey_Enter);
  REQUIRE(screen.session.state().cursor);
  CHECK(*screen.session.state().cursor == attn::app::CellCursor{Array::kScores, 2, 0});
  screen.key(ImGuiKey_RightArrow);
  CHECK(screen.session.state().cursor->col == 1);
  CHECK(screen.session.position() == 4);
  screen.key(ImGuiKey_End);
  CHECK(screen.session.state().cursor->col == 2);
  screen.key(ImGuiKey_RightArrow);
  CHECK(screen.session.state().cursor->col == 2);
  screen.key(ImGuiKey_UpArrow);
  CHECK(screen.session.state().cursor->row == 1);
  screen.key(ImGuiKey_Home, true);
  CHECK(*screen.session.state().cursor == attn::app::CellCursor{Array::kScores, 0, 0});
  screen.key(ImGuiKey_Period);
  CHECK(screen.session.position() == 5);
  screen.key(ImGuiKey_Comma);
  CHECK(screen.session.position() == 4);
  screen.key(ImGuiKey_PageDown);
  CHECK(screen.session.state().cursor->array == Array::kScaled);
  screen.key(ImGuiKey_PageUp);
  CHECK(screen.session.state().cursor->array == Array::kScores);
  screen.key(ImGuiKey_Escape);
  CHECK_FALSE(screen.session.state().cursor);
  screen.key(ImGuiKey_RightArrow);
  CHECK(screen.session.position() == 5);
}

TEST_CASE("the keys go through the matrices of the picture and no others, and the cell that they reach is in view") {
  Screen screen(390, 844);
  for (int i = 0; i < 4; ++i) screen.key(ImGuiKey_RightArrow);
  screen.key(ImGuiKey_Enter);
  const std::size_t matrices = screen.view.stage->equation.parts.size();
  for (std::size_t i = 0; i < matrices; ++i) screen.key(ImGuiKey_PageUp);
  std::set<Array> seen;
  for (std::size_t i = 0; i < matrices; ++i) {
    const attn::app::CellCursor cell = *screen.session.state().cursor;
    const attn::ui::StageMemory& memory = *screen.view.stage;
    CAPTURE(attn::core::arrayName(cell.array));
    const attn::figure::Placed* placed = memory.layout.find(cell.array);
    REQUIRE(placed);
    seen.insert(cell.array);
    const attn::figure::Box box = attn::figure::cellBox(*placed, memory.layout.cell, cell.row, cell.col);
    CHECK(memory.canvas.contains({box.center().x + memory.origin.x, box.center().y + memory.origin.y}));
    screen.key(ImGuiKey_PageDown);
  }
  CHECK(seen.size() == matrices);
}

TEST_CASE("reading cells by the mouse is the same as by Enter, and can be seen") {
  Screen screen;
  for (int i = 0; i < 4; ++i) screen.key(ImGuiKey_RightArrow);
  screen.click("scores[2][1]");  // merely chosen
  CHECK_FALSE(screen.view.in_matrix);
  CHECK_FALSE(screen.shows("Reading scores"));
  REQUIRE(screen.click("Read cells"));
  CHECK(screen.view.in_matrix);
  CHECK(screen.shows("Reading scores: arrows move, Esc leaves"));
  CHECK(screen.find("Read cells")->checked);
  screen.key(ImGuiKey_LeftArrow);
  CHECK(*screen.session.state().cursor == attn::app::CellCursor{Array::kScores, 2, 0});
  CHECK(screen.session.position() == 4);
  REQUIRE(screen.click("Row end"));
  CHECK(screen.session.state().cursor->col == 2);
  REQUIRE(screen.click("Row start"));
  CHECK(screen.session.state().cursor->col == 0);
  REQUIRE(screen.click("First cell"));
  CHECK(*screen.session.state().cursor == attn::app::CellCursor{Array::kScores, 0, 0});
  REQUIRE(screen.click("Next matrix"));
  CHECK(screen.session.state().cursor->array == Array::kScaled);
  REQUIRE(screen.click("Previous matrix"));
  CHECK(screen.session.state().cursor->array == Array::kScores);
  REQUIRE(screen.click("Leave"));
  CHECK_FALSE(screen.view.in_matrix);
  CHECK_FALSE(screen.session.state().cursor);
  REQUIRE(screen.click("Read cells"));
  REQUIRE(screen.click("Read cells"));
  CHECK_FALSE(screen.view.in_matrix);
}

TEST_CASE("a focused control that goes away leaves the keys to the picture") {
  Screen screen;
  screen.key(ImGuiKey_Enter);
  screen.recorder.focused = "matrix/leave";
  screen.key(ImGuiKey_Enter);
  CHECK_FALSE(screen.view.in_matrix);
  CHECK(screen.recorder.focused.empty());
  screen.key(ImGuiKey_RightArrow);
  CHECK(screen.session.position() == 1);
}

TEST_CASE("Tab follows the eye: stepping first, and each line from left to right") {
  Screen screen;
  screen.click("Next step");
  screen.click("None");  // so that there is something to undo
  screen.click("Undo");
  screen.click("None");
  std::vector<std::string> order;
  for (int i = 0; i < 200; ++i) {
    screen.key(ImGuiKey_Tab);
    if (screen.recorder.focused.empty()) break;
    order.push_back(screen.recorder.focused);
  }
  const auto at = [&](const char* id) {
    const auto found = std::find(order.begin(), order.end(), id);
    CAPTURE(id);
    REQUIRE(found != order.end());
    return found - order.begin();
  };
  CHECK(at("transport/next") < 6);
  const auto ascending = [&](std::initializer_list<const char*> ids) {
    long last = -1;
    for (const char* id : ids) {
      CAPTURE(id);
      CHECK(at(id) > last);
      last = at(id);
    }
  };
  ascending({"transport/play", "transport/next", "transport/scrub", "transport/run-on", "order/row", "grain/stage",
             "grain/term", "mask/document", "header/contents", "history/undo", "header/link", "header/settings",
             "header/help", "header/about", "contents/three-positions", "stage/zoom-out", "stage/zoom-in"});
}

TEST_CASE("Tab goes through every control that can act and comes back to the picture") {
  Screen screen;
  std::set<std::string> seen;
  for (int i = 0; i < 200; ++i) {
    screen.key(ImGuiKey_Tab);
    if (screen.recorder.focused.empty()) break;
    CHECK(seen.insert(screen.recorder.focused).second);
  }
  CHECK(screen.recorder.focused.empty());
  CHECK(seen.count("transport/next"));
  CHECK(seen.count("mask/none"));
  CHECK_FALSE(seen.count("transport/previous"));  // nothing to go back to
  screen.key(ImGuiKey_Tab, false, true);
  CHECK_FALSE(screen.recorder.focused.empty());
}

TEST_CASE("a focused control keeps its own keys") {
  Screen screen;
  screen.recorder.focused = "transport/next";
  screen.key(ImGuiKey_Space);
  CHECK(screen.session.position() == 1);
  CHECK_FALSE(screen.session.playback().playing);
  screen.key(ImGuiKey_Enter);
  CHECK(screen.session.position() == 2);
  CHECK_FALSE(screen.session.state().cursor);
  screen.recorder.focused = "transport/scrub";
  screen.key(ImGuiKey_RightArrow);
  CHECK(screen.session.position() == 3);
  screen.key(ImGuiKey_LeftArrow);
  CHECK(screen.session.position() == 2);
  screen.recorder.focused = "grain/row";
  screen.key(ImGuiKey_RightArrow);
  CHECK(screen.session.state().grain == Grain::kCell);
  CHECK(screen.recorder.focused == "grain/cell");
}

TEST_CASE("where the page owns the focus, Tab and the keys of controls are its own") {
  Screen screen;
  screen.view.environment.page_owns_focus = true;
  screen.key(ImGuiKey_Tab);
  CHECK(screen.recorder.focused.empty());
  screen.recorder.focused = "transport/next";
  screen.key(ImGuiKey_Enter);
  CHECK(screen.session.position() == 0);
  screen.recorder.focused.clear();
  screen.view.stage_focused = false;
  screen.key(ImGuiKey_RightArrow);
  CHECK(screen.session.position() == 0);
}

TEST_CASE("single-letter keys can be switched off") {
  Screen screen;
  screen.view.letter_keys = false;
  screen.key(ImGuiKey_M);
  screen.key(ImGuiKey_4);
  CHECK(screen.session.state() == attn::app::State{});
  screen.key(ImGuiKey_RightArrow);
  CHECK(screen.session.position() == 1);
}

TEST_CASE("the help lists every key, and every key has a control on the screen") {
  Screen screen(1280, 2400);
  screen.view.sounds = true;
  screen.key(ImGuiKey_Slash, false, true);
  REQUIRE(screen.view.help_open);
  for (const attn::ui::KeyBinding& each : attn::ui::keyBindings()) {
    CAPTURE(each.does);
    CHECK(screen.shows(each.shown));
  }
  screen.key(ImGuiKey_Escape);
  CHECK_FALSE(screen.view.help_open);
  screen.open(
      R"({"attnscope":1,"tokens":["a","b"],"q":[[[1,0],[0,1]],[[1,1],[0,1]]],"k":[[1,0],[0,1]],"v":[[1],[2]]})");
  screen.key(ImGuiKey_RightArrow);
  std::set<std::string> ids;
  const auto collect = [&] {
    for (const attn::ui::Control& each : screen.recorder.controls())
      ids.insert(each.role == attn::ui::Role::kCell ? "cell" : each.id);
  };
  collect();
  screen.key(ImGuiKey_Enter);
  collect();
  screen.key(ImGuiKey_Escape);
  screen.key(ImGuiKey_End);
  collect();
  for (const attn::ui::KeyBinding& each : attn::ui::keyBindings()) {
    const bool page = each.scope == attn::ui::Scope::kScene || each.scope == attn::ui::Scope::kScroll;
    if (page) continue;  // theirs are there while a scene is open
    CAPTURE(each.does);
    const auto found = ids.lower_bound(std::string(each.control));
    REQUIRE(found != ids.end());
    CHECK(found->rfind(each.control, 0) == 0);
  }
}

TEST_CASE("a tooltip names the control and its key") {
  Screen screen;
  const attn::ui::Control* next = screen.find("transport/next-stage");
  REQUIRE(next);
  screen.moveTo(next->rect.x + 5, next->rect.y + 5);
  screen.frame(60);  // a pointer at rest
  CHECK(screen.shows("Next stage (Shift + →)"));
}
