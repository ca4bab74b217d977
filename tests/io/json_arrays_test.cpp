// Arrays out of JSON: every shape that people save, and what is no array.
#include "io/json_arrays.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/buffer.h"
#include "core/number.h"
#include "core/rng.h"
#include "support/found_arrays.h"

namespace {

using namespace attn;
using test::has;
using test::namesOf;
using test::notesOf;
using test::numbersOf;
using test::sentence;
using test::shapesOf;
using Numbers = std::vector<double>;
using Texts = std::vector<std::string>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

core::Result<io::ArrayFile> readIt(std::string_view text, const io::ArrayLimits& limits = {}) {
  return test::readWith(io::readJsonArrays, text, "data.json", limits);
}

io::ArrayFile fileOf(std::string_view text) {
  auto file = readIt(text);
  CHECK_MESSAGE(file.ok(), sentence(file));
  if (!file) return {};
  CHECK(file.value().format == "JSON");
  return file.take();
}

std::string refusalOf(std::string_view text) { return sentence(readIt(text)); }

std::string shapesIn(std::string_view text) {
  const auto file = readIt(text);
  return file ? shapesOf(file.value()) : file.error().message;
}

Texts textsIn(std::string_view text, std::string_view name) { return test::textsOf(fileOf(text), name); }

std::string nested(std::size_t depth, std::string_view inside) {
  return std::string(depth, '[') + std::string(inside) + std::string(depth, ']');
}

}  // namespace

TEST_CASE("lists inside each other are one array of their shape") {
  const struct {
    const char* text;
    const char* shapes;
  } kCases[] = {
      {"[1, 2, 3]", "data:3"},
      {"[[1, 2], [3, 4], [5, 6]]", "data:3×2"},
      {"[[[[1], [2]], [[3], [4]], [[5], [6]]]]", "data:1×3×2×1"},
      {"[]", "data:0"},
      {"[[], []]", "data:2×0"},
      {" [ [ 1 ,\n2 ] ] ", "data:1×2"},
      {"{\"q\": [[1, 2]], \"k\": [3]}", "q:1×2 k:1"},
      {"{\"layer\": {\"0\": {\"q\": [1]}, \"1\": {\"q\": [2, 3]}}}", "layer.0.q:1 layer.1.q:2"},
      {"{\"tokens\": [\"a\", \"b\"], \"w\": [[1, 0], [0, 1]]}", "tokens:2 w:2×2"},
      {"[[\"a\", \"b\"], [\"c\", \"d\"]]", "data:2×2"},
  };
  for (const auto& one : kCases) {
    CAPTURE(one.text);
    CHECK(shapesIn(one.text) == one.shapes);
  }
  CHECK(numbersOf(fileOf("[[1, 2.5], [-3e-2, 4E1]]"), "data") == Numbers{1, 2.5, -0.03, 40});
  CHECK(numbersOf(fileOf("{\"q\": [1, 2], \"t\": [\"x\"], \"k\": [3]}"), "k") == Numbers{3});
}

TEST_CASE("as many axes are read as there can be, and not one more") {
  CHECK(fileOf(nested(32, "1")).arrays[0].shape.size() == 32);
  CHECK(has(refusalOf(nested(33, "1")), "more than 32 lists"));
  CHECK(has(refusalOf(nested(64, "1")), "more than 32 lists"));
  CHECK(has(refusalOf(nested(65, "1")), "More than 64 lists stand inside each other in `data.json` at line 1, col"));
  CHECK(has(refusalOf(std::string(1000000, '[')), "More than 64 lists"));
}

TEST_CASE("nan and infinite numbers are numbers as Python writes them, and null is NaN") {
  const io::ArrayFile file = fileOf("[NaN, Infinity, -Infinity, null, true, false]");
  const Numbers numbers = numbersOf(file, "data");
  CHECK(std::isnan(numbers[0]));
  CHECK(numbers[1] == kInfinity);
  CHECK(numbers[2] == -kInfinity);
  CHECK(std::isnan(numbers[3]));
  CHECK(numbers[4] == 1);
  CHECK(numbers[5] == 0);
  CHECK(has(notesOf(file), "1 times null is read as NaN"));
  CHECK(has(notesOf(file), "true and false"));
  CHECK(notesOf(fileOf("{\"a\": [1, null, \"x\"], \"b\": [1]}")).find("NaN") == std::string::npos);
}

