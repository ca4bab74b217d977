// Directories of ZIP archives: every way of writing them that is about, and every lie.
#include "io/zip.h"

#include <doctest/doctest.h>

#include <string>

#include "support/array_files.h"

namespace {

using namespace attn;
using test::ZipEnd;
using test::ZipPart;
using test::bytesOf;
using test::little;
using test::zip;

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::vector<io::ZipMember> membersOf(const std::string& archive) {
  auto members = io::readZip(io::MemorySource(bytesOf(archive)), "a.npz");
  REQUIRE_MESSAGE(members.ok(), (members ? "" : members.error().message));
  return members.take();
}

std::string refusalOf(const std::string& archive) {
  const auto members = io::readZip(io::MemorySource(bytesOf(archive)), "a.npz");
  return members ? "read" : members.error().message;
}

std::string contentOf(const std::string& archive, const io::ZipMember& member, std::uint64_t budget = 1 << 20) {
  REQUIRE(member.unreadable == "");
  const auto content = io::memberContent(io::MemorySource(bytesOf(archive)), member, budget);
  return content ? test::textOf(content.value().bytes()) : content.error().message;
}

// What is said of the only member.
std::string unreadableOf(const ZipPart& part) {
  const auto members = membersOf(zip({part}));
  REQUIRE(members.size() == 1);
  return members[0].unreadable;
}

// One part of an extra field.
std::string extra(std::uint16_t id, const std::string& content) {
  return little(id, 2) + little(content.size(), 2) + content;
}

const std::string kText = "the cat sat down, and the cat sat up again";

}  // namespace

TEST_CASE("stored and deflated members come back with their names, in the order of the directory") {
  const std::string archive =
      zip({{.name = "b", .content = kText}, {.name = "a", .content = kText, .deflated = true}, {.name = "empty"}});
  const auto members = membersOf(archive);
  REQUIRE(members.size() == 3);
  CHECK(members[0].name == "b");
  CHECK(members[1].name == "a");
  CHECK(members[0].bytes == kText.size());
  CHECK(members[1].bytes < kText.size());
  CHECK(contentOf(archive, members[0]) == kText);
  CHECK(contentOf(archive, members[1]) == kText);
  CHECK(contentOf(archive, members[2]).empty());
  for (const std::size_t most : {0u, 3u, 1000u}) {
    for (const io::ZipMember& member : {members[0], members[1]}) {
      const auto head = io::memberHead(io::MemorySource(bytesOf(archive)), member, most);
      CHECK(test::textOf(head.value().bytes()) == kText.substr(0, most));
    }
  }
}

TEST_CASE("an archive without members is an archive") { CHECK(membersOf(zip({})).empty()); }

TEST_CASE("a comment, even one that looks like an end, and bytes behind the end do no harm") {
  const std::vector<ZipPart> parts = {{.name = "a", .content = kText}};
  const std::string fake = "PK\x05\x06" + std::string(18, '\0');
  CHECK(membersOf(zip(parts, {.comment = "from a friend"})).size() == 1);
  CHECK(membersOf(zip(parts, {.comment = fake + "more"})).size() == 1);
  CHECK(membersOf(zip(parts, {.comment = std::string(65535, 'x')})).size() == 1);
  CHECK(membersOf(zip(parts) + "trailing").size() == 1);
}

TEST_CASE("names are labels: two may be the same, and no path, control character or length does harm") {
  using namespace std::string_literals;
  const auto members = membersOf(zip({{.name = "../../etc/q.npy"},
                                      {.name = "q"},
                                      {.name = "q"},
                                      {.name = "a\nb\x1B[31m\0c"s},
                                      {.name = "\xC3\xA9\xFF"},
                                      {.name = std::string(60000, 'n')},
                                      {.name = "folder/"}}));
  REQUIRE(members.size() == 7);
  CHECK(members[0].name == "../../etc/q.npy");
  CHECK(members[1].name == members[2].name);
  CHECK(members[3].name == "a\uFFFDb\uFFFD[31m\uFFFDc");
  CHECK(members[4].name == "é\uFFFD");
  CHECK(members[5].name.size() <= io::kLongestZipName);
  CHECK(members[5].name.ends_with("…"));
  CHECK(members[6].isFolder());
  CHECK_FALSE(members[0].isFolder());
}

