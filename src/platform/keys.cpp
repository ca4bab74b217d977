// Names of keys, from the characters they write and from the page's KeyboardEvent.key, as ImGui's keys.
#include "platform/keys.h"

namespace attn::platform {
namespace {

struct Written {
  unsigned character;
  ImGuiKey key;
};
constexpr Written kPunctuation[] = {
    {' ', ImGuiKey_Space},        {',', ImGuiKey_Comma},       {'<', ImGuiKey_Comma},     {'.', ImGuiKey_Period},
    {'>', ImGuiKey_Period},       {'/', ImGuiKey_Slash},       {'?', ImGuiKey_Slash},     {'[', ImGuiKey_LeftBracket},
    {']', ImGuiKey_RightBracket}, {'-', ImGuiKey_Minus},       {'_', ImGuiKey_Minus},     {'=', ImGuiKey_Equal},
    {'+', ImGuiKey_Equal},        {'\'', ImGuiKey_Apostrophe}, {';', ImGuiKey_Semicolon}, {'\\', ImGuiKey_Backslash},
};

struct Named {
  std::string_view name;
  ImGuiKey key;
};
constexpr Named kNamed[] = {
    {"ArrowLeft", ImGuiKey_LeftArrow}, {"ArrowRight", ImGuiKey_RightArrow}, {"ArrowUp", ImGuiKey_UpArrow},
    {"ArrowDown", ImGuiKey_DownArrow}, {"PageUp", ImGuiKey_PageUp},         {"PageDown", ImGuiKey_PageDown},
    {"Home", ImGuiKey_Home},           {"End", ImGuiKey_End},               {"Insert", ImGuiKey_Insert},
    {"Delete", ImGuiKey_Delete},       {"Backspace", ImGuiKey_Backspace},   {"Enter", ImGuiKey_Enter},
    {"Escape", ImGuiKey_Escape},       {"F1", ImGuiKey_F1},                 {"F2", ImGuiKey_F2},
    {"F3", ImGuiKey_F3},               {"F4", ImGuiKey_F4},
};

}  // namespace

ImGuiKey keyFromCharacter(unsigned character) {
  if (character >= 'a' && character <= 'z') return static_cast<ImGuiKey>(ImGuiKey_A + (character - 'a'));
  if (character >= 'A' && character <= 'Z') return static_cast<ImGuiKey>(ImGuiKey_A + (character - 'A'));
  if (character >= '0' && character <= '9') return static_cast<ImGuiKey>(ImGuiKey_0 + (character - '0'));
  for (const auto& entry : kPunctuation) {
    if (entry.character == character) return entry.key;
  }
  return ImGuiKey_None;
}

ImGuiKey keyFromDomName(std::string_view name) {
  if (name.size() == 1) return keyFromCharacter(static_cast<unsigned char>(name[0]));
  for (const auto& entry : kNamed) {
    if (entry.name == name) return entry.key;
  }
  return ImGuiKey_None;
}

int modifiersOf(std::string_view name, int modifiers) {
  if (name == "?") return modifiers | kShift;
  const bool letter = name.size() == 1 && ((name[0] | 32) >= 'a' && (name[0] | 32) <= 'z');
  return name.size() != 1 || letter || name == " " ? modifiers : modifiers & ~kShift;
}

}  // namespace attn::platform
