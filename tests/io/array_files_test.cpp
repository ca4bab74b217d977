// Files that NumPy wrote, bit for bit; and every reader of them where memory ends.
#include <doctest/doctest.h>

#include <cstdio>
#include <string>

#include "io/json.h"
#include "io/npy.h"
#include "io/npz.h"
#include "support/array_files.h"
#include "support/sanitized.h"

namespace {

using namespace attn;

core::Result<io::ArrayFile> readByEnding(const io::ByteSource& source, std::string_view name) {
  return name.ends_with(".npz") ? io::readNpz(source, name) : io::readNpy(source, name);
}

std::string hexOf(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    char pair[3];
    std::snprintf(pair, sizeof pair, "%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    text += pair;
  }
  return text;
}

std::vector<std::uint64_t> shapeOf(const io::Json& shape) {
  std::vector<std::uint64_t> lengths;
  if (const auto* numbers = shape.as<io::Json::Numbers>())
    for (const double length : *numbers) lengths.push_back(static_cast<std::uint64_t>(length));
  return lengths;
}

// What expected.json says of one array.
void compare(const io::JsonMember& wanted, const io::ByteSource& source, const io::ArrayFile& file, std::size_t index) {
  const io::ArrayInfo& array = file.arrays[index];
  CHECK(array.name == wanted.name);
  CHECK(io::typeName(array.type) == *wanted.value.find("dtype")->as<std::string>());
  CHECK(array.shape == shapeOf(*wanted.value.find("shape")));
  const std::string bits = test::bitsOf(source, file, index);
  CHECK(hexOf(test::little(test::crc32Of(bits), 4)) == [&] {
    const std::string& sum = *wanted.value.find("crc32")->as<std::string>();
    return sum.substr(6, 2) + sum.substr(4, 2) + sum.substr(2, 2) + sum.substr(0, 2);
  }());
  const io::Json& first = *wanted.value.find("first");
  for (std::size_t i = 0; i < first.size(); ++i) {
    const std::string& element = *(*first.as<io::Json::Items>())[i].as<std::string>();
    CHECK(hexOf(bits.substr(i * array.element_bytes, array.element_bytes)) == element);
  }
}

}  // namespace

TEST_CASE("every file that NumPy wrote has the arrays that it was given, bit for bit") {
  const io::Json expected = io::parseJson(test::arrayFile("expected.json")).take();
  REQUIRE(expected.size() > 30);
  for (const io::JsonMember& file : *expected.as<io::Json::Members>()) {
    CAPTURE(file.name);
    const std::string bytes = test::arrayFile(file.name);
    const io::MemorySource source(test::bytesOf(bytes));
    const auto opened = readByEnding(source, file.name);
    REQUIRE_MESSAGE(opened.ok(), (opened ? "" : opened.error().message));
    const auto& wanted = *file.value.as<io::Json::Members>();
    REQUIRE(opened.value().arrays.size() == wanted.size());
    CHECK(opened.value().notes.empty());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      CAPTURE(wanted[i].name);
      compare(wanted[i], source, opened.value(), i);
    }
  }
}

TEST_CASE("a file that NumPy wrote is refused, or its arrays are, wherever it is cut off") {
  for (const char* name : {"f4.npy", "fortran-big-f8.npy", "savez.npz", "savez-compressed.npz", "zip64-local.npz"}) {
    CAPTURE(name);
    const std::string bytes = test::arrayFile(name);
    int opened = 0;
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      // Its own memory, so that AddressSanitizer sees what is read beyond the end.
      const std::string cut(bytes, 0, length);
      opened += readByEnding(io::MemorySource(test::bytesOf(cut)), name).ok();
    }
    CHECK(opened == 0);
  }
}

TEST_CASE("a file of which one bit is wrong is refused or read within its bounds") {
  for (const char* name : {"f4.npy", "python2.npy", "savez.npz", "savez-compressed.npz", "zip64-local.npz"}) {
    CAPTURE(name);
    const std::string bytes = test::arrayFile(name);
    int refused = 0;
    for (std::size_t bit = 0; bit < 8 * bytes.size(); bit += test::kSanitized ? 15 : 3) {
      std::string wrong = bytes;
      wrong[bit / 8] = static_cast<char>(wrong[bit / 8] ^ 1 << bit % 8);
      const io::MemorySource source(test::bytesOf(wrong));
      const auto opened = readByEnding(source, name);
      refused += !opened;
      for (std::size_t i = 0; opened && i < opened.value().arrays.size(); ++i) {
        if (!opened.value().arrays[i].unreadable.empty()) continue;
        const auto data = io::dataOf(source, opened.value(), i, 1 << 20);
        if (data) CHECK(test::bitsOf(source, opened.value(), i).size() <= 1 << 20);
      }
    }
    CHECK(refused > 0);
  }
}

TEST_CASE("where memory ends, readers say so and take nothing with them") {
  for (const char* name : {"f4.npy", "savez.npz", "savez-compressed.npz"}) {
    CAPTURE(name);
    const std::string bytes = test::arrayFile(name);
    const io::MemorySource source(test::bytesOf(bytes));
    int failures = 0;
    for (bool done = false; !done; failures += !done) {
      REQUIRE(failures < 100);
      core::failAllocation(failures + 1);
      const auto opened = readByEnding(source, name);
      std::string sentence = opened ? "" : opened.error().message;
      for (std::size_t i = 0; opened && sentence.empty() && i < opened.value().arrays.size(); ++i) {
        CHECK(opened.value().arrays[i].unreadable.empty());
        const auto data = io::dataOf(source, opened.value(), i, 1 << 20);
        if (!data) sentence = data.error().message;
      }
      done = sentence.empty();
      if (!done) CHECK(sentence.find("no memory left") != std::string::npos);
    }
    core::failAllocation(0);
    CHECK(failures > 0);
  }
}
