// Numbers here are made up: what is tested is how a page is shown, not what it says.
#include "ui/scene_pages.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <utility>

#include "lesson/page_json.h"

namespace attn::test {
namespace {

using namespace lesson;

template <class Content>
Block block(Content content, bool beside = false) {
  Block made;
  made.content = std::move(content);
  made.beside = beside;
  return made;
}

Param param(std::string key, std::string label, ParamKind kind, double low, double high, double step,
            std::string preset) {
  Param made;
  made.key = std::move(key);
  made.label = std::move(label);
  made.kind = kind;
  made.minimum = low, made.maximum = high, made.step = step;
  made.value = made.preset = std::move(preset);
  return made;
}

std::vector<Param> everyParam() {
  std::vector<Param> all;
  all.push_back(param("layers", "Layers stacked", ParamKind::kInteger, 1, 6, 1, "3"));
  all.back().main = true;
  all.back().hint = "One layer per token can only see that token.";
  all.push_back(param("d_k", "Query width d_k", ParamKind::kInteger, 1, 512, 1, "64"));
  all.back().logarithmic = true;
  all.push_back(param("temperature", "Temperature", ParamKind::kNumber, 0.1, 4, 0.1, "1"));
  all.push_back(param("mask", "Mask", ParamKind::kChoice, 0, 1, 1, "causal"));
  all.back().options = {{"none", "No mask"}, {"causal", "Causal mask"}, {"padding", "Padding mask"}};
  all.push_back(param("residual", "Add the input back to what attention writes", ParamKind::kToggle, 0, 1, 1, "1"));
  all.push_back(param("seed", "New random numbers", ParamKind::kSeed, 0, 1e6, 1, "7"));
  all.push_back(param("order", "Order of the words", ParamKind::kOrder, 0, 1, 1, "0,1,2"));
  all.back().options = {{"a", "dog"}, {"b", "bites"}, {"c", "man"}};
  all.push_back(param("scores", "Scores", ParamKind::kNumbers, -50, 50, 1, "2,1,0,-1,0.5"));
  all.push_back(param("word", "Last word", ParamKind::kText, 0, 1, 1, "tired"));
  all.push_back(param("pasted", "Your numbers", ParamKind::kData, 0, 1, 1, ""));
  all.back().hint = "Paste what your program prints.";
  for (const char* key : {"kx", "ky"}) {
    all.push_back(param(key, "Coordinate", ParamKind::kNumber, -3, 3, 0.1, key[1] == 'x' ? "1.5" : "0.5"));
    all.back().shown = false;
  }
  return all;
}

Grid weights() {
  Grid grid;
  grid.title = "Weights of the first head";
  grid.note = "Row reads column.";
  grid.rows = grid.columns = 4;
  grid.map = true;
  grid.scale = GridScale::kWeights;
  grid.values = {1, 0, 0, 0, .4, .6, 0, 0, .2, .3, .5, 0, .1, .2, .3, .4};
  grid.row_labels = grid.column_labels = {"the", "river", "bank", "today"};
  grid.blocked = {"", "causal", "causal", "causal", "", "", "causal", "causal", "", "", "", "causal", "", "", "", ""};
  grid.marked = {{3, 3}};
  return grid;
}

Grid scores() {
  Grid grid;
  grid.title = "Scaled scores";
  grid.rows = 2, grid.columns = 3;
  grid.values = {-1.25, 0.5, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 0, 2};
  return grid;
}

Grid texture() {
  Grid grid;
  grid.title = "Position vectors";
  grid.rows = 50, grid.columns = 128;
  for (int i = 0; i < 50 * 128; ++i) grid.values.push_back(std::sin(i * 0.1));
  return grid;
}

Table changes() {
  Table table;
  table.title = "What changed";
  table.columns = {"", "in “river bank”", "in “money bank”", "difference"};
  table.rows = {{"x_3", "0.1200", "0.1200", "0"}, {"attention", "0.2210", "0.6391", "0.4181"}};
  table.marked = {1};
  return table;
}

Plot spread() {
  Plot plot;
  plot.title = "Spread of scores";
  plot.x_label = "d_k", plot.y_label = "standard deviation";
  plot.log_x = plot.log_y = true;
  Plot::Series measured{"measured", Plot::Kind::kPoints, {}, {}}, root{"√d_k", Plot::Kind::kLine, {}, {}};
  for (double d = 1; d <= 1024; d *= 2) {
    measured.x.push_back(d), measured.y.push_back(std::sqrt(d) * 1.03);
    root.x.push_back(d), root.y.push_back(std::sqrt(d));
  }
  plot.series = {measured, root};
  plot.marks = {{"d_k = 64", 64, true}};
  return plot;
}

Plot bars() {
  Plot plot;
  plot.title = "Weights of one row";
  plot.y_label = "weight";
  plot.names = {"the", "cat", "sat", "down", "quietly"};
  plot.series = {{"before", Plot::Kind::kBars, {0, 1, 2, 3, 4}, {.1, .2, .3, .25, .15}},
                 {"after", Plot::Kind::kBars, {0, 1, 2, 3, 4}, {.05, .5, .2, .15, .1}}};
  plot.marks = {{"1/5", 0.2, false}};
  return plot;
}

Plane plane() {
  using Role = Plane::Role;
  Plane made;
  made.title = "Queries and keys";
  made.reach = 3;
  made.arrows = {{"q", 2, 1, Role::kQuery, "", ""}, {"k_1", 1.5, 0.5, Role::kKey, "kx", "ky"}};
  made.points = {{"v_1", 1, -1, Role::kValue, "", ""}, {"v_2", -2, -1, Role::kValue, "", ""},
                 {"v_3", 0, -2.5, Role::kValue, "", ""}, {"z", -0.2, -1.4, Role::kResult, "", ""}};
  made.lines = {{"", 1, -1, -2, -1, false}, {"", -2, -1, 0, -2.5, false}, {"hull", 0, -2.5, 1, -1, false},
                {"shadow", 1.5, 0.5, 1.6, 0.8, true}};
  return made;
}

Strip sentence() {
  Strip strip;
  strip.title = "Sentence";
  strip.order_key = "order";
  strip.items = {{"dog", "0.12", .12, false}, {"bites", "0.63", .63, true}, {"man", "0.25", .25, false}};
  return strip;
}

Flow flow() {
  Flow made;
  made.title = "What reads what";
  made.layers = {"input", "layer 1", "layer 2"};
  made.positions = {"the", "cat", "sat", "down"};
  for (Index l = 0; l < 2; ++l)
    for (Index i = 0; i < 4; ++i)
      for (Index j = 0; j <= i; ++j) made.edges.push_back({l, j, i, 1.0 / static_cast<double>(i + 1), j + 1 == i});
  made.nodes = {{0, 1, "changed", true}, {2, 3, "moves", true}};
  return made;
}

Maps heads(Index count, Index line, const std::string& note) {
  Maps maps;
  maps.title = "Heads by layer";
  maps.note = "Chequered: no number.";
  maps.rows = 3, maps.columns = 4;
  maps.line = line;
  maps.keys = {"layers", "mask"};
  for (Index i = 0; i < count; ++i) {
    const std::string layer = std::to_string(i / 2), head = std::to_string(i % 2);
    maps.items.push_back({"layer " + layer + ", head " + head, layer + "." + head, i == 3 ? "not read yet" : note,
                          i == 3 ? "" : "AMz_A.gA_A_A", {std::to_string(1 + i % 6), "none"}});
  }
  return maps;
}

}  // namespace

Page everyBlock() {
  Page page;
  page.id = kScene;
  page.title = "Why a word needs its context";
  page.look = "Look at the two rows called bank: the layer without attention makes them equal.";
  page.says = "The two outputs agree to the last bit; attention moves them 0.4181 apart.";
  page.params = everyParam();
  auto& blocks = page.blocks;
  blocks.push_back(block(Words{Words::Style::kText, "The same word stands in two sentences, and W_Q is the same."}));
  blocks.push_back(block(Words{Words::Style::kHeading, "Reading the maps"}));
  blocks.push_back(block(Words{Words::Style::kNote, "The numbers are random, with the seed beside."}));
  blocks.push_back(block(Words{Words::Style::kCode, "for row in scores:\n    weights = softmax(row)"}));
  blocks.push_back(block(Claim{"Both outputs are equal.", true, false}));
  blocks.push_back(block(Claim{"Attention makes them equal.", false, false}));
  blocks.push_back(block(Claim{"The mask came after the softmax.", true, true}));
  blocks.push_back(block(weights()));
  blocks.push_back(block(scores(), true));
  blocks.push_back(block(texture()));
  blocks.push_back(block(changes()));
  blocks.push_back(block(spread()));
  blocks.push_back(block(bars(), true));
  blocks.push_back(block(plane()));
  blocks.push_back(block(sentence(), true));
  blocks.push_back(block(flow()));
  blocks.push_back(block(heads(6, 2, "itself 0.500")));
  blocks.push_back(block(Question{"Why are they equal?", "Equal things have equal images."}));
  blocks.push_back(block(Verdict{"a-task", "Two rows", "Which weight?", "1/3, 2/3 of what is left", "[1/4, 3/4].",
                                 "Not within 0.005: off by up to 0.0833.", Verdict::Judgement::kWrong, "Mind the sum."}));
  blocks.push_back(block(Jump{"See it with another mask", "v=1&scene=why-context&set.mask=none", {}, {}}));
  blocks.push_back(block(Source{"Vaswani et al.", "2017", "Attention Is All You Need", "3.2", "Translation, by BLEU."}));
  return page;
}

Page crowdedPage() {
  Page page = everyBlock();
  page.title = "A title that is much longer than titles of scenes should be, so that it must be broken into lines";
  Table wide;
  wide.title = "A table of many columns";
  wide.columns = {"way", "T = 1,024", "T = 4,096", "T = 16,384", "T = 65,536", "T = 131,072", "what it gives up"};
  wide.rows = {{"full attention", "8,388,608", "134,217,728", "2,147,483,648", "34,359,738,368", "137,438,953,472", "nothing"},
               {"a window of 256 tokens", "2,097,152", "8,388,608", "33,554,432", "134,217,728", "268,435,456",
                "everything farther away than the window, unless layers are stacked"}};
  Grid grid = weights();
  grid.rows = grid.columns = 12;
  grid.values.assign(144, 1.0 / 12);
  grid.blocked.clear();
  grid.row_labels.clear();
  for (int i = 0; i < 12; ++i) grid.row_labels.push_back("averylongtoken" + std::to_string(i));
  grid.column_labels = grid.row_labels;
  Strip strip;
  strip.title = "Many tokens";
  for (int i = 0; i < 30; ++i) strip.items.push_back({"token" + std::to_string(i), "a note", i / 29.0, i == 3});
  Flow stack = flow();
  stack.nodes = {{0, 0, "a note that is too long for its place", true}, {0, 1, "another long note here", false}};
  Plane full = plane();
  for (int i = 0; i < 12; ++i) full.points.push_back({"p_" + std::to_string(i), 0.1 * i, 0.1 * i, Plane::Role::kPlain, "", ""});
  Maps many = heads(300, 0, "a note that says more than anybody wants to read");
  for (Maps::Item& each : many.items) each.mark += ": 0.123 of something";
  page.blocks = {block(wide), block(grid), block(strip), block(stack), block(full), block(heads(300, 60, "a note")), block(many)};
  page.params[3].options = {{"none", "No mask at all, every source may be read"}, {"causal", "Only what came before"}};
  return page;
}

void answer(Screen& screen, Page page) {
  for (Param& each : page.params) {
    const std::string value = setting(screen, each.key);
    if (!value.empty()) each.value = value;
  }
  REQUIRE_FALSE(checkPage(page).has_value());
  REQUIRE(screen.session.sceneRequest().has_value());
  screen.dispatch(app::action::ScenePage{screen.session.sceneRequest()->ticket, pageJson(page)});
}

void openPage(Screen& screen, const Page& page) {
  screen.dispatch(app::action::OpenScene{page.id, {}});
  answer(screen, page);
  REQUIRE(screen.session.page() != nullptr);
}

EveryBlockScreen::EveryBlockScreen() : Screen(1280, 6000) { openPage(*this, everyBlock()); }

void EveryBlockScreen::type(const char* text) {
  ImGui::GetIO().AddInputCharactersUTF8(text);
  frame(2);
}

std::string setting(const Screen& screen, std::string_view key) {
  for (const auto& [name, value] : screen.session.state().settings)
    if (name == key) return value;
  return "";
}

}  // namespace attn::test
