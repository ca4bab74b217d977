// The files that lie beside a checkpoint in the shape of GPT-2, and how they and it are told from other files. Knows no
// tokenizer and no decoder.
#pragma once
#include <optional>
#include <string>

#include "io/array_file.h"
#include "io/byte_source.h"

namespace attn::model {

// Texts of the files beside a checkpoint, each "" where there is none.
struct Companions {
  std::string config, vocabulary, merges;  // config.json, vocab.json, merges.txt
};

// Which of the texts a file is: by the end of its name ("gpt2-vocab.json" too), else by how it begins. None where it is
// neither.
std::optional<std::string Companions::*> companionOf(const io::ByteSource& source, const std::string& name);

// Whether there are embeddings of tokens and of positions under GPT-2's names.
bool isCheckpoint(const io::ArrayFile& file);

}  // namespace attn::model
