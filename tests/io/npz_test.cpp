// NumPy archives: their arrays, what is passed over, and what is damaged inside.
#include "io/npz.h"

#include <doctest/doctest.h>

#include <string>

#include "io/npy.h"
#include "support/array_files.h"

namespace {

using namespace attn;
using io::ArrayInfo;
using io::ElementType;
using test::ZipPart;
using test::bytesOf;
using test::npy;
using test::npyText;

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

io::ArrayFile fileOf(const std::string& archive) {
  auto file = io::readNpz(io::MemorySource(bytesOf(archive)), "scores.npz");
  REQUIRE_MESSAGE(file.ok(), (file ? "" : file.error().message));
  return file.take();
}

// The only array of an archive with this member and a sound one before it.
ArrayInfo arrayOf(const ZipPart& part) {
  const io::ArrayFile file = fileOf(test::zip({{.name = "sound.npy", .content = npy(npyText("|u1", "()"), "x")}, part}));
  REQUIRE(file.arrays.size() == 2);
  CHECK(file.arrays[0].unreadable.empty());
  return file.arrays[1];
}

const std::string kArray = npy(npyText("<f4", "(2, 2)"), "0123456789abcdef");

}  // namespace

TEST_CASE("stored arrays point into the file, and deflated ones are expanded when they are read") {
  for (const bool deflated : {false, true}) {
    const std::string archive = test::zip({{.name = "q.npy", .content = kArray, .deflated = deflated}});
    const io::MemorySource source(bytesOf(archive));
    const io::ArrayFile file = fileOf(archive);
    CHECK(file.format == "NumPy archive");
    REQUIRE(file.arrays.size() == 1);
    CHECK(file.arrays[0].name == "q");
    CHECK((file.arrays[0].where == ArrayInfo::Where::kDeflated) == deflated);
    CHECK(test::bitsOf(source, file, 0) == "0123456789abcdef");
    if (!deflated) CHECK(archive.substr(file.arrays[0].begin, file.arrays[0].bytes) == "0123456789abcdef");
    if (!deflated) CHECK_FALSE(io::checkContent(source, file.arrays[0]).has_value());
  }
}

TEST_CASE("an array that would expand beyond the budget is refused with both numbers") {
  const std::string zeros = npy(npyText("|u1", "(1000000,)"), std::string(1000000, '\0'));
  const std::string archive = test::zip({{.name = "q.npy", .content = zeros, .deflated = true}});
  CHECK(archive.size() < 3000);
  const io::MemorySource source(bytesOf(archive));
  const auto data = io::dataOf(source, fileOf(archive), 0, 999999);
  REQUIRE_FALSE(data.ok());
  CHECK(has(data.error().message, "`q`: "));
  CHECK(has(data.error().message, "1 MB"));
  CHECK(has(data.error().message, "999 KB"));
}

TEST_CASE("data that disagrees with its sum is refused, when it is expanded or when that is asked for") {
  const std::string packed = test::zip({{.name = "q.npy", .content = kArray, .deflated = true, .checksum = 7}});
  const io::ArrayFile file = fileOf(packed);
  CHECK(has(io::dataOf(io::MemorySource(bytesOf(packed)), file, 0, 1000).error().message, "checksum"));
  const std::string stored = test::zip({{.name = "q.npy", .content = kArray, .checksum = 7}});
  const core::Check wrong = io::checkContent(io::MemorySource(bytesOf(stored)), fileOf(stored).arrays[0]);
  REQUIRE(wrong.has_value());
  CHECK(has(wrong->message, "`q`: The content does not agree with its checksum"));
}

TEST_CASE("folders are nothing, and what is no array is passed over with a note that names it") {
  const io::ArrayFile file = fileOf(test::zip({{.name = "folder/"},
                                               {.name = "folder/q.npy", .content = kArray},
                                               {.name = "README.txt", .content = "text"},
                                               {.name = "no ending", .content = kArray},
                                               {.name = "locked.bin", .content = "x", .flags = 1}}));
  REQUIRE(file.arrays.size() == 2);
  CHECK(file.arrays[0].name == "folder/q");
  CHECK(file.arrays[1].name == "no ending");
  REQUIRE(file.notes.size() == 1);
  CHECK(file.notes[0] == "`README.txt`, `locked.bin` are no arrays and are passed over.");
  std::vector<ZipPart> many(30, ZipPart{.name = "text"});
  CHECK(has(fileOf(test::zip(many)).notes[0], "`text` and 22 more are no arrays"));
}

