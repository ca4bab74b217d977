// How a head of the open files is read, once for every part that asks for it. Knows no page.
#pragma once
#include <string>

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

}  // namespace attn::survey
