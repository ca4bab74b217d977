// The page's side of the program: plain C functions that web/core.js calls. The page owns the loop, the canvas and every
// browser concern; here are only the Application and the strings that cross the border.
#include <emscripten.h>
#include <emscripten/html5.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "app/action.h"
#include "app/api.h"
#include "app/explain.h"
#include "app/link.h"
#include "imgui.h"
#include "imgui_internal.h"
#include "io/json_writer.h"
#include "io/language.h"
#include "lesson/trace_json.h"
#include "platform/application.h"
#include "platform/keys.h"
#include "platform/text_engine.h"
#include "platform/touch.h"
#include "ui/mirror.h"

namespace {

using namespace attn;

// Counts changes of what crosses the border; web/core.js holds the same number and asks for a reload when they differ.
constexpr int kInterface = 13;

enum Request { kCopy = 1, kOpenFile = 2, kSaveFile = 4, kLoadRest = 8, kPlaySound = 16 };

struct Page {
  platform::Application application;
  platform::Touch touch{application};
  platform::FrameInfo size;
  std::string answer;  // the string that the last call returned
  std::string clipboard;
  std::string saved_name, saved_bytes;  // the file of the last kSaveFile or kPlaySound,
  int saved_scale = 0;                  // an SVG that becomes pixels, so many times as large; 0: as it is
  int requests = 0;
};
std::unique_ptr<Page> page;
std::string language = "en";  // its code

const char* give(std::string text) {
  page->answer = std::move(text);
  return page->answer.c_str();
}

const char* give(const core::Check& check) { return give(check ? check->message : ""); }

void answer(const app::Action& action) {
  page->application.session.dispatch(action);
  page->application.poke();
}

const char* readClipboard() { return page->clipboard.c_str(); }
void writeClipboard(const char* text) {
  page->clipboard = text;
  page->requests |= kCopy;
}

// The clipboard's place in ImGui moved between the versions that we build with.
template <class Context>
void connectClipboard(Context& context) {
  if constexpr (requires { context.PlatformIO.Platform_SetClipboardTextFn; }) {
    context.PlatformIO.Platform_SetClipboardTextFn = [](Context*, const char* text) { writeClipboard(text); };
    context.PlatformIO.Platform_GetClipboardTextFn = [](Context*) { return readClipboard(); };
  } else {
    context.IO.SetClipboardTextFn = [](void*, const char* text) { writeClipboard(text); };
    context.IO.GetClipboardTextFn = [](void*) { return readClipboard(); };
  }
}

void setModifiers(int modifiers) {
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiMod_Shift, modifiers & platform::kShift);
  io.AddKeyEvent(ImGuiMod_Ctrl, modifiers & platform::kControl);
  io.AddKeyEvent(ImGuiMod_Alt, modifiers & platform::kAlt);
  io.AddKeyEvent(ImGuiMod_Super, modifiers & platform::kMeta);
}

// ImGui forgets a loss of the focus when the focus is back before its next frame, so each key is let go by name.
void releaseKeys() {
  setModifiers(0);
  for (int key = ImGuiKey_Keyboard_BEGIN; key < ImGuiKey_Keyboard_END; ++key) {
    ImGui::GetIO().AddKeyEvent(static_cast<ImGuiKey>(key), false);
  }
}

}  // namespace

#define ATTN_EXPORT extern "C" EMSCRIPTEN_KEEPALIVE

ATTN_EXPORT int attn_interface() { return kInterface; }

// Drawing.

ATTN_EXPORT int attn_start_graphics() {
  EmscriptenWebGLContextAttributes attributes;
  emscripten_webgl_init_context_attributes(&attributes);
  attributes.majorVersion = 2;
  attributes.alpha = attributes.depth = attributes.stencil = attributes.antialias = false;
  attributes.preserveDrawingBuffer = true;
  static const EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context = emscripten_webgl_create_context("#stage", &attributes);
  if (context <= 0 || emscripten_webgl_make_context_current(context) != EMSCRIPTEN_RESULT_SUCCESS) return 0;
  return page->application.startGraphics();
}
ATTN_EXPORT void attn_lose_graphics() { page->application.loseGraphics(); }

ATTN_EXPORT void attn_resize(double width, double height, int pixel_width, int pixel_height) {
  page->size.width = static_cast<float>(width);
  page->size.height = static_cast<float>(height);
  page->size.pixel_width = pixel_width;
  page->size.pixel_height = pixel_height;
  page->application.poke();
}

