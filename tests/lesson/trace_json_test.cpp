// Cases with known answers, as documents in and Trace JSON out. The JSON is read back before anything is compared.
#include "lesson/trace_json.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "core/number.h"
#include "io/json.h"
#include "lesson/example.h"
#include "support/generated_documents.h"
#include "support/problems.h"

namespace {

using namespace attn;
using io::Json;
using test::Matrix;

// Half a unit of the fourth printed digit, and six digits in double: the two precisions in which answers are known.
constexpr double kFourDigits = 5e-5 + 1e-12, kSixDigits = 1e-6;
// Fractions of the exact example come out to the last bits.
constexpr double kExact = 1e-15;

Json traceOf(const std::string& document, const core::MaskSpec* mask = nullptr) {
  core::Result<lesson::Example> example = lesson::parseExample(document, "document");
  REQUIRE_MESSAGE(example.ok(), (example ? "" : example.error().message));
  if (mask) example.value().problem.mask = *mask;
  const core::Result<core::Trace<double>> trace = core::computeTrace(example.value().problem);
  REQUIRE_MESSAGE(trace.ok(), (trace ? "" : trace.error().message));
  core::Result<Json> json = io::parseJson(lesson::traceJson(example.value(), trace.value()));
  REQUIRE_MESSAGE(json.ok(), (json ? "" : json.error().message));
  return json.take();
}

std::string builtIn(std::string_view id) {
  for (const lesson::BuiltIn& example : lesson::builtIns()) {
    if (example.id == id) return std::string(example.json);
  }
  return "";
}

// A member of the trace, or of one of its heads.
const Json& at(const Json& trace, std::string_view name) {
  const Json* found = trace.find(name);
  REQUIRE_MESSAGE(found, std::string(name));
  return *found;
}
const Json& head(const Json& trace, std::size_t index = 0) { return (*at(trace, "heads").as<Json::Items>())[index]; }

double number(const Json& json) {
  if (const auto* text = json.as<std::string>()) {
    return *text == "inf" ? test::kInfinity : *text == "-inf" ? -test::kInfinity : std::nan("");
  }
  REQUIRE(json.as<double>());
  return *json.as<double>();
}

std::vector<double> numbers(const Json& row) {
  if (const auto* compact = row.as<Json::Numbers>()) return *compact;
  std::vector<double> out;
  for (const Json& item : *row.as<Json::Items>()) out.push_back(number(item));
  return out;
}

Matrix matrix(const Json& json) {
  const auto& rows = *json.as<Json::Items>();
  Matrix out(static_cast<core::Index>(rows.size()), static_cast<core::Index>(rows[0].size()));
  for (core::Index i = 0; i < out.rows(); ++i) {
    const std::vector<double> row = numbers(rows[static_cast<std::size_t>(i)]);
    for (core::Index j = 0; j < out.cols(); ++j) out(i, j) = row[static_cast<std::size_t>(j)];
  }
  return out;
}

std::vector<std::string> texts(const Json& list) {
  std::vector<std::string> out;
  for (const Json& item : *list.as<Json::Items>()) out.push_back(*item.as<std::string>());
  return out;
}

// Rows of "1" and "0", one text a row.
std::string allowed(const Json& trace) {
  std::string out;
  for (const Json& row : *at(head(trace), "allowed").as<Json::Items>()) {
    out += out.empty() ? "" : " ";
    for (const bool cell : *row.as<Json::Flags>()) out += cell ? '1' : '0';
  }
  return out;
}

void checkClose(const Json& json, const Matrix& expected, double tolerance) {
  CHECK(test::largestDifference(matrix(json), expected) <= tolerance);
}

void checkRow(const Json& json, core::Index row, std::initializer_list<double> expected, double tolerance) {
  CHECK(test::largestDifference(matrix(json).row(row), test::matrix({expected})) <= tolerance);
}

std::string names(const Json& object) {
  std::string out;
  for (const io::JsonMember& member : *object.as<Json::Members>()) out += (out.empty() ? "" : " ") + member.name;
  return out;
}

const std::string kBase = "\"q\": [[1,0],[0,1],[1,1]], \"k\": [[1,0],[0,1],[1,1]], \"v\": [[1,2],[3,4],[5,6]]";

std::string baseWith(const std::string& more) {
  return "{\"attnscope\": 1, \"tokens\": [\"a\",\"b\",\"c\"], " + kBase + (more.empty() ? "" : ", ") + more + "}";
}

}  // namespace

