// Taking away what the screen shows, by the controls' labels and by the keyboard.
#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/explain.h"
#include "app/export_file.h"
#include "ui/scene_pages.h"

namespace {

using namespace attn;
using test::Screen;

struct Saved {
  std::string name, bytes;
  int scale = 0;
};

// What the screen gives away, as a page would take it.
void takeFiles(Screen& screen, std::vector<Saved>& files) {
  screen.view.save_file = [&files](const std::string& name, const std::string& bytes) { files.push_back({name, bytes}); };
  screen.view.save_picture = [&files](const std::string& name, const std::string& svg, int scale) { files.push_back({name, svg, scale}); };
}

std::string exported(const Screen& screen, const app::ExportChoice& choice) {
  const auto bytes = app::exported(screen.session.example(), screen.session.trace(), choice, screen.session.state());
  REQUIRE_MESSAGE(bytes.ok(), (bytes ? "" : bytes.error().message));
  return bytes.value();
}

std::string clipboard() { return ImGui::GetClipboardText() ? ImGui::GetClipboardText() : ""; }

void openHeads(Screen& screen) {
  screen.open(R"({"attnscope":1,"title":"Two heads","tokens":["a","b"],"q":[[[1],[2]],[[3],[4]]],"k":[[[1],[2]],[[3],[4]]],"v":[[[1],[2]],[[3],[4]]]})");
}

}  // namespace

TEST_CASE("the keyboard opens the export panel, and the weights are saved as CSV with every digit") {
  Screen screen;
  std::vector<Saved> files;
  takeFiles(screen, files);
  screen.key(ImGuiKey_X);
  REQUIRE(screen.find("Everything"));
  for (int i = 0; i < 200 && screen.recorder.focused != "export/save"; ++i) screen.key(ImGuiKey_Tab);
  REQUIRE(screen.recorder.focused == "export/save");
  screen.key(ImGuiKey_Enter);
  screen.frame(2);
  REQUIRE(files.size() == 1);
  CHECK(files[0].name == "Three-positions-worked-exactly-weights.csv");
  CHECK(files[0].bytes == exported(screen, {"csv", "weights", {}}));
  CHECK(files[0].bytes.find("0.3333333333333333") != std::string::npos);
  CHECK(screen.view.said == "Saved as Three-positions-worked-exactly-weights.csv.");
}

TEST_CASE("every array goes out in every format, by labels, and bytes are not cut at a zero") {
  Screen screen;
  std::vector<Saved> files;
  takeFiles(screen, files);
  REQUIRE(screen.click("Export"));
  for (const char* label : {"export/what/v", "export/what/row_max", "export/what/allowed"}) {
    REQUIRE(screen.press(label));
    const std::string what = std::string(label).substr(12);
    for (const app::ExportFormat& format : app::exportFormats()) {
      if (!screen.find("export/format/" + std::string(format.id))) continue;
      CAPTURE(label);
      CAPTURE(std::string(format.id));
      REQUIRE(screen.press("export/format/" + std::string(format.id)));
      REQUIRE(screen.press("Save"));
      CHECK(files.back().bytes == exported(screen, {std::string(format.id), what, {}}));
      CHECK((screen.find("Copy") != nullptr) == format.text);
    }
  }
  CHECK(files.size() == 3 * 7);
}

TEST_CASE("everything goes out as archive, as JSON and as code") {
  Screen screen;
  std::vector<Saved> files;
  takeFiles(screen, files);
  REQUIRE(screen.click("Export"));
  REQUIRE(screen.press("Everything"));
  for (const char* format : {"npz", "safetensors", "json", "py", "numpy", "torch"}) {
    CAPTURE(std::string(format));
    REQUIRE(screen.press("export/format/" + std::string(format)));
    REQUIRE(screen.press("Save"));
    CHECK(files.back().bytes == exported(screen, {format, "", {}}));
  }
  CHECK(files[4].name == "Three-positions-worked-exactly-numpy.py");
  REQUIRE(screen.press("Copy"));
  CHECK(clipboard() == files.back().bytes);
}

