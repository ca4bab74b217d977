// What is taken away holds what was computed: arrays read back bit for bit, tokens whatever they hold, code and pictures.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "app/export_file.h"
#include "io/array_data.h"
#include "io/array_file.h"
#include "io/json.h"
#include "lesson/edits.h"
#include "lesson/trace_arrays.h"

namespace {

using namespace attn;

struct Computed {
  lesson::Example example;
  core::Trace<double> trace;
};

Computed computed(std::string_view json) {
  auto example = lesson::parseExample(json, "test");
  REQUIRE_MESSAGE(example.ok(), (example ? "" : example.error().message));
  const std::vector<std::string> edits = example.value().edits;
  auto edited = lesson::editExample(example.take(), edits);
  REQUIRE_MESSAGE(edited.ok(), (edited ? "" : edited.error().message));
  auto trace = core::computeTrace(edited.value().problem);
  REQUIRE(trace.ok());
  return {edited.take(), trace.take()};
}

// Two heads that share keys and values, a mask, a soft-cap, a bias, a norm and an edit.
constexpr std::string_view kRich = R"({"attnscope":1,"title":"Rich","tokens":["the","cat","sat"],
  "wq":[[[1,0.5],[0.25,-1]],[[0.5,2],[1,1]]],"wk":[[1,0],[0.5,1]],"wv":[[1,2],[3,0.5]],
  "wo":[[1,0],[0,1],[0.5,0.5],[1,-1]],"bo":[0.25,-0.25],"temperature":1.5,"softcap":3,"alibi":[0.25,0.5],
  "mask":{"causal":true,"allowed":[[false,true,true],[true,true,true],[true,false,true]]},
  "residual":{"state":[[1,3],[2,-1],[0.5,0.25]],"norm":{"eps":1e-5}},"edits":["h1.scores[2][0]=1/3"]})";

// Markup, formats and names; white space; a family, Arabic, Chinese and pieces of a character.
constexpr std::string_view kOdd = R"({"attnscope":1,"title":"<b>&\"","tokens":["<b>","</script>","a<b<c","&lt;","%s%n","##id","x###y",
  " the","the","\n","\t",""," ","Ġthe","▁the","👨‍👩‍👧","السلام","你好","\udcf0","\udc9f\udc98","\udc80"],)";

std::string odd() {
  std::string rows;
  for (int i = 0; i < 21; ++i) rows += std::string(i ? "," : "") + "[" + std::to_string(i % 3) + "]";
  return std::string(kOdd) + R"("q":[)" + rows + R"(],"k":[)" + rows + R"(],"v":[)" + rows + "]}";
}

std::string written(const Computed& source, const app::ExportChoice& choice) {
  const auto text = app::exported(source.example, source.trace, choice, {});
  REQUIRE_MESSAGE(text.ok(), (text ? "" : text.error().message));
  return text.value();
}

std::string refused(const Computed& source, const app::ExportChoice& choice) {
  const auto text = app::exported(source.example, source.trace, choice, {});
  REQUIRE_FALSE(text.ok());
  return text.error().message;
}

// All bytes of the elements of that array.
std::string bytesOf(const std::string& file, std::string_view file_name, std::string_view array) {
  const io::MemorySource source(std::as_bytes(std::span(file.data(), file.size())));
  const auto opened = io::openArrays(source, file_name);
  REQUIRE_MESSAGE(opened.ok(), (opened ? "" : opened.error().message));
  const auto& arrays = opened.value().arrays;
  const auto found = std::find_if(arrays.begin(), arrays.end(), [&](const io::ArrayInfo& each) { return each.name == array; });
  REQUIRE_MESSAGE(found != arrays.end(), std::string(array));
  const auto data = io::dataOf(source, opened.value(), static_cast<std::size_t>(found - arrays.begin()), 1 << 20);
  REQUIRE(data.ok());
  std::string bytes(static_cast<std::size_t>(data.value()->size()), '\0');
  REQUIRE_FALSE(data.value()->read(0, std::as_writable_bytes(std::span(bytes.data(), bytes.size()))));
  return bytes;
}

