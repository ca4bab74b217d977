// Tasks in documents: what is read, what is refused with its field, and what ours ask.
#include "lesson/task.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "lesson/example.h"
#include "lesson/task_run.h"

namespace {

using namespace attn;
using lesson::AnswerKind;
using lesson::Task;

std::string documentWithTask(const std::string& task) {
  return "{\"attnscope\": 1, \"tokens\": [\"a\", \"b\"],\n \"q\": [[1],[2]], \"k\": [[3],[4]], \"v\": [[5],[6]],\n "
         "\"tasks\": [" +
         task + "]}";
}

std::string answerTo(const std::string& task) {
  const auto example = lesson::parseExample(documentWithTask(task), "");
  return example ? "accepted" : example.error().message;
}

// A good task with other fields.
std::string good(const std::string& more) {
  return "{\"title\": \"T\", \"question\": \"Q\"" + (more.empty() ? "" : ", " + more) + "}";
}

Task taskOf(const std::string& more) {
  const auto example = lesson::parseExample(documentWithTask(good(more)), "");
  REQUIRE_MESSAGE(example.ok(), (example ? "" : example.error().message));
  REQUIRE(example.value().tasks.size() == 1);
  return example.value().tasks.front();
}

lesson::Judged judged(const Task& task, const std::string& prediction) {
  const auto document = lesson::parseExample(documentWithTask(""), "");
  const auto run = lesson::runTask(task, document.value());
  REQUIRE_MESSAGE(run.ok(), (run ? "" : run.error().message));
  return lesson::judge(task, run.value(), lesson::answerOf(task, run.value()), prediction);
}

using Judgement = lesson::Verdict::Judgement;

}  // namespace

TEST_CASE("every field of a task is read, and those that are left out have their defaults") {
  const Task task = taskOf(R"("instruction": "I", "hint": "H", "why": "W", "start": ["forbid=0,1"], "edits": ["v[0]=7"],
      "show": ["v"], "tolerance": 0.25, "answer": {"kind": "vector", "of": "z", "head": 0, "row": 1, "change": true})");
  CHECK(task.instruction == "I");
  CHECK(task.hint == "H");
  CHECK(task.why == "W");
  CHECK(task.start == std::vector<std::string>{"forbid=0,1"});
  CHECK(task.edits == std::vector<std::string>{"v[0]=7"});
  CHECK(task.show == std::vector<core::Array>{core::Array::kV});
  CHECK(task.tolerance == 0.25);
  CHECK(task.answer == lesson::Answer{AnswerKind::kVector, core::Array::kZ, 0, 1, std::nullopt, true, {}});
  const Task plain = taskOf(R"("answer": {"kind": "number", "row": 1, "column": 0})");
  CHECK(plain.answer.of == core::Array::kWeights);
  CHECK(plain.tolerance == 0.005);
  CHECK_FALSE(plain.start.has_value());
}

