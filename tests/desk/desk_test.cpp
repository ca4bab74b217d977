// Every scene by its id, and what a page wants of web/data from the shelf.
#include "desk/desk.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "io/base64.h"
#include "study/study.h"
#include "support/array_files.h"
#include "support/opened_pages.h"
#include "survey/survey.h"

namespace {

using namespace attn;

// What has been asked of a shelf that holds these files of web/data, and no others.
class Shelf {
 public:
  explicit Shelf(std::vector<std::string> paths) {
    for (const std::string& path : paths) bytes_[path] = test::arrayFile("../../../web/data/" + path);
  }
  desk::Shelf asked() {
    return [this](const std::string& path) -> std::optional<std::string_view> {
      asked_.push_back(path);
      const auto found = bytes_.find(path);
      return found == bytes_.end() ? std::nullopt : std::optional<std::string_view>(found->second);
    };
  }
  long times(const std::string& path) const { return std::count(asked_.begin(), asked_.end(), path); }

 private:
  std::map<std::string, std::string> bytes_;
  std::vector<std::string> asked_;
};

lesson::Page pageOf(desk::Desk& desk, const lesson::Settings& settings = {}, std::string_view id = study::kSceneId) {
  const auto scene = desk.find(id);
  REQUIRE(scene);
  auto page = scene::run(scene.value(), settings);
  REQUIRE_MESSAGE(page.ok(), (page ? "" : page.error().message));
  return page.take();
}

// Opens files of tests/data/checkpoint together.
survey::Files::Outcome open(desk::Desk& desk, const std::vector<std::string>& names) {
  std::vector<opened::NamedSource> sources;
  for (const std::string& name : names) sources.push_back({name, test::sourceOf(test::arrayFile("../checkpoint/" + name))});
  return desk.files.open(survey::Slot::kMain, std::move(sources));
}

const lesson::Param& paramOf(const lesson::Page& page, const std::string& key) {
  const auto found = std::find_if(page.params.begin(), page.params.end(), [&](const auto& param) { return param.key == key; });
  REQUIRE(found != page.params.end());
  return *found;
}

std::string wordsOf(const lesson::Page& page) {
  std::string words;
  for (const lesson::Block& block : page.blocks) {
    if (const auto* text = std::get_if<lesson::Words>(&block.content)) words += text->text + "\n";
    if (const auto* jump = std::get_if<lesson::Jump>(&block.content)) words += jump->label + " → " + jump->link + "\n";
  }
  return words;
}

const char* const kSamples[] = {"attention.npz", "weights.npy",  "cache.safetensors", "outputs.pt",
                                "weights.json",  "weights.csv", "document.json"};

// The button that gives a file to keep.
const lesson::Jump* savingOf(const lesson::Page& page) {
  for (const lesson::Block& block : page.blocks)
    if (const auto* jump = std::get_if<lesson::Jump>(&block.content); jump && !jump->file.empty()) return jump;
  return nullptr;
}

const lesson::Settings kOpened = {{"model", "opened"}};

bool isThere(const lesson::Page& page) {
  const auto found = std::find_if(page.results.begin(), page.results.end(), [](const auto& each) { return each.name == "there"; });
  REQUIRE(found != page.results.end());
  return std::get<bool>(found->value);
}

}  // namespace

TEST_CASE("A scene is found by its id, those about files and models too, and an unknown id is refused") {
  desk::Desk desk;
  for (const std::string_view id : {std::string_view("softmax"), survey::kSceneId, study::kSceneId}) {
    const auto found = desk.find(id);
    REQUIRE(found);
    CHECK(found.value().id == id);
  }
  const auto unknown = desk.find("nonsense");
  REQUIRE(!unknown);
  CHECK(unknown.error().message.find("`nonsense`") != std::string::npos);
}

TEST_CASE("A page takes what it wants from the shelf, each file once") {
  Shelf shelf({"model.json", "model.safetensors"});
  desk::Desk desk(shelf.asked());
  CHECK(isThere(pageOf(desk)));
  CHECK(isThere(pageOf(desk, {{"part", "head"}})));
  CHECK(shelf.times("model.safetensors") == 1);
  CHECK(shelf.times("model.json") == 1);
  CHECK(desk.models.wanted().empty());
}