std::string bytesOf(const std::vector<double>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double)};
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("every number of a computation comes back bit for bit from .npz, .safetensors and .npy") {
  const Computed source = computed(kRich);
  const std::string npz = written(source, {"npz", "", {}}), safetensors = written(source, {"safetensors", "", {}});
  int seen = 0;
  for (const io::NamedArray& array : lesson::traceArrays(source.example, source.trace)) {
    if (!array.numbers()) continue;
    CAPTURE(array.name);
    ++seen;
    CHECK(bytesOf(npz, "all.npz", array.name) == bytesOf(*array.numbers()));
    CHECK(bytesOf(safetensors, "all.safetensors", array.name) == bytesOf(*array.numbers()));
    CHECK(bytesOf(written(source, {"npy", array.name, {}}), "one.npy", "one") == bytesOf(*array.numbers()));
  }
  CHECK(seen > 20);
}

TEST_CASE("every format of one array writes every array of numbers, of each head where it has them") {
  const Computed source = computed(kRich);
  for (const app::ExportFormat& format : app::exportFormats()) {
    if (!format.of_array) continue;
    for (const io::NamedArray& array : lesson::traceArrays(source.example, source.trace)) {
      if (array.texts()) continue;
      CAPTURE(std::string(format.id));
      CAPTURE(array.name);
      CHECK_FALSE(written(source, {std::string(format.id), array.name, 1}).empty());
    }
  }
}

TEST_CASE("odd tokens go through every exporter, and stay what they are where bytes are kept") {
  const Computed source = computed(odd());
  for (const app::ExportFormat& format : app::exportFormats()) {
    CAPTURE(std::string(format.id));
    const std::string text = written(source, {std::string(format.id), format.of_array ? "weights" : "", {}});
    CHECK_FALSE(text.empty());
  }
  const auto trace = io::parseJson(written(source, {"json", "", {}}));
  REQUIRE(trace.ok());
  const std::string csv = written(source, {"csv", "weights", {}}), svg = written(source, {"svg", "weights", {}});
  CHECK(holds(csv, "0 <b>"));
  CHECK(holds(csv, "4 %s%n"));
  for (const char* shown : {"0 &lt;b&gt;", "1 &lt;/script&gt;", "3 &amp;lt;", "4 %s%n", "5 ##id", "7 ␣the", "8 the", "9 ⏎", "10 ⇥", "11 ∅", "12 ␣",
                            "13 Ġthe", "14 ▁the", "17 你好", "18 \\xF0"}) {
    CAPTURE(shown);
    CHECK(holds(svg, ">" + std::string(shown) + "</text>"));
  }
  CHECK(holds(svg, "<title>weights, &lt;b&gt;&amp;&quot; · 21×21</title>"));
  CHECK_FALSE(holds(svg, "<b>"));
}

TEST_CASE("a picture says its array, its head, what is blocked, and is dark where that is asked for") {
  const Computed source = computed(kRich);
  const std::string light = written(source, {"svg", "weights", 1}), dark = written(source, {"svg", "weights", 1, true});
  CHECK(holds(light, "Rich · head 1 · 3×3"));
  CHECK(holds(light, "may not be read"));
  CHECK(holds(light, ">is read →</text>"));
  CHECK(holds(light, ">–</text>"));  // the first row may read nothing
  CHECK(holds(light, "fill=\"#f6f4ef\""));
  CHECK(holds(dark, "fill=\"#12161d\""));
  CHECK(light == written(source, {"svg", "weights", 1}));
  CHECK(holds(written(source, {"svg", "row_max", 0}), ">2 sat</text>"));
  CHECK(holds(written(source, {"svg", "wq", 0}), ">W</text>"));
}

TEST_CASE("what does not go together is refused in one sentence") {
  const Computed source = computed(kRich);
  CHECK(holds(refused(source, {"csv", "", {}}), "holds one array"));
  CHECK(holds(refused(source, {"numpy", "weights", {}}), "reproduces the whole computation"));
  CHECK(holds(refused(source, {"svg", "weights", {}}), "weights has 3 axes, and a picture two; choose one head of it."));
  CHECK(holds(refused(source, {"svg", "tokens", {}}), "tokens holds texts"));
  CHECK(holds(refused(source, {"png", "weights", {}}), "There is no format \"png\"."));
}
