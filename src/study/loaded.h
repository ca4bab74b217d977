// A model as pages and the terminal use it: its decoder, what its tokens are, and which file it is. Knows no page.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/language.h"
#include "core/result.h"
#include "io/byte_source.h"
#include "model/bpe.h"
#include "model/companions.h"
#include "model/decoder_file.h"

namespace attn::study {

using core::Index;

struct Loaded {
  model::DecoderFile file;
  std::optional<model::Bpe> bpe;  // else a token is a character of the file's vocabulary
  std::string hash;               // CRC-32 of the file's bytes, eight hexadecimal digits
  std::uint64_t bytes = 0;        // of the file

  // The bytes of a token; its number in brackets where nothing says what it is.
  std::string text(Index token) const;

  // What a token is called in sentences: "character", or "token" where it is of any length; and more than one of them.
  std::string unit() const { return bpe ? tr("token") : tr("character"); }
  std::string units() const { return bpe ? tr("tokens") : tr("characters"); }

  // How much it reads at most: "64 characters".
  std::string contextText() const;

  // How often one page runs it at most: a large model takes a second or more for one text.
  std::size_t runs() const;
};

// Refuses what readDecoder and Bpe::read refuse, a vocabulary without merges or the other way round, and one of another size
// than the model's.
core::Result<Loaded> loadModel(const io::ByteSource& source, const std::string& name, const model::Companions& companions = {});
// The same of a file whose arrays are known.
core::Result<Loaded> loadModel(const io::ByteSource& source, const io::ArrayFile& file, const model::Companions& companions);

// A text as a model reads it. Where tokens are characters, \n in it is the end of a line, unless the model knows the backslash.
struct Read {
  std::vector<Index> tokens;
  std::string note;  // what of the text was left out, or ""
};
// Refuses an empty text, by name and place a character outside the vocabulary, and any text where the model has none. A text
// beyond the model's context is cut there.
core::Result<Read> readText(const Loaded& loaded, const std::string& text);

}  // namespace attn::study