TEST_CASE("numbers come back bit for bit") {
  core::Rng rng(7);
  std::string text = "[";
  Numbers wanted = {0.1, 1e308, 5e-324, 1.7976931348623157e308, 9007199254740993.0, 18446744073709551615.0, -0.0};
  for (int i = 0; i < 2000; ++i) wanted.push_back(rng.normalMatrix(1, 1)(0, 0) * std::pow(10.0, i % 40 - 20));
  for (std::size_t i = 50; i < 250; ++i) wanted.push_back(static_cast<double>(static_cast<float>(wanted[i])));
  for (const double number : wanted) text += (text.size() > 1 ? ", " : "") + core::machineText(number);
  CHECK(numbersOf(fileOf(text + "]"), "data") == wanted);
  // Exactly between two doubles, and a hair above, in more digits than a double has.
  const std::string middle = "1.00000000000000011102230246251565404236316680908203125";
  const std::string zeros(900, '0');
  CHECK(numbersOf(fileOf("[" + middle + ", " + middle + zeros + "1]"), "data") == Numbers{1, 1.0000000000000002});
  CHECK(numbersOf(fileOf("[0." + zeros + "1e901, 1" + zeros.substr(0, 300) + "e-300]"), "data") == Numbers{1, 1});
}

TEST_CASE("lists of different shapes side by side become arrays of their own") {
  const struct {
    const char* text;
    const char* shapes;
  } kCases[] = {
      // steps of layers of heads, as `generate` gives them: every step has one shape
      {"[[[[1, 2], [3, 4]], [[1, 2], [3, 4]]], [[[1, 2, 3]], [[4, 5, 6]]]]", "0:2×2×2 1:2×1×3"},
      {"{\"a\": [[[1, 2], [3, 4]], [[1, 2, 3]]]}", "a.0:2×2 a.1:1×3"},
      {"[[[[1]], [[2]]], [[[1]], [[2, 3]]]]", "0:2×1×1 1.0:1×1 1.1:1×2"},
      {"[[[[1]], [[2, 3]]], [[[1]], [[2]]]]", "0.0:1×1 0.1:1×2 1:2×1×1"},
      {"[[[1]], [[2]], [[3]], [[4, 5]]]", "0:1×1 1:1×1 2:1×1 3:1×2"},
      {"[[1, 2], [[3]]]", "0:2 1:1×1"},
      {"[[[3]], [1, 2], [1]]", "0:1×1 1:2 2:1"},
      {"[[\"a\"], [1]]", "0:1 1:1"},
      {"[[\"a\", \"b\"], [\"c\"]]", "0:2 1:1"},
      {"[[], [[1]]]", "0:0 1:1×1"},
      {"[[[\"a\", \"b\"]], [[1], [2]], [[\"c\"]]]", "0:1×2 1:2×1 2:1×1"},
  };
  for (const auto& one : kCases) {
    CAPTURE(one.text);
    CHECK(shapesIn(one.text) == one.shapes);
  }
  const io::ArrayFile file = fileOf("[[[[1]], [[2, 3]]], [[[\"x\"]], [[\"longer\"]]], [[[4]], [[5]]]]");
  CHECK(shapesOf(file) == "0.0:1×1 0.1:1×2 1:2×1×1 2:2×1×1");
  CHECK(numbersOf(file, "0.1") == Numbers{2, 3});
  CHECK(test::textsOf(file, "1") == Texts{"x", "longer"});
  CHECK(numbersOf(file, "2") == Numbers{4, 5});
}

TEST_CASE("rows that are not equally long are no array, and the place is named") {
  CHECK(refusalOf("[[1, 2],\n [3, 4],\n  [5]]") ==
        "In `data.json` row 3 has 1 number, row 1 has 2 at line 3, column 3; make all rows equally long.");
  CHECK(refusalOf("{\"a\": [1, \"x\"]}") ==
        "`data.json` holds no array: `a` is passed over: a list holds both numbers and texts at line 1, column 11; "
        "give lists of one kind.");
  CHECK(has(refusalOf("[[[1, 2], [3]]]"), "row 2 has 1 number, row 1 has 2"));
  CHECK(has(refusalOf("[[1], []]"), "row 2 has 0 numbers, row 1 has 1"));
  CHECK(has(refusalOf("[1, [2]]"), "both lists and single values at line 1, column 5"));
  CHECK(has(refusalOf("[[1], 2]"), "both lists and single values"));
  CHECK(has(refusalOf("[1, \"a\"]"), "both numbers and texts at line 1, column 5"));
  CHECK(has(refusalOf("[1, {\"a\": [1]}]"), "both objects and single values"));
  CHECK(has(refusalOf("[{\"a\": [1]}, 1]"), "both lists and single values"));
}

