// One array, computed by the person's own program, beside ours: of the open example or of a small one.
#include "core/language.h"
#include "core/number.h"
#include "lesson/edits.h"
#include "scene/figures.h"
#include "scene/open_example.h"
#include "scene/pasted_check.h"
#include "scene/scene.h"
#include "scene/task_figures.h"

namespace attn::scene {
namespace {

using core::Array;
using lesson::Block;
using lesson::Words;

// Two heads of unlike numbers, a triangle and a W_O that is not square: most mistakes give something else here.
constexpr std::string_view kSmall = R"json({
  "attnscope": 1, "title": "A small example", "tokens": ["to", "be", "or", "not"],
  "x": [[1, 0, 2], [0, 1, 1], [2, 1, 0], [1, 2, 1]],
  "wq": [[[1, 0], [0, 1], [1, 0]], [[0, 1], [1, 0], [0, 0.5]]],
  "wk": [[[0, 1], [1, 0], [0.5, 0]], [[1, 0], [0, 0.5], [0, 1]]],
  "wv": [[[1, 0], [0, 2], [1, 0]], [[0, 1], [1, 0], [2, 0]]],
  "wo": [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0.5]],
  "mask": "causal", "residual": true})json";

constexpr Index kMostWritten = 400;  // numbers of an array that is written out as a program has it

struct Subject {
  lesson::Example example;
  core::Trace<double> trace;
  Index head = 0;
};

// As sentences name it; the small example has its title here, since documents are read as they are.
std::string titleOf(const Inputs& in, const Subject& subject) {
  return in.text("source") == "open" ? subject.example.title : tr("A small example");
}

core::Result<Subject> subjectOf(const Inputs& in) {
  if (in.text("source") == "open") {
    auto open = openExample(in);
    if (!open) return open.error();
    return Subject{open.value().example, *open.value().trace, open.value().head};
  }
  auto small = lesson::parseExample(kSmall, "");
  assert(small.ok());
  core::Trace<double> trace = traceOf(small.value().problem);
  return Subject{small.take(), std::move(trace), 0};
}

// The head that is chosen here, else the one on the stage.
void chooseHead(const Inputs& in, Subject& subject, Outputs& out) {
  const auto count = static_cast<Index>(subject.trace.heads.size());
  std::vector<lesson::ParamOption> options;
  for (Index h = 0; h < count; ++h) options.push_back({std::to_string(h), headText(subject.example, h)});
  out.standard("of_head", std::to_string(subject.head));
  subject.head = chosenIndex(in.text("of_head"), count, subject.head);
  if (count < 2 || in.text("of") == "y") out.hide("of_head");
  out.options("of_head", std::move(options));
}

std::string pythonArray(const std::string& name, const Matrix<double>& values) {
  std::string text = name + " = np.array([";
  for (Index i = 0; i < values.rows(); ++i) {
    text += (i ? ",\n    [" : "[");
    for (Index j = 0; j < values.cols(); ++j) text += (j ? ", " : "") + core::fullText(values(i, j));
    text += "]";
  }
  return text + "])";
}

std::string pythonMask(const core::Mask& mask) {
  std::string text = "allowed = np.array([";
  for (Index i = 0; i < mask.rows(); ++i) {
    text += (i ? ",\n    [" : "[");
    for (Index j = 0; j < mask.columns(); ++j)
      text += (j ? ", " : "") + std::string(mask.allowed(i, j) ? "True" : "False");
    text += "]";
  }
  return text + "])  # True: row may read column";
}

// What is read on the way to the array: q and k, then v, and W_O for y, which needs every head.
std::vector<std::pair<std::string, Matrix<double>>> inputsOf(const Subject& subject, Array of) {
  std::vector<std::pair<std::string, Matrix<double>>> inputs;
  const auto& heads = subject.trace.heads;
  for (std::size_t h = 0; h < heads.size(); ++h) {
    if (of != Array::kY && static_cast<Index>(h) != subject.head) continue;
    const std::string number = of == Array::kY && heads.size() > 1 ? std::to_string(h) : "";
    inputs.emplace_back("q" + number, heads[h].q);
    inputs.emplace_back("k" + number, heads[h].k);
    if (of == Array::kZ || of == Array::kY) inputs.emplace_back("v" + number, heads[h].v);
  }
  if (of == Array::kY && subject.trace.problem.wo) inputs.emplace_back("wo", *subject.trace.problem.wo);
  if (of == Array::kY && subject.trace.problem.bo) inputs.emplace_back("bo", *subject.trace.problem.bo);
  return inputs;
}

