// safetensors files: what the format's own reader takes and refuses, and what is written.
#include "io/safetensors.h"

#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "io/safetensors_index.h"

namespace {

using namespace attn;
using namespace std::string_literals;

std::string eightBytes(std::uint64_t value) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
  return bytes;
}

// A file with this header and `data` bytes of data: 0, 1, 2, …
std::string fileOf(const std::string& header, std::size_t data) {
  std::string bytes = eightBytes(header.size()) + header;
  for (std::size_t i = 0; i < data; ++i) bytes += static_cast<char>(i);
  return bytes;
}

core::Result<io::ArrayFile> opened(const std::string& bytes, const io::ArrayLimits& limits = {}) {
  const io::MemorySource source(std::as_bytes(std::span(bytes)));
  return io::readSafetensors(source, "model.safetensors", limits);
}

std::string refusalOf(const std::string& bytes, const io::ArrayLimits& limits = {}) {
  const auto file = opened(bytes, limits);
  return file ? "opened" : file.error().message;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string tensor(const std::string& name, const std::string& type, const std::string& shape, std::uint64_t begin,
                   std::uint64_t end) {
  return "\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":[" + shape + "],\"data_offsets\":[" +
         std::to_string(begin) + "," + std::to_string(end) + "]}";
}

}  // namespace

TEST_CASE("tensors of a safetensors file have their names, types, shapes and places") {
  const std::string header = "{\"__metadata__\":{\"format\":\"pt\"}," + tensor("b", "F32", "2,3", 8, 32) + "," +
                             tensor("a\\u00e9.0", "F16", "4", 0, 8) + "," + tensor("scalar", "I64", "", 32, 40) + "," +
                             tensor("none", "F64", "0,5", 40, 40) + "}  ";
  const std::string bytes = fileOf(header, 40);
  const auto file = opened(bytes);
  REQUIRE_MESSAGE(file.ok(), refusalOf(bytes));
  CHECK(file.value().format == "safetensors");
  CHECK(file.value().notes == std::vector<std::string>{"format: pt"});
  const auto& arrays = file.value().arrays;
  REQUIRE(arrays.size() == 4);
  CHECK(arrays[0].name == "b");
  CHECK(arrays[0].type == io::ElementType::kF32);
  CHECK(arrays[0].element_bytes == 4);
  CHECK(arrays[0].shape == std::vector<std::uint64_t>{2, 3});
  CHECK(arrays[0].strides == std::vector<std::uint64_t>{3, 1});
  CHECK(arrays[0].begin == 8 + header.size() + 8);
  CHECK(arrays[0].bytes == 24);
  CHECK(arrays[0].unreadable == "");
  CHECK(arrays[1].name == "aé.0");
  CHECK(arrays[2].shape.empty());
  CHECK(arrays[2].bytes == 8);
  CHECK(arrays[3].bytes == 0);

  const io::MemorySource source(std::as_bytes(std::span(bytes)));
  const auto data = io::dataOf(source, file.value(), 0, 1 << 20);
  REQUIRE(data.ok());
  std::byte first[2];
  REQUIRE_FALSE(data.value()->read(0, first));
  CHECK(std::to_integer<int>(first[0]) == 8);
  CHECK(std::to_integer<int>(first[1]) == 9);
}

TEST_CASE("every plain type of safetensors is read as itself") {
  using io::ElementType;
  const std::pair<const char*, ElementType> types[] = {
      {"BOOL", ElementType::kBool}, {"U8", ElementType::kU8},     {"I8", ElementType::kI8},
      {"I16", ElementType::kI16},   {"U16", ElementType::kU16},   {"F16", ElementType::kF16},
      {"BF16", ElementType::kBF16}, {"I32", ElementType::kI32},   {"U32", ElementType::kU32},
      {"F32", ElementType::kF32},   {"F64", ElementType::kF64},   {"I64", ElementType::kI64},
      {"U64", ElementType::kU64},
  };
  for (const auto& type : types) {
    CAPTURE(type.first);
    const std::size_t size = 3 * io::typeBytes(type.second);
    const auto file = opened(fileOf("{" + tensor("x", type.first, "3", 0, size) + "}", size));
    REQUIRE(file.ok());
    CHECK(file.value().arrays[0].type == type.second);
    CHECK(file.value().arrays[0].unreadable == "");
  }
}

