// Headers of .npy files: every way in which they are written, and every way in which they are wrong.
#include "io/npy.h"

#include <doctest/doctest.h>

#include <string>

#include "support/array_files.h"

namespace {

using namespace attn;
using io::ElementType;
using test::npy;
using test::npyText;

core::Result<io::ArrayFile> open(const std::string& bytes) {
  return io::readNpy(io::MemorySource(test::bytesOf(bytes)), "scores.npy");
}

io::ArrayInfo arrayOf(const std::string& bytes) {
  core::Result<io::ArrayFile> file = open(bytes);
  REQUIRE_MESSAGE(file.ok(), (file ? "" : file.error().message));
  REQUIRE(file.value().arrays.size() == 1);
  return file.value().arrays[0];
}

std::string refusalOf(const std::string& bytes) {
  const auto file = open(bytes);
  return file ? "read" : file.error().message;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

const std::string kSixFloats(24, '\x01');

}  // namespace

TEST_CASE("a header is read whatever its order, quotes, spaces and version") {
  const struct {
    const char* header;
    int major;
  } kCases[] = {
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }   \n", 1},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}", 1},
      {"{\"shape\":(2,3),\"descr\":\"<f4\",\"fortran_order\":False}", 1},
      {"  {\t'fortran_order' : False ,\n'shape' : ( 2 , 3 , ) , 'descr' : '=f4' }\n\n", 1},
      {"{'descr': 'f4', 'fortran_order': False, 'shape': (2L, 3L)}", 1},
      {"{'descr': u'<f4', u'fortran_order': False, b'shape': (2, 3)}", 2},
      {"{'descr': 'float32', 'fortran_order': False, 'shape': (2, 3)}", 3},
      {"{'descr': 'f', 'fortran_order': False, 'shape': (2, 3)}", 3},
  };
  for (const auto& c : kCases) {
    CAPTURE(c.header);
    const io::ArrayInfo array = arrayOf(npy(c.header, kSixFloats, c.major));
    CHECK(array.name == "scores");
    CHECK(array.type == ElementType::kF32);
    CHECK(array.element_bytes == 4);
    CHECK_FALSE(array.big_endian);
    CHECK(array.shape == std::vector<std::uint64_t>{2, 3});
    CHECK(array.strides == std::vector<std::uint64_t>{3, 1});
    CHECK(array.begin == std::string(c.header).size() + (c.major == 1 ? 10 : 12));
    CHECK(array.bytes == 24);
    CHECK(array.unreadable.empty());
    CHECK(array.note.empty());
  }
}

TEST_CASE("every type that NumPy writes is read as what it is, or refused by its name") {
  const struct {
    const char* type;
    ElementType wanted;
    std::size_t bytes;
    bool big_endian;
  } kCases[] = {
      {"<f2", ElementType::kF16, 2, false},  {">f2", ElementType::kF16, 2, true},
      {"<f4", ElementType::kF32, 4, false},  {">f4", ElementType::kF32, 4, true},
      {"<f8", ElementType::kF64, 8, false},  {">f8", ElementType::kF64, 8, true},
      {"|b1", ElementType::kBool, 1, false}, {"?", ElementType::kBool, 1, false},
      {"|i1", ElementType::kI8, 1, false},   {">i1", ElementType::kI8, 1, false},
      {"<i2", ElementType::kI16, 2, false},  {">i2", ElementType::kI16, 2, true},
      {"<i4", ElementType::kI32, 4, false},  {"<i8", ElementType::kI64, 8, false},
      {"|u1", ElementType::kU8, 1, false},   {"<u2", ElementType::kU16, 2, false},
      {"<u4", ElementType::kU32, 4, false},  {">u8", ElementType::kU64, 8, true},
      {"<V2", ElementType::kBF16, 2, false}, {"|V2", ElementType::kBF16, 2, false},
      {">V2", ElementType::kBF16, 2, true},  {"bfloat16", ElementType::kBF16, 2, false},
      {"<U5", ElementType::kText, 20, false}, {">U5", ElementType::kText, 20, true},
      {"|S7", ElementType::kText, 7, false},  {"a7", ElementType::kText, 7, false},
  };
  for (const auto& c : kCases) {
    CAPTURE(c.type);
    const io::ArrayInfo array = arrayOf(npy(npyText(c.type, "(2,)"), std::string(2 * c.bytes, '\0')));
    CHECK(array.unreadable == "");
    CHECK(array.type == c.wanted);
    CHECK(array.element_bytes == c.bytes);
    CHECK(array.big_endian == c.big_endian);
    CHECK(array.wide_text == (std::string(c.type).find('U') != std::string::npos));
    CHECK(array.note.empty() == (c.wanted != ElementType::kBF16));
  }
  for (const char* type : {"|O", "<c8", "<c16", "<M8[ns]", "<m8[s]", "<f16", "g", "|V0", "<V2x", "|V4", "<U0", "|S0",
                           "<U", "<U99999999999999999999", "<U300000", "<f1", "<f3", "<float32", "", "<", "x", "U-1"}) {
    CAPTURE(type);
    const io::ArrayInfo array = arrayOf(npy(npyText(type, "(2,)"), kSixFloats));
    CHECK(array.shape == std::vector<std::uint64_t>{2});
    CHECK((*type == '\0' || has(array.unreadable, type)));
    CHECK(array.unreadable.back() == '.');
  }
}

