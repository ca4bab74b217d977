// The program's own screens, painted only where they change, against the same screens painted anew.
#include <doctest/doctest.h>

#include <random>
#include <string>

#include "canvas.h"
#include "imgui.h"
#include "platform/application.h"
#include "support/generated_documents.h"

using namespace attn;

namespace {

constexpr float kScreen = 700;

// What a person might do next, the same in every run.
void act(platform::Application& application, std::mt19937& random) {
  constexpr ImGuiKey kKeys[] = {ImGuiKey_RightArrow, ImGuiKey_RightArrow, ImGuiKey_End, ImGuiKey_M, ImGuiKey_Tab, ImGuiKey_E,
                                ImGuiKey_Equal};
  ImGuiIO& io = ImGui::GetIO();
  const auto place = [&] { return static_cast<float>(random() % static_cast<unsigned>(kScreen)); };
  const bool down = random() % 2 == 0;
  switch (random() % 5) {
    case 0: io.AddMousePosEvent(place(), place()); break;
    case 1: io.AddMouseButtonEvent(0, down); break;
    case 2: io.AddMouseWheelEvent(0, down ? 1 : -1); break;
    case 3: io.AddInputCharacter('a' + random() % 26); break;
    default: {
      const ImGuiKey key = kKeys[random() % std::size(kKeys)];
      io.AddKeyEvent(key, true);
      io.AddKeyEvent(key, false);
    }
  }
  application.poke();
}

bool matches(platform::Application& application, platform::FrameInfo info, test::Canvas& kept) {
  info.picture_stays = true;
  kept.bind();
  application.paint(info);
  kept.read();
  info.picture_stays = false;
  test::Canvas whole(info.pixel_width);
  application.paint(info);
  whole.read();
  return kept.pixels() == whole.pixels();
}

}  // namespace

TEST_CASE("painting only what changed makes every pixel that painting everything makes, at any pixel ratio") {
  const std::string documents[] = {"", test::longDocument()};
  for (const std::string& document : documents) {
    for (const float ratio : {1.0f, 1.25f, 2.0f}) {
      CAPTURE(document.size());
      CAPTURE(ratio);
      const int pixels = static_cast<int>(kScreen * ratio);
      const platform::FrameInfo info{kScreen, kScreen, pixels, pixels, 1.0 / 60};
      platform::Application application;
      test::Canvas kept(pixels);
      REQUIRE(application.startGraphics());
      if (!document.empty()) REQUIRE_FALSE(application.open(document, "document.json"));
      std::mt19937 random(7);
      for (int step = 0; step < 60; ++step) {
        CAPTURE(step);
        application.frame(info);
        REQUIRE(matches(application, info, kept));
        act(application, random);
      }
    }
  }
}