TEST_CASE("three positions give the fractions of the lesson") {
  const Json trace = traceOf(builtIn("three-positions"));
  CHECK(texts(at(trace, "tokens")) == std::vector<std::string>{"1", "2", "3"});
  const double third = 1.0 / 3;
  const Json& h = head(trace);
  checkClose(at(h, "weights"), test::matrix({{1, 0, 0}, {third, 2 * third, 0}, {.25, .25, .5}}), kExact);
  checkClose(at(h, "z"), test::matrix({{2, 0}, {2 * third, 8 * third}, {1.5, 3}}), 3 * kExact);
  checkClose(at(h, "exp_plain"), test::matrix({{2, 0, 0}, {1, 2, 0}, {2, 2, 4}}), 4 * kExact);
  checkClose(at(h, "exp"), test::matrix({{1, 0, 0}, {.5, 1, 0}, {.5, .5, 1}}), kExact);
  CHECK(numbers(at(h, "row_sum")) == std::vector<double>{1, 1.5, 2});
  const double ln2 = std::log(2.0);
  checkClose(at(h, "scaled"), ln2 * test::matrix({{1, 0, 1}, {0, 1, 1}, {1, 1, 2}}), 2 * kExact);
  checkClose(at(h, "masked"),
             test::matrix({{ln2, -test::kInfinity, -test::kInfinity}, {0, ln2, -test::kInfinity}, {ln2, ln2, 2 * ln2}}),
             2 * kExact);
  CHECK(allowed(trace) == "100 110 111");
  checkRow(at(trace, "residual"), 2, {2.5, 4}, 3 * kExact);
}

TEST_CASE("the cat sat down without a mask and with the causal one") {
  const Json trace = traceOf(builtIn("cat-sat-down"));
  const Json& h = head(trace);
  checkClose(at(h, "scores"), test::matrix({{1, 0, .5, .5}, {1, 0, .5, .5}, {0, 4, 1, 0}, {.5, 4, 1.25, .25}}), 0);
  checkClose(at(h, "weights"),
             test::matrix({{.3451, .1702, .2423, .2423},
                           {.3451, .1702, .2423, .2423},
                           {.0477, .8077, .0968, .0477},
                           {.0649, .7706, .1102, .0544}}),
             kFourDigits);
  checkClose(at(h, "z"), test::matrix({{.7087, .5337}, {.7087, .5337}, {.1684, .9284}, {.2023, .9080}}), kFourDigits);
  core::MaskSpec causal;
  causal.causal = true;
  const Json masked = traceOf(builtIn("cat-sat-down"), &causal);
  checkClose(at(head(masked), "weights"),
             test::matrix({{1, 0, 0, 0}, {.6698, .3302, 0, 0}, {.0501, .8482, .1017, 0}, {.0649, .7706, .1102, .0544}}),
             kFourDigits);
  checkClose(at(head(masked), "z"), test::matrix({{1, 0}, {.6698, .3302}, {.1518, .9499}, {.2023, .9080}}),
             kFourDigits);
}

TEST_CASE("the base case of the reports, with and without the causal mask") {
  const Json plain = traceOf(baseWith(""));
  checkClose(at(head(plain), "scaled"),
             test::matrix({{.707107, 0, .707107}, {0, .707107, .707107}, {.707107, .707107, 1.414214}}), kSixDigits);
  checkClose(at(head(plain), "weights"),
             test::matrix({{.401112, .197776, .401112}, {.197776, .401112, .401112}, {.248255, .248255, .503490}}),
             kSixDigits);
  checkClose(at(plain, "concat"), test::matrix({{3, 4}, {3.406673, 4.406673}, {3.510470, 4.510470}}), kSixDigits);
  const Json causal = traceOf(baseWith("\"mask\": \"causal\""));
  checkClose(at(head(causal), "weights"), test::matrix({{1, 0, 0}, {.330238, .669762, 0}, {.248255, .248255, .503490}}),
             kSixDigits);
  checkClose(at(causal, "y"), test::matrix({{1, 2}, {2.339523, 3.339523}, {3.510470, 4.510470}}), kSixDigits);
  CHECK(texts((*at(head(causal), "blocked_by").as<Json::Items>())[0]) ==
        std::vector<std::string>{"", "causal", "causal"});
}