TEST_CASE("elements of several fields are refused, however deep their description is") {
  for (const char* type : {"[('a', '<f4'), ('b', '<i4', (2, 2))]", "[('x', [('y', '<f4')])]", "('<f4', (2,))", "[]"}) {
    CAPTURE(type);
    std::string header = "{'shape': (2,), 'fortran_order': False, 'descr': ";
    header.append(type).append("}");
    CHECK(has(arrayOf(npy(header, kSixFloats)).unreadable, "several fields"));
  }
  const std::string deep(30000, '[');
  CHECK(has(refusalOf(npy("{'descr': " + deep + "}", "")), "header"));
  CHECK(has(refusalOf(npy("{'descr': " + deep + std::string(30000, ']'), "")), "comma"));
}

TEST_CASE("bfloat16 under any of its names says how it is stored") {
  CHECK(arrayOf(npy(npyText("<V2", "(1,)"), "ab")).note == "stored as <V2, read as bfloat16");
}

TEST_CASE("column-major order turns the strides, and what is empty or one number is no error") {
  const auto strides = [](const char* shape, bool fortran_order) {
    return arrayOf(npy(npyText("|u1", shape, fortran_order), std::string(24, 'x'))).strides;
  };
  using Lengths = std::vector<std::uint64_t>;
  CHECK(strides("(2, 3, 4)", false) == Lengths{12, 4, 1});
  CHECK(strides("(2, 3, 4)", true) == Lengths{1, 2, 6});
  CHECK(strides("(5,)", true) == Lengths{1});
  CHECK(strides("()", true).empty());
  CHECK(arrayOf(npy(npyText("<f8", "()"), kSixFloats)).bytes == 8);
  CHECK(arrayOf(npy(npyText("<f8", "(2, 0, 3)"), "")).bytes == 0);
  CHECK(arrayOf(npy(npyText("<f8", "(0, 9223372036854775807, 9223372036854775807)", true), "")).bytes == 0);
}

TEST_CASE("bytes behind the last element do not count") {
  CHECK(arrayOf(npy(npyText("<f4", "(2, 2)"), kSixFloats)).bytes == 16);
}