TEST_CASE("a bad task is refused with its field, its place and what to do") {
  const struct {
    std::string task;
    const char* fragment;
  } kCases[] = {
      {"7", "`tasks` at line 3"},
      {"\"text\"", "`tasks[0]` at line 3, column 12 is a text; write an object"},
      {"{}", "`tasks[0]` at line 3, column 12 has no field `title`; add it"},
      {"{\"title\": \"T\"}", "`tasks[0]` at line 3, column 12 has no field `question`"},
      {"{\"title\": \"\"}", "`tasks[0].title` at line 3, column 22 is empty"},
      {good(""), "`tasks[0]` at line 3, column 12 has no field `answer`"},
      {good("\"answr\": 1"), "There is no field `tasks[0].answr`"},
      {good("\"answer\": 1"), "`tasks[0].answer` at line 3, column 54 is a number; write an object"},
      {good("\"answer\": {}"), "`tasks[0].answer.kind` at line 3, column 54 is missing; write one of number, vector"},
      {good("\"answer\": {\"kind\": \"guess\"}"), "`tasks[0].answer.kind` at line 3, column 63 is \"guess\""},
      {good("\"answer\": {\"kind\": \"number\"}"), "has no field `row`, which the kind \"number\" needs"},
      {good("\"answer\": {\"kind\": \"number\", \"row\": 0}"), "has no field `column`"},
      {good("\"answer\": {\"kind\": \"number\", \"row\": 2, \"column\": 0}"),
       "`tasks[0].answer.row` at line 3, column 80 is 2, and weights (2×2) has 2, counted from 0"},
      {good("\"answer\": {\"kind\": \"number\", \"row\": 0, \"column\": 5}"), "`tasks[0].answer.column`"},
      {good("\"answer\": {\"kind\": \"number\", \"row\": -1, \"column\": 0}"), "is -1"},
      {good("\"answer\": {\"kind\": \"vector\", \"row\": 0, \"head\": 1}"), "`tasks[0].answer.head`"},
      {good("\"answer\": {\"kind\": \"vector\", \"row\": 0, \"of\": \"wq\"}"), "`tasks[0].answer.of` at line 3"},
      {good("\"answer\": {\"kind\": \"vector\", \"row\": 0, \"of\": \"residual\"}"), "which this example has not"},
      {good("\"answer\": {\"kind\": \"direction\", \"row\": 0, \"column\": 0}"), "has no `edits`"},
      {good("\"answer\": {\"kind\": \"same\"}"), "has no `edits`"},
      {good("\"edits\": [\"v[0]=1\"], \"answer\": {\"kind\": \"effect\", \"row\": 0}"), "has no field `control`"},
      {good("\"edits\": [\"v[0]=1\"], \"answer\": {\"kind\": \"effect\", \"row\": 0, \"control\": [\"nonsense\"]}"),
       "`tasks[0].answer.control[0]`"},
      {good("\"edits\": [\"v[0]=1\"], \"answer\": {\"kind\": \"effect\", \"row\": 0, \"controls\": [\"v[1]=1\", \"v[1]=1;nonsense\"]}"),
       "`tasks[0].answer.controls[1]`"},
      {good("\"edits\": [\"v[0]=1\"], \"answer\": {\"kind\": \"effect\", \"row\": 0, \"control\": [\"v[1]=1\"], \"controls\": [\"v[1]=1\"]}"),
       "stands beside `control`"},
      {good("\"edits\": [\"nonsense\"]"), "`tasks[0].edits[0]` at line 3, column 54 is refused: "},
      {good("\"edits\": [\"v[9]=1\"], \"answer\": {\"kind\": \"same\"}"),
       "`tasks[0].edits` at line 3, column 53 cannot be carried out: "},
      {good("\"start\": [\"v[9]=1\"], \"answer\": {\"kind\": \"vector\", \"row\": 0}"), "`tasks[0].start` at line 3"},
      {good("\"example\": \"nowhere\", \"answer\": {\"kind\": \"vector\", \"row\": 0}"),
       "`tasks[0].example` at line 3, column 55 is \"nowhere\""},
      {good("\"tolerance\": -1, \"answer\": {\"kind\": \"vector\", \"row\": 0}"),
       "`tasks[0].tolerance` at line 3, column 57 is negative"},
      {good("\"show\": [\"weights\"], \"answer\": {\"kind\": \"vector\", \"row\": 0}"),
       "`tasks[0].show[0]` at line 3, column 53 is what the task asks for"},
      {good("\"show\": [\"wo\"], \"answer\": {\"kind\": \"vector\", \"row\": 0}"), "`tasks[0].show[0]`"},
  };
  for (const auto& each : kCases) {
    const std::string got = answerTo(each.task);
    CAPTURE(each.task);
    CHECK_MESSAGE(got.find(each.fragment) != std::string::npos, got);
    CHECK_MESSAGE(got.back() == '.', got);
  }
}

TEST_CASE("the second task is named as the second, and tasks need not be about their own document") {
  CHECK(answerTo(good("\"answer\": {\"kind\": \"vector\", \"row\": 0}") + ", {}").find("`tasks[1]`") !=
        std::string::npos);
  CHECK(answerTo(good("\"example\": \"three-positions\", \"answer\": {\"kind\": \"vector\", \"row\": 2}")) == "accepted");
}

