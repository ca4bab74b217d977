// One edit after the other. Knows the sublayer and its tokens; computes nothing that a Trace computes.
#include "core/edited.h"

#include <algorithm>
#include <utility>

#include "core/language.h"
#include "core/reshape.h"
#include "core/trace.h"

namespace attn::core {
namespace {

constexpr std::string_view kNoHead = trLater("there is no head {0}: there are {1}, counted from 0");
constexpr std::string_view kNoPosition = trLater("there is no position {0}: there are {1}, counted from 0");

bool isPerKeyValueHead(Array array) {
  return array == Array::kWk || array == Array::kWv || array == Array::kK || array == Array::kV;
}

class Editor {
 public:
  explicit Editor(Subject subject) : subject_(std::move(subject)), p_(subject_.problem) {}

  Check apply(const Edit& edit, std::size_t number) {
    number_ = number;
    failure_.reset();
    if (edit.head && !inside(*edit.head, p_.heads(), kNoHead)) return failure_;
    carryOut(edit);
    return failure_;
  }
  Subject take() { return std::move(subject_); }

 private:
  void carryOut(const Edit& edit) {
    switch (edit.kind) {
      case EditKind::kSet: return set(edit);
      case EditKind::kForbid: case EditKind::kAllow: return rule(edit);
      case EditKind::kZeroWeight: case EditKind::kUniform: case EditKind::kPermute: case EditKind::kAblate:
      case EditKind::kMeanAblate:
        return act(edit);
      case EditKind::kScale: p_.scale = edit.values[0]; return;
      case EditKind::kTemperature: p_.temperature = edit.values[0]; return;
      case EditKind::kSoftcap: p_.softcap = edit.values[0]; return;
      case EditKind::kSink: p_.sink = {edit.values[0]}; return;
      case EditKind::kAlibi: return slopes(edit);
      case EditKind::kMask: {
        std::vector<CellRule> rules = std::move(p_.mask.rules);
        p_.mask = plainMask(edit.causal);
        p_.mask.rules = std::move(rules);
        return;
      }
      case EditKind::kToken: return rename(edit);
      case EditKind::kInsert: return insert(edit);
      case EditKind::kDelete: return remove(edit);
      case EditKind::kMove: return move(edit);
      case EditKind::kAddHead: return addHead(edit);
      case EditKind::kRemoveHead: return removeHead(edit);
      case EditKind::kKeyWidth: case EditKind::kValueWidth: return width(edit);
    }
  }

  bool refuse(std::string sentence) {
    if (!failure_) failure_ = Error{std::move(sentence)};
    return false;
  }
  bool inside(Index value, Index size, std::string_view refusal) {
    return (value >= 0 && value < size) || refuse(tr(refusal, {value, size}));
  }
  bool rowInside(const std::string& array, Index row, Index rows) {
    return (row >= 0 && row < rows) ||
           refuse(tr("{0} has no row {1}: it has {2} {2|row|rows}, counted from 0", {array, row, rows}));
  }
  bool columnInside(const std::string& array, Index col, Index columns) {
    return (col >= 0 && col < columns) ||
           refuse(tr("{0} has no column {1}: it has {2} {2|column|columns}, counted from 0", {array, col, columns}));
  }

  // Whether row, column and the count of numbers fit an array of this shape.
  bool fits(const Edit& edit, Index rows, Index columns) {
    const std::string name(arrayName(edit.array));
    if (!rowInside(name, *edit.row, rows)) return false;
    if (edit.col) return columnInside(name, *edit.col, columns);
    const auto given = static_cast<Index>(edit.values.size());
    return given == columns || refuse(tr("a row of {0} has {1} {1|number|numbers}, and {2} {2|is|are} given",
                                         {name, columns, given}));
  }

  static void write(const Edit& edit, Matrix<double>& array) {
    if (edit.col) {
      array(*edit.row, *edit.col) = edit.values[0];
      return;
    }
    for (Index j = 0; j < array.cols(); ++j) array(*edit.row, j) = edit.values[static_cast<std::size_t>(j)];
  }

