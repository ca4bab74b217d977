// Names that a file gives, as a sentence quotes them.
#pragma once
#include <string>
#include <string_view>

namespace attn::io {

// `name`, short enough for a sentence.
std::string ticked(std::string_view name);

// A sentence as it is read: without the pairs of ticks around names.
std::string withoutTicks(std::string_view sentence);

}  // namespace attn::io