TEST_CASE("a shape that asks for more than the file holds is refused with both numbers") {
  const struct {
    const char *type, *shape, *first, *second;
  } kCases[] = {
      {"<f4", "(2, 4)", "32 bytes", "24"},
      {"<f4", "(7,)", "28 bytes", "24"},
      {"<f8", "(2147483648, 2147483648)", "more bytes than any file", "24"},
      {"<f4", "(4294967296, 4294967296)", "4294967296×4294967296", "more elements than any file"},
      {"<f4", "(4294967296, 4294967296, 4294967296)", "×4294967296", "more elements than any file"},
      {"<f4", "(2147483648, 2147483648, 4)", "×4 ", "more elements"},
      {"<f4", "(4611686018427387904,)", "more bytes than any file", "24"},
      {"<U262144", "(9223372036854775807,)", "more bytes than any file", "24"},
      {"<f4", "(18446744073709551615,)", "18446744073709551615", "more elements"},
      {"<f4", "(18446744073709551616,)", "18446744073709551616", "more than any file"},
      {"<f4", "(99999999999999999999999999999999999999999999,)", "9999999999", "more than any file"},
      {"<f4", "(-1, 6)", "-1", "negative"},
      {"<f4", "(6, -18446744073709551615)", "Axis 1", "negative"},
  };
  for (const auto& c : kCases) {
    CAPTURE(c.shape);
    const std::string sentence = refusalOf(npy(npyText(c.type, c.shape), kSixFloats));
    CAPTURE(sentence);
    CHECK(has(sentence, "`scores.npy`: "));
    CHECK(has(sentence, c.first));
    CHECK(has(sentence, c.second));
    CHECK(sentence.back() == '.');
  }
}

TEST_CASE("a header that is not as NumPy writes it is refused with what is wrong and where") {
  const std::string a = "'descr': '<f4'", b = "'fortran_order': False", c = "'shape': (2, 3)";
  std::string axes;
  for (int i = 0; i < 33; ++i) axes += "1, ";
  const struct {
    std::string header, part;
  } kCases[] = {
      {"", "stands the end where a {"},
      {"{}", "no 'descr'"},
      {"{" + a + "," + c + "}", "no 'fortran_order'"},
      {"{" + a + "," + b + "}", "no 'shape'"},
      {"{" + a + "," + b + "," + c + "," + c + "}", "'shape' twice"},
      {"{" + a + "," + a + "," + b + "," + c + "}", "'descr' twice"},
      {"{" + a + "," + b + "," + c + ",'more': 1}", "`more`"},
      {"{" + a + " " + b + "," + c + "}", "character 17 of the header"},
      {"{" + a + ",," + b + "," + c + "}", "a name in quotes"},
      {"{" + a + "," + b + "," + c, "stands the end where a comma or a }"},
      {"{" + a + "," + b + "," + c + "} and more", "`and` where the end"},
      {"{" + a + "," + b + "," + c + "}{}", "where the end"},
      {"{" + a + ",'fortran_order': 0," + c + "}", "True or False"},
      {"{" + a + ",'fortran_order': 'False'," + c + "}", "True or False"},
      {"{" + a + "," + b + ",'shape': 6}", "a shape in parentheses"},
      {"{" + a + "," + b + ",'shape': [2, 3]}", "a shape in parentheses"},
      {"{" + a + "," + b + ",'shape': (6)}", "the comma of a shape with one axis"},
      {"{" + a + "," + b + ",'shape': (2 3)}", "a comma or a )"},
      {"{" + a + "," + b + ",'shape': (,)}", "a length"},
      {"{" + a + "," + b + ",'shape': (2.0,)}", "a whole number"},
      {"{" + a + "," + b + ",'shape': (0x6,)}", "a whole number"},
      {"{" + a + "," + b + ",'shape': (1_0,)}", "a whole number"},
      {"{" + a + "," + b + ",'shape': (06,)}", "zeros before it"},
      {"{" + a + "," + b + ",'shape': (L,)}", "a length"},
      {"{" + a + "," + b + ",'shape': (True,)}", "a length"},
      {"{" + a + "," + b + ",'shape': (" + axes + ")}", "more than 32 axes"},
      {"{'descr': 4," + b + "," + c + "}", "a type in quotes"},
      {"{'descr': '<f4," + b + "," + c + "}", "character"},
      {"{'descr': [(," + b + "," + c + "}", "the rest of a type"},
      {"{'descr': ([1)]," + b + "," + c + "}", "the rest of a type"},
      {"{'descr': __import__('os')," + b + "," + c + "}", "a type in quotes"},
      {std::string("{\0}", 3), "a name in quotes"},
  };
  for (const auto& one : kCases) {
    CAPTURE(one.header);
    const std::string sentence = refusalOf(npy(one.header, kSixFloats));
    CAPTURE(sentence);
    CHECK(has(sentence, one.part));
    CHECK(sentence.back() == '.');
  }
  CHECK(has(refusalOf(npy("{" + a + "," + b + ",'shape': (2L, 3L)}", kSixFloats, 3)), "a whole number"));
}

