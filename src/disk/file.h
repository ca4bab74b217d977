// Files of this machine: read whole with a cap, written whole or not at all. Knows no format.
#pragma once
#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "core/result.h"

namespace attn::disk {

inline constexpr std::size_t kMaxDocument = 64u << 20;  // bytes; the same for the page

// A missing file, a folder, an unreadable or oversized file each get their sentence.
core::Result<std::string> readFile(const std::string& path);

// Into a neighbour that then takes the name, so that a reader never sees half of it; links are followed. Refuses devices,
// pipes and everything else that is there and is not a plain file.
core::Check writeFile(const std::string& path, std::span<const unsigned char> bytes);

// The same for bytes that need not be in memory all at once: `write` hands them over part by part, and gives back what the
// sink refuses.
using Sink = std::function<core::Check(std::span<const std::byte>)>;
core::Check writeFile(const std::string& path, const std::function<core::Check(const Sink&)>& write);

// A new file in `folder`: where there is one of that name already, the new one gets a number, name-2.csv. Its whole path.
core::Result<std::string> keepFile(const std::string& folder, const std::string& name, std::span<const unsigned char> bytes);

// The last part of a path.
std::string fileName(const std::string& path);

}  // namespace attn::disk
