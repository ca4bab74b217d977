// The tree is built from the events of RapidJSON's reader, which keeps its own stack on the heap: no depth of nesting
// can overflow ours.
#include "io/json.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "core/language.h"
#include "io/foreign.h"
#include "io/json_stream.h"

namespace attn::io {
namespace {

namespace rj = rapidjson;

// Reported offsets only grow, so counting goes on from the last one.
class PlaceCounter {
 public:
  explicit PlaceCounter(std::string_view text) : text_(text) {}
  Place at(std::size_t offset) {
    const Place step = placeOf(text_.substr(from_), offset - from_);
    place_.column = step.line == 1 ? place_.column + step.column - 1 : step.column;
    place_.line += step.line - 1;
    from_ = offset;
    return place_;
  }

 private:
  std::string_view text_;
  std::size_t from_ = 0;
  Place place_;
};

class TreeBuilder {
 public:
  TreeBuilder(const TextStream& stream, const JsonLimits& limits)
      : stream_(stream), limits_(limits), places_(stream.text) {}

  bool Null() { return add({std::monostate(), start()}); }
  bool Bool(bool flag) {
    if (append<Json::Flags>(flag)) return counted(numbers_, limits_.numbers);
    return add({flag, start()});
  }
  // The reader has checked the spelling. Its value may be off in the last bits, and its exact mode meets undefined
  // behaviour in long runs of zeros, so the digits are read again.
  bool Double(double number) {
    if (const char last = stream_.text[stream_.offset - 1]; last >= '0' && last <= '9') {
      number = std::strtod(stream_.text.data() + begin(), nullptr);
      if (std::isinf(number)) {
        return fail(tr("Not JSON at {0}: {1}.", {placeText(start()), tr(kNumberTooBig)}));
      }
    }
    if (append<Json::Numbers>(number)) return counted(numbers_, limits_.numbers);
    return add({number, start()});
  }
  bool Int(int number) { return Double(number); }
  bool Uint(unsigned number) { return Double(number); }
  bool Int64(std::int64_t number) { return Double(static_cast<double>(number)); }
  bool Uint64(std::uint64_t number) { return Double(static_cast<double>(number)); }
  bool RawNumber(const char*, rj::SizeType, bool) { return false; }
  bool String(const char* text, rj::SizeType length, bool) {
    return add({withRawBytes({text, length}), start()});
  }
  bool Key(const char* text, rj::SizeType length, bool) {
    const Place place = start();
    std::get<Json::Members>(open_.back().value).push_back({withRawBytes({text, length}), place, {}});
    return true;
  }
  // The reader reports brackets before it takes them, everything else after.
  bool StartObject() { return open({Json::Members(), start()}); }
  bool StartArray() { return open({Json::Items(), start()}); }
  bool EndObject(rj::SizeType) { return uniqueNames() && close(); }
  bool EndArray(rj::SizeType) { return close(); }

  core::Check failure;
  Json root;

 private:
  // Where the value that the reader has just read begins: after what separates it from the one before.
  std::size_t begin() const {
    std::size_t at = end_;
    while (at < stream_.offset && std::string_view(" \t\r\n,:").find(stream_.text[at]) != std::string_view::npos) ++at;
    return at;
  }

  Place start() {
    const std::size_t at = begin();
    end_ = stream_.offset;
    return places_.at(at);
  }

  bool fail(std::string message) {
    failure = core::Error{std::move(message)};
    return false;
  }

  bool counted(std::size_t& count, std::size_t limit) {
    if (++count <= limit) return true;
    return fail(tr("The document holds more than {0} values by {1}; open a smaller one.",
                   {limit, placeText(placeOf(stream_.text, stream_.offset))}));
  }

  // True when the innermost list is compact and takes the element: the bulk of a document, so no place is counted.
  template <class List, class Element>
  bool append(Element element) {
    if (open_.empty()) return false;
    Json& list = open_.back();
    if (const auto* items = std::get_if<Json::Items>(&list.value); items && items->empty()) list.value = List();
    auto* compact = std::get_if<List>(&list.value);
    if (compact) {
      compact->push_back(element);
      end_ = stream_.offset;
    }
    return compact != nullptr;
  }

  // A list that turns out to be mixed: its elements so far become values of their own, all at the place of the list.
  template <class List>
  void spill(Json& list) {
    const auto* compact = std::get_if<List>(&list.value);
    if (!compact) return;
    Json::Items items;
    for (auto element : *compact) items.push_back({typename List::value_type(element), list.place});
    list.value = std::move(items);
  }

  bool add(Json value) {
    if (!counted(values_, limits_.values)) return false;
    place(std::move(value));
    return true;
  }

  void place(Json value) {
    if (open_.empty()) {
      root = std::move(value);
    } else if (auto* members = std::get_if<Json::Members>(&open_.back().value)) {
      members->back().value = std::move(value);
    } else {
      spill<Json::Numbers>(open_.back());
      spill<Json::Flags>(open_.back());
      std::get<Json::Items>(open_.back().value).push_back(std::move(value));
    }
  }

  bool open(Json value) {
    if (!counted(values_, limits_.values)) return false;
    if (open_.size() == limits_.depth) {
      return fail(tr("More than {0} lists stand inside each other at {1}; a matrix is a list of lists of numbers.",
                     {limits_.depth, placeText(value.place)}));
    }
    open_.push_back(std::move(value));
    end_ = stream_.offset + 1;
    return true;
  }

  bool close() {
    end_ = stream_.offset + 1;
    Json done = std::move(open_.back());
    open_.pop_back();
    place(std::move(done));
    return true;
  }

