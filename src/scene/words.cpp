// Placeholders and conditions.
#include "scene/words.h"

#include <algorithm>
#include <cmath>

#include "core/language.h"
#include "core/number.h"

namespace attn::scene {
namespace {

using core::Index;
using core::Matrix;
using lesson::Param;
using lesson::ParamKind;

constexpr int kDecimals = 4;
constexpr double kLargestPlace = 1e6;
constexpr double kLargestWhole = 1e15;  // beyond it not every whole number is a double

template <class List, class Text>
std::string joined(const List& list, Text text) {
  std::string all;
  for (std::size_t i = 0; i < list.size(); ++i) all += (i ? ", " : "") + text(list[i]);
  return all;
}

// "[2][0]" as {2, 0}; nothing when it is not that.
std::optional<std::vector<std::size_t>> parseIndices(std::string_view text) {
  std::vector<std::size_t> indices;
  while (!text.empty()) {
    const std::size_t end = text.find(']');
    if (text[0] != '[' || end == std::string_view::npos) return std::nullopt;
    const std::optional<double> index = core::parseNumber(text.substr(1, end - 1));
    if (!index || *index < 0 || *index > kLargestPlace || *index != std::floor(*index)) return std::nullopt;
    indices.push_back(static_cast<std::size_t>(*index));
    text.remove_prefix(end + 1);
  }
  return indices;
}

// A value as it was set, "2,0,-1", as words have it: "2, 0, −1".
std::string spaced(const std::string& value) {
  std::string text;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const bool sign = value[i] == '-' && (i == 0 || value[i - 1] == ',');
    text += sign ? "−" : value[i] == ',' ? ", " : std::string(1, value[i]);
  }
  return text;
}

const std::string* optionLabel(const Param& param) {
  for (const lesson::ParamOption& option : param.options) {
    if (option.id == param.value) return &option.label;
  }
  return nullptr;
}

}  // namespace

std::string grouped(double whole) {
  // What stands between two groups of three digits: languages differ. The letters around it are there for translators.
  const std::string example = tr("n,n");
  const std::size_t from = example.find('n') + 1;
  const std::string between = example.substr(from, example.rfind('n') - from);
  std::string digits = std::to_string(static_cast<long long>(std::abs(whole)));
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, between);
  return (whole < 0 ? "−" : "") + digits;
}

void Filler::refuse(std::string_view what, const std::string& sentence) const {
  if (!failure_) failure_ = core::Error{"The words name `" + std::string(what) + "`, " + sentence};
}

const Param* Filler::param(std::string_view name) const {
  const auto found = std::find_if(params_.begin(), params_.end(), [&](const Param& each) { return each.key == name; });
  return found == params_.end() ? nullptr : &*found;
}

const Filler::Value* Filler::result(std::string_view name) const {
  const auto found = std::find_if(results_.begin(), results_.end(), [&](const auto& each) { return each.name == name; });
  return found == results_.end() ? nullptr : &found->value;
}

std::string Filler::fill(std::string_view text) const {
  std::string filled;
  while (!text.empty()) {
    const std::size_t brace = std::min(text.find('{'), text.size());
    filled += text.substr(0, brace);
    text.remove_prefix(brace);
    if (text.empty()) break;
    if (text.substr(0, 2) == "{{") {
      filled += '{';
      text.remove_prefix(2);
      continue;
    }
    const std::size_t end = text.find('}');
    if (end == std::string_view::npos) {
      refuse(text, "which has no closing brace; close it, or write {{ for a brace.");
      break;
    }
    filled += placeholder(text.substr(1, end - 1));
    text.remove_prefix(end + 1);
  }
  return filled;
}

std::string Filler::placeholder(std::string_view inside) const {
  const std::size_t colon = std::min(inside.find(':'), inside.size());
  const std::string_view format = colon < inside.size() ? inside.substr(colon + 1) : std::string_view();
  const std::string_view whole = inside.substr(0, colon);
  const std::size_t bracket = std::min(whole.find('['), whole.size());
  const std::string_view name = whole.substr(0, bracket);
  if (const Value* found = result(name)) {
    if (const auto* list = std::get_if<std::vector<std::string>>(found); list && bracket < whole.size()) {
      const auto indices = parseIndices(whole.substr(bracket));
      if (indices && indices->size() == 1 && indices->front() < list->size()) return (*list)[indices->front()];
    }
    return valueText(*found, whole.substr(bracket), format);
  }
  if (const Param* found = param(whole)) return paramText(*found, format);
  refuse(inside, "which is neither a result nor a param; name one of them.");
  return "";
}

