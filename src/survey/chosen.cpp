// Controls read, and their options given. See chosen.h.
#include "survey/chosen.h"

#include <algorithm>

#include "core/number.h"

namespace attn::survey {
namespace {

using opened::Guess;
using opened::Role;

// Roles that a control can give, each a control of the name that roleName() gives.
constexpr Role kChosenRoles[] = {Role::kQ,       Role::kK, Role::kV,    Role::kScores,
                                 Role::kWeights, Role::kZ, Role::kMask, Role::kTokens};
constexpr std::string_view kNone = "none";

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
  return "as guessed: " + (names.empty() ? std::string("none") : names);
}

}  // namespace

std::vector<Family> familiesOf(const io::ArrayFile& file) {
  std::vector<Family> families;
  for (const std::size_t n : opened::naturalOrder(file.arrays)) {
    const std::string id = starred(file.arrays[n].name);
    const auto same = [&](const Family& family) { return family.id == id; };
    const auto found = std::find_if(families.begin(), families.end(), same);
    if (found == families.end()) families.push_back({id, id, {n}});
    else found->arrays.push_back(n);
  }
  for (Family& family : families) {
    if (family.arrays.size() == 1) family.id = family.label = file.arrays[family.arrays.front()].name;
    else family.label += " (" + std::to_string(family.arrays.size()) + " arrays)";
  }
  return families;
}

namespace {

void giveRoleOptions(Role role, const std::vector<Guess>& guesses, const std::vector<Family>& families,
                     scene::Outputs& out) {
  std::vector<lesson::ParamOption> options = {{"guess", guessedLabel(role, guesses, families)}, {std::string(kNone), "none"}};
  for (const Family& family : families) options.push_back({family.id, family.label});
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
  for (const Role role : kChosenRoles) giveRoleOptions(role, guesses, families, out);
  std::string reading = applyRoles(set, families, in, guesses);
  opened::Model model(*set.source, set.file, std::move(guesses));
  opened::Place place{within(in.integer("layer"), model.layers()), within(in.integer("batch"), model.batches()),
                      within(in.integer("head"), model.heads())};
  limit(out, "layer", model.layers());
  limit(out, "batch", model.batches());
  limit(out, "head", model.heads());
  return {files, set, std::move(model), std::move(reading), place, {}, {}, ""};
}

}  // namespace attn::survey
