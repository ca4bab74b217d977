// Two sequences, three maps.
#include <cmath>

#include "support/problems.h"
#include "support/scenes.h"

namespace {

using namespace attn;
using namespace attn::test;

TEST_CASE("cross-attention has a row for each target, a column for each source, and rows that sum to one") {
  for (const char* padding : {"0", "1", "3"}) {
    const lesson::Page page = pageOf("cross", {{"padding", padding}, {"source", "a b c d e"}, {"target", "u v w"}});
    const Matrix weights = matrixOf(page, "cross");
    CHECK(weights.rows() == 3);
    CHECK(weights.cols() == 5 + (padding[0] - '0'));
    CHECK(flagOf(page, "rows_sum_to_one"));
    CHECK(flagOf(page, "padding_gets_zero"));
    CHECK(weights.rightCols(padding[0] - '0').size() == 3 * (padding[0] - '0'));
    CHECK((padding[0] == '0' || weights.rightCols(padding[0] - '0').maxCoeff() == 0));
    CHECK((weights.leftCols(5).array() > 0).all());  // no triangle
  }
}

TEST_CASE("the encoder's map is full, the decoder's is a triangle") {
  const lesson::Page page = pageOf("cross", {{"padding", "0"}});
  CHECK((matrixOf(page, "encoder").array() > 0).all());
  const Matrix decoder = matrixOf(page, "decoder");
  const Matrix above = decoder.triangularView<Eigen::StrictlyUpper>();
  CHECK(above.cwiseAbs().maxCoeff() == 0);
  CHECK(flagOf(page, "self_reads_others"));
  CHECK_FALSE(flagOf(pageOf("cross", {{"source", "cat"}}), "self_reads_others"));
}

TEST_CASE("what a word gives to itself is averaged over words, not over filler") {
  const double plain = numberOf(pageOf("cross", {{"padding", "0"}}), "on_itself");
  for (const char* padding : {"1", "2", "3"}) {
    // Filler gets weight 0, which leaves the words' rows as they are but for rounding.
    CHECK(std::abs(numberOf(pageOf("cross", {{"padding", padding}}), "on_itself") - plain) < 1e-14);
  }
}

TEST_CASE("a decoder without its mask is said to be wrong, and filler is spoken of where there is some") {
  const lesson::Page open = pageOf("cross", {{"causal", "0"}, {"padding", "0"}});
  CHECK_FALSE(says(open, "only one of them is a triangle"));
  CHECK(says(open, "Decoder, wrong: its mask is off"));
  CHECK_FALSE(says(open, "Filler gets"));
  const lesson::Page page = pageOf("cross");
  CHECK(says(page, "only one of them is a triangle"));
  CHECK_FALSE(says(page, "its mask is off"));
  CHECK(says(page, "Filler gets exactly 0"));
  CHECK_FALSE(says(pageOf("cross", {{"target", "le"}}), "only one of them is a triangle"));
}

TEST_CASE("every target depends on the source, and on no later target while the decoder is causal") {
  for (const char* seed : {"1", "2", "3", "4", "5"}) {
    const lesson::Page causal = pageOf("cross", {{"seed", seed}}),
                       open = pageOf("cross", {{"seed", seed}, {"causal", "0"}});
    CHECK(flagOf(causal, "source_moves_every_row"));
    CHECK_FALSE(flagOf(causal, "last_target_moves_earlier_rows"));
    CHECK(flagOf(causal, "earlier_rows_stay"));
    CHECK(numberOf(causal, "rows_moved_by_last_target") == 1);
    CHECK(flagOf(open, "last_target_moves_earlier_rows"));
  }
}

TEST_CASE("a triangle on the cross-attention takes the source away from the first targets") {
  const lesson::Page page = pageOf("cross");
  CHECK(numberOf(page, "first_row_sources") == 1);
  CHECK_FALSE(flagOf(page, "first_row_reads_all"));
}

TEST_CASE("an empty text and a long one are refused, a single word is not") {
  CHECK_FALSE(scene::run("cross", {{"source", ""}}).ok());
  CHECK_FALSE(scene::run("cross", {{"target", "1 2 3 4 5 6 7 8 9"}}).ok());
  CHECK(scene::run("cross", {{"source", "a"}, {"target", "b"}, {"padding", "0"}}).ok());
}

}  // namespace