  bool uniqueNames() {
    const auto& members = std::get<Json::Members>(open_.back().value);
    std::vector<const JsonMember*> sorted;
    for (const JsonMember& member : members) sorted.push_back(&member);
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end(),
                                          [](const auto* a, const auto* b) { return a->name == b->name; });
    if (twice == sorted.end()) return true;
    return fail(tr("`{0}` stands twice, at {1} and at {2}; keep one of them.",
                   {(*twice)->name, placeText((*twice)->place), placeText(twice[1]->place)}));
  }

  const TextStream& stream_;
  const JsonLimits& limits_;
  PlaceCounter places_;
  std::size_t end_ = 0;
  std::size_t numbers_ = 0, values_ = 0;
  std::vector<Json> open_;
};

// RapidJSON refuses a high surrogate alone, which is how a half of a split emoji is escaped; its bytes pass.
void replaceLoneHighSurrogates(std::string& text) {
  std::string out;
  std::size_t done = 0;
  for (std::size_t at = text.find('\\'); at != std::string::npos; at = text.find('\\', at)) {
    const int unit = unitAt(text, at);
    const bool high = unit >= 0xD800 && unit < 0xDC00;
    const int next = high ? unitAt(text, at + 6) : -1;
    const bool pair = next >= 0xDC00 && next < 0xE000;
    if (high && !pair) {
      out.append(text, done, at - done);
      appendCharacter(out, static_cast<char32_t>(unit));
      done = at + 6;
    }
    at += high ? (pair ? 12 : 6) : 2;
  }
  if (done > 0) text = out.append(text, done);
}

// The name of `"name":value`, whose letters may be escaped; "" when there is none.
std::string memberName(std::string_view member) {
  std::size_t end = 1;
  while (end < member.size() && member[end] != '"') end += member[end] == '\\' ? 2 : 1;
  if (end >= member.size()) return "";
  const core::Result<Json> name = parseJson(member.substr(0, end + 1));
  const auto* text = name ? name.value().as<std::string>() : nullptr;
  return text ? *text : "";
}

}  // namespace

bool Json::isList() const { return as<Items>() || as<Numbers>() || as<Flags>(); }

std::size_t Json::size() const {
  if (const auto* items = as<Items>()) return items->size();
  if (const auto* numbers = as<Numbers>()) return numbers->size();
  if (const auto* flags = as<Flags>()) return flags->size();
  if (const auto* members = as<Members>()) return members->size();
  return 0;
}

const Json* Json::find(std::string_view name) const {
  if (const auto* members = as<Members>()) {
    for (const JsonMember& member : *members) {
      if (member.name == name) return &member.value;
    }
  }
  return nullptr;
}

std::string Json::kindText() const {
  constexpr std::string_view kKinds[] = {"null", trLater("true or false"), trLater("a number"), trLater("a text"),
                                         trLater("a list of numbers"), trLater("a list of true and false"),
                                         trLater("a list"), trLater("an object")};
  return isList() && size() == 0 ? tr("an empty list") : tr(kKinds[value.index()]);
}

core::Result<Json> parseJson(std::string_view bytes, const JsonLimits& limits) {
  if (bytes.size() > limits.bytes) {
    return core::Error{tr("The document has {0} bytes, more than the limit of {1}; open a smaller one.",
                          {bytes.size(), limits.bytes})};
  }
  if (const std::string format = foreignFormat(bytes); !format.empty()) {
    return core::Error{tr("This is {0}, which is not supported yet; convert it to an example document in JSON.",
                          {format})};
  }
  core::Result<std::string> text = decodeText(bytes);
  if (!text) return text.error();
  replaceLoneHighSurrogates(text.value());
  TextStream stream{text.value()};
  TreeBuilder builder(stream, limits);
  rj::Reader reader;
  constexpr unsigned kFlags = rj::kParseIterativeFlag | rj::kParseNanAndInfFlag;
  const rj::ParseResult outcome = reader.Parse<kFlags>(stream, builder);
  if (builder.failure) return *builder.failure;
  if (outcome.IsError()) {
    const Place place = placeOf(text.value(), outcome.Offset());
    return core::Error{tr("Not JSON at {0}: {1}.",
                          {placeText(place), syntaxText(text.value(), outcome.Offset(), outcome.Code())})};
  }
  return std::move(builder.root);
}

std::string minifyJson(std::string_view json) {
  core::Result<std::string> text = decodeText(json);
  assert(text.ok());
  std::string out;
  bool quoted = false, escaped = false;
  for (const char c : text.value()) {
    if (quoted) {
      quoted = escaped || c != '"';
      escaped = !escaped && c == '\\';
    } else if (c == '"') {
      quoted = true;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      continue;
    }
    out += c;
  }
  return out;
}

std::string withMember(std::string_view object, std::string_view name, std::string_view value) {
  const std::string member = "\"" + std::string(name) + "\":";
  std::string members;
  const auto add = [&members](std::string_view one) {
    if (!one.empty()) members.append(members.empty() ? "" : ",").append(one);
  };
  const std::string replacement = value.empty() ? "" : member + std::string(value);
  bool replaced = false, quoted = false, escaped = false;
  int depth = 0;
  std::size_t start = 1;
  for (std::size_t i = 0; i < object.size(); ++i) {
    const char c = object[i];
    if (quoted) {
      quoted = escaped || c != '"';
      escaped = !escaped && c == '\\';
      continue;
    }
    if (c == '"') quoted = true;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (!(c == ',' && depth == 1) && depth > 0) continue;
    const std::string_view one = object.substr(start, i - start);
    start = i + 1;
    const bool found = memberName(one) == name;
    add(found ? std::string_view(replacement) : one);
    replaced = replaced || found;
  }
  if (!replaced) add(replacement);
  return "{" + members + "}";
}

}  // namespace attn::io