TEST_CASE("What the shelf does not have is named on the page") {
  Shelf shelf({"model.json"});
  desk::Desk desk(shelf.asked());
  const lesson::Page page = pageOf(desk);
  CHECK(!isThere(page));
  CHECK(page.says.find("`model.safetensors`") != std::string::npos);
  CHECK(shelf.times("model.safetensors") == 1);
}

TEST_CASE("Without a shelf the page waits, and says what for") {
  desk::Desk desk;
  CHECK(!isThere(pageOf(desk)));
  const std::vector<std::string>& wanted = desk.models.wanted();
  CHECK(std::find(wanted.begin(), wanted.end(), "model.safetensors") != wanted.end());
}

TEST_CASE("Every sample opens from the shelf alone, whole: with its heads, or on the stage") {
  for (const char* name : kSamples) {
    CAPTURE(name);
    const std::string bytes = test::arrayFile("../../../web/data/samples/" + std::string(name));
    CHECK(bytes.size() < 24 * 1024);
    Shelf shelf({std::string("samples/") + name});
    desk::Desk desk(shelf.asked());
    const lesson::Page page = pageOf(desk, {{"sample", name}, {"walk", "1"}}, survey::kSceneId);
    CHECK(shelf.times(std::string("samples/") + name) == 1);
    const lesson::Jump* saving = savingOf(page);
    REQUIRE(saving);
    CHECK(saving->file == name);
    CHECK(io::fromBase64Url(saving->content).value() == bytes);
    if (std::string_view(name) == "document.json") {
      CHECK(page.document == bytes);
      continue;
    }
    CHECK(page.document.empty());
    CHECK(page.says.find("`" + std::string(name) + "`") == 0);
    CHECK(page.says.find("20 destinations × 20 sources") != std::string::npos);
    for (const char* part : {"heads", "head", "audit"}) pageOf(desk, {{"sample", name}, {"part", part}}, survey::kSceneId);
  }
}

TEST_CASE("A sample stands in the place of what is open while it is looked at") {
  Shelf shelf({"samples/attention.npz", "samples/weights.npy", "model.json", "model.safetensors"});
  desk::Desk desk(shelf.asked());
  open(desk, {"model.safetensors", "vocab.json", "merges.txt", "config.json"});
  const lesson::Page own = pageOf(desk, {}, survey::kSceneId);
  CHECK(pageOf(desk, {{"sample", "attention.npz"}}, survey::kSceneId).says.find("`attention.npz`") == 0);
  CHECK(pageOf(desk, {{"sample", "weights.npy"}}, survey::kSceneId).says.find("`weights.npy`") == 0);
  CHECK(isThere(pageOf(desk, kOpened)));  // the model page is about what is open
  CHECK(pageOf(desk, {{"sample", "weights.npy"}}, survey::kSceneId).says.find("`weights.npy`") == 0);
  const lesson::Page again = pageOf(desk, {}, survey::kSceneId);
  CHECK(again.says == own.says);
  CHECK(again.blocks == own.blocks);
  pageOf(desk, {{"sample", "attention.npz"}}, survey::kSceneId);
  CHECK(open(desk, {"merges.txt"}).added);  // to the checkpoint, not to the sample
}

TEST_CASE("While nothing is open each sample has a button, and one that is not there says so") {
  Shelf shelf({});
  desk::Desk desk(shelf.asked());
  const lesson::Page empty = pageOf(desk, {}, survey::kSceneId);
  std::vector<std::string> offered;
  for (const lesson::Block& block : empty.blocks) {
    const auto* jump = std::get_if<lesson::Jump>(&block.content);
    if (jump && !jump->keys.empty() && jump->keys[0] == "sample") offered.push_back(jump->values[0]);
  }
  CHECK(offered == std::vector<std::string>(std::begin(kSamples), std::end(kSamples)));
  CHECK(shelf.times("samples/attention.npz") == 0);
  for (const char* part : {"file", "head"}) {
    const std::string words = wordsOf(pageOf(desk, {{"sample", "attention.npz"}, {"part", part}}, survey::kSceneId));
    CHECK(words == "`samples/attention.npz` is not part of this program; build it again.\nAll samples → \n");
  }
  CHECK(pageOf(desk, {{"sample", "none.npz"}}, survey::kSceneId).says == "There is no sample `none.npz`; choose another one.");
  desk::Desk waiting;
  CHECK(pageOf(waiting, {{"sample", "weights.csv"}}, survey::kSceneId).says == "The sample is being fetched.");
  CHECK(waiting.models.wanted() == std::vector<std::string>{"samples/weights.csv"});
}

