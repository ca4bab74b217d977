// Words of names first, then lengths of axes. See role.h.
#include "opened/role.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "core/language.h"

namespace attn::opened {
namespace {

using Shape = std::vector<std::uint64_t>;
using Axes = std::vector<Axis>;

constexpr std::string_view kRoleNames[] = {"",  "q",    "k",    "v",      "scores",  "weights", "z",
                                           "y", "mask", "bias", "tokens", "sources", "x"};

struct Word {
  std::string_view word;
  Role role;
};

// The last part of a name that is one of these decides: "blocks.0.attn.hook_q", "decoder_attentions.3", "key_layer".
constexpr Word kWords[] = {
    {"q", Role::kQ}, {"query", Role::kQ}, {"queries", Role::kQ}, {"qs", Role::kQ},
    {"k", Role::kK}, {"key", Role::kK}, {"keys", Role::kK}, {"ks", Role::kK},
    {"v", Role::kV}, {"value", Role::kV}, {"values", Role::kV}, {"vs", Role::kV},
    {"scores", Role::kScores}, {"score", Role::kScores}, {"logits", Role::kScores}, {"scaled", Role::kScores},
    {"weights", Role::kWeights}, {"weight", Role::kWeights}, {"attention", Role::kWeights}, {"attentions", Role::kWeights},
    {"attn", Role::kWeights}, {"attns", Role::kWeights}, {"att", Role::kWeights}, {"atts", Role::kWeights},
    {"pattern", Role::kWeights}, {"patterns", Role::kWeights}, {"probs", Role::kWeights},
    {"probabilities", Role::kWeights}, {"softmax", Role::kWeights}, {"alpha", Role::kWeights},
    {"z", Role::kZ}, {"context", Role::kZ}, {"concat", Role::kZ},
    {"y", Role::kY}, {"out", Role::kY}, {"output", Role::kY}, {"outputs", Role::kY}, {"o", Role::kY},
    {"mask", Role::kMask}, {"allowed", Role::kMask}, {"bias", Role::kBias}, {"alibi", Role::kBias},
    {"tokens", Role::kTokens}, {"token", Role::kTokens}, {"words", Role::kTokens}, {"labels", Role::kTokens},
    {"rows", Role::kTokens}, {"sources", Role::kSources}, {"columns", Role::kSources},
    {"x", Role::kInput}, {"input", Role::kInput}, {"inputs", Role::kInput}, {"embeddings", Role::kInput},
};

// Lower-case words of a name: "h.3.attnWeights" → h, 3, attn, weights.
std::vector<std::string> wordsOf(std::string_view name) {
  std::vector<std::string> words;
  char before = 0;
  for (const char c : name) {
    const bool letter = std::isalpha(static_cast<unsigned char>(c)), digit = std::isdigit(static_cast<unsigned char>(c));
    if (letter || digit) {
      const bool joins = before && (digit ? std::isdigit(static_cast<unsigned char>(before)) != 0
                                          : std::isalpha(static_cast<unsigned char>(before)) != 0 &&
                                                !(std::isupper(static_cast<unsigned char>(c)) &&
                                                  std::islower(static_cast<unsigned char>(before))));
      if (!joins || words.empty()) words.emplace_back();
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    before = letter || digit ? c : 0;
  }
  return words;
}

bool isNumber(const std::string& word) { return !word.empty() && std::isdigit(static_cast<unsigned char>(word[0])); }

bool holds(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Where the numbers begin behind "past_key_values": the layer, then 0 for its keys and 1 for its values.
std::optional<std::size_t> cacheAt(const std::vector<std::string>& words) {
  constexpr std::string_view kCache[] = {"past", "key", "values"};
  const auto found = std::search(words.begin(), words.end(), std::begin(kCache), std::end(kCache));
  const auto at = static_cast<std::size_t>(found - words.begin()) + std::size(kCache);
  if (found == words.end() || at >= words.size() || !isNumber(words[at])) return std::nullopt;
  return at;
}

Role roleInCache(const std::vector<std::string>& words, std::size_t at) {
  if (words.size() != at + 2) return Role::kNone;
  return words[at + 1] == "0" ? Role::kK : words[at + 1] == "1" ? Role::kV : Role::kNone;
}

// BertViz: attention.0.attn holds all layers of the first set of weights that it shows.
bool isBertViz(const std::vector<std::string>& words) {
  const std::size_t n = words.size();
  return n >= 3 && words[n - 3] == "attention" && (isNumber(words[n - 2]) || words[n - 2] == "all") && words[n - 1] == "attn";
}

// PyTorch's MultiheadAttention: by default averaged over the heads.
bool isMultihead(const std::vector<std::string>& words) {
  return holds(words, "attn") && holds(words, "output") && holds(words, "weights");
}

bool isAveraged(const std::vector<std::string>& words) {
  return isMultihead(words) || holds(words, "average") || holds(words, "averaged");
}

// "w4", not "w_4".
bool endsGlued(std::string_view name) {
  const std::size_t before = name.find_last_not_of("0123456789");
  return before != name.npos && before + 1 < name.size() && std::isalpha(static_cast<unsigned char>(name[before])) != 0;
}

// A digit glued to a name where a file has one array of each role is a version or a size, no layer.
std::optional<int> layerOf(const std::vector<std::string>& words, bool glued_alone) {
  const auto numberAt = [&](std::size_t n) -> std::optional<int> {
    if (n >= words.size() || !isNumber(words[n]) || words[n].size() > 6) return std::nullopt;
    return std::stoi(words[n]);
  };
  for (std::size_t n = 0; n < words.size(); ++n) {
    for (const std::string_view marker : {"layer", "layers", "block", "blocks", "h", "l"}) {
      if (words[n] == marker) {
        if (const auto number = numberAt(n + 1)) return number;
      }
    }
  }
  if (const auto cache = cacheAt(words)) return numberAt(*cache);
  for (std::size_t n = words.size() - (glued_alone ? 1 : 0); n-- > 0;) {
    if (words[n] == "head") return std::nullopt;
    if (const auto number = numberAt(n)) return number;
  }
  return std::nullopt;
}

Role roleOfName(const std::vector<std::string>& words) {
  for (std::size_t n = words.size(); n-- > 0;) {
    // "hook_attn_scores": what stands last decides; "q_proj" and "query_layer" name no output of their own.
    for (const Word& known : kWords) {
      if (words[n] == known.word) {
        if (known.role == Role::kWeights && words[n] == "weight" && n > 0) return Role::kNone;  // a parameter
        return known.role;
      }
    }
  }
  return Role::kNone;
}

Axis positionOf(Role role) { return role == Role::kK || role == Role::kV ? Axis::kKey : Axis::kQuery; }

// What is known of the whole file: how many destinations, sources and heads its maps have.
struct Lengths {
  std::optional<std::uint64_t> T, S, H;
  Shape values;  // of the first array of values
  std::size_t map_rank = 0;
  bool of_weights = false;
};

struct Reading {
  Axes axes;
  bool sure = true;
  std::string other;  // the other reading, when not sure
};

Reading mapAxes(const Shape& shape, const std::vector<std::string>& words, std::optional<int> layer) {
  switch (shape.size()) {
    case 2: return {{Axis::kQuery, Axis::kKey}, true, ""};
    case 3:
      if (isAveraged(words)) return {{Axis::kBatch, Axis::kQuery, Axis::kKey}, false, tr("the first axis may be the heads")};
      return {{Axis::kHead, Axis::kQuery, Axis::kKey}, true, ""};
    case 4: {
      const Axes batch = {Axis::kBatch, Axis::kHead, Axis::kQuery, Axis::kKey};
      const Axes layers = {Axis::kLayer, Axis::kHead, Axis::kQuery, Axis::kKey};
      if (isBertViz(words)) return {layers, true, ""};
      if (layer || shape[0] == 1 || isMultihead(words)) return {batch, true, ""};
      if (holds(words, "layers") || holds(words, "attentions")) return {layers, true, ""};
      return {layers, false, tr("the first axis may be the batch")};
    }
    case 5: return {{Axis::kLayer, Axis::kBatch, Axis::kHead, Axis::kQuery, Axis::kKey}, true, ""};
    default: return {Axes(shape.size(), Axis::kOther), false, tr("no reading of so many axes is known")};
  }
}

Reading vectorAxes(const Shape& shape, Role role, const std::vector<std::string>& words, std::optional<int> layer,
                   const Lengths& lengths) {
  const Axis position = positionOf(role);
  const auto count = position == Axis::kKey && lengths.S ? lengths.S : lengths.T;
  const bool hooked = holds(words, "hook");  // TransformerLens: position before head
  const bool per_head = role == Role::kQ || role == Role::kK || role == Role::kV || role == Role::kZ;
  const bool packed = per_head && lengths.H && *lengths.H > 1 && shape.back() % *lengths.H == 0;
  if (shape.size() == 2) return {{position, packed ? Axis::kHeadFeature : Axis::kFeature}, true, ""};
  if (shape.size() == 3) {
    if (packed && shape[0] == 1 && !hooked) return {{Axis::kBatch, position, Axis::kHeadFeature}, true, ""};
    const Axes heads_first = {Axis::kHead, position, Axis::kFeature}, heads_later = {position, Axis::kHead, Axis::kFeature};
    if (hooked) return {heads_later, true, ""};
    if (role == Role::kY || role == Role::kInput) return {{Axis::kBatch, position, Axis::kFeature}, true, ""};
    const bool first = count && shape[0] == *count, second = count && shape[1] == *count;
    if (first != second) return {first ? heads_later : heads_first, true, ""};
    return {heads_first, !count && shape[0] > shape[1] ? false : true, tr("heads may be the second axis")};
  }
  if (shape.size() == 4) {
    const Axis outer = layer || shape[0] == 1 ? Axis::kBatch : Axis::kLayer;
    const Axes heads_first = {outer, Axis::kHead, position, Axis::kFeature};
    const Axes heads_later = {outer, position, Axis::kHead, Axis::kFeature};
    if (hooked) return {heads_later, true, ""};
    const bool second = count && shape[1] == *count, third = count && shape[2] == *count;
    if (second != third) return {second ? heads_later : heads_first, outer == Axis::kBatch, tr("the first axis may be the batch")};
    if (lengths.H && shape[1] != shape[2] && shape[2] == *lengths.H) return {heads_later, true, ""};
    return {heads_first, false, tr("heads may be the third axis")};
  }
  if (shape.size() == 5) return {{Axis::kLayer, Axis::kBatch, Axis::kHead, position, Axis::kFeature}, true, ""};
  return {Axes(shape.size(), Axis::kOther), false, tr("no reading of so many axes is known")};
}

Reading readingOf(const Shape& shape, Role role, const std::vector<std::string>& words, std::optional<int> layer,
                  const Lengths& lengths) {
  if (isMap(role) && shape.size() >= 2) return mapAxes(shape, words, layer);
  if (isVectors(role) && shape.size() >= 2) return vectorAxes(shape, role, words, layer, lengths);
  if (role == Role::kTokens || role == Role::kSources) {
    return {Axes(shape.size(), role == Role::kSources ? Axis::kKey : Axis::kQuery), true, ""};
  }
  return {Axes(shape.size(), Axis::kOther), true, ""};
}

// A map by its shape alone: the last two axes alike and longer than 1.
bool looksLikeMap(const Shape& shape) {
  const std::size_t n = shape.size();
  return n >= 2 && n <= 5 && shape[n - 1] == shape[n - 2] && shape[n - 1] > 1;
}

Role roleOf(const io::ArrayInfo& array, const std::vector<std::string>& words, std::string& reason) {
  if (array.type == io::ElementType::kText) {
    const Role named = roleOfName(words);
    reason = tr("since it holds texts");
    const bool right = words.size() >= 2 && words[words.size() - 2] == "right" && words.back() == "text";  // BertViz
    return named == Role::kSources || right ? Role::kSources : Role::kTokens;
  }
  if (const auto cache = cacheAt(words)) {
    const Role cached = roleInCache(words, *cache);
    if (cached != Role::kNone) reason = tr("from the name");
    return cached;
  }
  Role role = roleOfName(words);
  reason = tr("from the name");
  const std::size_t rank = array.shape.size();
  if (role == Role::kTokens || role == Role::kSources) role = Role::kNone;  // numbers are no texts
  // "attention mask", "attention output": more words than the role itself says nothing against a shape that fits.
  if ((isMap(role) || isVectors(role)) && rank >= 2) return role;
  if (role == Role::kMask && rank == 1) return role;
  const bool parameter = array.name.ends_with(".weight") || array.name.ends_with(".bias");
  if (!parameter && looksLikeMap(array.shape)) {
    reason = tr("from the shape");
    return Role::kWeights;
  }
  reason.clear();
  return Role::kNone;
}

constexpr std::string_view kRoleWords[] = {trLater("nothing that attention needs"), trLater("queries"), trLater("keys"),
    trLater("values"), trLater("scores"), trLater("attention weights"), trLater("mixed values before W_O (z)"),
    trLater("outputs after W_O (y)"), trLater("a mask"), trLater("a bias"), trLater("tokens"), trLater("tokens that are read"),
    trLater("inputs")};

Guess guessOf(const io::ArrayInfo& array, Role role, const std::string& reason, const std::vector<std::string>& words,
              const Lengths& lengths, bool alone) {
  Guess guess;
  guess.role = role;
  if (role != Role::kNone) guess.layer = layerOf(words, alone && endsGlued(array.name));
  const Reading reading = readingOf(array.shape, role, words, guess.layer, lengths);
  guess.axes = reading.axes;
  // Where all layers are in one array, the number in its name counts something else: steps, sequences, runs.
  if (std::find(guess.axes.begin(), guess.axes.end(), Axis::kLayer) != guess.axes.end()) guess.layer.reset();
  guess.sure = reading.sure;
  if (!guess.axes.empty() && guess.axes.back() == Axis::kHeadFeature) guess.packed_heads = *lengths.H;
  guess.words = guessText(guess, reason);
  if (!guess.sure) guess.words += "; " + reading.other;
  return guess;
}

Lengths lengthsOf(const std::vector<io::ArrayInfo>& arrays) {
  Lengths lengths;
  for (const io::ArrayInfo& array : arrays) {
    std::string reason;
    const auto words = wordsOf(array.name);
    const Role role = roleOf(array, words, reason);
    const std::size_t n = array.shape.size();
    if (role == Role::kV && lengths.values.empty()) lengths.values = array.shape;
    if (lengths.of_weights) continue;
    if ((role != Role::kWeights && role != Role::kScores) || n < 2) continue;
    lengths.T = array.shape[n - 2], lengths.S = array.shape[n - 1];
    if (n >= 4 || (n == 3 && !isAveraged(words))) lengths.H = array.shape[n - 3];
    lengths.map_rank = n, lengths.of_weights = role == Role::kWeights;
  }
  return lengths;
}

// "out" as long as heads and as wide as values, where nothing has a batch, is what each head mixed.
bool mixesPerHead(const io::ArrayInfo& array, const Lengths& lengths) {
  const Shape &shape = array.shape, &values = lengths.values;
  return shape.size() == 3 && values.size() == 3 && lengths.map_rank == 3 && lengths.H && shape[0] == *lengths.H &&
         shape[0] > 1 && values[0] > 0 && shape[0] % values[0] == 0 && shape[2] == values[2];
}

// Arrays of one name but for its numbers that have the rank and the leading lengths of a map: the later steps of a
// generation, of which each reads more keys than it has queries.
void followSteps(const std::vector<io::ArrayInfo>& arrays, const Lengths& lengths, std::vector<Guess>& guesses) {
  std::map<std::pair<std::vector<std::string>, Shape>, bool> maps;
  const auto key = [&](std::size_t n) {
    std::vector<std::string> words = wordsOf(arrays[n].name);
    for (std::string& word : words)
      if (isNumber(word)) word = "0";
    Shape leading = arrays[n].shape;
    leading.resize(leading.size() < 2 ? 0 : leading.size() - 2);
    return std::pair(std::move(words), std::move(leading));
  };
  for (std::size_t n = 0; n < arrays.size(); ++n)
    if (guesses[n].role == Role::kWeights && arrays[n].shape.size() >= 3) maps[key(n)] = true;
  for (std::size_t n = 0; n < arrays.size(); ++n) {
    const Shape& shape = arrays[n].shape;
    const bool open = guesses[n].role == Role::kNone && shape.size() >= 3 && arrays[n].type != io::ElementType::kText;
    if (!open || shape[shape.size() - 2] > shape.back() || !maps.count(key(n))) continue;
    guesses[n] = guessOf(arrays[n], Role::kWeights, tr("as others of its name"), wordsOf(arrays[n].name), lengths, false);
  }
}

// "decoder_attentions": what stands before the first number of the name of such a set, or nothing.
std::string setOf(const std::string& name) {
  const std::string set = name.substr(0, name.find_first_of("0123456789."));
  return set == "encoder_attentions" || set == "decoder_attentions" || set == "cross_attentions" ? set : "";
}

// Weights of encoder, decoder and cross-attention have layers of the same numbers: the first set is shown.
void tellSets(const std::vector<io::ArrayInfo>& arrays, std::vector<Guess>& guesses) {
  std::string used;
  for (const std::size_t n : naturalOrder(arrays)) {
    const std::string set = guesses[n].role == Role::kWeights ? setOf(arrays[n].name) : "";
    if (used.empty()) used = set;
    if (set.empty() || set == used) continue;
    guesses[n] = {};
    guesses[n].axes.assign(arrays[n].shape.size(), Axis::kOther);
    guesses[n].words = tr("another set of attention weights than {0}; choose it under Weights", {used});
  }
}

}  // namespace

bool isMap(Role role) { return role == Role::kScores || role == Role::kWeights || role == Role::kBias || role == Role::kMask; }
bool isVectors(Role role) {
  return role == Role::kQ || role == Role::kK || role == Role::kV || role == Role::kZ || role == Role::kY || role == Role::kInput;
}

std::string axesText(const std::vector<Axis>& axes) {
  std::string text;
  for (const Axis axis : axes) text += (text.empty() ? "" : ", ") + axisWord(axis);
  return "(" + text + ")";
}

std::string guessText(const Guess& guess, const std::string& reason) {
  std::string text = tr(kRoleWords[static_cast<int>(guess.role)]);
  if (guess.layer) text = tr("{0} of layer {1}", {text, *guess.layer});
  if (guess.role != Role::kNone && !guess.axes.empty()) text += " " + axesText(guess.axes);
  return reason.empty() ? text : text + ", " + reason;
}

std::string_view roleName(Role role) { return kRoleNames[static_cast<int>(role)]; }

std::optional<Role> roleNamed(std::string_view name) {
  for (std::size_t n = 0; n < std::size(kRoleNames); ++n) {
    if (kRoleNames[n] == name) return static_cast<Role>(n);
  }
  return std::nullopt;
}

std::string_view axisName(Axis axis) {
  constexpr std::string_view kNames[] = {trLater("layer"), trLater("batch"), trLater("head"), trLater("query"), trLater("key"),
                                         trLater("feature"), trLater("head·feature"), trLater("other")};
  return kNames[static_cast<int>(axis)];
}

std::string axisWord(Axis axis) { return tr(axisName(axis)); }

std::vector<Guess> guessRoles(const std::vector<io::ArrayInfo>& arrays) {
  const Lengths lengths = lengthsOf(arrays);
  std::vector<Role> roles;
  std::vector<std::string> reasons(arrays.size());
  for (std::size_t n = 0; n < arrays.size(); ++n) {
    roles.push_back(roleOf(arrays[n], wordsOf(arrays[n].name), reasons[n]));
    if (roles[n] != Role::kY || !mixesPerHead(arrays[n], lengths)) continue;
    roles[n] = Role::kZ;
    reasons[n] = tr("since it has the heads and the width of the values");
  }
  const bool alone = std::none_of(roles.begin(), roles.end(), [&](Role role) {
    return role != Role::kNone && std::count(roles.begin(), roles.end(), role) > 1;
  });
  std::vector<Guess> guesses;
  for (std::size_t n = 0; n < arrays.size(); ++n) {
    guesses.push_back(guessOf(arrays[n], roles[n], reasons[n], wordsOf(arrays[n].name), lengths, alone));
  }
  followSteps(arrays, lengths, guesses);
  tellSets(arrays, guesses);
  return guesses;
}

Guess withRole(const io::ArrayInfo& array, Role role, const std::vector<io::ArrayInfo>& arrays) {
  const bool alone = std::none_of(arrays.begin(), arrays.end(), [&](const io::ArrayInfo& other) {
    std::string reason;
    return other.name != array.name && roleOf(other, wordsOf(other.name), reason) == role;
  });
  return guessOf(array, role, tr("as you say"), wordsOf(array.name), lengthsOf(arrays), alone);
}

}  // namespace attn::opened