TEST_CASE("the array of the chosen cell or of the step goes out unless another is named") {
  Screen screen;
  std::vector<Saved> files;
  takeFiles(screen, files);
  REQUIRE(screen.click("Export"));
  screen.dispatch(app::action::StepBy{1});
  CHECK(screen.find("Now: Q"));
  screen.dispatch(app::action::ChooseCell{{core::Array::kScores, 0, 0}});
  CHECK(screen.find("Now: scores"));
  REQUIRE(screen.press("Save"));
  CHECK(files.back().bytes == exported(screen, {"csv", "scores", {}}));
}

TEST_CASE("every choice of the export panel is a group of its own, with one option chosen, and the buttons are none of them") {
  Screen screen;
  std::vector<Saved> files;
  takeFiles(screen, files);
  openHeads(screen);
  REQUIRE(screen.click("Export"));
  REQUIRE(screen.press("export/format/png"));
  std::map<std::string, std::map<std::string, int>> chosen;  // of every group, by choice
  for (const ui::Control& each : screen.recorder.controls()) {
    if (each.role == ui::Role::kRadio && each.id.rfind("export/", 0) == 0) chosen[each.group][each.id.substr(0, each.id.rfind('/'))] += each.checked;
  }
  const std::map<std::string, std::map<std::string, int>> wanted = {
      {"What", {{"export/kind", 1}}}, {"Array", {{"export/what", 1}}}, {"Head", {{"export/head", 1}}},
      {"Format", {{"export/format", 1}}}, {"Colours", {{"export/colours", 1}}}, {"Size", {{"export/size", 1}}}};
  CHECK(chosen == wanted);
  CHECK(chosen.count(screen.recorder.byId("export/save")->group) == 0);
}

TEST_CASE("a head is chosen, and all heads only where a format holds them") {
  Screen screen;
  std::vector<Saved> files;
  takeFiles(screen, files);
  openHeads(screen);
  REQUIRE(screen.click("Export"));
  REQUIRE(screen.press("export/head/1"));
  REQUIRE(screen.press("Save"));
  CHECK(files.back().name == "Two-heads-weights-head-1.csv");
  CHECK(files.back().bytes == exported(screen, {"csv", "weights", 1}));
  REQUIRE(screen.press("export/head/all"));
  CHECK_FALSE(screen.find("Save"));
  CHECK(screen.shows("This format holds one head; choose which."));
  REQUIRE(screen.press("export/format/npy"));
  REQUIRE(screen.press("Save"));
  CHECK(files.back().bytes == exported(screen, {"npy", "weights", {}}));
  REQUIRE(screen.press("export/head/view"));
  screen.dispatch(app::action::ChooseHead{1});
  REQUIRE(screen.press("Save"));
  CHECK(files.back().bytes == exported(screen, {"npy", "weights", 1}));
}

TEST_CASE("a picture has the colours that are asked for, and pixels are made of it in the size that is asked for") {
  Screen screen;
  std::vector<Saved> files;
  takeFiles(screen, files);
  REQUIRE(screen.click("Export"));
  REQUIRE(screen.press("export/format/svg"));
  REQUIRE(screen.press("Save"));
  CHECK(files.back().bytes == exported(screen, {"svg", "weights", {}, false}));
  REQUIRE(screen.press("export/colours/dark"));
  REQUIRE(screen.press("PNG"));
  REQUIRE(screen.press("4×"));
  REQUIRE(screen.press("Save"));
  CHECK(files.back().name == "Three-positions-worked-exactly-weights.png");
  CHECK(files.back().bytes == exported(screen, {"svg", "weights", {}, true}));
  CHECK(files.back().scale == 4);
  CHECK_FALSE(screen.find("Copy"));
}

TEST_CASE("the moment goes out in words, as a link and as a document with its edits") {
  Screen screen;
  std::vector<Saved> files;
  takeFiles(screen, files);
  screen.dispatch(app::action::AddEdit{"v[1]=0,0", false});
  REQUIRE(screen.click("Export"));
  REQUIRE(screen.press("This moment"));
  REQUIRE(screen.press("Copy"));
  CHECK(clipboard() == app::plainText(screen.session));
  REQUIRE(screen.press("Save"));
  CHECK(files.back().bytes == app::plainText(screen.session));
  REQUIRE(screen.press("Link"));
  REQUIRE(screen.press("Copy"));
  CHECK(clipboard().find("v=1&edits=v%5B1%5D%3D0%2C0") != std::string::npos);
  REQUIRE(screen.press("Document"));
  REQUIRE(screen.press("Save document"));
  CHECK(files.back().bytes.find("\"edits\":[\"v[1]=0,0\"]") != std::string::npos);
}

