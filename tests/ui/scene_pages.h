// Pages of a scene made by hand: every kind of block and of control once, and one that is crowded.
#pragma once
#include "lesson/page.h"
#include "ui/harness.h"

namespace attn::test {

// Under the name of a scene that there is.
inline constexpr const char* kScene = "why-context";

lesson::Page everyBlock();
lesson::Page crowdedPage();

// As if it had just been computed for what is set now.
void answer(Screen& screen, lesson::Page page);
void openPage(Screen& screen, const lesson::Page& page);

// The page with everything, on a screen so tall that every control is in view.
struct EveryBlockScreen : Screen {
  EveryBlockScreen();
  void type(const char* text);
};

// What is set, "" when it is the preset.
std::string setting(const Screen& screen, std::string_view key);

}  // namespace attn::test
