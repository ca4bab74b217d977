// The scenes as a module of their own, for the page's worker: settings in, a page as JSON out; the files that the page about
// them reads, and what the worker has fetched of web/data. Draws nothing and knows no session.
#include <emscripten.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "desk/desk.h"
#include "io/array_json.h"
#include "io/json.h"
#include "io/json_writer.h"
#include "io/language.h"
#include "scene/answer.h"

// Given by web/scene_worker.js.
EM_JS(void, report_progress, (double done), { Module['progress'](done); });
// Bytes of a file of the browser from an offset on; false when they cannot be had.
EM_JS(int, read_file, (int file, double offset, void* into, int size), { return Module['read'](file, offset, into, size); });
EM_JS(void, close_file, (int file), { Module['close'](file); });

namespace {

using namespace attn;

// Counts changes of what crosses the border; web/scenes.js holds the same number.
constexpr int kSceneInterface = 5;

class BrowserFile final : public io::ByteSource {
 public:
  BrowserFile(std::string name, int file, double size)
      : name_(std::move(name)), file_(file), size_(static_cast<std::uint64_t>(size)) {}
  BrowserFile(const BrowserFile&) = delete;
  BrowserFile& operator=(const BrowserFile&) = delete;
  ~BrowserFile() override { close_file(file_); }

  std::uint64_t size() const override { return size_; }
  core::Check read(std::uint64_t offset, std::span<std::byte> into) const override {
    if (into.empty() || read_file(file_, static_cast<double>(offset), into.data(), static_cast<int>(into.size()))) return {};
    return core::Error{tr("{0} cannot be read; it has changed or is gone, or it is a folder. Open it again.", {name_})};
  }

 private:
  std::string name_;
  int file_;
  std::uint64_t size_;
};

desk::Desk the_desk;
std::vector<opened::NamedSource> given;  // to be opened together
std::string result;
bool failed = false;

lesson::Settings settingsIn(std::string_view json) {
  lesson::Settings settings;
  const auto parsed = io::parseJson(json);
  const auto* members = parsed ? parsed.value().as<io::Json::Members>() : nullptr;
  if (!members) return settings;
  for (const io::JsonMember& member : *members)
    if (const auto* text = member.value.as<std::string>()) settings.emplace_back(member.name, *text);
  return settings;
}

core::Result<std::string> answer(std::string_view id, const lesson::Settings& settings) {
  const auto scene = the_desk.find(id);
  if (!scene) return scene.error();
  return scene::answer(scene.value(), settings, [](double done) { return report_progress(done), true; });
}

// Whether the last page waited for this and waits for nothing any more.
template <class Come>
int completes(Come come) {
  const bool waited = !the_desk.models.wanted().empty();
  come();
  return waited && the_desk.models.wanted().empty();
}

}  // namespace

#define ATTN_EXPORT extern "C" EMSCRIPTEN_KEEPALIVE

ATTN_EXPORT int scenes_interface() { return kSceneInterface; }

// Before everything else: the table of a language; without one it is English.
ATTN_EXPORT void scenes_set_language(const char* json) {
  if (auto table = io::readTranslations(json)) core::setTranslations(table.take());
}

// The page, or a sentence when scenes_failed(). The text stays until the next call. `again`: not because a person asked.
ATTN_EXPORT const char* scenes_run(const char* id, const char* settings, int again) {
  the_desk.models.wantNothing();
  if (!again) the_desk.models.retry();
  auto answered = answer(id, settingsIn(settings));
  failed = !answered;
  result = failed ? answered.error().message : answered.take();
  return result.c_str();
}
ATTN_EXPORT int scenes_failed() { return failed; }

// Files of arrays: given one by one under numbers of the worker's, then opened together, 1 for those to be compared with.
// {"label": "", "added": false, "sentences": []}.
ATTN_EXPORT void scenes_give(const char* name, int file, double size) {
  given.push_back({name, std::make_unique<BrowserFile>(name, file, size)});
}
ATTN_EXPORT const char* scenes_open(int other) {
  const auto outcome = the_desk.files.open(other ? survey::Slot::kOther : survey::Slot::kMain, std::exchange(given, {}));
  io::JsonWriter json;
  json.beginObject().name("label").text(outcome.label).name("added").flag(outcome.added).name("sentences").beginList();
  for (const std::string& sentence : outcome.sentences) json.text(sentence);
  json.endList().endObject();
  result = json.take();
  return result.c_str();
}
// Reads on for a moment; 1 when something has become known that the last page would show.
ATTN_EXPORT int scenes_step() { return the_desk.files.step(); }
ATTN_EXPORT int scenes_wanting() { return the_desk.files.isWanting(); }

// Files of web/data that the last page waits for, as a list of their paths. Both calls about one give 1 when the page can be
// computed again.
ATTN_EXPORT const char* scenes_wanted() {
  io::JsonWriter json;
  io::writeList(json, the_desk.models.wanted());
  result = json.take();
  return result.c_str();
}
ATTN_EXPORT int scenes_bring(const char* path, const char* bytes, int size) {
  return completes([&] { the_desk.models.give(path, std::string(bytes, static_cast<std::size_t>(size))); });
}
ATTN_EXPORT int scenes_refuse(const char* path, const char* sentence) {
  return completes([&] { the_desk.models.refuse(path, sentence); });
}
