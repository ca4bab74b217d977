// Example documents: what each field becomes, and that a document made from a problem gives that problem again.
#include "lesson/example.h"

#include <doctest/doctest.h>

#include <string>

#include "io/json_writer.h"
#include "support/generated_documents.h"
#include "support/problems.h"

namespace {

using namespace attn;
using namespace std::string_literals;
using lesson::Example;
using test::Problem;

Example parsed(std::string_view json) {
  core::Result<Example> example = lesson::parseExample(json, "document");
  REQUIRE_MESSAGE(example.ok(), (example ? "" : example.error().message));
  return example.take();
}

// A document of one head and two tokens with `more` fields.
Example parsedWith(const std::string& more) {
  return parsed("{\"attnscope\": 1, \"tokens\": [\"a\", \"b\"], \"q\": [[1],[2]], \"k\": [[3],[4]], \"v\": [[5],[6]]" +
                more + "}");
}

void checkSame(const std::vector<test::Matrix>& a, const std::vector<test::Matrix>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(test::largestDifference(a[i], b[i]) == 0);
}

template <class M>
void checkSame(const std::optional<M>& a, const std::optional<M>& b) {
  REQUIRE(a.has_value() == b.has_value());
  if (a) CHECK(test::largestDifference(*a, *b) == 0);
}

void checkSame(const std::vector<core::RowVector<double>>& a, const std::vector<core::RowVector<double>>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(test::largestDifference(a[i], b[i]) == 0);
}

// Every field, bit for bit: numbers are written with 17 digits.
void checkSame(const Problem& a, const Problem& b) {
  CHECK(a.T == b.T);
  CHECK(a.S == b.S);
  CHECK(a.cross == b.cross);
  checkSame(a.x, b.x);
  checkSame(a.x_sources, b.x_sources);
  checkSame(a.wq, b.wq), checkSame(a.wk, b.wk), checkSame(a.wv, b.wv);
  checkSame(a.bq, b.bq), checkSame(a.bk, b.bk), checkSame(a.bv, b.bv);
  checkSame(a.q, b.q), checkSame(a.k, b.k), checkSame(a.v, b.v);
  checkSame(a.wo, b.wo), checkSame(a.bo, b.bo);
  CHECK(a.scale == b.scale);
  CHECK(a.temperature == b.temperature);
  CHECK(a.softcap == b.softcap);
  CHECK(a.sink == b.sink);
  CHECK(a.alibi == b.alibi);
  checkSame(a.bias, b.bias);
  CHECK(a.mask == b.mask);
  CHECK(a.residual == b.residual);
  checkSame(a.state, b.state);
  REQUIRE(a.norm.has_value() == b.norm.has_value());
  if (!a.norm) return;
  CHECK(a.norm->eps == b.norm->eps);
  checkSame(a.norm->gain, b.norm->gain);
  checkSame(a.norm->bias, b.norm->bias);
}

core::MaskSpec randomMask(test::Random& random, core::Index rows, core::Index columns) {
  core::MaskSpec mask;
  mask.causal = random.below(2);
  if (random.below(2)) mask.align = core::Align::kBottomRight;
  if (random.below(2)) mask.window = 1 + random.below(columns);
  std::vector<bool> row;
  for (core::Index j = 0; j < columns; ++j) row.push_back(random.below(2));
  if (random.below(2)) mask.padding = row;
  if (random.below(2)) mask.allowed.assign(static_cast<std::size_t>(rows), row);
  return mask;
}

void addRules(test::Random& random, Problem& p) {
  const core::Index heads = p.heads();
  if (random.below(2)) p.scale = random.normal();
  if (random.below(2)) p.temperature = 0.1 + random.uniform();
  if (random.below(2)) p.softcap = 1 + random.uniform();
  for (auto* list : {&p.sink, &p.alibi}) {
    const core::Index count = random.below(3) == 0 ? 0 : random.below(2) ? 1 : heads;
    for (core::Index h = 0; h < count; ++h) list->push_back(random.normal());
  }
  const core::Index biases = random.below(2) ? 0 : random.below(2) ? 1 : heads;
  for (core::Index h = 0; h < biases; ++h) p.bias.push_back(random.matrix(p.T, p.S));
  if (biases > 0) p.bias[0](0, 0) = -test::kInfinity;
  p.mask = randomMask(random, p.T, p.S);
}

}  // namespace

