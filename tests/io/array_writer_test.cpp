// What is written is read back bit for bit, and odd tokens stay what they are in every format.
#include "io/array_writer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "core/rng.h"
#include "io/array_data.h"
#include "io/array_file.h"
#include "io/json.h"

namespace {

using namespace attn;
using io::NamedArray;

std::span<const std::byte> bytesOf(const std::string& text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

struct Reopened {
  explicit Reopened(std::string bytes, std::string_view name) : text(std::move(bytes)), source(bytesOf(text)) {
    auto opened = io::openArrays(source, name);
    REQUIRE_MESSAGE(opened.ok(), (opened ? "" : opened.error().message));
    file = opened.take();
  }
  const io::ArrayInfo& info(std::string_view name) const {
    for (const io::ArrayInfo& array : file.arrays) {
      if (array.name == name) return array;
    }
    FAIL("no array " << name);
    return file.arrays[0];
  }
  std::unique_ptr<io::ByteSource> data(std::string_view name) const {
    auto data = io::dataOf(source, file, static_cast<std::size_t>(&info(name) - file.arrays.data()), 1 << 20);
    REQUIRE_MESSAGE(data.ok(), (data ? "" : data.error().message));
    return data.take();
  }
  std::string text;
  io::MemorySource source;
  io::ArrayFile file;
};

// All bits of the numbers, row by row.
std::vector<std::uint64_t> bitsOf(const Reopened& file, std::string_view name) {
  const io::ArrayInfo& info = file.info(name);
  const auto data = file.data(name);
  std::vector<std::byte> bytes(static_cast<std::size_t>(data->size()));
  REQUIRE_FALSE(data->read(0, bytes));
  REQUIRE(info.type == io::ElementType::kF64);
  std::vector<std::uint64_t> bits(bytes.size() / 8);
  std::memcpy(bits.data(), bytes.data(), bytes.size());
  return bits;
}

std::vector<std::uint64_t> bitsOf(const std::vector<double>& values) {
  std::vector<std::uint64_t> bits(values.size());
  std::memcpy(bits.data(), values.data(), values.size() * 8);
  return bits;
}

std::vector<double> oddNumbers() {
  core::Rng rng(5);
  std::vector<double> values = {0.0, -0.0, 1.0 / 3, 5e-324, -2.2250738585072014e-308, 1.7976931348623157e308,
                                std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                                std::numeric_limits<double>::quiet_NaN()};
  while (values.size() < 24) values.push_back(rng.normal());
  return values;
}

// Markup, formats and names that other programs would take for their own; white space; pieces of characters.
const std::vector<std::string>& oddTokens() {
  static const std::vector<std::string> tokens = {
      "<b>", "</script>", "a<b<c", "&lt;", "%s%n", "##id", "x###y", " the", "the", "\n", "\t", "", " ", "Ġthe", "▁the",
      "👨‍👩‍👧", "السلام", "你好", "=1+1", "+1", "-1", "@x", "\"", "'", ",", ";", "|", "\\", "_a_", "*a*", "$x$", "{", "#", "~", "^"};
  return tokens;
}

}  // namespace

TEST_CASE("numbers and flags come back bit for bit from .npy, .npz and .safetensors") {
  const NamedArray numbers{"w", {2, 3, 4}, oddNumbers()};
  const NamedArray flags{"allowed", {2, 2}, std::vector<bool>{true, false, true, true}};
  const NamedArray scalar{"scale", {}, std::vector<double>{0.1}};
  const std::vector<NamedArray> all = {numbers, flags, scalar};
  const Reopened npy(io::npyOf(numbers).take(), "w.npy"), npz(io::npzOf(all).take(), "a.npz");
  const Reopened safetensors(io::safetensorsOf(all), "a.safetensors");
  CHECK(bitsOf(npy, "w") == bitsOf(oddNumbers()));
  for (const Reopened* file : {&npz, &safetensors}) {
    CHECK(bitsOf(*file, "w") == bitsOf(oddNumbers()));
    CHECK(file->info("w").shape == std::vector<std::uint64_t>{2, 3, 4});
    CHECK(bitsOf(*file, "scale") == bitsOf({0.1}));
    CHECK(file->info("scale").shape.empty());
    REQUIRE(file->info("allowed").type == io::ElementType::kBool);
    std::byte bytes[4];
    REQUIRE_FALSE(file->data("allowed")->read(0, bytes));
    CHECK(bytes[0] == std::byte(1));
    CHECK(bytes[1] == std::byte(0));
  }
}

TEST_CASE("odd tokens come back from .npz and JSON, and are left out of .safetensors") {
  const NamedArray tokens{"tokens", {oddTokens().size()}, oddTokens()};
  const Reopened npz(io::npzOf({&tokens, 1}).take(), "a.npz");
  const auto texts = io::readTexts(*npz.data("tokens"), npz.info("tokens"), 1000);
  REQUIRE(texts.ok());
  CHECK(texts.value() == oddTokens());
  const auto json = io::parseJson(io::jsonOf(tokens));
  REQUIRE(json.ok());
  const auto* items = json.value().as<io::Json::Items>();
  REQUIRE(items);
  for (std::size_t n = 0; n < items->size(); ++n) CHECK(*(*items)[n].as<std::string>() == oddTokens()[n]);
  CHECK(Reopened(io::safetensorsOf({&tokens, 1}), "a.safetensors").file.arrays.empty());
}

TEST_CASE("a table as CSV is read back: the numbers, and tokens as names of rows and columns") {
  std::vector<std::string> labels;
  for (std::size_t n = 0; n < oddTokens().size(); ++n) labels.push_back(std::to_string(n) + " " + oddTokens()[n]);
  core::Rng rng(7);
  std::vector<double> values;
  for (std::size_t n = 0; n < labels.size() * labels.size(); ++n) values.push_back(rng.normal());
  const NamedArray map{"weights", {labels.size(), labels.size()}, values};
  for (const char separator : {',', '\t'}) {
    CAPTURE(separator);
    const Reopened file(io::separatedOf(map, {labels, labels}, separator).take(), separator == ',' ? "w.csv" : "w.tsv");
    CHECK(bitsOf(file, "w").size() >= values.size());
    const io::ArrayInfo& info = file.info("w");
    CHECK(info.shape == map.shape);
    const auto plane = io::readPlane(*file.data("w"), info, io::planeOf(info, 0, 1, {0, 0}).value());
    REQUIRE(plane.ok());
    for (core::Index i = 0; i < plane.value().rows(); ++i) {
      for (core::Index j = 0; j < plane.value().cols(); ++j) {
        CHECK(plane.value()(i, j) == values[static_cast<std::size_t>(i) * labels.size() + static_cast<std::size_t>(j)]);
      }
    }
  }
}

TEST_CASE("what a spreadsheet would take for a formula is not one; numbers below 0 stay numbers") {
  const NamedArray map{"w", {1, 2}, std::vector<double>{-1.5, 2}};
  const std::vector<std::string> rows = {"=cmd"}, columns = {"@a", "-b"};
  CHECK(io::separatedOf(map, {rows, columns}, ',').value() == "row reads column,'@a,'-b\r\n'=cmd,-1.5,2\r\n");
  const NamedArray texts{"tokens", {2}, std::vector<std::string>{"+1", "a\"b"}};
  CHECK(io::separatedOf(texts, {}, ',').value() == "'+1,\"a\"\"b\"\r\n");
}

TEST_CASE("Markdown and LaTeX keep a cell a cell, whatever stands in it") {
  const NamedArray texts{"tokens", {oddTokens().size(), 1}, oddTokens()};
  const std::string markdown = io::markdownOf(texts, {}).value();
  CHECK(std::count(markdown.begin(), markdown.end(), '\n') == static_cast<std::ptrdiff_t>(oddTokens().size()) + 2);
  CHECK(markdown.find("| &lt;b> |") != std::string::npos);
  CHECK(markdown.find("| \\| |") != std::string::npos);
  const std::string latex = io::latexOf(texts, {}).value();
  CHECK(latex.find("\\%s\\%n \\\\\n") != std::string::npos);
  CHECK(latex.find("\\textbackslash{} \\\\\n") != std::string::npos);
  const NamedArray numbers{"w", {1, 3}, std::vector<double>{1e-9, -std::numeric_limits<double>::infinity(), 0.25}};
  CHECK(io::latexOf(numbers, {}).value() ==
        "\\begin{tabular}{rrr}\n$1 \\cdot 10^{-9}$ & $-\\infty$ & $0.25$ \\\\\n\\end{tabular}\n");
}

TEST_CASE("tables have two axes at most, and say so") {
  const NamedArray cube{"q", {1, 1, 1}, std::vector<double>{1}};
  for (const auto& refused : {io::separatedOf(cube, {}, ','), io::markdownOf(cube, {}), io::latexOf(cube, {})}) {
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().message == "q has 3 axes, and a table two; choose one head of it.");
  }
}
