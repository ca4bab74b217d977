// The whole of a text file as UTF-8, in memory that may be refused. Knows no format.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/buffer.h"
#include "core/result.h"
#include "io/byte_source.h"

namespace attn::io {

// UTF-8 without a byte-order mark and without zero bytes; one zero byte follows.
class SourceText {
 public:
  SourceText(core::Buffer buffer, std::size_t begin, std::size_t size)
      : buffer_(std::move(buffer)), begin_(begin), size_(size) {}
  std::string_view text() const { return {buffer_.as<char>().data() + begin_, size_}; }
  std::span<char> chars() { return buffer_.as<char>().subspan(begin_, size_); }

 private:
  core::Buffer buffer_;
  std::size_t begin_, size_;
};

// UTF-16 and UTF-32 with a mark are converted. Refuses, naming the file, more than `limit` bytes, zero bytes, and bytes
// that are not UTF-8, with their place.
core::Result<SourceText> readText(const ByteSource& source, std::string_view file_name, std::uint64_t limit);

// The name without folders and ending: "attention" for "runs/attention.csv"; `otherwise` where nothing is left.
std::string stemOf(std::string_view file_name, std::string_view otherwise);

}  // namespace attn::io
