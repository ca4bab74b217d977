// RapidJSON's events, told to NestedLists. All numbers are counted before one is read, so that memory is taken once.
#include "io/json_arrays.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>

#include "core/language.h"
#include "io/decimal.h"
#include "io/json_stream.h"
#include "io/label.h"
#include "io/nested_lists.h"
#include "io/source_text.h"
#include "io/text.h"

namespace attn::io {
namespace {

namespace rj = rapidjson;

// RapidJSON puts a text together in memory of its own, which cannot be refused.
constexpr std::size_t kLongestJsonText = std::size_t(1) << 20;

// Goes over the text once: how many numbers and words it has, and how long its longest text is. Halves of characters
// become U+FFFD, which is as long.
class JsonSurvey {
 public:
  explicit JsonSurvey(std::span<char> text) : text_(text) {
    bool after_separator = true;
    for (at_ = 0; at_ < text.size(); ++at_) {
      const char c = text[at_];
      if (c == '"') {
        quoted();
        after_separator = true;
      } else if (c == ',' || c == ':' || c == '[' || c == ']' || c == '{' || c == '}' || c == ' ' || c == '\t' ||
                 c == '\r' || c == '\n') {
        after_separator = true;
      } else {
        numbers += after_separator;
        after_separator = false;
      }
    }
  }

  std::uint64_t numbers = 0;
  std::size_t longest = 0, longest_at = 0;

 private:
  // From one quotation mark to the other.
  void quoted() {
    const std::size_t begin = at_++;
    const std::string_view text(text_.data(), text_.size());
    for (; at_ < text.size() && text[at_] != '"'; ++at_) {
      if (text[at_] != '\\') continue;
      const int unit = unitAt(text, at_);
      if (loneHighSurrogateAt(text, at_)) std::copy_n("fffd", 4, text_.data() + at_ + 2);
      at_ += unit < 0 ? 1 : unit >= 0xD800 && unit < 0xDC00 && unitAt(text, at_ + 6) >= 0xDC00 ? 11 : 5;
    }
    if (at_ - begin > longest) longest = at_ - begin, longest_at = begin;
  }

  std::span<char> text_;
  std::size_t at_ = 0;
};

// Hands on what RapidJSON reports: brackets before it takes them, everything else after.
class Events {
 public:
  Events(const TextStream& stream, NestedLists& lists, std::string_view file_name)
      : stream_(stream), lists_(lists), file_name_(file_name) {}

  bool Null() { return lists_.nothing(step()); }
  bool Bool(bool flag) { return lists_.flag(flag, step()); }
  // The reader has checked the spelling; its value may be off in the last bits.
  bool Double(double value) {
    std::size_t at = step();
    if (const char last = stream_.text[end_ - 1]; last >= '0' && last <= '9') {
      while (std::string_view(" \t\r\n,:").find(stream_.text[at]) != std::string_view::npos) ++at;
      value = decimalValue(stream_.text.substr(at, end_ - at));
      if (std::isinf(value)) return lists_.fail(notJson(at, tr(kNumberTooBig)));
    }
    return lists_.number(value, at);
  }
  bool Int(int value) { return lists_.number(value, step()); }
  bool Uint(unsigned value) { return lists_.number(value, step()); }
  bool Int64(std::int64_t value) { return lists_.number(static_cast<double>(value), step()); }
  bool Uint64(std::uint64_t value) { return lists_.number(static_cast<double>(value), step()); }
  bool RawNumber(const char*, rj::SizeType, bool) { return false; }
  bool String(const char* text, rj::SizeType length, bool) {
    return lists_.text(withRawBytes({text, length}), step());
  }
  bool Key(const char* text, rj::SizeType length, bool) {
    const std::string_view name(text, length);
    if (lists_.depth() == 1 && name == "attnscope") {
      return lists_.fail(tr("{0} is an example document of this program, with `attnscope` at {1}; open it as an "
                            "example.", {ticked(file_name_), lists_.place(end_)}));
    }
    return lists_.key(labelText(withRawBytes(name), NestedLists::kLongestName + 1), step());
  }
  bool StartObject() { return lists_.openObject(bracket()); }
  bool EndObject(rj::SizeType) { return bracket(), lists_.closeObject(); }
  bool StartArray() { return lists_.openList(bracket()); }
  bool EndArray(rj::SizeType) { return bracket(), lists_.closeList(); }

  std::string notJson(std::size_t at, const std::string& what) const {
    return tr("{0} is not JSON at {1}: {2}.", {ticked(file_name_), placeText(placeOf(stream_.text, at)), what});
  }

 private:
  // The end of the value before.
  std::size_t step() { return std::exchange(end_, stream_.offset); }
  std::size_t bracket() {
    end_ = stream_.offset + 1;
    return stream_.offset;
  }

  const TextStream& stream_;
  NestedLists& lists_;
  std::string_view file_name_;
  std::size_t end_ = 0;
};

}  // namespace

core::Result<ArrayFile> readJsonArrays(const ByteSource& source, std::string_view file_name, const ArrayLimits& limits) {
  core::Result<SourceText> read = readText(source, file_name, limits.held);
  if (!read) return read.error();
  const JsonSurvey survey(read.value().chars());
  const std::string_view text = read.value().text();
  if (survey.longest > kLongestJsonText) {
    return core::Error{tr("A text of {0} has {1} at {2}, more than the limit of {3}; shorten it, or leave it out.",
                          {ticked(file_name), core::bytesText(survey.longest),
                           placeText(placeOf(text, survey.longest_at)), core::bytesText(kLongestJsonText)})};
  }
  NestedLists lists(text, file_name, limits);
  if (core::Check none = lists.reserve(survey.numbers)) return *none;
  TextStream stream{text};
  Events events(stream, lists, file_name);
  rj::Reader reader;
  constexpr unsigned kFlags = rj::kParseIterativeFlag | rj::kParseNanAndInfFlag;
  const rj::ParseResult outcome = reader.Parse<kFlags>(stream, events);
  if (lists.failure()) return *lists.failure();
  if (outcome.IsError()) {
    return core::Error{events.notJson(outcome.Offset(), syntaxText(text, outcome.Offset(), outcome.Code()))};
  }
  return lists.finish("JSON", stemOf(file_name, "array"));
}

}  // namespace attn::io
