// `attnscope-cli attend`: attention over sequences of any length, in memory that grows with their length.
#include <array>

#include "cli/sequences.h"
#include "cli/telling.h"
#include "core/streaming/threads.h"
#include "disk/file.h"
#include "io/npz.h"

namespace attn::cli {
namespace {

namespace streaming = core::streaming;
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

core::Check attendAndTell(streaming::Attention& attention) {
  const Telling telling([&] {
    const streaming::Progress progress = attention.progress();
    return Telling::Stand{static_cast<double>(progress.rows) / static_cast<double>(progress.all_rows), progress.seconds_left};
  });
  return streaming::attend(attention, threadsHere());
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
  const core::Result<streaming::Rules> rules = readRules(parsed.value());
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
