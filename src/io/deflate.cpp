// zlib is used here and nowhere else.
#include "io/deflate.h"

#include <zlib.h>

#include <algorithm>
#include <array>

#include "core/language.h"

namespace attn::io {
namespace {

constexpr std::size_t kBlock = std::size_t(1) << 16;

// zlib's counters are 32 bits wide and its input is not const: one piece of the input at a time.
void feed(z_stream& stream, std::string_view& rest) {
  const std::size_t count = std::min(rest.size(), kBlock);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest.data()));
  stream.avail_in = static_cast<uInt>(count);
  rest.remove_prefix(count);
}

// Runs `step` (deflate or inflate) until it reports the end or an error. False when `out` would pass `limit`.
template <class Step>
bool run(z_stream& stream, std::string_view bytes, std::string& out, std::size_t limit, int& status, Step step) {
  char block[kBlock];
  do {
    if (stream.avail_in == 0) feed(stream, bytes);
    stream.next_out = reinterpret_cast<Bytef*>(block);
    stream.avail_out = static_cast<uInt>(sizeof block);
    status = step(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
    const std::size_t count = sizeof block - stream.avail_out;
    if (count > limit - out.size()) return false;
    out.append(block, count);
    // Z_BUF_ERROR means "go on" as long as something moves.
    if (status == Z_BUF_ERROR && (count > 0 || !bytes.empty())) status = Z_OK;
  } while (status == Z_OK);
  return true;
}

// Expands a raw stream out of a source, piece by piece, to where the caller wants it. Takes no memory of its own beside
// zlib's.
class Inflater {
 public:
  explicit Inflater(const ByteSource& packed) : packed_(packed) {}
  ~Inflater() {
    if (begun_) inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  core::Check begin() {
    // Less than nothing bits of window mean a raw stream, with the largest window.
    begun_ = inflateInit2(&stream_, -MAX_WBITS) == Z_OK;
    if (!begun_) return core::Error{tr("There is no memory left to decompress; close something.")};
    return {};
  }

  // Fills `into`, or less of it where the stream ends: how many bytes.
  core::Result<std::size_t> expand(std::span<std::byte> into) {
    std::size_t filled = 0;
    while (filled < into.size() && !ended_) {
      if (stream_.avail_in == 0 && read_ < packed_.size()) {
        if (core::Check failed = feedFromSource()) return *failed;
      }
      const std::size_t room = std::min(into.size() - filled, kBlock);
      stream_.next_out = reinterpret_cast<Bytef*>(into.data() + filled);
      stream_.avail_out = static_cast<uInt>(room);
      const int status = ::inflate(&stream_, Z_NO_FLUSH);
      filled += room - stream_.avail_out;
      if (status == Z_MEM_ERROR) return core::Error{tr("There is no memory left to decompress; close something.")};
      // Z_BUF_ERROR means that nothing moves: the stream is cut off.
      if (status != Z_OK && status != Z_STREAM_END)
        return core::Error{tr("The compressed data is damaged or cut off; copy the file again as a whole.")};
      ended_ = status == Z_STREAM_END;
    }
    return filled;
  }

  // Whether the stream has ended with the last byte of its source.
  bool atEnd() const { return ended_ && read_ == packed_.size() && stream_.avail_in == 0; }

 private:
  core::Check feedFromSource() {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(input_.size(), packed_.size() - read_));
    const std::span<std::byte> piece = std::span(input_).first(count);
    if (core::Check failed = packed_.read(read_, piece)) return failed;
    read_ += count;
    stream_.next_in = reinterpret_cast<Bytef*>(piece.data());
    stream_.avail_in = static_cast<uInt>(count);
    return {};
  }

  const ByteSource& packed_;
  std::uint64_t read_ = 0;
  std::array<std::byte, kBlock / 4> input_;
  z_stream stream_ = {};
  bool begun_ = false, ended_ = false;
};

// As many bytes as the stream gives, at most `most`, in memory that grows with them.
core::Result<core::Buffer> expandUpTo(Inflater& inflater, std::size_t most) {
  core::Result<core::Buffer> buffer = core::Buffer::allocate(std::min(most, kBlock));
  if (!buffer) return buffer;
  core::Buffer& out = buffer.value();
  std::size_t filled = 0;
  for (;;) {
    core::Result<std::size_t> count = inflater.expand(out.bytes().subspan(filled));
    if (!count) return count.error();
    filled += count.value();
    if (filled < out.size() || filled == most) break;
    if (core::Check failed = out.resize(most - filled < filled ? most : 2 * filled)) return *failed;
  }
  if (core::Check failed = out.resize(filled)) return *failed;
  return buffer;
}

}  // namespace

