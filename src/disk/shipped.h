// Files of web/data, as they are built into this program: nothing is read from a disk. Knows no format.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace attn::disk {

// Their bytes, by their path in that folder: "lines.txt", "checkpoints/step-0.safetensors". Nothing where there is none.
std::optional<std::string_view> shippedFile(const std::string& path);

}  // namespace attn::disk
