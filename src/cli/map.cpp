// `attnscope-cli map`: any rectangle of a map of attention at any zoom, as a picture or as numbers.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "cli/map_choice.h"
#include "cli/telling.h"
#include "disk/file.h"
#include "disk/png.h"
#include "figure/color.h"
#include "io/npy.h"
#include "map/tile.h"

namespace attn::cli {
namespace {

using map::Index;

constexpr double kDecades = 6;  // of a logarithmic scale

core::Result<map::Head> headOf(const Sequences& all, const core::streaming::Rules& rules, Index head) {
  const Index shared = head * all.key_value_heads / all.heads;
  return map::Head::make(all.q.as<float>().data() + head * all.T * all.d_k, all.k.as<float>().data() + shared * all.S * all.d_k,
                         {all.T, all.S, all.d_k}, {1 / std::sqrt(static_cast<double>(all.d_k)), rules.causal, rules.window.value_or(0), 0});
}

// One map, some lines of pixels at a time, by as many threads as there are. The other of largest and mean falls off.
class Drawing {
 public:
  static core::Result<core::Buffer> pixelsOf(const map::Head& head, const MapChoice& choice) {
    core::Result<core::Buffer> max = pixels(choice), mean = pixels(choice);
    if (!max) return max.error();
    if (!mean) return mean.error();
    core::Result<map::RowStatistics> statistics = map::RowStatistics::make(head.shape().rows);
    if (!statistics) return statistics.error();
    Drawing drawing(head, choice, max.value().as<float>(), mean.value().as<float>(), statistics.value());
    if (core::Check failed = drawing.run()) return *failed;
    return choice.largest ? max.take() : mean.take();
  }

 private:
  Drawing(const map::Head& head, const MapChoice& choice, std::span<float> max, std::span<float> mean, map::RowStatistics& statistics)
      : head_(head), choice_(choice), max_(max), mean_(mean), statistics_(statistics), rows_(map::evenEdges(choice.rows, choice.height)),
        columns_(map::evenEdges(choice.columns, choice.width)) {}

  static core::Result<core::Buffer> pixels(const MapChoice& choice) {
    return core::Buffer::allocate(static_cast<std::size_t>(choice.width * choice.height) * sizeof(float));
  }

  core::Check run() {
    const Telling telling([this] {
      const double part = static_cast<double>(next_) / static_cast<double>(choice_.height);
      const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
      return Telling::Stand{std::min(part, 1.0), part > 0 ? spent * (1 - std::min(part, 1.0)) / part : std::numeric_limits<double>::quiet_NaN()};
    });
    std::vector<core::Check> failed(static_cast<std::size_t>(threadsHere()));
    std::vector<std::thread> others;
    for (std::size_t n = 1; n < failed.size(); ++n) others.emplace_back([this, check = &failed[n]] { *check = work(); });
    failed.front() = work();
    for (std::thread& other : others) other.join();
    const auto first = std::find_if(failed.begin(), failed.end(), [](const core::Check& check) { return check.has_value(); });
    return first == failed.end() ? core::Check() : *first;
  }

  // Lines of pixels that nobody has taken yet, about kTogether rows at a time.
  core::Check work() {
    constexpr Index kTogether = 256;
    const Index lines = std::max(Index(1), kTogether * choice_.height / choice_.rows.size());
    for (Index line; (line = next_.fetch_add(lines)) < choice_.height;) {
      if (core::Check failed = draw(line, std::min(line + lines, choice_.height))) return failed;
    }
    return {};
  }

  core::Check draw(Index begin, Index end) {
    const std::span<const Index> rows = std::span(rows_).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin + 1));
    const auto at = static_cast<std::size_t>(begin * choice_.width), count = static_cast<std::size_t>((end - begin) * choice_.width);
    const map::Pixels pixels{max_.subspan(at, count), mean_.subspan(at, count)};
    if (!choice_.weights) return map::scoreTile(head_, rows, columns_, pixels);
    if (core::Check failed = map::findStatistics(head_, {rows.front(), rows.back()}, statistics_)) return failed;
    return map::weightTile(head_, statistics_, rows, columns_, pixels);
  }

  const map::Head& head_;
  const MapChoice& choice_;
  std::span<float> max_, mean_;
  map::RowStatistics& statistics_;
  std::vector<Index> rows_, columns_;
  std::atomic<Index> next_ = 0;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

// Weights on viridis from 0, scores on both sides of 0.
struct Colours {
  figure::Scale scale;
  bool logarithmic = false;
  double floor = 0;  // what the lowest colour of a logarithmic scale stands for

