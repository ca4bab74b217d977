// Names that a file gives, as a sentence quotes them.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attn::io {

// `name`, short enough for a sentence.
std::string ticked(std::string_view name);

// "a, b and 3 more": the first `most` of them, as they are.
std::string listed(const std::vector<std::string>& names, std::size_t most);

// A sentence as it is read: without the pairs of ticks around names.
std::string withoutTicks(std::string_view sentence);

}  // namespace attn::io
