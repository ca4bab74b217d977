// Pictures as SVG: the file is well-formed whatever the words hold, and every shape is in it.
#include <doctest/doctest.h>

#include <cctype>
#include <string>
#include <vector>

#include "figure/svg.h"
#include "figure/svg_heatmap.h"

using namespace attn::figure;

namespace {

constexpr Color kRed = {255, 0, 0, 255}, kWhite = {255, 255, 255, 255};

// The text between tags and in attributes, without escapes; `wrong` says what is no XML. Knows as much XML as we write.
struct Parsed {
  std::string wrong;
  std::vector<std::string> elements, texts;
};

std::string unescaped(std::string_view text, std::string& wrong) {
  constexpr std::pair<std::string_view, char> kNames[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}};
  std::string out;
  while (!text.empty()) {
    const std::pair<std::string_view, char>* found = nullptr;
    for (const auto& each : kNames) {
      if (text.substr(0, each.first.size()) == each.first) found = &each;
    }
    if (!found && (text[0] == '&' || text[0] == '<')) wrong = "not escaped: " + std::string(text.substr(0, 20));
    out += found ? found->second : text[0];
    text.remove_prefix(found ? found->first.size() : 1);
  }
  return out;
}

// name="value" pairs, each name once.
void attributes(std::string_view rest, std::string& wrong) {
  std::string names = " ";
  while (!rest.empty()) {
    const std::size_t equals = rest.find("=\"");
    if (rest[0] != ' ' || equals == std::string_view::npos) return void(wrong = "no attribute: " + std::string(rest));
    const std::string name(rest.substr(1, equals - 1));
    if (names.find(" " + name + " ") != std::string::npos) wrong = "twice: " + name;
    names += name + " ";
    const std::size_t end = rest.find('"', equals + 2);
    if (end == std::string_view::npos) return void(wrong = "no end of " + name);
    unescaped(rest.substr(equals + 2, end - equals - 2), wrong);
    rest.remove_prefix(end + 1);
  }
}

Parsed parse(std::string_view text) {
  Parsed parsed;
  std::vector<std::string> open;
  while (!text.empty()) {
    const std::size_t tag = std::min(text.find('<'), text.size());
    if (open.empty() && text.substr(0, tag) != "\n" && tag > 0) parsed.wrong = "text outside";
    parsed.texts.push_back(unescaped(text.substr(0, tag), parsed.wrong));
    text.remove_prefix(tag);
    if (text.empty()) break;
    const std::size_t end = text.find('>');
    if (end == std::string_view::npos) return parsed.wrong = "no end of a tag", parsed;
    std::string_view inside = text.substr(1, end - 1);
    text.remove_prefix(end + 1);
    if (inside.front() == '/') {
      if (open.empty() || open.back() != inside.substr(1)) return parsed.wrong = "closes " + std::string(inside), parsed;
      open.pop_back();
      continue;
    }
    const bool empty = inside.back() == '/';
    if (empty) inside.remove_suffix(1);
    const std::size_t name = std::min(inside.find(' '), inside.size());
    parsed.elements.emplace_back(inside.substr(0, name));
    attributes(inside.substr(name), parsed.wrong);
    if (!empty) open.push_back(parsed.elements.back());
  }
  if (!open.empty()) parsed.wrong = "still open: " + open.back();
  return parsed;
}

std::string written(const Picture& picture, std::string title = "weights") {
  return svgOf(picture, {{0, 0, 100, 50}, kWhite, std::move(title), "What it shows."});
}

long count(const Parsed& parsed, std::string_view name) { return std::count(parsed.elements.begin(), parsed.elements.end(), name); }
bool holds(const Parsed& parsed, std::string_view text) {
  return std::find(parsed.texts.begin(), parsed.texts.end(), text) != parsed.texts.end();
}

HeatmapRequest heatmap(int rows, int columns) {
  auto data = std::make_shared<HeatmapData>();
  data->rows = rows, data->columns = columns;
  const auto cells = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  data->values.assign(cells, 0.25f);
  data->marks.assign(cells, 0);
  HeatmapRequest request;
  request.width = request.clip_width = 100, request.height = request.clip_height = 50;
  request.data = data;
  return request;
}

}  // namespace