ATTN_EXPORT void attn_environment(int dark, int reduced_motion, int forced_colors, int coarse_pointer, int mac) {
  auto& environment = page->application.view.environment;
  environment.system_dark = dark;
  environment.reduced_motion = reduced_motion;
  environment.forced_colors = forced_colors;
  environment.coarse_pointer = coarse_pointer;
  ImGui::GetIO().ConfigMacOSXBehaviors = mac;
  page->application.poke();
}

// Lays out one frame. When to lay out the next: −1 when something happens, else in so many seconds.
ATTN_EXPORT double attn_frame(double seconds) {
  page->size.seconds = seconds;
  const platform::Wake wake = page->application.frame(page->size);
  if (wake.kind == platform::Wake::kOnEvent) return -1;
  return wake.kind == platform::Wake::kNow ? 0 : wake.seconds;
}
// Paints what the last frame laid out.
ATTN_EXPORT void attn_paint() { page->application.paint(page->size); }
ATTN_EXPORT int attn_input_waits() { return ImGui::GetCurrentContext()->InputEventsQueue.Size > 0; }
ATTN_EXPORT void attn_poke() { page->application.poke(); }
ATTN_EXPORT double attn_frames() { return static_cast<double>(page->application.frames); }
ATTN_EXPORT double attn_revision() { return static_cast<double>(page->application.session.revision()); }
ATTN_EXPORT int attn_playing() { return page->application.session.playback().playing; }

// Pointer, fingers, keys. Modifiers: platform::Modifier.

ATTN_EXPORT void attn_pointer(double x, double y, int modifiers) {
  setModifiers(modifiers);
  ImGui::GetIO().AddMouseSourceEvent(ImGuiMouseSource_Mouse);
  ImGui::GetIO().AddMousePosEvent(static_cast<float>(x), static_cast<float>(y));
  page->application.poke();
}
ATTN_EXPORT void attn_pointer_leave() {
  ImGui::GetIO().AddMousePosEvent(-FLT_MAX, -FLT_MAX);
  page->application.poke();
}
ATTN_EXPORT void attn_pointer_button(int button, int down) {
  ImGui::GetIO().AddMouseButtonEvent(button, down != 0);
  page->application.poke();
}
ATTN_EXPORT void attn_wheel(double x, double y, int modifiers) {
  setModifiers(modifiers);
  ImGui::GetIO().AddMouseWheelEvent(static_cast<float>(x), static_cast<float>(y));
  page->application.poke();
}
ATTN_EXPORT void attn_touch(int kind, int id, double x, double y, double now) {
  const float fx = static_cast<float>(x), fy = static_cast<float>(y);
  if (kind == 0) page->touch.down(id, fx, fy, now);
  if (kind == 1) page->touch.move(id, fx, fy);
  if (kind == 2) page->touch.up(id, now);
  if (kind == 3) page->touch.cancel();
}
ATTN_EXPORT void attn_key(const char* name, int down, int modifiers) {
  setModifiers(platform::modifiersOf(name, modifiers));
  if (const ImGuiKey key = platform::keyFromDomName(name)) ImGui::GetIO().AddKeyEvent(key, down != 0);
  page->application.poke();
}
ATTN_EXPORT int attn_wants_text() { return ImGui::GetIO().WantTextInput; }
// The field that is being written in, "" for none.
ATTN_EXPORT const char* attn_written_control() { return page->application.view.edited.c_str(); }
// What stands in it, and its selection in bytes of UTF-8, the caret at "to"; and what should stand there instead.
ATTN_EXPORT const char* attn_edited_text() { return page->application.view.edited_text.text.c_str(); }
ATTN_EXPORT int attn_edited_from() { return page->application.view.edited_text.from; }
ATTN_EXPORT int attn_edited_to() { return page->application.view.edited_text.to; }
ATTN_EXPORT void attn_edit(const char* text, int from, int to) {
  auto& view = page->application.view;
  if (!view.edited.empty()) view.edit_asked = {text, from, to};
  page->application.poke();
}
ATTN_EXPORT int attn_cursor() { return ImGui::GetMouseCursor(); }

