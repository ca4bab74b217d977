// UTF-8 after RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
#include "io/text.h"

#include <cstdint>
#include <cstdio>

#include "core/language.h"

namespace attn::io {
namespace {

std::uint8_t byteAt(std::string_view text, std::size_t i) { return static_cast<std::uint8_t>(text[i]); }

bool startsWith(std::string_view text, std::string_view head) { return text.substr(0, head.size()) == head; }

core::Error notText(std::string_view text, std::size_t offset) {
  const Place place = placeOf(text, offset);
  if (text[offset] == '\0') {
    return {tr("The file holds a zero byte at {0}, so it is not JSON text; choose a JSON document.", {placeText(place)})};
  }
  char code[8];
  std::snprintf(code, sizeof code, "%02X", byteAt(text, offset));
  return {tr("Byte {0} at {1} is not UTF-8; save the document as UTF-8.", {code, placeText(place)})};
}

char32_t unitAt(std::string_view bytes, std::size_t at, int width, bool big) {
  char32_t unit = 0;
  for (int i = 0; i < width; ++i) {
    const std::size_t index = at + static_cast<std::size_t>(big ? i : width - 1 - i);
    unit = unit << 8 | byteAt(bytes, index);
  }
  return unit;
}

core::Result<std::string> fromWide(std::string_view bytes, int width, bool big) {
  const std::string name = width == 2 ? "UTF-16" : "UTF-32";
  const auto step = static_cast<std::size_t>(width);
  if (bytes.size() % step != 0) {
    return core::Error{tr("The {0} text ends in the middle of a character; save the document as UTF-8.", {name})};
  }
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    char32_t code = unitAt(bytes, at, width, big);
    if (width == 2 && code >= 0xD800 && code < 0xDC00 && at + 2 * step <= bytes.size()) {
      const char32_t low = unitAt(bytes, at + step, width, big);
      if (low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        at += step;
      }
    }
    if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) {
      return core::Error{tr("The {0} text holds half of a character at {1}; save the document as UTF-8.",
                            {name, placeText(placeOf(text, text.size()))})};
    }
    appendCharacter(text, code);
  }
  return text;
}

core::Check checkUtf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const int length = text[at] == '\0' ? 0 : characterLength(text.substr(at, 4));
    if (length == 0) return notText(text, at);
    at += static_cast<std::size_t>(length);
  }
  return {};
}

}  // namespace

std::string placeText(Place place) {
  return tr("line {0}, column {1}", {place.line, place.column});
}

Place placeOf(std::string_view text, std::size_t offset) {
  Place place;
  for (std::size_t i = 0; i < offset && i < text.size(); ++i) {
    if (text[i] == '\n') {
      ++place.line;
      place.column = 1;
    } else if ((byteAt(text, i) & 0xC0) != 0x80) {
      ++place.column;
    }
  }
  return place;
}

core::Result<std::string> decodeText(std::string_view bytes) {
  using namespace std::string_view_literals;
  core::Result<std::string> text = std::string();
  // The UTF-32 mark opens with the UTF-16 one, so it is asked for first.
  if (startsWith(bytes, "\xFF\xFE\0\0"sv)) text = fromWide(bytes.substr(4), 4, false);
  else if (startsWith(bytes, "\0\0\xFE\xFF"sv)) text = fromWide(bytes.substr(4), 4, true);
  else if (startsWith(bytes, "\xFF\xFE"sv)) text = fromWide(bytes.substr(2), 2, false);
  else if (startsWith(bytes, "\xFE\xFF"sv)) text = fromWide(bytes.substr(2), 2, true);
  else text = std::string(bytes.substr(startsWith(bytes, "\xEF\xBB\xBF"sv) ? 3 : 0));
  if (!text) return text;
  if (core::Check wrong = checkUtf8(text.value())) return *wrong;
  return text;
}

int characterLength(std::string_view text) {
  if (text.empty()) return 0;
  const std::uint8_t lead = byteAt(text, 0);
  if (lead < 0x80) return 1;
  const int length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < static_cast<std::size_t>(length)) return 0;
  for (int i = 1; i < length; ++i) {
    if ((byteAt(text, static_cast<std::size_t>(i)) & 0xC0) != 0x80) return 0;
  }
  const std::uint8_t second = byteAt(text, 1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool surrogate = lead == 0xED && second >= 0xA0;
  const bool beyond = lead == 0xF4 && second >= 0x90;
  return overlong || surrogate || beyond ? 0 : length;
}

char32_t characterAt(std::string_view text, int length) {
  if (length == 1) return byteAt(text, 0);
  char32_t code = byteAt(text, 0) & (0x7Fu >> length);
  for (int i = 1; i < length; ++i) code = code << 6 | (byteAt(text, static_cast<std::size_t>(i)) & 0x3Fu);
  return code;
}

void appendCharacter(std::string& text, char32_t code) {
  const auto add = [&text](char32_t byte) { text += static_cast<char>(static_cast<std::uint8_t>(byte)); };
  if (code < 0x80) {
    add(code);
  } else if (code < 0x800) {
    add(0xC0 | code >> 6);
    add(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    add(0xE0 | code >> 12);
    add(0x80 | (code >> 6 & 0x3F));
    add(0x80 | (code & 0x3F));
  } else {
    add(0xF0 | code >> 18);
    add(0x80 | (code >> 12 & 0x3F));
    add(0x80 | (code >> 6 & 0x3F));
    add(0x80 | (code & 0x3F));
  }
}

std::string labelText(std::string_view bytes, std::size_t most) {
  constexpr std::string_view kCut = "…";
  std::string label;
  std::size_t uncut = 0;  // bytes of the label that leave room for the mark
  for (std::size_t at = 0; at < bytes.size();) {
    const int length = characterLength(bytes.substr(at, 4));
    char32_t code = length == 0 ? 0xFFFD : characterAt(bytes.substr(at), length);
    if (code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029) code = 0xFFFD;
    appendCharacter(label, code);
    at += static_cast<std::size_t>(length == 0 ? 1 : length);
    if (label.size() > most) {
      label.resize(uncut);
      return label.append(most < kCut.size() ? "" : kCut);
    }
    if (label.size() + kCut.size() <= most) uncut = label.size();
  }
  return label;
}

}  // namespace attn::io
