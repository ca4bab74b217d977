// One computation: packs, goes through blocks of rows tile by tile, and makes rows of the outputs from what the kernel
// summed. Knows no instruction set.
#include <algorithm>
#include <atomic>
#include <cassert>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/streaming/check.h"
#include "core/streaming/pack.h"
#include "core/streaming/reach.h"
#include "core/streaming/streaming.h"

namespace attn::core::streaming {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Index kTileNumbers = 131072;  // of keys and values together, so that a tile stays in the second cache
constexpr double kLn2 = 0.693147180559945309417;
constexpr std::size_t kAligned = 64;  // bytes: the widest vector

Index roundedUp(Index n, Index step) { return (n + step - 1) / step * step; }

float* aligned(Buffer& buffer) {
  const auto address = reinterpret_cast<std::uintptr_t>(buffer.bytes().data());
  return reinterpret_cast<float*>((address + kAligned - 1) / kAligned * kAligned);
}

// As many floats, aligned. A number of bytes that no machine has is refused as if it were asked for.
Result<Buffer> allocateFloats(double count) {
  const double bytes = count * sizeof(float) + kAligned;
  constexpr auto kMost = static_cast<double>(std::numeric_limits<Index>::max());
  if (bytes < kMost) return Buffer::allocate(static_cast<std::size_t>(bytes));
  return Buffer::allocate(std::numeric_limits<std::size_t>::max() / 2);
}

// The more rows, the less often keys and values are read; but threads are to have enough blocks to share.
Index blockRows(const Inputs& inputs) { return kRowStep * std::clamp<Index>(inputs.T * inputs.heads / 1365, 1, 4); }

}  // namespace

struct Attention::State {
  Inputs in;
  Outputs out;
  const Kernel* kernel = nullptr;
  Reach reach;
  Buffer packed;
  float *keys = nullptr, *values = nullptr;
  bool guard = false;
  Index block_rows = 0, blocks_of_head = 0;
  double all_cells = 0;  // that are computed, about

  std::atomic<Index> taken{0}, rows_done{0};
  std::atomic<double> cells_done{0}, seconds{0};
  std::atomic<bool> cancelled{false};
  std::atomic<Clock::rep> start{0};

  Index valueWidth() const { return roundedUp(in.d_v, kernel->lanes); }
  Check pack();
  bool block(Index n, float* scratch);
  void finish(Index head, Index row, Index rows, const Tile& tile) const;
  Tile begin(Index head, Index row, Index rows, float* scratch) const;
  double cellsOf(Index n) const;
};

Attention::Attention(std::unique_ptr<State> state) : state_(std::move(state)) {}
Attention::Attention(Attention&&) noexcept = default;
Attention::~Attention() = default;

Check Attention::State::pack() {
  const auto heads = static_cast<double>(in.key_value_heads), numbers = static_cast<double>(in.d_k + valueWidth());
  auto memory = allocateFloats(heads * (static_cast<double>(in.S) * numbers + static_cast<double>(kSourceStep * in.d_k)));
  if (!memory) return memory.error();
  const Index keys_of_head = packedKeys(in, *kernel), values_of_head = packedValues(in, *kernel);
  packed = memory.take();
  keys = aligned(packed);
  values = keys + in.key_value_heads * keys_of_head;
  for (Index head = 0; head < in.key_value_heads; ++head) {
    packKeys(in, *kernel, head, keys + head * keys_of_head);
    if (!packValues(in, *kernel, head, values + head * values_of_head)) guard = true;
  }
  return {};
}

double Attention::State::cellsOf(Index n) const {
  const Index row = n % blocks_of_head * block_rows, end = std::min(row + block_rows, in.T);
  const Span span = reach.ofRows(row, end);
  // A block that reads nothing is not quite free.
  return static_cast<double>(end - row) * static_cast<double>(std::max<Index>(span.end - span.begin, 1));
}

