// Heads: what they refuse, what a row may read, and what of a block the rule lets through.
#include "map/head.h"

#include <limits>

#include "core/buffer.h"
#include "map/brute_force.h"

using namespace attn;
using namespace attn::map;

TEST_CASE("The sources of a row are those that causal order and window leave, at every shift") {
  for (const bool causal : {false, true})
    for (const Index window : {0, 1, 2, 5})
      for (const Index shift : {-4, 0, 3}) {
        const test::RandomHead random({9, 7, 2}, {1, causal, window, shift});
        const Head head = random.head();
        for (Index i = 0; i < 9; ++i)
          for (Index j = 0; j < 7; ++j) {
            const Range range = head.allowed(i);
            CHECK((range.begin <= j && j < range.end) == random.allowed(i, j));
          }
      }
}

TEST_CASE("Coverage of a block says whether all, some or none of its pairs are allowed") {
  for (const bool causal : {false, true})
    for (const Index window : {0, 1, 3})
      for (const Index shift : {-3, 0, 2}) {
        const test::RandomHead random({8, 8, 1}, {1, causal, window, shift});
        const Head head = random.head();
        for (Index r = 0; r < 8; ++r)
          for (Index c = 0; c < 8; ++c)
            for (const Index size : {1, 2, 3}) {
              const Range rows{r, std::min<Index>(r + size, 8)}, sources{c, std::min<Index>(c + size, 8)};
              Index allowed = 0;
              for (Index i = rows.begin; i < rows.end; ++i)
                for (Index j = sources.begin; j < sources.end; ++j) allowed += random.allowed(i, j);
              const Coverage wanted = allowed == 0                              ? Coverage::kNone
                                      : allowed == rows.size() * sources.size() ? Coverage::kAll
                                                                                : Coverage::kSome;
              CHECK(head.coverage(rows, sources) == wanted);
            }
      }
}

TEST_CASE("Keys are read back as they were given") {
  const test::RandomHead random({3, 21, 5}, {1});
  const Head head = random.head();
  std::vector<double> key(5);
  for (Index j = 0; j < 21; ++j) {
    head.readKey(j, key);
    for (std::size_t c = 0; c < 5; ++c) CHECK(key[c] == static_cast<double>(random.k[static_cast<std::size_t>(j) * 5 + c]));
  }
}

TEST_CASE("A head refuses numbers that are not finite, scores beyond floats, and what there is no memory for") {
  test::RandomHead random({3, 4, 2}, {1});
  const auto make = [&] { return Head::make(random.q.data(), random.k.data(), random.shape, random.rule); };
  random.q[3] = std::numeric_limits<float>::quiet_NaN();
  CHECK(make().error().message.find("queries") != std::string::npos);
  random.q[3] = 1e20f;
  random.k[7] = -std::numeric_limits<float>::infinity();
  CHECK(make().error().message.find("keys") != std::string::npos);
  random.k[7] = 1e20f;
  CHECK(make().error().message.find("large") != std::string::npos);
  random.k[7] = 1;
  CHECK(make().ok());
  core::failAllocation(1);
  CHECK_FALSE(make().ok());
  core::failAllocation(0);
}