TEST_CASE("a row without any source has no distribution and spoils no other row") {
  const Json trace = traceOf(
      baseWith("\"mask\": {\"causal\": true, \"allowed\": [[false,false,false],[true,true,true],[true,true,true]]}"));
  const Json& h = head(trace);
  CHECK(texts(at(h, "row_status")) == std::vector<std::string>{"no_source", "ok", "ok"});
  checkRow(at(h, "weights"), 0, {0, 0, 0}, 0);
  checkRow(at(h, "exp"), 0, {0, 0, 0}, 0);
  checkRow(at(h, "z"), 0, {0, 0}, 0);
  CHECK(*(*at(h, "row_max").as<Json::Items>())[0].as<std::string>() == "-inf");
  CHECK(numbers(at(h, "row_sum"))[0] == 0);
  checkRow(at(h, "z"), 1, {2.339523, 3.339523}, kSixDigits);
  CHECK(texts((*at(h, "blocked_by").as<Json::Items>())[0]) ==
        std::vector<std::string>{"allowed", "causal+allowed", "causal+allowed"});
}

TEST_CASE("two queries over three keys keep two lists of tokens") {
  const Json trace = traceOf(
      "{\"attnscope\": 1, \"tokens\": [\"a\",\"b\"], \"sources\": [\"x\",\"y\",\"z\"], "
      "\"q\": [[1,0],[0,1]], \"k\": [[1,0],[0,1],[1,1]], \"v\": [[1,2],[3,4],[5,6]]}");
  CHECK(texts(at(trace, "tokens")).size() == 2);
  CHECK(texts(at(trace, "sources")) == std::vector<std::string>{"x", "y", "z"});
  checkClose(at(head(trace), "weights"), test::matrix({{.401112, .197776, .401112}, {.197776, .401112, .401112}}),
             kSixDigits);
}

TEST_CASE("causal masks of two queries over five keys say how they are aligned") {
  const std::string document =
      "{\"attnscope\": 1, \"tokens\": [\"a\",\"b\"], \"sources\": [\"1\",\"2\",\"3\",\"4\",\"5\"], "
      "\"q\": [[1],[1]], \"k\": [[1],[1],[1],[1],[1]], \"v\": [[1],[2],[3],[4],[5]], \"mask\": ";
  CHECK(allowed(traceOf(document + "\"causal\"}")) == "10000 11000");
  CHECK(allowed(traceOf(document + "{\"causal\": true, \"align\": \"bottom-right\"}}")) == "11110 11111");
}

TEST_CASE("one token reads itself alone") {
  const Json trace =
      traceOf("{\"attnscope\": 1, \"tokens\": [\"a\"], \"q\": [[2,3]], \"k\": [[5,7]], \"v\": [[11,13]]}");
  checkClose(at(head(trace), "scaled"), test::matrix({{21.920310}}), kSixDigits);
  checkClose(at(head(trace), "weights"), test::matrix({{1}}), 0);
  checkClose(at(trace, "concat"), test::matrix({{11, 13}}), 0);
}

TEST_CASE("a window of two counts the token itself") {
  const Json trace = traceOf(
      "{\"attnscope\": 1, \"tokens\": [\"1\",\"2\",\"3\",\"4\",\"5\"], \"q\": [[1],[1],[1],[1],[1]], "
      "\"k\": [[1],[1],[1],[1],[1]], \"v\": [[1],[2],[3],[4],[5]], "
      "\"mask\": {\"causal\": true, \"window\": 2, \"padding\": [true,true,true,true,false]}}");
  CHECK(allowed(trace) == "10000 11000 01100 00110 00010");
  const auto& reasons = *at(head(trace), "blocked_by").as<Json::Items>();
  CHECK(texts(reasons[0]) ==
        std::vector<std::string>{"", "causal", "causal+window", "causal+window", "causal+window+padding"});
}

