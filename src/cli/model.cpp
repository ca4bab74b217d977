// `attnscope-cli model`: a trained model on a text, with everything that its heads compute. The one that is built in, or a
// checkpoint in the shape of GPT-2 with the files beside it.
#include <array>
#include <cmath>

#include "cli/arguments.h"
#include "core/decoder_change.h"
#include "core/decoder_outcome.h"
#include "core/number.h"
#include "disk/file.h"
#include "disk/file_source.h"
#include "disk/shipped.h"
#include "io/array_json.h"
#include "lesson/token_text.h"
#include "model/companions.h"
#include "scene/head_score_words.h"
#include "study/loaded.h"
#include "study/models.h"

namespace attn::cli {
namespace {

using core::Index;

struct Head {
  Index layer = 0, head = 0;
};

core::Result<study::Loaded> builtIn() {
  const std::optional<std::string_view> bytes = disk::shippedFile(study::kModelFile);
  if (!bytes) return core::Error{"This program was built without its model; give the file of one."};
  const io::MemorySource source(std::as_bytes(std::span(bytes->data(), bytes->size())));
  return study::loadModel(source, study::kModelFile);
}

// What lies beside the file belongs to it.
core::Result<study::Loaded> openModel(const std::string& path) {
  core::Result<std::unique_ptr<io::ByteSource>> source = disk::openFile(path);
  if (!source) return source.error();
  const std::string folder = path.substr(0, path.size() - disk::fileName(path).size());
  model::Companions companions;
  for (const auto& [name, text] : {std::pair("config.json", &companions.config), {"vocab.json", &companions.vocabulary},
                                   {"merges.txt", &companions.merges}}) {
    if (core::Result<std::string> read = disk::readFile(folder + name)) *text = read.take();
  }
  return study::loadModel(*source.value(), disk::fileName(path), companions);
}

// "l1.h3"
core::Result<Head> parseHead(const std::string& text) {
  const std::size_t dot = text.find(".h");
  const auto number = [](std::string_view digits) -> std::optional<Index> {
    if (digits.empty() || digits.size() > 4 || digits.find_first_not_of("0123456789") != std::string_view::npos) return {};
    return std::stol(std::string(digits));
  };
  if (dot != std::string::npos && text[0] == 'l') {
    const auto layer = number(std::string_view(text).substr(1, dot - 1)), head = number(std::string_view(text).substr(dot + 2));
    if (layer && head) return Head{*layer, *head};
  }
  return core::Error{"--ablate is \"" + text + "\"; write a layer and a head, counted from 0, as l1.h3."};
}

core::Result<std::vector<core::LayerIntervention>> ablations(const Parsed& parsed, const core::Decoder& decoder) {
  std::vector<core::LayerIntervention> all;
  for (const auto& [option, text] : parsed.repeated) {
    const core::Result<Head> head = parseHead(text);
    if (!head) return head.error();
    const auto layers = static_cast<Index>(decoder.blocks.size());
    if (head.value().layer >= layers || head.value().head >= decoder.blocks[static_cast<std::size_t>(head.value().layer)].heads) {
      return core::Error{"--ablate is \"" + text + "\", and the model has layers 0 to " + std::to_string(layers - 1) + " with heads 0 to " +
                         std::to_string(decoder.blocks.front().heads - 1) + "; name one of these."};
    }
    all.push_back({head.value().layer, core::zeroOutput(head.value().head)});
  }
  return all;
}

core::Result<Index> topOf(const Parsed& parsed) {
  const auto found = parsed.options.find("--top");
  if (found == parsed.options.end()) return 10;
  const std::optional<double> number = core::parseNumber(found->second);
  if (number && *number >= 1 && *number <= 1e6 && *number == std::floor(*number)) return static_cast<Index>(*number);
  return core::Error{"--top is \"" + found->second + "\"; write a whole number from 1."};
}

// What is printed, in either form.
struct Answer {
  const study::Loaded& loaded;
  const study::Read& read;
  const core::DecoderRun& run;
  Index top;

