// The grammar of edits. Knows no example: whether a row exists is not asked here.
#include "core/edit.h"

#include <array>
#include <cmath>
#include <utility>

#include "core/language.h"
#include "core/number.h"

namespace attn::core {
namespace {

constexpr std::array kSettable = {Array::kX,  Array::kXSources, Array::kWq,     Array::kWk,  Array::kWv, Array::kWo,
                                  Array::kQ,  Array::kK,        Array::kV,      Array::kScores, Array::kWeights,
                                  Array::kBias};

// What stands behind the "=" of each kind that is not a setting of numbers.
struct EditForm {
  EditKind kind;
  std::string_view name;
  std::string_view rest;
};
constexpr std::array kForms = {
    EditForm{EditKind::kForbid, "forbid", "i,j"},
    EditForm{EditKind::kAllow, "allow", "i,j"},
    EditForm{EditKind::kZeroWeight, "zero-weight", "i,j"},
    EditForm{EditKind::kUniform, "uniform", "h0,i"},
    EditForm{EditKind::kPermute, "permute", "h0,i,seed"},
    EditForm{EditKind::kAblate, "ablate", "h0"},
    EditForm{EditKind::kMeanAblate, "mean-ablate", "h0"},
    EditForm{EditKind::kScale, "scale", "a"},
    EditForm{EditKind::kTemperature, "temperature", "a"},
    EditForm{EditKind::kSoftcap, "softcap", "a"},
    EditForm{EditKind::kSink, "sink", "a"},
    EditForm{EditKind::kAlibi, "alibi", "h0:s,h1:s"},
    EditForm{EditKind::kMask, "mask", trLater("none or mask=causal")},
    EditForm{EditKind::kInsert, "insert", "i,text"},
    EditForm{EditKind::kDelete, "delete", "i"},
    EditForm{EditKind::kMove, "move", "i,j"},
    EditForm{EditKind::kAddHead, "add-head", "h0"},
    EditForm{EditKind::kRemoveHead, "remove-head", "h0"},
    EditForm{EditKind::kKeyWidth, "d_k", "n"},
    EditForm{EditKind::kValueWidth, "d_v", "n"},
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t comma = text.find(',');
    parts.push_back(trimmed(text.substr(0, comma)));
    if (comma == text.npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

// A whole number of at most nine digits without sign.
std::optional<Index> count(std::string_view text) {
  constexpr std::size_t kMostDigits = 9;
  if (text.empty() || text.size() > kMostDigits) return std::nullopt;
  Index value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

std::optional<Index> headNumber(std::string_view text) {
  return text.empty() || text.front() != 'h' ? std::nullopt : count(text.substr(1));
}

// Reads what stands behind the "="; keeps the first complaint.
class EditReader {
 public:
  explicit EditReader(std::string_view text) : text_(text) {}

  Result<Edit> read() {
    if (trimmed(text_).empty()) return Error{tr("An edit is empty; write one such as v[1]=0,0 or forbid=2,1.")};
    const std::size_t equals = text_.find('=');
    if (equals == text_.npos)
      return Error{tr("“{0}” has no “=”; write an edit such as v[1]=0,0 or forbid=2,1.", {shortened(text_)})};
    name_ = trimmed(text_.substr(0, equals));
    rest_ = text_.substr(equals + 1);
    for (const EditForm& form : kForms)
      if (form.name == name_) readForm(form);
    if (!form_) readIndexed();
    if (!problem_.empty()) return Error{problem_};
    return edit_;
  }

 private:
  void complain(std::string sentence) {
    if (problem_.empty()) problem_ = std::move(sentence);
  }

  // token[i]=… and [hN.]NAME[i]…=…
  void readIndexed() {
    std::string_view name = name_;
    const std::size_t dot = name.find('.');
    if (dot != name.npos) {
      edit_.head = headNumber(name.substr(0, dot));
      if (!edit_.head) return unknown();
      name.remove_prefix(dot + 1);
    }
    const std::size_t bracket = name.find('[');
    const std::string_view array = name.substr(0, bracket);
    std::string_view indices = bracket == name.npos ? std::string_view{} : name.substr(bracket);
    const bool token = array == "token" && !edit_.head;
    if (!token && !settable(array)) return unknown();
    edit_.row = index(indices);
    if (!edit_.row)
      return complain(tr("“{0}” does not say which row; write {1}[i], with i counted from 0.", {shortened(text_), array}));
    if (token) {
      edit_.kind = EditKind::kToken;
      edit_.text = rest_;
      if (!indices.empty())
        complain(tr("“{0}” has something behind the position; write token[i]=text.", {shortened(text_)}));
      return;
    }
    edit_.col = indices.empty() ? std::nullopt : index(indices);
    if (!indices.empty()) return complain(tr("“{0}” is not written NAME[i]=a,b,… or NAME[i][j]=a.", {shortened(text_)}));
    edit_.values = numbers();
    if (edit_.col && edit_.values.size() > 1)
      complain(tr("“{0}” gives {1} numbers to one cell; write one.", {shortened(text_), edit_.values.size()}));
  }

  bool settable(std::string_view name) {
    for (const Array array : kSettable) {
      if (arrayName(array) != name) continue;
      edit_.array = array;
      const bool per_head = array != Array::kX && array != Array::kXSources && array != Array::kWo;
      if (edit_.head && !per_head)
        complain(tr("“{0}” names a head, but {1} is not per head; leave out “h{2}.”.",
                    {shortened(text_), name, *edit_.head}));
      return true;
    }
    return false;
  }

  void unknown() { complain(tr("“{0}” is no edit; the forms are {1}.", {shortened(text_), editForms()})); }

  // Takes "[3]" from the front.
  static std::optional<Index> index(std::string_view& text) {
    const std::size_t end = text.find(']');
    if (text.empty() || text.front() != '[' || end == text.npos) return std::nullopt;
    const auto value = count(trimmed(text.substr(1, end - 1)));
    if (value) text.remove_prefix(end + 1);
    return value;
  }

  double number(std::string_view text) {
    const auto value = parseNumber(text);
    if (!value)
      complain(trimmed(text).empty()
                   ? tr("“{0}” holds an empty number; write a decimal, p/q, sqrt(n), ln(n) or a product of these.",
                        {shortened(text_)})
                   : tr("“{0}” holds “{1}”, which is no finite number; write a decimal, p/q, sqrt(n), ln(n) or a product "
                        "of these.", {shortened(text_), shortened(trimmed(text))}));
    return value.value_or(0);
  }

  std::vector<double> numbers() {
    std::vector<double> all;
    for (const std::string_view part : split(rest_)) all.push_back(number(part));
    return all;
  }

  void readForm(const EditForm& form) {
    form_ = &form;
    edit_.kind = form.kind;
    switch (form.kind) {
      case EditKind::kForbid: case EditKind::kAllow: case EditKind::kZeroWeight: return readCell();
      case EditKind::kUniform: case EditKind::kPermute: case EditKind::kAblate: case EditKind::kMeanAblate:
      case EditKind::kAddHead: case EditKind::kRemoveHead:
        return readHead();
      case EditKind::kAlibi: return readSlopes();
      case EditKind::kMask:
        edit_.causal = trimmed(rest_) == "causal";
        if (!edit_.causal && trimmed(rest_) != "none") wrong();
        return;
      case EditKind::kInsert: return readInsert();
      case EditKind::kDelete: case EditKind::kMove: case EditKind::kKeyWidth: case EditKind::kValueWidth:
        return readCounts();
      default: return readRule();
    }
  }

  void wrong() { complain(tr("“{0}” is not written {1}={2}.", {shortened(text_), form_->name, tr(form_->rest)})); }

  void readCell() {
    const auto parts = split(rest_);
    if (parts.size() != 2) return wrong();
    if (parts[0] != "*" && !(edit_.row = count(parts[0]))) return wrong();
    if (parts[1] != "*" && !(edit_.col = count(parts[1]))) return wrong();
  }

  void readHead() {
    const auto parts = split(rest_);
    const std::size_t needed = form_->kind == EditKind::kPermute ? 3 : form_->kind == EditKind::kUniform ? 2 : 1;
    edit_.head = headNumber(parts[0]);
    if (parts.size() != needed || !edit_.head) return wrong();
    if (needed > 1 && !(edit_.row = count(parts[1]))) return wrong();
    const auto seed = needed > 2 ? count(parts[2]) : Index(0);
    if (!seed) return wrong();
    edit_.seed = static_cast<std::uint64_t>(*seed);
  }

  void readSlopes() {
    for (const std::string_view part : split(rest_)) {
      const std::size_t colon = part.find(':');
      const auto head = headNumber(part.substr(0, colon));
      if (colon == part.npos || !head) return wrong();
      for (const auto& [other, slope] : edit_.slopes)
        if (other == *head) return complain(tr("“{0}” names head {1} twice; name it once.", {shortened(text_), *head}));
      edit_.slopes.emplace_back(*head, number(part.substr(colon + 1)));
    }
  }

  void readInsert() {
    const std::size_t comma = rest_.find(',');
    edit_.row = comma == rest_.npos ? std::nullopt : count(trimmed(rest_.substr(0, comma)));
    if (!edit_.row) return wrong();
    edit_.text = rest_.substr(comma + 1);
  }

  void readCounts() {
    const auto parts = split(rest_);
    const bool moves = form_->kind == EditKind::kMove;
    const auto first = count(parts[0]), second = parts.size() > 1 ? count(parts[1]) : std::nullopt;
    if (!first || parts.size() != (moves ? 2u : 1u) || (moves && !second)) return wrong();
    const bool width = form_->kind == EditKind::kKeyWidth || form_->kind == EditKind::kValueWidth;
    if (!width) edit_.row = first;
    edit_.count = width ? *first : second.value_or(0);
  }

  void readRule() {
    const auto parts = split(rest_);
    edit_.values = {number(parts[0])};
    if (parts.size() > 1)
      return complain(tr("“{0}” gives more than one number; write {1}=a.", {shortened(text_), form_->name}));
    const bool positive = form_->kind == EditKind::kTemperature || form_->kind == EditKind::kSoftcap;
    if (positive && edit_.values[0] <= 0) complain(tr("“{0}” needs a number above 0.", {shortened(text_)}));
  }

  std::string_view text_, name_, rest_;
  const EditForm* form_ = nullptr;
  Edit edit_;
  std::string problem_;
};

std::string orStar(const std::optional<Index>& index) { return index ? std::to_string(*index) : "*"; }

std::string joined(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ",") + fullText(value);
  return text;
}

std::string restText(const Edit& edit) {
  const std::string head = edit.head ? "h" + std::to_string(*edit.head) : "";
  switch (edit.kind) {
    case EditKind::kForbid: case EditKind::kAllow: case EditKind::kZeroWeight:
      return orStar(edit.row) + "," + orStar(edit.col);
    case EditKind::kUniform: return head + "," + orStar(edit.row);
    case EditKind::kPermute: return head + "," + orStar(edit.row) + "," + std::to_string(edit.seed);
    case EditKind::kAblate: case EditKind::kMeanAblate: case EditKind::kAddHead: case EditKind::kRemoveHead: return head;
    case EditKind::kAlibi: {
      std::string text;
      for (const auto& [one, slope] : edit.slopes)
        text += (text.empty() ? "h" : ",h") + std::to_string(one) + ":" + fullText(slope);
      return text;
    }
    case EditKind::kMask: return edit.causal ? "causal" : "none";
    case EditKind::kInsert: return orStar(edit.row) + "," + edit.text;
    case EditKind::kDelete: return orStar(edit.row);
    case EditKind::kMove: return orStar(edit.row) + "," + std::to_string(edit.count);
    case EditKind::kKeyWidth: case EditKind::kValueWidth: return std::to_string(edit.count);
    default: return joined(edit.values);
  }
}

}  // namespace

std::string shortened(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  if (text.size() <= kLongest) return std::string(text);
  std::size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

Result<Edit> parseEdit(std::string_view text) { return EditReader(text).read(); }

std::string editText(const Edit& edit) {
  for (const EditForm& form : kForms)
    if (form.kind == edit.kind) return std::string(form.name) + "=" + restText(edit);
  const std::string row = "[" + orStar(edit.row) + "]";
  if (edit.kind == EditKind::kToken) return "token" + row + "=" + edit.text;
  return (edit.head ? "h" + std::to_string(*edit.head) + "." : "") + std::string(arrayName(edit.array)) + row +
         (edit.col ? "[" + std::to_string(*edit.col) + "]" : "") + "=" + joined(edit.values);
}

std::string editForms() {
  std::string names, forms = "token[i]=text";
  for (const Array array : kSettable) names += (names.empty() ? "" : ", ") + std::string(arrayName(array));
  for (const EditForm& form : kForms) forms += ", " + std::string(form.name) + "=" + tr(form.rest);
  return tr("NAME[i]=a,b and NAME[i][j]=a with NAME one of {0}; {1}", {names, forms});
}

}  // namespace attn::core
