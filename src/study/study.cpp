// The scene of the trained model: its controls, and which part is shown. See study.h.
#include "study/study.h"

#include <algorithm>

#include "study/parts.h"
#include "study/texts.h"

namespace attn::study {
namespace {

// Controls that only some parts have.
struct Use {
  std::string_view key, parts;  // ids of the parts, each between spaces
};
constexpr Use kUses[] = {
    {"layer", " head scores change lines circuits "},
    {"head", " head scores change lines circuits "},
    {"at", " text head stream change tasks "},
    {"text", " text head stream change training scores lines tasks "},
    {"prompt", " generate "},
    {"about", " stream change "},
    {"inputs", " scores lines "},
    {"pasted", " scores lines "},
    {"seed", " scores lines generate "},
    {"act", " change lines "},
    {"everywhere", " change "},
    {"source", " change "},
    {"with", " change "},
    {"other", " change lines "},
    {"mean_of", " change lines "},
    {"frozen", " change lines "},
    {"outcome", " change "},
    {"beside", " training "},
    {"temperature", " generate "},
    {"top_k", " generate "},
    {"made", " generate "},
};

void hideUnused(const std::string& part, Outputs& out) {
  for (const Use& use : kUses)
    if (use.parts.find(" " + part + " ") == std::string_view::npos) out.hide(std::string(use.key));
}

// Of where something is measured on many texts.
void hideUnusedInputs(const Inputs& in, Outputs& out) {
  const std::string& inputs = in.text("inputs");
  if (inputs != "text") out.hide("text");
  if (inputs != "pasted") out.hide("pasted");
  if (in.text("part") == "scores" && inputs != "repeats") out.hide("seed");
}

void showWaiting(const Models& models, Shown& shown) {
  shown.says = models.refusal().empty() ? "The model is being fetched, 227 KB." : models.refusal();
  shown.text(shown.says);
}

// The whole page, or why there is only a sentence.
core::Check show(Models& models, const Inputs& in, Outputs& out, const Progress& progress, Shown& shown) {
  const std::string& part = in.text("part");
  hideUnused(part, out);
  if (part == "scores" || part == "lines") hideUnusedInputs(in, out);
  const std::string* text = models.text(kFactsFile);
  const Loaded* final_model = models.decoder(kModelFile);
  if (!text || !final_model) return showWaiting(models, shown), core::Check{};
  const core::Result<Facts> facts = readFacts(*text);
  if (!facts) return facts.error();
  const std::size_t last = facts.value().checkpoints.size() - 1;
  const auto chosen = std::min(static_cast<std::size_t>(in.integer("checkpoint")), last);
  out.limit("checkpoint", static_cast<double>(last));
  const Checkpoint& checkpoint = facts.value().checkpoints[chosen];
  out.hint("checkpoint", checkpoint.step == 0 ? "Before any training." : "After " + scene::grouped(static_cast<double>(checkpoint.step)) +
                                               (chosen == last ? " steps, the end of training." : " steps."));
  const Loaded* loaded = models.decoder(checkpoint.file);
  if (!loaded) return showWaiting(models, shown), core::Check{};
  core::Result<Read> read = readText(*loaded, in.text(part == "generate" ? "prompt" : "text"));
  if (!read) {
    shown.says = read.error().message;
    shown.text(shown.says);
    return {};
  }
  const core::Result<Models::Run> run = models.run(*loaded, read.value().tokens);
  if (!run) return run.error();
  const auto length = static_cast<Index>(read.value().tokens.size());
  out.limit("at", static_cast<double>(length - 1));
  Running running{models, facts.value(), chosen, *loaded, read.take(), std::min(in.integer("at"), length - 1), run.value()};
  out.limit("layer", static_cast<double>(running.layers() - 1));
  out.limit("head", static_cast<double>(running.heads() - 1));
  out.text("model", loaded->hash);
  if (!running.read.note.empty()) shown.note(running.read.note);
  if (part == "scores") return showScores(running, in, out, shown, progress);
  if (part == "change") return showChange(running, in, out, shown, progress);
  if (part == "lines") return showLines(running, in, out, shown, progress);
  if (part == "tasks") return showTasks(running, out, shown, progress);
  if (part == "training") return showTraining(running, in, out, shown);
  if (part == "generate") return showGenerated(running, in, out, shown);
  if (part == "head") showHead(running, in, out, shown);
  else if (part == "stream") showStream(running, in, out, shown);
  else if (part == "circuits") showCircuits(running, in, out, shown);
  else showText(running, out, shown);
  return {};
}

}  // namespace

scene::Scene sceneOf(Models& models) {
  return {kSceneId, texts::model_json, [&models](const Inputs& in, Outputs& out, const Progress& progress) {
            Shown shown;
            if (core::Check wrong = show(models, in, out, progress, shown)) return wrong;
            out.flag("there", models.wanted().empty() && models.refusal().empty());
            out.text("says", shown.says);
            out.blocks("part", std::move(shown.blocks));
            return core::Check{};
          }};
}

}  // namespace attn::study
