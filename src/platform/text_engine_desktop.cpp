// Text drawn by Pango from the fonts of the system.
#include <pango/pangocairo.h>

#include <cmath>
#include <cstdint>
#include <memory>

#include "platform/text_engine.h"

namespace attn::platform {
namespace {

constexpr int kLargest = 2048;  // pixels

struct Release {
  void operator()(PangoLayout* layout) const { g_object_unref(layout); }
  void operator()(PangoContext* context) const { g_object_unref(context); }
  void operator()(PangoFontDescription* font) const { pango_font_description_free(font); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* pen) const { cairo_destroy(pen); }
};
template <class T>
using Owned = std::unique_ptr<T, Release>;

Owned<PangoLayout> layOut(std::string_view text, float size) {
  const Owned<PangoContext> context(pango_font_map_create_context(pango_cairo_font_map_get_default()));
  const Owned<PangoFontDescription> font(pango_font_description_from_string("Sans"));
  pango_font_description_set_absolute_size(font.get(), std::round(size * PANGO_SCALE));
  Owned<PangoLayout> layout(pango_layout_new(context.get()));
  pango_layout_set_font_description(layout.get(), font.get());
  pango_layout_set_text(layout.get(), text.data(), static_cast<int>(text.size()));
  return layout;
}

// From cairo's words of alpha, red, green and blue, with alpha multiplied in.
void copyPixels(cairo_surface_t* surface, ui::GlyphPicture& picture) {
  cairo_surface_flush(surface);
  const unsigned char* row = cairo_image_surface_get_data(surface);
  picture.rgba.clear();
  for (int y = 0; y < picture.height; ++y, row += cairo_image_surface_get_stride(surface)) {
    const auto* words = reinterpret_cast<const std::uint32_t*>(row);
    for (int x = 0; x < picture.width; ++x) {
      const std::uint32_t word = words[x], alpha = word >> 24;
      for (const int shift : {16, 8, 0}) {
        picture.rgba.push_back(static_cast<unsigned char>(alpha == 0 ? 255 : (word >> shift & 0xFF) * 255 / alpha));
      }
      picture.rgba.push_back(static_cast<unsigned char>(alpha));
    }
  }
}

}  // namespace

bool drawWithTextEngine(std::string_view text, float size, ui::GlyphPicture& picture) {
  const Owned<PangoLayout> layout = layOut(text, size);
  if (pango_layout_get_unknown_glyphs_count(layout.get()) > 0) return false;
  PangoRectangle ink, logical;
  pango_layout_get_extents(layout.get(), nullptr, &logical);
  picture.advance = static_cast<float>(logical.width) / PANGO_SCALE;
  pango_layout_get_pixel_extents(layout.get(), &ink, nullptr);
  if (ink.width < 1 || ink.height < 1 || ink.width > kLargest || ink.height > kLargest) return false;
  const int baseline = PANGO_PIXELS(pango_layout_get_baseline(layout.get()));
  picture.width = ink.width;
  picture.height = ink.height;
  picture.left = static_cast<float>(ink.x);
  picture.top = static_cast<float>(ink.y - baseline);
  const Owned<cairo_surface_t> surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, ink.width, ink.height));
  const Owned<cairo_t> pen(cairo_create(surface.get()));
  cairo_set_source_rgb(pen.get(), 1, 1, 1);
  cairo_move_to(pen.get(), -ink.x, -ink.y);
  pango_cairo_show_layout(pen.get(), layout.get());
  copyPixels(surface.get(), picture);
  return true;
}

}  // namespace attn::platform
