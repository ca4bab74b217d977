// Which reader a file goes to, and what is said of files that none can read.
#include <doctest/doctest.h>

#include <string>

#include "io/array_file.h"
#include "io/foreign.h"
#include "support/array_files.h"

namespace {

using namespace attn;
using namespace std::string_literals;

core::Result<io::ArrayFile> open(std::string_view bytes, std::string_view name) {
  return io::openArrays(io::MemorySource(test::bytesOf(bytes)), name);
}

std::string formatOf(std::string_view bytes, std::string_view name) {
  const auto file = open(bytes, name);
  return file ? file.value().format : file.error().message;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

const std::string kNpy = test::npy(test::npyText("|u1", "(2,)"), "ab");

}  // namespace

TEST_CASE("a format is told by the first bytes, whatever the name says") {
  for (const char* name : {"a.npy", "a.npz", "a.pt", "a.json", "a", ""}) {
    CHECK(formatOf(kNpy, name) == "NumPy array");
    CHECK(formatOf(test::zip({{.name = "q.npy", .content = kNpy}}), name) == "NumPy archive");
    CHECK(formatOf(test::arrayFile("alone.pt"), name) == "PyTorch file");
    CHECK(formatOf(test::arrayFile("mixed.safetensors"), name) == "safetensors");
  }
}

TEST_CASE("a safetensors file whose length begins as a pickle or a gzip archive does is none") {
  for (const std::size_t length : {640, 896, 1152, 1408, 35615}) {
    CAPTURE(length);
    std::string header = "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}";
    header.resize(length, ' ');
    const std::string bytes = test::little(length, 8) + header + "x";
    CHECK(formatOf(bytes, "model") == "safetensors");
    CHECK(io::foreignFormat(bytes) == "a safetensors file");
  }
}

TEST_CASE("JSON is told from other text by its first sign and the ending") {
  CHECK(formatOf("[[1, 2], [3, 4]]", "a.json") == "JSON");
  CHECK(formatOf("[[1, 2], [3, 4]]", "weights") == "text");
  CHECK(formatOf("[[1. 2.]\n [3. 4.]]", "") == "text");
  CHECK(formatOf(" \n{\"weights\": [[1, 2], [3, 4]]}", "a") == "JSON");
  CHECK(formatOf("\xEF\xBB\xBF{\"weights\": [[1, 2], [3, 4]]}", "a") == "JSON");
  CHECK(formatOf("1,2\n3,4\n", "a.csv") == "text");
  CHECK(formatOf("1,2\n3,4\n", "a") == "text");
  CHECK(formatOf("[[1. 2.]\n [3. 4.]]", "a.TXT") == "text");
  CHECK(formatOf("tensor([[1., 2.], [3., 4.]])", "a") == "text");
}

TEST_CASE("a file that cannot be read says what it is and how to convert it") {
  const std::string tar = "attention.tar"s + std::string(257 - 13, '\0') + "ustar\00000"s + std::string(300, '\0');
  const struct {
    std::string bytes, name, first, second;
  } kCases[] = {
      {"", "a.npy", "empty", "save the arrays again"},
      {"\x80\x02}q\x00."s, "a.pt", "Python pickle", "numpy.savez"},
      {"\x80\x05\x95rest"s, "a.pkl", "Python pickle", "numpy.savez"},
      {tar, "a.pt", "tar archive", "torch.load"},
      {"\x89HDF\r\n\x1A\n\x00\x00"s, "a.h5", "HDF5", "h5py.File"},
      {"\x1F\x8B\x08\x00"s, "a.npy.gz", "gzip", "gunzip"},
      {"BZh9", "a.bz2", "bzip2", "bunzip2"},
      {"\x28\xB5\x2F\xFD\x00"s, "a.zst", "Zstandard", "unzstd"},
      {"\xFD\x37zXZ\x00"s, "a.xz", "XZ", "unxz"},
      {"GGUF\x03\x00\x00\x00"s, "a.gguf", "GGUF", "no attention"},
      {"\x08\x07\x12\x07pytorch"s, "model.ONNX", "ONNX", "no attention"},
      {"\x89PNG\r\n\x1A\n\x00\x00\x00\x0D"s, "a.png", "of no format that is read here", ".safetensors"},
      {"no array", "a.npy", "does not begin as .npy files do", "numpy.save"},
      {"no archive", "a.npz", "directory at the end", "copy the file again"},
      {"PK\x03\x04 cut off", "a.npz", "directory at the end", "copy the file again"},
      {"{\"weight_map\": {\"a\": \"one.safetensors\", \"b\": \"two.safetensors\"}}", "m.safetensors.index.json",
       "index of a model in several files", "`one.safetensors`, `two.safetensors`"},
  };
  for (const auto& c : kCases) {
    CAPTURE(c.name);
    const auto file = open(c.bytes, c.name);
    REQUIRE_FALSE(file.ok());
    const std::string& sentence = file.error().message;
    CAPTURE(sentence);
    CHECK(has(sentence, "`" + c.name + "`: "));
    CHECK(has(sentence, c.first));
    CHECK(has(sentence, c.second));
    CHECK(sentence.back() == '.');
  }
  CHECK(has(formatOf("{}", "m.safetensors.index.json"), "weight_map"));
}

TEST_CASE("a file without arrays is empty and says what may be the matter") {
  for (const std::string& bytes : {test::zip({}), test::zip({{.name = "README", .content = "x"}})}) {
    const auto file = open(bytes, "a.npz");
    REQUIRE(file.ok());
    CHECK(file.value().arrays.empty());
    CHECK(has(file.value().notes.back(), "attn_implementation=\"eager\""));
  }
}

TEST_CASE("shapes are counted without wrapping, and written with times signs") {
  using Shape = std::vector<std::uint64_t>;
  const std::uint64_t most = INT64_MAX;
  CHECK(io::countOf({}) == 1);
  CHECK(io::countOf({2, 3, 4}) == 24);
  CHECK(io::countOf({most}) == most);
  CHECK(io::countOf({most, 1, 1}) == most);
  CHECK_FALSE(io::countOf({most, 2}).has_value());
  CHECK_FALSE(io::countOf({most + 1}).has_value());
  CHECK_FALSE(io::countOf({1ull << 32, 1ull << 32}).has_value());
  CHECK_FALSE(io::countOf({1ull << 32, 1ull << 32, 1ull << 32}).has_value());
  CHECK(io::countOf({most, most, 0}) == 0);
  CHECK(io::countOf(Shape(32, 1)) == 1);
  CHECK_FALSE(io::countOf(Shape(33, 1)).has_value());
  CHECK(io::rowMajor({2, 3, 4}) == Shape{12, 4, 1});
  CHECK(io::columnMajor({2, 3, 4}) == Shape{1, 2, 6});
  CHECK(io::rowMajor({}).empty());
  CHECK(io::columnMajor({7}) == Shape{1});
  CHECK(io::shapeText({12, 1024, 1024}) == "12×1024×1024");
  CHECK(io::shapeText({5}) == "5");
  CHECK(io::shapeText({}) == "one number");
}