std::vector<Block> inputBlocks(const Subject& subject, Array of) {
  std::vector<Block> blocks;
  const bool every_head = of == Array::kY && subject.trace.heads.size() > 1;  // too many maps: the program below has all
  for (const Array each : {Array::kQ, Array::kK, Array::kV}) {
    if (every_head) break;
    if (each == Array::kV && of != Array::kZ && of != Array::kY) continue;
    blocks.push_back(
        {arrayGrid(subject.example, subject.trace, subject.head, each,
                   arrayTitle(subject.example, each, subject.head, static_cast<Index>(subject.trace.heads.size()))),
         !blocks.empty()});
  }
  std::string code = "import numpy as np";
  Index count = 0;
  for (const auto& [name, values] : inputsOf(subject, of)) {
    code += "\n" + pythonArray(name, values);
    count += values.size();
  }
  if (of != Array::kScaled && !subject.trace.problem.mask.none()) code += "\n" + pythonMask(subject.trace.mask);
  code += "\nscale = " + core::fullText(subject.trace.scale);
  if (count <= kMostWritten) blocks.push_back({Words{Words::Style::kCode, std::move(code)}});
  else
    blocks.push_back({Words{Words::Style::kNote, tr("The arrays have {0} numbers, too many to write them here; the terminal "
                                                    "program gives them as JSON: attnscope-cli trace FILE.", {count})}});
  return blocks;
}

std::string taskSaid(const Subject& subject, const std::string& title, Array of) {
  std::string text;
  if (of == Array::kScaled) text = tr("Of “{0}”: q times k transposed, times the scale, before any mask.", {title});
  if (of == Array::kWeights) text = tr("Of “{0}”: the softmax of each row of masked, scaled scores.", {title});
  if (of == Array::kZ) text = tr("Of “{0}”: the weights times v.", {title});
  if (of == Array::kY)
    text = tr("Of “{0}”: the z of every head, one beside the other, times W_O; nothing is added yet.", {title});
  if (!subject.example.edits.empty()) text += " " + tr("Its edits are carried out.");
  return text;
}

}  // namespace

core::Check implementYourself(const Inputs& in, Outputs& out, const Progress& progress) {
  auto read = subjectOf(in);
  if (!read) return read.error();
  Subject subject = read.take();
  chooseHead(in, subject, out);
  const Array of = *core::parseArray(in.text("of"));
  const PastedQuestion question{subject.example, subject.trace, of, subject.head};
  auto checked = checkPasted(question, in.text("numbers"), progress);
  if (!checked) return checked.error();
  PastedChecked& result = checked.value();
  const bool given = result.judgement != lesson::Verdict::Judgement::kNone;
  const std::string title = titleOf(in, subject), said = taskSaid(subject, title, of);
  out.text("task_said", said);
  out.text("wanted", result.right);
  out.flag("given", given);
  out.flag("readable", result.readable);
  out.flag("right", result.judgement == lesson::Verdict::Judgement::kRight);
  out.number("cells", static_cast<double>(result.cells));
  out.number("off", static_cast<double>(result.off));
  out.number("beyond_tolerance", static_cast<double>(result.beyond_tolerance));
  out.number("largest_difference", result.largest);
  out.texts("mistakes", result.mistakes);
  out.text("verdict", result.words);
  std::vector<Block> came_out;
  if (given && !result.readable) came_out.push_back({Words{Words::Style::kText, result.words}});
  if (result.readable) {
    const std::string& example = subject.example.id.empty() ? subject.example.title : subject.example.id;
    const std::string task = "implement/" + in.text("of") + " of “" + example + "”/" + std::to_string(subject.head);
    const std::string name = arrayTitle(subject.example, of, subject.head, 1);
    came_out.push_back({lesson::Verdict{task, tr("Implement it: {0} of “{1}”", {name, title}), said, result.given,
                                        tr("{0}, in the table below.", {result.right}), result.words, result.judgement,
                                        in.text("note")}});
  }
  for (Block& each : result.blocks) came_out.push_back(std::move(each));
  out.blocks("came_out", std::move(came_out));
  out.blocks("inputs", inputBlocks(subject, of));
  return {};
}

}  // namespace attn::scene