// 1: the canvas has the page's focus; 0: it has not. Losing it lets go of every key.
ATTN_EXPORT void attn_focus(int focused) {
  if (!focused) releaseKeys();
  ImGui::GetIO().AddFocusEvent(focused != 0);
  page->application.view.stage_focused = focused;
  page->application.poke();
}
// Whether the stage, when it has the focus, shows so.
ATTN_EXPORT void attn_show_focus(int visible) { page->application.view.keyboard = visible; }
// The control whose mirror element has the page's focus, "" for none.
ATTN_EXPORT void attn_focus_control(const char* id) {
  page->application.recorder.focused = id;
  page->application.poke();
}
ATTN_EXPORT void attn_activate(const char* id) {
  page->application.recorder.activate(id);
  page->application.poke();
}
ATTN_EXPORT void attn_set_value(const char* id, double value) {
  page->application.recorder.setValue(id, value);
  page->application.poke();
}
ATTN_EXPORT void attn_set_text(const char* id, const char* text) {
  page->application.recorder.setText(id, text);
  page->application.poke();
}
// An arrow key on a handle: steps to the right and up.
ATTN_EXPORT void attn_nudge(const char* id, int x, int y) {
  page->application.recorder.nudge(id, x, y);
  page->application.poke();
}

// What the screen asked of the page since the last call: bits of Request.
ATTN_EXPORT int attn_requests() {
  if (std::exchange(page->application.view.asks_for_rest, false)) page->requests |= kLoadRest;
  if (std::string& sound = page->application.view.sound; !sound.empty()) {
    page->saved_bytes = std::exchange(sound, "");
    page->requests |= kPlaySound;
  }
  return std::exchange(page->requests, 0);
}
ATTN_EXPORT const char* attn_saved_name() { return page->saved_name.c_str(); }
ATTN_EXPORT const char* attn_saved_bytes() { return page->saved_bytes.data(); }
ATTN_EXPORT int attn_saved_size() { return static_cast<int>(page->saved_bytes.size()); }
ATTN_EXPORT int attn_saved_scale() { return page->saved_scale; }
ATTN_EXPORT const char* attn_clipboard() { return page->clipboard.c_str(); }

// What is shown, in words and data. The strings stay until the next call.

ATTN_EXPORT const char* attn_mirror() {
  const auto& application = page->application;
  return give(ui::mirrorJson(application.session, application.view, application.recorder));
}
ATTN_EXPORT const char* attn_layout() { return give(ui::layoutJson(page->application.recorder)); }
ATTN_EXPORT const char* attn_state() { return give(app::stateJson(page->application.session)); }
ATTN_EXPORT const char* attn_text() { return give(app::plainText(page->application.session)); }
ATTN_EXPORT const char* attn_notice() { return give(page->application.session.notice()); }
ATTN_EXPORT const char* attn_link() {
  return give(app::linkOf(page->application.session).link);
}
ATTN_EXPORT const char* attn_trace() {
  const auto& session = page->application.session;
  return give(lesson::traceJson(session.example(), session.trace()));
}

// Requests from outside: "" when done, else why not.

ATTN_EXPORT const char* attn_dispatch(const char* json) {
  auto action = app::parseAction(json);
  if (!action) return give(action.error().message);
  return give(page->application.dispatch(action.value()));
}
ATTN_EXPORT const char* attn_load_link(const char* link) {
  return give(page->application.dispatch(app::action::LoadLink{link}));
}
// The file that the last link asks for with doc=…, "" when none is awaited.
ATTN_EXPORT const char* attn_document_file() { return give(page->application.session.documentFile()); }
ATTN_EXPORT const char* attn_open(const char* bytes, int size, const char* name) {
  // Only malloc reports a failure here, so it is asked for what parsing may need before anything is begun.
  void* room = std::malloc(static_cast<std::size_t>(size) * 4);
  if (!room && size > 0) return give(tr("There is not enough memory to open {0}; open a smaller one.", {name}));
  std::free(room);
  return give(page->application.open(std::string(bytes, static_cast<std::size_t>(size)), name));
}
// Whether a file is a document, by its beginning or the whole of it; else it holds arrays, and the worker opens it.
ATTN_EXPORT int attn_is_document(const char* bytes, int size) {
  return lesson::isDocument({bytes, static_cast<std::size_t>(size)});
}
// What the worker opened and what it could not: see OpenArrays.
ATTN_EXPORT void attn_open_arrays(const char* label, int other, const char* refused) {
  answer(app::action::OpenArrays{label, other != 0, refused});
}
ATTN_EXPORT int attn_files_go_to_other() { return page->application.session.filesGoToOther(); }
ATTN_EXPORT void attn_notify(const char* sentence) {
  page->application.session.notify(sentence);
  page->application.poke();
}

// The other half of the program: "" when it is there, else why it is not.
ATTN_EXPORT void attn_rest(const char* failure) {
  auto& environment = page->application.view.environment;
  environment.rest_loaded = *failure == '\0';
  environment.rest_failure = failure;
  page->application.poke();
}

// Scenes: what should be computed, and what has come of it.