TEST_CASE("two arrays of the same name are both kept") {
  const io::ArrayFile file =
      fileOf(test::zip({{.name = "q.npy", .content = kArray}, {.name = "q.npy", .content = kArray}}));
  REQUIRE(file.arrays.size() == 2);
  CHECK(file.arrays[0].name == file.arrays[1].name);
}

TEST_CASE("a damaged or foreign array says why it cannot be read, and the others are read") {
  const struct {
    ZipPart part;
    const char* sentence;
  } kCases[] = {
      {{.name = "q.npy", .content = "no array"}, "does not begin as .npy files do"},
      {{.name = "q.npy", .content = ""}, "does not begin as .npy files do"},
      {{.name = "q.npy", .content = kArray.substr(0, 30)}, "and there are 30 bytes"},
      {{.name = "q.npy", .content = kArray.substr(0, kArray.size() - 1)}, "16 bytes, and 15 are left"},
      {{.name = "q.npy", .content = kArray, .flags = 1}, "encrypted"},
      {{.name = "q.npy", .content = kArray, .method = 12}, "bzip2"},
      {{.name = "q.npy", .content = npy(npyText("|O", "(3,)"), "\x80\x03.")}, "`|O`, Python objects"},
      {{.name = "q.npy", .content = npy(npyText("<f4", "(-1, 6)"), "")}, "negative length -1"},
      // The directory says that it is as long as its shape asks for; the data is not.
      {{.name = "q.npy", .content = kArray, .deflated = true, .expanded = 20}, "byte 70, and there are 20"},
      {{.name = "q.npy", .content = kArray.substr(0, 30), .deflated = true, .expanded = 100}, "ends within its header"},
      {{.name = "q.npy", .content = std::string(90, '\xFF'), .method = 8}, "damaged or cut off"},
  };
  for (const auto& c : kCases) {
    for (const bool deflated : {false, true}) {
      if (deflated && c.part.method >= 0) continue;
      CAPTURE(c.sentence);
      ZipPart part = c.part;
      part.deflated = part.deflated || deflated;
      const ArrayInfo array = arrayOf(part);
      CAPTURE(array.unreadable);
      CHECK(array.name == "q");
      CHECK(has(array.unreadable, c.sentence));
      CHECK(array.unreadable.back() == '.');
    }
  }
}

TEST_CASE("a size that is not true is found when the data is expanded") {
  const std::string huge = npy(npyText("<f4", "(10000,)"), "0123");
  const std::string archive = test::zip({{.name = "q.npy", .content = huge, .deflated = true, .expanded = 40100}});
  const auto data = io::dataOf(io::MemorySource(bytesOf(archive)), fileOf(archive), 0, 1 << 20);
  REQUIRE_FALSE(data.ok());
  CHECK(has(data.error().message, "bytes where the archive says 40100"));
}

TEST_CASE("more arrays than the limit are refused") {
  const std::string archive = test::zip(std::vector<ZipPart>(3, ZipPart{.name = "q.npy", .content = kArray}));
  io::ArrayLimits limits;
  limits.arrays = 3;
  CHECK(io::readNpz(io::MemorySource(bytesOf(archive)), "a.npz", limits).ok());
  limits.arrays = 2;
  const auto refused = io::readNpz(io::MemorySource(bytesOf(archive)), "a.npz", limits);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message == "`a.npz`: It has more than 2 arrays; save fewer in one file.");
}

TEST_CASE("an archive that is written comes back with the same arrays") {
  const std::string weights(24, '\x3F'), tokens = test::little('a', 4) + test::little(0x1F431, 4);
  const io::NpzArray arrays[] = {
      {.name = "weights", .type = ElementType::kF32, .shape = {2, 3}, .data = bytesOf(weights)},
      {.name = "tokens", .type = ElementType::kText, .shape = {2}, .data = bytesOf(tokens), .characters = 1},
      {.name = "none", .type = ElementType::kF64, .shape = {0, 4}, .data = {}}};
  std::string archive;
  const core::Check failed = io::writeNpz(arrays, [&archive](std::span<const std::byte> bytes) {
    archive += test::textOf(bytes);
    return core::Check();
  });
  CHECK_FALSE(failed.has_value());
  const io::MemorySource source(bytesOf(archive));
  const io::ArrayFile file = fileOf(archive);
  REQUIRE(file.arrays.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(file.arrays[i].name == arrays[i].name);
    CHECK(file.arrays[i].type == arrays[i].type);
    CHECK(file.arrays[i].shape == arrays[i].shape);
    CHECK(test::bitsOf(source, file, i) == test::textOf(arrays[i].data));
    CHECK_FALSE(io::checkContent(source, file.arrays[i]).has_value());
  }
}