  void set(const Edit& edit) {
    switch (edit.array) {
      case Array::kX:
        if (p_.norm) return later(edit, p_.T, p_.state->cols());
        return setOne(edit, p_.x);
      case Array::kXSources: return setOne(edit, p_.x_sources);
      case Array::kWo: return setOne(edit, p_.wo);
      case Array::kWq: return setHeads(edit, p_.wq);
      case Array::kWk: return setHeads(edit, p_.wk);
      case Array::kWv: return setHeads(edit, p_.wv);
      case Array::kQ: return p_.q.empty() ? setComputed(edit, p_.T, p_.wq) : setHeads(edit, p_.q);
      case Array::kK: return p_.k.empty() ? setComputed(edit, p_.S, p_.wk) : setHeads(edit, p_.k);
      case Array::kV: return p_.v.empty() ? setComputed(edit, p_.S, p_.wv) : setHeads(edit, p_.v);
      case Array::kBias: return setBias(edit);
      default: return later(edit, p_.T, p_.S);  // scores and weights
    }
  }

  void setOne(const Edit& edit, std::optional<Matrix<double>>& array) {
    const std::string name(arrayName(edit.array));
    if (!array) {
      refuse(edit.array == Array::kWo ? tr("this example has no wo, so y is the concatenated heads")
                                      : tr("this example has no {0}", {name}));
    } else if (fits(edit, array->rows(), array->cols())) {
      write(edit, *array);
    }
  }

  void setHeads(const Edit& edit, std::vector<Matrix<double>>& list) {
    if (list.empty()) {
      refuse(tr("this example has no {0}", {arrayName(edit.array)}));
      return;
    }
    const std::optional<std::size_t> only = entryOf(edit);
    for (std::size_t n = 0; n < list.size(); ++n)
      if ((!only || *only == n) && !fits(edit, list[n].rows(), list[n].cols())) return;
    for (std::size_t n = 0; n < list.size(); ++n)
      if (!only || *only == n) write(edit, list[n]);
  }

  // Of q, k, v, whose columns are those of their weights.
  void setComputed(const Edit& edit, Index rows, const std::vector<Matrix<double>>& weights) {
    const std::optional<std::size_t> only = entryOf(edit);
    for (std::size_t n = 0; n < weights.size(); ++n)
      if ((!only || *only == n) && !fits(edit, rows, weights[n].cols())) return;
    later(edit, rows, weights[only.value_or(0)].cols());
  }

  // Which array of a list per head the edit means; nothing for all.
  std::optional<std::size_t> entryOf(const Edit& edit) const {
    if (!edit.head) return std::nullopt;
    const bool shared = isPerKeyValueHead(edit.array);
    return static_cast<std::size_t>(shared ? *edit.head * p_.keyValueHeads() / p_.heads() : *edit.head);
  }

  void setBias(const Edit& edit) {
    if (!fits(edit, p_.T, p_.S)) return;
    if (p_.bias.empty()) p_.bias.push_back(Matrix<double>::Zero(p_.T, p_.S));
    if (edit.head && p_.bias.size() == 1)
      p_.bias.resize(static_cast<std::size_t>(p_.heads()), Matrix<double>(p_.bias[0]));
    if (edit.head) return write(edit, p_.bias[static_cast<std::size_t>(*edit.head)]);
    for (Matrix<double>& bias : p_.bias) write(edit, bias);
  }

  void later(const Edit& edit, Index rows, Index columns) {
    if (!fits(edit, rows, columns)) return;
    Intervention one;
    one.array = edit.array, one.head = edit.head, one.row = edit.row, one.col = edit.col;
    one.values = edit.values, one.edit = number_;
    p_.interventions.push_back(std::move(one));
  }

  void rule(const Edit& edit) {
    if (!cellInside(edit)) return;
    p_.mask.rules.push_back({edit.row, edit.col, edit.kind == EditKind::kAllow});
  }
  bool cellInside(const Edit& edit) {
    return (!edit.row || inside(*edit.row, p_.T, trLater("there is no row {0}: there are {1}, counted from 0"))) &&
           (!edit.col || inside(*edit.col, p_.S, trLater("there is no column {0}: there are {1}, counted from 0")));
  }

