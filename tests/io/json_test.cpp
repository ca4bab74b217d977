// The JSON reader against hand-written texts, strtod and its own writer.
#include "io/json.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

#include "io/json_writer.h"
#include "support/problems.h"

namespace {

using namespace attn;
using namespace std::string_literals;
using io::Json;

Json parsed(std::string_view text) {
  core::Result<Json> json = io::parseJson(text);
  REQUIRE_MESSAGE(json.ok(), std::string(text.substr(0, 80)), ": ", (json ? "" : json.error().message));
  return json.take();
}

std::string refusal(std::string_view text, const io::JsonLimits& limits = {}) {
  const core::Result<Json> json = io::parseJson(text, limits);
  return json ? "accepted" : json.error().message;
}

double number(std::string_view text) {
  const Json json = parsed(text);
  REQUIRE(json.as<double>());
  return *json.as<double>();
}

std::string text(std::string_view json) { return *parsed(json).as<std::string>(); }

bool sameBits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

bool contains(const std::string& whole, std::string_view part) { return whole.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("every kind of JSON value is read with its place") {
  const Json json = parsed(
      "{ \"a\": null,\n  \"b\": [true, false], \"é\": [1, -2.5e1], \"c\": [1, \"x\", [ ]],\n\"d\":{} , \"e\" : true}");
  CHECK(json.isObject());
  CHECK(json.size() == 6);
  CHECK(json.place == io::Place{1, 1});
  CHECK(json.find("a")->as<std::monostate>());
  CHECK(json.find("a")->place == io::Place{1, 8});
  CHECK(*json.find("b")->as<Json::Flags>() == Json::Flags{true, false});
  CHECK(json.find("b")->place == io::Place{2, 8});
  CHECK(*json.find("é")->as<Json::Numbers>() == Json::Numbers{1, -25});
  CHECK(json.find("é")->place == io::Place{2, 28});
  const auto& mixed = *json.find("c")->as<Json::Items>();
  CHECK(mixed.size() == 3);
  CHECK(*mixed[0].as<double>() == 1);
  CHECK(*mixed[1].as<std::string>() == "x");
  CHECK(mixed[1].place == io::Place{2, 50});
  CHECK(mixed[2].isList());
  CHECK(mixed[2].place == io::Place{2, 55});
  CHECK(json.find("d")->place == io::Place{3, 5});
  CHECK(*json.find("e")->as<bool>());
  CHECK(json.find("e")->place == io::Place{3, 16});
  CHECK(json.find("f") == nullptr);
}

TEST_CASE("places stay right after long lists of numbers") {
  const Json json = parsed("{\"rows\": [[1, 2,\n 3], [4,\n5, 6]], \"after\": 7}");
  CHECK(json.find("after")->place == io::Place{3, 18});
  CHECK((*json.find("rows")->as<Json::Items>())[1].place == io::Place{2, 6});
}

TEST_CASE("a list that turns out to be mixed keeps its elements in order") {
  CHECK(parsed("[1, 2, true]").as<Json::Items>()->size() == 3);
  CHECK(parsed("[true, 1, false]").as<Json::Items>()->size() == 3);
  CHECK(parsed("[null, 1, 2]").as<Json::Items>()->size() == 3);
  const Json json = parsed("[1, 2, {\"a\": 3}, 4]");
  CHECK(*(*json.as<Json::Items>())[1].as<double>() == 2);
  CHECK(*(*json.as<Json::Items>())[3].as<double>() == 4);
}

TEST_CASE("what is not JSON is refused with its line and column") {
  const struct {
    const char* text;
    const char* fragment;
  } kCases[] = {
      {"", "line 1, column 1"},
      {"  \n ", "line 2, column 2"},
      {"{\"a\": 1,}", "line 1, column 9"},
      {"[1, 2,]", "line 1, column 7"},
      {"[1 2]", "line 1, column 4: a list goes on"},
      {"{\"a\" 1}", "line 1, column 6: a colon"},
      {"{\"a\": 1 \"b\": 2}", "line 1, column 9: an object goes on"},
      {"{a: 1}", "line 1, column 2: a name in double quotes"},
      {"[1, 2\n", "line 2, column 1"},
      {"{\n\n  \"a\": 'x'}", "line 3, column 8: no value"},
      {"\"abc", "closing quotation mark"},
      {"\"\\q\"", "a backslash escapes nothing"},
      {"[\"a\tb\"]", "line 1, column 4: a text holds a control character or a line end as it is; write it as \\u0009"},
      {"\"a\nb\"", "write it as \\u000a"},
      {"\"\\u12G4\"", "four hexadecimal digits"},
      {"[1.]", "decimal point"},
      {"[1e]", "exponent"},
      {"[1e999]", "too large"},
      {"[1,\n 1.9e308]", "line 2, column 2: a number is too large"},
      {"-1.9e308", "too large"},
      {"[01]", "line 1, column 3"},
      {"1 2", "follows the end"},
      {"{} x", "follows the end"},
      {"nul", "line 1, column 4: no value"},
      {"// x\n1", "line 1, column 1"},
  };
  for (const auto& c : kCases)
    CHECK_MESSAGE(contains(refusal(c.text), c.fragment), std::string(c.text), " → ", refusal(c.text));
}

TEST_CASE("files of other formats are named rather than called bad JSON") {
  for (const std::string& bytes : {"PK\x03\x04"s + "rest"s, "\x93NUMPY\x01"s, "\x80\x02}"s, "\x1F\x8B"s,
                                   "\x40\0\0\0\0\0\0\0{\"w\":{}}"s})
    CHECK_MESSAGE(contains(refusal(bytes), "not supported yet; convert it to an example document"), refusal(bytes));
  CHECK(contains(refusal("{\"a\": \"PK\x03\"}"), "control character"));
}

TEST_CASE("a name that stands twice is refused at any depth, with both places") {
  CHECK(contains(refusal("{\"a\": 1,\n \"b\": 2, \"a\": 3}"),
                 "`a` stands twice, at line 1, column 2 and at line 2, column 10"));
  CHECK(contains(refusal("[[{\"x\": {\"k\": 1, \"\\u006b\": 2}}]]"), "`k` stands twice"));
  CHECK(refusal("{\"a\": {\"a\": 1}, \"A\": 2}") == "accepted");
}

TEST_CASE("a million open brackets are refused, not followed") {
  CHECK(contains(refusal(std::string(1000000, '[')), "More than 64 lists"));
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  CHECK(contains(refusal(objects), "More than 64 lists"));
  CHECK(refusal(std::string(64, '[') + std::string(64, ']')) == "accepted");
}

TEST_CASE("documents above a limit are refused") {
  io::JsonLimits limits;
  limits.bytes = 20;
  CHECK(contains(refusal(std::string(21, ' '), limits), "21 bytes"));
  limits = {};
  limits.numbers = 4;
  CHECK(refusal("[[1,2],[3,4]]", limits) == "accepted");
  CHECK(contains(refusal("[[1,2],[3,4,5]]", limits), "more than 4 values"));
  CHECK(contains(refusal("[true,false,true,true,true]", limits), "more than 4 values"));
  limits = {};
  limits.values = 3;
  CHECK(refusal("[[],[]]", limits) == "accepted");
  CHECK(contains(refusal("[[],[],\"a\"]", limits), "more than 3 values"));
}

TEST_CASE("numbers are the doubles that strtod reads, bit for bit") {
  const char* const kTexts[] = {"0",
                                "-0",
                                "-0.0",
                                "1",
                                "-1",
                                "0.1",
                                "1e-5",
                                "1E+2",
                                "9007199254740993",
                                "18446744073709551615",
                                "18446744073709551616",
                                "-9223372036854775808",
                                "1.7976931348623157e308",
                                "2.2250738585072014e-308",
                                "2.2250738585072011e-308",
                                "4.9406564584124654e-324",
                                "2.4703282292062327e-324",
                                "2.4703282292062328e-324",
                                "0.0000000000000000000000000000000000000000000000005",
                                "1e-400",
                                "0.500000000000000166533453693773481063544750213623046875",
                                "6.02214076e23",
                                "123456789012345678901234567890"};
  for (const char* t : kTexts) CHECK_MESSAGE(sameBits(number(t), std::strtod(t, nullptr)), std::string(t));
  test::Random random(1);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t bits = random.next();
    double value;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    char digits[64];
    std::snprintf(digits, sizeof digits, "%.*e", static_cast<int>(random.below(25)), value);
    const double expected = std::strtod(digits, nullptr);
    if (std::isinf(expected)) continue;
    CHECK_MESSAGE(sameBits(number(digits), expected), std::string(digits));
  }
}

TEST_CASE("a number of ten thousand digits is read to the nearest double") {
  std::string digits = "0.";
  for (int i = 0; i < 10000; ++i) digits += static_cast<char>('0' + i * 7 % 10);
  CHECK(sameBits(number(digits), std::strtod(digits.c_str(), nullptr)));
  CHECK(number("1" + std::string(300, '0') + "." + std::string(5000, '9')) == 1e300);
}

TEST_CASE("the three tokens that Python writes for numbers that are not finite are read") {
  const Json json = parsed("[NaN, Infinity, -Infinity, 1]");
  const auto& numbers = *json.as<Json::Numbers>();
  CHECK(std::isnan(numbers[0]));
  CHECK(numbers[1] == std::numeric_limits<double>::infinity());
  CHECK(numbers[2] == -std::numeric_limits<double>::infinity());
}

TEST_CASE("text with a byte-order mark is read in all its encodings") {
  const std::string utf8 = "{\"é\": \"猫😀\"}";
  const char32_t codes[] = U"{\"é\": \"猫😀\"}";
  std::string wide[4] = {"\xFF\xFE"s, "\xFE\xFF"s, "\xFF\xFE\0\0"s, "\0\0\xFE\xFF"s};
  const auto put = [](std::string& out, std::uint32_t unit, int width, bool big) {
    for (int i = 0; i < width; ++i) out += static_cast<char>(unit >> 8 * (big ? width - 1 - i : i) & 0xFF);
  };
  for (const char32_t code : codes) {
    if (code == 0) break;
    for (int kind = 0; kind < 4; ++kind) {
      const bool big = kind % 2 == 1;
      if (kind >= 2)
        put(wide[kind], code, 4, big);
      else if (code < 0x10000)
        put(wide[kind], code, 2, big);
      else
        put(wide[kind], 0xD800 + ((code - 0x10000) >> 10), 2, big), put(wide[kind], 0xDC00 + (code & 0x3FF), 2, big);
    }
  }
  for (const std::string& bytes : {wide[0], wide[1], wide[2], wide[3], "\xEF\xBB\xBF" + utf8, utf8}) {
    CHECK(*parsed(bytes).find("é")->as<std::string>() == "猫😀");
    CHECK(io::minifyJson(bytes) == "{\"é\":\"猫😀\"}");
  }
}

TEST_CASE("bytes that are no text are refused with their place") {
  CHECK(contains(refusal("{\"a\":\n \"x\xF0y\"}"), "Byte F0 at line 2, column 4 is not UTF-8"));
  CHECK(contains(refusal("\"\xC0\xAF\""), "Byte C0"));          // overlong
  CHECK(contains(refusal("\"\xED\xA0\x80\""), "Byte ED"));      // surrogate
  CHECK(contains(refusal("\"\xF4\x90\x80\x80\""), "Byte F4"));  // above U+10FFFF
  CHECK(contains(refusal("\"\xE7\x8C\""), "Byte E7"));          // cut off
  CHECK(contains(refusal("PQ\x03\x04\0\0"s), "zero byte at line 1, column 5"));
  CHECK(contains(refusal("{}\0{}"s), "zero byte"));
  CHECK(contains(refusal("\xFF\xFE{"s), "UTF-16"));
  CHECK(contains(refusal("\xFF\xFE\x3D\xD8"s), "half of a character"));
  CHECK(contains(refusal("\0\0\xFE\xFF\0\x11\0\0"s), "half of a character"));
}

TEST_CASE("escapes are read, halves of pairs included") {
  CHECK(text("\"\\u0041\\n\\t\\\\\\/\\\"\\u0000\"") == "A\n\t\\/\"\0"s);
  CHECK(text("\"\\ud83d\\ude00\"") == "😀");
  CHECK(text("\"\\\\ud83d\"") == "\\ud83d");
  CHECK(text("\"\\ud83d\"") == "\xED\xA0\xBD");
  CHECK(text("\"\\ud83d\\u0041\"") ==
        "\xED\xA0\xBD"
        "A");
  CHECK(text("\"\\ud83d\\ud83d\\ude00\"") == "\xED\xA0\xBD😀");
  CHECK(text("\"\\ude00\"") == "\xED\xB8\x80");
  CHECK(text("\"\\udcf0\\udc9f\"") == "\xF0\x9F");
}

TEST_CASE("what the writer writes of any bytes is read back as the same bytes") {
  test::Random random(3);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes;
    const auto length = random.below(12);
    // Half of the bytes come from the range of well-formed text and its lead bytes, so that both are met.
    for (core::Index j = 0; j < length; ++j)
      bytes += static_cast<char>(random.below(2) ? random.below(256) : 0x80 + random.below(128));
    io::JsonWriter writer;
    writer.beginObject().name(bytes).text(bytes).endObject();
    CHECK(writer.str().find('\n') == std::string::npos);
    const Json json = parsed(writer.str());
    REQUIRE(json.find(bytes));
    CHECK(*json.find(bytes)->as<std::string>() == bytes);
  }
}

