// See edit_words.h.
#include "app/edit_words.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/explain.h"
#include "app/names.h"
#include "app/words.h"
#include "core/compare.h"
#include "core/edited.h"
#include "core/language.h"
#include "core/number.h"
#include "figure/equation.h"

namespace attn::app {
namespace {

using core::Array;
using core::Edit;
using core::EditKind;

// The lists of names, as they are while one edit after the other is made.
struct Names {
  std::vector<std::string> tokens, sources;
  bool cross = false;
  int first_index = 0;
  bool show_spaces = false;

  std::string of(const std::vector<std::string>& list, Index position) const {
    const std::string number = std::to_string(position + first_index);
    if (position < 0 || position >= static_cast<Index>(list.size())) return number;
    const std::string& text = list[static_cast<std::size_t>(position)];
    const bool single = std::count(list.begin(), list.end(), text) == 1;
    const std::string shown = tokenText(text, show_spaces);
    return shown == number ? number : single ? shown : number + " " + shown;
  }
  std::string token(Index position) const { return of(tokens, position); }
  std::string source(Index position) const { return of(sources, position); }

  void follow(const Edit& edit) {
    const auto at = static_cast<std::ptrdiff_t>(edit.row.value_or(0));
    if (edit.kind == EditKind::kToken) tokens[static_cast<std::size_t>(at)] = edit.text;
    if (edit.kind == EditKind::kInsert) tokens.insert(tokens.begin() + at, edit.text);
    if (edit.kind == EditKind::kDelete) tokens.erase(tokens.begin() + at);
    if (edit.kind == EditKind::kMove) {
      const std::string text = tokens[static_cast<std::size_t>(at)];
      tokens.erase(tokens.begin() + at);
      tokens.insert(tokens.begin() + edit.count, text);
    }
    if (!cross) sources = tokens;
  }
};

bool isNumber(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// What stands behind the "=", as it was written.
std::string written(const std::string& edit) {
  const std::size_t equals = edit.find('=');
  const std::string rest = equals == edit.npos ? "" : edit.substr(equals + 1);
  std::string spaced;
  for (const char c : rest) spaced += c == ',' ? std::string(", ") : std::string(1, c);
  return spaced;
}

class Namer {
 public:
  Namer(const Names& names, Index heads) : names_(names), heads_(heads) {}

  std::string name(const Edit& edit, const std::string& text) const {
    const std::string row = edit.row ? names_.token(*edit.row) : tr("every position");
    const std::string source = edit.col ? names_.source(*edit.col) : tr("every source");
    switch (edit.kind) {
      case EditKind::kSet: return setName(edit, text);
      case EditKind::kForbid: return tr("{0} may not read {1}", {row, source});
      case EditKind::kAllow: return tr("{0} may read {1}", {row, source});
      case EditKind::kZeroWeight: return tr("weight of {0} for {1} := 0, not renormalised", {source, row});
      case EditKind::kUniform: return inHead(edit, tr("weights of {0} made equal", {row}));
      case EditKind::kPermute: return inHead(edit, tr("weights of {0} dealt out anew, seed {1}", {row, edit.seed}));
      case EditKind::kAblate: return tr("head {0} ablated: its z := 0", {number(edit.head)});
      case EditKind::kMeanAblate:
        return tr("head {0} mean-ablated: its z := the mean of its rows", {number(edit.head)});
      case EditKind::kScale: return tr("scale := {0}", {written(text)});
      case EditKind::kTemperature: return tr("temperature := {0}", {written(text)});
      case EditKind::kSoftcap: return tr("soft-cap := {0}", {written(text)});
      case EditKind::kSink: return tr("sink := {0}", {written(text)});
      case EditKind::kAlibi: return tr("ALiBi slopes := {0}", {slopes(edit)});
      case EditKind::kMask: return edit.causal ? tr("mask := causal") : tr("mask := none");
      case EditKind::kToken: return tr("{0} becomes {1}", {row, tokenText(edit.text, names_.show_spaces)});
      case EditKind::kInsert:
        return tr("{0} inserted at {1}", {tokenText(edit.text, names_.show_spaces), number(edit.row)});
      case EditKind::kDelete: return tr("{0} deleted", {row});
      case EditKind::kMove: return tr("{0} moved to {1}", {row, number(edit.count)});
      case EditKind::kAddHead: return tr("a head added, a copy of head {0}", {number(edit.head)});
      case EditKind::kRemoveHead: return tr("head {0} removed", {number(edit.head)});
      case EditKind::kKeyWidth: return "d_k := " + std::to_string(edit.count);
      case EditKind::kValueWidth: return "d_v := " + std::to_string(edit.count);
    }
    return text;
  }

 private:
  std::string number(const std::optional<Index>& value) const {
    return std::to_string(value.value_or(0) + names_.first_index);
  }
  std::string inHead(const Edit& edit, const std::string& name) const {
    return edit.head && heads_ > 1 ? tr("head {0}: {1}", {number(edit.head), name}) : name;
  }
  std::string slopes(const Edit& edit) const {
    std::string text;
    for (const auto& [head, slope] : edit.slopes)
      text += (text.empty() ? "" : ", ") + tr("{0} in head {1}", {core::fullText(slope), number(head)});
    return text;
  }
  std::string setName(const Edit& edit, const std::string& text) const {
    const bool of_sources = edit.array == Array::kK || edit.array == Array::kV || edit.array == Array::kXSources;
    const bool map = edit.array == Array::kScores || edit.array == Array::kWeights || edit.array == Array::kBias;
    const bool parameter = core::isParameter(edit.array);
    const std::string row = parameter ? number(edit.row) : of_sources ? names_.source(*edit.row) : names_.token(*edit.row);
    const std::string col = !edit.col ? "" : map ? names_.source(*edit.col) : number(edit.col);
    std::string name = parameter ? figure::arrayTitle(edit.array) : arrayText(edit.array);
    if (parameter) {
      name = edit.col ? tr("{0}, row {1}, column {2}", {name, row, col}) : tr("{0}, row {1}", {name, row});
    } else if (isNumber(row) || (map && isNumber(col))) {
      // In brackets a number would be read as that of an edit as it is written, which counts from 0.
      name = !edit.col ? tr("{0} of position {1}", {name, row})
             : map     ? tr("{0} of position {1} reading {2}", {name, row, col})
                       : tr("{0} of position {1}, component {2}", {name, row, col});
    } else {
      name = std::string(core::arrayName(edit.array)) + "[" + row + "]" + (edit.col ? "[" + col + "]" : "");
    }
    return inHead(edit, name + " := " + (edit.col ? written(text) : "[" + written(text) + "]"));
  }

  const Names& names_;
  Index heads_;
};

using Flags = std::array<bool, core::kArrayCount>;

// Everything that is computed from what is set in `from`.
Flags computedFrom(const Flags& from, const core::Problem<double>& p) {
  Flags out{};
  const auto in = [&](Array array) {
    return from[static_cast<std::size_t>(array)] || out[static_cast<std::size_t>(array)];
  };
  const auto put = [&](Array array, bool yes) {
    if (yes) out[static_cast<std::size_t>(array)] = true;
  };
  const Array sources = p.cross ? Array::kXSources : Array::kX;
  put(Array::kX, p.norm && in(Array::kState));
  put(Array::kQ, in(Array::kWq) || (!p.wq.empty() && in(Array::kX)));
  put(Array::kK, in(Array::kWk) || (!p.wk.empty() && in(sources)));
  put(Array::kV, in(Array::kWv) || (!p.wv.empty() && in(sources)));
  put(Array::kScores, in(Array::kQ) || in(Array::kK));
  constexpr std::array kChain = {Array::kScores, Array::kScaled, Array::kSoftcapped, Array::kBiased,
                                 Array::kMasked, Array::kWeights};
  for (std::size_t n = 1; n < kChain.size(); ++n) put(kChain[n], in(kChain[n - 1]));
  put(Array::kBiased, in(Array::kBias));
  put(Array::kMasked, in(Array::kBiased));
  put(Array::kWeights, in(Array::kMasked));
  put(Array::kZ, in(Array::kWeights) || in(Array::kV));
  put(Array::kConcat, in(Array::kZ));
  put(Array::kY, in(Array::kConcat) || in(Array::kWo));
  put(Array::kResidual, in(Array::kY) || (p.residual == core::Residual::kInput && in(Array::kX)));
  return out;
}

// The arrays into which an edit puts something by hand, or whose rule it changes.
Flags enteredBy(const Edit& edit, const core::Problem<double>& p) {
  Flags out{};
  const auto put = [&](Array array) { out[static_cast<std::size_t>(array)] = true; };
  switch (edit.kind) {
    case EditKind::kSet: put(edit.array); break;
    case EditKind::kScale: case EditKind::kTemperature: put(Array::kScaled); break;
    case EditKind::kSoftcap: put(Array::kSoftcapped); break;
    case EditKind::kAlibi: put(Array::kBias); break;
    case EditKind::kForbid: case EditKind::kAllow: case EditKind::kMask: put(Array::kMasked); break;
    case EditKind::kZeroWeight: case EditKind::kUniform: case EditKind::kPermute: case EditKind::kSink:
      put(Array::kWeights);
      break;
    case EditKind::kAblate: case EditKind::kMeanAblate: put(Array::kZ); break;
    case EditKind::kAddHead: case EditKind::kRemoveHead: put(Array::kConcat); break;
    case EditKind::kKeyWidth: put(Array::kQ), put(Array::kK); break;
    case EditKind::kValueWidth: put(Array::kV); break;
    default:
      if (p.x || p.state) put(p.state && p.norm ? Array::kState : Array::kX);
      if (!p.q.empty()) put(Array::kQ);
      if (!p.cross && !p.k.empty()) put(Array::kK);
      if (!p.cross && !p.v.empty()) put(Array::kV);
  }
  return out;
}

std::vector<Edit> editsOf(const Session& session) {
  std::vector<Edit> all;
  for (const std::string& text : session.state().edits)
    if (auto edit = core::parseEdit(text)) all.push_back(edit.take());
  return all;
}

std::string listOf(const Session& session, const Flags& flags) {
  const figure::Equation equation = figure::equationOf(session.trace(), session.state().head);
  std::string text;
  for (const figure::EquationPart& part : equation.parts)
    if (flags[static_cast<std::size_t>(part.array)]) text += (text.empty() ? "" : ", ") + figure::arrayTitle(part.array);
  return text;
}

std::string effectOf(const Session& session, const Edit& edit) {
  const core::Problem<double>& problem = session.trace().problem;
  const core::Stage stage = core::entryStage(edit, problem);
  const Flags entered = enteredBy(edit, problem);
  const std::string anew = listOf(session, computedFrom(entered, problem));
  const std::string enters = tr("Enters at the stage “{0}”.", {stageTitle(stage)});
  return anew.empty() ? enters : enters + " " + tr("Computed anew: {0}.", {anew});
}

std::string nameOfPosition(const Session& session, Index position, bool source) {
  return positionName(session.example(), position, source, session.state().show_spaces);
}

// "row 3", "rows 2 and 3", "all 12 rows".
std::string rowsText(const Session& session, const std::vector<Index>& rows, Index all) {
  constexpr std::size_t kMostNamed = 4;
  if (static_cast<Index>(rows.size()) == all && all > 1) return tr("all {0} rows", {all});
  if (rows.size() > kMostNamed) return tr("{0} of {1} rows", {rows.size(), all});
  std::vector<std::string> names;
  for (const Index row : rows) names.push_back(nameOfPosition(session, row, false));
  return rows.size() == 1 ? tr("row {0}", {names.front()}) : tr("rows {0}", {enumerated(names)});
}

std::string withHead(const Session& session, Array array) {
  const bool one = session.trace().heads.size() < 2 || (array != Array::kWeights && array != Array::kZ);
  const std::string name = arrayText(array);
  return one ? name : tr("{0} of head {1}", {name, ordinal(session.example(), session.state().head)});
}

std::string changeText(const Session& session, Array array, const core::Change& change) {
  const auto view = core::arrayOf(session.trace(), session.state().head, array);
  const std::string title = withHead(session, array);
  if (change.none()) return tr("{0}: the same, bit for bit.", {title});
  const std::string rows = rowsText(session, change.rows, view.rows), most = valueText(session.state(), change.largest);
  const std::string row = nameOfPosition(session, change.row, false);
  if (array == Array::kWeights)
    return tr("{0}: {1} changed, most by {2}, in the weight with which position {3} reads position {4}.",
              {title, rows, most, row, nameOfPosition(session, change.col, true)});
  return tr("{0}: {1} changed, most by {2}, in component {3} of the {4} of position {5}.",
            {title, rows, most, ordinal(session.example(), change.col), arrayText(array), row});
}

// What is not about the head in view.
std::string otherHeadsText(const Session& session) {
  const core::Trace<double>& now = session.trace();
  const core::Trace<double>& before = *session.before().trace;
  if (now.heads.size() < 2 || now.heads.size() != before.heads.size() || session.headBefore() != session.state().head)
    return "";
  std::vector<std::string> changed;
  for (Index h = 0; h < static_cast<Index>(now.heads.size()); ++h) {
    if (h == session.state().head) continue;
    bool same = true;
    for (const Array array : {Array::kWeights, Array::kZ}) {
      const auto change = core::changeOf(core::arrayOf(before, h, array), core::arrayOf(now, h, array));
      same = same && change && change->none();
    }
    if (!same) changed.push_back(ordinal(session.example(), h));
  }
  if (changed.empty()) return "";
  const std::string heads = enumerated(changed);
  return changed.size() == 1 ? tr("Head {0} changed too.", {heads}) : tr("Heads {0} changed too.", {heads});
}

}  // namespace

namespace {

// Why the stage cannot show before and difference: the first array that has another shape, or is not there.
std::string misfitText(const Session& session) {
  const core::Trace<double>& now = session.trace();
  const core::Trace<double>& before = *session.before().trace;
  for (int n = 0; n < core::kArrayCount; ++n) {
    const auto array = static_cast<Array>(n);
    const auto a = core::arrayOf(before, session.headBefore(), array);
    const auto b = core::arrayOf(now, session.state().head, array);
    if (a.rows == b.rows && a.columns == b.columns) continue;
    const auto shape = [](const core::ArrayView& view) {
      return view ? core::shapeText(view.rows, view.columns) : tr("not there");
    };
    return tr("Before and after cannot be laid over each other: {0} was {1} and is {2}.",
              {arrayText(array), shape(a), shape(b)});
  }
  return "";
}

}  // namespace

std::vector<EditItem> editItems(const Session& session) {
  std::vector<EditItem> items;
  const lesson::Example* base = session.library().find(session.state().example);
  if (!base) return items;
  Names names{base->tokens, base->sources, base->problem.cross, base->first_index, session.state().show_spaces};
  const auto heads = static_cast<Index>(session.trace().heads.size());
  for (const std::string& text : session.state().edits) {
    const auto edit = core::parseEdit(text);
    if (!edit) continue;
    items.push_back({Namer(names, heads).name(edit.value(), text),
                     tr("Written {0}.", {text}) + " " + effectOf(session, edit.value())});
    names.follow(edit.value());
  }
  return items;
}

Edited editedState(const Session& session, Array array) {
  const core::Problem<double>& problem = session.trace().problem;
  Flags entered{};
  for (const Edit& edit : editsOf(session)) {
    const Flags one = enteredBy(edit, problem);
    for (std::size_t n = 0; n < one.size(); ++n) entered[n] = entered[n] || one[n];
  }
  const auto at = static_cast<std::size_t>(array);
  return entered[at] ? Edited::kSet : computedFrom(entered, problem)[at] ? Edited::kRecomputed : Edited::kNo;
}

std::string sharedHeadsText(const Session& session, Index head) {
  const auto& heads = session.trace().heads;
  std::vector<std::string> all;
  for (std::size_t h = 0; h < heads.size(); ++h)
    if (heads[h].kv_head == heads[static_cast<std::size_t>(head)].kv_head)
      all.push_back(ordinal(session.example(), static_cast<Index>(h)));
  if (all.size() < 2) return "";
  return tr("Heads {0} share this key/value head and follow.", {enumerated(all)});
}

std::string comparedText(const Session& session) {
  const State& state = session.state();
  if (!state.pinned) return tr("the example without edits");
  const Computed& before = session.before();
  if (!before.example) return tr("what you pinned, which cannot be computed here");
  std::string text = tr("what you pinned: {0}", {before.example->title});
  if (state.pinned->mask == MaskChoice::kNone) text += ", " + tr("mask none");
  if (state.pinned->mask == MaskChoice::kCausal) text += ", " + tr("mask causal");
  if (before.trace->heads.size() > 1) text += ", " + headText(*before.example, session.headBefore());
  const std::size_t edits = state.pinned->edits.size();
  return text + ", " + (edits == 0 ? tr("no edits") : tr("{0} {0|edit|edits}", {edits}));
}

std::string changesText(const Session& session) {
  if (!session.compares()) return "";
  const core::Trace<double>& now = session.trace();
  const core::Trace<double>& before = *session.before().trace;
  const Index head = session.state().head, other = session.headBefore();
  std::string text = misfitText(session);
  for (const Array array : {Array::kWeights, Array::kZ, Array::kY}) {
    if (array == Array::kY && !now.problem.wo && !now.problem.bo && now.heads.size() == 1) continue;
    const auto a = core::arrayOf(before, other, array), b = core::arrayOf(now, head, array);
    const auto change = core::changeOf(a, b);
    text += text.empty() ? "" : " ";
    text += change ? changeText(session, array, *change)
                   : tr("{0}: {1} before and {2} now, so nothing can be subtracted.",
                        {arrayText(array), core::shapeText(a.rows, a.columns), core::shapeText(b.rows, b.columns)});
  }
  if (const std::string others = otherHeadsText(session); !others.empty()) text += " " + others;
  return text;
}

}  // namespace attn::app