TEST_CASE("a type that cannot be read is named, and the other tensors open") {
  const std::string header = "{" + tensor("f8", "F8_E4M3", "3", 0, 3) + "," + tensor("f4", "F4", "2,1", 3, 4) + "," +
                             tensor("c", "C64", "1", 4, 12) + "," + tensor("new", "F3_SOON", "7", 12, 15) + "," +
                             tensor("x", "F32", "1", 15, 19) + "}";
  const auto file = opened(fileOf(header, 19));
  REQUIRE(file.ok());
  const auto& arrays = file.value().arrays;
  CHECK(has(arrays[0].unreadable, "`f8` has elements of type F8_E4M3"));
  CHECK(has(arrays[1].unreadable, "F4"));
  CHECK(has(arrays[2].unreadable, "C64"));
  CHECK(has(arrays[3].unreadable, "F3_SOON"));
  CHECK(arrays[4].unreadable == "");
  CHECK(arrays[4].begin == 8 + header.size() + 15);
}

TEST_CASE("a safetensors file without tensors has none") {
  CHECK(opened(fileOf("{}", 0)).value().arrays.empty());
  CHECK(opened(fileOf("{\"__metadata__\":null}      ", 0)).value().arrays.empty());
}

TEST_CASE("what does not agree in a safetensors file is refused with what was found and where") {
  struct Case {
    std::string what, header;
    std::size_t data;
    std::string sentence;
  };
  const std::string field = "\"data_offsets\":[0,4]}}";
  const std::vector<Case> cases = {
      {"a hole in front", "{" + tensor("a", "U8", "2", 2, 4) + "}", 4,
       "2 bytes between the beginning of the data and `a`"},
      {"a hole", "{" + tensor("a", "U8", "2", 0, 2) + "," + tensor("b", "U8", "1", 3, 4) + "}", 4,
       "1 byte between the end of `a` and `b` belong to no tensor"},
      {"an overlap", "{" + tensor("a", "U8", "3", 0, 3) + "," + tensor("b", "U8", "2", 2, 4) + "}", 4,
       "`a` and `b` overlap: the one ends at byte 3, the other begins at byte 2"},
      {"the same place twice", "{" + tensor("a", "U8", "4", 0, 4) + "," + tensor("b", "U8", "4", 0, 4) + "}", 4,
       "overlap"},
      {"the end before the beginning", "{" + tensor("a", "U8", "2", 4, 2) + "}", 4, "ends before it, at byte 2"},
      {"bytes behind the last", "{" + tensor("a", "U8", "4", 0, 4) + "}", 8, "goes on for 4 bytes after the last tensor"},
      {"bytes behind no tensor", "{}", 1, "goes on for 1 byte after the header"},
      {"cut off", "{" + tensor("a", "F32", "2", 0, 8) + "}", 7, "ends at byte 8 of the data, but the file has only 7"},
      {"fewer bytes than elements", "{" + tensor("a", "F32", "3", 0, 8) + "}", 8,
       "of type F32 and shape 3 needs 12 bytes but has 8"},
      {"no whole byte", "{" + tensor("a", "F4", "3", 0, 1) + "}", 1, "does not end with a whole byte"},
      {"a product that wraps to 0", "{" + tensor("a", "F32", "4294967296,4294967296", 0, 0) + "}", 0,
       "more elements than can be counted"},
      {"bytes that wrap to 0", "{" + tensor("a", "F64", "2305843009213693952", 0, 0) + "}", 0,
       "has more bytes than can be counted"},
      {"an unknown type with a place outside", "{" + tensor("a", "NEW", "1", 0, 99) + "}", 4, "ends at byte 99"},
      {"a wrapping place", "{" + tensor("a", "NEW", "1", 0, 18446744073709551615u) + "}", 4, "has only 4"},
      {"a name twice", "{" + tensor("a", "U8", "2", 0, 2) + "," + tensor("a", "U8", "2", 2, 4) + "}", 4, "`a` twice"},
      {"a name twice, escaped", "{" + tensor("a", "U8", "2", 0, 2) + "," + tensor("\\u0061", "U8", "2", 2, 4) + "}", 4,
       "`a` twice"},
      {"a field twice", "{\"a\":{\"dtype\":\"U8\",\"dtype\":\"F32\",\"shape\":[4]," + field, 4, "`dtype` twice"},
      {"a negative place", "{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[-4,0]}}", 4, "a number below 0"},
      {"a negative size", "{\"a\":{\"dtype\":\"U8\",\"shape\":[-1]," + field, 4, "a number below 0 as its `shape`"},
      {"a size with a point", "{\"a\":{\"dtype\":\"U8\",\"shape\":[4.0]," + field, 4, "no whole number"},
      {"a size beyond 64 bits", "{\"a\":{\"dtype\":\"U8\",\"shape\":[18446744073709551616]," + field, 4, "64 bits"},
      {"no type", "{\"a\":{\"shape\":[4]," + field, 4, "has no `dtype`"},
      {"no shape", "{\"a\":{\"dtype\":\"U8\"," + field, 4, "has no `shape`"},
      {"no place", "{\"a\":{\"dtype\":\"U8\",\"shape\":[4]}}", 4, "has no `data_offsets`"},
      {"one place", "{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0]}}", 4, "fewer than two"},
      {"three places", "{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4,4]}}", 4, "more than two"},
      {"a list in the shape", "{\"a\":{\"dtype\":\"U8\",\"shape\":[[4]]," + field, 4, "a list as its `shape`"},
      {"a number as the type", "{\"a\":{\"dtype\":8,\"shape\":[4]," + field, 4, "a number as its `dtype`"},
      {"null as the shape", "{\"a\":{\"dtype\":\"U8\",\"shape\":null," + field, 4, "null as its `shape`"},
      {"a member that is unknown", "{\"a\":{\"scale\":1,\"dtype\":\"U8\",\"shape\":[4]," + field, 4, "`scale`"},
      {"a tensor that is a list", "{\"a\":[1]}", 4, "is a list instead of an object"},
      {"a number in the metadata", "{\"__metadata__\":{\"a\":1}}", 0, "in __metadata__, which holds texts only"},
      {"a name twice in the metadata", "{\"__metadata__\":{\"a\":\"1\",\"a\":\"2\"}}", 0, "`a` twice"},
      {"metadata twice", "{\"__metadata__\":{},\"__metadata__\":{}}", 0, "__metadata__ twice"},
      {"33 axes", "{" + tensor("a", "U8", "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", 0, 1) + "}",
       1, "more than 32 axes"},
      {"a long name", "{" + tensor(std::string(1001, 'n'), "U8", "1", 0, 1) + "}", 1, "a name of 1001 bytes"},
      {"a blank in front", " {}", 0, "does not begin with {"},
      {"no header", "", 2, "does not begin with {"},
      {"a list", "[]", 0, "does not begin with {"},
      {"no end", "{\"a\":", 0, "is no JSON at byte 13"},
      {"something behind the end", "{}{}", 0, "is no JSON at byte 10"},
      {"a zero byte behind the end", "{}\0{}"s, 0, "a zero byte at byte 10"},
      {"bytes that are not UTF-8", "{" + tensor("\xff", "U8", "1", 0, 1) + "}", 1, "is not UTF-8 at byte 10"},
      {"half a character at the end", "{\"\xf0", 0, "is not UTF-8 at byte 10"},
      {"ten million brackets", "{\"a\":" + std::string(10'000'000, '['), 0, "is a list instead"},
  };
  for (const Case& one : cases) {
    CAPTURE(one.what);
    const std::string sentence = refusalOf(fileOf(one.header, one.data));
    CHECK_MESSAGE(has(sentence, one.sentence), sentence);
    CHECK(has(sentence, "`model.safetensors`"));
    CHECK(sentence.back() == '.');
  }
}