TEST_CASE("A checkpoint opens as arrays with a button to run it, and the files beside it are not refused") {
  desk::Desk desk;
  const auto outcome = open(desk, {"config.json", "model.safetensors", "vocab.json", "merges.txt"});
  CHECK(outcome.label == "model.safetensors");
  CHECK(outcome.sentences.empty());
  CHECK_FALSE(outcome.added);
  const std::string words = wordsOf(pageOf(desk, {}, survey::kSceneId));
  CHECK(words.find("Run this model → v=1&scene=model&set.model=opened") != std::string::npos);
  CHECK(words.find("needs") == std::string::npos);
}

TEST_CASE("Files that come after a checkpoint go to it, and without one they are refused") {
  desk::Desk desk;
  const auto early = open(desk, {"vocab.json"});
  CHECK(early.label.empty());
  REQUIRE(early.sentences.size() == 1);
  CHECK(early.sentences[0].find("`vocab.json`") == 0);
  open(desk, {"model.safetensors", "config.json"});
  CHECK(wordsOf(pageOf(desk, {}, survey::kSceneId)).find("needs `vocab.json` and `merges.txt` too") != std::string::npos);
  CHECK(pageOf(desk, kOpened).says == "Nothing says what the tokens of this model are; open `vocab.json` and `merges.txt` together with it.");
  const auto later = open(desk, {"merges.txt", "vocab.json"});
  CHECK(later.label == "model.safetensors");
  CHECK(later.added);
  CHECK(later.sentences.empty());
  CHECK(pageOf(desk, kOpened).says.find("the model expects") != std::string::npos);
}

TEST_CASE("The page runs the checkpoint that is open: on tokens, with the controls that apply to it") {
  Shelf shelf({"model.json", "model.safetensors", "lines.txt"});
  desk::Desk desk(shelf.asked());
  CHECK_FALSE(paramOf(pageOf(desk), "model").shown);
  open(desk, {"model.safetensors", "vocab.json", "merges.txt", "config.json"});
  CHECK(paramOf(pageOf(desk), "model").shown);
  CHECK(paramOf(pageOf(desk), "checkpoint").shown);
  for (const char* part : {"text", "head", "scores", "stream", "change", "lines", "circuits", "generate", "tasks"}) {
    CAPTURE(part);
    const lesson::Page page = pageOf(desk, {{"model", "opened"}, {"part", part}, {"act", "zero"}, {"inputs", "lines"}});
    CHECK(isThere(page));
    CHECK(page.made_with == "f9d91d26");
    CHECK(page.look.find("The model that you opened") == 0);
    CHECK_FALSE(paramOf(page, "checkpoint").shown);
    CHECK(wordsOf(page).find("character") == std::string::npos);
    CHECK(page.says.find("character") == std::string::npos);
  }
  const lesson::Page page = pageOf(desk, {{"model", "opened"}, {"text", "Mr. Darcy danced with the"}});
  const auto strip = std::find_if(page.blocks.begin(), page.blocks.end(), [](const auto& block) { return std::holds_alternative<lesson::Strip>(block.content); });
  REQUIRE(strip != page.blocks.end());
  std::vector<std::string> tokens;
  for (const auto& item : std::get<lesson::Strip>(strip->content).items) tokens.push_back(item.text);
  CHECK(tokens == std::vector<std::string>{"Mr", ".", "␣", "D", "ar", "cy", "␣d", "a", "n", "c", "ed", "␣with", "␣the"});
  CHECK(pageOf(desk, {{"model", "opened"}, {"part", "training"}}).says.find("choose that model") != std::string::npos);
  CHECK(pageOf(desk).made_with == "5540a78d");
  CHECK(pageOf(desk).look.find("A small model") == 0);
}
