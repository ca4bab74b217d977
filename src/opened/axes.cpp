// In which order axes may stand, and guesses with another order. See role.h.
#include <algorithm>
#include <initializer_list>

#include "core/language.h"
#include "opened/role.h"

namespace attn::opened {
namespace {

using Axes = std::vector<Axis>;

// L layer, B batch, H head, Q query, K key, F feature, P the features of all heads.
Axes axesOf(std::string_view letters) {
  constexpr std::string_view kLetters = "LBHQKFP";
  Axes axes;
  for (const char letter : letters) axes.push_back(static_cast<Axis>(kLetters.find(letter)));
  return axes;
}

std::vector<Axes> listOf(std::initializer_list<std::string_view> orders) {
  std::vector<Axes> list;
  for (const std::string_view order : orders) list.push_back(axesOf(order));
  return list;
}

std::vector<Axes> mapAxes(std::size_t rank) {
  switch (rank) {
    case 2: return listOf({"QK", "KQ"});
    case 3: return listOf({"HQK", "HKQ", "BQK", "BKQ", "LQK", "LKQ", "QHK", "QKH"});
    case 4: return listOf({"BHQK", "BHKQ", "LHQK", "LHKQ", "HBQK", "HLQK", "LBQK", "BLQK", "BQHK", "BQKH", "LQHK", "LQKH"});
    case 5: return listOf({"LBHQK", "LBHKQ", "BLHQK", "BLHKQ", "LHBQK"});
    default: return {};
  }
}

// Of queries; of keys and values each Q is a K.
std::vector<Axes> vectorAxes(std::size_t rank) {
  switch (rank) {
    case 2: return listOf({"QF", "QP", "FQ"});
    case 3: return listOf({"HQF", "QHF", "BQF", "BQP", "LQF", "LQP", "HFQ", "BFQ"});
    case 4: return listOf({"BHQF", "BQHF", "LHQF", "LQHF", "HBQF", "LBQF", "LBQP", "BLQP", "BHFQ", "LHFQ"});
    case 5: return listOf({"LBHQF", "LBQHF", "BLHQF", "BLQHF", "LBHFQ"});
    default: return {};
  }
}

}  // namespace

std::vector<std::vector<Axis>> possibleAxes(Role role, std::size_t rank) {
  if (isMap(role)) return mapAxes(rank);
  if (!isVectors(role)) return {};
  std::vector<Axes> list = vectorAxes(rank);
  if (role == Role::kK || role == Role::kV)
    for (Axes& axes : list) std::replace(axes.begin(), axes.end(), Axis::kQuery, Axis::kKey);
  return list;
}

Guess withAxes(const io::ArrayInfo& array, Guess guess, std::vector<Axis> axes, std::uint64_t heads) {
  guess.axes = std::move(axes);
  guess.sure = true;
  guess.packed_heads = 1;
  const auto packed = std::find(guess.axes.begin(), guess.axes.end(), Axis::kHeadFeature);
  if (packed != guess.axes.end() && heads > 1 && array.shape[static_cast<std::size_t>(packed - guess.axes.begin())] % heads == 0) {
    guess.packed_heads = heads;
  }
  guess.words = guessText(guess, tr("as you say"));
  return guess;
}

}  // namespace attn::opened