TEST_CASE("sizes before the data are not believed: zeros, 4 GiB, or anything") {
  for (const std::uint32_t said : {0u, 7u, 0xFFFFFFFFu}) {
    const std::string archive = zip({{.name = "a",
                                      .content = kText,
                                      .flags = 8,
                                      .local_extra = extra(1, little(UINT64_MAX, 8) + little(UINT64_MAX, 8)),
                                      .local_bytes = said,
                                      .local_expanded = said}});
    CHECK(contentOf(archive, membersOf(archive)[0]) == kText);
  }
}

TEST_CASE("ZIP64 sizes and places are taken where the directory has no room for them") {
  const std::string size = little(kText.size(), 8);
  const struct {
    std::int64_t expanded, bytes, offset;
    std::string extra;
  } kCases[] = {
      {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, extra(1, size + size + little(0, 8))},
      {0xFFFFFFFF, 0xFFFFFFFF, -1, extra(0x5455, "time") + extra(1, size + size)},
      {0xFFFFFFFF, -1, -1, extra(1, size)},
      {-1, 0xFFFFFFFF, -1, extra(1, size)},
      {-1, -1, 0xFFFFFFFF, extra(1, little(0, 8))},
      {-1, -1, -1, extra(1, "")},
  };
  for (const auto& c : kCases) {
    const std::string archive = zip({{.name = "a",
                                      .content = kText,
                                      .bytes = c.bytes,
                                      .expanded = c.expanded,
                                      .offset = c.offset,
                                      .extra = c.extra}});
    CHECK(contentOf(archive, membersOf(archive)[0]) == kText);
  }
  for (const std::string& part : {std::string(), extra(1, ""), extra(1, little(5, 4)), extra(2, size),
                                  std::string("\x01\x00\xFF\xFF", 4), std::string("\x01", 1)}) {
    const std::string sentence =
        unreadableOf({.name = "a", .content = kText, .bytes = 0xFFFFFFFF, .expanded = 0xFFFFFFFF, .extra = part});
    CHECK(has(sentence, "does not say how large it is"));
  }
}

TEST_CASE("what is written is read back, as ZIP64 from any size on, and the same each time") {
  const std::string large(1000, 'x');
  const auto write = [&](std::uint64_t zip64_from) {
    std::string archive;
    io::ZipWriter writer(
        [&archive](std::span<const std::byte> bytes) {
          archive += test::textOf(bytes);
          return core::Check();
        },
        zip64_from);
    const std::span<const std::byte> parts[] = {bytesOf(kText), bytesOf(large)};
    CHECK_FALSE(writer.add("both", parts).has_value());
    CHECK_FALSE(writer.add("ä/none", {}).has_value());
    CHECK_FALSE(writer.add("one", std::span(parts).first(1)).has_value());
    CHECK_FALSE(writer.finish().has_value());
    return archive;
  };
  for (const std::uint64_t zip64_from : {1u, 100u, 1100u, 0xFFFFFFFFu}) {
    CAPTURE(zip64_from);
    const std::string archive = write(zip64_from);
    CHECK(archive == write(zip64_from));
    CHECK((archive.find("PK\x06\x06") != std::string::npos) == (zip64_from < 0xFFFFFFFF));
    const auto members = membersOf(archive);
    REQUIRE(members.size() == 3);
    CHECK(contentOf(archive, members[0]) == kText + large);
    CHECK(members[1].name == "ä/none");
    CHECK(contentOf(archive, members[1]).empty());
    CHECK(contentOf(archive, members[2]) == kText);
  }
  CHECK(write(1).size() > write(0xFFFFFFFF).size());
}

TEST_CASE("a writer stops where its sink says so") {
  // Two pieces of the member, its entry in the directory, and the end.
  for (int taken = 0; taken <= 4; ++taken) {
    int left = taken;
    io::ZipWriter writer([&left](std::span<const std::byte>) {
      return left-- > 0 ? core::Check() : core::Check(core::Error{"The disk is full."});
    });
    const std::span<const std::byte> parts[] = {bytesOf(kText)};
    core::Check failed = writer.add("a", parts);
    if (!failed) failed = writer.finish();
    CHECK((failed ? failed->message : "") == (taken < 4 ? "The disk is full." : ""));
  }
}

