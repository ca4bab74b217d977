// See json_stream.h.
#include "io/json_stream.h"

#include <cstdio>

#include "core/language.h"
#include "io/text.h"

namespace attn::io {
namespace {

namespace rj = rapidjson;

std::string codeText(rj::ParseErrorCode code) {
  switch (code) {
    case rj::kParseErrorDocumentEmpty:
      return tr("there is nothing to read; choose a JSON document");
    case rj::kParseErrorDocumentRootNotSingular:
      return tr("something follows the end of the document; remove it");
    case rj::kParseErrorValueInvalid:
      return tr("no value can begin here; write a number, a text in double quotes, a list or an object");
    case rj::kParseErrorObjectMissName:
      return tr("a name in double quotes is missing; add it or remove the comma before");
    case rj::kParseErrorObjectMissColon:
      return tr("a colon is missing after a name; add it");
    case rj::kParseErrorObjectMissCommaOrCurlyBracket:
      return tr("an object goes on without a comma or a closing }; add one");
    case rj::kParseErrorArrayMissCommaOrSquareBracket:
      return tr("a list goes on without a comma or a closing ]; add one");
    case rj::kParseErrorStringUnicodeEscapeInvalidHex:
      return tr("\\u is not followed by four hexadecimal digits; mend it");
    case rj::kParseErrorStringEscapeInvalid:
      return tr("a backslash escapes nothing that JSON knows; write it as two");
    case rj::kParseErrorStringMissQuotationMark:
      return tr("a text has no closing quotation mark; add it");
    case rj::kParseErrorNumberTooBig:
      return tr(kNumberTooBig);
    case rj::kParseErrorNumberMissFraction:
      return tr("a number has no digits after its decimal point; add one");
    case rj::kParseErrorNumberMissExponent:
      return tr("a number has no digits in its exponent; add one");
    default:
      return tr("the text is not JSON; mend it here");
  }
}

int hexValue(std::string_view digits) {
  int value = 0;
  for (const char c : digits) {
    const char lower = c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
    const std::size_t digit = std::string_view("0123456789abcdef").find(lower);
    if (digit == std::string_view::npos) return -1;
    value = value * 16 + static_cast<int>(digit);
  }
  return digits.size() == 4 ? value : -1;
}

}  // namespace

std::string syntaxText(std::string_view text, std::size_t offset, rj::ParseErrorCode code) {
  // The reader has one code for a character that must be escaped and for a wrong escape.
  const unsigned char at = offset < text.size() ? static_cast<unsigned char>(text[offset]) : 0;
  if (code != rj::kParseErrorStringEscapeInvalid || at >= 0x20 || at == 0) return codeText(code);
  char escape[8];
  std::snprintf(escape, sizeof escape, "\\u%04x", at);
  return tr("a text holds a control character or a line end as it is; write it as {0}", {escape});
}

std::string withRawBytes(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == '\xED' && i + 2 < text.size() && (text[i + 1] == '\xB2' || text[i + 1] == '\xB3');
    if (!escaped) {
      out += text[i];
      continue;
    }
    const char32_t code = characterAt(text.substr(i, 3), 3);
    out += static_cast<char>(static_cast<unsigned char>(code - 0xDC00));
    i += 2;
  }
  return out;
}

int unitAt(std::string_view text, std::size_t at) {
  return text.substr(at, 2) == "\\u" ? hexValue(text.substr(at + 2, 4)) : -1;
}

bool loneHighSurrogateAt(std::string_view text, std::size_t at) {
  const int unit = unitAt(text, at);
  if (unit < 0xD800 || unit >= 0xDC00) return false;
  const int next = unitAt(text, at + 6);
  return next < 0xDC00 || next >= 0xE000;
}

}  // namespace attn::io
