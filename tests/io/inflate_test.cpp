// Raw deflate streams and their sums: what comes back whole, and everything that does not.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "core/rng.h"
#include "io/deflate.h"
#include "support/array_files.h"

namespace {

using namespace attn;
using test::bytesOf;

std::string randomBytes(core::Rng& random, std::size_t length, core::Index alphabet) {
  std::string bytes;
  for (std::size_t i = 0; i < length; ++i) bytes += static_cast<char>(random.below(alphabet));
  return bytes;
}

// The content, or the sentence that refuses it.
std::string all(const std::string& packed, std::uint64_t size, std::uint32_t sum, std::uint64_t budget = 1 << 30) {
  const auto content = io::inflateAll(io::MemorySource(bytesOf(packed)), size, sum, budget);
  return content ? test::textOf(content.value().bytes()) : content.error().message;
}

std::string head(const std::string& packed, std::size_t most) {
  const auto content = io::inflateHead(io::MemorySource(bytesOf(packed)), most);
  return content ? test::textOf(content.value().bytes()) : content.error().message;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("CRC-32 agrees with its definition, in one piece or in several") {
  core::Rng random(21);
  CHECK(io::crc32Of(bytesOf("123456789")) == 0xCBF43926u);
  CHECK(io::crc32Of({}) == 0);
  for (std::size_t length = 0; length < 300; length += 7) {
    const std::string bytes = randomBytes(random, length, 256);
    CHECK(io::crc32Of(bytesOf(bytes)) == test::crc32Of(bytes));
    const std::string_view whole = bytes;
    const std::uint32_t first = io::crc32Of(bytesOf(whole.substr(0, length / 3)));
    CHECK(io::crc32Of(bytesOf(whole.substr(length / 3)), first) == test::crc32Of(bytes));
  }
}

TEST_CASE("a stream comes back whole, or as much of its beginning as is asked for") {
  core::Rng random(22);
  for (const std::size_t length : {0u, 1u, 1000u, 65535u, 65536u, 65537u, 131072u, 300000u}) {
    for (const core::Index alphabet : {2, 256}) {
      CAPTURE(length);
      const std::string bytes = randomBytes(random, length, alphabet), packed = test::deflated(bytes);
      CHECK(all(packed, length, test::crc32Of(bytes)) == bytes);
      CHECK(all(packed, length, test::crc32Of(bytes), length) == bytes);
      for (const std::size_t most : {std::size_t(0), std::size_t(12), length / 2, length, length + 1, 2 * length + 9})
        CHECK(head(packed, most) == bytes.substr(0, most));
      std::string into(100, '-');
      const auto filled = io::inflateInto(io::MemorySource(bytesOf(packed)), std::as_writable_bytes(std::span(into)));
      REQUIRE(filled.ok());
      CHECK(filled.value() == std::min<std::size_t>(100, length));
      CHECK(into.substr(0, filled.value()) == bytes.substr(0, 100));
    }
  }
}

TEST_CASE("a stream of another size, sum or end than the archive says is refused") {
  const std::string bytes = "the cat sat down, and the cat sat up again", packed = test::deflated(bytes);
  const std::uint32_t sum = test::crc32Of(bytes);
  CHECK(has(all(packed, bytes.size(), sum + 1), "checksum"));
  CHECK(has(all(packed, bytes.size() + 1, sum), "expands to 42 bytes where the archive says 43"));
  CHECK(has(all(packed, bytes.size() - 1, sum), "expands to more than 41 bytes where the archive says 41"));
  CHECK(has(all(packed, 0, 0), "more than 0 bytes where the archive says 0"));
  CHECK(has(all(packed + "x", bytes.size(), sum), "goes on after its end"));
  CHECK(has(all("", 0, 0), "damaged or cut off"));
  CHECK(has(head("\xFF", 10), "damaged or cut off"));
  for (std::size_t length = 0; length < packed.size(); ++length)
    CHECK(has(all(packed.substr(0, length), bytes.size(), sum), "copy the file again"));
}

TEST_CASE("what would expand beyond the budget is refused with both numbers before it does") {
  const std::string bomb = test::deflated(std::string(10000000, '\0'));
  CHECK(bomb.size() < 20000);
  const std::string sentence = all(bomb, 10000000, 0, 1000000);
  CHECK(has(sentence, "10 MB"));
  CHECK(has(sentence, "1 MB"));
  // A size that is not true costs no memory: one piece of 64 KB, which is then made as small as what came.
  core::failAllocation(3);
  CHECK(has(all(test::deflated("x"), 1000000000, 0), "expands to 1 bytes where the archive says 1000000000"));
  core::failAllocation(0);
}

TEST_CASE("where memory ends while a stream expands, that is said") {
  const std::string bytes(1000000, 'x'), packed = test::deflated(bytes);
  int failures = 0;
  for (;; ++failures) {
    REQUIRE(failures < 20);
    core::failAllocation(failures + 1);
    const std::string content = all(packed, bytes.size(), test::crc32Of(bytes));
    if (content == bytes) break;
    CHECK(has(content, "no memory left"));
  }
  core::failAllocation(0);
  CHECK(failures > 3);
}
