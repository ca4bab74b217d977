// Planes of a file, or numbers of a seed, as single precision. See sequences.h.
#include "cli/sequences.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "cli/opened.h"
#include "core/number.h"
#include "core/rng.h"
#include "io/array_data.h"
#include "opened/array_named.h"
#include "opened/role.h"

namespace attn::cli {
namespace {

using core::streaming::Index;
using core::streaming::kWidestHead;
using opened::Role;

struct Random {
  std::uint64_t T = 0, d = 0, seed = 0;
};

std::optional<Random> randomOf(std::string_view text) {
  Random random;
  for (std::uint64_t* number : {&random.T, &random.d, &random.seed}) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *number);
    if (error != std::errc()) return {};
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (number == &random.seed) break;
    if (text.empty() || text[0] != ',') return {};
    text.remove_prefix(1);
  }
  if (!text.empty() || random.T < 1 || random.d < 1 || random.d > kWidestHead) return {};
  return random;
}

core::Result<core::Buffer> room(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  constexpr std::uint64_t kMost = std::uint64_t(1) << 46;
  if (a > kMost || b > kMost / a || c > kMost / (a * b)) {
    return core::Error{"There is no memory for " + io::shapeText({a, b, c}) + " numbers; take fewer."};
  }
  return core::Buffer::allocate(static_cast<std::size_t>(a * b * c) * sizeof(float));
}

core::Result<Sequences> drawn(const std::string& text, bool with_values) {
  const std::optional<Random> random = randomOf(text);
  if (!random) {
    return core::Error{"--random is \"" + text + "\"; write T,d,seed: positions, features of a head (1 to 256) and a whole number."};
  }
  Sequences all;
  all.T = all.S = static_cast<Index>(random->T);
  all.d_k = static_cast<Index>(random->d);
  all.d_v = with_values ? all.d_k : 0;
  all.q_shape = {random->T, random->d};
  core::Rng rng(random->seed);
  for (core::Buffer* each : {&all.q, &all.k, &all.v}) {
    if (each == &all.v && !with_values) break;
    core::Result<core::Buffer> numbers = room(1, random->T, random->d);
    if (!numbers) return numbers.error();
    *each = numbers.take();
    for (float& number : each->as<float>()) number = static_cast<float>(rng.normal());
  }
  return all;
}

// One of the three as the file has it.
struct Part {
  std::uint64_t heads = 1, rows = 0, width = 0;
  std::vector<std::uint64_t> shape;
  core::Buffer numbers;
};

class Reader {
 public:
  Reader(const Parsed& parsed, const Opened& opened, const std::string& path)
      : parsed_(parsed), opened_(opened), path_(path), guesses_(opened::guessRoles(opened.file.arrays)) {}

  core::Result<Part> read(Role role) const {
    const auto which = arrayOf(role);
    if (!which) return which.error();
    const io::ArrayInfo& info = opened_.file.arrays[which.value()];
    if (!info.unreadable.empty()) return core::Error{path_ + ": " + info.name + ": " + info.unreadable};
    Part part;
    if (const core::Check refused = measure(info, part)) return *refused;
    const auto data = io::dataOf(*opened_.source, opened_.file, which.value(), io::ArrayLimits{}.held);
    if (!data) return data.error();
    core::Result<core::Buffer> numbers = room(part.heads, part.rows, part.width);
    if (!numbers) return numbers.error();
    part.numbers = numbers.take();
    if (const core::Check refused = fill(*data.value(), info, part)) return *refused;
    return part;
  }

 private:
  core::Result<std::size_t> arrayOf(Role role) const {
    const std::string option = "--" + std::string(opened::roleName(role));
    if (const auto named = parsed_.options.find(option); named != parsed_.options.end()) {
      return opened::arrayNamed(opened_.file, named->second, path_);
    }
    std::vector<std::size_t> found;
    for (std::size_t n = 0; n < guesses_.size(); ++n) {
      if (guesses_[n].role == role) found.push_back(n);
    }
    if (found.size() == 1) return found.front();
    if (found.empty()) return core::Error{path_ + " has no array that is clearly " + option.substr(2) + "; name it with " + option + "."};
    return core::Error{path_ + " has several arrays for " + option.substr(2) + ", " + opened_.file.arrays[found[0]].name + " and " +
                       opened_.file.arrays[found[1]].name + " among them; name one with " + option + "."};
  }

  // (T, d) or (H, T, d), also behind axes of length 1, such as a batch of one.
  core::Check measure(const io::ArrayInfo& info, Part& part) const {
    const std::vector<std::uint64_t>& shape = part.shape = info.shape;
    const std::size_t rank = shape.size();
    const bool fits = rank >= 2 && std::all_of(shape.begin(), shape.end() - std::min<std::ptrdiff_t>(3, shape.end() - shape.begin()),
                                               [](std::uint64_t length) { return length == 1; });
    if (!fits || std::find(shape.begin(), shape.end(), 0u) != shape.end()) {
      return core::Error{path_ + ": " + info.name + " is " + io::shapeText(shape) + "; it should be (positions, features) or (heads, positions, features)."};
    }
    if (info.type == io::ElementType::kText) return core::Error{path_ + ": " + info.name + " holds texts, not numbers."};
    if (rank > 2) part.heads = shape[rank - 3];
    part.rows = shape[rank - 2];
    part.width = shape[rank - 1];
    if (part.width <= static_cast<std::uint64_t>(kWidestHead)) return {};
    return core::Error{path_ + ": " + info.name + " has " + std::to_string(part.width) + " features; a head may have up to " +
                       std::to_string(kWidestHead) + "."};
  }

