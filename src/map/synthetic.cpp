// Adds part to part, row by row. See synthetic.h.
#include "map/synthetic.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/language.h"
#include "core/rng.h"
#include "map/steady.h"

namespace attn::map {
namespace {

using core::Rng;
using Vector = std::vector<double>;

constexpr std::array kFacts = {
    PartFacts{Part::kRandom, "random", trLater("Queries and keys are independent random numbers: no structure at all."), 1},
    PartFacts{Part::kTopics, "topics",
              trLater("The sequence has segments, and those on the same topic read one another."), 1},
    PartFacts{Part::kSink, "sink",
              trLater("The first position draws much of every row's weight, as in many trained models."), 1},
    PartFacts{Part::kLocal, "local", trLater("Each position reads those near to it most."), 16},
    PartFacts{Part::kRotary, "rotary",
              trLater("Queries and keys are turned by their position (RoPE), so that distance counts."), 2},
    PartFacts{Part::kNeedle, "needle", trLater("One late row reads a single position far before it."), 8},
};

// What parts add to the scores that they favour; where that has to outweigh a longer sequence, besides part of ln T.
constexpr double kTopicNats = 4, kSinkNats = 3, kLocalNats = 3, kNeedleNats = 9;
constexpr Index kTopics = 8;
constexpr double kLocalSpan = 64;  // positions: the local part reaches about half as far either way

// About ln T: a score that much above the others takes half of a row's weight.
double lengthNats(Index positions) {
  return 0.6931471805599453 * static_cast<double>(std::bit_width(static_cast<std::size_t>(positions)));
}

// A random direction, of length √(nats·√d): a query and a key that both have it score `nats`.
Vector direction(Rng& rng, Index width, double nats) {
  Vector u(static_cast<std::size_t>(width));
  double square = 0;
  while (square == 0)
    for (double& x : u) x = rng.normal(), square += x * x;
  const double length = std::sqrt(nats * std::sqrt(static_cast<double>(width)) / square);
  for (double& x : u) x *= length;
  return u;
}

// Which topic each segment has; segments are a sixty-fourth to a seventh of the sequence long.
class TopicWalk {
 public:
  TopicWalk(Rng& rng, const Recipe& recipe) : positions_(recipe.positions) {
    for (Index n = 0; n < kTopics; ++n) directions_.push_back(direction(rng, recipe.width, kTopicNats));
  }
  // Of the next position.
  const Vector& next(Rng& rng) {
    if (left_-- == 0) {
      topic_ = static_cast<std::size_t>(rng.below(kTopics));
      left_ = positions_ / 64 + rng.below(positions_ / 8 + 1);
    }
    return directions_[topic_];
  }

 private:
  Index positions_, left_ = 0;
  std::size_t topic_ = 0;
  std::vector<Vector> directions_;
};

// How far pairs of numbers are turned at a position, pair n by `position` · turns[n] of a whole turn.
class Turning {
 public:
  explicit Turning(Vector turns) : turns_(std::move(turns)), at_(turns_.size()) {}
  const std::vector<Turned>& at(Index position) {
    for (std::size_t n = 0; n < at_.size(); ++n) at_[n] = steadyTurn(static_cast<double>(position) * turns_[n]);
    return at_;
  }

 private:
  Vector turns_;
  std::vector<Turned> at_;
};

// 10000^(−2n/d) radians for each position (Su et al. 2021).
Turning rotaryTurning(std::size_t width) {
  constexpr double kLog2Of10000 = 13.287712379549449, kTurn = 6.2831853071795864769;
  Vector turns(width / 2);
  for (std::size_t n = 0; n < turns.size(); ++n)
    turns[n] = steadyPower(kLog2Of10000 * static_cast<double>(2 * n) / static_cast<double>(width)) / kTurn;
  return Turning(std::move(turns));
}

// Frequencies drawn at random: all pairs agree at distance 0, fewer and fewer within the span, and never all again.
Turning localTurning(Rng& rng, std::size_t width) {
  Vector turns(width / 2);
  for (double& each : turns) each = rng.uniform() / kLocalSpan;
  return Turning(std::move(turns));
}

void rotate(const std::vector<Turned>& by, Vector& v) {
  for (std::size_t n = 0; n < by.size(); ++n) {
    const double x = v[2 * n], y = v[2 * n + 1];
    v[2 * n] = x * by[n].cosine - y * by[n].sine;
    v[2 * n + 1] = x * by[n].sine + y * by[n].cosine;
  }
}

void addLocal(const std::vector<Turned>& at, double nats, Vector& to) {
  const double size = std::sqrt(nats * std::sqrt(static_cast<double>(to.size())) / static_cast<double>(at.size()));
  for (std::size_t n = 0; n < at.size(); ++n) to[2 * n] += size * at[n].cosine, to[2 * n + 1] += size * at[n].sine;
}

// The query and key of one position after the other.
class Maker {
 public:
  explicit Maker(const Recipe& recipe)
      : q(static_cast<std::size_t>(recipe.width)), k(q.size()), parts_(recipe.parts), rng_(recipe.seed),
        topics_(rng_, recipe),
        sink_(direction(rng_, recipe.width, lengthNats(recipe.positions) + kSinkNats)),
        needle_(direction(rng_, recipe.width, lengthNats(recipe.positions) + kNeedleNats)), rotary_(rotaryTurning(q.size())),
        local_(localTurning(rng_, q.size())), local_nats_(lengthNats(recipe.positions) / 2 + kLocalNats) {}

