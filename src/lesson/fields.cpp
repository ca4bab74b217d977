// Typed reading of JSON fields: kinds, lengths of rows, and sentences about them.
#include "lesson/fields.h"

#include <algorithm>
#include <cmath>

#include "core/language.h"
#include "core/number.h"

namespace attn::lesson {
namespace {

using io::Json;

// What a list is that should have held numbers only.
std::string listText(const Json& list) {
  return list.size() == 0 ? tr("an empty list") : tr("a list of something other than numbers");
}

// How many lists stand inside each other at the first element: 1 for a vector, 2 for a matrix, 3 for a list of them.
int depthOf(const Json& value) {
  if (!value.isList()) return 0;
  const auto* items = value.as<Json::Items>();
  return 1 + (items && !items->empty() ? depthOf(items->front()) : 0);
}

// Entry h of a list of matrices is named wq[h].
std::string indexed(std::string_view name, std::size_t index) {
  return std::string(name) + "[" + std::to_string(index) + "]";
}

// The first row whose length differs from row 0, or the number of rows.
template <class Length>
std::size_t raggedRow(std::size_t rows, Length length) {
  std::size_t row = 1;
  while (row < rows && length(row) == length(0)) ++row;
  return std::min(row, rows);
}

// counted: "{0} {0|number|numbers}".
std::string raggedText(std::size_t row, std::size_t has, std::size_t first, std::string_view counted) {
  return tr("is ragged: row {0} has {1}, row 0 has {2}; make all rows equally long", {row, tr(counted, {has}), first});
}

}  // namespace

std::string Fields::fullName(std::string_view name) const {
  std::string full = "`" + path_;
  if (!path_.empty()) full += '.';
  return full.append(name) + "`";
}

void Fields::refuse(std::string_view name, const Json& value, const std::string& sentence) {
  if (failure_) return;
  const std::string text = tr("{0} at {1} {2}", {fullName(name), io::placeText(value.place), sentence});
  failure_ = core::Error{text.back() == '.' ? text : text + "."};
}

void Fields::expected(std::string_view name, const Json& value, const std::string& what) {
  refuse(name, value, tr("is {0}; write {1}", {value.kindText(), what}));
}

void Fields::onlyKnown(std::initializer_list<std::string_view> names) {
  const auto* members = object_.as<Json::Members>();
  if (failure_ || !members) return;
  for (const io::JsonMember& member : *members) {
    if (std::find(names.begin(), names.end(), member.name) != names.end()) continue;
    std::string known;
    for (const std::string_view name : names) known += (known.empty() ? "" : ", ") + std::string(name);
    failure_ = core::Error{tr("There is no field {0}, found at {1}; the fields here are {2}.",
                              {fullName(member.name), io::placeText(member.place), known})};
    return;
  }
}

void Fields::text(std::string_view name, std::string& out) {
  const Json* value = find(name);
  if (!value) return;
  const auto* text = value->as<std::string>();
  if (!text) return expected(name, *value, tr("a text in quotes"));
  out = *text;
}

void Fields::texts(std::string_view name, std::vector<std::string>& out) {
  const Json* value = find(name);
  if (!value) return;
  if (value->isList() && value->size() == 0) return refuse(name, *value, tr("is an empty list; write at least one text"));
  const auto* items = value->as<Json::Items>();
  if (!items) return expected(name, *value, tr("a list of texts"));
  for (std::size_t i = 0; i < items->size(); ++i) {
    const auto* text = (*items)[i].as<std::string>();
    if (!text) return expected(indexed(name, i), (*items)[i], tr("a text in quotes"));
    out.push_back(*text);
  }
}

void Fields::flag(std::string_view name, bool& out) {
  const Json* value = find(name);
  if (!value) return;
  const auto* flag = value->as<bool>();
  if (!flag) return expected(name, *value, tr("true or false"));
  out = *flag;
}

void Fields::flags(std::string_view name, std::vector<bool>& out) {
  const Json* value = find(name);
  if (!value) return;
  const auto* flags = value->as<Json::Flags>();
  if (!flags) return expected(name, *value, tr("a list of true and false, one for each source"));
  out = *flags;
}

void Fields::flagRows(std::string_view name, std::vector<std::vector<bool>>& out) {
  const Json* value = find(name);
  if (!value) return;
  const auto* rows = value->as<Json::Items>();
  if (!rows || rows->empty()) return expected(name, *value, tr("a list of rows of true and false"));
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const auto* row = (*rows)[i].as<Json::Flags>();
    if (!row) return expected(indexed(name, i), (*rows)[i], tr("a row of true and false"));
    out.push_back(*row);
  }
  const std::size_t odd = raggedRow(out.size(), [&out](std::size_t i) { return out[i].size(); });
  if (odd == out.size()) return;
  refuse(name, *value, raggedText(odd, out[odd].size(), out[0].size(), trLater("{0} {0|entry|entries}")));
}

