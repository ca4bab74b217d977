// Planes, texts and sums of arrays against the plainest way of indexing them, over every type, order and stride.
#include "io/array_data.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "core/buffer.h"
#include "core/rng.h"

namespace {

using namespace attn;
using io::ArrayInfo;
using io::ElementType;
using io::Plane;

constexpr ElementType kNumbers[] = {ElementType::kBool, ElementType::kI8,  ElementType::kI16, ElementType::kI32,
                                    ElementType::kI64,  ElementType::kU8,  ElementType::kU16, ElementType::kU32,
                                    ElementType::kU64,  ElementType::kF16, ElementType::kBF16, ElementType::kF32,
                                    ElementType::kF64};

// Bytes in memory that know how much of them was asked for, and at most at once.
class CountingSource final : public io::ByteSource {
 public:
  explicit CountingSource(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}
  std::uint64_t size() const override { return bytes_.size(); }
  core::Check read(std::uint64_t offset, std::span<std::byte> into) const override {
    if (broken) return core::Error{"The file has changed since it was opened; open it again."};
    REQUIRE(io::within(offset, into.size(), bytes_.size()));
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), into.size(), into.begin());
    largest = std::max(largest, into.size()), read_bytes += into.size(), ++reads;
    return {};
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

  bool broken = false;
  mutable std::size_t largest = 0, read_bytes = 0, reads = 0;

 private:
  std::vector<std::byte> bytes_;
};

