// How a head of the open files is read, once for every part that asks for it, and what its numbers are called. Knows no
// page.
#pragma once
#include <array>
#include <string>
#include <string_view>

#include "survey/chosen.h"
#include "survey/weights.h"

namespace attn::survey {

// What is found out about heads under the choices of a person.
struct HeadReading {
  std::string name;  // what Files knows it by
  core::Index rows = 0, columns = 0;   // of every small map; 0 where no layer has weights
  std::uint64_t T = 0, S = 0;          // destinations and sources of the largest map
  Files::HeadReader read;              // may outlive `chosen`, not its files
};
HeadReading headReading(const Chosen& chosen, bool causal);

// How many heads of a layer have weights of their own: one, where the file has their average; 0 without any.
std::uint64_t headsOfLayer(const opened::Model& model, std::uint64_t layer);

// A score of heads: the id of the control that sorts by it, its name, and where it stands.
struct Score {
  std::string_view id, name;
  double core::HeadScores::*value;
  std::string_view words, formula;
};
extern const std::array<Score, 5> kScores;

// "0.123", or "–" where no row has any say in it.
std::string scoreText(double value);

}  // namespace attn::survey
