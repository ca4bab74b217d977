// What a document may not say, and what is answered.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "lesson/example.h"

namespace {

using namespace attn;

std::string answer(const std::string& json) {
  const core::Result<lesson::Example> example = lesson::parseExample(json, "document");
  return example ? "accepted" : example.error().message;
}

// Two tokens, one head; `more` fields follow.
std::string with(const std::string& more) {
  return answer(
      "{\"attnscope\": 1, \"tokens\": [\"a\", \"b\"],\n \"q\": [[1],[2]], \"k\": [[3],[4]], \"v\": [[5],[6]]" +
      (more.empty() ? "" : ",\n " + more) + "}");
}

std::string withWeights(const std::string& more) {
  return answer(
      "{\"attnscope\": 1, \"tokens\": [\"a\", \"b\"],\n \"wq\": [[1],[2]], \"wk\": [[3],[4]], \"wv\": [[5],[6]],\n " +
      more + "}");
}

struct Case {
  const char* json;
  const char* fragment;
};

template <std::size_t n>
void check(const Case (&cases)[n], std::string (*ask)(const std::string&)) {
  for (const Case& c : cases) {
    const std::string got = ask(c.json);
    CHECK_MESSAGE(got.find(c.fragment) != std::string::npos, std::string(c.json), " → ", got);
    // One sentence on one line.
    CHECK_MESSAGE(got.back() == '.', got);
    CHECK_MESSAGE(got.find('\n') == std::string::npos, got);
  }
}

}  // namespace

TEST_CASE("what is no example document is said to be none") {
  const Case kCases[] = {
      {"", "nothing to read"},
      {"[1, 2]", "a list of numbers"},
      {"\"text\"", "a text"},
      {"{}", "`attnscope`"},
      {"{\"attnscope\": 2, \"tokens\": [\"a\"], \"anything\": 1}", "`attnscope` at line 1, column 15 is 2"},
      {"{\"attnscope\": \"1\", \"tokens\": [\"a\"]}", "is a text"},
      {"{\"attnscope\": 1}", "`tokens`"},
      {"{\"attnscope\": 1, \"tokens\": []}", "`tokens` at line 1, column 28 is an empty list"},
      {"{\"tokens\": [], \"attnscope\": 7, \"unknown\": 1}", "`tokens`"},
      {"{\"attnscope\": 1, \"tokens\": []", "line 1, column 30"},
      {"{\"attnscope\": 1, \"tokens\": [\"a\"], \"tokens\": [\"b\"]}", "`tokens` stands twice"},
      {"{\"attnscope\": 1, \"tokens\": \"a\"}", "`tokens` at line 1, column 28 is a text; write a list of texts"},
      {"{\"attnscope\": 1, \"tokens\": [1, 2]}", "`tokens` at line 1, column 28 is a list of numbers"},
      {"{\"attnscope\": 1, \"tokens\": [\"a\", 2]}", "`tokens[1]` at line 1, column 34 is a number"},
      {"{\"attnscope\": 1, \"tokens\": [\"a\"]}", "q"},
  };
  check(kCases, answer);
}

TEST_CASE("unknown fields are refused by name at every depth") {
  const Case kCases[] = {
      {"\"Q\": [[1]]", "`Q`, found at line 3, column 2"},
      {"\"mask\": {\"casual\": true}", "`mask.casual`"},
      {"\"residual\": {\"state\": [[1],[2]], \"norm\": {}, \"nrom\": {}}", "`residual.nrom`"},
      {"\"residual\": {\"state\": [[1],[2]], \"norm\": {\"epsilon\": 1}}", "`residual.norm.epsilon`"},
      {"\"texts\": {\"softmax\": \"x\"}", "`texts.softmax`"},
      {"\"tasks\": [{}]", "`tasks[0]` at line 3, column 12 has no field `title`"},
  };
  check(kCases, with);
}

