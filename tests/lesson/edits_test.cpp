// Edits in documents and on one line: read, refused, carried out, written back.
#include "lesson/edits.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/trace.h"
#include "io/json_writer.h"
#include "lesson/trace_json.h"
#include "support/problems.h"

namespace {

using namespace attn;
using namespace std::string_literals;
using lesson::Example;
using Texts = std::vector<std::string>;

constexpr const char* kStart =
    "{\"attnscope\": 1, \"tokens\": [\"a\", \"b\"],\n \"q\": [[1],[2]], \"k\": [[3],[4]], \"v\": [[5],[6]]";

core::Result<Example> documentOf(const std::string& more) {
  return lesson::parseExample(kStart + more + "}", "document");
}

Example parsed(const std::string& more) {
  core::Result<Example> example = documentOf(more);
  REQUIRE_MESSAGE(example.ok(), (example ? "" : example.error().message));
  return example.take();
}

Example carriedOut(const Example& example) {
  core::Result<Example> edited = lesson::editExample(example, example.edits);
  REQUIRE_MESSAGE(edited.ok(), (edited ? "" : edited.error().message));
  return edited.take();
}

// Bytes of every kind: half of them those that lists and JSON care about.
std::string anyText(test::Random& random) {
  const std::string awkward = ";\\ \"\n\t=,[]{}:\xED\xA0\xBD\xB2\x80"s;
  std::string text;
  for (test::Index length = random.below(12); length > 0; --length) {
    const bool any = random.below(2) == 0;
    text += any ? static_cast<char>(random.below(256))
                : awkward[static_cast<std::size_t>(random.below(static_cast<test::Index>(awkward.size())))];
  }
  return text;
}

}  // namespace

TEST_CASE("the edits of a document are kept as they are written, and carried out only when asked") {
  const Example example = parsed(", \"edits\": [\"v[0]=sqrt(4)\", \" scale = 1\", \"insert=2,c\"]");
  CHECK(example.edits == Texts{"v[0]=sqrt(4)", " scale = 1", "insert=2,c"});
  CHECK(example.tokens == Texts{"a", "b"});
  CHECK(example.problem.v[0](0, 0) == 5);
  const Example edited = carriedOut(example);
  CHECK(edited.edits == example.edits);
  CHECK(edited.tokens == Texts{"a", "b", "c"});
  CHECK(edited.sources == edited.tokens);
  CHECK(edited.problem.v[0](0, 0) == 2);
  CHECK(edited.document == example.document);
  // Scores 1·3 and 1·4 and, for the new token, 0.
  const double sum = std::exp(3.0) + std::exp(4.0) + 1;
  CHECK(std::abs(core::computeTrace(edited.problem).value().heads[0].softmax.weights(0, 1) - std::exp(4.0) / sum) <=
        1e-15);
}

TEST_CASE("edits that cannot be read are refused with their place in the list") {
  const std::pair<const char*, const char*> kCases[] = {
      {"\"mask=none\"", "`edits` at line 3, column 11 is a text; write a list."},
      {"null", "`edits` at line 3, column 11 is null; write a list."},
      {"{}", "is an object; write a list."},
      {"[1, 2]", "`edits` at line 3, column 11 is a list of numbers"},
      {"[\"scale=1\", 2]", "`edits[1]` at line 3, column 23 is a number; write a text in quotes."},
      {"[\"scale=1\", \"\"]", "`edits[1]` at line 3, column 23 is refused: An edit is empty; write one such as"},
      {"[\"scale=1\", \"mask=none\", \"forbid\"]", "`edits[2]` at line 3, column 36 is refused: “forbid” has no “=”"},
      {"[\"v[0]=1/0\"]",
       "`edits[0]` at line 3, column 12 is refused: “v[0]=1/0” holds “1/0”, which is no finite number"},
  };
  for (const auto& each : kCases) {
    const std::string list = each.first, sentence = each.second;
    const core::Result<Example> example = documentOf(",\n \"edits\": " + list);
    REQUIRE_MESSAGE(!example.ok(), list);
    CHECK_MESSAGE(example.error().message.find(sentence) != std::string::npos, list, " → ",
                  example.error().message);
    CHECK(example.error().message.back() == '.');
  }
}

TEST_CASE("edits that do not fit are refused, and what is wrong with all of them carried out") {
  const std::pair<const char*, const char*> kCases[] = {
      {"\"v[0]=1\", \"v[2]=1\"",
       "`edits`: “v[2]=1” cannot be carried out: v has no row 2: it has 2 rows, counted from 0."},
      {"\"v[0]=1,2\"", "`edits`: “v[0]=1,2” cannot be carried out: a row of v has 1 number, and 2 are given."},
      {"\"delete=0\", \"delete=0\"", "`edits`: “delete=0” cannot be carried out: the last token cannot be deleted."},
      {"\"x[0]=1\"", "this example has no x."},
  };
  for (const auto& each : kCases) {
    const std::string list = each.first, sentence = each.second;
    const core::Result<Example> example = documentOf(", \"edits\": [" + list + "]");
    REQUIRE_MESSAGE(!example.ok(), list);
    CHECK_MESSAGE(example.error().message.find(sentence) != std::string::npos, example.error().message);
  }
  // A row of zeros has no variance, which only a norm minds.
  const core::Result<Example> norm = lesson::parseExample(
      "{\"attnscope\": 1, \"tokens\": [\"a\"], \"wq\": [[1],[2]], \"wk\": [[1],[2]], \"wv\": [[1,2],[3,4]],"
      "\"residual\": {\"state\": [[1,2]], \"norm\": {\"eps\": 0}}, \"edits\": [\"insert=1,b\"]}", "norm");
  REQUIRE_FALSE(norm.ok());
  CHECK(norm.error().message.find("`edits`: with all of them carried out, residual.norm.eps: it is 0") == 0);
}

