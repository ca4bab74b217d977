// Follows numpy.lib.format, but evaluates nothing, and compares every number with the bytes that are there.
#include "io/npy.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>

#include "core/language.h"
#include "io/label.h"
#include "io/little_endian.h"
#include "io/npy_type.h"
#include "io/python_literal.h"
#include "io/text.h"

namespace attn::io {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kVersionEnd = 8;

std::string number(std::uint64_t value) { return std::to_string(value); }

core::Error damaged(const std::string& what) { return {tr("{0}; save the array again with numpy.save.", {what})}; }

// The three entries of a header, as they stand there.
struct Entries {
  std::optional<std::string> type;  // nothing: it is no text, as of records
  std::vector<std::uint64_t> shape;
  bool fortran_order = false;
};

class HeaderReader {
 public:
  HeaderReader(std::string_view literal, bool longs) : tokens_(literal), longs_(longs) {}

  core::Result<Entries> read() {
    if (!tokens_.accept('{')) return wrong(tr("a {{"));
    while (!tokens_.next().is('}')) {
      if (core::Check failed = readEntry()) return *failed;
      if (!tokens_.accept(',') && !tokens_.next().is('}')) return wrong(tr("a comma or a }"));
    }
    tokens_.take();
    if (tokens_.next().kind != PythonToken::Kind::kEnd) return wrong(tr("the end of the header"));
    for (std::size_t i = 0; i < kKeys.size(); ++i)
      if (!seen_[i]) return damaged(tr("The header has no '{0}'", {kKeys[i]}));
    return std::move(entries_);
  }

 private:
  static constexpr std::array<std::string_view, 3> kKeys = {"descr", "fortran_order", "shape"};

  core::Error wrong(const std::string& wanted) const {
    const PythonToken& next = tokens_.next();
    const std::string found = next.kind == PythonToken::Kind::kEnd ? tr("the end") : ticked(labelText(next.text, 40));
    return damaged(tr("At character {0} of the header stands {1} where {2} should be",
                      {tokens_.place() + 1, found, wanted}));
  }

  core::Check readEntry() {
    if (tokens_.next().kind != PythonToken::Kind::kText) return wrong(tr("a name in quotes"));
    const std::string_view key = tokens_.take().text;
    const auto known = std::find(kKeys.begin(), kKeys.end(), key);
    if (known == kKeys.end()) {
      return damaged(tr("The header has an entry {0} that no NumPy writes", {ticked(labelText(key, 40))}));
    }
    bool& seen = seen_[static_cast<std::size_t>(known - kKeys.begin())];
    if (seen) return damaged(tr("The header has '{0}' twice", {key}));
    seen = true;
    if (!tokens_.accept(':')) return wrong(tr("a colon"));
    if (key == "descr") return readType();
    return key == "shape" ? readShape() : readOrder();
  }

  core::Check readType() {
    if (tokens_.next().kind == PythonToken::Kind::kText) {
      entries_.type = std::string(tokens_.take().text);
      return {};
    }
    if (!tokens_.next().is('[') && !tokens_.next().is('(')) return wrong(tr("a type in quotes"));
    if (!tokens_.skipValue()) return wrong(tr("the rest of a type"));
    return {};
  }

  core::Check readOrder() {
    const PythonToken& next = tokens_.next();
    if (next.kind != PythonToken::Kind::kName || (next.text != "True" && next.text != "False")) {
      return wrong(tr("True or False"));
    }
    entries_.fortran_order = tokens_.take().text == "True";
    return {};
  }

  core::Check readShape() {
    if (!tokens_.accept('(')) return wrong(tr("a shape in parentheses"));
    while (!tokens_.accept(')')) {
      if (core::Check failed = readLength()) return failed;
      const bool comma = tokens_.accept(',');
      if (!comma && !tokens_.next().is(')')) return wrong(tr("a comma or a )"));
      if (!comma && entries_.shape.size() == 1) return wrong(tr("the comma of a shape with one axis"));
    }
    return {};
  }

  core::Check readLength() {
    const PythonToken& next = tokens_.next();
    if (next.kind != PythonToken::Kind::kNumber) return wrong(tr("a length"));
    if (next.text.front() == '-') {
      return damaged(tr("Axis {0} of the shape has the negative length {1}",
                        {entries_.shape.size(), labelText(next.text, 40)}));
    }
    std::string_view digits = next.text;
    if (longs_ && digits.back() == 'L') digits.remove_suffix(1);
    std::uint64_t length = 0;
    for (const char c : digits) {
      if (c < '0' || c > '9') return wrong(tr("a whole number"));
      const auto digit = static_cast<std::uint64_t>(c - '0');
      if (length > (UINT64_MAX - digit) / 10) {
        return damaged(tr("Axis {0} of the shape has the length {1}, more than any file holds",
                          {entries_.shape.size(), labelText(digits, 40)}));
      }
      length = 10 * length + digit;
    }
    if (digits.size() > 1 && digits.front() == '0') return wrong(tr("a number without zeros before it"));
    if (entries_.shape.size() == kMostAxes) {
      return damaged(tr("The shape has more than {0} axes", {kMostAxes}));
    }
    entries_.shape.push_back(length);
    tokens_.take();
    return {};
  }

  PythonTokens tokens_;
  bool longs_;
  Entries entries_;
  std::array<bool, 3> seen_ = {};
};

}  // namespace

bool isNpy(std::span<const std::byte> head) {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  return text.substr(0, kMagic.size()) == kMagic;
}