TEST_CASE("more tasks than can be offered are refused") {
  std::string many;
  for (int i = 0; i < 101; ++i) many += (i ? "," : "") + good("\"answer\": {\"kind\": \"vector\", \"row\": 0}");
  CHECK(answerTo(many).find("holds 101 tasks; write at most 100") != std::string::npos);
}

TEST_CASE("a prediction is judged on its numbers, within the tolerance and no further") {
  const Task task = taskOf(
      R"("start": ["mask=none", "uniform=h0,1"], "answer": {"kind": "vector", "of": "weights", "row": 1}, "tolerance": 0.01)");
  for (const char* text : {"1/2, 1/2", "0.5,0.5", "[0.49, 0.51]", "sqrt(1/4); 0.5", " 0.5 , .5 ", "0.5 0.5", "50% 50%"})
    CHECK_MESSAGE(judged(task, text).judgement == Judgement::kRight, text);
  for (const char* text : {"0.48, 0.52", "0.5, 0.4899", "40% 60%"})
    CHECK_MESSAGE(judged(task, text).judgement == Judgement::kWrong, text);
  for (const char* text : {"0.5", "0.5, 0.5, 0", "half, half", "0.5 0.5 0", "0,5 0,5"})
    CHECK_MESSAGE(judged(task, text).judgement == Judgement::kNone, text);
  CHECK(judged(task, "0.5").words.find("the answer has 2") != std::string::npos);
  CHECK(judged(task, "half, half").words.find("no number") != std::string::npos);
  CHECK(judged(task, "").judgement == Judgement::kNone);
  CHECK(judged(task, "").words.find("No prediction") != std::string::npos);
}

TEST_CASE("a change is after minus before") {
  const Task task = taskOf(
      R"("edits": ["v[0]=7", "v[1]=8"], "answer": {"kind": "number", "of": "z", "row": 0, "column": 0, "change": true})");
  CHECK(judged(task, "2").judgement == Judgement::kRight);
  CHECK(judged(task, "-2").judgement == Judgement::kWrong);
}

TEST_CASE("where several sources share the largest weight, each of them is right, and so is saying so") {
  const Task task = taskOf(R"("start": ["uniform=h0,1"], "answer": {"kind": "largest", "row": 1})");
  for (const char* choice : {"0", "1", "several"}) CHECK(judged(task, choice).judgement == Judgement::kRight);
  const Task clear = taskOf(R"("answer": {"kind": "largest", "row": 1})");
  CHECK(judged(clear, "1").judgement == Judgement::kRight);
  CHECK(judged(clear, "0").judgement == Judgement::kWrong);
  CHECK(judged(clear, "several").judgement == Judgement::kWrong);
}

TEST_CASE("the shape of every array is known before it is computed") {
  const auto example = lesson::builtInExample("three-positions");
  const auto run = core::computeTrace(example.value().problem);
  for (int i = 0; i < core::kArrayCount; ++i) {
    const auto array = static_cast<core::Array>(i);
    const auto shape = lesson::shapeOf(example.value().problem, array, 0);
    if (!shape) continue;
    const auto view = core::arrayOf(run.value(), 0, array);
    CAPTURE(core::arrayName(array));
    CHECK(shape->rows == view.rows);
    CHECK(shape->columns == view.columns);
  }
  CHECK_FALSE(lesson::shapeOf(example.value().problem, core::Array::kZ, 1));
}

TEST_CASE("our own tasks are documents that can be opened, with titles that differ and words for everybody") {
  std::set<std::string> titles;
  std::set<AnswerKind> kinds;
  std::size_t count = 0;
  for (const lesson::Example& document : lesson::taskDocuments()) {
    for (const Task& task : document.tasks) {
      CAPTURE(task.title);
      CHECK(task.name == task.title);
      titles.insert(task.title);
      kinds.insert(task.answer.kind);
      ++count;
      CHECK_FALSE(task.instruction.empty());
      CHECK_FALSE(task.why.empty());
      CHECK(task.question.find_first_of("?.") != std::string::npos);
      CHECK(lesson::runTask(task, document).ok());
    }
  }
  CHECK(count >= 12);
  CHECK(titles.size() == count);
  CHECK(kinds.size() == 7);
}
