// See inputs.h.
#include "study/inputs.h"

#include <algorithm>

#include "core/decoder_outcome.h"
#include "core/rng.h"
#include "scene/words.h"

namespace attn::study {
namespace {

constexpr Index kRepeats = 32;
constexpr std::size_t kMostLines = 1000;

std::string grouped(std::size_t count) { return scene::grouped(static_cast<double>(count)); }

// How many lines were left out, of the first its number and the reason; and how many were cut.
struct LeftOut {
  std::size_t count = 0, first = 0, cut = 0;
  std::string why;

  std::string note(const Loaded& loaded) const {
    std::string text;
    if (count > 0) text = tr("{0} {0|line is|lines are} left out; the first: line {1}: {2}", {grouped(count), first, why});
    if (count > 0 && cut > 0) text += " ";
    if (cut > 0) text += tr("{0} {0|line is|lines are} cut: the model reads {1}.", {grouped(cut), loaded.contextText()});
    return text;
  }
};

Texts linesOf(const Loaded& loaded, std::string_view text, std::size_t most, LeftOut& left_out) {
  Texts texts;
  for (std::size_t number = 1; !text.empty() && texts.tokens.size() < std::min(most, kMostLines); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    core::Result<Read> read = readText(loaded, std::string(line));
    const bool is_short = read && read.value().tokens.size() < 2;
    if (read && !is_short) {
      if (!read.value().note.empty()) ++left_out.cut;
      texts.tokens.push_back(read.take().tokens);
    } else if (left_out.count++ == 0) {
      left_out.first = number;
      left_out.why = is_short ? tr("It has only one {0}.", {loaded.unit()}) : read.error().message;
    }
  }
  return texts;
}

// A space and letters: a text of such tokens is cut where they are.
bool isWord(std::string_view token) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return token.size() > 1 && token[0] == ' ' && std::all_of(token.begin() + 1, token.end(), is_letter);
}

}  // namespace

Texts heldOutLines(Models& models, const Loaded& loaded, std::size_t most) {
  const std::string* text = models.text(kLinesFile);
  if (!text) return {};
  LeftOut left_out;
  Texts texts = linesOf(loaded, *text, most, left_out);
  texts.name = tr("{0} held-out {0|line|lines}", {grouped(texts.tokens.size())});
  texts.note = left_out.note(loaded);
  return texts;
}

Texts repeats(const Loaded& loaded, Index count, std::uint64_t seed) {
  core::Rng random(seed);
  std::vector<Index> kinds;  // not the end of a line: such a text fits into a field of one line
  for (Index token = 0; token < loaded.file.decoder.vocabulary(); ++token)
    if (loaded.bpe ? isWord(loaded.text(token)) : loaded.text(token).find('\n') == std::string::npos) kinds.push_back(token);
  if (kinds.empty()) kinds = {0};
  const Index longest = std::min<Index>(loaded.bpe ? 16 : 32, loaded.file.decoder.context() / 2), shortest = std::min<Index>(6, longest);
  Texts texts;
  texts.twice = true;
  texts.name = tr("{0} random {0|segment|segments}, each twice", {count});
  for (Index n = 0; n < count; ++n) {
    std::vector<Index> tokens(static_cast<std::size_t>(shortest + random.below(longest - shortest + 1)));
    for (Index& token : tokens) token = kinds[static_cast<std::size_t>(random.below(static_cast<Index>(kinds.size())))];
    tokens.insert(tokens.end(), tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(tokens.size()));
    texts.tokens.push_back(std::move(tokens));
  }
  return texts;
}

double lossOf(const Texts& texts, const core::DecoderRun& run, const std::vector<Index>& tokens) {
  const auto count = static_cast<Index>(tokens.size());
  return core::lossOn(run.logits, tokens, texts.twice ? count / 2 : 0, count - 1).value();
}

core::Result<Texts> textsFor(const Running& running, const scene::Inputs& in, std::size_t runs_each, bool& waiting) {
  const std::size_t most = running.loaded.runs() / runs_each;
  const std::string& inputs = in.text("inputs");
  if (inputs == "repeats") return repeats(running.loaded, std::min(kRepeats, static_cast<Index>(most)), in.seed("seed"));
  if (inputs == "pasted") {
    LeftOut left_out;
    Texts texts = linesOf(running.loaded, in.text("pasted"), most, left_out);
    if (texts.tokens.empty()) {
      return core::Error{left_out.count == 0 ? tr("Paste lines of text, one below the other; each is one text.")
                                             : left_out.note(running.loaded)};
    }
    texts.name = tr("{0} pasted {0|line|lines}", {grouped(texts.tokens.size())});
    texts.note = left_out.note(running.loaded);
    return texts;
  }
  if (inputs == "lines") {
    Texts texts = heldOutLines(running.models, running.loaded, most);
    waiting = texts.tokens.empty();
    return texts;
  }
  if (running.length() < 2) return core::Error{tr("The text has only one {0}; write at least two.", {running.unit()})};
  return Texts{{running.read.tokens}, tr("this text"), ""};
}

std::string textOf(const Loaded& loaded, const std::vector<Index>& tokens) {
  std::string text;
  for (const Index token : tokens) text += loaded.text(token);
  return text;
}

}  // namespace attn::study
