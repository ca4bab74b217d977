// Two files' arrays number by number: sizes of differences and their places against plain loops over the same numbers.
#include "opened/difference.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/rng.h"
#include "io/array_writer.h"
#include "io/named_array.h"
#include "support/array_files.h"

namespace {

using namespace attn;
using opened::Difference;
using opened::Side;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
using Shape = std::vector<std::uint64_t>;
using Values = std::vector<double>;

struct Opened {
  explicit Opened(std::string file, const char* name = "a.npz") : bytes(std::move(file)), source(test::bytesOf(bytes)) {
    auto opened = io::openArrays(source, name);
    REQUIRE_MESSAGE(opened.ok(), (opened ? "" : opened.error().message));
    arrays = opened.take();
  }
  Opened(const Shape& shape, const Values& values) : Opened(io::npzOf(std::vector<io::NamedArray>{{"w", shape, values}}).take()) {}
  explicit Opened(const std::vector<io::NamedArray>& list) : Opened(io::npzOf(list).take()) {}
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  Side side() const { return {source, arrays}; }

  std::string bytes;
  io::MemorySource source;
  io::ArrayFile arrays;
};

Difference between(const Shape& shape, const Values& a, const Values& b) {
  return opened::differenceOf(Opened(shape, a).side(), 0, Opened(shape, b).side(), 0);
}

Values random(std::size_t count, std::uint64_t seed) {
  core::Rng rng(seed);
  const core::Matrix<double> matrix = rng.normalMatrix(1, static_cast<core::Index>(count));
  return {matrix.data(), matrix.data() + count};
}

std::string shapeTuple(std::uint64_t rows, std::uint64_t columns) {
  return "(" + std::to_string(rows) + ", " + std::to_string(columns) + ")";
}

std::string doublesOf(const Values& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)};
}

}  // namespace

TEST_CASE("differences are counted, summed and placed, in all and of each leading index") {
  const Shape shape = {2, 3, 4, 5};
  const Values a = random(120, 1);
  Values b = a;
  b[7] += 0.25, b[63] -= 2, b[64] += 1, b[119] += 2;
  const Difference d = between(shape, a, b);
  CHECK(d.comparable());
  CHECK_FALSE(d.same_bits);
  CHECK(d.all.count == 120);
  CHECK(d.all.differing == 4);
  const double sum = std::abs(a[7] - b[7]) + std::abs(a[63] - b[63]) + std::abs(a[64] - b[64]) + std::abs(a[119] - b[119]);
  CHECK(d.all.sum == doctest::Approx(sum).epsilon(1e-15));
  CHECK(d.all.mean() == doctest::Approx(sum / 120).epsilon(1e-15));
  const bool first_is_larger = std::abs(a[63] - b[63]) >= std::abs(a[119] - b[119]);
  CHECK(d.all.largest == std::max(std::abs(a[63] - b[63]), std::abs(a[119] - b[119])));
  CHECK(d.all.at == (first_is_larger ? Shape{1, 0, 0, 3} : Shape{1, 2, 3, 4}));
  REQUIRE(d.parts.size() == 6);
  const std::vector<std::uint64_t> differing = {1, 0, 0, 2, 0, 1};
  for (std::size_t n = 0; n < 6; ++n) {
    CAPTURE(n);
    CHECK(d.parts[n].count == 20);
    CHECK(d.parts[n].differing == differing[n]);
    CHECK(d.parts[n].at.empty() == (differing[n] == 0));
  }
  CHECK(d.parts[0].at == Shape{0, 0, 1, 2});
  CHECK(d.parts[3].at == Shape{1, 0, 0, 3});
  CHECK(opened::partIndices(shape, 3) == Shape{1, 0});
}

TEST_CASE("of several largest differences the first one is named, whatever the order of storage") {
  Values b(12, 0);
  b[5] = b[7] = b[10] = 3;
  CHECK(between({3, 4}, Values(12, 0), b).all.at == Shape{1, 1});
  const auto fortran = [](const Values& values) {
    return test::npy(test::npyText("<f8", shapeTuple(3, 4), true), doublesOf(values));
  };
  Values turned(12, 0);
  turned[1 + 3 * 1] = turned[2 + 3 * 0] = 3;  // [1][1] and [2][0], which stands before it in the file
  const Opened a(fortran(Values(12, 0)), "a.npy"), c(fortran(turned), "c.npy");
  const Difference d = opened::differenceOf(a.side(), 0, c.side(), 0);
  CHECK(d.all.at == Shape{1, 1});
  CHECK(d.all.differing == 2);
}

TEST_CASE("planes of more numbers than are read at once are compared whole, row by row or column by column") {
  const std::uint64_t rows = 700, columns = 900;
  const Values zeros(rows * columns, 0);
  Values some = zeros, turned = zeros;
  for (const auto& [i, j, by] : {std::tuple(0, 0, 1.0), std::tuple(350, 899, 2.0), std::tuple(699, 5, -4.0), std::tuple(699, 899, 3.0)}) {
    some[static_cast<std::size_t>(i) * columns + static_cast<std::size_t>(j)] = by;
    turned[static_cast<std::size_t>(j) * rows + static_cast<std::size_t>(i)] = by;
  }
  const Opened zero({rows, columns}, zeros), by_rows({rows, columns}, some);
  const Opened by_columns(test::npy(test::npyText("<f8", shapeTuple(rows, columns), true), doublesOf(turned)), "c.npy");
  std::uint64_t told = 0;
  const auto count = [&](std::uint64_t numbers) { return told += numbers, true; };
  for (const Opened* other : {&by_rows, &by_columns}) {
    told = 0;
    for (const Difference& d : {opened::differenceOf(zero.side(), 0, other->side(), 0, count),
                                opened::differenceOf(other->side(), 0, zero.side(), 0)}) {
      CHECK(d.all.count == rows * columns);
      CHECK(d.all.differing == 4);
      CHECK(d.all.sum == 10);
      CHECK(d.all.largest == 4);
      CHECK(d.all.at == Shape{699, 5});
    }
    CHECK(told == rows * columns);
  }
  CHECK(opened::differenceOf(by_rows.side(), 0, by_columns.side(), 0).all.differing == 0);
  std::uint64_t steps = 0;
  const Difference stopped = opened::differenceOf(zero.side(), 0, by_rows.side(), 0, [&](std::uint64_t) { return ++steps < 2; });
  CHECK(steps == 2);
  CHECK(stopped.all.count < rows * columns);
}