// 0 when nothing is asked for.
ATTN_EXPORT double attn_scene_ticket() {
  const auto& request = page->application.session.sceneRequest();
  return request ? static_cast<double>(request->ticket) : 0;
}
ATTN_EXPORT const char* attn_scene_id() { return page->application.session.sceneRequest()->id.c_str(); }
// {"key": "value", …}
ATTN_EXPORT const char* attn_scene_settings() {
  io::JsonWriter json;
  json.beginObject();
  for (const auto& [key, value] : page->application.session.sceneRequest()->settings) json.name(key).text(value);
  json.endObject();
  return give(json.take());
}
// 0: it meant nothing any more.
ATTN_EXPORT int attn_scene_page(double ticket, const char* json) {
  const auto before = page->application.session.page();
  answer(app::action::ScenePage{static_cast<unsigned long>(ticket), json});
  return page->application.session.page() != before;
}
ATTN_EXPORT void attn_scene_failed(double ticket, const char* sentence, int refused) {
  answer(app::action::SceneFailed{static_cast<unsigned long>(ticket), sentence, refused != 0});
}
ATTN_EXPORT void attn_scene_progress(double ticket, double done) {
  answer(app::action::SceneProgress{static_cast<unsigned long>(ticket), done});
}

// What this person prefers, kept by the page between visits. Theme: 0 as the system, 1 light, 2 dark.

ATTN_EXPORT void attn_set_preferences(int theme, double text_scale, int letter_keys, int sounds) {
  auto& view = page->application.view;
  view.theme = theme == 1 ? ui::Theme::kLight : theme == 2 ? ui::Theme::kDark : ui::Theme::kSystem;
  if (text_scale >= 0.8 && text_scale <= 2) view.text_scale = static_cast<float>(text_scale);
  view.letter_keys = letter_keys;
  view.sounds = view.asks_for_rest = sounds;  // so that the key finds what it needs
  page->application.poke();
}
ATTN_EXPORT const char* attn_language() { return page->application.view.language.c_str(); }
ATTN_EXPORT int attn_theme() { return static_cast<int>(page->application.view.theme); }
ATTN_EXPORT double attn_text_scale() { return page->application.view.text_scale; }
ATTN_EXPORT int attn_letter_keys() { return page->application.view.letter_keys; }
ATTN_EXPORT int attn_sounds() { return page->application.view.sounds; }
ATTN_EXPORT double attn_speed() { return page->application.session.playback().steps_per_second; }

// Where this person has been: ids with commas between, and the link of the last moment of an earlier visit.
ATTN_EXPORT void attn_set_history(const char* visited, const char* resume) {
  auto& view = page->application.view;
  std::string_view rest = visited;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    if (end > 0) view.visited.emplace(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  view.resume_link = resume;
  page->application.poke();
}
// For a first visit that brought no link.
ATTN_EXPORT void attn_begin_tour() {
  page->application.view.tour = 1;
  page->application.poke();
}
ATTN_EXPORT const char* attn_visited() {
  std::string ids;
  for (const std::string& id : page->application.view.visited) ids += (ids.empty() ? "" : ",") + id;
  return give(std::move(ids));
}

// The notebook, kept by the page between visits; it changes only when the revision does.
ATTN_EXPORT void attn_set_notebook(const char* json) {
  page->application.session.restoreNotebook(json);
  page->application.poke();
}
ATTN_EXPORT const char* attn_notebook() { return give(page->application.session.notebook().json()); }
// 1: the open scene has a field that takes a text which is no document.
ATTN_EXPORT int attn_takes_text() { return page->application.session.takesText(); }

// Before everything else: the code of the language, and its table. English has none.
ATTN_EXPORT void attn_set_language(const char* code, const char* json) {
  auto table = io::readTranslations(json);
  if (!table) return;
  core::setTranslations(table.take());
  language = code;
}
ATTN_EXPORT void attn_start(const char* address) {
  page = std::make_unique<Page>();
  ui::setTextEngine(platform::drawWithTextEngine);
  auto& view = page->application.view;
  page->size.picture_stays = true;
  view.environment.page_owns_focus = true;
  view.environment.rest_loaded = false;
  view.stage_focused = false;
  view.link_base = address;
  view.language = language;
  view.open_file = [] { page->requests |= kOpenFile; };
  view.save_picture = [](const std::string& name, const std::string& bytes, int scale) {
    page->saved_name = name;
    page->saved_bytes = bytes;
    page->saved_scale = scale;
    page->requests |= kSaveFile;
  };
  view.save_file = [](const std::string& name, const std::string& bytes) { page->application.view.save_picture(name, bytes, 0); };
  view.plays_sounds = true;
  connectClipboard(*ImGui::GetCurrentContext());
}
