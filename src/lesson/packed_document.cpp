// zlib, then base64url.
#include "lesson/packed_document.h"

#include "io/base64.h"
#include "io/deflate.h"

namespace attn::lesson {

std::string packDocument(std::string_view document) {
  auto compressed = io::compress(document);
  return compressed ? io::toBase64Url(compressed.value()) : "";
}

core::Result<std::string> unpackDocument(std::string_view packed) {
  auto bytes = io::fromBase64Url(packed);
  if (!bytes) return bytes;
  return io::decompress(bytes.value(), kMaxUnpacked);
}

}  // namespace attn::lesson