void Fields::integer(std::string_view name, core::Index& out) {
  const Json* value = find(name);
  if (!value) return;
  const auto* number = value->as<double>();
  constexpr double kLargest = 9007199254740992.0;  // every whole number up to here is a double
  if (!number) return expected(name, *value, tr("a whole number"));
  if (!(std::abs(*number) <= kLargest) || *number != std::floor(*number)) {
    return refuse(name, *value, tr("is {0}; write a whole number", {core::fullText(*number)}));
  }
  out = static_cast<core::Index>(*number);
}

void Fields::number(std::string_view name, std::optional<double>& out) {
  const Json* value = find(name);
  if (!value) return;
  const auto* number = value->as<double>();
  if (!number) return expected(name, *value, tr("a number"));
  if (!std::isfinite(*number)) {
    return refuse(name, *value, tr("is {0}; write a finite number", {core::fullText(*number)}));
  }
  out = *number;
}

void Fields::numberOrList(std::string_view name, std::vector<double>& out) {
  const Json* value = find(name);
  if (!value) return;
  std::optional<double> one;
  if (!value->isList()) {
    number(name, one);
    if (one) out = {*one};
    return;
  }
  const auto* list = value->as<Json::Numbers>();
  if (!list) {
    return refuse(name, *value, tr("is {0}; write one number, or one for each head", {listText(*value)}));
  }
  out = *list;
}

bool Fields::readVector(std::string_view name, const Json& value, Vector& out) {
  const auto* numbers = value.as<Json::Numbers>();
  if (!numbers) {
    expected(name, value, tr("a list of numbers"));
    return false;
  }
  out = Eigen::Map<const Vector>(numbers->data(), static_cast<core::Index>(numbers->size()));
  return true;
}

bool Fields::readMatrix(std::string_view name, const Json& value, Matrix& out) {
  const auto* rows = value.as<Json::Items>();
  if (!rows || rows->empty()) {
    expected(name, value, tr("a matrix: a list of rows, each a list of numbers"));
    return false;
  }
  for (std::size_t i = 0; i < rows->size(); ++i) {
    if ((*rows)[i].as<Json::Numbers>()) continue;
    const std::string found = (*rows)[i].isList() ? listText((*rows)[i]) : (*rows)[i].kindText();
    refuse(indexed(name, i), (*rows)[i], tr("is {0}; write a row: a list of numbers", {found}));
    return false;
  }
  const auto row = [rows](std::size_t i) { return (*rows)[i].as<Json::Numbers>(); };
  const std::size_t odd = raggedRow(rows->size(), [&row](std::size_t i) { return row(i)->size(); });
  if (odd < rows->size()) {
    refuse(name, value, raggedText(odd, row(odd)->size(), row(0)->size(), trLater("{0} {0|number|numbers}")));
    return false;
  }
  out.resize(static_cast<core::Index>(rows->size()), static_cast<core::Index>(row(0)->size()));
  for (std::size_t i = 0; i < rows->size(); ++i) {
    out.row(static_cast<core::Index>(i)) = Eigen::Map<const Vector>(row(i)->data(), out.cols());
  }
  return true;
}

void Fields::vector(std::string_view name, std::optional<Vector>& out) {
  const Json* value = find(name);
  Vector vector;
  if (value && readVector(name, *value, vector)) out = std::move(vector);
}

void Fields::vectorOrList(std::string_view name, std::vector<Vector>& out) {
  const Json* value = find(name);
  if (!value) return;
  Vector vector;
  if (depthOf(*value) < 2) {
    if (readVector(name, *value, vector)) out.push_back(std::move(vector));
    return;
  }
  const auto& items = *value->as<Json::Items>();
  for (std::size_t i = 0; i < items.size() && readVector(indexed(name, i), items[i], vector); ++i) {
    out.push_back(std::move(vector));
  }
}

void Fields::matrix(std::string_view name, std::optional<Matrix>& out) {
  const Json* value = find(name);
  Matrix matrix;
  if (value && readMatrix(name, *value, matrix)) out = std::move(matrix);
}

void Fields::matrixOrList(std::string_view name, std::vector<Matrix>& out) {
  const Json* value = find(name);
  if (!value) return;
  Matrix matrix;
  if (depthOf(*value) < 3) {
    if (readMatrix(name, *value, matrix)) out.push_back(std::move(matrix));
    return;
  }
  const auto& items = *value->as<Json::Items>();
  for (std::size_t i = 0; i < items.size() && readMatrix(indexed(name, i), items[i], matrix); ++i) {
    out.push_back(std::move(matrix));
  }
}

}  // namespace attn::lesson