TEST_CASE("values of the wrong kind are refused with their field and place") {
  const Case kCases[] = {
      {"\"title\": 1", "`title` at line 3, column 11 is a number; write a text"},
      {"\"first_index\": 2", "`first_index` at line 3, column 17 is 2; write 0 or 1"},
      {"\"first_index\": 0.5", "is 0.5; write a whole number"},
      {"\"first_index\": 1e300", "write a whole number"},
      {"\"first_index\": NaN", "is nan; write a whole number"},
      {"\"sources\": []", "`sources`"},
      {"\"scale\": \"1\"", "`scale` at line 3, column 11 is a text; write a number"},
      {"\"scale\": NaN", "`scale` at line 3, column 11 is nan; write a finite number"},
      {"\"scale\": Infinity", "is inf; write a finite number"},
      {"\"scale\": null", "`scale` at line 3, column 11 is null"},
      {"\"temperature\": 0", "`temperature` at line 3, column 17 is 0; write a number above 0"},
      {"\"softcap\": -1", "`softcap` at line 3, column 13 is -1; write a number above 0"},
      {"\"sink\": [\"a\"]", "`sink`"},
      {"\"sink\": [NaN]", "sink"},
      {"\"sink\": [1, 2, 3]", "sink"},
      {"\"sink\": []", "`sink` at line 3, column 10"},
      {"\"sink\": []", "is an empty list; write one number"},
      {"\"wo\": [[]]", "is an empty list; write a row"},
      {"\"alibi\": true", "`alibi`"},
      {"\"bias\": [1, 2]", "`bias` at line 3, column 10 is a list of numbers; write a matrix"},
      {"\"bias\": []", "`bias` at line 3, column 10 is an empty list"},
      {"\"bo\": [[1]]", "`bo`"},
      {"\"bo\": []", "`bo` at line 3, column 8 is an empty list"},
      {"\"bo\": [1, \"x\"]", "`bo`"},
      {"\"wo\": [[1], \"x\"]", "`wo[1]` at line 3, column 14 is a text; write a row"},
      {"\"wo\": [[1], [true]]", "`wo[1]`"},
      {"\"wo\": [[[1]]]", "`wo[0]`"},
      {"\"wo\": 1", "`wo` at line 3, column 8 is a number; write a matrix"},
      {"\"bias\": [[1, 2], [3]]", "is ragged: row 1 has 1 number, row 0 has 2"},
      {"\"bias\": [[[1, 2], [3, 4]], [[1, 2], [3, 4, 5]]]",
       "`bias[1]` at line 3, column 29 is ragged: row 1 has 3 numbers"},
      {"\"bias\": [[[[1]]]]", "`bias[0][0]`"},
      {"\"mask\": \"triangle\"", "`mask` at line 3, column 10 is \"triangle\""},
      {"\"mask\": true", "`mask` at line 3, column 10 is true or false"},
      {"\"mask\": {\"causal\": 1}", "`mask.causal` at line 3, column 21 is a number; write true or false"},
      {"\"mask\": {\"align\": \"left\"}", "`mask.align` at line 3, column 20 is \"left\""},
      {"\"mask\": {\"window\": 0}", "`mask.window` at line 3, column 21 is 0; write a whole number from 1 on"},
      {"\"mask\": {\"window\": -3}", "is -3"},
      {"\"mask\": {\"window\": 1.5}", "is 1.5"},
      {"\"mask\": {\"padding\": [1, 0]}", "`mask.padding` at line 3, column 22 is a list of numbers"},
      {"\"mask\": {\"padding\": [true]}", "padding"},
      {"\"mask\": {\"padding\": []}", "`mask.padding`"},
      {"\"mask\": {\"allowed\": [[true, true], [true]]}",
       "`mask.allowed` at line 3, column 22 is ragged: row 1 has 1 entry"},
      {"\"mask\": {\"allowed\": [[true, true], [1, 0]]}", "`mask.allowed[1]`"},
      {"\"mask\": {\"allowed\": [[true, true]]}", "allowed"},
      {"\"mask\": {\"allowed\": [true, false]}", "`mask.allowed`"},
      {"\"residual\": \"yes\"", "`residual` at line 3, column 14 is a text; write true, a matrix"},
      {"\"residual\": true", "residual"},
      {"\"residual\": []", "`residual`"},
      {"\"residual\": [1, 2]", "`residual` at line 3, column 14 is a list of numbers"},
      {"\"residual\": {\"norm\": {}}", "has no field `state`"},
      {"\"residual\": {\"state\": [[1],[2]]}", "has no field `norm`"},
      {"\"residual\": {\"state\": [[1],[2]], \"norm\": true}", "`residual.norm`"},
      {"\"residual\": {\"state\": [[1],[2]], \"norm\": {\"eps\": -1}}",
       "`residual.norm.eps` at line 3, column 51 is -1"},
      {"\"residual\": {\"state\": [[1],[2]], \"norm\": {\"gain\": 1}}", "`residual.norm.gain`"},
      {"\"residual\": {\"state\": [[1],[2]], \"norm\": {\"gain\": [1, 2]}}", "residual.norm.gain"},
      {"\"residual\": {\"state\": [[1],[2],[3]], \"norm\": {}}", "residual.state"},
      {"\"texts\": []", "`texts`"},
      {"\"texts\": {\"z\": 1}", "`texts.z` at line 3, column 17 is a number"},
      {"\"wq\": [[1]]", "wq"},
  };
  check(kCases, with);
}