template <class T>
std::vector<std::byte> bytesOf(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::vector<std::byte> bytesOf(std::string_view text) {
  std::vector<std::byte> bytes(text.size());
  std::transform(text.begin(), text.end(), bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
  return bytes;
}

ArrayInfo arrayOf(ElementType type, std::vector<std::uint64_t> shape) {
  ArrayInfo info;
  info.name = "q";
  info.type = type;
  info.element_bytes = io::typeBytes(type);
  info.strides = io::rowMajor(shape);
  info.shape = std::move(shape);
  return info;
}

ArrayInfo textsOf(std::size_t bytes, bool wide, std::vector<std::uint64_t> shape) {
  ArrayInfo info = arrayOf(ElementType::kText, std::move(shape));
  info.element_bytes = bytes;
  info.wide_text = wide;
  return info;
}

std::size_t oneOf(core::Rng& rng, std::size_t count) {
  return static_cast<std::size_t>(rng.below(static_cast<core::Index>(count)));
}

// Random axes; strides row by row, column by column, shuffled, with gaps, or 0.
ArrayInfo randomArray(core::Rng& rng) {
  std::vector<std::uint64_t> shape;
  for (std::size_t axes = oneOf(rng, 5); axes > 0; --axes) shape.push_back(1 + oneOf(rng, 5));
  ArrayInfo info = arrayOf(kNumbers[oneOf(rng, std::size(kNumbers))], shape);
  info.big_endian = rng.below(2) == 1;
  info.first = oneOf(rng, 4);
  if (rng.below(3) == 0) info.strides = io::columnMajor(shape);
  for (std::size_t i = shape.size(); i > 1; --i) {  // as a transposed view
    const auto j = oneOf(rng, i);
    std::swap(info.shape[i - 1], info.shape[j]);
    std::swap(info.strides[i - 1], info.strides[j]);
  }
  const std::uint64_t gap = 1 + oneOf(rng, 3);
  for (std::uint64_t& stride : info.strides) stride *= gap;
  if (!shape.empty() && rng.below(4) == 0) info.strides[oneOf(rng, shape.size())] = 0;
  return info;
}

std::vector<std::byte> randomBytes(core::Rng& rng, const ArrayInfo& info) {
  std::uint64_t last = info.first;
  for (std::size_t i = 0; i < info.shape.size(); ++i) last += (info.shape[i] - 1) * info.strides[i];
  std::vector<std::byte> bytes((last + 1) * info.element_bytes);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(rng.below(256));
  return bytes;
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

std::string sentence(const core::Check& check) { return check ? check->message : "well"; }
template <class T>
std::string sentence(const core::Result<T>& result) {
  return result ? std::string("read") : result.error().message;
}
bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

io::ScanSummary scanned(const io::ByteSource& data, const ArrayInfo& info, std::size_t step) {
  core::Result<io::Scan> scan = io::Scan::over(data, info);
  REQUIRE_MESSAGE(scan.ok(), sentence(scan));
  while (scan.value().step(step)) {
  }
  CHECK_MESSAGE(!scan.value().failure(), sentence(scan.value().failure()));
  CHECK(scan.value().summary().count == scan.value().total());
  return scan.value().summary();
}

}  // namespace

TEST_CASE("a plane holds the numbers that plain indexing finds, for any axes, order and type") {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    core::Rng rng(seed);
    const ArrayInfo info = randomArray(rng);
    const CountingSource data(randomBytes(rng, info));
    const std::size_t axes = info.shape.size();
    const std::size_t row_axis = oneOf(rng, axes + 1) == axes ? io::kNoAxis : oneOf(rng, axes);
    std::size_t column_axis = oneOf(rng, axes + 1) == axes ? io::kNoAxis : oneOf(rng, axes);
    if (row_axis == column_axis) column_axis = io::kNoAxis;
    std::vector<std::uint64_t> indices;
    for (const std::uint64_t length : info.shape) indices.push_back(oneOf(rng, length));
    const auto plane = io::planeOf(info, row_axis, column_axis, indices);
    REQUIRE_MESSAGE(plane.ok(), sentence(plane));
    const auto matrix = io::readPlane(data, info, plane.value());
    REQUIRE_MESSAGE(matrix.ok(), sentence(matrix));
    REQUIRE(matrix.value().rows() == static_cast<core::Index>(row_axis == io::kNoAxis ? 1 : info.shape[row_axis]));
    REQUIRE(matrix.value().cols() == static_cast<core::Index>(column_axis == io::kNoAxis ? 1 : info.shape[column_axis]));
    bool equal = true;
    for (core::Index r = 0; r < matrix.value().rows(); ++r) {
      for (core::Index c = 0; c < matrix.value().cols(); ++c) {
        if (row_axis != io::kNoAxis) indices[row_axis] = static_cast<std::uint64_t>(r);
        if (column_axis != io::kNoAxis) indices[column_axis] = static_cast<std::uint64_t>(c);
        const std::uint64_t element =
            std::inner_product(indices.begin(), indices.end(), info.strides.begin(), info.first);
        equal = equal && same(matrix.value()(r, c), io::valueAt(data.bytes().data() + element * info.element_bytes,
                                                                info.type, info.big_endian));
      }
    }
    CHECK(equal);
  }
}

TEST_CASE("a plane takes one window at a time, forwards, and of elements far apart only themselves") {
  ArrayInfo info = arrayOf(ElementType::kU8, {6, 1000, 1000});
  const CountingSource data(std::vector<std::byte>(6000000));
  SUBCASE("rows and columns as they stand") {
    CHECK(io::readPlane(data, info, io::planeOf(info, 1, 2, {3, 0, 0}).value()).ok());
    CHECK(data.read_bytes == 1000000);
    CHECK(data.reads == 1);
  }
  SUBCASE("turned") {
    CHECK(io::readPlane(data, info, io::planeOf(info, 2, 1, {3, 0, 0}).value()).ok());
    CHECK(data.read_bytes == 1000000);
  }
  SUBCASE("over the first and the last axis") {
    CHECK(io::readPlane(data, info, io::planeOf(info, 0, 2, {0, 500, 0}).value()).ok());
    CHECK(data.read_bytes == 6000);
    CHECK(data.reads == 6);
  }
  SUBCASE("over the first two axes") {
    CHECK(io::readPlane(data, info, io::planeOf(info, 0, 1, {0, 0, 7}).value()).ok());
    CHECK(data.read_bytes <= 6000000);
  }
  SUBCASE("one number from every megabyte") {
    CHECK(io::readPlane(data, info, io::planeOf(info, 0, io::kNoAxis, {0, 0, 0}).value()).ok());
    CHECK(data.read_bytes == 6);
  }
  CHECK(data.largest <= io::kWindowBytes);
}

TEST_CASE("empty planes and single numbers are read") {
  const CountingSource none({});
  CHECK(io::readPlane(none, arrayOf(ElementType::kF32, {0, 3}), {0, 0, 3, 3, 1}).value().cols() == 3);
  CHECK(io::readPlane(none, arrayOf(ElementType::kF32, {3, 0}), {0, 3, 0, 0, 1}).value().rows() == 3);
  const CountingSource one(bytesOf(std::vector<double>{0.25}));
  const ArrayInfo number = arrayOf(ElementType::kF64, {});
  CHECK(io::readPlane(one, number, io::planeOf(number, io::kNoAxis, io::kNoAxis, {}).value()).value()(0, 0) == 0.25);
}

TEST_CASE("a plane that does not lie within its data is refused before memory is taken") {
  const CountingSource data(std::vector<std::byte>(48));
  const ArrayInfo info = arrayOf(ElementType::kF64, {2, 3});
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  const Plane planes[] = {{0, 3, 3, 3, 1},     {1, 2, 3, 3, 1},    {0, 2, 3, kMost, 1},     {kMost, 1, 1, 0, 0},
                          {kMost, 2, 1, 1, 0}, {0, kMost, 1, 1, 0}, {0, kMost, kMost, 1, 1}, {0, 1, 1 << 20, 0, 1},
                          {0, 3, 1, kMost / 2, 0}, {0, 2, 2, kMost / 2, kMost / 2}};
  for (const Plane& plane : planes) {
    CAPTURE(plane.first);
    CAPTURE(plane.rows);
    CHECK(has(sentence(io::readPlane(data, info, plane)), "goes beyond its data, which has 48 bytes"));
  }
  const Plane endless{0, std::uint64_t(1) << 40, std::uint64_t(1) << 40, 0, 0};
  CHECK(has(sentence(io::readPlane(data, info, endless)), "too large"));
}

TEST_CASE("axes and indices that an array has not are refused") {
  const ArrayInfo info = arrayOf(ElementType::kF64, {2, 3});
  CHECK(has(sentence(io::planeOf(info, 0, 2, {0, 0})), "there is no 2"));
  CHECK(has(sentence(io::planeOf(info, 1, 1, {0, 0})), "choose two axes"));
  CHECK(has(sentence(io::planeOf(info, 0, 1, {0})), "give one for each"));
  CHECK(has(sentence(io::planeOf(info, 0, io::kNoAxis, {0, 3})), "Axis 1 of `q` has 3 places"));
  ArrayInfo far = info;
  far.strides = {std::numeric_limits<std::uint64_t>::max(), 1};
  CHECK(io::planeOf(far, io::kNoAxis, 1, {1, 0}).ok() == false);
  CHECK(has(sentence(io::readPlane(CountingSource({}), textsOf(4, true, {1}), {})), "holds texts"));
}

TEST_CASE("texts come without their padding, and odd ones whole") {
  const std::vector<std::string> wanted = {" the", "the", "\n", "\t", "", " ", "Ġthe", "▁the", "</script>", "##id", "%s%n",
                                           "👨‍👩‍👧", "مرحبا", "注意"};
  std::string padded;
  std::vector<std::uint32_t> wide;
  for (const std::string& text : wanted) {
    padded += text + std::string(24 - text.size(), '\0');
    const std::size_t end = wide.size() + 10;
    for (std::size_t i = 0; i < text.size();) {
      const auto lead = static_cast<unsigned char>(text[i]);
      const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
      std::uint32_t code = length == 1 ? lead : lead & 0x7Fu >> length;
      for (std::size_t k = 1; k < length; ++k) code = code << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3Fu);
      wide.push_back(code);
      i += length;
    }
    wide.resize(end);
  }
  CHECK(io::readTexts(CountingSource(bytesOf(padded)), textsOf(24, false, {wanted.size()}), 100).value() == wanted);
  CHECK(io::readTexts(CountingSource(bytesOf(wide)), textsOf(40, true, {wanted.size()}), 100).value() == wanted);
  for (std::uint32_t& code : wide) code = code << 24 | (code << 8 & 0xFF0000) | (code >> 8 & 0xFF00) | code >> 24;
  ArrayInfo big = textsOf(40, true, {wanted.size()});
  big.big_endian = true;
  CHECK(io::readTexts(CountingSource(bytesOf(wide)), big, 100).value() == wanted);
  ArrayInfo backwards = textsOf(24, false, {2, 7});
  backwards.strides = {1, 2};
  const auto turned = io::readTexts(CountingSource(bytesOf(padded)), backwards, 100);
  CHECK(turned.value()[1] == wanted[2]);
  CHECK(turned.value()[7] == wanted[1]);
}