TEST_CASE("a length of the header that cannot be is refused before any memory is taken for it") {
  const auto claims = [](std::uint64_t length, const std::string& rest) { return refusalOf(eightBytes(length) + rest); };
  CHECK(has(refusalOf(""), "has only 0 bytes"));
  CHECK(has(refusalOf("\2\0\0\0\0\0\0\0{"s), "has only 9 bytes"));
  CHECK(has(claims(100, "{}"), "claims a header of 100 bytes, but only 2 bytes follow"));
  CHECK(has(claims(3, "{}"), "only 2 bytes follow"));
  CHECK(has(claims(100'000'001, "{}"), "more than the 100000000 of the format"));
  for (const std::uint64_t wraps : {~0ull, ~0ull - 7, ~0ull - 4, 1ull << 63}) {
    CHECK(has(claims(wraps, "{}"), "of the format"));
  }
  CHECK(has(refusalOf(fileOf("{}" + std::string(16'000'000, ' '), 0)), "at most 16 MB are read"));
}

TEST_CASE("more tensors than asked for are refused") {
  io::ArrayLimits limits;
  limits.arrays = 1;
  const std::string one = "{" + tensor("a", "U8", "1", 0, 1) + "}";
  const std::string two = "{" + tensor("a", "U8", "1", 0, 1) + "," + tensor("b", "U8", "1", 1, 2) + "}";
  CHECK(refusalOf(fileOf(one, 1), limits) == "opened");
  CHECK(has(refusalOf(fileOf(two, 2), limits), "more than 1 tensors"));
}