  void act(const Edit& edit) {
    using Kind = Intervention::Kind;
    if (!cellInside(edit)) return;
    Intervention one;
    one.head = edit.head, one.row = edit.row, one.seed = edit.seed, one.edit = number_;
    one.array = Array::kWeights;
    if (edit.kind == EditKind::kUniform) one.kind = Kind::kUniform;
    if (edit.kind == EditKind::kPermute) one.kind = Kind::kPermute;
    if (edit.kind == EditKind::kAblate) one.kind = Kind::kAblate;
    if (edit.kind == EditKind::kMeanAblate) one.kind = Kind::kMeanAblate;
    if (edit.kind == EditKind::kZeroWeight) {
      one.col = edit.col;
      one.values.assign(edit.col ? 1 : static_cast<std::size_t>(p_.S), 0);
    }
    p_.interventions.push_back(std::move(one));
  }

  void slopes(const Edit& edit) {
    std::vector<double> all(static_cast<std::size_t>(p_.heads()), 0);
    for (const auto& [head, slope] : edit.slopes) {
      if (!inside(head, p_.heads(), kNoHead)) return;
      all[static_cast<std::size_t>(head)] = slope;
    }
    p_.alibi = std::move(all);
  }

  // A position other than `except` with this text; kNew when there is none.
  Index positionOf(const std::string& text, Index except) const {
    for (std::size_t i = 0; i < subject_.tokens.size(); ++i)
      if (subject_.tokens[i] == text && static_cast<Index>(i) != except) return static_cast<Index>(i);
    return kNew;
  }
  Origins positions() const {
    Origins all;
    for (Index i = 0; i < p_.T; ++i) all.push_back(i);
    return all;
  }
  void setTokens(std::vector<std::string> tokens) {
    subject_.tokens = std::move(tokens);
    if (!p_.cross) subject_.sources = subject_.tokens;
  }

  void rename(const Edit& edit) {
    if (!inside(*edit.row, p_.T, kNoPosition)) return;
    const Index like = positionOf(edit.text, *edit.row);
    if (like != kNew) copyPosition(like, *edit.row);
    std::vector<std::string> tokens = subject_.tokens;
    tokens[static_cast<std::size_t>(*edit.row)] = edit.text;
    setTokens(std::move(tokens));
  }
  void copyPosition(Index from, Index to) {
    const auto copy = [&](Matrix<double>& array) { array.row(to) = array.row(from).eval(); };
    if (p_.x) copy(*p_.x);
    if (p_.state) copy(*p_.state);
    for (Matrix<double>& q : p_.q) copy(q);
    if (p_.cross) return;
    for (auto* list : {&p_.k, &p_.v})
      for (Matrix<double>& array : *list) copy(array);
  }

  void insert(const Edit& edit) {
    if (*edit.row > p_.T) {
      refuse(tr("a token can be put before positions 0 to {0}, the last being the end", {p_.T}));
      return;
    }
    if (p_.T >= kMaxEditedTokens) {
      refuse(tr("there are {0} {0|token|tokens}, and tokens can be added up to {1}", {p_.T, kMaxEditedTokens}));
      return;
    }
    Origins from = positions();
    from.insert(from.begin() + *edit.row, kNew);
    reorderPositions(p_, from, positionOf(edit.text, kNew));
    std::vector<std::string> tokens = subject_.tokens;
    tokens.insert(tokens.begin() + *edit.row, edit.text);
    setTokens(std::move(tokens));
  }

  void remove(const Edit& edit) {
    if (!inside(*edit.row, p_.T, kNoPosition)) return;
    if (p_.T == 1) {
      refuse(tr("the last token cannot be deleted"));
      return;
    }
    Origins from = positions();
    from.erase(from.begin() + *edit.row);
    reorderPositions(p_, from, kNew);
    std::vector<std::string> tokens = subject_.tokens;
    tokens.erase(tokens.begin() + *edit.row);
    setTokens(std::move(tokens));
  }