TEST_CASE("where no file can be kept texts are copied, and the panel says so") {
  Screen screen;
  REQUIRE(screen.click("Export"));
  CHECK_FALSE(screen.find("Save"));
  CHECK_FALSE(screen.find("PNG"));
  CHECK(screen.shows("No file can be kept here"));
  REQUIRE(screen.press("Copy"));
  CHECK(clipboard() == exported(screen, {"csv", "weights", {}}));
  REQUIRE(screen.press("SVG"));
  CHECK(screen.shows("PNG is made on the page only"));
}

TEST_CASE("who keeps a file may say more about it") {
  Screen screen;
  screen.view.save_file = [&screen](const std::string& name, const std::string&) { screen.view.said = "Saved as /home/" + name + "."; };
  REQUIRE(screen.click("Export"));
  REQUIRE(screen.press("Save"));
  CHECK(screen.view.said == "Saved as /home/Three-positions-worked-exactly-weights.csv.");
}

TEST_CASE("a figure of a scene goes out as it is drawn, with its title") {
  Screen screen;
  std::vector<Saved> files;
  takeFiles(screen, files);
  test::openPage(screen, test::everyBlock());
  screen.frame(2);
  screen.key(ImGuiKey_X);
  int figures = 0;
  for (int block = 0; block < 60; ++block) {
    const ui::Control* control = screen.find("export/figure/" + std::to_string(block));
    if (!control) continue;
    CAPTURE(block);
    const std::string label = control->label;
    CAPTURE(label);
    screen.recorder.activate(control->id);
    screen.frame(4);
    ++figures;
    REQUIRE(files.size() == static_cast<std::size_t>(figures));
    CHECK(files.back().name == std::string(test::kScene) + "-" + std::to_string(block) + ".svg");
    CHECK(files.back().bytes.rfind("<svg xmlns=", 0) == 0);
    const std::string title = label.substr(std::min(label.size(), std::string("Save picture: ").size()));
    CHECK(files.back().bytes.find("<title>" + title) != std::string::npos);
    CHECK(files.back().bytes.find("</text>") != std::string::npos);
  }
  CHECK(figures >= 5);
  REQUIRE(screen.press("export/format/png"));
  REQUIRE(screen.press("1×"));
  screen.frame(2);
  for (int block = 0; block < 60; ++block) {
    if (screen.press("export/figure/" + std::to_string(block))) break;
  }
  CHECK(files.back().scale == 1);
  CHECK(files.back().name.find(".png") != std::string::npos);
}

TEST_CASE("narrow columns show the first number of their labels, or where there is none their own") {
  lesson::Grid grid;
  grid.title = "Blocks";
  grid.map = true;
  grid.rows = grid.columns = 128;
  grid.values.assign(128 * 128, 0.5);
  for (int n = 0; n < 128; ++n) grid.column_labels.push_back(n == 0 ? "start" : std::to_string(1000 + 8 * n) + "–" + std::to_string(1007 + 8 * n));
  lesson::Page page = test::everyBlock();
  page.blocks = {{grid}};
  Screen screen;
  std::vector<Saved> files;
  takeFiles(screen, files);
  test::openPage(screen, page);
  screen.key(ImGuiKey_X);
  REQUIRE(screen.press("export/figure/0"));
  screen.frame(2);
  REQUIRE(files.size() == 1);
  std::set<int> shown;  // the labels that are numbers of columns
  const std::string& svg = files[0].bytes;
  for (std::size_t at = 0; (at = svg.find("</text>", at)) != std::string::npos; ++at) {
    const std::size_t begin = svg.rfind('>', at) + 1;
    const std::string text = svg.substr(begin, at - begin);
    if (!text.empty() && text.find_first_not_of("0123456789") == std::string::npos) shown.insert(std::stoi(text));
  }
  CHECK(shown.count(0) == 1);
  shown.erase(0);
  shown.erase(1);  // an end of the legend
  REQUIRE(shown.size() > 2);
  for (const int number : shown) CHECK((number >= 1008 && number % 8 == 0));
}