TEST_CASE("what is no array is passed over with a note, and does not hinder the others") {
  const io::ArrayFile file = fileOf(
      "{\"model\": \"gpt2\", \"a\": [[1, 2], [3]], \"n\": 12, \"w\": [[1, 0]],\n"
      "\"b\": [[[1], [2]], [[1, 2]], \"x\", {\"q\": [1]}],\n"
      "\"none\": null, \"c\": {\"d\": true, \"t\": [\"x\"]}}");
  CHECK(shapesOf(file) == "w:1×2 c.t:1");
  CHECK(numbersOf(file, "w") == Numbers{1, 0});
  CHECK(test::textsOf(file, "c.t") == Texts{"x"});
  CHECK(notesOf(file) ==
        "`a` is passed over: row 2 has 1 number, row 1 has 2 at line 1, column 33; make all rows equally long.\n"
        "`b` is passed over: a list holds both lists and single values at line 2, column 29; give lists of one kind.\n"
        "Passed over, because they are no lists: `model` (a text), `n` (a number), `none` (null), `c.d` (true or false).\n");
}

TEST_CASE("notes are few however many members are passed over") {
  std::string text = "{\"good\": [1]";
  for (int i = 0; i < 5000; ++i) {
    text += ", \"bad" + std::to_string(i) + "\": [1, \"x\"], \"n" + std::to_string(i) + "\": 5";
  }
  const io::ArrayFile file = fileOf(text + "}");
  CHECK(file.arrays.size() == 1);
  CHECK(file.notes.size() < 30);
  CHECK(has(notesOf(file), "and 4992 more"));
  CHECK(has(notesOf(file), "4980 more"));
}

TEST_CASE("what BertViz saves is read in both forms") {
  const io::ArrayFile old = fileOf(
      "{\"attention\": {\"all\": {\"attn\": [[[[1, 0], [0.5, 0.5]]]], \"left_text\": [\"the\", \"cat\"],"
      " \"right_text\": [\"the\", \"cat\"]}}, \"default_filter\": \"all\"}");
  CHECK(namesOf(old) == Texts{"attention.all.attn", "attention.all.left_text", "attention.all.right_text"});
  CHECK(shapesOf(old).substr(0, 26) == "attention.all.attn:1×1×2");
  const std::string one =
      "\"attn\": [[[[1, 0], [0.5, 0.5]]]], \"left_text\": [\"the\", \"cat\"], \"right_text\": [\"x\", \"y\"]}";
  const io::ArrayFile plain = fileOf("{\"attention\": [{\"name\": null, " + one + "], \"layer\": null}");
  CHECK(namesOf(plain) == Texts{"attention.0.attn", "attention.0.left_text", "attention.0.right_text"});
  const io::ArrayFile both =
      fileOf("{\"attention\": [{\"name\": \"All\", " + one + ", {\"name\": \"Cross\", " + one + "]}");
  CHECK(namesOf(both) == Texts{"attention.All.attn", "attention.All.left_text", "attention.All.right_text",
                               "attention.Cross.attn", "attention.Cross.left_text", "attention.Cross.right_text"});
  CHECK(test::textsOf(both, "attention.Cross.right_text") == Texts{"x", "y"});
  // Two of one name keep their places.
  const io::ArrayFile twins = fileOf(
      "[{\"name\": \"A\", \"q\": [1]}, {\"q\": [2], \"name\": \"A\"}, {\"q\": [3], \"name\": \"B\"}]");
  CHECK(namesOf(twins) == Texts{"A.q", "1.q", "B.q"});
}

