// JSON as a tree of plain values that know where they stood. Knows no document format and opens no files.
#pragma once
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/result.h"
#include "io/text.h"

namespace attn::io {

struct JsonMember;

// One value. A list of nothing but numbers, or nothing but true and false, is stored compactly; an empty one is Items.
struct Json {
  using Numbers = std::vector<double>;
  using Flags = std::vector<bool>;
  using Items = std::vector<Json>;
  using Members = std::vector<JsonMember>;

  std::variant<std::monostate, bool, double, std::string, Numbers, Flags, Items, Members> value;
  Place place;

  template <class T>
  const T* as() const { return std::get_if<T>(&value); }

  bool isList() const;
  bool isObject() const { return as<Members>() != nullptr; }
  std::size_t size() const;  // elements of a list, members of an object, otherwise 0
  const Json* find(std::string_view name) const;  // the member of an object; null when absent
  std::string kindText() const;  // "a number", "an empty list", …
};

struct JsonMember {
  std::string name;
  Place place;
  Json value;
};

struct JsonLimits {
  std::size_t bytes = std::size_t(128) << 20;    // of text
  std::size_t numbers = std::size_t(1) << 24;    // elements of compact lists
  std::size_t values = std::size_t(1) << 20;     // everything else
  std::size_t depth = 64;                        // lists and objects inside each other
};

// Reads RFC 8259 and NaN, Infinity, −Infinity, which Python writes. Refuses, with line and column: everything that
// is not JSON, a name that stands twice in one object, and more than the limits.
// A string may hold bytes that are not UTF-8: "\udc80" to "\udcff" alone are the bytes 80 to FF, as in Python's
// surrogateescape, and other lone surrogates are kept as three bytes each.
core::Result<Json> parseJson(std::string_view bytes, const JsonLimits& limits = {});

// The same JSON without white space between its parts, as UTF-8. `json` has been read by parseJson.
std::string minifyJson(std::string_view json);

// The object, as minifyJson gives it, with this member in the place of the one of that name or behind the others; with
// an empty `value` without it. `name` needs no escapes; `value` is JSON.
std::string withMember(std::string_view object, std::string_view name, std::string_view value);

}  // namespace attn::io