TEST_CASE("NaN beside NaN is no difference, beside a number it is the largest there is") {
  CHECK(between({3}, {kNan, 1, kInfinity}, {kNan, 1, kInfinity}).all.differing == 0);
  const Difference nan = between({3}, {1, 2, 3}, {5, kNan, 3});
  CHECK(nan.all.differing == 2);
  CHECK(nan.all.largest == kInfinity);
  CHECK(nan.all.at == Shape{1});
  CHECK(between({1}, {kInfinity}, {-kInfinity}).all.largest == kInfinity);
}

TEST_CASE("zeros of different sign are equal, and yet not the same bit for bit") {
  const Difference d = between({2}, {0.0, 1}, {-0.0, 1});
  CHECK(d.all.differing == 0);
  CHECK_FALSE(d.same_bits);
  CHECK(between({2}, {0.0, kNan}, {0.0, kNan}).same_bits);
}

TEST_CASE("one number, no numbers, and one axis are compared as they are") {
  CHECK(between({}, {1}, {1.5}).all.largest == 0.5);
  CHECK(between({}, {1}, {1.5}).all.at.empty());
  CHECK(between({0, 3}, {}, {}).all.count == 0);
  CHECK(between({4}, {1, 2, 3, 4}, {1, 2, 3, 5}).all.at == Shape{3});
  CHECK(between({4}, {1, 2, 3, 4}, {1, 2, 3, 5}).parts.empty());
}

TEST_CASE("what cannot be compared says why: shapes, texts") {
  const Opened list({{"w", {2}, Values{1, 2}}, {"v", {2, 1}, Values{1, 2}}, {"t", {2}, std::vector<std::string>{"a", "b"}}});
  const Difference shapes = opened::differenceOf(list.side(), 0, list.side(), 1);
  CHECK_FALSE(shapes.comparable());
  CHECK(shapes.other_shape == Shape{2, 1});
  const Difference texts = opened::differenceOf(list.side(), 0, list.side(), 2);
  CHECK_FALSE(texts.comparable());
  CHECK(texts.error == "These are texts; only numbers are compared.");
}

TEST_CASE("arrays go together by name after the given pairs, and one on each side by being alone") {
  const Opened a({{"q", {1}, Values{1}}, {"w", {1}, Values{1}}, {"x", {1}, Values{1}}});
  const Opened b({{"w", {1}, Values{1}}, {"weights", {1}, Values{1}}, {"x", {1}, Values{1}}});
  using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;
  const opened::Pairing plain = opened::pairsByName(a.arrays, b.arrays);
  CHECK(plain.pairs == Pairs{{1, 0}, {2, 2}});
  CHECK(plain.only_a == std::vector<std::size_t>{0});
  CHECK(plain.only_b == std::vector<std::size_t>{1});
  const opened::Pairing given = opened::pairsByName(a.arrays, b.arrays, {{1, 1}});
  CHECK(given.pairs == Pairs{{1, 1}, {2, 2}});
  CHECK(given.only_a == std::vector<std::size_t>{0});
  CHECK(given.only_b == std::vector<std::size_t>{0});
  const Opened one({{"q", {1}, Values{1}}}), other({{"z", {1}, Values{1}}});
  CHECK(opened::pairsByName(one.arrays, other.arrays).pairs == Pairs{{0, 0}});
}

TEST_CASE("a picture of a part has in each cell the difference of largest size of its block, with its sign") {
  const std::uint64_t rows = 10, columns = 7;
  const Values a = random(2 * rows * columns, 3), b = random(2 * rows * columns, 4);
  const Opened first({2, rows, columns}, a), second({2, rows, columns}, b);
  const auto picture = opened::pictureOf(first.side(), 0, second.side(), 0, 1, 4);
  REQUIRE(picture.ok());
  CHECK(picture.value().rows_each == 3);
  CHECK(picture.value().columns_each == 2);
  const core::Matrix<double>& cells = picture.value().cells;
  REQUIRE(cells.rows() == 4);
  REQUIRE(cells.cols() == 4);
  for (std::uint64_t i = 0; i < 4; ++i) {
    for (std::uint64_t j = 0; j < 4; ++j) {
      double largest = 0;
      for (std::uint64_t r = 3 * i; r < std::min(3 * i + 3, rows); ++r) {
        for (std::uint64_t c = 2 * j; c < std::min(2 * j + 2, columns); ++c) {
          const std::size_t n = (rows + r) * columns + c;
          if (std::abs(a[n] - b[n]) > std::abs(largest)) largest = a[n] - b[n];
        }
      }
      CHECK(cells(static_cast<core::Index>(i), static_cast<core::Index>(j)) == largest);
    }
  }
  const auto whole = opened::pictureOf(first.side(), 0, second.side(), 0, 0, 128);
  REQUIRE(whole.ok());
  CHECK(whole.value().rows_each == 1);
  CHECK(whole.value().cells(9, 6) == a[69] - b[69]);
}