TEST_CASE("surrogates beside each other and beside single bytes are written so that they are read back apart") {
  const std::string high = "\xED\xA0\xBD", low = "\xED\xB8\x80", byte_like = "\xED\xB2\x80";
  for (const std::string& bytes : {high + low, high + "\x80", high + byte_like, high + high + low, byte_like,
                                   high + high, low + high, high + "a", high + "é", "\x80" + high, high + "\xED"}) {
    io::JsonWriter writer;
    writer.text(bytes);
    CAPTURE(writer.str());
    CHECK(text(writer.str()) == bytes);
  }
  io::JsonWriter alone;
  CHECK(alone.text(high).str() == "\"\\ud83d\"");
}

TEST_CASE("the writer separates, escapes and spells numbers") {
  io::JsonWriter writer;
  writer.beginObject()
      .name("a")
      .beginList()
      .number(1)
      .number(-0.5)
      .number(0.1)
      .number(std::nan(""))
      .number(-INFINITY)
      .number(INFINITY)
      .endList()
      .name("b\n")
      .beginObject()
      .endObject()
      .name("c")
      .beginList()
      .endList()
      .name("d")
      .flag(true)
      .name("e")
      .text("</script>\x7F")
      .endObject();
  CHECK(writer.str() ==
        "{\"a\":[1,-0.5,0.10000000000000001,\"nan\",\"-inf\",\"inf\"],\"b\\u000a\":{},\"c\":[],\"d\":true,"
        "\"e\":\"</script>\\u007f\"}");
}

