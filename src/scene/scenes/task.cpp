// Tasks to predict first: of the open document, then ours. The answer is computed only when it is to be revealed, so
// that nothing of it is in the page before.
#include <algorithm>
#include <cmath>

#include "core/compare.h"
#include "core/language.h"
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

// Tasks of the open document, then those of ours; both documents outlive the offers.
std::vector<Offer> offersOf(const Example& open, const std::vector<Example>& ours) {
  std::vector<Offer> offers;
  for (std::size_t i = 0; i < open.tasks.size(); ++i) offers.push_back({"d" + std::to_string(i), &open, &open.tasks[i]});
  int own = 0;
  for (const Example& document : ours)
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
  if (offer.id[0] == 'o') return "own/" + offer.task->name;
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
  choices.insert(choices.begin(), {"none", tr("nothing yet")});
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

std::string editList(const std::vector<std::string>& edits) {
  std::string text;
  for (const std::string& each : edits) text += (text.empty() ? "" : ", ") + each;
  return text;
}

std::string inControl(const Task& task, std::size_t n) {
  return task.answer.controls.size() == 1 ? tr("in the control") : tr("in control {0}", {n + 1});
}

std::string carryOutControl(const Task& task, std::size_t n) {
  return task.answer.controls.size() == 1 ? tr("Carry out the control on the stage")
                                          : tr("Carry out control {0} on the stage", {n + 1});
}

// Where the destination that the task asks about stands, when edits of tokens have moved it.
std::optional<Index> rowIn(const TaskRun::Stand& stand, const TaskRun::Stand& after, const lesson::Answer& answer) {
  const std::vector<std::string>&now = after.example.tokens, &then = stand.example.tokens;
  if (!answer.row || now == then || *answer.row >= static_cast<Index>(now.size())) return answer.row;
  const auto found = std::find(then.begin(), then.end(), now[static_cast<std::size_t>(*answer.row)]);
  if (found == then.end()) return std::nullopt;
  return static_cast<Index>(found - then.begin());
}

// The same colour for the same number in all of them.
void shareLimit(std::vector<Block>& blocks, const std::vector<std::size_t>& which) {
  double limit = 0;
  for (const std::size_t n : which) {
    for (const double value : std::get_if<lesson::Grid>(&blocks[n].content)->values)
      if (std::isfinite(value)) limit = std::max(limit, std::abs(value));
  }
  for (const std::size_t n : which) std::get_if<lesson::Grid>(&blocks[n].content)->limit = limit;
}

// Before, then after and the difference, with the task's edits and with those of each control; only one table where
// nothing is edited.
void addComparison(const Task& task, const TaskRun& run, std::vector<Block>& blocks) {
  const lesson::Answer& answer = task.answer;
  const auto heads = static_cast<Index>(run.after.trace.heads.size());
  const std::string name = arrayTitle(run.after.example, answer.of, answer.head, heads);
  const auto gridOf = [&](const TaskRun::Stand& stand, const std::string& title) {
    lesson::Grid grid = arrayGrid(stand.example, stand.trace, answer.head, answer.of, title);
    const bool legible = grid.columns <= kMostMarked || answer.column;  // a long row of marks would hide what it marks
    const std::optional<Index> row = rowIn(stand, run.after, answer);
    if (row && *row < grid.rows && legible)
      for (Index j = 0; j < grid.columns; ++j)
        if (!answer.column || j == *answer.column) grid.marked.emplace_back(*row, j);
    return grid;
  };
  if (task.edits.empty()) return blocks.push_back({gridOf(run.after, name)});
  const bool had = lesson::shapeOf(run.before.example.problem, answer.of, answer.head).has_value();
  std::vector<std::size_t> values;
  const auto push = [&](Block block) {
    values.push_back(blocks.size());
    blocks.push_back(std::move(block));
  };
  if (had) push({gridOf(run.before, tr("{0} before", {name}))});
  const Matrix<double> before = arrayMatrix(run.before.trace, answer.head, answer.of);
  const auto compare = [&](const TaskRun::Stand& stand, const std::string& when, bool beside) {
    push({gridOf(stand, tr("{0} {1}", {name, when})), beside});
    const Matrix<double> after = arrayMatrix(stand.trace, answer.head, answer.of);
    const bool comparable = had && before.rows() == after.rows() && before.cols() == after.cols() &&
                            run.before.example.tokens == stand.example.tokens;
    if (comparable)
      blocks.push_back({differenceGrid(gridOf(stand, name), before, after, tr("{0}: {1} − before", {name, when})), true});
  };
  compare(run.after, tr("after"), had);
  for (std::size_t n = 0; n < run.controls.size(); ++n)
    compare(run.controls[n], inControl(task, n), false);
  if (std::get_if<lesson::Grid>(&blocks[values[0]].content)->scale == lesson::GridScale::kSigned) shareLimit(blocks, values);
}

// The destination that the task asks about, else the one that changed most from what the stage compares with.
Index stageRow(const Task& task, const TaskRun::Stand& stand, const Example& compared) {
  const Index last = static_cast<Index>(stand.example.tokens.size()) - 1;
  const core::Array of = task.answer.of;
  if (of == core::Array::kK || of == core::Array::kV) return last;
  if (task.answer.row) return std::min(*task.answer.row, last);
  const auto trace = core::computeTrace(compared.problem);
  if (!trace) return last;
  const auto change = core::changeOf(core::arrayOf(trace.value(), task.answer.head, of),
                                     core::arrayOf(stand.trace, task.answer.head, of));
  return change && !change->none() ? change->row : last;
}

// To the stage with the edits, compared with the example as the task begins.
Block stageBlock(const Task& task, const Example& document, const TaskRun::Stand& stand,
                 const std::vector<std::string>& edits, const std::string& label) {
  const auto base = lesson::baseOf(task, document);
  const std::vector<std::string> start = lesson::startOf(task, base.value());
  std::vector<std::string> all = start;
  all.insert(all.end(), edits.begin(), edits.end());
  StageMoment moment{base.value(), all, task.answer.of, task.answer.head, 0, {}};
  if (!edits.empty() && !start.empty()) moment.pinned = start;
  const auto compared = lesson::editExample(base.value(), moment.pinned.value_or(std::vector<std::string>{}));
  if (compared) moment.row = stageRow(task, stand, compared.value());
  const std::string link = stageLink(moment);
  if (!link.empty()) return {lesson::Jump{label, link}};
  return {lesson::Words{lesson::Words::Style::kNote, tr("This document is too long for a link to the stage. Written as edits, "
                                                        "which count from 0: {0}", {editList(all)})}};
}

std::vector<Block> stageBlocks(const Task& task, const Example& document, const TaskRun& run) {
  std::vector<Block> blocks;
  const bool edited = !task.edits.empty() || (task.start && !task.start->empty());
  blocks.push_back(stageBlock(task, document, run.after, task.edits,
                              edited ? tr("Carry it out on the stage") : tr("See it on the stage")));
  for (std::size_t n = 0; n < run.controls.size(); ++n)
    blocks.push_back(stageBlock(task, document, run.controls[n], task.answer.controls[n], carryOutControl(task, n)));
  return blocks;
}

// To the next task. A document that was opened has no link of its own here.
void addNext(const Inputs& in, const std::vector<Offer>& offers, const Offer& offer, std::vector<Block>& blocks) {
  const bool opened = in.text("example").find('{') != std::string::npos;
  const auto at = std::find_if(offers.begin(), offers.end(), [&](const Offer& each) { return each.id == offer.id; });
  if (opened || at + 1 == offers.end()) return;
  const std::string& example = in.text("example");
  const std::string from = example == "three-positions" ? "" : "&ex=" + io::percentEncoded(example);
  blocks.push_back(
      {lesson::Jump{tr("Next task: {0}", {(at + 1)->task->title}), "v=1" + from + "&scene=task&set.task=" + (at + 1)->id}});
}

void tellAsked(const Task& task, Outputs& out) {
  out.text("asked_title", task.title);
  out.text("instruction", task.instruction);
  out.text("question", task.question);
  out.text("hint_text", task.hint);
  out.text("kind", std::string(lesson::answerKindName(task.answer.kind)));
}

// What stands in the field, and why it cannot be judged ("" when it can): then nothing is revealed.
void tellPrediction(const Task& task, const std::string& prediction, const std::string& unreadable, bool asked,
                    Outputs& out) {
  const bool numbers = task.answer.kind == AnswerKind::kImplement;
  std::string said = numbers ? tr("Your numbers stand.") : tr("Your prediction stands.");
  if (prediction.empty())
    said = numbers ? tr("You have given no numbers; you can look without them.")
                   : tr("You have made no prediction; you can look without one.");
  if (!unreadable.empty())
    said = unreadable + (asked ? " " + tr("Nothing is revealed until it can be read, or the field is empty.") : "");
  out.flag("revealed", asked && unreadable.empty());
  out.flag("predicted", !prediction.empty());
  out.flag("unreadable", !unreadable.empty());
  out.text("prediction_said", said);
}

struct Revealed {
  lesson::Verdict verdict;
  std::vector<Block> blocks;  // behind the verdict
  std::string unreadable;     // why there is none
};

core::Result<Revealed> judgePasted(const Task& task, const TaskRun& run, const std::string& numbers,
                                   const Progress& progress) {
  const PastedQuestion question{run.after.example, run.after.trace, task.answer.of, task.answer.head, task.tolerance};
  auto checked = checkPasted(question, numbers, progress);
  if (!checked) return checked.error();
  PastedChecked& pasted = checked.value();
  Revealed revealed;
  const bool given = pasted.judgement != lesson::Verdict::Judgement::kNone;
  if (given && !pasted.readable) {
    revealed.unreadable = pasted.words;
    return revealed;
  }
  revealed.verdict.judgement = pasted.judgement;
  revealed.verdict.words = pasted.words;
  revealed.verdict.prediction = pasted.given;
  revealed.verdict.answer = tr("{0}, in the table below.", {pasted.right});
  revealed.blocks = std::move(pasted.blocks);
  if (!given) addComparison(task, run, revealed.blocks);
  return revealed;
}

Revealed judgeTyped(const Task& task, const TaskRun& run, const std::string& prediction, Outputs& out) {
  const lesson::Computed computed = lesson::answerOf(task, run);
  const lesson::Judged judged = lesson::judge(task, run, computed, prediction);
  Revealed revealed;
  revealed.verdict.judgement = judged.judgement;
  revealed.verdict.words = judged.words;
  revealed.verdict.prediction = judged.prediction;
  revealed.verdict.answer = computed.text;
  out.numbers("answer_numbers", computed.numbers);
  addComparison(task, run, revealed.blocks);
  return revealed;
}

// Why there is nothing to reveal, or "": then it is in `out`.
core::Result<std::string> reveal(const Inputs& in, const Offer& offer, const std::string& prediction, Outputs& out,
                                 const Progress& progress) {
  const Task& task = *offer.task;
  auto run = lesson::runTask(task, *offer.document);
  if (!run) return run.error();
  auto judged = task.answer.kind == AnswerKind::kImplement
                    ? judgePasted(task, run.value(), prediction, progress)
                    : core::Result<Revealed>(judgeTyped(task, run.value(), prediction, out));
  if (!judged) return judged.error();
  Revealed& revealed = judged.value();
  if (!revealed.unreadable.empty()) return revealed.unreadable;
  lesson::Verdict& verdict = revealed.verdict;
  verdict.task = nameOf(offer), verdict.title = task.title, verdict.question = task.question;
  verdict.note = in.text("note");
  out.text("answer", verdict.answer);
  out.text("verdict", verdict.words);
  out.flag("right", verdict.judgement == lesson::Verdict::Judgement::kRight);
  out.text("why", task.why);
  std::vector<Block> blocks{{verdict}};
  for (Block& each : revealed.blocks) blocks.push_back(std::move(each));
  out.blocks("came_out", std::move(blocks));
  out.blocks("to_stage", stageBlocks(task, *offer.document, run.value()));
  return std::string();
}

}  // namespace

