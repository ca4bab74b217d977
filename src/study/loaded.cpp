// See loaded.h.
#include "study/loaded.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/buffer.h"
#include "io/array_file.h"
#include "io/deflate.h"
#include "io/text.h"
#include "lesson/token_text.h"
#include "scene/words.h"

namespace attn::study {
namespace {

std::string hexText(std::uint32_t number) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (int shift = 28; shift >= 0; shift -= 4) text += kDigits[(number >> shift) & 15];
  return text;
}

core::Result<std::string> hashOf(const io::ByteSource& source) {
  constexpr std::uint64_t kSlice = std::uint64_t(1) << 20;
  std::vector<std::byte> slice;
  std::uint32_t sum = 0;
  for (std::uint64_t at = 0; at < source.size(); at += slice.size()) {
    slice.resize(static_cast<std::size_t>(std::min(kSlice, source.size() - at)));
    if (core::Check failed = source.read(at, slice)) return *failed;
    sum = io::crc32Of(slice, sum);
  }
  return hexText(sum);
}

core::Check addBpe(const model::Companions& companions, Loaded& loaded) {
  if (companions.vocabulary.empty() && companions.merges.empty()) return {};
  if (companions.vocabulary.empty() || companions.merges.empty()) {
    return core::Error{tr("A tokenizer of GPT-2 is two files, `vocab.json` and `merges.txt`; open {0} too.",
                          {companions.merges.empty() ? "`merges.txt`" : "`vocab.json`"})};
  }
  core::Result<model::Bpe> bpe = model::Bpe::read(companions.vocabulary, companions.merges);
  if (!bpe) return bpe.error();
  if (bpe.value().size() != loaded.file.decoder.vocabulary()) {
    return core::Error{tr("`vocab.json` has {0} {0|token|tokens}, and the model has {1}; open the files of one model.",
                          {bpe.value().size(), loaded.file.decoder.vocabulary()})};
  }
  loaded.bpe = bpe.take();
  return {};
}

core::Error unknownCharacter(const std::string& character, std::size_t position, const std::string& known) {
  const std::string shown = lesson::tokenText(character, false);
  if (shown == character) {
    return {tr("The model has never seen the character “{0}”, at position {1} of the text; it knows the space, the end of a "
               "line and {2}.", {shown, position, known})};
  }
  return {tr("The model has never seen the character {0}, at position {1} of the text; it knows the space, the end of a line "
             "and {2}.", {shown, position, known})};
}

std::string knownCharacters(const std::vector<std::string>& vocabulary) {
  std::string known;
  for (const std::string& each : vocabulary)
    if (each != " " && each != "\n") known += (known.empty() ? "" : " ") + each;
  return known;
}

core::Result<std::vector<Index>> charactersOf(const std::vector<std::string>& vocabulary, const std::string& text) {
  std::vector<Index> tokens;
  const auto find = [&](const std::string& character) { return std::find(vocabulary.begin(), vocabulary.end(), character); };
  const bool written_out = find("\n") != vocabulary.end() && find("\\") == vocabulary.end();
  for (std::string_view rest = text; !rest.empty();) {
    const bool ends_line = written_out && rest.starts_with("\\n");  // a field of one line holds no other
    const std::size_t length = ends_line ? 2 : static_cast<std::size_t>(std::max(1, io::characterLength(rest)));
    const std::string character(ends_line ? "\n" : rest.substr(0, length));
    rest.remove_prefix(length);
    const auto found = find(character);
    if (found == vocabulary.end()) return unknownCharacter(character, tokens.size(), knownCharacters(vocabulary));
    tokens.push_back(static_cast<Index>(found - vocabulary.begin()));
  }
  return tokens;
}

core::Result<std::vector<Index>> tokensOf(const Loaded& loaded, const std::string& text) {
  if (!loaded.bpe) {
    if (loaded.file.vocabulary.empty())
      return core::Error{tr("Nothing says what the tokens of this model are; open `vocab.json` and `merges.txt` together with it.")};
    return charactersOf(loaded.file.vocabulary, text);
  }
  const core::Result<std::vector<model::BpeToken>> encoded = loaded.bpe->encode(text);
  if (!encoded) return encoded.error();
  std::vector<Index> tokens;
  for (const model::BpeToken& token : encoded.value()) tokens.push_back(token.id);
  return tokens;
}

}  // namespace

std::string Loaded::text(Index token) const {
  const std::vector<std::string>& tokens = bpe ? bpe->tokens() : file.vocabulary;
  if (token < static_cast<Index>(tokens.size())) return tokens[static_cast<std::size_t>(token)];
  return "[" + std::to_string(token) + "]";
}

std::string Loaded::contextText() const {
  const std::string most = scene::grouped(static_cast<double>(file.decoder.context()));
  return bpe ? tr("{0} {0|token|tokens}", {most}) : tr("{0} {0|character|characters}", {most});
}

std::size_t Loaded::runs() const {
  constexpr double kNumbers = 4e8;  // weights that are multiplied with, over all runs of one text: some seconds of work
  constexpr std::size_t kFewest = 12;
  const core::Decoder& decoder = file.decoder;
  Index weights = decoder.readout().size();
  for (const core::DecoderBlock& block : decoder.blocks)
    for (const core::Linear* each : {&block.qkv, &block.mix, &block.widen, &block.narrow}) weights += each->weight.size();
  return std::max(kFewest, static_cast<std::size_t>(kNumbers / static_cast<double>(weights)));
}

core::Result<Loaded> loadModel(const io::ByteSource& source, const std::string& name, const model::Companions& companions) {
  const core::Result<io::ArrayFile> file = io::openArrays(source, name);
  if (!file) return file.error();
  return loadModel(source, file.value(), companions);
}

core::Result<Loaded> loadModel(const io::ByteSource& source, const io::ArrayFile& file, const model::Companions& companions) {
  core::Result<model::DecoderFile> decoder = model::readDecoder(source, file, companions.config);
  if (!decoder) return decoder.error();
  core::Result<std::string> hash = hashOf(source);
  if (!hash) return hash.error();
  Loaded loaded{decoder.take(), {}, hash.take(), source.size()};
  if (core::Check wrong = addBpe(companions, loaded)) return *wrong;
  return loaded;
}

core::Result<Read> readText(const Loaded& loaded, const std::string& text) {
  if (text.empty()) return core::Error{tr("The text is empty; the model needs one {0} to begin with.", {loaded.unit()})};
  core::Result<std::vector<Index>> tokens = tokensOf(loaded, text);
  if (!tokens) return tokens.error();
  Read read{tokens.take(), ""};
  const auto context = static_cast<std::size_t>(loaded.file.decoder.context());
  if (read.tokens.size() <= context) return read;
  read.note = tr("The text has {0} {1}, and the model reads {2}: what comes after them is left out.",
                 {read.tokens.size(), loaded.units(), context});
  read.tokens.resize(context);
  return read;
}

}  // namespace attn::study