TEST_CASE("a member that cannot be read says why, and does not hinder the others") {
  const struct {
    ZipPart part;
    const char* sentence;
  } kCases[] = {
      {{.name = "a", .content = kText, .flags = 1}, "encrypted"},
      {{.name = "a", .content = kText, .method = 12}, "bzip2 (method 12)"},
      {{.name = "a", .content = kText, .method = 14}, "LZMA (method 14)"},
      {{.name = "a", .content = kText, .method = 93}, "Zstandard (method 93)"},
      {{.name = "a", .content = kText, .method = 9}, "Deflate64 (method 9)"},
      {{.name = "a", .content = kText, .method = 77}, "another method (method 77)"},
      {{.name = "a", .content = kText, .expanded = 43}, "42 bytes that expand to 43"},
      {{.name = "a", .content = kText, .bytes = 900, .expanded = 900}, "900 bytes from byte 31 on reach beyond"},
      {{.name = "a", .content = kText, .bytes = 0xFFFFFFFE, .expanded = 0xFFFFFFFE}, "4294967294 bytes"},
      {{.name = "a", .content = kText, .offset = 3}, "does not begin at byte 3"},
      {{.name = "a", .content = kText, .offset = 1 << 20}, "from byte 1048576 on reach beyond"},
      {{.name = "a", .content = kText, .deflated = true, .expanded = 1 << 30}, "cannot expand to 1073741824"},
      {{.name = "a",
        .content = kText,
        .bytes = 0xFFFFFFFF,
        .expanded = 0xFFFFFFFF,
        .extra = extra(1, little(UINT64_MAX, 8) + little(UINT64_MAX, 8))},
       "18446744073709551615 bytes"},
      {{.name = "a", .content = kText, .offset = 0xFFFFFFFF, .extra = extra(1, little(UINT64_MAX, 8))},
       "from byte 18446744073709551615 on"},
  };
  for (const auto& c : kCases) {
    CAPTURE(c.sentence);
    const std::string archive = zip({c.part, {.name = "sound", .content = kText}});
    const auto members = membersOf(archive);
    REQUIRE(members.size() == 2);
    CAPTURE(members[0].unreadable);
    CHECK(has(members[0].unreadable, c.sentence));
    CHECK(members[0].unreadable.back() == '.');
    CHECK(contentOf(archive, members[1]) == kText);
  }
}

TEST_CASE("content that disagrees with its sum, its size or the budget is refused by the name of its member") {
  for (const bool deflated : {false, true}) {
    const std::string wrong = zip({{.name = "weights", .content = kText, .deflated = deflated, .checksum = 5}});
    CHECK(has(contentOf(wrong, membersOf(wrong)[0]), "`weights`: The content does not agree with its checksum"));
    const std::string sound = zip({{.name = "weights", .content = kText, .deflated = deflated}});
    const std::string sentence = contentOf(sound, membersOf(sound)[0], 41);
    CHECK(has(sentence, "`weights`: "));
    CHECK(has(sentence, "42 bytes"));
    CHECK(has(sentence, "41 bytes"));
  }
  const std::string longer = zip({{.name = "w", .content = kText, .deflated = true, .expanded = 50}});
  CHECK(has(contentOf(longer, membersOf(longer)[0]), "42 bytes where the archive says 50"));
}

TEST_CASE("members that share bytes are refused, and those that touch are not") {
  // The second member's place is the first one's, as in archives that expand without end.
  const std::vector<ZipPart> same = {{.name = "first", .content = kText},
                                     {.name = "again", .content = kText, .offset = 0}};
  CHECK(has(refusalOf(zip(same)), "`first` and `again` share bytes 0 to"));
  // A whole archive as the content of a member, whose own members the directory lists once more.
  const std::string inner = "PK\x03\x04" + std::string(26, '\0') + kText;
  const std::vector<ZipPart> nested = {{.name = "outer", .content = inner},
                                       {.name = "inner", .content = kText, .offset = 30 + 5}};
  CHECK(has(refusalOf(zip(nested)), "`outer` and `inner` share bytes 35 to 106"));
  const std::vector<ZipPart> byte = {{.name = "a", .content = kText, .bytes = 43, .expanded = 43}, {.name = "b"}};
  CHECK(has(refusalOf(zip(byte)), "`a` and `b` share bytes 73 to 73"));
  CHECK(membersOf(zip({{.name = "a"}, {.name = "b"}, {.name = "c"}})).size() == 3);
  // The directory as the content of a member.
  const ZipPart longer = {.name = "a", .content = kText, .bytes = 43, .expanded = 43};
  CHECK(has(unreadableOf(longer), "43 bytes from byte 31 on reach"));
}