std::string Filler::paramText(const Param& param, std::string_view format) const {
  if (param.kind == ParamKind::kToggle) return param.value == "1" ? tr("on") : tr("off");
  if (const std::string* label = optionLabel(param); label && param.kind == ParamKind::kChoice) return *label;
  const std::optional<double> value = core::parseNumber(param.value);
  if (!format.empty() && value) return numberText(*value, format);
  return param.kind == ParamKind::kText || param.kind == ParamKind::kData ? param.value : spaced(param.value);
}

std::string Filler::valueText(const Value& value, std::string_view indices, std::string_view format) const {
  const auto text = [&](double number) { return numberText(number, format); };
  const auto at = parseIndices(indices);
  if (const auto* matrix = std::get_if<Matrix<double>>(&value); matrix && at && at->size() == 2) {
    const auto i = static_cast<Index>(at->at(0)), j = static_cast<Index>(at->at(1));
    if (i < matrix->rows() && j < matrix->cols()) return text((*matrix)(i, j));
  }
  if (const auto* matrix = std::get_if<Matrix<double>>(&value); matrix && at && at->size() <= 1) {
    std::vector<std::string> rows;
    for (Index i = 0; i < matrix->rows(); ++i) {
      const std::vector<double> row(matrix->row(i).begin(), matrix->row(i).end());
      rows.push_back("[" + joined(row, text) + "]");
    }
    if (at->empty()) return joined(rows, [](const std::string& row) { return row; });
    if (at->front() < rows.size()) return rows[at->front()];
  }
  if (const auto* list = std::get_if<std::vector<double>>(&value); list && at) {
    if (at->empty()) return joined(*list, text);
    if (at->size() == 1 && at->front() < list->size()) return text((*list)[at->front()]);
  }
  if (const auto* texts = std::get_if<std::vector<std::string>>(&value); texts && indices.empty()) {
    return joined(*texts, [](const std::string& each) { return each; });
  }
  if (const auto* number = std::get_if<double>(&value); number && indices.empty()) return text(*number);
  if (const auto* flag = std::get_if<bool>(&value); flag && indices.empty()) return *flag ? tr("true") : tr("false");
  if (const auto* words = std::get_if<std::string>(&value); words && indices.empty()) return *words;
  refuse(indices, "which is no place in that result; count from 0, and give as many as it has dimensions.");
  return "";
}

std::string Filler::numberText(double value, std::string_view format) const {
  const bool whole = value == std::floor(value) && std::abs(value) < kLargestWhole;
  if (format.empty()) return core::fixedText(value, whole ? 0 : kDecimals);
  if (format == "grouped") return whole ? grouped(value) : core::fixedText(value, kDecimals);
  if (format == "exact") return core::exactText(value).value_or(core::fixedText(value, kDecimals));
  if (format.size() == 1 && format[0] >= '0' && format[0] <= '9') return core::fixedText(value, format[0] - '0');
  refuse(format, "which is no way to write a number; use 0 to 9, exact or grouped.");
  return "";
}

bool Filler::flag(std::string_view name) const {
  const Value* found = result(name);
  const bool* value = found ? std::get_if<bool>(found) : nullptr;
  if (!value) refuse(name, "which is not a result that is true or false; set it with Outputs::flag.");
  return value && *value;
}

bool Filler::holds(std::string_view condition) const {
  const std::size_t equals = condition.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    refuse(condition, "which is no condition; write NAME=VALUE or NAME!=VALUE.");
    return false;
  }
  const bool differs = condition[equals - 1] == '!';
  const std::string_view name = condition.substr(0, equals - (differs ? 1 : 0));
  std::string value;
  if (const Value* found = result(name)) {
    const auto* number = std::get_if<double>(found);
    const auto* truth = std::get_if<bool>(found);
    value = number ? core::fullText(*number) : truth ? (*truth ? "true" : "false") : valueText(*found, "", "");
  } else if (const Param* known = param(name)) {
    value = known->value;
  } else {
    refuse(name, "which is neither a result nor a param; name one of them.");
  }
  return (value == condition.substr(equals + 1)) != differs;
}

}  // namespace attn::scene