  Index last() const { return static_cast<Index>(read.tokens.size()) - 1; }
};

void writeHead(io::JsonWriter& json, const Answer& answer, const core::HeadTrace<float>& head) {
  const core::Matrix<double> weights = head.softmax.weights.cast<double>();
  const core::HeadScores scores = core::headScores(weights, answer.read.tokens);
  io::writeList(json.beginObject().name("weights"), weights);
  json.name("scores").beginObject();
  for (const scene::HeadScore& score : scene::kHeadScores) json.name(score.id).number(scores.*score.value);
  json.endObject().endObject();
}

std::string jsonOf(const Answer& answer) {
  std::vector<std::string> tokens;
  core::RowVector<double> ids(answer.last() + 1);
  for (const Index token : answer.read.tokens) {
    ids(static_cast<Index>(tokens.size())) = static_cast<double>(token);
    tokens.push_back(answer.loaded.text(token));
  }
  io::JsonWriter json;
  json.beginObject().name("model").text(answer.loaded.hash);
  io::writeList(json.name("tokens"), tokens);
  io::writeList(json.name("ids"), ids);
  if (!answer.read.note.empty()) json.name("note").text(answer.read.note);
  json.name("layers").beginList();
  for (const core::BlockRun& block : answer.run.blocks) {
    json.beginObject().name("heads").beginList();
    for (const core::HeadTrace<float>& head : block.attention.heads) writeHead(json, answer, head);
    json.endList().endObject();
  }
  io::writeList(json.endList().name("logits"), core::Matrix<double>(answer.run.logits.cast<double>()));
  json.name("next").beginList();
  for (const Index token : core::likeliest(answer.run.logits.row(answer.last()), answer.top)) {
    json.beginObject().name("token").text(answer.loaded.text(token)).name("id").number(static_cast<double>(token));
    json.name("logit").number(static_cast<double>(answer.run.logits(answer.last(), token)));
    json.name("probability").number(std::exp(core::logProbability(answer.run.logits.row(answer.last()), token))).endObject();
  }
  json.endList();
  if (const auto loss = core::lossOn(answer.run.logits, answer.read.tokens, 0, answer.last())) json.name("loss").number(loss.value());
  json.endObject();
  return json.take() + "\n";
}

std::string linesOf(const Answer& answer) {
  std::string text = "model " + answer.loaded.hash + ", " + std::to_string(answer.read.tokens.size()) +
                     " " + answer.loaded.unit() + "s";
  if (const auto loss = core::lossOn(answer.run.logits, answer.read.tokens, 0, answer.last()))
    text += ", loss " + core::fixedText(loss.value(), 4) + " nats";
  text += "\n" + (answer.read.note.empty() ? "" : answer.read.note + "\n");
  for (std::size_t l = 0; l < answer.run.blocks.size(); ++l) {
    for (std::size_t h = 0; h < answer.run.blocks[l].attention.heads.size(); ++h) {
      const core::Matrix<double> weights = answer.run.blocks[l].attention.heads[h].softmax.weights.cast<double>();
      const core::HeadScores scores = core::headScores(weights, answer.read.tokens);
      text += "l" + std::to_string(l) + ".h" + std::to_string(h);
      for (const scene::HeadScore& score : scene::kHeadScores)
        text += "\t" + std::string(score.id) + " " + scene::scoreText(scores.*score.value);
      text += "\n";
    }
  }
  for (const Index token : core::likeliest(answer.run.logits.row(answer.last()), answer.top)) {
    text += lesson::tokenText(answer.loaded.text(token), true) + "\t" +
            core::fixedText(static_cast<double>(answer.run.logits(answer.last(), token)), 4) + "\t" +
            core::fixedText(std::exp(core::logProbability(answer.run.logits.row(answer.last()), token)), 4) + "\n";
  }
  return text;
}

}  // namespace

core::Result<Output> runModel(const Arguments& arguments) {
  constexpr std::array<std::string_view, 2> kKnown = {"--text", "--top"};
  constexpr std::array<std::string_view, 1> kRepeated = {"--ablate"}, kSwitches = {"--json"};
  const core::Result<Parsed> parsed = parseArguments("model", arguments, kKnown, {kRepeated, kSwitches});
  if (!parsed) return parsed.error();
  const std::vector<std::string>& plain = parsed.value().plain;
  if (plain.size() > 1) {
    return core::Error{"The command model takes one file at most, found " + std::to_string(plain.size()) + "; see attnscope-cli model --help."};
  }
  const auto text = parsed.value().options.find("--text");
  if (text == parsed.value().options.end()) return core::Error{"The command model reads a text; write --text \"Mr. Darcy\"."};
  const core::Result<Index> top = topOf(parsed.value());
  if (!top) return top.error();
  const core::Result<study::Loaded> loaded = plain.empty() ? builtIn() : openModel(plain.front());
  if (!loaded) return loaded.error();
  const core::Result<study::Read> read = study::readText(loaded.value(), text->second);
  if (!read) return read.error();
  const auto changes = ablations(parsed.value(), loaded.value().file.decoder);
  if (!changes) return changes.error();
  const core::Result<core::DecoderRun> run = core::runDecoder(loaded.value().file.decoder, read.value().tokens, changes.value());
  if (!run) return run.error();
  const Answer answer{loaded.value(), read.value(), run.value(), top.value()};
  return Output{parsed.value().options.count("--json") > 0 ? jsonOf(answer) : linesOf(answer)};
}

}  // namespace attn::cli