TEST_CASE("a document made from a random problem gives that problem again, field by field") {
  test::Random random(11);
  for (int round = 0; round < 60; ++round) {
    // One draw a line: compilers differ in the order in which they make arguments.
    const core::Index shared = 1 + random.below(2);
    const core::Index heads = shared * (1 + random.below(3));
    const core::Index tokens = 1 + random.below(5);
    Problem p = test::randomProblem(random, tokens, 1 + random.below(4), heads, shared);
    const core::Index width = p.x->cols();
    switch (round % 4) {
      case 0:
        break;
      case 1:
        p.residual = core::Residual::kNone;
        break;
      case 2:
        p.residual = core::Residual::kState;
        p.state = random.matrix(p.T, width);
        break;
      default:
        p.residual = core::Residual::kPreNorm;
        p.state = p.x;
        p.x.reset();
        p.norm = core::Norm<double>();
        if (random.below(2)) p.norm->gain = random.matrix(1, width).row(0);
        if (random.below(2)) p.norm->bias = random.matrix(1, width).row(0);
    }
    if (round % 3 == 0) {
      p.cross = true;
      p.S = 1 + random.below(5);
      p.x_sources = random.matrix(p.S, width);
    }
    addRules(random, p);
    const std::string document = test::documentOf(p);
    const Example example = parsed(document);
    checkSame(example.problem, p);
    CHECK(example.tokens.size() == static_cast<std::size_t>(p.T));
    CHECK(example.sources.size() == static_cast<std::size_t>(p.S));
    const Example again = parsed(example.document);
    checkSame(again.problem, p);
    CHECK(again.document == example.document);
    CHECK(example.document.size() <= document.size());
  }
}

TEST_CASE("the built-in examples are the worked examples of the lessons, bit for bit") {
  const Example three = lesson::builtInExample("three-positions").take();
  checkSame(three.problem, test::threePositions());
  CHECK(three.first_index == 1);
  const Example cat = lesson::builtInExample("cat-sat-down").take();
  checkSame(cat.problem, test::catSatDown());
  CHECK(cat.tokens == std::vector<std::string>{"the", "cat", "sat", "down"});
}

TEST_CASE("defaults are those of the format") {
  const Example example = parsedWith("");
  CHECK(example.id == "document");
  CHECK(example.title == "");
  CHECK(example.about == "");
  CHECK(example.first_index == 0);
  CHECK(example.sources == example.tokens);
  CHECK(example.texts.empty());
  CHECK_FALSE(example.problem.cross);
  CHECK(example.problem.mask.none());
  CHECK(example.problem.residual == core::Residual::kNone);
  CHECK_FALSE(example.problem.scale);
  CHECK(parsedWith(", \"residual\": false").problem.residual == core::Residual::kNone);
  CHECK(parsedWith(", \"edits\": [], \"tasks\": []").problem.heads() == 1);
}

TEST_CASE("title, first index and the texts of stages are read") {
  const Example example = parsedWith(
      ", \"title\": \"Zwei Wörter\", \"first_index\": 1, \"texts\": {\"weights\": \"Look here.\", \"z\": \"And "
      "here.\"}");
  CHECK(example.title == "Zwei Wörter");
  CHECK(example.first_index == 1);
  CHECK(example.texts.size() == 2);
  CHECK(example.texts.at(core::Stage::kWeights) == "Look here.");
  CHECK(example.texts.at(core::Stage::kZ) == "And here.");
}

TEST_CASE("a mask is a word or an object, and an empty object blocks nothing") {
  CHECK(parsedWith(", \"mask\": \"causal\"").problem.mask.causal);
  CHECK(parsedWith(", \"mask\": \"none\"").problem.mask.none());
  CHECK(parsedWith(", \"mask\": {}").problem.mask.none());
  const core::MaskSpec mask =
      parsedWith(
          ", \"mask\": {\"causal\": true, \"align\": \"bottom-right\", \"window\": 2, \"padding\": [true, false],"
          " \"allowed\": [[true, true], [false, true]]}")
          .problem.mask;
  CHECK(mask.causal);
  CHECK(mask.align == core::Align::kBottomRight);
  CHECK(*mask.window == 2);
  CHECK(mask.padding == std::vector<bool>{true, false});
  CHECK(mask.allowed == std::vector<std::vector<bool>>{{true, true}, {false, true}});
}

