// PNG by stb_image_write, its functions compiled here alone. See png.h.
#include "disk/png.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include "stb/stb_image_write.h"

namespace attn::disk {

std::vector<unsigned char> pngOf(int width, int height, std::span<const unsigned char> pixels) {
  std::vector<unsigned char> png;
  const auto append = [](void* target, void* data, int size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    auto& out = *static_cast<std::vector<unsigned char>*>(target);
    out.insert(out.end(), bytes, bytes + size);
  };
  if (!stbi_write_png_to_func(append, &png, width, height, 3, pixels.data(), width * 3)) png.clear();
  return png;
}

}  // namespace attn::disk