TEST_CASE("a file that is too short for its header, or none of this format, is refused") {
  const std::string whole = npy(npyText("<f4", "(2, 3)"), kSixFloats);
  CHECK(has(refusalOf(""), "does not begin as .npy files do"));
  CHECK(has(refusalOf("\x93NUMPZ\x01"), "does not begin as .npy files do"));
  CHECK(has(refusalOf(whole.substr(0, 6)), "byte 10, and there are 6"));
  CHECK(has(refusalOf(whole.substr(0, 9)), "byte 10, and there are 9"));
  CHECK(has(refusalOf(whole.substr(0, 50)), "and there are 50"));
  CHECK(has(refusalOf(npy("", "", 4)), "version 4.0"));
  CHECK(has(refusalOf(npy("", "", 1, 1)), "version 1.1"));
  CHECK(has(refusalOf(npy("", "", 0)), "version 0.0"));
}

TEST_CASE("a header length is compared with the file and with the limit before memory is taken") {
  using namespace std::string_literals;
  // Twelve bytes that ask for 4 GiB.
  const std::string twelve = "\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF"s;
  REQUIRE(twelve.size() == 12);
  CHECK(has(refusalOf(twelve), "byte 4294967307, and there are 12"));
  CHECK(has(refusalOf("\x93NUMPY\x02\x00\xFF\xFF"s), "byte 12, and there are 10"));
  std::string largest = npyText("<f4", "(2, 3)");
  largest.append(io::kLongestNpyHeader - largest.size(), ' ');
  CHECK(arrayOf(npy(largest, kSixFloats, 2)).bytes == 24);
  CHECK(has(refusalOf(npy(largest + " ", kSixFloats, 2)), "65537 bytes, more than the limit of 65536"));
}

TEST_CASE("files are written byte for byte as NumPy writes them") {
  const struct {
    const char* name;
    ElementType type;
    std::vector<std::uint64_t> shape;
    std::size_t characters;
  } kCases[] = {
      {"f4.npy", ElementType::kF32, {2, 3, 5}, 0},   {"f8.npy", ElementType::kF64, {2, 3, 5}, 0},
      {"f2.npy", ElementType::kF16, {2, 3, 5}, 0},   {"b1.npy", ElementType::kBool, {2, 3, 5}, 0},
      {"i8.npy", ElementType::kI64, {2, 3, 5}, 0},   {"u1.npy", ElementType::kU8, {2, 3, 5}, 0},
      {"one-axis.npy", ElementType::kF32, {7}, 0},   {"scalar.npy", ElementType::kF64, {}, 0},
      {"empty.npy", ElementType::kF32, {2, 0, 3}, 0}, {"wide-texts.npy", ElementType::kText, {6}, 4},
  };
  for (const auto& c : kCases) {
    CAPTURE(c.name);
    const std::string numpy = test::arrayFile(c.name);
    const std::string header = io::npyHeader(c.type, c.shape, c.characters);
    CHECK(header.size() % 64 == 0);
    CHECK(numpy.substr(0, header.size()) == header);
  }
}

TEST_CASE("every header that is written is read back, however long the shape is") {
  for (std::size_t axes = 0; axes <= io::kMostAxes; ++axes) {
    std::vector<std::uint64_t> shape(axes, 1);
    if (axes > 0) shape[0] = 12345678;
    const std::string header = io::npyHeader(ElementType::kBF16, shape);
    CHECK(header.size() % 64 == 0);
    const auto array = io::parseNpyHeader(test::bytesOf(header), header.size() + 2 * 12345678);
    REQUIRE(array.ok());
    CHECK(array.value().shape == shape);
    CHECK(array.value().type == ElementType::kBF16);
  }
}