TEST_CASE("halves of characters and numbers that are none become one sign, and other bytes stay") {
  const std::vector<std::uint32_t> wide = {0xD83D, 'a', 0xFFFFFFFF, 0, 'b', 0x110000, 0xDC80, 0};
  CHECK(io::readTexts(CountingSource(bytesOf(wide)), textsOf(32, true, {1}), 1).value()[0] ==
        std::string("\xEF\xBF\xBD" "a\xEF\xBF\xBD\0b\xEF\xBF\xBD\xEF\xBF\xBD", 15));
  CHECK(io::readTexts(CountingSource(bytesOf("\xF0\xED\xA0\xBD\x80")), textsOf(5, false, {1}), 1).value()[0] ==
        "\xF0\xEF\xBF\xBD\x80");
}

TEST_CASE("texts that are too many, too long or not there are refused") {
  const std::vector<std::uint64_t> shape = {3};
  CHECK(has(sentence(io::readTexts(CountingSource(bytesOf("abc")), textsOf(1, false, shape), 2)), "limit of 2"));
  CHECK(has(sentence(io::readTexts(CountingSource(bytesOf("ab")), textsOf(1, false, shape), 3)), "goes beyond its data"));
  CHECK(has(sentence(io::readTexts(CountingSource({}), arrayOf(ElementType::kF32, {0}), 3)), "holds numbers"));
  CHECK(io::readTexts(CountingSource({}), textsOf(0, false, {3}), 3).value().size() == 3);
  std::vector<std::byte> long_text((std::size_t(17) << 20), std::byte('x'));
  const ArrayInfo long_info = textsOf(long_text.size(), false, {1});
  CHECK(has(sentence(io::readTexts(CountingSource(long_text), long_info, 3)), "more than 16 MB"));
  std::fill(long_text.begin() + 1, long_text.end(), std::byte(0));
  CHECK(io::readTexts(CountingSource(long_text), long_info, 3).value()[0] == "x");
}

