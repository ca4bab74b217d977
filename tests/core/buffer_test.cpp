// Memory that says when there is none.
#include "core/buffer.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "support/sanitized.h"

namespace {

using namespace attn;

core::Buffer counted(std::size_t bytes) {
  core::Buffer buffer = core::Buffer::allocate(bytes).take();
  for (std::size_t i = 0; i < bytes; ++i) buffer.bytes()[i] = static_cast<std::byte>(i);
  return buffer;
}

bool countsTo(const core::Buffer& buffer, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i)
    if (buffer.bytes()[i] != static_cast<std::byte>(i)) return false;
  return true;
}

}  // namespace

TEST_CASE("a buffer has the size that was asked for, and none at first") {
  CHECK(core::Buffer().size() == 0);
  CHECK(core::Buffer().bytes().empty());
  for (const std::size_t bytes : {0u, 1u, 7u, 8u, 4096u, 1000003u}) {
    CAPTURE(bytes);
    core::Buffer buffer = counted(bytes);
    CHECK(buffer.size() == bytes);
    CHECK(buffer.bytes().size() == bytes);
    CHECK(buffer.as<double>().size() == bytes / 8);
    CHECK(countsTo(buffer, bytes));
    CHECK(reinterpret_cast<std::uintptr_t>(buffer.bytes().data()) % alignof(double) == 0);
  }
}

TEST_CASE("a buffer keeps what fits when its size changes") {
  core::Buffer buffer = counted(100);
  CHECK_FALSE(buffer.resize(100000).has_value());
  CHECK(buffer.size() == 100000);
  CHECK(countsTo(buffer, 100));
  CHECK_FALSE(buffer.resize(10).has_value());
  CHECK(buffer.size() == 10);
  CHECK(countsTo(buffer, 10));
  CHECK_FALSE(buffer.resize(0).has_value());
  CHECK(buffer.size() == 0);
}

TEST_CASE("a moved buffer is where it was moved to") {
  core::Buffer first = counted(50);
  core::Buffer second = std::move(first);
  CHECK(first.size() == 0);
  CHECK(second.size() == 50);
  core::Buffer third = counted(20);
  third = std::move(second);
  CHECK(third.size() == 50);
  CHECK(countsTo(third, 50));
}

TEST_CASE("memory that there is not is refused with its size") {
  if (test::kSanitized) return;  // AddressSanitizer ends the program where malloc returns null
  const auto refused = core::Buffer::allocate(SIZE_MAX / 2);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message.find(core::bytesText(SIZE_MAX / 2)) != std::string::npos);
  CHECK(refused.error().message.back() == '.');
}

TEST_CASE("the allocation that a test names fails, that one alone, and leaves the buffer as it was") {
  core::Buffer buffer = counted(64);
  core::failAllocation(2);
  CHECK_FALSE(buffer.resize(128).has_value());
  const core::Check failed = buffer.resize(256);
  REQUIRE(failed.has_value());
  CHECK(failed->message.find("256 bytes") != std::string::npos);
  CHECK(buffer.size() == 128);
  CHECK(countsTo(buffer, 64));
  CHECK_FALSE(buffer.resize(256).has_value());
  core::failAllocation(1);
  core::failAllocation(0);
  CHECK(core::Buffer::allocate(1).ok());
}

TEST_CASE("sizes are written with as much precision as helps") {
  const struct {
    unsigned long long bytes;
    const char* text;
  } kCases[] = {{0, "0 bytes"},         {1, "1 byte"},          {17, "17 bytes"},         {999, "999 bytes"},
                {1000, "1 KB"},         {1099, "1 KB"},         {1100, "1.1 KB"},         {9999, "9.9 KB"},
                {41000, "41 KB"},       {999999, "999 KB"},     {1000000, "1 MB"},        {3200000, "3.2 MB"},
                {612345678, "612 MB"},  {1073741824, "1 GB"},   {4500000000000, "4.5 TB"}, {UINT64_MAX, "18 EB"}};
  for (const auto& c : kCases) CHECK(core::bytesText(c.bytes) == c.text);
}
