// Tables given away as CSV, and choices of many options, by label and by keyboard.
#include <doctest/doctest.h>

#include "ui/scene_pages.h"
#include "ui/scene_view.h"

using namespace attn;
using attn::test::Screen;

namespace {

lesson::Page pageWith(lesson::Block block) {
  lesson::Page page;
  page.id = test::kScene;
  page.title = "A page";
  page.blocks.push_back(std::move(block));
  return page;
}

lesson::Page tablePage() {
  lesson::Table table;
  table.title = "Each in turn";
  table.columns = {"act", "edit", "change"};
  table.rows = {{"2 “sat” forbidden", "forbid=2,1", "−0.2500"}, {"value zeroed", "v[1]=0,0", "+0.5"}, {"none", "–", "–"}};
  return pageWith({std::move(table)});
}

const char* const kCsv = "act,edit,change\r\n2 “sat” forbidden,\"forbid=2,1\",-0.2500\r\n"
                         "value zeroed,\"v[1]=0,0\",+0.5\r\nnone,,\r\n";

lesson::Page longChoice() {
  lesson::Page page = pageWith({lesson::Words{lesson::Words::Style::kText, "Words."}});
  lesson::Param param;
  param.key = "row";
  param.label = "Row that reads";
  param.kind = lesson::ParamKind::kChoice;
  for (int i = 0; i < 64; ++i) param.options.push_back({std::to_string(i), std::to_string(i) + " “token”"});
  param.preset = param.value = "63";
  page.params.push_back(std::move(param));
  return page;
}

std::string clipboard() { return ImGui::GetClipboardText() ? ImGui::GetClipboardText() : ""; }

}  // namespace

TEST_CASE("a table is put on the clipboard as CSV, with minus signs that other programs read") {
  Screen screen;
  test::openPage(screen, tablePage());
  REQUIRE(screen.click("Copy as CSV"));
  CHECK(clipboard() == kCsv);
  CHECK(screen.view.said == "The table is on the clipboard as CSV.");
}

TEST_CASE("where files can be kept, a table is saved as one, also by the keyboard") {
  Screen screen;
  std::string name, text;
  screen.view.save_file = [&](const std::string& as, const std::string& content) { name = as, text = content; };
  test::openPage(screen, tablePage());
  screen.frame(2);
  const ui::Control* save = screen.find("Save as CSV");
  REQUIRE(save);
  CHECK(save->group == "Each in turn");
  const std::string id = save->id;
  for (int i = 0; i < 100 && screen.recorder.focused != id; ++i) screen.key(ImGuiKey_Tab);
  REQUIRE(screen.recorder.focused == id);
  screen.key(ImGuiKey_Enter);
  screen.frame(2);
  CHECK(name == std::string(test::kScene) + "-0.csv");
  CHECK(text == kCsv);
}

TEST_CASE("a choice of many options is a slider with the name of the chosen one") {
  Screen screen;
  test::openPage(screen, longChoice());
  screen.frame(2);
  CHECK(screen.shows("63 “token”"));
  CHECK_FALSE(screen.click("try/row/more"));  // there is no more
  REQUIRE(screen.click("try/row/less"));
  CHECK(test::setting(screen, "row") == "62");
  screen.recorder.setValue("try/row/slider", 5);
  screen.frame(2);
  CHECK(test::setting(screen, "row") == "5");
  CHECK(screen.shows("5 “token”"));
}
