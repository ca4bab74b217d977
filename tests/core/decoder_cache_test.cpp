// Token by token against the whole text at once.
#include "core/decoder_cache.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/buffer.h"
#include "support/decoders.h"

namespace attn::core {
namespace {

const std::vector<Index> kTokens = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};

DecoderRun nextOf(DecoderCache& cache, Index token) {
  Result<DecoderRun> run = cache.next(token);
  REQUIRE_MESSAGE(run.ok(), (run ? "" : run.error().message));
  return run.take();
}

}  // namespace

TEST_CASE("Token by token a decoder gives what it gives of the whole text, to the last bit") {
  const Decoder decoder = test::randomDecoder(61, 3);
  const auto whole = runDecoder(decoder, kTokens);
  REQUIRE(whole.ok());
  DecoderCache cache(decoder);
  for (Index t = 0; t < test::kDecoderContext; ++t) {
    CAPTURE(t);
    const DecoderRun run = nextOf(cache, kTokens[static_cast<std::size_t>(t)]);
    CHECK(run.logits == whole.value().logits.row(t));
    CHECK(run.embedded == whole.value().embedded.row(t));
    REQUIRE(run.blocks.size() == 3);
    for (std::size_t l = 0; l < 3; ++l) {
      const BlockRun& wanted = whole.value().blocks[l];
      CHECK(run.blocks[l].state == wanted.state.row(t));
      for (std::size_t h = 0; h < 2; ++h) {
        const HeadTrace<float>& head = run.blocks[l].attention.heads[h];
        const HeadTrace<float>& all = wanted.attention.heads[h];
        CHECK(head.q == all.q.row(t));
        CHECK(head.k == all.k.topRows(t + 1));
        CHECK(head.v == all.v.topRows(t + 1));
        CHECK(head.scores == all.scores.row(t).head(t + 1));
        CHECK(head.softmax.weights == all.softmax.weights.row(t).head(t + 1));
        CHECK(head.z == all.z.row(t));
      }
    }
  }
}

TEST_CASE("A cache holds two rows of floats for each token and layer") {
  const Decoder decoder = test::randomDecoder(62, 3);
  DecoderCache cache(decoder);
  CHECK(cache.length() == 0);
  CHECK(cache.bytes() == 0);
  for (const Index token : {1, 2, 3, 4}) nextOf(cache, token);
  CHECK(cache.length() == 4);
  CHECK(cache.bytes() == 3 * 2 * test::kDecoderWidth * 4 * 4);
}

TEST_CASE("A decoder without blocks reads token by token as well") {
  const Decoder decoder = test::randomDecoder(63, 0);
  DecoderCache cache(decoder);
  nextOf(cache, 4);
  CHECK(nextOf(cache, 4).logits == runDecoder(decoder, std::vector<Index>{4, 4}).value().logits.row(1));
}

TEST_CASE("A token that cannot be read is refused and leaves the cache as it was") {
  const Decoder decoder = test::randomDecoder(64, 2);
  DecoderCache cache(decoder);
  nextOf(cache, 3);
  const auto unknown = cache.next(11), negative = cache.next(-1);
  REQUIRE_FALSE(unknown.ok());
  REQUIRE_FALSE(negative.ok());
  CHECK(unknown.error().message == "Token 11 at position " + std::to_string(cache.length()) + " is none of the model's, which go from 0 to 10.");
  failAllocation(1);
  const auto no_room = cache.next(1);
  failAllocation(0);
  REQUIRE_FALSE(no_room.ok());
  CHECK(no_room.error().message ==
        "There is no memory to run the model on 2 tokens; give it a shorter text, or close something.");
  CHECK(cache.length() == 1);
  CHECK(nextOf(cache, 1).logits == runDecoder(decoder, std::vector<Index>{3, 1}).value().logits.row(1));
}

TEST_CASE("A full cache says so") {
  const Decoder decoder = test::randomDecoder(65, 1);
  DecoderCache cache(decoder);
  for (const Index token : kTokens) nextOf(cache, token);
  const auto more = cache.next(0);
  REQUIRE_FALSE(more.ok());
  CHECK(more.error().message == "The model has positions for 12 tokens and has read as many; begin a new text.");
  CHECK(cache.length() == 12);
}

}  // namespace attn::core
