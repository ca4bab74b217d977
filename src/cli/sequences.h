// Queries, keys and values for the commands about long sequences: arrays of a file, or numbers of a seed; and which of
// them may be read. Knows nothing of what is computed from them.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "core/buffer.h"
#include "core/streaming/streaming.h"

namespace attn::cli {

// Single precision, row by row, one head after the other.
struct Sequences {
  core::streaming::Index T = 0, S = 0, d_k = 0, d_v = 0, heads = 1, key_value_heads = 1;
  std::vector<std::uint64_t> q_shape;  // as the file has it, (T, d_k) or (H, T, d_k), also behind axes of length 1
  core::Buffer q, k, v;                // v is empty where no values were asked for; then d_v = 0

  core::streaming::Rows rows(const core::Buffer& numbers, core::streaming::Index count, core::streaming::Index width) const {
    return {numbers.as<float>().data(), width, count * width};
  }
};

// The one file that stands behind the command, or --random T,d,seed: normal numbers of standard deviation 1, first all of
// q, then of k, then of v. Without --q, --k and --v names and shapes decide which array is which. Refuses what is not
// there, shapes that do not fit, and what there is no memory for.
core::Result<Sequences> readSequences(std::string_view command, const Parsed& parsed, bool with_values);

// What --mask and --window ask for.
core::Result<core::streaming::Rules> readRules(const Parsed& parsed);

}  // namespace attn::cli
