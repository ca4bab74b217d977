// The types that can be read, and a sentence for each of those that cannot.
#include "io/npy_type.h"

#include <cassert>
#include <optional>

#include "core/language.h"
#include "io/label.h"
#include "io/text.h"

namespace attn::io {
namespace {

constexpr std::size_t kLongestText = std::size_t(1) << 20;  // bytes of one text

struct Code {
  std::string_view text;
  ElementType type;
};

// Without byte order; the letters alone are NumPy's too.
constexpr Code kCodes[] = {
    {"f2", ElementType::kF16},  {"e", ElementType::kF16},  {"f4", ElementType::kF32}, {"f", ElementType::kF32},
    {"f8", ElementType::kF64},  {"d", ElementType::kF64},  {"b1", ElementType::kBool}, {"?", ElementType::kBool},
    {"i1", ElementType::kI8},   {"b", ElementType::kI8},   {"i2", ElementType::kI16}, {"h", ElementType::kI16},
    {"i4", ElementType::kI32},  {"i", ElementType::kI32},  {"i8", ElementType::kI64}, {"q", ElementType::kI64},
    {"u1", ElementType::kU8},   {"B", ElementType::kU8},   {"u2", ElementType::kU16}, {"H", ElementType::kU16},
    {"u4", ElementType::kU32},  {"I", ElementType::kU32},  {"u8", ElementType::kU64}, {"Q", ElementType::kU64},
    {"V2", ElementType::kBF16}, {"bfloat16", ElementType::kBF16},
};

constexpr ElementType kNamed[] = {ElementType::kBool, ElementType::kI8,  ElementType::kI16, ElementType::kI32,
                                  ElementType::kI64,  ElementType::kU8,  ElementType::kU16, ElementType::kU32,
                                  ElementType::kU64,  ElementType::kF16, ElementType::kF32, ElementType::kF64};

std::optional<ElementType> numberType(std::string_view code, bool ordered) {
  for (const Code& known : kCodes)
    if (known.text == code) return known.type;
  for (const ElementType type : kNamed)
    if (!ordered && typeName(type) == code) return type;
  return std::nullopt;
}

// The number behind the letter: nothing when it is none, or above the limit.
std::optional<std::size_t> countAfter(std::string_view digits, std::size_t most) {
  if (digits.empty()) return std::nullopt;
  std::size_t count = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    count = 10 * count + static_cast<std::size_t>(c - '0');
    if (count > most) return std::nullopt;
  }
  return count;
}

std::string refusalOf(std::string_view text, std::string_view code) {
  if (text.empty()) {
    return tr("Its elements have several fields, and only arrays of numbers or texts are read; save one field.");
  }
  switch (code.empty() ? '\0' : code.front()) {
    case 'O':
      return tr("Its type is {0}, Python objects, which are read only by running them; convert the array with "
                ".astype('float32') before saving.", {ticked(text)});
    case 'c':
    case 'F':
    case 'D':
    case 'G': return tr("Its type is {0}, complex numbers, which are not read; save its .real and .imag.", {ticked(text)});
    case 'M':
    case 'm':
      return tr("Its type is {0}, times, which are not read; convert it with .astype('float32') before saving.",
                {ticked(text)});
    case 'U':
    case 'S':
    case 'a':
      return tr("Its type is {0}, texts of no length or of more than {1}, which are not read; save shorter texts.",
                {ticked(text), core::bytesText(kLongestText)});
    case 'V':
      return tr("Its type is {0}, bytes without a meaning, which are not read; convert it with .astype('float32') "
                "before saving.", {ticked(text)});
    default:
      return tr("Its type is {0}, which is not read; convert it with .astype('float32') before saving.", {ticked(text)});
  }
}

}  // namespace

void applyNpyType(std::string_view text, ArrayInfo& array) {
  std::string_view code = text;
  const bool ordered = !code.empty() && std::string_view("<>=|").find(code.front()) != std::string_view::npos;
  const bool big_endian = ordered && code.front() == '>';
  if (ordered) code.remove_prefix(1);
  const char letter = code.empty() ? '\0' : code.front();
  if (const std::optional<ElementType> type = numberType(code, ordered)) {
    array.type = *type;
    array.element_bytes = typeBytes(*type);
    array.big_endian = big_endian && array.element_bytes > 1;
    if (*type == ElementType::kBF16) array.note = tr("stored as {0}, read as bfloat16", {text});
    return;
  }
  if (letter == 'U' || letter == 'S' || letter == 'a') {
    const std::size_t each = letter == 'U' ? 4 : 1;
    const std::optional<std::size_t> characters = countAfter(code.substr(1), kLongestText / each);
    if (characters && *characters > 0) {
      array.type = ElementType::kText;
      array.wide_text = letter == 'U';
      array.element_bytes = each * *characters;
      array.big_endian = big_endian && array.wide_text;
      return;
    }
  }
  array.unreadable = refusalOf(text, code);
}

std::string npyTypeText(ElementType type, std::size_t characters) {
  if (type == ElementType::kBF16) return "<V2";
  if (type == ElementType::kText) {
    assert(characters > 0);
    return "<U" + std::to_string(characters);
  }
  for (const Code& known : kCodes)
    if (known.type == type) return (typeBytes(type) == 1 ? "|" : "<") + std::string(known.text);
  assert(false);
  return {};
}

}  // namespace attn::io