Result<Attention> Attention::prepare(const Inputs& inputs, const Outputs& outputs, const Kernel& kernel) {
  if (Check bad = checkInputs(inputs)) return *bad;
  assert(inputs.q.data && inputs.k.data && inputs.v.data);
  assert(!inputs.rules.allowed || (inputs.rules.allowed->rows >= 1 && inputs.rules.allowed->columns >= 1));
  assert(outputs.z && outputs.row_max && outputs.row_sum && outputs.row_status);
  auto state = std::make_unique<State>();
  state->in = inputs;
  state->out = outputs;
  state->kernel = &kernel;
  auto reach = Reach::make(inputs);
  if (!reach) return reach.error();
  state->reach = reach.take();
  if (Check bad = state->pack()) return *bad;
  state->block_rows = blockRows(inputs);
  state->blocks_of_head = (inputs.T - 1) / state->block_rows + 1;
  for (Index n = 0; n < state->blocks_of_head; ++n) state->all_cells += state->cellsOf(n);
  state->all_cells *= static_cast<double>(inputs.heads);
  return Attention(std::move(state));
}

Index Attention::blocks() const { return state_->blocks_of_head * state_->in.heads; }

// Outputs, sums and largest, queries; then the mask: first, last and words.
Result<Scratch> Attention::scratch() const {
  const Index numbers = state_->in.d_k + state_->valueWidth() + state_->kernel->lanes + 3 + kMaskWords;
  auto memory = allocateFloats(static_cast<double>(state_->block_rows * numbers));
  if (!memory) return memory.error();
  Scratch scratch;
  scratch.memory_ = memory.take();
  return scratch;
}

Tile Attention::State::begin(Index head, Index row, Index rows, float* scratch) const {
  const Rules& rules = in.rules;
  const double log2e = 1 / kLn2;
  const double scale = rules.scale ? *rules.scale : 1 / std::sqrt(static_cast<double>(in.d_k));
  const double cap = rules.softcap.value_or(0);
  const Index shared = head * in.key_value_heads / in.heads, width = valueWidth();
  Tile tile;
  tile.rows = static_cast<int>(rows);
  tile.d_k = static_cast<int>(in.d_k);
  tile.value_vectors = static_cast<int>(width / kernel->lanes);
  tile.output = scratch;
  tile.sum = scratch + block_rows * width;
  tile.max = tile.sum + block_rows * kernel->lanes;
  std::fill(tile.output, tile.max, 0.f);
  float* const queries = tile.max + block_rows;
  std::fill(tile.max, queries, -std::numeric_limits<float>::infinity());
  packQueries(in, *kernel, head, row, rows, static_cast<float>(cap > 0 ? scale / cap : scale * log2e), queries);
  tile.queries = queries;
  tile.keys = keys + shared * packedKeys(in, *kernel);
  tile.values = values + shared * packedValues(in, *kernel);
  tile.sources = in.S;
  tile.guard = guard;
  tile.cap = static_cast<float>(cap * log2e);
  tile.slope = rules.alibi ? static_cast<float>(rules.alibi[head] * log2e) : 0;
  return tile;
}

