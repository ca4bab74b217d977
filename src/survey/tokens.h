// Names of positions: texts of the files, a pasted list, or nothing. Knows no page.
#pragma once
#include <string>
#include <vector>

#include "opened/model.h"
#include "survey/files.h"

namespace attn::survey {

struct Tokens {
  std::vector<std::string> tokens, sources;  // of destinations and of sources; empty: they are numbered
  std::string note;  // why given ones are not used, or ""
};

// `pasted`, one on each line or a list in brackets as JSON or Python has it, goes before what the files have.
Tokens tokensFor(const FileSet& set, const opened::Model& model, const opened::Place& place, const std::string& pasted);

}  // namespace attn::survey
