// Tasks to predict first: of the open document, then ours. The answer is computed only when it is to be revealed, so
// that nothing of it is in the page before.
#include <algorithm>

#include "core/number.h"
#include "io/percent.h"
#include "lesson/edits.h"
#include "lesson/task_run.h"
#include "scene/pasted_check.h"
#include "scene/scene.h"
#include "scene/task_figures.h"

namespace attn::scene {
namespace {

using lesson::AnswerKind;
using lesson::Block;
using lesson::Example;
using lesson::Task;
using lesson::TaskRun;

constexpr Index kMostMarked = 16;

// A task and the document that holds it.
struct Offer {
  std::string id;  // in the control and in links: "d0", "o3"
  const Example* document;
  const Task* task;
};

// Documents of ours, read once. They are built in, and a test reads them.
const std::vector<Example>& ownDocuments() {
  static const std::vector<Example> kDocuments = [] {
    std::vector<Example> documents;
    for (const std::string_view text : lesson::taskDocuments()) {
      auto document = lesson::parseExample(text, "");
      assert(document.ok());
      documents.push_back(document.take());
    }
    return documents;
  }();
  return kDocuments;
}

std::vector<Offer> offersOf(const Example& open) {
  std::vector<Offer> offers;
  for (std::size_t i = 0; i < open.tasks.size(); ++i) offers.push_back({"d" + std::to_string(i), &open, &open.tasks[i]});
  int own = 0;
  for (const Example& document : ownDocuments())
    for (const Task& task : document.tasks) offers.push_back({"o" + std::to_string(own++), &document, &task});
  return offers;
}

core::Result<Example> openDocument(const Inputs& in) {
  const std::string& text = in.text("example");
  if (text.find('{') == std::string::npos) return lesson::builtInExample(text);
  return lesson::parseExample(text, "");
}

// The same for the same task wherever it stands: FNV-1a of its words.
std::string nameOf(const Offer& offer) {
  if (offer.id[0] == 'o') return "own/" + offer.task->title;
  std::uint64_t hash = 14695981039346656037u;
  for (const std::string* text : {&offer.task->title, &offer.task->instruction, &offer.task->question})
    for (const char c : *text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return "document/" + std::to_string(hash);
}

void offerTasks(const std::vector<Offer>& offers, Outputs& out) {
  std::vector<lesson::ParamOption> options;
  for (const Offer& each : offers) options.push_back({each.id, each.task->title});
  out.options("task", std::move(options));
}

void offerPrediction(const Task& task, const Example& before, Outputs& out) {
  auto choices = lesson::choicesOf(task, before);
  const bool implement = task.answer.kind == AnswerKind::kImplement;
  if (choices.empty()) out.hide("choice");
  if (!choices.empty() || implement) out.hide("typed");
  if (!implement) out.hide("numbers");
  if (task.hint.empty()) out.hide("hint");
  choices.insert(choices.begin(), {"none", "nothing yet"});
  out.options("choice", std::move(choices));
}

// What was predicted, "" for nothing.
std::string predictionIn(const Inputs& in, const Task& task, const Example& before) {
  if (task.answer.kind == AnswerKind::kImplement) return in.text("numbers");
  if (lesson::choicesOf(task, before).empty()) return in.text("typed");
  return in.text("choice") == "none" ? "" : in.text("choice");
}

std::vector<Block> givenBlocks(const Task& task, const TaskRun::Stand& before) {
  std::vector<Block> blocks;
  const auto heads = static_cast<Index>(before.trace.heads.size());
  for (const core::Array array : task.show) {
    const std::string title = arrayTitle(before.example, array, task.answer.head, heads);
    blocks.push_back({arrayGrid(before.example, before.trace, task.answer.head, array, title), !blocks.empty()});
  }
  return blocks;
}

// Before, after and their difference; only one where nothing is edited.
void addComparison(const Task& task, const TaskRun& run, std::vector<Block>& blocks) {
  const lesson::Answer& answer = task.answer;
  const auto heads = static_cast<Index>(run.after.trace.heads.size());
  const std::string name = arrayTitle(run.after.example, answer.of, answer.head, heads);
  const auto gridOf = [&](const TaskRun::Stand& stand, const std::string& when) {
    lesson::Grid grid = arrayGrid(stand.example, stand.trace, answer.head, answer.of, name + when);
    const bool legible = grid.columns <= kMostMarked || answer.column;  // a long row of marks would hide what it marks
    if (answer.row && *answer.row < grid.rows && legible)
      for (Index j = 0; j < grid.columns; ++j)
        if (!answer.column || j == *answer.column) grid.marked.emplace_back(*answer.row, j);
    return grid;
  };
  if (task.edits.empty()) return blocks.push_back({gridOf(run.after, "")});
  const bool had = lesson::shapeOf(run.before.example.problem, answer.of, answer.head).has_value();
  if (had) blocks.push_back({gridOf(run.before, " before")});
  blocks.push_back({gridOf(run.after, " after"), had});
  const Matrix<double> before = arrayMatrix(run.before.trace, answer.head, answer.of);
  const Matrix<double> after = arrayMatrix(run.after.trace, answer.head, answer.of);
  const bool comparable = had && before.rows() == after.rows() && before.cols() == after.cols() &&
                          run.before.example.tokens == run.after.example.tokens;
  if (comparable)
    blocks.push_back({differenceGrid(gridOf(run.after, ""), before, after, name + ": after − before"), true});
  if (run.control) blocks.push_back({gridOf(*run.control, " in the control"), true});
}

std::string joined(const std::vector<std::string>& edits) {
  std::string text;
  for (const std::string& each : edits) text += (text.empty() ? "" : ", ") + each;
  return text;
}

// To the stage with the edits, and to the next task. A document that was opened has no link of its own here.
std::vector<Block> onwardBlocks(const Inputs& in, const std::vector<Offer>& offers, const Offer& offer, bool revealed) {
  std::vector<Block> blocks;
  const Task& task = *offer.task;
  if (revealed && !task.example.empty()) {
    const auto base = lesson::builtInExample(task.example);
    std::vector<std::string> edits = lesson::startOf(task, base.value());
    edits.insert(edits.end(), task.edits.begin(), task.edits.end());
    blocks.push_back({lesson::Jump{edits.empty() ? "See it on the stage" : "Carry it out on the stage",
                                   stageLink(task.example, edits, task.answer.of, task.answer.head)}});
  } else if (revealed && !task.edits.empty()) {
    blocks.push_back({lesson::Words{lesson::Words::Style::kNote, "Carried out here, counting from 0: " + joined(task.edits)}});
  }
  const bool opened = in.text("example").find('{') != std::string::npos;
  const auto at = std::find_if(offers.begin(), offers.end(), [&](const Offer& each) { return each.id == offer.id; });
  if (opened || at + 1 == offers.end()) return blocks;
  const std::string& example = in.text("example");
  const std::string from = example == "three-positions" ? "" : "&ex=" + io::percentEncoded(example);
  blocks.push_back(
      {lesson::Jump{"Next task: " + (at + 1)->task->title, "v=1" + from + "&scene=task&set.task=" + (at + 1)->id}});
  return blocks;
}

void tellAsked(const Inputs& in, const Task& task, const std::string& prediction, Outputs& out) {
  out.text("asked_title", task.title);
  out.text("instruction", task.instruction);
  out.text("question", task.question);
  out.text("hint_text", task.hint);
  out.text("kind", std::string(lesson::answerKindName(task.answer.kind)));
  out.flag("revealed", in.on("reveal"));
  out.flag("predicted", !prediction.empty());
  const std::string unreadable = lesson::unreadable(task, prediction);
  out.text("prediction_said", prediction.empty()      ? "You have made no prediction; you can look without one."
                              : !unreadable.empty() ? unreadable
                                                    : "Your prediction stands.");
  out.flag("unreadable", !unreadable.empty());
}

core::Check reveal(const Inputs& in, const Offer& offer, const std::string& prediction, Outputs& out,
                   const Progress& progress) {
  const Task& task = *offer.task;
  auto run = lesson::runTask(task, *offer.document);
  if (!run) return run.error();
  std::vector<Block> blocks;
  lesson::Verdict verdict{nameOf(offer), task.title, task.question, "", "", "", {}, in.text("note")};
  if (task.answer.kind == AnswerKind::kImplement) {
    const PastedQuestion question{run.value().after.example, run.value().after.trace, task.answer.of, task.answer.head,
                                  task.tolerance};
    auto checked = checkPasted(question, prediction, progress);
    if (!checked) return checked.error();
    const bool readable = checked.value().readable;  // else nothing has been predicted that could be judged
    verdict.judgement = readable ? checked.value().judgement : lesson::Verdict::Judgement::kNone;
    verdict.words = checked.value().words;
    if (readable) verdict.prediction = checked.value().given;
    verdict.answer = checked.value().right;
    blocks.push_back({verdict});
    for (Block& each : checked.value().blocks) blocks.push_back(std::move(each));
    if (!checked.value().readable) addComparison(task, run.value(), blocks);
  } else {
    const lesson::Computed computed = lesson::answerOf(task, run.value());
    const lesson::Judged judged = lesson::judge(task, run.value(), computed, prediction);
    verdict.judgement = judged.judgement;
    verdict.words = judged.words;
    verdict.prediction = judged.prediction;
    verdict.answer = computed.text;
    out.numbers("answer_numbers", computed.numbers);
    blocks.push_back({verdict});
    addComparison(task, run.value(), blocks);
  }
  out.text("answer", verdict.answer);
  out.text("verdict", verdict.words);
  out.flag("right", verdict.judgement == lesson::Verdict::Judgement::kRight);
  out.text("why", task.why);
  out.blocks("came_out", std::move(blocks));
  return {};
}

}  // namespace

core::Check predictFirst(const Inputs& in, Outputs& out, const Progress& progress) {
  const auto open = openDocument(in);
  if (!open) return open.error();
  const std::vector<Offer> offers = offersOf(open.value());
  const auto wanted =
      std::find_if(offers.begin(), offers.end(), [&](const Offer& each) { return each.id == in.text("task"); });
  const Offer& offer = wanted == offers.end() ? offers.front() : *wanted;
  offerTasks(offers, out);
  const auto before = lesson::standOf(*offer.task, *offer.document, {});
  if (!before) return before.error();
  offerPrediction(*offer.task, before.value().example, out);
  const std::string prediction = predictionIn(in, *offer.task, before.value().example);
  out.number("tasks", static_cast<double>(offers.size()));
  tellAsked(in, *offer.task, prediction, out);
  out.blocks("given", givenBlocks(*offer.task, before.value()));
  out.blocks("onwards", onwardBlocks(in, offers, offer, in.on("reveal")));
  if (in.on("reveal")) return reveal(in, offer, prediction, out, progress);
  out.blocks("came_out", {});
  return {};
}

}  // namespace attn::scene