TEST_CASE("eight query heads share two key and value heads") {
  test::Random random(9);
  const test::Problem problem = test::randomProblem(random, 3, 4, 8, 2);
  const Json trace = traceOf(test::documentOf(problem));
  CHECK(at(trace, "heads").size() == 8);
  for (std::size_t h = 0; h < 8; ++h) {
    CHECK(number(at(head(trace, h), "kv_head")) == (h < 4 ? 0 : 1));
    checkClose(at(head(trace, h), "wq"), problem.wq[h], 0);
    checkClose(at(head(trace, h), "wk"), problem.wk[h / 4], 0);
    CHECK(numbers(at(head(trace, h), "bv")).size() == static_cast<std::size_t>(problem.bv[h / 4].size()));
  }
}

TEST_CASE("large scores overflow only in the plain exponentials") {
  const Json trace = traceOf(
      "{\"attnscope\": 1, \"tokens\": [\"a\"], \"sources\": [\"x\",\"y\",\"z\"], \"scale\": 1, "
      "\"q\": [[1]], \"k\": [[1000],[1001],[999]], \"v\": [[1],[2],[3]]}");
  checkClose(at(head(trace), "weights"), test::matrix({{.244728, .665241, .090031}}), kSixDigits);
  checkClose(at(head(trace), "exp_plain"), test::matrix({{test::kInfinity, test::kInfinity, test::kInfinity}}), 0);
  CHECK(numbers(at(head(trace), "row_sum_plain"))[0] == test::kInfinity);
}

TEST_CASE("equal scores share equally, however large they are") {
  const Json trace =
      traceOf("{\"attnscope\": 1, \"tokens\": [\"a\",\"b\"], \"q\": [[1000],[0]], \"k\": [[1],[1]], \"v\": [[1],[2]]}");
  checkClose(at(head(trace), "weights"), test::matrix({{.5, .5}, {.5, .5}}), 0);
}

TEST_CASE("two heads keep what they read apart in the concatenation") {
  const Json trace = traceOf(
      "{\"attnscope\": 1, \"tokens\": [\"1\",\"2\",\"3\"], \"scale\": 1, \"q\": [[[0],[0],[50]], [[0],[0],[50]]], "
      "\"k\": [[[1],[0],[0]], [[0],[1],[0]]], \"v\": [[[7],[1],[2]], [[1],[11],[2]]]}");
  // Softmax only approaches the weights 1 and 0: e^−50 is 2e-22, below the last bit of 7 and 11.
  checkRow(at(trace, "concat"), 2, {7, 11}, 1e-14);
  checkRow(at(head(trace, 0), "weights"), 2, {1, 0, 0}, 1e-15);
  checkRow(at(head(trace, 1), "weights"), 2, {0, 1, 0}, 1e-15);
}

TEST_CASE("shapes follow from five tokens of width twelve, keys of three and values of four numbers") {
  test::Random random(15);
  test::Problem p;
  p.T = p.S = 5;
  p.x = random.matrix(5, 12);
  p.wq = {random.matrix(12, 3)};
  p.wk = {random.matrix(12, 3)};
  p.wv = {random.matrix(12, 4)};
  const Json trace = traceOf(test::documentOf(p));
  const auto shape = [&trace](const char* name) {
    const Matrix m = matrix(at(head(trace), name));
    return core::shapeText(m.rows(), m.cols());
  };
  CHECK(shape("wq") == "12×3");
  CHECK(shape("scores") == "5×5");
  CHECK(shape("weights") == "5×5");
  CHECK(shape("z") == "5×4");
}

TEST_CASE("a given scale is the one in use") {
  const Json trace = traceOf(baseWith("\"scale\": 1, \"temperature\": 1"));
  checkRow(at(head(trace), "weights"), 2, {.211942, .211942, .576117}, kSixDigits);
  CHECK(number(at(head(trace), "scale")) == 1);
  CHECK(number(at(head(trace), "temperature")) == 1);
}

TEST_CASE("the plainest trace has exactly the fields that always stand, and y") {
  const Json trace = traceOf(baseWith(""));
  CHECK(names(trace) == "tokens sources heads concat y");
  CHECK(
      names(head(trace)) ==
      "kv_head q k v scores scale scaled allowed blocked_by masked row_max exp row_sum exp_plain row_sum_plain weights "
      "row_status z");
}

