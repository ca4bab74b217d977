// Colours, faces and sizes as values, and their translation into ImGui's style and fonts. Knows no panel.
#include "ui/theme.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "imgui_internal.h"
#include "ui/fonts.h"
#include "ui/glyphs.h"

namespace attn::ui {
namespace {

using figure::Color;

constexpr int kFaces = 3;
FontData dataOf(Face face) {
  switch (face) {
    case Face::kBody: return bodyFont();
    case Face::kStrong: return strongFont();
    case Face::kNumber: return numberFont();
  }
  return bodyFont();
}

ImVec4 vec(Color c, float alpha = 1) { return {c.r / 255.f, c.g / 255.f, c.b / 255.f, c.a / 255.f * alpha}; }

Color mixed(Color a, Color b, float t) {
  const auto channel = [t](int from, int to) { return static_cast<std::uint8_t>(std::lround(from + (to - from) * t)); };
  return {channel(a.r, b.r), channel(a.g, b.g), channel(a.b, b.b), 255};
}

ImFont* addFace(Face face, float size, const ImWchar* ranges) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  const auto add = [&](FontData data, bool merge) {
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    config.MergeMode = merge;
    config.PixelSnapH = false;
    return atlas.AddFontFromMemoryTTF(const_cast<unsigned char*>(data.data), static_cast<int>(data.size), size, &config,
                                      ranges);
  };
  ImFont* font = add(dataOf(face), false);
  if (face != Face::kBody) add(bodyFont(), true);
  add(fallbackFont(), true);
  return font;
}

float quantised(float size) { return std::max(1.f, std::round(size * 2) / 2); }

// The font to draw `face` with at `size`.
ImFont* fontFor(Face face, float size);

#if IMGUI_VERSION_NUM >= 19200

// The atlas holds one font per face, in the order of Face, and the same again for what is being typed; ImGui rasterises
// each size when it is first used.
ImFont* fontFor(Face face, float) { return ImGui::GetIO().Fonts->Fonts[static_cast<int>(face)]; }

// Behind each face: in text that displayable() went through the pictures of its private characters, in typed text, which
// ImGui draws as it is, every character.
constexpr float kEm = 0.82f;  // ImGui's size is the height of a line; of the body's face this much is the em
enum Pictures : unsigned { kOfPieces, kOfCharacters };

bool loadPicture(ImFontAtlas* atlas, ImFontConfig* source, ImFontBaked* baked, void*, ImWchar code, ImFontGlyph* glyph,
                 float* advance) {
  char typed[5];
  ImTextCharToUtf8(typed, code);
  const std::string piece = source->FontLoaderFlags == kOfPieces ? pieceOf(code) : typed;
  if (piece.empty() || code == '\t') return false;  // ImGui makes tabs of spaces
  const float density = source->RasterizerDensity * baked->RasterizerDensity;
  const GlyphPicture picture = pictureOf(piece, baked->Size * density * kEm);
  if (advance) {
    *advance = picture.advance / density;
    return true;
  }
  const ImFontAtlasRectId place = ImFontAtlasPackAddRect(atlas, picture.width, picture.height);
  if (place == ImFontAtlasRectId_Invalid) return false;
  glyph->Codepoint = code;
  glyph->AdvanceX = picture.advance / density;
  glyph->X0 = picture.left / density;
  glyph->Y0 = std::round(baked->Ascent) + picture.top / density;
  glyph->X1 = glyph->X0 + static_cast<float>(picture.width) / density;
  glyph->Y1 = glyph->Y0 + static_cast<float>(picture.height) / density;
  glyph->Visible = true;
  glyph->Colored = hasColors(picture);
  glyph->PackId = place;
  ImFontAtlasBakedSetFontGlyphBitmap(atlas, baked, source, glyph, ImFontAtlasPackGetRect(atlas, place), picture.rgba.data(),
                                     ImTextureFormat_RGBA32, picture.width * 4);
  return true;
}

void addPictures(Pictures pictures) {
  static const ImFontLoader loader = [] {
    ImFontLoader made;
    made.Name = "pictures";
    made.FontBakedLoadGlyph = loadPicture;
    return made;
  }();
  ImFontConfig config;
  config.MergeMode = true;
  config.FontLoader = &loader;
  config.FontLoaderFlags = pictures;
  ImGui::GetIO().Fonts->AddFont(&config);
}

bool hasGlyph(ImWchar c) { return fontFor(Face::kBody, kBody)->IsGlyphInFont(c); }

#else

// Fonts are rasterised for fixed sizes, face after face in the atlas; text of another size is drawn with the nearest
// one, scaled.
constexpr int kSizes = 5;
constexpr std::array<float, kSizes> kBaked = {10, 13, 15, 20, 30};

ImFont* fontFor(Face face, float size) {
  const ImGuiIO& io = ImGui::GetIO();
  const int first = static_cast<int>(face) * kSizes;
  int best = first;
  for (int i = first + 1; i < first + kSizes; ++i) {
    const auto distance = [&](int at) { return std::abs(io.Fonts->Fonts[at]->FontSize * io.FontGlobalScale - size); };
    if (distance(i) < distance(best)) best = i;
  }
  return io.Fonts->Fonts[best];
}

bool hasGlyph(ImWchar c) { return fontFor(Face::kBody, kBody)->FindGlyphNoFallback(c) != nullptr; }

void bake(float ratio, float scale) {
  static const ImWchar ranges[] = {0x20,   0x17F,  0x218,  0x21B,  0x370,  0x491,  0x1D40, 0x1D65, 0x2010,
                                   0x22C5, 0x2308, 0x230B, 0x2318, 0x2318, 0x23CE, 0x23CE, 0x2420, 0x2424,
                                   0x2581, 0x25CF, 0x2713, 0x2717, 0x2C7C, 0x2C7C, 0xFFFD, 0xFFFD, 0};
  ImGui::GetIO().Fonts->Clear();
  for (int face = 0; face < kFaces; ++face)
    for (const float size : kBaked) addFace(static_cast<Face>(face), std::round(size * ratio * scale), ranges);
  ImGui::GetIO().Fonts->Build();
  ImGui::GetIO().FontGlobalScale = 1 / ratio;
}

#endif

}  // namespace