TEST_CASE("a scan counts what plain indexing counts, whatever the size of its steps") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    core::Rng rng(seed);
    const ArrayInfo info = randomArray(rng);
    const CountingSource data(randomBytes(rng, info));
    io::ScanSummary wanted;
    std::vector<std::uint64_t> at(info.shape.size(), 0);
    const std::uint64_t total = io::countOf(info.shape).value();
    for (std::uint64_t n = 0; n < total; ++n) {
      const std::uint64_t element = std::inner_product(at.begin(), at.end(), info.strides.begin(), info.first);
      const double value =
          io::valueAt(data.bytes().data() + element * info.element_bytes, info.type, info.big_endian);
      ++wanted.count;
      wanted.nan += std::isnan(value);
      wanted.plus_infinity += value == std::numeric_limits<double>::infinity();
      wanted.minus_infinity += value == -std::numeric_limits<double>::infinity();
      wanted.zeros += value == 0;
      if (std::isfinite(value)) {
        wanted.min = wanted.finite ? std::min(wanted.min, value) : value;
        wanted.max = wanted.finite ? std::max(wanted.max, value) : value;
        ++wanted.finite;
      }
      for (std::size_t axis = at.size(); axis > 0 && ++at[axis - 1] == info.shape[axis - 1]; --axis) at[axis - 1] = 0;
    }
    const io::ScanSummary once = scanned(data, info, 1000000), bit = scanned(data, info, 1 + oneOf(rng, 7));
    for (const io::ScanSummary& summary : {once, bit}) {
      CHECK(summary.count == wanted.count);
      CHECK(summary.nan == wanted.nan);
      CHECK(summary.plus_infinity == wanted.plus_infinity);
      CHECK(summary.minus_infinity == wanted.minus_infinity);
      CHECK(summary.zeros == wanted.zeros);
      CHECK(summary.finite == wanted.finite);
      CHECK((wanted.finite == 0 || (summary.min == wanted.min && summary.max == wanted.max)));
      CHECK(summary.checksum == once.checksum);
    }
  }
}