TEST_CASE("a document can hold a thousand edits and no more") {
  const auto many = [](int count) {
    std::string list = ", \"edits\": [\"scale=1\"";
    while (--count > 0) list += ",\"scale=1\"";
    return list + "]";
  };
  CHECK(parsed(many(1000)).edits.size() == 1000);
  CHECK(documentOf(many(1001)).error().message == "`edits`: 1001 edits are too many; give at most 1000.");
}

TEST_CASE("a list of edits is written into a document in the place of its own") {
  const Example example =
      parsed(", \"title\": \"\\\"edits\\\":[1]\", \"edits\": [\"scale=1\"], \"mask\": {\"causal\": true}");
  const std::string rest = "\"title\":\"\\\"edits\\\":[1]\",";
  CHECK(lesson::documentWith(example, {"v[0]=1"}).find(rest + "\"edits\":[\"v[0]=1\"],\"mask\":{\"causal\":true}}") !=
        std::string::npos);
  CHECK(lesson::documentWith(example, {}).find(rest + "\"mask\":{\"causal\":true}}") != std::string::npos);
  const Example none = parsed("");
  CHECK(lesson::documentWith(none, {"scale=1"}).find("\"v\":[[5],[6]],\"edits\":[\"scale=1\"]}") != std::string::npos);
  CHECK(lesson::documentWith(none, {}) == none.document);
  const Example escaped = parsed(", \"\\u0065dit\\u0073\": [\"scale=1\"]");
  REQUIRE(escaped.edits == Texts{"scale=1"});
  CHECK(lesson::parseExample(lesson::documentWith(escaped, {"scale=2"}), "again").value().edits == Texts{"scale=2"});
  CHECK(lesson::parseExample(lesson::documentWith(escaped, {}), "again").value().edits.empty());
}

TEST_CASE("edits with any bytes in their tokens come back from a document as they were") {
  test::Random random(31);
  const Example example = parsed(", \"edits\": [\"scale=1\"]");
  Texts awkward = {"token[0]=",
                   "token[0]= the",
                   "token[1]=\"];}",
                   "insert=0,\\",
                   "token[0]=a;b",
                   "token[0]=\n\t\x7F",
                   "token[0]=\x80\xFF",
                   "token[0]=\xED\xA0\xBD\xED\xB8\x80",
                   "token[0]=\xED\xB2\x80",
                   "token[0]=\xED\xA0\xBD\x80",
                   "token[0]=\0a"s};
  for (int n = 0; n < 300; ++n) awkward.push_back("token[0]=" + anyText(random));
  for (const std::string& one : awkward) {
    const Texts edits = {one, "scale=2"};
    const std::string document = lesson::documentWith(example, edits);
    CAPTURE(document);
    const core::Result<Example> again = lesson::parseExample(document, "again");
    REQUIRE_MESSAGE(again.ok(), (again ? "" : again.error().message));
    REQUIRE(again.value().edits == edits);
    CHECK(lesson::documentWith(again.value(), edits) == document);
    Example first = example;
    first.edits = edits;
    const Example a = carriedOut(first), b = carriedOut(again.value());
    CHECK(lesson::traceJson(a, core::computeTrace(a.problem).value()) ==
          lesson::traceJson(b, core::computeTrace(b.problem).value()));
  }
}

TEST_CASE("edits on one line are split where they were joined") {
  CHECK(lesson::joinEdits({"v[1]=0,0", "token[0]=a;b\\"}) == "v[1]=0,0;token[0]=a\\;b\\\\");
  CHECK(lesson::splitEdits("v[1]=0,0;token[0]=a\\;b\\\\") == Texts{"v[1]=0,0", "token[0]=a;b\\"});
  CHECK(lesson::splitEdits("token[0]= x ; scale=1") == Texts{"token[0]= x ", " scale=1"});
  CHECK(lesson::splitEdits(" a=1;; ;b=2;") == Texts{" a=1", "b=2"});
  CHECK(lesson::splitEdits("a=\\") == Texts{"a=\\"});
  CHECK(lesson::splitEdits("").empty());
  CHECK(lesson::joinEdits({}) == "");
  test::Random random(32);
  for (int n = 0; n < 2000; ++n) {
    Texts edits;
    for (test::Index count = random.below(4); count > 0; --count) edits.push_back("token[0]=" + anyText(random));
    REQUIRE(lesson::splitEdits(lesson::joinEdits(edits)) == edits);
  }
}

TEST_CASE("texts of nothing but blanks are no edits on a line, all others come back") {
  test::Random random(33);
  for (int n = 0; n < 2000; ++n) {
    Texts edits, expected;
    for (test::Index count = random.below(4); count > 0; --count) {
      edits.push_back(random.below(3) ? anyText(random) : std::string(static_cast<std::size_t>(random.below(3)), ' '));
      if (edits.back().find_first_not_of(' ') != std::string::npos) expected.push_back(edits.back());
    }
    REQUIRE(lesson::splitEdits(lesson::joinEdits(edits)) == expected);
  }
}
