// The part "file": what is open, what its arrays are taken for, what is missing. Knows only shapes and what was counted.
#include <algorithm>
#include <cstdio>
#include <initializer_list>

#include "core/number.h"
#include "io/array_file.h"
#include "io/label.h"
#include "model/companions.h"
#include "opened/document.h"
#include "survey/parts.h"
#include "survey/walk.h"
#include "survey/weights.h"

namespace attn::survey {
namespace {

using opened::Axis;
using opened::Model;
using opened::Role;

constexpr std::size_t kMostRows = 300, kMostNotes = 5;

// "12 layers × 12 heads, 1,024 destinations × 1,024 sources"; "" when nothing of attention was found.
std::string takenFor(const Model& model) {
  if (model.layers() == 0) return "";
  std::string text = tr("{0} {0|layer|layers} × {1} {1|head|heads}", {countText(model.layers()), countText(model.heads())});
  if (model.batches() > 1) text += ", " + tr("{0} sequences", {countText(model.batches())});
  const auto longest = [&](Axis axis, std::initializer_list<Role> roles) {
    for (const Role role : roles)
      if (const std::uint64_t length = model.lengthOf(role, 0, axis)) return length;
    return std::uint64_t(0);
  };
  const std::uint64_t T = longest(Axis::kQuery, {Role::kWeights, Role::kScores, Role::kQ, Role::kZ, Role::kY});
  const std::uint64_t S = longest(Axis::kKey, {Role::kWeights, Role::kScores, Role::kK, Role::kV});
  if (T > 0 && S > 0) return text + ", " + sizeText(T, S);
  if (T > 0) return text + ", " + tr("{0} {0|destination|destinations}", {countText(T)});
  return S > 0 ? text + ", " + tr("{0} {0|source|sources}", {countText(S)}) : text;
}

// What can be shown, and what would be needed for more.
std::string missing(const FileSet& set, const Model& model) {
  if (model.layers() == 0) {
    const std::string none = attentionWasNone(set);
    return tr("No array is taken for weights, scores, queries or keys.") + " " +
           (none.empty() ? tr("Say which is which under Weights, Queries and Keys.") : none);
  }
  const std::string needed = missingForWalk(model, 0);
  switch (weightsFrom(model, 0)) {
    case WeightsFrom::kFile: break;
    case WeightsFrom::kScores: return tr("There are no weights: they are computed as the softmax of the scores.");
    case WeightsFrom::kComputed:
      if (needed.empty()) return tr("There are no weights: they are computed as softmax(q·k/√d_k).");
      return tr("There are no weights: they are computed as softmax(q·k/√d_k); without {0} no head can be walked through.",
                {needed});
    case WeightsFrom::kNowhere:
      return tr("Weights are missing, and they cannot be computed: there are no scores, and not both queries and keys. Say which "
                "arrays these are, or export the weights.");
  }
  if (needed.empty()) return "";
  return tr("Weights are there. To walk through a head step by step, and to check the weights, export its {0} too.", {needed});
}

std::vector<std::string> rowOf(const Chosen& chosen, std::size_t n) {
  const io::ArrayInfo& array = chosen.set.file.arrays[n];
  std::vector<std::string> row = {io::ticked(array.name), std::string(io::typeName(array.type)), io::shapeText(array.shape),
                                  chosen.model.guesses()[n].words + (array.note.empty() ? "" : "; " + array.note)};
  const ArrayFacts* facts = chosen.files.factsOf(n);
  std::string state = !array.unreadable.empty() ? array.unreadable : !facts ? tr("not read yet") : facts->failure;
  if (!state.empty()) {
    row.insert(row.end(), {std::move(state), "", "", ""});
    return row;
  }
  const io::ScanSummary& summary = facts->summary;
  const bool text = array.type == io::ElementType::kText;
  char checksum[17];
  std::snprintf(checksum, sizeof checksum, "%016llx", static_cast<unsigned long long>(summary.checksum));
  row.push_back(summary.finite == 0 ? "" : core::fixedText(summary.min, 4) + " … " + core::fixedText(summary.max, 4));
  row.push_back(text ? "" : countText(summary.nan));
  row.push_back(text ? "" : countText(summary.plus_infinity + summary.minus_infinity));
  row.push_back(checksum);
  return row;
}

lesson::Table arraysTable(const Chosen& chosen) {
  lesson::Table table;
  table.title = tr("Arrays");
  table.columns = {tr("name"), tr("type"), tr("shape"), tr("taken for"), tr("smallest … largest"), "NaN", "±∞",
                   tr("checksum")};
  const std::vector<std::size_t> order = opened::naturalOrder(chosen.set.file.arrays);
  for (std::size_t n = 0; n < std::min(order.size(), kMostRows); ++n) table.rows.push_back(rowOf(chosen, order[n]));
  table.note = tr("Smallest and largest are of the finite numbers; ±∞ counts both. Equal checksums: equal bytes.");
  if (const std::size_t more = order.size() - table.rows.size(); more > 0) {
    table.note += " " + tr("And {0} more {0|array that is|arrays that are} not listed.", {countText(more)});
  }
  return table;
}

void addButton(Shown& shown, std::string label, const char* key, const char* value) {
  shown.add(lesson::Jump{std::move(label), "", {key}, {value}});
}

// A checkpoint that can be run, and what it lacks for that.
void addCheckpoint(const FileSet& set, Shown& shown) {
  const model::Companions& beside = set.companions;
  const auto& notes = set.file.notes;
  const bool names_tokens = std::any_of(notes.begin(), notes.end(), [](const std::string& note) { return note.starts_with("vocabulary: "); });
  std::vector<std::string> missing;
  if (!names_tokens && beside.vocabulary.empty()) missing.push_back("`vocab.json`");
  if (!names_tokens && beside.merges.empty()) missing.push_back("`merges.txt`");
  std::string text = tr("These are the weights of a model in the shape of GPT-2: it can run here, on a text of yours.");
  if (!missing.empty()) {
    const std::string lacking = missing.size() == 1 ? missing[0] : tr("{0} and {1}", {missing[0], missing[1]});
    text += " " + tr("For that it needs {0} too, which {1|says|say} what its tokens are; open {1|it|them} now.",
                     {lacking, missing.size()});
  }
  shown.text(std::move(text));
  shown.add(lesson::Jump{tr("Run this model"), "v=1&scene=model&set.model=opened", {}, {}});
}

bool isDocument(const io::ArrayFile& file) {
  const auto all = [&](std::initializer_list<std::string_view> names) {
    return std::all_of(names.begin(), names.end(), [&](std::string_view name) {
      return std::any_of(file.arrays.begin(), file.arrays.end(), [&](const auto& array) { return array.name == name; });
    });
  };
  return all({"q", "k", "v"}) || all({"x", "wq", "wk", "wv"});
}

void addButtons(const Chosen& chosen, const Inputs& in, Outputs& out, Shown& shown) {
  if (weightsFrom(chosen.model, chosen.place.layer) != WeightsFrom::kNowhere) {
    addButton(shown, tr("All heads"), "part", "heads");
    addButton(shown, tr("One head"), "part", "head");
    addButton(shown, tr("Audit"), "part", "audit");
  }
  if (!isDocument(chosen.set.file)) return;
  addButton(shown, tr("Open as an example"), "walk", "1");
  if (!in.on("walk")) return;
  core::Result<std::string> document = opened::documentJson(*chosen.set.source, chosen.set.file, chosen.set.label, kMostDocument);
  if (document) out.document(document.take());
  else shown.note(document.error().message);
}

}  // namespace

core::Check showFile(const Chosen& chosen, const Inputs& in, Outputs& out, Shown& shown) {
  const io::ArrayFile& file = chosen.set.file;
  const std::string found = takenFor(chosen.model);
  const std::string label = io::ticked(chosen.set.label), size = core::bytesText(chosen.set.source->size()),
                    arrays = countText(file.arrays.size());
  shown.says = found.empty() ? tr("{0}: {1}, {2}, {3} {3|array|arrays}.", {label, file.format, size, arrays})
                             : tr("{0}: {1}, {2}, {3} {3|array|arrays}; taken for {4}.", {label, file.format, size, arrays, found});
  out.text("taken_for", found);
  out.number("arrays", static_cast<double>(file.arrays.size()));
  const std::vector<std::string>& notes = chosen.set.notes;
  for (std::size_t n = 0; n < std::min(notes.size(), kMostNotes); ++n) shown.note(notes[n]);
  if (notes.size() > kMostNotes) {
    shown.note(tr("And {0} more {0|note|notes} of the files.", {countText(notes.size() - kMostNotes)}));
  }
  if (!chosen.token_note.empty()) shown.note(chosen.token_note);
  if (const std::string text = stepsText(chosen.model, 0); !text.empty()) shown.text(text);
  if (model::isCheckpoint(file)) addCheckpoint(chosen.set, shown);
  else if (const std::string text = missing(chosen.set, chosen.model); !text.empty()) shown.text(text);
  addButtons(chosen, in, out, shown);
  if (!file.arrays.empty()) shown.add(arraysTable(chosen));
  chosen.files.wantArrays();
  return {};
}

}  // namespace attn::survey