  core::Check fill(const io::ByteSource& data, const io::ArrayInfo& info, Part& part) const {
    float* to = part.numbers.as<float>().data();
    const std::size_t rank = info.shape.size();
    std::vector<std::uint64_t> at(rank, 0);
    for (std::uint64_t head = 0; head < part.heads; ++head) {
      if (rank > 2) at[rank - 3] = head;
      const auto plane = io::planeOf(info, rank - 2, rank - 1, at);
      if (!plane) return plane.error();
      const auto numbers = io::readPlane(data, info, plane.value());
      if (!numbers) return numbers.error();
      for (const double number : std::span(numbers.value().data(), static_cast<std::size_t>(numbers.value().size()))) {
        *to++ = static_cast<float>(number);
        if (std::isfinite(number) && std::isinf(to[-1])) {
          return core::Error{path_ + ": " + info.name + " holds " + core::fullText(number) + ", which is beyond single precision; scale it down."};
        }
      }
    }
    return {};
  }

  const Parsed& parsed_;
  const Opened& opened_;
  const std::string& path_;
  std::vector<opened::Guess> guesses_;
};

double largestOf(const core::Buffer& numbers) {
  double largest = 0;
  for (const float number : numbers.as<float>()) largest = std::max<double>(largest, std::abs(number));
  return largest;
}

core::Result<Sequences> read(const std::string& path, const Parsed& parsed, bool with_values) {
  const core::Result<Opened> opened = openArrayFile(path);
  if (!opened) return opened.error();
  const Reader reader(parsed, opened.value(), path);
  core::Result<Part> q = reader.read(Role::kQ), k = reader.read(Role::kK);
  if (!q) return q.error();
  if (!k) return k.error();
  core::Result<Part> v = with_values ? reader.read(Role::kV) : Part{k.value().heads, k.value().rows, 0, {}, {}};
  if (!v) return v.error();
  const auto mismatch = [&](const char* what, std::uint64_t a, const char* other, std::uint64_t b) {
    return core::Error{path + ": " + what + " " + std::to_string(a) + ", and " + other + " " + std::to_string(b) + "; they have to fit."};
  };
  const Part &queries = q.value(), &keys = k.value(), &values = v.value();
  if (keys.width != queries.width) return mismatch("features of q:", queries.width, "of k:", keys.width);
  if (values.rows != keys.rows) return mismatch("positions of k:", keys.rows, "of v:", values.rows);
  if (values.heads != keys.heads) return mismatch("heads of k:", keys.heads, "of v:", values.heads);
  if (queries.heads % keys.heads != 0) return mismatch("heads of q:", queries.heads, "of k, which should divide them:", keys.heads);
  const double largest = largestOf(q.value().numbers) * largestOf(k.value().numbers) * static_cast<double>(keys.width);
  if (std::isfinite(largest) && largest > std::numeric_limits<float>::max() / 2) {
    return core::Error{path + ": products of q and k may be as large as " + core::fullText(largest) + ", which is beyond single precision; scale them down."};
  }
  const auto number = [](std::uint64_t n) { return static_cast<Index>(n); };
  return Sequences{number(queries.rows), number(keys.rows), number(keys.width), number(values.width), number(queries.heads),
                   number(keys.heads), queries.shape, std::move(q.value().numbers), std::move(k.value().numbers),
                   std::move(v.value().numbers)};
}

}  // namespace

core::Result<Sequences> readSequences(std::string_view command, const Parsed& parsed, bool with_values) {
  const auto random = parsed.options.find("--random");
  const bool is_drawn = random != parsed.options.end();
  if (parsed.plain.size() != (is_drawn ? 0 : 1)) {
    return core::Error{"The command " + std::string(command) + " takes one file, or --random T,d,seed; see attnscope-cli " +
                       std::string(command) + " --help."};
  }
  if (!is_drawn) return read(parsed.plain.front(), parsed, with_values);
  for (const char* option : {"--q", "--k", "--v"}) {
    if (parsed.options.contains(option)) return core::Error{std::string(option) + " names an array of a file; leave it out with --random."};
  }
  return drawn(random->second, with_values);
}

core::Result<core::streaming::Rules> readRules(const Parsed& parsed) {
  core::streaming::Rules rules;
  const core::Result<std::optional<bool>> causal = causalOf(parsed);
  if (!causal) return causal.error();
  rules.causal = causal.value().value_or(false);
  if (const auto window = parsed.options.find("--window"); window != parsed.options.end()) {
    rules.window = numberOf(window->second, 1);
    if (!rules.window) return core::Error{"--window is \"" + window->second + "\"; write a whole number from 1."};
  }
  return rules;
}

}  // namespace attn::cli