core::Result<std::size_t> npyHeaderEnd(std::span<const std::byte> head, std::uint64_t total) {
  if (!isNpy(head)) {
    return core::Error{tr("It does not begin as .npy files do; choose a file that numpy.save has written.")};
  }
  const auto cutOff = [&](std::uint64_t wanted) {
    return core::Error{tr("Its header should end at byte {0}, and there are {1} bytes; copy the file again as a whole.",
                          {wanted, total})};
  };
  if (head.size() < kVersionEnd + 2) return cutOff(kVersionEnd + 2);
  const auto major = std::to_integer<unsigned>(head[6]), minor = std::to_integer<unsigned>(head[7]);
  if (major < 1 || major > 3 || minor != 0) {
    return damaged(tr("Its format has version {0}.{1}, not 1.0, 2.0 or 3.0", {major, minor}));
  }
  const std::size_t prefix = major == 1 ? kVersionEnd + 2 : kVersionEnd + 4;
  if (head.size() < prefix) return cutOff(prefix);
  const std::uint64_t length = major == 1 ? littleEndian<std::uint16_t>(head, kVersionEnd)
                                          : littleEndian<std::uint32_t>(head, kVersionEnd);
  if (prefix + length > total) return cutOff(prefix + length);
  if (length > kLongestNpyHeader) {
    return damaged(tr("Its header has {0} bytes, more than the limit of {1}",
                      {length, kLongestNpyHeader}));
  }
  return prefix + static_cast<std::size_t>(length);
}

core::Result<ArrayInfo> parseNpyHeader(std::span<const std::byte> header, std::uint64_t total) {
  assert(isNpy(header) && header.size() <= total);
  const auto major = std::to_integer<unsigned>(header[6]);
  const std::size_t prefix = major == 1 ? kVersionEnd + 2 : kVersionEnd + 4;
  const std::string_view literal(reinterpret_cast<const char*>(header.data()) + prefix, header.size() - prefix);
  core::Result<Entries> entries = HeaderReader(literal, major < 3).read();
  if (!entries) return entries.error();
  const Entries& found = entries.value();
  const std::optional<std::uint64_t> count = countOf(found.shape);
  if (!count) {
    return damaged(tr("Its shape {0} has more elements than any file holds", {shapeText(found.shape)}));
  }
  ArrayInfo array;
  array.shape = found.shape;
  array.strides = found.fortran_order ? columnMajor(found.shape) : rowMajor(found.shape);
  array.skip = array.begin = header.size();
  const std::uint64_t left = total - header.size();
  array.bytes = left;
  applyNpyType(found.type ? std::string_view(*found.type) : std::string_view(), array);
  if (!array.unreadable.empty()) return array;
  const auto each = static_cast<std::uint64_t>(array.element_bytes);
  if (*count > left / each) {
    const std::string wanted =
        *count > UINT64_MAX / each ? tr("more bytes than any file holds") : tr("{0} {0|byte|bytes}", {*count * each});
    return core::Error{tr("Its shape {0} of {1} asks for {2}, and {3} are left; copy the file again as a whole.",
                          {shapeText(found.shape), typeName(array.type), wanted, left})};
  }
  array.bytes = *count * each;
  return array;
}

core::Result<ArrayFile> readNpy(const ByteSource& source, std::string_view file_name, const ArrayLimits&) {
  const auto named = [&](const core::Error& error) { return core::Error{ticked(file_name) + ": " + error.message}; };
  const std::uint64_t total = source.size();
  std::array<std::byte, kNpyPrefix> prefix;
  const auto head = std::span(prefix).first(static_cast<std::size_t>(std::min<std::uint64_t>(total, prefix.size())));
  if (core::Check failed = source.read(0, head)) return named(*failed);
  const core::Result<std::size_t> end = npyHeaderEnd(head, total);
  if (!end) return named(end.error());
  core::Result<core::Buffer> header = core::Buffer::allocate(end.value());
  if (!header) return named(header.error());
  if (core::Check failed = source.read(0, header.value().bytes())) return named(*failed);
  core::Result<ArrayInfo> array = parseNpyHeader(header.value().bytes(), total);
  if (!array) return named(array.error());
  std::string_view name = file_name;
  if (name.ends_with(".npy")) name.remove_suffix(4);
  array.value().name = labelText(name, 1000);
  ArrayFile file;
  file.format = tr("NumPy array");
  file.arrays.push_back(array.take());
  return file;
}

std::string npyHeader(ElementType type, const std::vector<std::uint64_t>& shape, std::size_t characters) {
  // NumPy leaves room for the first axis to grow to as many digits.
  constexpr std::size_t kGrowingDigits = 21, kAlignment = 64;
  std::string literal = "{'descr': '" + npyTypeText(type, characters) + "', 'fortran_order': False, 'shape': (";
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    literal.append(axis > 0 ? ", " : "").append(number(shape[axis]));
  literal += shape.size() == 1 ? ",), }" : "), }";
  if (!shape.empty()) literal.append(kGrowingDigits - number(shape[0]).size(), ' ');
  const std::size_t used = kVersionEnd + 2 + literal.size() + 1;
  literal.append(kAlignment - used % kAlignment, ' ').append("\n");
  std::string header(kMagic);
  header.append("\x01\x00", 2);
  appendLittleEndian(header, static_cast<std::uint16_t>(literal.size()));
  return header + literal;
}

}  // namespace attn::io