bool isDark(const ViewState& view) {
  return view.theme == Theme::kDark || (view.theme == Theme::kSystem && view.environment.system_dark);
}

const Colors& colors(const ViewState& view) { return figure::inks(isDark(view), view.environment.forced_colors); }

#if IMGUI_VERSION_NUM >= 19200

void loadFonts() {
  for (const Pictures pictures : {kOfPieces, kOfCharacters}) {
    for (int face = 0; face < kFaces; ++face) {
      addFace(static_cast<Face>(face), 0, nullptr);
      addPictures(pictures);
    }
  }
}

bool facesTakePictures() { return true; }

bool prepareFonts(const ViewState& view) {
  for (ImFont* font : ImGui::GetIO().Fonts->Fonts) font->CurrentRasterizerDensity = view.environment.pixel_ratio;
  ImGui::GetStyle().FontSizeBase = quantised(kBody * view.scale);
  return false;
}

void pushFace(Face face, float size) {
  ImGui::PushFont(ImGui::GetIO().Fonts->Fonts[kFaces + static_cast<int>(face)], quantised(size));
}

#else

void loadFonts() { bake(1, 1); }

bool facesTakePictures() { return false; }

bool prepareFonts(const ViewState& view) {
  const ImGuiIO& io = ImGui::GetIO();
  const float ratio = view.environment.pixel_ratio, scale = view.scale;
  if (io.FontGlobalScale == 1 / ratio && io.Fonts->Fonts[0]->FontSize == std::round(kBaked[0] * ratio * scale))
    return false;
  bake(ratio, scale);
  return true;
}

void pushFace(Face face, float size) { ImGui::PushFont(fontFor(face, size)); }

#endif

void popFace() { ImGui::PopFont(); }

void applyStyle(const ViewState& view) {
  const Colors& c = colors(view);
  ImGuiStyle& style = ImGui::GetStyle();
  style.WindowPadding = style.FramePadding = style.ItemSpacing = style.ItemInnerSpacing = {0, 0};
  style.WindowBorderSize = style.ChildBorderSize = style.FrameBorderSize = 0;
  style.PopupBorderSize = 1;
  style.WindowRounding = style.ChildRounding = 0;
  style.PopupRounding = style.FrameRounding = style.ScrollbarRounding = style.GrabRounding = kRounding;
  style.ScrollbarSize = kUnit;
  style.WindowMinSize = {1, 1};
  style.DisplaySafeAreaPadding = {0, 0};
  style.AntiAliasedLinesUseTex = true;
  for (ImVec4& color : style.Colors) color = vec(c.raised);
  style.Colors[ImGuiCol_Text] = vec(c.text);
  style.Colors[ImGuiCol_TextDisabled] = vec(c.muted);
  style.Colors[ImGuiCol_WindowBg] = style.Colors[ImGuiCol_ChildBg] = {0, 0, 0, 0};
  style.Colors[ImGuiCol_PopupBg] = vec(c.surface);
  style.Colors[ImGuiCol_FrameBg] = style.Colors[ImGuiCol_FrameBgHovered] = {0, 0, 0, 0};
  style.Colors[ImGuiCol_FrameBgActive] = {0, 0, 0, 0};
  style.Colors[ImGuiCol_TextSelectedBg] = vec(c.focus, 0.35f);
#if IMGUI_VERSION_NUM >= 19200
  style.Colors[ImGuiCol_InputTextCursor] = vec(c.text);
#endif
  style.Colors[ImGuiCol_Border] = vec(c.line);
  style.Colors[ImGuiCol_BorderShadow] = style.Colors[ImGuiCol_ScrollbarBg] = {0, 0, 0, 0};
  style.Colors[ImGuiCol_ScrollbarGrab] = vec(c.line);
  style.Colors[ImGuiCol_ScrollbarGrabHovered] = style.Colors[ImGuiCol_ScrollbarGrabActive] =
      vec(mixed(c.line, c.text, 0.3f));
}

ImU32 packed(Color color, float alpha) { return ImGui::ColorConvertFloat4ToU32(vec(color, alpha)); }

ImVec2 measure(Face face, float size, std::string_view text) {
  const std::string shown = displayable(text);
  const float exact = quantised(size);
  return fontFor(face, size)->CalcTextSizeA(exact, 1e9f, 0, shown.data(), shown.data() + shown.size());
}

void drawText(ImDrawList& list, Face face, float size, ImVec2 at, Color color, std::string_view text, float alpha) {
  const std::string shown = displayable(text);
  if (shown.empty()) return;
  list.AddText(fontFor(face, size), quantised(size), at, packed(color, alpha), shown.data(),
               shown.data() + shown.size());
}

bool faceHas(char32_t code) { return code >= 0x20 && code != 0x7F && hasGlyph(static_cast<ImWchar>(code)); }

}  // namespace attn::ui
