// Escapes and separators of JSON text.
#include "io/json_writer.h"

#include <cmath>
#include <cstdio>

#include "core/number.h"
#include "io/text.h"

namespace attn::io {
namespace {

void appendEscape(std::string& out, unsigned unit) {
  char escape[8];
  std::snprintf(escape, sizeof escape, "\\u%04x", unit);
  out += escape;
}

// A surrogate alone, kept as three bytes ED A0 80 to ED BF BF, whose escape is read back as these bytes: a high one
// would make a pair with an escape behind it, and DC80 to DCFF stand for single bytes.
bool isSurrogate(std::string_view text) {
  if (text.size() < 3 || text[0] != '\xED' || (text[1] & 0xE0) != 0xA0 || (text[2] & 0xC0) != 0x80) return false;
  const char32_t code = characterAt(text, 3);
  if (code < 0xDC00) return text.size() == 3 || characterLength(text.substr(3)) > 0;
  return code < 0xDC80 || code > 0xDCFF;
}

}  // namespace

void JsonWriter::separate() {
  if (!first_) out_ += ',';
  first_ = false;
}

JsonWriter& JsonWriter::begin(char bracket) {
  separate();
  out_ += bracket;
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::end(char bracket) {
  out_ += bracket;
  first_ = false;
  return *this;
}

JsonWriter& JsonWriter::name(std::string_view name) {
  text(name);
  out_ += ':';
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::text(std::string_view value) {
  separate();
  out_ += '"';
  while (!value.empty()) {
    int length = characterLength(value);
    const auto byte = static_cast<unsigned char>(value[0]);
    if (length == 0 && isSurrogate(value)) {
      appendEscape(out_, characterAt(value, 3));
      length = 3;
    } else if (length == 0) {
      appendEscape(out_, 0xDC00u + byte);
      length = 1;
    } else if (byte == '"' || byte == '\\') {
      out_ += '\\';
      out_ += value[0];
    } else if (byte < 0x20 || byte == 0x7F) {
      appendEscape(out_, byte);
    } else {
      out_.append(value, 0, static_cast<std::size_t>(length));
    }
    value.remove_prefix(static_cast<std::size_t>(length));
  }
  out_ += '"';
  return *this;
}

JsonWriter& JsonWriter::number(double value) {
  if (!std::isfinite(value)) return text(core::machineText(value));
  separate();
  out_ += core::machineText(value);
  return *this;
}

JsonWriter& JsonWriter::flag(bool value) {
  separate();
  out_ += value ? "true" : "false";
  return *this;
}

}  // namespace attn::io
