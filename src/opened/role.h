// What an array of somebody's file is in an attention layer, guessed from its name and shape, in words, and open to
// change. Knows no values: a guess never opens the data.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "io/array_file.h"

namespace attn::opened {

enum class Role : std::uint8_t {
  kNone, kQ, kK, kV, kScores, kWeights, kZ, kY, kMask, kBias, kTokens, kSources, kInput,
};

// "q", "weights", …; "" for kNone. And back, for flags and choices.
std::string_view roleName(Role role);
std::optional<Role> roleNamed(std::string_view name);

// What an axis counts. kHeadFeature: the features of all heads, one head after another.
enum class Axis : std::uint8_t { kLayer, kBatch, kHead, kQuery, kKey, kFeature, kHeadFeature, kOther };
// "layer", "batch", "head", "query", "key", "feature", "head·feature", "other": for choices; and the word that is said.
std::string_view axisName(Axis axis);
std::string axisWord(Axis axis);

// Queries and what is computed for them (q, z, y) count kQuery; k and v count kKey.
struct Guess {
  Role role = Role::kNone;
  std::vector<Axis> axes;      // as many as the shape has
  std::optional<int> layer;    // that the name gives
  std::string words;           // "attention weights of layer 3 (batch, head, query, key), from the name"
  std::uint64_t packed_heads = 1;  // in a kHeadFeature axis
  bool sure = true;            // false: another reading of the shape is as likely; the words say which
};

// Guesses for all arrays of a file together, since one array's lengths tell what another's axes are.
std::vector<Guess> guessRoles(const std::vector<io::ArrayInfo>& arrays);

// The guess with another role for the array; axes follow from it and the shape.
Guess withRole(const io::ArrayInfo& array, Role role, const std::vector<io::ArrayInfo>& arrays);

// Scores, weights, bias and mask: destinations by sources. Queries, keys, values and what is mixed: positions by features.
bool isMap(Role role);
bool isVectors(Role role);

// In which order the axes of an array of so many may stand, the usual order first; none for a role that is neither a map
// nor vectors.
std::vector<std::vector<Axis>> possibleAxes(Role role, std::size_t rank);
// The guess with these axes, as many as it has; a packed axis holds the features of `heads` heads where they divide it.
Guess withAxes(const io::ArrayInfo& array, Guess guess, std::vector<Axis> axes, std::uint64_t heads);

std::string axesText(const std::vector<Axis>& axes);  // "(batch, head, query, key)"
// "attention weights of layer 3 (batch, head, query, key), from the name": what `words` of a guess say.
std::string guessText(const Guess& guess, const std::string& reason);

// Indices of `arrays` in the order in which people count: layer2 before layer10.
std::vector<std::size_t> naturalOrder(const std::vector<io::ArrayInfo>& arrays);
bool naturallyBefore(std::string_view a, std::string_view b);

}  // namespace attn::opened