  Colours(const MapChoice& choice, std::span<const float> values) : logarithmic(choice.logarithmic) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const double most = choice.weights ? *high : std::max(std::abs(*low), std::abs(*high));
    scale = {!choice.weights, choice.weights ? 0 : -most, most > 0 ? most : 1};
    if (!logarithmic) return;
    floor = scale.high * std::pow(10.0, -kDecades);
    scale = {false, std::log10(floor), std::log10(scale.high)};
  }

  figure::Color of(float value) const {
    const figure::ColorTable& table = scale.diverging ? figure::divergingTable(false) : figure::sequentialTable(figure::Palette::kViridis);
    return figure::colorOf(scale, table, logarithmic ? std::log10(std::max<double>(value, floor)) : value);
  }
  double low() const { return logarithmic ? floor : scale.low; }
  double high() const { return logarithmic ? std::pow(10.0, scale.high) : scale.high; }
};

std::string pairsText(Index pairs, Index pixels) {
  const Index least = pairs / pixels;
  return std::to_string(least) + (pairs % pixels ? " or " + std::to_string(least + 1) : "");
}

std::string wordsOf(const MapChoice& choice, const Colours& colours) {
  const auto number = [](double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return std::string(text);
  };
  return std::string("A pixel is ") + (choice.largest ? "the largest " : "the mean ") + (choice.weights ? "weight" : "score") + " of " +
         pairsText(choice.rows.size(), choice.height) + " × " + pairsText(choice.columns.size(), choice.width) + " pairs; from " +
         number(colours.low()) + (colours.logarithmic ? " and less" : "") + " (" + (choice.weights ? "dark" : "blue") + ") to " +
         number(colours.high()) + " (" + (choice.weights ? "yellow" : "orange") + ")" + (colours.logarithmic ? ", logarithmic" : "") + ".\n";
}

core::Result<Output> writePicture(const MapChoice& choice, std::span<const float> values) {
  const Colours colours(choice, values);
  core::Result<core::Buffer> memory = core::Buffer::allocate(values.size() * 3);
  if (!memory) return memory.error();
  const std::span<unsigned char> pixels = memory.value().as<unsigned char>();
  for (std::size_t n = 0; n < values.size(); ++n) {
    const figure::Color color = colours.of(values[n]);
    std::copy_n(std::array{color.r, color.g, color.b}.data(), 3, &pixels[3 * n]);
  }
  const std::vector<unsigned char> png = disk::pngOf(static_cast<int>(choice.width), static_cast<int>(choice.height), pixels);
  if (png.empty()) return core::Error{"There is no memory for the picture; write a smaller --size."};
  if (core::Check failed = disk::writeFile(choice.out, png)) return *failed;
  return Output{wordsOf(choice, colours)};
}

core::Result<Output> writeNumbers(const MapChoice& choice, const core::Buffer& values) {
  const std::string header = io::npyHeader(io::ElementType::kF32, {static_cast<std::uint64_t>(choice.height), static_cast<std::uint64_t>(choice.width)});
  core::Check failed = disk::writeFile(choice.out, [&](const disk::Sink& sink) {
    core::Check refused = sink(std::as_bytes(std::span(header)));
    return refused ? refused : sink(values.bytes());
  });
  if (failed) return *failed;
  return Output{};
}

}  // namespace

core::Result<Output> runMap(const Arguments& arguments) {
  constexpr std::array<std::string_view, 12> kOptions = {"--random", "--q", "--k", "--mask", "--window", "--rect",
                                                         "--size", "--reduce", "--what", "--color", "--head", "--out"};
  const core::Result<Parsed> parsed = parseArguments("map", arguments, kOptions);
  if (!parsed) return parsed.error();
  const core::Result<core::streaming::Rules> rules = readRules(parsed.value());
  if (!rules) return rules.error();
  const core::Result<Sequences> all = readSequences("map", parsed.value(), false);
  if (!all) return all.error();
  const core::Result<MapChoice> choice = readMapChoice(parsed.value(), all.value());
  if (!choice) return choice.error();
  const core::Result<map::Head> head = headOf(all.value(), rules.value(), choice.value().head);
  if (!head) return head.error();
  const core::Result<core::Buffer> values = Drawing::pixelsOf(head.value(), choice.value());
  if (!values) return values.error();
  return choice.value().picture ? writePicture(choice.value(), values.value().as<float>()) : writeNumbers(choice.value(), values.value());
}

}  // namespace attn::cli
