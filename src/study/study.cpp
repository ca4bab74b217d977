// The scene of the trained model: its controls, and which part is shown. See study.h.
#include "study/study.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/language.h"
#include "scene/words.h"
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
    {"text", " text head stream change training scores lines tasks circuits "},
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
    {"seen", " change "},
    {"off", " scores "},
    {"beside", " training "},
    {"temperature", " generate "},
    {"top_k", " generate "},
    {"made", " generate "},
};

// Parts that run a model many times, and what they need for all that they show.
constexpr std::string_view kMeasuring = " scores change lines tasks ";
constexpr std::size_t kFewRuns = 600;

void hideUnused(const std::string& part, Outputs& out) {
  for (const Use& use : kUses)
    if (use.parts.find(" " + part + " ") == std::string_view::npos) out.hide(std::string(use.key));
}

// Of where something is measured on many texts.
void hideUnusedInputs(const Inputs& in, Outputs& out) {
  const std::string& inputs = in.text("inputs");
  const bool means_of_text = in.text("part") == "lines" && in.text("act") == "mean" && in.text("mean_of") == "text";
  if (inputs != "text" && !means_of_text) out.hide("text");
  if (inputs != "pasted") out.hide("pasted");
  if (inputs == "repeats") return;
  if (in.text("part") == "scores" && !in.on("off")) out.hide("seed");
  out.hint("seed", tr("They draw the control head."));
}

// The model that is looked at. While there is none, `says` tells why.
struct Chosen {
  const Loaded* loaded = nullptr;
  std::optional<Stage> stage;
  std::string says;
};

std::string stageHint(long step, bool is_last) {
  if (step == 0) return tr("Before any training.");
  const std::string steps = scene::grouped(static_cast<double>(step));
  return is_last ? tr("After {0} {0|step|steps}, the end of training.", {steps}) : tr("After {0} {0|step|steps}.", {steps});
}

std::string waitingFor(const Models& models) {
  return models.refusal().empty() ? tr("The model is being fetched.") : models.refusal();
}

core::Result<Chosen> ours(Models& models, const Inputs& in, Outputs& out) {
  if (!models.isOffered()) out.hide("model");
  const std::string* text = models.text(kFactsFile);
  const Loaded* final_model = models.decoder(kModelFile);
  if (!text || !final_model) return Chosen{nullptr, {}, waitingFor(models)};
  core::Result<Facts> read = readFacts(*text);
  if (!read) return read.error();
  Stage stage{read.take(), 0};
  const std::size_t last = stage.facts.checkpoints.size() - 1;
  stage.checkpoint = std::min(static_cast<std::size_t>(in.integer("checkpoint")), last);
  out.limit("checkpoint", static_cast<double>(last));
  const Checkpoint& checkpoint = stage.facts.checkpoints[stage.checkpoint];
  out.hint("checkpoint", stageHint(checkpoint.step, stage.checkpoint == last));
  const Loaded* loaded = models.decoder(checkpoint.file);
  if (!loaded) return Chosen{nullptr, {}, waitingFor(models)};
  return Chosen{loaded, std::move(stage), ""};
}

core::Result<Chosen> opened(Models& models, const Inputs& in, Outputs& out, const Progress& progress) {
  for (const char* key : {"checkpoint", "beside"}) out.hide(key);
  if (in.text("part") == "training")
    return Chosen{nullptr, {}, tr("How a model became what it is, is known of the one that comes with attnscope; choose that model, "
                                  "or another part.")};
  const core::Result<const Loaded*> loaded = models.opened(progress);
  if (!loaded && loaded.error().message == "stopped") return loaded.error();
  if (!loaded) return Chosen{nullptr, {}, loaded.error().message};
  const std::string most = loaded.value()->contextText();
  out.hint("text", tr("At most {0}; what comes after them is left out.", {most}));
  out.hint("pasted", tr("One text on each line. At most {0} of each.", {most}));
  out.hint("prompt", tr("At most {0}, with what the model writes.", {most}));
  return Chosen{loaded.value(), {}, ""};
}

// Without a text there are no positions, and without a model no heads to choose.
core::Check tellOnly(const std::string& why, Outputs& out, Shown& shown) {
  for (const char* key : {"at", "source", "seen"}) out.hide(key);
  shown.tell(why);
  return {};
}

// The whole page, or why there is only a sentence.
core::Check show(Models& models, const Inputs& in, Outputs& out, const Progress& progress, Shown& shown) {
  const std::string& part = in.text("part");
  hideUnused(part, out);
  if (part == "scores" || part == "lines") hideUnusedInputs(in, out);
  core::Result<Chosen> chosen = in.text("model") == "ours" ? ours(models, in, out) : opened(models, in, out, progress);
  if (!chosen) return chosen.error();
  const Loaded* loaded = chosen.value().loaded;
  if (!loaded) return tellOnly(chosen.value().says, out, shown);
  out.text("model", loaded->hash);
  out.madeWith(loaded->hash);
  core::Result<Read> read = readText(*loaded, in.text(part == "generate" ? "prompt" : "text"));
  if (!read) return tellOnly(read.error().message, out, shown);
  const core::Result<Models::Run> run = models.run(*loaded, read.value().tokens);
  if (!run) return run.error();
  const auto length = static_cast<Index>(read.value().tokens.size());
  out.limit("at", static_cast<double>(length - 1));
  const Running running{models, progress, chosen.value().stage, *loaded, read.take(), std::min(in.integer("at"), length - 1), run.value()};
  out.limit("layer", static_cast<double>(running.layers() - 1));
  out.limit("head", static_cast<double>(running.heads() - 1));
  if (const std::string& meant = in.text(lesson::kMadeWith); !meant.empty() && meant != loaded->hash)
    shown.note(tr("This link was made with model {0}, and here is model {1}: numbers may differ.", {meant, loaded->hash}));
  if (!running.read.note.empty()) shown.note(running.read.note);
  if (!running.stage)
    for (const std::string& note : loaded->file.notes) shown.note(note);
  if (loaded->runs() < kFewRuns && kMeasuring.find(" " + part + " ") != std::string_view::npos)
    shown.note(tr("A model of this size takes long for one text; here it is run on a few texts and in a few places only."));
  if (part == "scores") return showScores(running, in, out, shown, progress);
  if (part == "change") return showChange(running, in, out, shown, progress);
  if (part == "lines") return showLines(running, in, out, shown, progress);
  if (part == "tasks") return showTasks(running, out, shown, progress);
  if (part == "training") return showTraining(running, in, out, shown);
  if (part == "generate") return showGenerated(running, in, out, shown, progress);
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
            out.flag("opened", in.text("model") == "opened");
            out.text("says", shown.says);
            out.blocks("part", std::move(shown.blocks));
            return core::Check{};
          }};
}

}  // namespace attn::study