TEST_CASE("minifying takes white space from between the parts and leaves texts alone") {
  CHECK(io::minifyJson(" { \"a b\" :\t[ 1 ,\r\n 2 ] , \"c \\\" d\" : \" \\\\\" } \n") ==
        "{\"a b\":[1,2],\"c \\\" d\":\" \\\\\"}");
}

TEST_CASE("a member is put into an object, in the place of the one of that name, or taken out") {
  const std::string object = "{\"a\":[{\"b\":1},2],\"b\":\"}\\\",\\\"b\\\":0\",\"c\":{\"b\":[3]}}";
  CHECK(io::withMember(object, "b", "[9]") == "{\"a\":[{\"b\":1},2],\"b\":[9],\"c\":{\"b\":[3]}}");
  CHECK(io::withMember(object, "b", "") == "{\"a\":[{\"b\":1},2],\"c\":{\"b\":[3]}}");
  CHECK(io::withMember(object, "d", "null") == object.substr(0, object.size() - 1) + ",\"d\":null}");
  CHECK(io::withMember(object, "d", "") == object);
  CHECK(io::withMember("{}", "a", "1") == "{\"a\":1}");
  CHECK(io::withMember("{\"a\":1}", "a", "") == "{}");
  CHECK(io::withMember("{\"\\u0061\":1,\"ab\":2}", "a", "3") == "{\"a\":3,\"ab\":2}");
}
