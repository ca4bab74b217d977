// zlib is used here and nowhere else.
#include "io/deflate.h"

#include <zlib.h>

#include <algorithm>

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

}  // namespace

core::Result<std::string> compress(std::string_view bytes) {
  z_stream stream = {};
  if (deflateInit(&stream, Z_BEST_COMPRESSION) != Z_OK) {
    return core::Error{"There is no memory left to compress; close something."};
  }
  std::string out;
  int status = Z_OK;
  run(stream, bytes, out, out.max_size(), status, deflate);
  deflateEnd(&stream);
  return out;
}

core::Result<std::string> decompress(std::string_view bytes, std::size_t limit) {
  z_stream stream = {};
  if (inflateInit(&stream) != Z_OK) return core::Error{"There is no memory left to decompress; close something."};
  std::string out;
  int status = Z_OK;
  const bool fits = run(stream, bytes, out, limit, status, inflate);
  const bool trailing = stream.total_in != bytes.size();
  inflateEnd(&stream);
  if (!fits) {
    return core::Error{"The compressed data holds more than " + std::to_string(limit) +
                       " bytes; open a smaller document."};
  }
  if (status != Z_STREAM_END || trailing) {
    return core::Error{"The compressed data is damaged or cut off; copy it again as a whole."};
  }
  return out;
}

}  // namespace attn::io
