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
    const std::string row = edit.row ? names_.token(*edit.row) : "every position";
    const std::string source = edit.col ? names_.source(*edit.col) : "every source";
    switch (edit.kind) {
      case EditKind::kSet: return setName(edit, text);
      case EditKind::kForbid: return row + " may not read " + source;
      case EditKind::kAllow: return row + " may read " + source;
      case EditKind::kZeroWeight: return "weight of " + source + " for " + row + " := 0, not renormalised";
      case EditKind::kUniform: return headOf(edit) + "weights of " + row + " made equal";
      case EditKind::kPermute: return headOf(edit) + "weights of " + row + " dealt out anew, seed " + std::to_string(edit.seed);
      case EditKind::kAblate: return "head " + number(edit.head) + " ablated: its z := 0";
      case EditKind::kMeanAblate: return "head " + number(edit.head) + " mean-ablated: its z := the mean of its rows";
      case EditKind::kScale: return "scale := " + written(text);
      case EditKind::kTemperature: return "temperature := " + written(text);
      case EditKind::kSoftcap: return "soft-cap := " + written(text);
      case EditKind::kSink: return "sink := " + written(text);
      case EditKind::kAlibi: return "ALiBi slopes := " + slopes(edit);
      case EditKind::kMask: return std::string("mask := ") + (edit.causal ? "causal" : "none");
      case EditKind::kToken: return row + " becomes " + tokenText(edit.text, names_.show_spaces);
      case EditKind::kInsert: return tokenText(edit.text, names_.show_spaces) + " inserted at " + number(edit.row);
      case EditKind::kDelete: return row + " deleted";
      case EditKind::kMove: return row + " moved to " + number(edit.count);
      case EditKind::kAddHead: return "a head added, a copy of head " + number(edit.head);
      case EditKind::kRemoveHead: return "head " + number(edit.head) + " removed";
      case EditKind::kKeyWidth: return "d_k := " + std::to_string(edit.count);
      case EditKind::kValueWidth: return "d_v := " + std::to_string(edit.count);
    }
    return text;
  }

 private:
  std::string number(const std::optional<Index>& value) const {
    return std::to_string(value.value_or(0) + names_.first_index);
  }
  std::string headOf(const Edit& edit) const {
    return edit.head && heads_ > 1 ? "head " + number(edit.head) + ": " : "";
  }
  std::string slopes(const Edit& edit) const {
    std::string text;
    for (const auto& [head, slope] : edit.slopes)
      text += (text.empty() ? "" : ", ") + core::fullText(slope) + " in head " + number(head);
    return text;
  }
  std::string setName(const Edit& edit, const std::string& text) const {
    const bool of_sources = edit.array == Array::kK || edit.array == Array::kV || edit.array == Array::kXSources;
    const bool map = edit.array == Array::kScores || edit.array == Array::kWeights || edit.array == Array::kBias;
    const bool parameter = core::isParameter(edit.array);
    const std::string row = parameter ? number(edit.row) : of_sources ? names_.source(*edit.row) : names_.token(*edit.row);
    const std::string col = !edit.col ? "" : map ? names_.source(*edit.col) : number(edit.col);
    std::string name = headOf(edit) + (parameter ? figure::arrayTitle(edit.array) : std::string(core::arrayName(edit.array)));
    if (parameter) {
      name += ", row " + row + (edit.col ? ", column " + col : "");
    } else if (isNumber(row) || (map && isNumber(col))) {
      // In brackets a number would be read as that of an edit as it is written, which counts from 0.
      name += " of position " + row + (!edit.col ? "" : map ? " reading " + col : ", component " + col);
    } else {
      name += "[" + row + "]" + (edit.col ? "[" + col + "]" : "");
    }
    return name + " := " + (edit.col ? written(text) : "[" + written(text) + "]");
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
  return "Enters at the stage “" + stageTitle(stage) + "”." + (anew.empty() ? "" : " Computed anew: " + anew + ".");
}

