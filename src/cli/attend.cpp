// `attnscope-cli attend`: attention over sequences of any length, in memory that grows with their length.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <thread>

#include "cli/sequences.h"
#include "core/streaming/threads.h"
#include "disk/file.h"
#include "io/npz.h"

namespace attn::cli {
namespace {

namespace streaming = core::streaming;
using streaming::Index;

core::Result<streaming::Rules> rulesOf(const Parsed& parsed) {
  streaming::Rules rules;
  if (const auto mask = parsed.options.find("--mask"); mask != parsed.options.end()) {
    if (mask->second != "none" && mask->second != "causal") {
      return core::Error{"--mask is \"" + mask->second + "\"; write --mask none or --mask causal."};
    }
    rules.causal = mask->second == "causal";
  }
  if (const auto window = parsed.options.find("--window"); window != parsed.options.end()) {
    Index width = 0;
    const std::string& text = window->second;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
    if (error != std::errc() || end != text.data() + text.size() || width < 1) {
      return core::Error{"--window is \"" + text + "\"; write a whole number from 1."};
    }
    rules.window = width;
  }
  return rules;
}

struct Computed {
  core::Buffer z, row_max, row_sum, row_status;
};

core::Result<Computed> room(const Sequences& all) {
  const auto rows = static_cast<std::size_t>(all.heads * all.T);
  Computed computed;
  for (const auto& [to, bytes] : {std::pair(&computed.z, rows * static_cast<std::size_t>(all.d_v) * sizeof(float)),
                                  {&computed.row_max, rows * sizeof(float)},
                                  {&computed.row_sum, rows * sizeof(float)},
                                  {&computed.row_status, rows * sizeof(core::RowStatus)}}) {
    core::Result<core::Buffer> memory = core::Buffer::allocate(bytes);
    if (!memory) return memory.error();
    *to = memory.take();
  }
  return computed;
}

// What takes long tells somebody who looks on how far it is and how long it will still take.
core::Check attendAndTell(streaming::Attention& attention) {
  const int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  if (!isatty(STDERR_FILENO)) return streaming::attend(attention, threads);
  std::atomic<bool> done = false;
  std::thread teller([&] {
    for (bool told = false;; told = true) {
      for (int n = 0; n < 10 && !done; ++n) std::this_thread::sleep_for(std::chrono::milliseconds(50));
      if (done) return void (told && std::fputs("\r\033[K", stderr));
      const streaming::Progress progress = attention.progress();
      std::fprintf(stderr, "\r\033[K%.0f %% of the rows", 100.0 * static_cast<double>(progress.rows) / static_cast<double>(progress.all_rows));
      if (!std::isnan(progress.seconds_left)) std::fprintf(stderr, ", about %.0f s left", std::ceil(progress.seconds_left));
    }
  });
  core::Check failed = streaming::attend(attention, threads);
  done = true;
  teller.join();
  return failed;
}

core::Check write(const std::string& path, const Sequences& all, const Computed& computed, bool with_inputs) {
  using Shape = std::vector<std::uint64_t>;
  Shape output = all.q_shape;
  output.back() = static_cast<std::uint64_t>(all.d_v);
  const Shape rows(all.q_shape.begin(), all.q_shape.end() - 1);
  const auto array = [](std::string_view name, const Shape& shape, const core::Buffer& numbers) {
    return io::NpzArray{name, io::ElementType::kF32, shape, numbers.bytes()};
  };
  std::vector<io::NpzArray> arrays = {array("o", output, computed.z), array("row_max", rows, computed.row_max),
                                      array("row_sum", rows, computed.row_sum)};
  if (with_inputs) {
    for (const auto& [name, numbers] : {std::pair("q", &all.q), {"k", &all.k}, {"v", &all.v}}) arrays.push_back(array(name, all.q_shape, *numbers));
  }
  return disk::writeFile(path, [&](const disk::Sink& sink) { return io::writeNpz(arrays, sink); });
}

}  // namespace

core::Result<Output> runAttend(const Arguments& arguments) {
  constexpr std::array<std::string_view, 7> kOptions = {"--random", "--q", "--k", "--v", "--mask", "--window", "--out"};
  const core::Result<Parsed> parsed = parseArguments("attend", arguments, kOptions);
  if (!parsed) return parsed.error();
  const auto& options = parsed.value().options;
  const auto out = options.find("--out");
  if (out == options.end() || out->second.empty()) return core::Error{"--out is missing; name the .npz file to write."};
  const core::Result<streaming::Rules> rules = rulesOf(parsed.value());
  if (!rules) return rules.error();
  const core::Result<Sequences> read = readSequences("attend", parsed.value(), true);
  if (!read) return read.error();
  const Sequences& all = read.value();
  core::Result<Computed> computed = room(all);
  if (!computed) return computed.error();
  Computed& to = computed.value();
  streaming::Inputs inputs{all.T, all.S, all.d_k, all.d_v, all.heads, all.key_value_heads, all.rows(all.q, all.T, all.d_k),
                           all.rows(all.k, all.S, all.d_k), all.rows(all.v, all.S, all.d_v), rules.value()};
  core::Result<streaming::Attention> attention =
      streaming::Attention::prepare(inputs, {to.z.as<float>().data(), all.d_v, all.T * all.d_v, to.row_max.as<float>().data(),
                                             to.row_sum.as<float>().data(), to.row_status.as<core::RowStatus>().data()});
  if (!attention) return attention.error();
  if (core::Check failed = attendAndTell(attention.value())) return *failed;
  if (core::Check failed = write(out->second, all, to, options.contains("--random"))) return *failed;
  return Output{};
}

}  // namespace attn::cli
