// Controls read, and their options given. See chosen.h.
#include "survey/chosen.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/language.h"
#include "io/label.h"
#include "survey/tokens.h"

namespace attn::survey {
namespace {

using opened::Axis;
using opened::Guess;
using opened::Role;

// Roles that a control can give, each a control of the name that roleName() gives.
constexpr Role kChosenRoles[] = {Role::kQ,       Role::kK, Role::kV,    Role::kScores,
                                 Role::kWeights, Role::kZ, Role::kMask, Role::kTokens};
constexpr std::string_view kNone = "none";
constexpr std::size_t kMostOptions = 60;  // of a list to choose from

// "attn_*" for "attn_11": the last run of digits as a star.
std::string starred(const std::string& name) {
  std::size_t end = name.size();
  while (end > 0 && !(name[end - 1] >= '0' && name[end - 1] <= '9')) --end;
  std::size_t begin = end;
  while (begin > 0 && name[begin - 1] >= '0' && name[begin - 1] <= '9') --begin;
  return begin == end ? name : name.substr(0, begin) + "*" + name.substr(end);
}

// The arrays of a role, by its families: what a control says when nothing was chosen.
std::string guessedLabel(Role role, const std::vector<Guess>& guesses, const std::vector<Family>& families) {
  std::string names;
  for (const Family& family : families) {
    const bool has = std::any_of(family.arrays.begin(), family.arrays.end(), [&](std::size_t n) { return guesses[n].role == role; });
    if (has) names += (names.empty() ? "" : ", ") + family.id;
  }
  return tr("as guessed: {0}", {names.empty() ? tr("none") : names});
}

}  // namespace

std::vector<Family> familiesOf(const io::ArrayFile& file) {
  std::vector<Family> families;
  std::map<std::string, std::size_t> places;
  for (const std::size_t n : opened::naturalOrder(file.arrays)) {
    const std::string id = starred(file.arrays[n].name);
    const auto [found, is_new] = places.try_emplace(id, families.size());
    if (is_new) families.push_back({id, id, {n}});
    else families[found->second].arrays.push_back(n);
  }
  for (Family& family : families) {
    if (family.arrays.size() == 1) family.id = family.label = file.arrays[family.arrays.front()].name;
    else family.label = tr("{0} ({1} arrays)", {family.id, family.arrays.size()});
  }
  return families;
}

std::string stepsText(const opened::Model& model, std::uint64_t layer) {
  for (const Role role : {Role::kWeights, Role::kScores}) {
    const std::vector<std::size_t> steps = model.arraysOf(role, layer);
    if (steps.size() < 2) continue;
    const auto name = [&](std::size_t array) { return io::ticked(model.file().arrays[array].name); };
    return tr("{0} arrays of one layer, from {1} to {2}, each with as many keys more as it has queries, are taken for the steps "
              "of a generation: their rows stand below one another as one map, and what a step had no key for yet is {3}.",
              {steps.size(), name(steps.front()), name(steps.back()), role == Role::kScores ? "−∞" : "0"});
  }
  return "";
}

std::string attentionWasNone(const FileSet& set) {
  const auto is_about_it = [](const std::string& sentence) { return sentence.find("attn_implementation") != std::string::npos; };
  for (const io::ArrayInfo& array : set.file.arrays)
    if (is_about_it(array.unreadable)) return array.name + ": " + array.unreadable;
  // The last note is about the whole file.
  const auto note = std::find_if(set.notes.rbegin(), set.notes.rend(), is_about_it);
  return note == set.notes.rend() ? "" : *note;
}

namespace {

bool canBe(Role role, const io::ArrayInfo& array) {
  const bool text = array.type == io::ElementType::kText;
  return text == (role == Role::kTokens) && array.shape.size() >= (text || role == Role::kMask ? 1u : 2u);
}

void giveRoleOptions(Role role, const FileSet& set, const std::vector<Guess>& guesses, const std::vector<Family>& families,
                     scene::Outputs& out) {
  constexpr std::size_t kAlways = 2;
  std::vector<lesson::ParamOption> options = {{"guess", guessedLabel(role, guesses, families)}, {std::string(kNone), tr("none")}};
  for (const Family& family : families) {
    const bool fits = std::any_of(family.arrays.begin(), family.arrays.end(), [&](std::size_t n) { return canBe(role, set.file.arrays[n]); });
    if (fits && options.size() < kAlways + kMostOptions) options.push_back({family.id, family.label});
  }
  if (options.size() == kAlways) out.hide(std::string(opened::roleName(role)));
  out.options(std::string(opened::roleName(role)), std::move(options));
}

// What the controls say about each array, in words that differ when anything does.
std::string applyRoles(const FileSet& set, const std::vector<Family>& families, const scene::Inputs& in,
                       std::vector<Guess>& guesses) {
  std::string reading;
  for (const Role role : kChosenRoles) {
    const std::string& chosen = in.text(opened::roleName(role));
    if (chosen.empty() || chosen == "guess") continue;
    const auto family = std::find_if(families.begin(), families.end(), [&](const Family& each) { return each.id == chosen; });
    if (family == families.end() && chosen != kNone) continue;
    for (Guess& guess : guesses)
      if (guess.role == role) guess = {};
    if (family != families.end())
      for (const std::size_t n : family->arrays) guesses[n] = opened::withRole(set.file.arrays[n], role, set.file.arrays);
    reading += std::string(opened::roleName(role)) + "=" + chosen + ";";
  }
  return reading;
}

// Maps, or what has positions and features, of one number of axes, can have their axes said.
struct Group {
  const char* key;
  bool maps;
  bool has(Role role) const { return maps ? opened::isMap(role) : opened::isVectors(role); }
  // The orders, of which those of keys and values are named alike.
  std::vector<std::vector<Axis>> orders(std::size_t rank) const { return opened::possibleAxes(maps ? Role::kWeights : Role::kQ, rank); }
};
constexpr Group kGroups[] = {{"axes", true}, {"vector_axes", false}};

bool isPosition(Axis axis, const Group& group) { return !group.maps && (axis == Axis::kQuery || axis == Axis::kKey); }

std::string axesId(const std::vector<Axis>& axes, const Group& group) {
  std::string id;
  for (const Axis axis : axes) {
    const std::string_view name = isPosition(axis, group) ? "position" : axis == Axis::kHeadFeature ? "packed"
                                                                                                    : opened::axisName(axis);
    id += (id.empty() ? "" : "-") + std::string(name);
  }
  return id;
}

std::string axesLabel(const std::vector<Axis>& axes, const Group& group) {
  std::string label;
  for (const Axis axis : axes) {
    label += (label.empty() ? "" : ", ") + (isPosition(axis, group) ? tr("position") : opened::axisWord(axis));
  }
  return "(" + label + ")";
}

void giveAxesOptions(const Group& group, const std::vector<Guess>& guesses, scene::Outputs& out) {
  std::set<std::size_t> ranks;
  std::vector<std::string> guessed;
  for (const Guess& guess : guesses) {
    if (!group.has(guess.role) || guess.axes.size() < 2) continue;
    ranks.insert(guess.axes.size());
    const std::string label = axesLabel(guess.axes, group);
    if (std::find(guessed.begin(), guessed.end(), label) == guessed.end()) guessed.push_back(label);
  }
  if (ranks.empty()) return out.hide(group.key);
  std::string label;
  for (const std::string& each : guessed) label += (label.empty() ? "" : "; ") + each;
  std::vector<lesson::ParamOption> options = {{"guess", tr("as guessed: {0}", {label})}};
  for (const std::size_t rank : ranks)
    for (const auto& axes : group.orders(rank)) options.push_back({axesId(axes, group), axesLabel(axes, group)});
  out.options(group.key, std::move(options));
}

std::uint64_t headsOfMaps(const io::ArrayFile& file, const std::vector<Guess>& guesses) {
  std::uint64_t heads = 0;
  for (std::size_t n = 0; n < guesses.size(); ++n) {
    if (guesses[n].role != Role::kWeights && guesses[n].role != Role::kScores) continue;
    const auto head = std::find(guesses[n].axes.begin(), guesses[n].axes.end(), Axis::kHead);
    if (head != guesses[n].axes.end()) heads = std::max(heads, file.arrays[n].shape[static_cast<std::size_t>(head - guesses[n].axes.begin())]);
  }
  return heads;
}

std::string applyAxes(const Group& group, const io::ArrayFile& file, const scene::Inputs& in, std::vector<Guess>& guesses) {
  const std::string& chosen = in.text(group.key);
  std::string reading;
  const std::uint64_t heads = headsOfMaps(file, guesses);
  for (std::size_t n = 0; n < guesses.size(); ++n) {
    if (!group.has(guesses[n].role)) continue;
    const std::size_t rank = file.arrays[n].shape.size();
    const auto orders = group.orders(rank), own = opened::possibleAxes(guesses[n].role, rank);
    for (std::size_t order = 0; order < orders.size(); ++order) {
      if (axesId(orders[order], group) != chosen) continue;
      guesses[n] = opened::withAxes(file.arrays[n], std::move(guesses[n]), own[order], heads);
      reading = std::string(group.key) + "=" + chosen + ";";
    }
  }
  return reading;
}

std::uint64_t within(core::Index chosen, std::uint64_t count) {
  return count == 0 ? 0 : std::min<std::uint64_t>(static_cast<std::uint64_t>(chosen), count - 1);
}

void limit(scene::Outputs& out, const char* key, std::uint64_t count) {
  if (count < 2) out.hide(key);
  out.limit(key, count == 0 ? 0 : static_cast<double>(count - 1));
}

}  // namespace

Chosen choose(Files& files, const scene::Inputs& in, scene::Outputs& out) {
  const FileSet& set = *files.main();
  const std::vector<Family> families = familiesOf(set.file);
  std::vector<Guess> guesses = opened::guessRoles(set.file.arrays);
  for (const Role role : kChosenRoles) giveRoleOptions(role, set, guesses, families, out);
  std::string reading = applyRoles(set, families, in, guesses);
  for (const Group& group : kGroups) {
    giveAxesOptions(group, guesses, out);
    reading += applyAxes(group, set.file, in, guesses);
  }
  opened::Model model(*set.source, set.file, std::move(guesses));
  opened::Place place{within(in.integer("layer"), model.layers()), within(in.integer("batch"), model.batches()),
                      within(in.integer("head"), model.heads())};
  limit(out, "layer", model.layers());
  limit(out, "batch", model.batches());
  limit(out, "head", model.heads());
  if (const auto number = model.layerNumber(place.layer); number && *number != static_cast<int>(place.layer)) {
    out.hint("layer", tr("Counted from 0, in the order of their names; the files call this one {0}.", {*number}));
  }
  Tokens tokens = tokensFor(set, model, place, in.text("token_list"));
  return {files, set, std::move(model), std::move(reading), place, std::move(tokens.tokens), std::move(tokens.sources),
          std::move(tokens.note)};
}

}  // namespace attn::survey