TEST_CASE("the checksum is FNV-1a of the elements in the order of storage") {
  // Known values: the empty text, "a", "foobar".
  CHECK(scanned(CountingSource({}), arrayOf(ElementType::kU8, {0}), 9).checksum == 0xcbf29ce484222325u);
  CHECK(scanned(CountingSource(bytesOf("a")), arrayOf(ElementType::kU8, {1}), 9).checksum == 0xaf63dc4c8601ec8cu);
  CHECK(scanned(CountingSource(bytesOf("foobar")), arrayOf(ElementType::kU8, {2, 3}), 4).checksum == 0x85944171f73967e8u);
  ArrayInfo turned = arrayOf(ElementType::kU8, {2, 3});
  turned.strides = {1, 2};
  CHECK(scanned(CountingSource(bytesOf("foobar")), turned, 1).checksum == 0x85944171f73967e8u);
  CHECK(scanned(CountingSource(bytesOf("foobar")), textsOf(3, false, {2}), 1).checksum == 0x85944171f73967e8u);
  ArrayInfo gaps = arrayOf(ElementType::kU8, {6});
  gaps.strides = {2};
  CHECK(scanned(CountingSource(bytesOf("f-o-o-b-a-r")), gaps, 5).checksum == 0x85944171f73967e8u);
}

TEST_CASE("a scan reads a long array once, in windows") {
  const CountingSource data(std::vector<std::byte>(5000000));
  CHECK(scanned(data, arrayOf(ElementType::kF32, {5, 250, 1000}), 1000).zeros == 1250000);
  CHECK(data.read_bytes <= 5000000 + 5 * 1000);
  CHECK(data.largest <= io::kWindowBytes);
}

TEST_CASE("what cannot be read ends a scan or a plane with the reason") {
  CountingSource data(std::vector<std::byte>(24));
  const ArrayInfo info = arrayOf(ElementType::kF64, {3});
  CHECK(has(sentence(io::Scan::over(data, arrayOf(ElementType::kF64, {4}))), "goes beyond its data"));
  auto scan = io::Scan::over(data, info);
  data.broken = true;
  CHECK(!scan.value().step(5));
  CHECK(has(sentence(scan.value().failure()), "has changed"));
  CHECK(!scan.value().step(5));
  CHECK(scan.value().summary().count == 0);
  CHECK(has(sentence(io::readPlane(data, info, {0, 1, 3, 3, 1})), "has changed"));
  CHECK(has(sentence(io::readTexts(data, textsOf(8, false, {3}), 9)), "has changed"));
}

TEST_CASE("where there is no memory, planes, texts and scans say so") {
  const CountingSource data(bytesOf("abcdefgh"));
  const ArrayInfo info = arrayOf(ElementType::kU8, {8});
  for (int n = 1; n <= 2; ++n) {
    CAPTURE(n);
    core::failAllocation(n);
    CHECK(has(sentence(io::readPlane(data, info, {0, 1, 8, 8, 1})), "no memory"));
    core::failAllocation(n);
    CHECK(has(sentence(io::readTexts(data, textsOf(1, false, {8}), 8)), "no memory"));
  }
  core::failAllocation(1);
  auto scan = io::Scan::over(data, info);
  CHECK(!scan.value().step(8));
  CHECK(has(sentence(scan.value().failure()), "no memory"));
  core::failAllocation(0);
}
