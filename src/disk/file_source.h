// A file as bytes that are read when they are asked for. Holds nothing of it.
#pragma once
#include <memory>
#include <string>

#include "core/result.h"
#include "io/byte_source.h"

namespace attn::disk {

// Refuses a missing or unreadable file and a folder.
core::Result<std::unique_ptr<io::ByteSource>> openFile(const std::string& path);

}  // namespace attn::disk