// "row 3", "rows 2 and 3", "all 12 rows".
std::string rowsText(const Session& session, const std::vector<Index>& rows, Index all, bool of_sources) {
  constexpr std::size_t kMostNamed = 4;
  if (static_cast<Index>(rows.size()) == all && all > 1) return "all " + std::to_string(all) + " rows";
  if (rows.size() > kMostNamed) return std::to_string(rows.size()) + " of " + std::to_string(all) + " rows";
  std::string text = rows.size() == 1 ? "row " : "rows ";
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const std::string name = of_sources ? sourceText(session, rows[n]) : destinationText(session, rows[n]);
    text += (n == 0 ? "" : n + 1 < rows.size() ? ", " : " and ") +
            (name.starts_with("position ") ? name.substr(9) : name);
  }
  return text;
}

std::string ofHead(const Session& session, Array array) {
  const bool one = session.trace().heads.size() < 2 || (array != Array::kWeights && array != Array::kZ);
  return one ? "" : " of " + headText(session.example(), session.state().head);
}

std::string changeText(const Session& session, Array array, const core::Change& change) {
  const auto view = core::arrayOf(session.trace(), session.state().head, array);
  const std::string name(core::arrayName(array));
  const std::string title = name + ofHead(session, array);
  if (change.none()) return title + ": the same, bit for bit.";
  const auto position = [](const std::string& text) { return text.starts_with("position ") ? text : "position " + text; };
  const std::string row = position(destinationText(session, change.row));
  const std::string where =
      array == Array::kWeights
          ? "in the weight with which " + row + " reads " + position(sourceText(session, change.col))
          : "in component " + ordinal(session.example(), change.col) + " of the " + name + " of " + row;
  return title + ": " + rowsText(session, change.rows, view.rows, false) + " changed, most by " +
         valueText(session.state(), change.largest) + ", " + where + ".";
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
  std::string text = changed.size() == 1 ? "Head " : "Heads ";
  for (std::size_t n = 0; n < changed.size(); ++n) text += (n == 0 ? "" : n + 1 < changed.size() ? ", " : " and ") + changed[n];
  return text + " changed too.";
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
      return view ? core::shapeText(view.rows, view.columns) : std::string("not there");
    };
    return "Before and after cannot be laid over each other: " + std::string(core::arrayName(array)) + " was " + shape(a) +
           " and is " + shape(b) + ".";
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
    items.push_back({Namer(names, heads).name(edit.value(), text), "Written " + text + ". " + effectOf(session, edit.value())});
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
  std::string text = "Heads ";
  for (std::size_t n = 0; n < all.size(); ++n) text += (n == 0 ? "" : n + 1 < all.size() ? ", " : " and ") + all[n];
  return text + " share this key/value head and follow.";
}

std::string comparedText(const Session& session) {
  const State& state = session.state();
  if (!state.pinned) return "the example without edits";
  const Computed& before = session.before();
  if (!before.example) return "what you pinned, which cannot be computed here";
  std::string text = "what you pinned: " + before.example->title;
  if (state.pinned->mask != MaskChoice::kDocument) text += ", mask " + std::string(nameOf(state.pinned->mask));
  if (before.trace->heads.size() > 1) text += ", " + headText(*before.example, session.headBefore());
  const std::size_t edits = state.pinned->edits.size();
  return text + (edits == 0 ? ", no edits" : edits == 1 ? ", 1 edit" : ", " + std::to_string(edits) + " edits");
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
    const std::string title(core::arrayName(array));
    text += text.empty() ? "" : " ";
    text += change ? changeText(session, array, *change)
                   : title + ": " + core::shapeText(a.rows, a.columns) + " before and " +
                         core::shapeText(b.rows, b.columns) + " now, so nothing can be subtracted.";
  }
  if (const std::string others = otherHeadsText(session); !others.empty()) text += " " + others;
  return text;
}

}  // namespace attn::app