TEST_CASE("every shape is an element of its own kind, and the file is well-formed") {
  Picture picture;
  picture.add(Fill{{1, 2, 3, 4}, kRed, 2});
  picture.add(Frame{{1, 2, 3, 4}, kRed, 1.5f, 2});
  picture.add(Stroke{{0, 0}, {5, 5}, kRed, 1});
  picture.add(Path{{{0, 0}, {10, 0}, {10, 10}}, 3, kRed, 1});
  picture.add(Triangle{{0, 0}, {1, 0}, {0, 1}, kRed});
  picture.add(Disc{{5, 5}, 2, kRed});
  picture.add(Hatch{{0, 0, 20, 20}, kRed, 5});
  picture.add(ClipTo{{0, 0, 10, 10}});
  picture.add(Label{{50, 20}, 0.5f, 0.5f, Typeface::kStrong, 12, kRed, "x"});
  picture.add(ClipEnd{});
  const Parsed parsed = parse(written(picture));
  CHECK(parsed.wrong == "");
  CHECK(parsed.elements.front() == "svg");
  CHECK(count(parsed, "rect") == 4);  // the ground and the clip among them
  CHECK(count(parsed, "path") == 4);
  CHECK(count(parsed, "circle") == 1);
  CHECK(count(parsed, "clipPath") == 1);
  CHECK(count(parsed, "g") == 1);
  CHECK(holds(parsed, "weights"));
  CHECK(holds(parsed, "What it shows."));
  CHECK(holds(parsed, "x"));
}

TEST_CASE("words are words whatever they hold, and what XML cannot hold is replaced") {
  Picture picture;
  const char* tokens[] = {"<b>", "</script>", "a<b<c", "&lt;", "%s%n", "##id", "x###y", "\"the\"", " the", "\xE2\x96\x81the", "]]>", "\xF0\x9F\x98\x80"};
  for (const char* token : tokens) picture.add(Label{{0, 0}, 0, 0, Typeface::kBody, 12, kRed, token});
  picture.add(Label{{0, 0}, 0, 0, Typeface::kBody, 12, kRed, std::string("a\0b\x1F\xF0", 5)});
  const Parsed parsed = parse(written(picture, "<b>&\""));
  CHECK(parsed.wrong == "");
  CHECK(holds(parsed, "<b>&\""));
  for (const char* token : tokens) {
    CAPTURE(token);
    CHECK(holds(parsed, token));
  }
  CHECK(holds(parsed, "a\xEF\xBF\xBD""b\xEF\xBF\xBD\xEF\xBF\xBD"));
}

TEST_CASE("a clip that is never ended ends with the picture") {
  Picture picture;
  picture.add(ClipTo{{0, 0, 10, 10}});
  picture.add(ClipTo{{0, 0, 5, 5}});
  CHECK(parse(written(picture)).wrong == "");
}

TEST_CASE("numbers have two decimals at most, and colours that can be seen through say so") {
  Picture picture;
  picture.add(Fill{{1.0f / 3, -0.001f, 2.5f, 100}, {16, 32, 255, 51}, 0});
  CHECK(written(picture).find("<rect x=\"0.33\" y=\"0\" width=\"2.5\" height=\"100\" fill=\"#1020ff\" fill-opacity=\"0.2\"/>") != std::string::npos);
  CHECK(written(picture) == written(picture));
}

TEST_CASE("neighbours of a heatmap that look the same are one rectangle, and blocked ones stay apart") {
  HeatmapRequest request = heatmap(2, 4);
  auto data = std::make_shared<HeatmapData>(*request.data);
  data->values = {0, 0, 1, 1, 0.5f, 0.5f, 0.5f, 0.5f};
  data->marks[7] = 1;
  request.data = data;
  const auto runs = heatmapRuns(request, kMostSvgCells);
  REQUIRE(runs.size() == 4);
  CHECK(runs[0].box.w == doctest::Approx(50));
  CHECK(runs[0].color == sequentialTable(Palette::kViridis).front());
  CHECK(runs[1].color == sequentialTable(Palette::kViridis).back());
  CHECK(runs[2].box.w == doctest::Approx(75));
  CHECK(runs[3].blocked);
  Picture picture;
  picture.add(request);
  const Parsed parsed = parse(written(picture));
  CHECK(parsed.wrong == "");
  CHECK(count(parsed, "pattern") == 1);
}

TEST_CASE("of a heatmap with too many cells, blocks have the mean of their colours, and the description says so") {
  HeatmapRequest request = heatmap(200, 200);
  auto data = std::make_shared<HeatmapData>(*request.data);
  for (std::size_t n = 0; n < data->values.size(); ++n) data->values[n] = n % 2 == 0 ? 0.0f : 1.0f;
  request.data = data;
  request.palette = Palette::kGrey;
  CHECK(blockSide(*data, kMostSvgCells) == 2);
  const ColorTable& greys = sequentialTable(Palette::kGrey);
  const Color mean = mix(greys.front(), greys.back(), 0.5);
  const auto runs = heatmapRuns(request, kMostSvgCells);
  REQUIRE(runs.size() == 100);
  for (const HeatmapRun& run : runs) CHECK(run.color == mean);
  CHECK(runs.back().box.bottom() == doctest::Approx(50));
  Picture picture;
  picture.add(request);
  CHECK(written(picture).find("Each rectangle stands for 2 × 2 cells") != std::string::npos);
  picture.shapes = {heatmap(100, 200)};
  CHECK(written(picture).find("Each rectangle") == std::string::npos);
}
