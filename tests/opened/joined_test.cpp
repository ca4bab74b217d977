// Several files opened as one: every array keeps its numbers, names stay apart, and a bad file hinders no other.
#include "opened/joined.h"

#include <doctest/doctest.h>

#include "io/array_data.h"
#include "io/array_writer.h"
#include "support/opened_pages.h"

namespace {

using namespace attn;
using test::sourceOf;

io::NamedArray row(const std::string& name, double first) { return {name, {3}, std::vector<double>{first, first + 1, first + 2}}; }
std::string npz(const std::vector<io::NamedArray>& arrays) { return io::npzOf(arrays).take(); }

opened::Joined open(std::vector<std::pair<std::string, std::string>> files, const io::ArrayLimits& limits = {}) {
  std::vector<opened::NamedSource> sources;
  for (auto& [name, bytes] : files) sources.push_back({name, sourceOf(bytes)});
  return opened::openTogether(std::move(sources), limits);
}

std::vector<std::string> namesOf(const opened::Joined& joined) {
  std::vector<std::string> names;
  for (const io::ArrayInfo& array : joined.file.arrays) names.push_back(array.name);
  return names;
}

double firstOf(const opened::Joined& joined, std::size_t n) {
  const auto data = io::dataOf(*joined.source, joined.file, n, 1 << 20);
  REQUIRE_MESSAGE(data.ok(), (data ? "" : data.error().message));
  const auto numbers = io::readPlane(*data.value(), joined.file.arrays[n], {joined.file.arrays[n].first, 1, 3, 0, 1});
  REQUIRE(numbers.ok());
  return numbers.value()(0, 0);
}

}  // namespace

TEST_CASE("arrays of files of several formats stand beside each other with their own numbers") {
  const auto joined = open({{"a.npz", npz({row("q", 10), row("k", 20)})},
                            {"weights.npy", io::npyOf(row("", 30)).take()},
                            {"numbers.csv", "40,41,42\n"},
                            {"more.csv", "50,51,52\n"},
                            {"b.safetensors", io::safetensorsOf(std::vector{row("v", 60)})}});
  CHECK(joined.refused.empty());
  CHECK(joined.names.size() == 5);
  REQUIRE(joined.file.arrays.size() == 6);
  const std::vector<double> first = {10, 20, 30, 40, 50, 60};
  for (std::size_t n = 0; n < first.size(); ++n) CHECK(firstOf(joined, n) == first[n]);
  CHECK(namesOf(joined)[2] == "weights");
}

TEST_CASE("a name that two files have says which file it is from, and others stay as they are") {
  const auto joined = open({{"mine.npz", npz({row("w", 1), row("q", 2)})}, {"theirs.npz", npz({row("w", 3)})}});
  CHECK(namesOf(joined) == std::vector<std::string>{"mine.npz: w", "q", "theirs.npz: w"});
  CHECK(firstOf(joined, 2) == 3);
}

TEST_CASE("a file that cannot be read is named in one sentence, and the others open") {
  const auto joined = open({{"good.npz", npz({row("w", 1)})}, {"bad.npy", "no array at all"}, {"empty.csv", ""}});
  CHECK(joined.names == std::vector<std::string>{"good.npz"});
  REQUIRE(joined.refused.size() == 2);
  CHECK(joined.refused[0].find("bad.npy") != std::string::npos);
  CHECK(joined.refused[1].find("empty.csv") != std::string::npos);
  CHECK(firstOf(joined, 0) == 1);
}

TEST_CASE("when no file can be read there is nothing to look at") {
  const auto joined = open({{"bad.npy", "no"}});
  CHECK(joined.source == nullptr);
  CHECK(joined.refused.size() == 1);
}

TEST_CASE("an index beside its files says which of them are missing, and nothing when none is") {
  const std::string index = R"({"weight_map": {"q": "one.safetensors", "k": "two.safetensors"}})";
  const std::string one = io::safetensorsOf(std::vector{row("q", 1)}), two = io::safetensorsOf(std::vector{row("k", 2)});
  const auto part = open({{"model.safetensors.index.json", index}, {"one.safetensors", one}});
  REQUIRE(part.refused.size() == 1);
  CHECK(part.refused[0].find("two.safetensors") != std::string::npos);
  CHECK(part.refused[0].find("one.safetensors") == std::string::npos);
  CHECK(part.file.arrays.size() == 1);
  CHECK(open({{"model.safetensors.index.json", index}, {"one.safetensors", one}, {"two.safetensors", two}}).refused.empty());
  CHECK(open({{"model.safetensors.index.json", index}}).refused.size() == 1);
}

TEST_CASE("what all files together hold stays within the limit") {
  std::string line = "1";
  for (int n = 0; n < 999; ++n) line += ",1";  // 8,000 bytes as numbers
  io::ArrayLimits limits;
  limits.held = 12000;
  const auto joined = open({{"a.csv", line}, {"b.csv", line}}, limits);
  CHECK(joined.names == std::vector<std::string>{"a.csv"});
  REQUIRE(joined.refused.size() == 1);
  CHECK(joined.refused[0].find("b.csv") != std::string::npos);
}