TEST_CASE("arrays that do not fit each other are refused by field") {
  const Case kCases[] = {
      {"\"mask\": \"none\"", "needs x"},
      {"\"x\": [[1, 2, 3], [4, 5, 6]]", "wq: 2×1 does not fit x 2×3"},
      {"\"x\": [[1, 2]]", "x: 1×2 does not fit 2 tokens"},
      {"\"x\": [[1, 2], [3, 4]], \"bq\": [1, 2]", "bq"},
      {"\"x\": [[1, 2], [3, 4]], \"bq\": []", "`bq` at line 3, column 31 is an empty list"},
      {"\"x\": [[1, 2], [3, 4]], \"bq\": [[1], [2]]", "bq"},
      {"\"x\": [[1, 2], [3, 4]], \"bq\": [[1], \"a\"]", "`bq[1]`"},
      {"\"x\": [[1, 2], [3, 4]], \"wo\": [[1, 2], [3, 4]]", "wo"},
      {"\"x\": [[1, 2], [3, 4]], \"residual\": true", "residual"},
      {"\"x\": [[1, 2], [3, 4]], \"x_sources\": [[1, 2, 3], [1, 2, 3]]", "wk"},
      {"\"x\": [[1, 2], [3, 4]], \"residual\": {\"state\": [[1, 2], [3, 4]], \"norm\": {}}", "`x` at line 3, column 7"},
      {"\"residual\": {\"state\": [[1, 1], [2, 2]], \"norm\": {\"eps\": 0}}", "residual.norm.eps"},
  };
  check(kCases, withWeights);
}

TEST_CASE("key and value heads that do not divide the query heads are refused") {
  const auto list = [](int n) {
    std::string out;
    for (int i = 0; i < n; ++i) out += std::string(i ? "," : "") + "[[1]]";
    return "[" + out + "]";
  };
  const auto heads = [&list](int h, int g) {
    return answer("{\"attnscope\": 1, \"tokens\": [\"a\"], \"q\": " + list(h) + ", \"k\": " + list(g) +
                  ", \"v\": " + list(g) + "}");
  };
  CHECK(heads(8, 2) == "accepted");
  CHECK(heads(8, 8) == "accepted");
  CHECK(heads(8, 3).find("8") != std::string::npos);
  CHECK(heads(8, 3).find("3") != std::string::npos);
  CHECK(heads(2, 4) != "accepted");
}

TEST_CASE("a document larger than a trace may be is refused before it is computed") {
  std::string tokens, rows;
  for (int i = 0; i < 2100; ++i) {
    tokens += i ? ",\"t\"" : "\"t\"";
    rows += i ? ",[1]" : "[1]";
  }
  const std::string got = answer("{\"attnscope\": 1, \"tokens\": [" + tokens + "], \"q\": [" + rows + "], \"k\": [" +
                                 rows + "], \"v\": [" + rows + "]}");
  CHECK_MESSAGE(got.find("2100") != std::string::npos, got);
}