  void next() {
    for (std::size_t c = 0; c < q.size(); ++c) {
      q[c] = parts_.has(Part::kRandom) ? rng_.normal() : 0;
      k[c] = parts_.has(Part::kRandom) ? rng_.normal() : 0;
    }
    if (parts_.has(Part::kTopics)) addTo(topics_.next(rng_), 1);
    if (parts_.has(Part::kRotary)) {
      const std::vector<Turned>& by = rotary_.at(position_);
      rotate(by, q), rotate(by, k);
    }
    if (parts_.has(Part::kLocal)) {
      const std::vector<Turned>& at = local_.at(position_);
      addLocal(at, local_nats_, q), addLocal(at, local_nats_, k);
    }
    if (parts_.has(Part::kSink)) addTo(sink_, position_ == 0 ? 1 : 0);
    ++position_;
  }
  const Vector& needle() const { return needle_; }

  Vector q, k;

 private:
  void addTo(const Vector& what, double times_k) {
    for (std::size_t c = 0; c < q.size(); ++c) q[c] += what[c], k[c] += times_k * what[c];
  }

  Parts parts_;
  Index position_ = 0;
  Rng rng_;
  TopicWalk topics_;
  Vector sink_, needle_;
  Turning rotary_, local_;
  double local_nats_;
};

core::Check checkRecipe(const Recipe& recipe) {
  assert(recipe.positions >= 1 && recipe.width >= 1);
  for (const PartFacts& each : kFacts)
    if (recipe.parts.has(each.part) && recipe.width < each.least_width)
      return core::Error{tr("“{0}” needs a width of at least {1}.", {each.id, each.least_width})};
  if (recipe.positions > std::numeric_limits<Index>::max() / 16 / recipe.width)
    return core::Error{tr("Queries and keys of this size do not fit into the memory of this program.")};
  return {};
}

}  // namespace

std::span<const PartFacts> partFacts() { return kFacts; }

Parts::Parts(std::initializer_list<Part> parts) {
  for (const Part part : parts) bits_ |= 1u << static_cast<unsigned>(part);
}

core::Result<MadeUp> MadeUp::make(const Recipe& recipe) {
  if (core::Check failed = checkRecipe(recipe)) return *failed;
  const auto numbers = static_cast<std::size_t>(recipe.positions * recipe.width);
  auto memory = core::Buffer::allocate(2 * numbers * sizeof(float));
  if (!memory) return memory.error();
  MadeUp made;
  made.memory_ = memory.take();
  made.numbers_ = static_cast<Index>(numbers);
  made.needle_row_ = recipe.positions - 1 - recipe.positions / 16;
  made.needle_source_ = recipe.positions / 5;

  Maker maker(recipe);
  float *to_q = made.memory_.as<float>().data(), *to_k = to_q + numbers;
  for (Index position = 0; position < recipe.positions; ++position) {
    maker.next();
    // In place of what was there, so that nothing else draws this row.
    if (recipe.parts.has(Part::kNeedle) && position == made.needle_row_) maker.q = maker.needle();
    if (recipe.parts.has(Part::kNeedle) && position == made.needle_source_) maker.k = maker.needle();
    to_q = std::transform(maker.q.begin(), maker.q.end(), to_q, [](double x) { return static_cast<float>(x); });
    to_k = std::transform(maker.k.begin(), maker.k.end(), to_k, [](double x) { return static_cast<float>(x); });
  }
  return made;
}

}  // namespace attn::map
