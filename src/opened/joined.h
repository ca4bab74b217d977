// Several files opened together as one: their arrays beside each other, as if one file held them all. Knows no attention.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "io/array_file.h"
#include "io/byte_source.h"

namespace attn::opened {

// What somebody gives to be opened, and what came of it.
struct NamedSource {
  std::string name;
  std::unique_ptr<io::ByteSource> source;
};

struct Joined {
  std::vector<std::string> names;   // of the files that were opened, in their order
  std::vector<std::string> notes;   // of each file, where it has any, with its name
  std::vector<std::string> refused; // one sentence for each file that could not be opened
  std::unique_ptr<io::ByteSource> source;  // all of them, one behind another; null when none was opened
  io::ArrayFile file;
};

// Opens each. An array whose name occurs in more than one file has its file's name before it: "a.npz: weights". What the
// opened files hold together is kept within the limits; a file beyond them is refused. Of an index of safetensors (a
// ….safetensors.index.json) only the files that it names and that are not among `sources` are reported.
Joined openTogether(std::vector<NamedSource> sources, const io::ArrayLimits& limits = {});

}  // namespace attn::opened