TEST_CASE("a trace with everything has every field of the format") {
  test::Random random(12);
  test::Problem p = test::randomProblem(random, 3, 4, 2, 1);
  p.cross = true;
  p.S = 2;
  p.x_sources = random.matrix(2, 4);
  p.residual = core::Residual::kPreNorm;
  p.state = p.x;
  p.x.reset();
  p.norm = core::Norm<double>{1e-6, random.matrix(1, 4).row(0), random.matrix(1, 4).row(0)};
  p.bo = random.matrix(1, 4).row(0);
  p.temperature = 2;
  p.softcap = 3;
  p.sink = {0.5};
  p.alibi = {0.25, 0.5};
  const Json trace = traceOf(test::documentOf(p));
  CHECK(names(trace) == "tokens sources state norm x x_sources heads concat wo bo y residual");
  CHECK(names(at(trace, "norm")) == "eps gain bias");
  CHECK(names(head(trace, 1)) ==
        "kv_head wq wk wv bq bk bv q k v scores scale temperature scaled softcapped bias biased allowed blocked_by "
        "masked "
        "row_max exp row_sum exp_plain row_sum_plain sink weights row_status z");
  CHECK(number(at(head(trace, 1), "sink")) == 0.5);
  const Matrix x = matrix(at(trace, "x")), state = matrix(at(trace, "state")), y = matrix(at(trace, "y"));
  // One addition each, so the sum is the very same double.
  checkClose(at(trace, "residual"), state + y, 0);
  // Each row of x, with gain and bias taken off, has mean 0: 4 numbers of order 1.
  const Matrix plain = ((x.rowwise() - *p.norm->bias).array().rowwise() / p.norm->gain->array()).matrix();
  CHECK(plain.rowwise().mean().cwiseAbs().maxCoeff() < 1e-12);
}

TEST_CASE("numbers of the trace read back as the very doubles of the core") {
  test::Random random(13);
  const test::Problem problem = test::randomProblem(random, 5, 6, 3, 3);
  const test::Trace trace = test::traceOf(problem);
  const Json json = traceOf(test::documentOf(problem));
  for (std::size_t h = 0; h < 3; ++h) {
    checkClose(at(head(json, h), "q"), trace.heads[h].q, 0);
    checkClose(at(head(json, h), "scaled"), trace.heads[h].scaled, 0);
    checkClose(at(head(json, h), "masked"), trace.heads[h].masked, 0);
    checkClose(at(head(json, h), "weights"), trace.heads[h].softmax.weights, 0);
    checkClose(at(head(json, h), "z"), trace.heads[h].z, 0);
  }
  checkClose(at(json, "concat"), trace.concat, 0);
  checkClose(at(json, "y"), trace.y, 0);
  checkClose(at(json, "residual"), *trace.residual, 0);
}

TEST_CASE("built-in examples parse, have words, and are found by id") {
  CHECK(lesson::builtIns().size() >= 2);
  for (const lesson::BuiltIn& built_in : lesson::builtIns()) {
    const core::Result<lesson::Example> example = lesson::builtInExample(built_in.id);
    REQUIRE(example.ok());
    CHECK(example.value().id == built_in.id);
    CHECK(example.value().title != "");
    CHECK(example.value().about == built_in.about);
    CHECK(example.value().about.find('\n') == std::string::npos);
  }
  const core::Result<lesson::Example> none = lesson::builtInExample("four-positions");
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().message.find("four-positions") != std::string::npos);
  CHECK(none.error().message.find("three-positions, cat-sat-down") != std::string::npos);
}

TEST_CASE("the built-ins are numbered and masked as agreed") {
  const lesson::Example three = lesson::builtInExample("three-positions").take();
  CHECK(three.first_index == 1);
  CHECK(three.problem.mask.causal);
  CHECK(three.problem.residual == core::Residual::kInput);
  CHECK(test::largestDifference(*three.problem.wo, Matrix::Identity(2, 2)) == 0);
  // √2·ln 2, correctly rounded.
  CHECK(core::exactText(three.problem.wk[0](0, 0)) == core::exactText(std::sqrt(2.0) * std::log(2.0)));
  CHECK(three.problem.wk[0](0, 0) == doctest::Approx(std::sqrt(2.0) * std::log(2.0)).epsilon(1e-15));
  const lesson::Example cat = lesson::builtInExample("cat-sat-down").take();
  CHECK(cat.first_index == 0);
  CHECK(cat.problem.mask.none());
  CHECK(cat.tokens == std::vector<std::string>{"the", "cat", "sat", "down"});
}
