// Files of other formats that people may try to open, told by how they begin. Reads none of them.
#include "io/foreign.h"

#include "core/language.h"

namespace attn::io {
namespace {

using namespace std::string_view_literals;

struct ForeignFormat {
  std::string_view head, name;
};

constexpr ForeignFormat kFormats[] = {
    {"PK\x03\x04"sv, trLater("a ZIP archive (as .npz and .pt files are)")},
    {"PK\x05\x06"sv, trLater("an empty ZIP archive")},
    {"\x93NUMPY"sv, trLater("a NumPy array (.npy)")},
    {"\x89HDF"sv, trLater("an HDF5 file")},
    {"\x1F\x8B"sv, trLater("a gzip archive")},
    {"\x80\x02"sv, trLater("a Python pickle (as .pt and .pkl files are)")},
    {"\x80\x03"sv, trLater("a Python pickle (as .pt and .pkl files are)")},
    {"\x80\x04"sv, trLater("a Python pickle (as .pt and .pkl files are)")},
    {"\x80\x05"sv, trLater("a Python pickle (as .pt and .pkl files are)")},
};

// The length of a JSON header in eight bytes, then the header: asked first, because with a header of 640 bytes the file
// begins as a pickle does.
bool isSafetensors(std::string_view bytes) {
  return bytes.size() > 8 && bytes[8] == '{' && bytes.substr(4, 4) == "\0\0\0\0"sv;
}

}  // namespace

std::string foreignFormat(std::string_view bytes) {
  if (isSafetensors(bytes)) return tr("a safetensors file");
  for (const ForeignFormat& format : kFormats) {
    if (bytes.substr(0, format.head.size()) == format.head) return tr(format.name);
  }
  return {};
}

}  // namespace attn::io
