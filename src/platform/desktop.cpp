// The window of the desktop program, by GLFW. ImGui sees CSS pixels: what the system calls a window coordinate is
// divided by what it calls the content scale.
#include "platform/desktop.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "core/language.h"
#include "disk/file.h"
#include "disk/recent.h"
#include "imgui.h"
#include "imgui_internal.h"
#include "platform/application.h"
#include "platform/files.h"
#include "platform/keys.h"
#include "platform/opening.h"
#include "platform/scenes.h"
#include "platform/text_engine.h"

namespace attn::platform {
namespace {

using core::Error;

struct CloseWindow {
  void operator()(GLFWwindow* window) const { glfwDestroyWindow(window), glfwTerminate(); }
};
using Window = std::unique_ptr<GLFWwindow, CloseWindow>;

// What GLFW's callbacks find behind the window.
struct Desktop {
  Application application;
  Files files{application.view, disk::recentFile()};
  SceneThread scenes{glfwPostEmptyEvent};
  GLFWcursor* cursors[ImGuiMouseCursor_COUNT] = {};
};

Desktop& desktopOf(GLFWwindow* window) { return *static_cast<Desktop*>(glfwGetWindowUserPointer(window)); }

// Window coordinates per CSS pixel: 1 where the system scales windows itself, the content scale elsewhere.
float coordinateScale(GLFWwindow* window) {
  int width = 0, height = 0, pixel_width = 0, pixel_height = 0;
  float scale = 1;
  glfwGetWindowSize(window, &width, &height);
  glfwGetFramebufferSize(window, &pixel_width, &pixel_height);
  glfwGetWindowContentScale(window, &scale, nullptr);
  const float pixels_per_coordinate = width > 0 ? static_cast<float>(pixel_width) / width : 1;
  return std::max(0.25f, scale / pixels_per_coordinate);
}

ImGuiKey keyOf(int key, int scancode) {
  if (const char* name = glfwGetKeyName(key, scancode); name && name[0] != '\0' && name[1] == '\0') {
    if (const ImGuiKey written = keyFromCharacter(static_cast<unsigned char>(name[0]))) return written;
  }
  switch (key) {
    case GLFW_KEY_SPACE: return ImGuiKey_Space;
    case GLFW_KEY_TAB: return ImGuiKey_Tab;
    case GLFW_KEY_LEFT: return ImGuiKey_LeftArrow;
    case GLFW_KEY_RIGHT: return ImGuiKey_RightArrow;
    case GLFW_KEY_UP: return ImGuiKey_UpArrow;
    case GLFW_KEY_DOWN: return ImGuiKey_DownArrow;
    case GLFW_KEY_PAGE_UP: return ImGuiKey_PageUp;
    case GLFW_KEY_PAGE_DOWN: return ImGuiKey_PageDown;
    case GLFW_KEY_HOME: return ImGuiKey_Home;
    case GLFW_KEY_END: return ImGuiKey_End;
    case GLFW_KEY_INSERT: return ImGuiKey_Insert;
    case GLFW_KEY_DELETE: return ImGuiKey_Delete;
    case GLFW_KEY_BACKSPACE: return ImGuiKey_Backspace;
    case GLFW_KEY_ENTER: return ImGuiKey_Enter;
    case GLFW_KEY_KP_ENTER: return ImGuiKey_KeypadEnter;
    case GLFW_KEY_ESCAPE: return ImGuiKey_Escape;
    case GLFW_KEY_F1: return ImGuiKey_F1;
    default: return ImGuiKey_None;
  }
}

void onKey(GLFWwindow* window, int key, int scancode, int action, int) {
  if (action == GLFW_REPEAT) return desktopOf(window).application.poke();
  ImGuiIO& io = ImGui::GetIO();
  const auto held = [&](int left, int right) {
    return glfwGetKey(window, left) == GLFW_PRESS || glfwGetKey(window, right) == GLFW_PRESS;
  };
  io.AddKeyEvent(ImGuiMod_Ctrl, held(GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL));
  io.AddKeyEvent(ImGuiMod_Shift, held(GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT));
  io.AddKeyEvent(ImGuiMod_Alt, held(GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT));
  io.AddKeyEvent(ImGuiMod_Super, held(GLFW_KEY_LEFT_SUPER, GLFW_KEY_RIGHT_SUPER));
  if (const ImGuiKey known = keyOf(key, scancode)) io.AddKeyEvent(known, action == GLFW_PRESS);
  desktopOf(window).application.poke();
}

void onCharacter(GLFWwindow* window, unsigned character) {
  ImGui::GetIO().AddInputCharacter(character);
  desktopOf(window).application.poke();
}

void onPointer(GLFWwindow* window, double x, double y) {
  const float scale = coordinateScale(window);
  ImGui::GetIO().AddMousePosEvent(static_cast<float>(x) / scale, static_cast<float>(y) / scale);
  desktopOf(window).application.poke();
}

void onPointerEnter(GLFWwindow* window, int entered) {
  if (!entered) ImGui::GetIO().AddMousePosEvent(-FLT_MAX, -FLT_MAX);
  desktopOf(window).application.poke();
}

void onButton(GLFWwindow* window, int button, int action, int) {
  if (button < ImGuiMouseButton_COUNT) ImGui::GetIO().AddMouseButtonEvent(button, action == GLFW_PRESS);
  desktopOf(window).application.poke();
}

void onWheel(GLFWwindow* window, double x, double y) {
  ImGui::GetIO().AddMouseWheelEvent(static_cast<float>(x), static_cast<float>(y));
  desktopOf(window).application.poke();
}

void onFocus(GLFWwindow* window, int focused) {
  ImGui::GetIO().AddFocusEvent(focused != 0);
  desktopOf(window).application.poke();
}

// Arrays are opened on the thread that computes, and come with a wake.
ArrayOpener openerOf(Desktop& desktop) {
  return [&desktop](Opening opening) {
    desktop.scenes.open(std::move(opening));
    return core::Check();
  };
}

DocumentListener listenerOf(Desktop& desktop) {
  return [&desktop](const std::string& path) {
    desktop.files.openedDocument(path, desktop.application.session.state().example);
  };
}

void open(Desktop& desktop, const std::vector<std::string>& paths) {
  if (const auto failed = openFiles(desktop.application, paths, "", openerOf(desktop), listenerOf(desktop)))
    desktop.application.session.notify(failed->message);
  desktop.application.poke();
}

void onDrop(GLFWwindow* window, int count, const char** paths) { open(desktopOf(window), {paths, paths + count}); }

void onRefresh(GLFWwindow* window) { desktopOf(window).application.poke(); }
void onResize(GLFWwindow* window, int, int) { desktopOf(window).application.poke(); }

void listen(GLFWwindow* window) {
  glfwSetKeyCallback(window, onKey);
  glfwSetCharCallback(window, onCharacter);
  glfwSetCursorPosCallback(window, onPointer);
  glfwSetCursorEnterCallback(window, onPointerEnter);
  glfwSetMouseButtonCallback(window, onButton);
  glfwSetScrollCallback(window, onWheel);
  glfwSetWindowFocusCallback(window, onFocus);
  glfwSetDropCallback(window, onDrop);
  glfwSetWindowRefreshCallback(window, onRefresh);
  glfwSetFramebufferSizeCallback(window, onResize);
}

// The clipboard's place in ImGui moved between the versions that we build with.
template <class Context>
void connectClipboard(Context& context, GLFWwindow* window) {
  if constexpr (requires { context.PlatformIO.Platform_SetClipboardTextFn; }) {
    context.PlatformIO.Platform_ClipboardUserData = window;
    context.PlatformIO.Platform_SetClipboardTextFn = [](Context* c, const char* text) {
      glfwSetClipboardString(static_cast<GLFWwindow*>(c->PlatformIO.Platform_ClipboardUserData), text);
    };
    context.PlatformIO.Platform_GetClipboardTextFn = [](Context* c) {
      return glfwGetClipboardString(static_cast<GLFWwindow*>(c->PlatformIO.Platform_ClipboardUserData));
    };
  } else {
    context.IO.ClipboardUserData = window;
    context.IO.SetClipboardTextFn = [](void* w, const char* text) {
      glfwSetClipboardString(static_cast<GLFWwindow*>(w), text);
    };
    context.IO.GetClipboardTextFn = [](void* w) { return glfwGetClipboardString(static_cast<GLFWwindow*>(w)); };
  }
}

void makeCursors(Desktop& desktop) {
  desktop.cursors[ImGuiMouseCursor_Arrow] = glfwCreateStandardCursor(GLFW_ARROW_CURSOR);
  desktop.cursors[ImGuiMouseCursor_TextInput] = glfwCreateStandardCursor(GLFW_IBEAM_CURSOR);
  desktop.cursors[ImGuiMouseCursor_Hand] = glfwCreateStandardCursor(GLFW_HAND_CURSOR);
}

void showCursor(GLFWwindow* window, Desktop& desktop) {
  const ImGuiMouseCursor wanted = ImGui::GetMouseCursor();
  if (wanted < 0 || wanted >= ImGuiMouseCursor_COUNT) return;
  GLFWcursor* cursor = desktop.cursors[wanted];
  glfwSetCursor(window, cursor ? cursor : desktop.cursors[ImGuiMouseCursor_Arrow]);
}

Wake drawFrame(GLFWwindow* window, Desktop& desktop, double seconds) {
  int width = 0, height = 0;
  FrameInfo info;
  glfwGetWindowSize(window, &width, &height);
  glfwGetFramebufferSize(window, &info.pixel_width, &info.pixel_height);
  const float scale = coordinateScale(window);
  info.width = width / scale;
  info.height = height / scale;
  info.seconds = seconds;
  const Wake wake = desktop.application.frame(info);
  desktop.application.paint(info);
  glfwSwapBuffers(window);
  showCursor(window, desktop);
  return wake;
}

// Sleeps in the system until something happens or `wake` is due.
void loop(GLFWwindow* window, Desktop& desktop) {
  double last = glfwGetTime();
  while (!glfwWindowShouldClose(window)) {
    if (desktop.scenes.serve(desktop.application.session)) desktop.application.poke();
    desktop.files.opened(desktop.scenes.takeOpened());
    if (const auto asked = desktop.files.takeAsked(); !asked.empty()) open(desktop, asked);
    const double now = glfwGetTime();
    const Wake wake = drawFrame(window, desktop, now - last);
    last = now;
    if (wake.kind == Wake::kNow) glfwPollEvents();
    if (wake.kind == Wake::kAfter) glfwWaitEventsTimeout(std::max(0.001, wake.seconds));
    if (wake.kind == Wake::kOnEvent) glfwWaitEvents();
  }
}

// Into the folder that the program was started in.
void keepFiles(ui::ViewState& view) {
  view.save_file = [&view](const std::string& name, const std::string& bytes) {
    const auto kept = disk::keepFile(".", name, {reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()});
    view.said = kept ? tr("Saved as {0}.", {kept.value()}) : kept.error().message;
  };
}

core::Result<Window> openWindow() {
  const char* why = nullptr;
  if (!glfwInit()) {
    glfwGetError(&why);
    return Error{tr("No window can be opened here ({0}); `attnscope render` draws pictures without a display.",
                    {why ? why : tr("no display")})};
  }
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  Window window(glfwCreateWindow(1280, 800, "attnscope", nullptr, nullptr));
  if (!window) {
    glfwGetError(&why);
    const std::string reason = why ? why : tr("unknown reason");
    glfwTerminate();
    return Error{tr("No window with OpenGL 3.3 can be opened here ({0}); update the graphics driver.", {reason})};
  }
  return window;
}

}  // namespace

core::Check runWindow(const Options& options) {
  auto opened = openWindow();
  if (!opened) return opened.error();
  const Window window = opened.take();
  glfwMakeContextCurrent(window.get());
  glfwSwapInterval(1);
  ui::setTextEngine(drawWithTextEngine);
  Desktop desktop;
  if (auto failed = showMoment(desktop.application, options, openerOf(desktop), listenerOf(desktop))) return failed;
  if (!desktop.application.startGraphics()) {
    return Error{tr("The shaders do not compile on this OpenGL; update the graphics driver.")};
  }
  glfwSetWindowUserPointer(window.get(), &desktop);
  connectClipboard(*ImGui::GetCurrentContext(), window.get());
  keepFiles(desktop.application.view);
  makeCursors(desktop);
  listen(window.get());
  loop(window.get(), desktop);
  return std::nullopt;
}

}  // namespace attn::platform
