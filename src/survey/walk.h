// One head of the open files as an example document, to be walked through step by step. Knows no page.
#pragma once
#include <cstdint>
#include <string>

#include "core/result.h"
#include "survey/chosen.h"

namespace attn::survey {

inline constexpr std::uint64_t kMostDocument = std::uint64_t(64) << 20;  // bytes; as much as an opened document may have
inline constexpr std::uint64_t kMostDestinations = 64;  // of a document: more are a window

// Which of queries, keys and values the layer has not: "values", "keys and values"; "" when all are there.
std::string missingForWalk(const opened::Model& model, std::uint64_t layer);

// The destinations of that document: [first, end), `row` among them.
struct Destinations {
  std::uint64_t first = 0, end = 0;
};
Destinations destinationsAround(std::uint64_t row, std::uint64_t count);

// The document of the chosen head around `row`: its q, k and v with all their digits, and its bias where there is one.
// Under a causal mask the sources are those that the last destination may read, so that each weight is what it is in the
// whole head. Refuses what does not fit together, numbers that are not finite, and a text of more than `budget` bytes.
core::Result<std::string> walkDocument(const Chosen& chosen, std::uint64_t row, bool causal, std::uint64_t budget);

}  // namespace attn::survey