TEST_CASE("names are shown without control characters") {
  const auto file = opened(fileOf("{" + tensor("a\\n\\u0000b", "U8", "1", 0, 1) + "}", 1));
  REQUIRE(file.ok());
  for (const char c : file.value().arrays[0].name) CHECK(static_cast<unsigned char>(c) >= 0x20);
}

TEST_CASE("headers are written as the safetensors package writes them") {
  using io::ElementType;
  // What safetensors.numpy.save gives for {"b": float32 [[1, 2]], "a": float32 [3], "h": float16 [1], "i": int64 []}.
  const io::SafetensorsTensor tensors[] = {
      {"h", ElementType::kF16, {1}}, {"b", ElementType::kF32, {1, 2}}, {"i", ElementType::kI64, {}},
      {"a", ElementType::kF32, {1}}, {"m", ElementType::kBool, {3}},   {"g", ElementType::kBF16, {1}},
      {"d", ElementType::kF64, {1}},
  };
  const std::string json =
      "{\"i\":{\"dtype\":\"I64\",\"shape\":[],\"data_offsets\":[0,8]},"
      "\"d\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[8,16]},"
      "\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[16,20]},"
      "\"b\":{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[20,28]},"
      "\"g\":{\"dtype\":\"BF16\",\"shape\":[1],\"data_offsets\":[28,30]},"
      "\"h\":{\"dtype\":\"F16\",\"shape\":[1],\"data_offsets\":[30,32]},"
      "\"m\":{\"dtype\":\"BOOL\",\"shape\":[3],\"data_offsets\":[32,35]}}";
  const std::string padded = json + std::string((8 - json.size() % 8) % 8, ' ');
  const std::string header = io::safetensorsHeader(tensors);
  CHECK(header == eightBytes(padded.size()) + padded);
  CHECK(io::safetensorsOrder(tensors) == std::vector<std::size_t>{2, 6, 3, 1, 5, 0, 4});
  CHECK(refusalOf(header + std::string(35, '\0')) == "opened");
}

TEST_CASE("names with anything in them come back from a written header") {
  const std::string names[] = {"quote\" and \\", "é字🙂", "/", "", "<script>", "blocks.0.attn.hook_pattern"};
  for (const std::string& name : names) {
    CAPTURE(name);
    const io::SafetensorsTensor tensors[] = {{name, io::ElementType::kF32, {2}}};
    const auto file = opened(io::safetensorsHeader(tensors) + std::string(8, '\0'));
    REQUIRE(file.ok());
    CHECK(file.value().arrays[0].name == name);
  }
  const io::SafetensorsTensor control[] = {{"\x1f\n", io::ElementType::kF32, {}}};
  CHECK(has(io::safetensorsHeader(control), "\"\\u001f\\n\""));
}

TEST_CASE("without memory a safetensors file is refused, and opens when there is some") {
  const std::string bytes = fileOf("{" + tensor("a", "U8", "4", 0, 4) + "}", 4);
  bool ok = false;
  int n = 1;
  for (; n < 100 && !ok; ++n) {
    core::failAllocation(n);
    const auto file = opened(bytes);
    ok = file.ok();
    if (!ok) CHECK(has(file.error().message, "no memory"));
  }
  core::failAllocation(0);
  CHECK(ok);
  CHECK(n > 2);
}

TEST_CASE("an index of a model in several files lists each file once") {
  const std::string index =
      "{\"metadata\":{\"total_size\":12},\"weight_map\":{\"b\":\"model-00002-of-00002.safetensors\","
      "\"a\":\"model-00001-of-00002.safetensors\",\"c\":\"model-00002-of-00002.safetensors\"}}";
  const auto files = io::safetensorsFiles(index, "model.safetensors.index.json");
  REQUIRE(files.ok());
  CHECK(files.value() == std::vector<std::string>{"model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"});
}

TEST_CASE("an index that lists no files is refused") {
  const auto refusal = [](std::string_view text) {
    const auto files = io::safetensorsFiles(text, "x.index.json");
    return files ? std::string("read") : files.error().message;
  };
  CHECK(has(refusal("{}"), "`x.index.json` has no `weight_map`"));
  CHECK(has(refusal("{\"weight_map\":{}}"), "lists no tensor"));
  CHECK(has(refusal("{\"weight_map\":[\"a\"]}"), "has no `weight_map`"));
  CHECK(has(refusal("{\"weight_map\":{\"a\":1}}"), "`a`"));
  CHECK(has(refusal("{\"weight_map\":{\"a\":\"x\",\"a\":\"y\"}}"), "twice"));
  CHECK(has(refusal("{\"weight_map\":"), "Not JSON"));
}
