// A page read back from its JSON. Knows how values are written, not which fields there are.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/language.h"
#include "core/names.h"
#include "io/json.h"
#include "lesson/page_fields.h"
#include "lesson/page_json.h"

namespace attn::lesson {
namespace {

using io::Json;

std::optional<double> numberIn(const Json& json) {
  if (const auto* number = json.as<double>()) return *number;
  const auto* text = json.as<std::string>();
  if (!text) return std::nullopt;
  if (*text == "inf") return std::numeric_limits<double>::infinity();
  if (*text == "-inf") return -std::numeric_limits<double>::infinity();
  if (*text == "nan") return std::numeric_limits<double>::quiet_NaN();
  return std::nullopt;
}

std::optional<Index> wholeIn(double number) {
  // On the web an Index has 32 bits; elsewhere not every whole number above 2^53 is a double.
  constexpr double kLargest = std::min(9007199254740992.0, static_cast<double>(std::numeric_limits<Index>::max()));
  if (!(std::abs(number) <= kLargest) || number != std::floor(number)) return std::nullopt;
  return static_cast<Index>(number);
}

// One object. Every field must be there, and nothing else.
class Reader {
 public:
  static constexpr bool kWrites = false;
  Reader(const Json& object, std::string path, core::Check& failure)
      : object_(object), path_(std::move(path)), failure_(failure) {
    if (!object.isObject()) refuse(path_, tr("is {0} where an object belongs", {object.kindText()}));
  }

  template <class T>
  void operator()(std::string_view name, T& value) {
    if (failure_) return;
    ++read_;
    const std::string path = path_.empty() ? std::string(name) : path_ + "." + std::string(name);
    const Json* json = object_.find(name);
    if (!json) return refuse(path, tr("is missing"));
    if (!read(*json, path, value)) refuse(path, tr("holds {0}, which does not belong there", {json->kindText()}));
  }

  // Called last.
  void end() {
    if (!failure_ && object_.size() != read_) refuse(path_.empty() ? "page" : path_, tr("has a field that no page has"));
  }

 private:
  void refuse(const std::string& path, const std::string& what) {
    if (!failure_) failure_ = core::Error{tr("The page of a scene cannot be read: `{0}` {1}; load it again.", {path, what})};
  }

  bool read(const Json& json, const std::string&, std::string& value) {
    const auto* text = json.as<std::string>();
    if (text) value = *text;
    return text;
  }
  bool read(const Json& json, const std::string&, bool& value) {
    const auto* flag = json.as<bool>();
    if (flag) value = *flag;
    return flag;
  }
  bool read(const Json& json, const std::string&, double& value) {
    const std::optional<double> number = numberIn(json);
    if (number) value = *number;
    return number.has_value();
  }
  bool read(const Json& json, const std::string&, Index& value) {
    const auto* number = json.as<double>();
    const std::optional<Index> whole = number ? wholeIn(*number) : std::nullopt;
    if (whole) value = *whole;
    return whole.has_value();
  }
  bool read(const Json& json, const std::string& path, int& value) {
    Index whole = 0;
    if (!read(json, path, whole) || std::abs(whole) > std::numeric_limits<int>::max()) return false;
    value = static_cast<int>(whole);
    return true;
  }
  bool read(const Json& json, const std::string&, std::pair<Index, Index>& cell) {
    const auto* pair = json.as<Json::Numbers>();
    if (!pair || pair->size() != 2 || !wholeIn((*pair)[0]) || !wholeIn((*pair)[1])) return false;
    cell = {*wholeIn((*pair)[0]), *wholeIn((*pair)[1])};
    return true;
  }
  bool read(const Json& json, const std::string&, std::vector<Index>& list) {
    const auto* numbers = json.as<Json::Numbers>();
    if (!numbers) return isEmptyList(json);
    for (double number : *numbers) {
      if (!wholeIn(number)) return false;
      list.push_back(*wholeIn(number));
    }
    return true;
  }
  bool read(const Json& json, const std::string& path, std::vector<double>& list) {
    if (const auto* numbers = json.as<Json::Numbers>()) {
      list = *numbers;
      return true;
    }
    return readItems(json, path, list);
  }
  template <class T>
  bool read(const Json& json, const std::string& path, std::vector<T>& list) { return readItems(json, path, list); }
  bool read(const Json& json, const std::string& path, Block& block) {
    const Json* type = json.find("type");
    const auto* name = type ? type->as<std::string>() : nullptr;
    for (std::size_t i = 0; name && i < kBlockNames.size(); ++i) {
      if (kBlockNames[i] == *name) return readBlock(json, path, i, block, std::make_index_sequence<kBlockNames.size()>());
    }
    return false;
  }
  template <class T>
  bool read(const Json& json, const std::string& path, T& part) {
    if constexpr (std::is_enum_v<T>) {
      const auto* text = json.as<std::string>();
      const auto value = text ? core::valueNamed<T>(namesOf(part), *text) : std::nullopt;
      if (value) part = *value;
      return value.has_value();
    } else {
      Reader reader(json, path, failure_);
      describe(reader, part);
      reader.end();
      return true;
    }
  }

  static bool isEmptyList(const Json& json) { return json.isList() && json.size() == 0; }

  template <class T>
  bool readItems(const Json& json, const std::string& path, std::vector<T>& list) {
    const auto* items = json.as<Json::Items>();
    if (!items) return false;
    list.resize(items->size());
    for (std::size_t i = 0; i < items->size() && !failure_; ++i) {
      if (!read((*items)[i], path + "[" + std::to_string(i) + "]", list[i])) return false;
    }
    return true;
  }

  template <std::size_t... I>
  bool readBlock(const Json& json, const std::string& path, std::size_t kind, Block& block, std::index_sequence<I...>) {
    (void)((I == kind && (block.content.emplace<I>(), true)) || ...);
    Reader reader(json, path, failure_);
    std::string type;
    reader("type", type);
    reader("beside", block.beside);
    std::visit([&](auto& content) { describe(reader, content); }, block.content);
    reader.end();
    return true;
  }

  const Json& object_;
  std::string path_;
  core::Check& failure_;
  std::size_t read_ = 0;
};

}  // namespace

core::Result<Page> parsePage(std::string_view text) {
  const core::Result<Json> json = io::parseJson(text);
  if (!json) return json.error();
  Page page;
  core::Check failure;
  Reader reader(json.value(), "", failure);
  describe(reader, page);
  reader.end();
  if (!failure) failure = checkPage(page);
  if (failure) return *failure;
  return page;
}

}  // namespace attn::lesson
