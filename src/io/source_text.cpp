// See source_text.h.
#include "io/source_text.h"

#include <algorithm>
#include <cstdio>
#include <limits>

#include "core/language.h"
#include "io/label.h"
#include "io/text.h"

namespace attn::io {
namespace {

using namespace std::string_view_literals;

// How the text begins, and of how many bytes a unit of it has.
struct Encoding {
  std::string_view mark;
  std::size_t unit;
  bool big;
};
// The mark of UTF-32 opens with that of UTF-16, so it comes first.
constexpr Encoding kEncodings[] = {{"\xFF\xFE\0\0"sv, 4, false}, {"\0\0\xFE\xFF"sv, 4, true},
                                   {"\xFF\xFE"sv, 2, false},     {"\xFE\xFF"sv, 2, true},
                                   {"\xEF\xBB\xBF"sv, 1, false}, {""sv, 1, false}};

char32_t unitAt(std::string_view bytes, std::size_t at, const Encoding& encoding) {
  char32_t unit = 0;
  for (std::size_t i = 0; i < encoding.unit; ++i) {
    unit = unit << 8 | static_cast<unsigned char>(bytes[at + (encoding.big ? i : encoding.unit - 1 - i)]);
  }
  return unit;
}

// The character at `at`, which moves behind it; halves of characters are given as they are.
char32_t takeWide(std::string_view bytes, std::size_t& at, const Encoding& encoding) {
  const char32_t code = unitAt(bytes, at, encoding);
  at += encoding.unit;
  if (encoding.unit != 2 || code < 0xD800 || code >= 0xDC00 || at + 2 > bytes.size()) return code;
  const char32_t low = unitAt(bytes, at, encoding);
  if (low < 0xDC00 || low >= 0xE000) return code;
  at += 2;
  return 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
}

// Converts twice: first to learn how long the text becomes.
core::Result<SourceText> fromWide(std::string_view bytes, const Encoding& encoding, const std::string& file) {
  const std::string name = encoding.unit == 2 ? "UTF-16" : "UTF-32";
  if (bytes.size() % encoding.unit != 0) {
    return core::Error{tr("{0} ends in the middle of a character of {1}; save it as UTF-8.", {file, name})};
  }
  std::string one;
  std::size_t size = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t begin = at;
    const char32_t code = takeWide(bytes, at, encoding);
    if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) {
      return core::Error{tr("{0} holds what is no character of {1} at byte {2}; save it as UTF-8.",
                            {file, name, begin + encoding.mark.size()})};
    }
    size += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  core::Result<core::Buffer> buffer = core::Buffer::allocate(size + 1);
  if (!buffer) return buffer.error();
  char* to = buffer.value().as<char>().data();
  for (std::size_t at = 0; at < bytes.size();) {
    one.clear();
    appendCharacter(one, takeWide(bytes, at, encoding));
    to = std::copy(one.begin(), one.end(), to);
  }
  *to = '\0';
  return SourceText(buffer.take(), 0, size);
}

core::Check checkUtf8(std::string_view text, const std::string& file) {
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte > 0 && byte < 0x80) {
      ++at;
      continue;
    }
    const int length = byte == 0 ? 0 : characterLength(text.substr(at, 4));
    if (length == 0) {
      const std::string place = placeText(placeOf(text, at));
      if (byte == 0) {
        return core::Error{tr("{0} holds a zero byte at {1}, so it is no text; choose a text file.", {file, place})};
      }
      char code[8];
      std::snprintf(code, sizeof code, "%02X", byte);
      return core::Error{tr("Byte {0} at {1} of {2} is not UTF-8; save it as UTF-8.", {code, place, file})};
    }
    at += static_cast<std::size_t>(length);
  }
  return {};
}

}  // namespace

core::Result<SourceText> readText(const ByteSource& source, std::string_view file_name, std::uint64_t limit) {
  const std::string file = ticked(file_name);
  const std::uint64_t bytes = source.size();
  if (bytes > limit || bytes >= std::numeric_limits<std::size_t>::max() / 2) {
    return core::Error{tr("{0} has {1} of text, more than the limit of {2}; if these are arrays, save them as .npy, "
                          "which is read in parts.", {file, core::bytesText(bytes), core::bytesText(limit)})};
  }
  const auto size = static_cast<std::size_t>(bytes);
  core::Result<core::Buffer> buffer = core::Buffer::allocate(size + 1);
  if (!buffer) return buffer.error();
  if (core::Check unread = source.read(0, buffer.value().bytes().first(size))) return *unread;
  buffer.value().as<char>()[size] = '\0';
  const std::string_view all(buffer.value().as<char>().data(), size);
  const Encoding& encoding = *std::find_if(std::begin(kEncodings), std::end(kEncodings), [all](const Encoding& one) {
    return all.substr(0, one.mark.size()) == one.mark;
  });
  const std::string_view text = all.substr(encoding.mark.size());
  if (encoding.unit > 1) return fromWide(text, encoding, file);
  if (core::Check wrong = checkUtf8(text, file)) return *wrong;
  return SourceText(buffer.take(), encoding.mark.size(), text.size());
}

std::string stemOf(std::string_view file_name, std::string_view otherwise) {
  const std::size_t folder = file_name.find_last_of("/\\");
  if (folder != std::string_view::npos) file_name.remove_prefix(folder + 1);
  const std::size_t ending = file_name.rfind('.');
  if (ending != std::string_view::npos) file_name = file_name.substr(0, ending);
  return std::string(file_name.empty() ? otherwise : file_name);
}

}  // namespace attn::io