TEST_CASE("attention that was not computed says how to get it") {
  CHECK(has(refusalOf("{\"attentions\": null}"), "attn_implementation=\"eager\""));
  CHECK(has(refusalOf("{\"attentions\": [null, null]}"), "attn_implementation=\"eager\""));
  CHECK(!has(refusalOf("{\"x\": null}"), "eager"));
}

TEST_CASE("odd tokens come back as they are") {
  CHECK(textsIn("[\"<b>\", \"</script>\", \"a<b<c\", \"&lt;\", \"%s%n\", \"##id\", \"x###y\"]", "data") ==
        Texts{"<b>", "</script>", "a<b<c", "&lt;", "%s%n", "##id", "x###y"});
  CHECK(textsIn("[\" the\", \"the\", \"\\n\", \"\\t\", \"\", \" \", \"Ġthe\", \"▁the\"]", "data") ==
        Texts{" the", "the", "\n", "\t", "", " ", "Ġthe", "▁the"});
  // An emoji split into bytes, as Python escapes them; a family; a lone F0; halves of characters.
  CHECK(textsIn("[\"\\udcf0\\udc9f\", \"\\udc98\", \"👨‍👩‍👧\", \"مرحبا\", \"注意\", "
                "\"\\udcf0\", \"\\ud83d\\ude00\"]", "data") ==
        Texts{"\xF0\x9F", "\x98", "👨‍👩‍👧", "مرحبا", "注意", "\xF0", "😀"});
  CHECK(textsIn("[\"\\ud83d\", \"\\ud83dx\", \"\\ud83d\\ud83d\\ude00\", \"\\udfff\", \"\\\\ud83d\", \"\\\"\"]", "data") ==
        Texts{"\uFFFD", "\uFFFDx", "\uFFFD😀", "\uFFFD", "\\ud83d", "\""});
  CHECK(textsIn("[\"a\\u0000b\"]", "data") == Texts{std::string("a\0b", 3)});
}

TEST_CASE("a mark and UTF-16 and UTF-32 are understood") {
  const std::string text = "[[\"ä😀\"], [\"b\"]]";
  const std::u16string wide16 = u"[[\"ä😀\"], [\"b\"]]";
  const std::u32string wide32 = U"[[\"ä😀\"], [\"b\"]]";
  std::string little16 = "\xFF\xFE", big16 = "\xFE\xFF", little32("\xFF\xFE\0\0", 4), big32("\0\0\xFE\xFF", 4);
  for (const char16_t unit : wide16) {
    const char low = static_cast<char>(unit & 0xFF), high = static_cast<char>(unit >> 8);
    little16 += low, little16 += high, big16 += high, big16 += low;
  }
  for (const char32_t unit : wide32) {
    for (int i = 0; i < 4; ++i) little32 += static_cast<char>(unit >> 8 * i & 0xFF);
    for (int i = 3; i >= 0; --i) big32 += static_cast<char>(unit >> 8 * i & 0xFF);
  }
  for (const std::string& bytes : {text, "\xEF\xBB\xBF" + text, little16, big16, little32, big32}) {
    CHECK(textsIn(bytes, "data") == Texts{"ä😀", "b"});
  }
  CHECK(has(refusalOf(little16 + "x"), "in the middle of a character of UTF-16"));
  CHECK(has(refusalOf("\xFF\xFE" "a"), "in the middle of a character of UTF-16"));
  CHECK(has(refusalOf(std::string_view("\xFF\xFE[\0\0\xD8]\0", 8)), "no character of UTF-16 at byte 4"));
  CHECK(has(refusalOf(std::string_view("\xFF\xFE\0\0\xFF\xFF\xFF\xFF", 8)), "no character of UTF-32 at byte 4"));
  CHECK(has(refusalOf(std::string_view("[1,\0002]", 6)), "zero byte at line 1, column 4"));
  CHECK(has(refusalOf("[1,\n\"\xC3(\"]"), "Byte C3 at line 2, column 2"));
}

