// How the model was trained, out of web/data/model.json: checkpoints and losses along the way. Knows no page.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace attn::study {

struct Checkpoint {
  long step = 0;
  std::string file;  // of web/data
};

// Losses in nats per character: of the natural rows trained on (a running mean), of held-out natural text, and of random
// segments that are repeated, from their second copy on. None where nothing was measured.
struct Measured {
  long step = 0;
  std::optional<double> train, validation, repeats;
};

struct Facts {
  std::vector<Checkpoint> checkpoints;  // at least one, by step; the last one is the end
  std::vector<Measured> curve;
  std::vector<Measured> without_positions;  // the same training of a twin without position embeddings
};

// Refuses, in a sentence, what is not such a file.
core::Result<Facts> readFacts(std::string_view json);

}  // namespace attn::study
