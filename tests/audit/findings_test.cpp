// What weights alone give away, each on a matrix where it is plain to see.
#include "audit/findings.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace {

using namespace attn;
using audit::Finding;
using audit::Precision;
using core::Index;
using core::Matrix;

Matrix<double> matrix(const std::vector<std::vector<double>>& rows) {
  Matrix<double> values(static_cast<Index>(rows.size()), static_cast<Index>(rows[0].size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows[i].size(); ++j) values(static_cast<Index>(i), static_cast<Index>(j)) = rows[i][j];
  }
  return values;
}

std::string codesOf(const std::vector<std::vector<double>>& rows, bool causal = false) {
  std::string codes;
  for (const Finding& finding : audit::findingsOf(matrix(rows), Precision::kFloat, causal)) {
    codes += (codes.empty() ? "" : " ") + finding.code;
  }
  return codes;
}

Finding only(const std::vector<std::vector<double>>& rows, bool causal = false) {
  const std::vector<Finding> findings = audit::findingsOf(matrix(rows), Precision::kFloat, causal);
  REQUIRE(findings.size() == 1);
  return findings[0];
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("weights that are what they should be give nothing away") {
  CHECK(codesOf({{1}}) == "");
  CHECK(codesOf({{0.5, 0.5}, {0.25, 0.75}}) == "");
  CHECK(codesOf({{1, 0, 0}, {0.5, 0.5, 0}, {0.2, 0.3, 0.5}}) == "");
  CHECK(codesOf({{1, 0, 0}, {0.5, 0.5, 0}, {0.2, 0.3, 0.5}}, true) == "");
  CHECK(codesOf({{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}) == "");  // one-hot: rows and columns sum to 1
  CHECK(codesOf({{1, 0, 0}, {0.4, 0.6, 0}, {1.0 / 3, 1.0 / 3, 1.0 / 3}}) == "");  // the last row may read all
  CHECK(codesOf({{1.0 / 3, 1.0 / 3, 1.0 / 3}, {1.0 / 3, 1.0 / 3, 1.0 / 3}}) == "");
}

TEST_CASE("a row that sums to 1.111 is traced to dropout of a tenth, a row below 1 to something that takes a share") {
  const Finding above = only({{0.5 / 0.9, 0.5 / 0.9}, {0.25 / 0.9, 0.75 / 0.9}});
  CHECK(above.code == "row-sum");
  CHECK(has(above.sentence, "1.11111 = 1/0.9"));
  CHECK(has(above.sentence, "evaluation mode"));
  CHECK(*above.value == doctest::Approx(1 / 0.9));
  const Finding below = only({{0.5, 0.5, 0}, {0.4, 0.5, 0}});
  CHECK(below.code == "row-sum");
  CHECK(*below.row == 1);
  CHECK(*below.value == doctest::Approx(0.9));
  CHECK(has(below.sentence, "takes a share"));
}

TEST_CASE("rows that rounding to two bytes leaves off 1 are no finding there, and one in single precision") {
  const Matrix<double> weights = matrix({{0.3334, 0.3333, 0.3338}, {0.5, 0.25, 0.25}});
  CHECK(audit::findingsOf(weights, Precision::kHalf, false).empty());
  CHECK(audit::findingsOf(weights, Precision::kFloat, false).size() == 1);
}

TEST_CASE("cells that look into the future are counted where a causal mask is claimed, or plainly meant") {
  const std::vector<std::vector<double>> leak = {{0.75, 0.25, 0}, {0.5, 0.5, 0}, {0.2, 0.3, 0.5}};
  const Finding finding = only(leak, true);
  CHECK(finding.code == "future");
  CHECK(*finding.row == 0);
  CHECK(*finding.col == 1);
  CHECK(has(finding.sentence, "1 cell reads a later source"));
  CHECK(codesOf(leak) == "");  // one of three: nobody said causal
  CHECK(codesOf({{0.5, 0.5}, {0.25, 0.75}}, true) == "future");
}

TEST_CASE("a fully masked row is told by what the framework left in it") {
  const Finding nan = only({{kNan, kNan}, {0.5, 0.5}});
  CHECK(nan.code == "no-source-nan");
  CHECK(*nan.row == 0);
  CHECK(codesOf({{0, 0}, {0.5, 0.5}}) == "no-source-zero");
  const Finding uniform = only({{1, 0, 0, 0}, {0.25, 0.25, 0.25, 0.25}, {0.5, 0, 0.5, 0}});
  CHECK(uniform.code == "no-source-uniform");
  CHECK(*uniform.row == 1);
}

TEST_CASE("numbers that are no weights are told with their place") {
  CHECK(codesOf({{0.5, kNan}, {0.5, 0.5}}) == "nan");
  CHECK(codesOf({{-0.5, 1.5}, {0.25, -kInfinity}}) == "inf negative");
  const Finding negative = only({{0.5, 0.5}, {1.25, -0.25}});
  CHECK(negative.code == "negative");
  CHECK(*negative.row == 1);
  CHECK(*negative.col == 1);
  CHECK(has(negative.sentence, "scores rather than weights"));
  CHECK(codesOf({{1.25, 0}, {0.5, 0.5}}) == "above-one row-sum");
}

TEST_CASE("a wrong axis is told by columns that sum to 1") {
  CHECK(only({{1, 0.5, 0.2}, {0, 0.5, 0.3}, {0, 0, 0.5}}).code == "transposed");
  CHECK(only({{0.9, 0.4}, {0.1, 0.6}}).code == "columns-normalised");
}
