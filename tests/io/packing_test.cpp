// base64url and zlib: round trips, known texts, and everything that is damaged.
#include <doctest/doctest.h>

#include <string>

#include "io/base64.h"
#include "io/deflate.h"
#include "support/problems.h"

namespace {

using namespace attn;

std::string randomBytes(test::Random& random, core::Index length, core::Index alphabet) {
  std::string bytes;
  for (core::Index i = 0; i < length; ++i) bytes += static_cast<char>(random.below(alphabet));
  return bytes;
}

}  // namespace

TEST_CASE("base64url gives the texts of RFC 4648 without padding") {
  const struct {
    const char* bytes;
    const char* text;
  } kCases[] = {{"", ""},           {"f", "Zg"},          {"fo", "Zm8"},          {"foo", "Zm9v"},
                {"foob", "Zm9vYg"}, {"fooba", "Zm9vYmE"}, {"foobar", "Zm9vYmFy"}, {"\xFB\xFF\xFE", "-__-"}};
  for (const auto& c : kCases) {
    CHECK(io::toBase64Url(c.bytes) == c.text);
    CHECK(io::fromBase64Url(c.text).value() == c.bytes);
  }
}

TEST_CASE("base64url round-trips all bytes and refuses what it did not write") {
  test::Random random(5);
  for (core::Index length = 0; length < 300; ++length) {
    const std::string bytes = randomBytes(random, length, 256);
    CHECK(io::fromBase64Url(io::toBase64Url(bytes)).value() == bytes);
  }
  for (const char* text : {"Z", "Zh", "Zm9", "Zg==", "Zm 9v", "Zm+v", "Zm/v", "Zm9vé"})
    CHECK_FALSE(io::fromBase64Url(text).ok());
}

TEST_CASE("compression round-trips and makes repetition small") {
  test::Random random(6);
  for (const core::Index length : {0, 1, 100, 65535, 65536, 65537, 200000}) {
    for (const core::Index alphabet : {2, 256}) {
      const std::string bytes = randomBytes(random, length, alphabet);
      const std::string packed = io::compress(bytes).value();
      CHECK(io::decompress(packed, bytes.size()).value() == bytes);
      if (length > 0) CHECK_FALSE(io::decompress(packed, bytes.size() - 1).ok());
    }
  }
  CHECK(io::compress(std::string(1000000, 'a')).value().size() < 2000);
}

TEST_CASE("a small stream that would unpack to more than the limit is refused") {
  const std::string bomb = io::compress(std::string(10000000, '\0')).value();
  CHECK(bomb.size() < 20000);
  const auto outcome = io::decompress(bomb, 1000000);
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.error().message.find("more than 1000000 bytes") != std::string::npos);
}

TEST_CASE("damaged and cut streams are refused") {
  const std::string packed = io::compress("the cat sat down, and the cat sat up again").value();
  for (std::size_t length = 0; length < packed.size(); ++length)
    CHECK_FALSE(io::decompress(packed.substr(0, length), 1000).ok());
  CHECK_FALSE(io::decompress(packed + "x", 1000).ok());
  for (std::size_t at = 0; at < packed.size(); ++at) {
    std::string damaged = packed;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    const auto outcome = io::decompress(damaged, 1000);
    // A bit of the header's window size may flip without harm; the content never does.
    if (outcome) CHECK(outcome.value() == "the cat sat down, and the cat sat up again");
  }
}
