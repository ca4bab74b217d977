// Attention over long sequences equals core's own attention in double precision, whatever the shape and the rules, with
// every instruction set that this machine has.
#include "core/streaming/streaming.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/long_attention.h"

namespace attn::core::streaming {
namespace {

using test::LongAttention;
using test::LongCase;
using test::LongError;
using test::longError;

std::string describe(const LongCase& the, const Kernel& kernel) {
  std::string text = kernel.name;
  for (core::Index n : {the.T, the.S, the.d_k, the.d_v, the.heads, the.key_value_heads}) text += " " + std::to_string(n);
  return text + (the.causal ? " causal" : "") + (the.window ? " window " + std::to_string(*the.window) : "") +
         (the.padding ? " padding" : "") + (the.pattern ? " pattern" : "");
}

constexpr double kMost = 5e-6;

// Numbers of unit variance: no result is larger than about 5.
void checkCase(const LongCase& the) {
  LongAttention attention(the);
  const auto trace = core::computeTrace(attention.problem());
  REQUIRE(trace.ok());
  std::vector<float> first;
  for (const Kernel* kernel : kernels()) {
    CAPTURE(describe(the, *kernel));
    REQUIRE(!attention.compute(*kernel));
    const LongError error = longError(attention, trace.value());
    CHECK(error.z <= kMost);
    CHECK(error.weight <= kMost);
    CHECK(error.status);
    if (first.empty()) first = attention.z;
    double apart = 0;
    for (std::size_t n = 0; n < first.size(); ++n) apart = std::fmax(apart, std::abs(first[n] - attention.z[n]));
    CHECK(apart <= kMost);
  }
}

LongCase shape(core::Index T, core::Index S, core::Index d_k, core::Index d_v) {
  LongCase the;
  the.T = T, the.S = S, the.d_k = d_k, the.d_v = d_v;
  the.seed = static_cast<std::uint64_t>(((T * 1000 + S) * 1000 + d_k) * 1000 + d_v);
  return the;
}

}  // namespace

TEST_CASE("Long attention is attention, for lengths around the edge of every tile") {
  const core::Index lengths[] = {1, 2, 3, 5, 6, 7, 15, 16, 17, 31, 33, 63, 64, 65, 95, 96, 97, 128, 191, 255, 256, 257, 300};
  for (core::Index length : lengths) {
    for (bool causal : {false, true}) {
      LongCase the = shape(length, length, 8, 8);
      the.causal = causal;
      checkCase(the);
    }
    checkCase(shape(300, length, 5, 3));
    checkCase(shape(length, 300, 5, 3));
  }
  checkCase(shape(7, 513, 4, 4));
  checkCase(shape(2, 1100, 4, 4));
}

TEST_CASE("Long attention is attention, for heads of every width") {
  const core::Index widths[] = {1,  2,  3,  4,  7,  8,  9,   15,  16,  17,  24,  31,  32,  33,
                                48, 63, 64, 65, 80, 96, 100, 127, 128, 129, 192, 200, 255, 256};
  for (core::Index d : widths) {
    checkCase(shape(20, 70, d, d));
    checkCase(shape(13, 67, d, 64));
    checkCase(shape(13, 67, 64, d));
  }
}

TEST_CASE("Long attention obeys each rule of the mask, both alignments and all of them together") {
  const std::pair<core::Index, core::Index> sizes[] = {{70, 70}, {130, 270}, {270, 130}};
  for (const auto& [T, S] : sizes) {
    for (Align align : {Align::kTopLeft, Align::kBottomRight}) {
      LongCase the = shape(T, S, 8, 5);
      the.align = align;
      the.causal = true;
      checkCase(the);
      for (core::Index window : {1, 2, 63, 64, 65, 1000}) {
        the.window = window;
        checkCase(the);
        the.causal = !the.causal;
        checkCase(the);
      }
      the.window = 40;
      the.padding = true;
      checkCase(the);
      the.pattern = {1, 1};
      checkCase(the);
    }
    for (const auto& [rows, columns] : {std::pair<core::Index, core::Index>{1, 1}, {3, 5}, {64, 64}, {1000, 1}, {1, 1000}}) {
      LongCase the = shape(T, S, 8, 5);
      the.pattern = {rows, columns};
      checkCase(the);
    }
    LongCase padded = shape(T, S, 8, 5);
    padded.padding = true;
    checkCase(padded);
  }
  for (core::Index window : {250, 300, 400}) {  // whole tiles inside the window, at one end of it and at both
    LongCase the = shape(640, 640, 8, 5);
    the.window = window;
    checkCase(the);
    the.causal = true;
    checkCase(the);
  }
}

TEST_CASE("Long attention obeys each rule of the scores, before and behind masks") {
  for (bool causal : {false, true}) {
    for (int rule = 0; rule < 5; ++rule) {
      LongCase the = shape(100, 100, 8, 8);
      the.causal = causal;
      if (rule == 0) the.scale = 0.9;
      if (rule == 1 || rule == 4) the.softcap = 1.5;
      if (rule == 2 || rule == 4) the.alibi = true;
      if (rule >= 3) the.sink = true;
      checkCase(the);
      the.align = Align::kBottomRight;
      the.S = 170;
      checkCase(the);
    }
  }
  for (double cap : {0.01, 0.5, 30.0, 3000.0}) {
    LongCase the = shape(40, 90, 16, 16);
    the.softcap = cap;
    checkCase(the);
  }
}

TEST_CASE("Long attention shares key/value heads among query heads") {
  for (core::Index shared : {1, 2, 3, 6}) {
    LongCase the = shape(50, 70, 8, 12);
    the.heads = 6;
    the.key_value_heads = shared;
    the.alibi = the.sink = true;
    checkCase(the);
  }
}

}  // namespace attn::core::streaming