TEST_CASE("a directory that is not where or what its end says is refused") {
  const std::vector<ZipPart> parts = {{.name = "a", .content = kText}, {.name = "b", .content = kText}};
  const std::string whole = zip(parts);
  CHECK(has(refusalOf(""), "cut off"));
  CHECK(has(refusalOf("PK\x05\x06"), "cut off"));
  CHECK(has(refusalOf(whole.substr(0, whole.size() - 1)), "cut off"));
  CHECK(has(refusalOf(whole.substr(0, whole.size() / 2)), "cut off"));
  CHECK(has(refusalOf(zip(parts, {.members = 3})), "member"));
  CHECK(has(refusalOf(zip(parts, {.members = 1})), "goes on after its 1 members"));
  CHECK(has(refusalOf(zip(parts, {.members = 10001})), "10001 members, more than the limit of 10000"));
  CHECK(has(refusalOf(zip(parts, {.members = 65535})), "65535 members"));
  CHECK(has(refusalOf(zip(parts, {.directory_bytes = 10})), "too few for 2 members"));
  CHECK(has(refusalOf(zip(parts, {.directory_bytes = 0xFFFFFFFE})), "4294967294 bytes"));
  CHECK(has(refusalOf(zip(parts, {.directory_offset = 0xFFFFFFFE})), "4294967294 on"));
  CHECK(has(refusalOf(zip(parts, {.directory_offset = 1})), "Member 0 of the archive's directory is not"));
  CHECK(has(refusalOf(zip(parts, {.directory_bytes = 93})), "`a.npz`: Member 1 of the archive's directory is cut off"));
}

TEST_CASE("a ZIP64 end is followed with every number checked") {
  const std::string member = "PK\x03\x04" + std::string(26, '\0');
  const std::string entry = "PK\x01\x02" + std::string(42, '\0');
  struct End {
    std::uint64_t members = 1, bytes = 46, offset = 30, place = 76;
    std::string mark = "PK\x06\x06";
    std::uint32_t part = 0;
  };
  const auto archive = [&](const End& end) {
    const std::string record = end.mark + little(44, 8) + little(45, 2) + little(45, 2) + little(end.part, 4) +
                               little(0, 4) + little(end.members, 8) + little(end.members, 8) + little(end.bytes, 8) +
                               little(end.offset, 8);
    const std::string place = "PK\x06\x07" + little(0, 4) + little(end.place, 8) + little(1, 4);
    return member + entry + record + place + "PK\x05\x06" + little(0, 4) + little(0xFFFF, 2) + little(0xFFFF, 2) +
           little(0xFFFFFFFF, 4) + little(0xFFFFFFFF, 4) + little(0, 2);
  };
  CHECK(membersOf(archive({})).size() == 1);
  CHECK(has(refusalOf(archive({.members = UINT64_MAX})), "18446744073709551615 members"));
  CHECK(has(refusalOf(archive({.members = (UINT64_MAX / 46) + 2})), "members, more than the limit"));
  CHECK(has(refusalOf(archive({.bytes = UINT64_MAX})), "18446744073709551615 bytes"));
  CHECK(has(refusalOf(archive({.offset = UINT64_MAX})), "byte 18446744073709551615 on"));
  CHECK(has(refusalOf(archive({.place = UINT64_MAX})), "points to byte 18446744073709551615"));
  CHECK(has(refusalOf(archive({.place = 77})), "points to byte 77 of a file of"));
  CHECK(has(refusalOf(archive({.mark = "PK\x06\x05"})), "where no directory ends"));
  CHECK(has(refusalOf(archive({.part = 1})), "several parts"));
}

TEST_CASE("ten thousand members are read, and one more is refused") {
  std::vector<ZipPart> parts;
  for (std::size_t i = 0; i < io::kMostZipMembers; ++i) parts.push_back({.name = std::to_string(i)});
  CHECK(membersOf(zip(parts)).size() == io::kMostZipMembers);
  parts.push_back({.name = "one more"});
  CHECK(has(refusalOf(zip(parts)), "10001 members"));
}