core::Check predictFirst(const Inputs& in, Outputs& out, const Progress& progress) {
  const auto open = openDocument(in);
  if (!open) return open.error();
  const std::vector<Example> ours = lesson::taskDocuments();
  const std::vector<Offer> offers = offersOf(open.value(), ours);
  const auto wanted =
      std::find_if(offers.begin(), offers.end(), [&](const Offer& each) { return each.id == in.text("task"); });
  const Offer& offer = wanted == offers.end() ? offers.front() : *wanted;
  offerTasks(offers, out);
  const auto before = lesson::standOf(*offer.task, *offer.document, {});
  if (!before) return before.error();
  offerPrediction(*offer.task, before.value().example, out);
  const std::string prediction = predictionIn(in, *offer.task, before.value().example);
  out.number("tasks", static_cast<double>(offers.size()));
  tellAsked(*offer.task, out);
  out.blocks("given", givenBlocks(*offer.task, before.value()));
  std::vector<Block> next;
  addNext(in, offers, offer, next);
  out.blocks("onwards", std::move(next));
  const bool asked = in.on("reveal");
  std::string unreadable = lesson::unreadable(prediction, lesson::numbersAsked(*offer.task, *offer.document));
  if (asked && unreadable.empty()) {
    auto why_not = reveal(in, offer, prediction, out, progress);
    if (!why_not) return why_not.error();
    unreadable = why_not.take();
  }
  tellPrediction(*offer.task, prediction, unreadable, asked, out);
  if (asked && unreadable.empty()) return {};
  out.blocks("came_out", {});
  out.blocks("to_stage", {});
  return {};
}

}  // namespace attn::scene