TEST_CASE("what is not JSON is refused with its place") {
  const struct {
    const char* text;
    const char* part;
  } kCases[] = {
      {"", "nothing to read"},
      {"[1, 2", "line 1, column 6: a list goes on without a comma"},
      {"[1,\n 2,,]", "line 2, column 4"},
      {"[1] [2]", "something follows the end"},
      {"{\"a\" [1]}", "a colon is missing"},
      {"['a']", "no value can begin here"},
      {"[1e999]", "too large for double precision"},
      {"[1, 1e309]", "line 1, column 5: a number is too large"},
      {"[0x1]", "goes on without a comma"},
      {"[.5]", "no value can begin here"},
      {"[1.]", "no digits after its decimal point"},
      {"[\"a\nb\"]", "write it as \\u000a"},
      {"[\"abc", "no closing quotation mark"},
      {"[\"\\x\"]", "a backslash escapes nothing"},
      {"[nan]", "no value can begin"},
      {"not JSON", "no value can begin"},
      {"<html>", "no value can begin"},
      {"7", "holds no list"},
      {"\"text\"", "holds no list"},
      {"null", "holds no list"},
      {"{}", "holds no list"},
      {"{\"a\": 1}", "holds no list"},
      {"[{}]", "holds no list"},
      {"[[{\"a\": 5}]]", "holds no list"},
      {"{\"q\": [1], \"q\": [2]}", "Two arrays of `data.json` are called `q`"},
      {"{\"a.b\": [1], \"a\": {\"b\": [2]}}", "are called `a.b`"},
      {"{\"attnscope\": 1, \"tokens\": [\"a\"]}", "`data.json` is an example document"},
      {"{\"tokens\": [\"a\"],\n\"attnscope\": 1}", "`attnscope` at line 2, column 1"},
  };
  for (const auto& one : kCases) {
    CAPTURE(one.text);
    const std::string refusal = refusalOf(one.text);
    CHECK_MESSAGE(has(refusal, one.part), refusal);
    CHECK(has(refusal, "`data.json`"));
    CHECK(refusal.back() == '.');
  }
  CHECK(shapesIn("{\"x\": {\"attnscope\": [1]}}") == "x.attnscope:1");
}

TEST_CASE("limits hold before memory is taken") {
  io::ArrayLimits limits;
  limits.held = 100;
  CHECK(readIt("[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]", limits).ok());
  CHECK(has(sentence(readIt("[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]", limits)), "13 numbers"));
  CHECK(has(sentence(readIt("[" + std::string(100, ' ') + "1]", limits)), "103 bytes of text, more than the limit"));
  const auto padded = readIt("{\"a\": [\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\", \"\", \"\"], \"b\": [1]}", limits);
  REQUIRE(padded.ok());
  CHECK(has(padded.value().arrays[0].unreadable, "shorten the longest"));
  CHECK(padded.value().arrays[1].unreadable.empty());
  limits = {};
  limits.arrays = 2;
  CHECK(readIt("{\"a\": [1], \"b\": [2]}", limits).ok());
  CHECK(has(sentence(readIt("{\"a\": [1], \"b\": [2], \"c\": [3]}", limits)), "more than 2 arrays"));
  CHECK(has(sentence(readIt("[[1], [2], [3], [[4]]]", limits)), "more than 2 arrays"));
  CHECK(has(refusalOf("[\n\"" + std::string(1100000, 'x') + "\"]"), "1.1 MB at line 2, column 1"));
  const std::string key(900, 'k');
  const io::ArrayFile named = fileOf("{\"a\": [1], \"" + key + "\": {\"" + key + "\": [1]}}");
  CHECK(shapesOf(named) == "a:1");
  CHECK(has(notesOf(named), "longer than 1000 bytes"));
}

TEST_CASE("where there is no memory, that is an outcome") {
  const std::string text = "{\"q\": [[1, 2]], \"t\": [\"a\", \"b\"], \"u\": [\"c\"]}";
  bool refused = true;
  int n = 0;
  while (refused) {
    core::failAllocation(++n);
    const auto file = readIt(text);
    refused = !file.ok();
    if (refused) CHECK(has(sentence(file), "no memory"));
    REQUIRE(n < 50);
  }
  core::failAllocation(0);
  CHECK(n == 7);
}

TEST_CASE("memory is taken once for all numbers") {
  std::string text = "[";
  for (int i = 0; i < 100000; ++i) text += i ? ",[1,2]" : "[1,2]";
  const io::ArrayFile file = fileOf(text + "]");
  CHECK(file.held.size() == 1);
  CHECK(file.held[0].size() == 200000 * sizeof(double));
}
