// Attention over long sequences as a module of its own, for workers of a page: numbers in, numbers and statistics out, a
// few blocks of rows at a time. Draws nothing, knows no document and no other worker.
#include <emscripten.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "core/buffer.h"
#include "core/streaming/check.h"
#include "core/streaming/streaming.h"

namespace {

using namespace attn::core;
using streaming::Attention;
using streaming::Index;

// Counts changes of what crosses the border; who loads the module holds the same number.
constexpr int kStreamingInterface = 1;

// What to compute, written by the caller before streaming_begin: one double each, in this order.
struct Setup {
  double T, S, d_k, d_v, heads, key_value_heads;       // as in streaming.h
  double causal, bottom_right;                         // 0 or 1
  double window, scale, softcap;                       // NaN: no such rule
  double padding, alibi, sink;                         // 1: their numbers are given, see Array
  double pattern, pattern_rows, pattern_columns;       // 1: a pattern is given, in blocks of so many rows and columns
} setup;

// What streaming_array gives the address of. Floats, but a byte for each number of the status, padding and pattern.
enum Array { kQ, kK, kV, kZ, kRowMax, kRowSum, kRowStatus, kPadding, kAlibi, kSink, kPattern, kArrays };

struct Computation {
  streaming::Inputs in;
  Buffer arrays[kArrays];
  std::optional<Attention> attention;
  streaming::Scratch scratch;
};
std::optional<Computation> current;
std::string sentence;

// What is no such number becomes one that is refused.
Index whole(double x) {
  if (!(x >= 0 && x == std::floor(x))) return 0;
  constexpr Index kMost = std::numeric_limits<Index>::max();
  return x < static_cast<double>(kMost) ? static_cast<Index>(x) : kMost;
}

std::optional<float> given(double x) { return std::isnan(x) ? std::nullopt : std::optional(static_cast<float>(x)); }

streaming::Inputs inputsOf(const Setup& from) {
  streaming::Inputs in;
  in.T = whole(from.T), in.S = whole(from.S), in.d_k = whole(from.d_k), in.d_v = whole(from.d_v);
  in.heads = whole(from.heads), in.key_value_heads = whole(from.key_value_heads);
  in.rules.causal = from.causal != 0;
  in.rules.align = from.bottom_right != 0 ? Align::kBottomRight : Align::kTopLeft;
  if (!std::isnan(from.window)) in.rules.window = whole(from.window);
  in.rules.scale = given(from.scale);
  in.rules.softcap = given(from.softcap);
  const auto block = [](double side) { return std::max<Index>(whole(side), 1); };
  if (from.pattern != 0) in.rules.allowed = {{block(from.pattern_rows), block(from.pattern_columns), nullptr}};
  return in;
}

// All that the caller writes and reads, once checkInputs has found nothing.
Check allocate(Computation& the, const Setup& from) {
  const double q_rows = from.heads * from.T, k_rows = from.key_value_heads * from.S;
  const auto& pattern = the.in.rules.allowed;
  const double cells = pattern ? std::ceil(from.T / static_cast<double>(pattern->rows)) *
                                     std::ceil(from.S / static_cast<double>(pattern->columns)) : 0;
  const double bytes[kArrays] = {
      4 * q_rows * from.d_k, 4 * k_rows * from.d_k, 4 * k_rows * from.d_v, 4 * q_rows * from.d_v, 4 * q_rows, 4 * q_rows,
      q_rows, from.padding != 0 ? from.S : 0, from.alibi != 0 ? 4 * from.heads : 0, from.sink != 0 ? 4 * from.heads : 0,
      cells};
  for (int n = 0; n < kArrays; ++n) {
    if (bytes[n] == 0) continue;
    constexpr auto kMost = std::numeric_limits<std::size_t>::max();  // which nobody has
    const bool possible = bytes[n] < static_cast<double>(kMost);
    auto memory = Buffer::allocate(possible ? static_cast<std::size_t>(bytes[n]) : kMost);
    if (!memory) return memory.error();
    the.arrays[n] = memory.take();
  }
  return {};
}

template <class T>
T* data(Array array) {
  return current->arrays[array].as<T>().data();
}

Check prepare() {
  streaming::Inputs& in = current->in;
  in.q = {data<float>(kQ), in.d_k, in.T * in.d_k};
  in.k = {data<float>(kK), in.d_k, in.S * in.d_k};
  in.v = {data<float>(kV), in.d_v, in.S * in.d_v};
  in.rules.padding = data<std::uint8_t>(kPadding);
  in.rules.alibi = data<float>(kAlibi);
  in.rules.sink = data<float>(kSink);
  if (in.rules.allowed) in.rules.allowed->allowed = data<std::uint8_t>(kPattern);
  auto attention = Attention::prepare(in, {data<float>(kZ), in.d_v, in.T * in.d_v, data<float>(kRowMax),
                                           data<float>(kRowSum), data<RowStatus>(kRowStatus)});
  if (!attention) return attention.error();
  auto scratch = attention.value().scratch();
  if (!scratch) return scratch.error();
  current->scratch = scratch.take();
  current->attention.emplace(attention.take());
  return {};
}

// 1, or 0 with a sentence, and nothing is held then.
int outcome(const Check& bad) {
  sentence = bad ? bad->message : "";
  if (bad) current.reset();
  return !bad;
}

}  // namespace

#define ATTN_EXPORT extern "C" EMSCRIPTEN_KEEPALIVE

ATTN_EXPORT int streaming_interface() { return kStreamingInterface; }
ATTN_EXPORT double* streaming_setup() { return &setup.T; }

// In this order: begin, the arrays filled, prepare, compute until all blocks are done, the arrays read, end. begin and
// prepare give 0 when they refuse; the sentence stays until the next of them.
ATTN_EXPORT int streaming_begin() {
  current.emplace();
  current->in = inputsOf(setup);
  if (Check bad = checkInputs(current->in)) return outcome(bad);
  return outcome(allocate(*current, setup));
}
ATTN_EXPORT const char* streaming_sentence() { return sentence.c_str(); }
// Null where there is none. Stays until end; growing memory moves none, but JavaScript's views of it have to be made anew.
ATTN_EXPORT void* streaming_array(int array) { return current->arrays[array].bytes().data(); }
ATTN_EXPORT int streaming_prepare() { return outcome(prepare()); }

ATTN_EXPORT int streaming_blocks() { return static_cast<int>(current->attention->blocks()); }
// Blocks begin … end − 1, each of which another worker may compute instead.
ATTN_EXPORT void streaming_compute(int begin, int end) { current->attention->compute(begin, end, current->scratch); }
ATTN_EXPORT double streaming_rows_done() { return static_cast<double>(current->attention->progress().rows); }
ATTN_EXPORT double streaming_seconds_left() { return current->attention->progress().seconds_left; }

ATTN_EXPORT void streaming_end() { current.reset(); }