  void move(const Edit& edit) {
    if (!inside(*edit.row, p_.T, kNoPosition) || !inside(edit.count, p_.T, kNoPosition)) return;
    const auto turn = [&edit](auto& list) {
      auto one = list[static_cast<std::size_t>(*edit.row)];
      list.erase(list.begin() + *edit.row);
      list.insert(list.begin() + edit.count, std::move(one));
    };
    Origins from = positions();
    turn(from);
    reorderPositions(p_, from, kNew);
    std::vector<std::string> tokens = subject_.tokens;
    turn(tokens);
    setTokens(std::move(tokens));
  }

  bool headsAreOwn() {
    return p_.heads() == p_.keyValueHeads() ||
           refuse(tr("{0} query heads share {1} {1|key/value head|key/value heads}, so none can be added or removed",
                     {p_.heads(), p_.keyValueHeads()}));
  }
  Origins headOrigins() const {
    Origins all;
    for (Index h = 0; h < p_.heads(); ++h) all.push_back(h);
    return all;
  }
  void addHead(const Edit& edit) {
    if (!headsAreOwn()) return;
    if (p_.heads() >= kMaxEditedHeads) {
      refuse(tr("there are {0} {0|head|heads}, and heads can be added up to {1}", {p_.heads(), kMaxEditedHeads}));
      return;
    }
    makeOutputExplicit(p_);
    Origins from = headOrigins();
    from.push_back(*edit.head);
    reorderHeads(p_, from);
  }
  void removeHead(const Edit& edit) {
    if (!headsAreOwn()) return;
    if (p_.heads() == 1) {
      refuse(tr("the last head cannot be removed"));
      return;
    }
    makeOutputExplicit(p_);
    Origins from = headOrigins();
    from.erase(from.begin() + *edit.head);
    reorderHeads(p_, from);
  }

  void width(const Edit& edit) {
    if (edit.count < 1 || edit.count > kMaxEditedWidth) {
      refuse(tr("a width goes from 1 to {0}", {kMaxEditedWidth}));
      return;
    }
    if (edit.kind == EditKind::kKeyWidth) return setKeyWidth(p_, edit.count);
    makeOutputExplicit(p_);
    setValueWidth(p_, edit.count);
  }

  Subject subject_;
  Problem<double>& p_;
  std::size_t number_ = 0;
  Check failure_;
};

}  // namespace

Result<Subject> applyEdits(Subject subject, std::span<const Edit> edits) {
  if (edits.size() > kMaxEdits)
    return Error{tr("{0} edits are too many; give at most {1}.", {edits.size(), kMaxEdits})};
  Editor editor(std::move(subject));
  for (std::size_t n = 0; n < edits.size(); ++n)
    if (Check bad = editor.apply(edits[n], n))
      return Error{tr("“{0}” cannot be carried out: {1}.", {shortened(editText(edits[n])), bad->message})};
  return editor.take();
}

Stage entryStage(const Edit& edit, const Problem<double>& problem) {
  const std::vector<Stage> stages = stagesOf(problem);
  const auto orLater = [&stages](Stage stage) {
    for (const Stage one : stages)
      if (one >= stage) return one;
    return stages.back();
  };
  switch (edit.kind) {
    case EditKind::kForbid: case EditKind::kAllow: case EditKind::kMask: return orLater(Stage::kMasked);
    case EditKind::kZeroWeight: case EditKind::kUniform: case EditKind::kPermute: case EditKind::kSink:
      return Stage::kWeights;
    case EditKind::kAblate: case EditKind::kMeanAblate: return Stage::kZ;
    case EditKind::kScale: case EditKind::kTemperature: return Stage::kScaled;
    case EditKind::kSoftcap: return orLater(Stage::kSoftcapped);
    case EditKind::kAlibi: return orLater(Stage::kBiased);
    case EditKind::kSet: break;
    default: return stages.front();
  }
  switch (edit.array) {
    case Array::kWq: case Array::kQ: return orLater(Stage::kQ);
    case Array::kXSources: case Array::kWk: case Array::kK: return orLater(Stage::kK);
    case Array::kWv: case Array::kV: return orLater(Stage::kV);
    case Array::kScores: return Stage::kScores;
    case Array::kWeights: return Stage::kWeights;
    case Array::kBias: return orLater(Stage::kBiased);
    case Array::kWo: return orLater(Stage::kY);
    default: return stages.front();
  }
}

}  // namespace attn::core