// Whether it was done.
bool Attention::State::block(Index n, float* scratch) {
  const Index head = n / blocks_of_head, row = n % blocks_of_head * block_rows, rows = std::min(block_rows, in.T - row);
  Tile tile = begin(head, row, rows, scratch);
  const float* const all_keys = tile.keys;
  auto* const first = reinterpret_cast<int*>(scratch + block_rows * (valueWidth() + kernel->lanes + 1 + in.d_k));
  const TileMask mask{first, first + block_rows, reinterpret_cast<std::uint32_t*>(first + 2 * block_rows)};
  const int filled_rows = static_cast<int>(roundedUp(rows, kernel->rows));
  const Span span = reach.ofRows(row, row + rows);
  const Index step = std::min<Index>(kernel->sources, kTileNumbers / (in.d_k + in.d_v) / kSourceStep * kSourceStep);
  const Index position = in.rules.align == Align::kBottomRight ? row + in.S - in.T : row;
  for (Index source = span.begin / kSourceStep * kSourceStep; source < span.end; source += step) {
    if (cancelled.load(std::memory_order_relaxed)) return false;
    const Index end = std::min(in.S, roundedUp(span.end, kSourceStep));
    const auto columns = static_cast<int>(std::min<Index>(step, end - source));
    const Extent extent = reach.fill(row, tile.rows, filled_rows, source, columns, mask);
    if (extent == Extent::kNothing) continue;
    tile.first = mask.first;
    tile.last = mask.last;
    tile.mask = extent == Extent::kSome ? mask.words : nullptr;
    tile.keys = all_keys + source * in.d_k;
    tile.source = source;
    tile.position = static_cast<float>(position - source);
    kernel->attend(tile);
  }
  finish(head, row, rows, tile);
  rows_done += rows;
  return true;
}

void Attention::State::finish(Index head, Index row, Index rows, const Tile& tile) const {
  const Index width = valueWidth();
  for (Index i = 0; i < rows; ++i) {
    const double max = tile.max[i];
    const double sum = std::accumulate(tile.sum + i * kernel->lanes, tile.sum + (i + 1) * kernel->lanes, 0.0);
    const bool none = max == -std::numeric_limits<double>::infinity() && sum == 0;
    float row_max = std::isnan(sum) && !(max > 0 && std::isinf(max)) ? std::numeric_limits<float>::quiet_NaN()
                                                                      : static_cast<float>(max * kLn2);
    // What rounding the largest takes from it, the sum gets.
    const double rounded = max - row_max / kLn2;
    const double correction = std::abs(rounded) < 1 ? std::exp2(rounded) : 1;
    const double sink = in.rules.sink ? std::exp(static_cast<double>(in.rules.sink[head]) - row_max) : 0;
    const float factor = none ? 0 : static_cast<float>(correction / (sum * correction + sink));
    const Index at = head * in.T + row + i;
    out.row_max[at] = row_max;
    out.row_sum[at] = static_cast<float>(sum * correction);
    out.row_status[at] = none ? RowStatus::kNoSource : RowStatus::kOk;
    float* const z = out.z + head * out.z_head + (row + i) * out.z_row;
    for (Index n = 0; n < in.d_v; ++n) z[n] = tile.output[i * width + n] * factor;
  }
}

void Attention::compute(Index begin, Index end, Scratch& scratch) {
  assert(begin >= 0 && end <= blocks() && scratch.memory_.size() > 0);
  Clock::rep none = 0;
  state_->start.compare_exchange_strong(none, Clock::now().time_since_epoch().count());
  for (Index n = begin; n < end && state_->block(n, aligned(scratch.memory_)); ++n) {
    double done = state_->cells_done;
    while (!state_->cells_done.compare_exchange_weak(done, done + state_->cellsOf(n))) {}
    const Clock::duration taken = Clock::now().time_since_epoch() - Clock::duration(state_->start);
    state_->seconds = std::chrono::duration<double>(taken).count();
  }
}

// The last rows first: with a causal mask they take longest, and what is left at the end is then short.
void Attention::work(Scratch& scratch) {
  for (Index n = state_->taken++; n < blocks() && !cancelled(); n = state_->taken++)
    compute(blocks() - 1 - n, blocks() - n, scratch);
}

void Attention::cancel() { state_->cancelled = true; }
bool Attention::cancelled() const { return state_->cancelled; }

Progress Attention::progress() const {
  const double done = state_->cells_done;
  Progress progress{state_->rows_done, state_->in.T * state_->in.heads, std::numeric_limits<double>::quiet_NaN()};
  if (done > 0) progress.seconds_left = state_->seconds * (state_->all_cells - done) / done;
  return progress;
}

}  // namespace attn::core::streaming