core::Result<std::string> compress(std::string_view bytes) {
  z_stream stream = {};
  if (deflateInit(&stream, Z_BEST_COMPRESSION) != Z_OK) {
    return core::Error{tr("There is no memory left to compress; close something.")};
  }
  std::string out;
  int status = Z_OK;
  run(stream, bytes, out, out.max_size(), status, deflate);
  deflateEnd(&stream);
  return out;
}

core::Result<std::string> decompress(std::string_view bytes, std::size_t limit) {
  z_stream stream = {};
  if (inflateInit(&stream) != Z_OK) return core::Error{tr("There is no memory left to decompress; close something.")};
  std::string out;
  int status = Z_OK;
  const bool fits = run(stream, bytes, out, limit, status, inflate);
  const bool trailing = stream.total_in != bytes.size();
  inflateEnd(&stream);
  if (!fits) {
    return core::Error{tr("The compressed data holds more than {0} bytes; open a smaller document.", {limit})};
  }
  if (status != Z_STREAM_END || trailing) {
    return core::Error{tr("The compressed data is damaged or cut off; copy it again as a whole.")};
  }
  return out;
}

std::uint32_t crc32Of(std::span<const std::byte> bytes, std::uint32_t before) {
  uLong sum = before;
  while (!bytes.empty()) {
    const std::size_t count = std::min(bytes.size(), std::size_t(1) << 30);
    sum = ::crc32(sum, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(count));
    bytes = bytes.subspan(count);
  }
  return static_cast<std::uint32_t>(sum);
}

core::Result<core::Buffer> inflateAll(const ByteSource& packed, std::uint64_t expanded, std::uint32_t checksum,
                                      std::uint64_t budget) {
  if (expanded > budget || expanded > SIZE_MAX) {
    return core::Error{tr("The compressed data expands to {0}, and {1} are left for it; save fewer or smaller arrays.",
                          {core::bytesText(expanded), core::bytesText(budget)})};
  }
  Inflater inflater(packed);
  if (core::Check failed = inflater.begin()) return *failed;
  core::Result<core::Buffer> content = expandUpTo(inflater, static_cast<std::size_t>(expanded));
  if (!content) return content;
  std::byte beyond;
  const core::Result<std::size_t> more = inflater.expand({&beyond, 1});
  if (!more) return more.error();
  const std::uint64_t size = content.value().size() + more.value();
  if (size != expanded) {
    const std::size_t found = content.value().size();
    return core::Error{
        more.value() > 0 ? tr("The compressed data expands to more than {0} bytes where the archive says {1}; copy the "
                              "file again as a whole.", {found, expanded})
                         : tr("The compressed data expands to {0} bytes where the archive says {1}; copy the file again "
                              "as a whole.", {found, expanded})};
  }
  if (!inflater.atEnd())
    return core::Error{tr("The compressed data goes on after its end; copy the file again as a whole.")};
  if (crc32Of(content.value().bytes()) != checksum) {
    return core::Error{tr("The content does not agree with its checksum; copy the file again as a whole.")};
  }
  return content;
}

core::Result<core::Buffer> inflateHead(const ByteSource& packed, std::size_t most) {
  Inflater inflater(packed);
  if (core::Check failed = inflater.begin()) return *failed;
  return expandUpTo(inflater, most);
}

core::Result<std::size_t> inflateInto(const ByteSource& packed, std::span<std::byte> into) {
  Inflater inflater(packed);
  if (core::Check failed = inflater.begin()) return *failed;
  return inflater.expand(into);
}

}  // namespace attn::io
