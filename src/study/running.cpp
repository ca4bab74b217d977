// See running.h.
#include "study/running.h"

#include <algorithm>

#include "io/text.h"
#include "lesson/token_text.h"

namespace attn::study {
namespace {

// "“é” (U+00E9)"
std::string namedCharacter(const std::string& character) {
  const std::string shown = lesson::tokenText(character, false);
  return shown == character ? "“" + shown + "”" : shown;
}

std::string knownCharacters(const std::vector<std::string>& vocabulary) {
  std::string known;
  for (const std::string& each : vocabulary)
    if (each != " " && each != "\n") known += (known.empty() ? "" : " ") + each;
  return known;
}

}  // namespace

core::Result<Read> readText(const model::DecoderFile& file, const std::string& text) {
  if (text.empty()) return core::Error{"The text is empty; the model needs one character to begin with."};
  Read read;
  const auto context = static_cast<std::size_t>(file.decoder.context());
  std::size_t count = 0;
  for (std::string_view rest = text; !rest.empty(); ++count) {
    const auto length = static_cast<std::size_t>(std::max(1, io::characterLength(rest)));
    const std::string character(rest.substr(0, length));
    rest.remove_prefix(length);
    const auto found = std::find(file.vocabulary.begin(), file.vocabulary.end(), character);
    if (found == file.vocabulary.end()) {
      return core::Error{"The model has never seen the character " + namedCharacter(character) + ", at position " +
                         std::to_string(count) + " of the text; it knows the space, the end of a line and " +
                         knownCharacters(file.vocabulary)};
    }
    if (count < context) read.tokens.push_back(static_cast<Index>(found - file.vocabulary.begin()));
  }
  if (count > context) {
    read.note = "The text has " + std::to_string(count) + " characters, and the model reads " + std::to_string(context) +
                ": what comes after them is left out.";
  }
  return read;
}

const core::Matrix<float>& Running::weights(Index layer, Index head) const {
  return run->blocks[static_cast<std::size_t>(layer)].attention.heads[static_cast<std::size_t>(head)].softmax.weights;
}

std::string Running::label(Index token) const {
  return lesson::tokenText(loaded.file.vocabulary[static_cast<std::size_t>(token)], false);
}

std::string Running::quoted(Index token) const { return "“" + label(token) + "”"; }

std::vector<std::string> Running::labels() const {
  std::vector<std::string> labels;
  for (const Index token : read.tokens) labels.push_back(label(token));
  return labels;
}

std::string Running::positionText(Index position) const {
  return quoted(read.tokens[static_cast<std::size_t>(position)]) + " at position " + std::to_string(position);
}

std::string headName(Index layer, Index head) { return "layer " + std::to_string(layer) + ", head " + std::to_string(head); }

}  // namespace attn::study