TEST_CASE("sources of their own make cross-attention, even when they read like the tokens") {
  const Example example =
      parsed(R"({"attnscope": 1, "tokens": ["a"], "sources": ["x", "y", "z"], "q": [[1]], "k": [[1],[2],[3]],
                                     "v": [[1],[2],[3]]})");
  CHECK(example.problem.cross);
  CHECK(example.problem.S == 3);
  CHECK(example.sources == std::vector<std::string>{"x", "y", "z"});
  CHECK(parsedWith(", \"sources\": [\"a\", \"b\"]").problem.cross);
}

TEST_CASE("one matrix and a list with that matrix are the same head") {
  const Example one = parsedWith("");
  const Example list =
      parsed(R"({"attnscope": 1, "tokens": ["a", "b"], "q": [[[1],[2]]], "k": [[[3],[4]]], "v": [[[5],[6]]]})");
  checkSame(one.problem, list.problem);
}

TEST_CASE("numbers that are not finite may stand in arrays") {
  const Example example =
      parsed(R"({"attnscope": 1, "tokens": ["a"], "q": [[NaN]], "k": [[Infinity]], "v": [[-Infinity]]})");
  CHECK(std::isnan(example.problem.q[0](0, 0)));
  CHECK(example.problem.v[0](0, 0) == -test::kInfinity);
}

TEST_CASE("tokens of every awkward kind come through unchanged") {
  const std::vector<std::string> kTokens = {"<b>",      "</script>", "a<b<c",
                                            "&lt;",     "%s%n",      "##id",
                                            "x###y",  // mark-up, formats, ids
                                            " the",     "the",       "\n",
                                            "\t",       "",          " ",
                                            "Ġthe",     "▁the",  // white space
                                            "ðŁĺ",      "Ģ",         "👨‍👩‍👧‍👦",
                                            "مرحبا",    "你好",      "\xF0",
                                            "\xF0\x9F", "\x98",      "\x80",
                                            "\0x"s,     "\"\\",      "\x7F"};
  io::JsonWriter writer;
  writer.beginObject().name("attnscope").number(1).name("tokens").beginList();
  for (const std::string& token : kTokens) writer.text(token);
  writer.endList();
  for (const char* name : {"q", "k", "v"}) {
    writer.name(name).beginList();
    for (std::size_t i = 0; i < kTokens.size(); ++i) writer.beginList().number(double(i)).endList();
    writer.endList();
  }
  writer.endObject();
  const Example example = parsed(writer.str());
  CHECK(example.tokens == kTokens);
  CHECK(parsed(example.document).tokens == kTokens);
}

TEST_CASE("the two large documents are read") {
  const Example heads = parsed(test::manyHeadsDocument());
  CHECK(heads.problem.T == 64);
  CHECK(heads.problem.heads() == 8);
  CHECK(heads.problem.mask.causal);
  const Example tokens = parsed(test::longDocument());
  CHECK(tokens.problem.T == 512);
  CHECK(tokens.problem.q[0].cols() == 64);
}

TEST_CASE("a document is told by its key, wherever it stands, and in other encodings") {
  CHECK(lesson::isDocument(R"({"attnscope": 1})"));
  CHECK(lesson::isDocument("\xEF\xBB\xBF \n{\"tokens\": [\"a\"], \"attnscope\" : 1"));
  CHECK(lesson::isDocument("\xFF\xFE"s + "{\0\"\0a\0t\0t\0n\0s\0c\0o\0p\0e\0\"\0:\0"s));
  CHECK(lesson::isDocument("{\"tokens\": [\"attnscope\"" + std::string(100000, ' ') + "], \"attnscope\": 1"));
}

TEST_CASE("what is no object with that key is no document") {
  for (const std::string& text : {""s, " "s, "[1, 2]"s, "{}"s, R"({"tokens": ["attnscope"]})"s, R"(["attnscope", {"attnscope": 1}])"s,
                                 "\x93NUMPY{\"attnscope\": 1}"s, R"({"attn": 1})"s, R"({"attnscope")"s}) {
    CAPTURE(text);
    CHECK_FALSE(lesson::isDocument(text));
  }
}
