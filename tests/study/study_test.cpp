// The pages about the trained model, computed with the model of this repository.
#include "study/study.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace.h"
#include "lesson/catalogue.h"
#include "lesson/example.h"
#include "lesson/page_json.h"
#include "study/models.h"
#include "support/array_files.h"
#include "support/sanitized.h"
#include "support/trained_model.h"

namespace {

using namespace attn;
using core::Index;
using lesson::Page;
using Settings = lesson::Settings;

constexpr const char* kParts[] = {"text", "head", "scores", "stream", "change", "lines", "circuits", "training", "generate", "tasks"};

// Models that are given what they want, from web/data.
class Pages {
 public:
  core::Result<Page> ask(const Settings& settings) {
    const scene::Scene scene = study::sceneOf(models_);
    core::Result<Page> page = scene::run(scene, settings);
    while (page && !models_.wanted().empty()) {
      const std::string path = models_.wanted().front();
      models_.give(path, test::arrayFile("../../../web/data/" + path));
      page = scene::run(scene, settings);
    }
    return page;
  }
  Page of(const Settings& settings) {
    core::Result<Page> page = ask(settings);
    REQUIRE_MESSAGE(page.ok(), (page ? "" : page.error().message));
    const core::Check wrong = lesson::checkPage(page.value());
    CHECK_MESSAGE(!wrong, (wrong ? wrong->message : ""));
    return page.take();
  }

 private:
  study::Models models_;
};

// One for all tests: reading the model takes longer than most pages.
Page pageOf(const Settings& settings) {
  static Pages kPages;
  return kPages.of(settings);
}

template <class Value>
const Value& result(const Page& page, std::string_view name) {
  const auto found = std::find_if(page.results.begin(), page.results.end(), [&](const auto& each) { return each.name == name; });
  REQUIRE_MESSAGE(found != page.results.end(), std::string(name));
  const auto* value = std::get_if<Value>(&found->value);
  REQUIRE(value);
  return *value;
}
double number(const Page& page, std::string_view name) { return result<double>(page, name); }

const lesson::Grid& gridOf(const Page& page) {
  const auto found = std::find_if(page.blocks.begin(), page.blocks.end(), [](const auto& block) { return std::holds_alternative<lesson::Grid>(block.content); });
  REQUIRE(found != page.blocks.end());
  return std::get<lesson::Grid>(found->content);
}

bool isShown(const Page& page, std::string_view key) {
  return std::any_of(page.params.begin(), page.params.end(), [&](const lesson::Param& param) { return param.key == key && param.shown; });
}

std::string textOf(const std::vector<Index>& tokens) {
  static const model::DecoderFile kFile = test::trainedModel();
  std::string text;
  for (const Index token : tokens) text += kFile.vocabulary[static_cast<std::size_t>(token)];
  return text;
}

}  // namespace

TEST_CASE("The contents lead to the page about the model, under its own title") {
  const lesson::CatalogueEntry* entry = lesson::findScene(study::kSceneId);
  REQUIRE(entry);
  CHECK(entry->of_model);
  CHECK(entry->link == "v=1&scene=model");
  CHECK(pageOf({}).title == entry->title);
}

TEST_CASE("Every part of the page about the model has something to say and to show") {
  for (const char* part : kParts) {
    CAPTURE(part);
    const Page page = pageOf({{"part", part}});
    CHECK_FALSE(page.says.empty());
    CHECK_FALSE(page.blocks.empty());
    CHECK(result<bool>(page, "there"));
    CHECK(result<std::string>(page, "model") == "5540a78d");
  }
}

TEST_CASE("A page names its model for links, and says so when a link was made with another one") {
  CHECK(pageOf({}).made_with == "5540a78d");
  const auto begins = [](const Page& page) {
    const auto* words = std::get_if<lesson::Words>(&page.blocks.front().content);
    return words ? words->text : std::string();
  };
  CHECK(begins(pageOf({{"made_with", "5540a78d"}})).find("link") == std::string::npos);
  CHECK(begins(pageOf({{"made_with", "12345678"}})) ==
        "This link was made with model 12345678, and here is model 5540a78d: numbers may differ.");
}

TEST_CASE("The weights that a page shows of a head are those of PyTorch") {
  const test::Reference reference("model-reference.safetensors");
  const std::vector<Index> tokens = reference.tokens("1.tokens");
  for (const std::uint64_t layer : {0u, 1u}) {
    for (const std::uint64_t head : {0u, 3u}) {
      const Page page = pageOf({{"part", "head"}, {"text", textOf(tokens)}, {"layer", std::to_string(layer)}, {"head", std::to_string(head)}});
      const auto& shown = result<core::Matrix<double>>(page, "weights");
      const core::Matrix<double> theirs = reference.matrix("1.attention", {layer, head});
      REQUIRE(shown.rows() == theirs.rows());
      CHECK((shown - theirs).cwiseAbs().maxCoeff() <= 2e-6);
    }
  }
}

TEST_CASE("A character that the model does not know is named with its place, and a long text is cut with a message") {
  const Page unknown = pageOf({{"text", "Room 101"}});
  CHECK(unknown.says.find("“1”, at position 5 of the text") != std::string::npos);
  const Page long_text = pageOf({{"text", std::string(70, 'a')}, {"at", "63"}});
  const auto* note = std::get_if<lesson::Words>(&long_text.blocks.front().content);
  REQUIRE(note);
  CHECK(note->text == "The text has 70 characters, and the model reads 64: what comes after them is left out.");
  CHECK(long_text.says.find("at position 63") != std::string::npos);
  CHECK(pageOf({{"text", ""}}).says == "The text is empty; the model needs one character to begin with.");
  for (const char* part : {"text", "head", "stream", "change", "training", "generate"})
    pageOf({{"part", part}, {"text", "a"}, {"prompt", "a"}});  // one character is enough
}

TEST_CASE("The last position is the preset, whatever the length of the text, so that nobody has set it") {
  for (const char* text : {"Emma", "Emma W"}) {
    const Page page = pageOf({{"text", text}});
    const auto at = std::find_if(page.params.begin(), page.params.end(), [](const auto& param) { return param.key == "at"; });
    REQUIRE(at != page.params.end());
    CHECK(at->value == std::to_string(std::string_view(text).size() - 1));
    CHECK(at->preset == at->value);
  }
}

TEST_CASE("A position or a layer that is not there is the last one, and no control of positions stands beside a text that cannot be read") {
  const Page page = pageOf({{"part", "change"}, {"act", "forbid"}, {"source", "399"}, {"layer", "7"}});
  CHECK(page.says.find("at position 59 in layer 1, head 1") != std::string::npos);
  const Page unknown = pageOf({{"part", "change"}, {"act", "forbid"}, {"text", "x1"}, {"source", "1"}});
  CHECK_FALSE(isShown(unknown, "at"));
  CHECK_FALSE(isShown(unknown, "source"));
}

TEST_CASE("While the model is on its way there is one sentence, and what refuses to come is said") {
  study::Models models;
  const scene::Scene scene = study::sceneOf(models);
  const auto waiting = scene::run(scene, {});
  REQUIRE(waiting.ok());
  CHECK(waiting.value().says == "The model is being fetched.");
  models.refuse(study::kModelFile, "It cannot be had.");
  const auto refused = scene::run(scene, {});
  REQUIRE(refused.ok());
  CHECK(refused.value().says == "It cannot be had.");
}

TEST_CASE("Switching the previous-token head off costs more than any other head of its layer but one, and is no small matter") {
  const Page page = pageOf({{"part", "change"}, {"act", "zero"}, {"layer", "0"}, {"head", "3"}, {"outcome", "loss"}});
  CHECK(number(page, "loss_after") > number(page, "loss_before") + 0.5);
  const auto& elsewhere = result<std::vector<double>>(page, "elsewhere");
  REQUIRE(elsewhere.size() == 8);
  CHECK(elsewhere[3] == doctest::Approx(number(page, "loss_after") - number(page, "loss_before")));
}

TEST_CASE("Nothing that stands later is changed by what is changed behind it") {
  const Settings at = {{"part", "change"}, {"act", "replace"}, {"text", "Mr. Darcy dances"}, {"source", "9"}, {"with", "Z"}};
  Settings before = at, after = at;
  before.emplace_back("at", "8");
  after.emplace_back("at", "9");
  const Page earlier = pageOf(before), later = pageOf(after);
  CHECK(number(earlier, "logit_after") == number(earlier, "logit_before"));
  CHECK(number(later, "logit_after") != number(later, "logit_before"));
}

TEST_CASE("A change in the last layer has the same effect with later patterns frozen, one before it has not") {
  const auto after = [](const char* act, const char* layer, bool frozen) {
    return number(pageOf({{"part", "change"}, {"text", "Mr. Darcy dances"}, {"act", act}, {"layer", layer}, {"head", "3"}, {"frozen", frozen ? "1" : "0"}}), "logit_after");
  };
  CHECK(after("zero", "1", true) == after("zero", "1", false));
  CHECK(after("zero", "0", true) != after("zero", "0", false));
  CHECK(after("mean", "0", true) != after("mean", "0", false));
}

TEST_CASE("A head patched with its own text changes nothing, and one row's mean is said to be the same everywhere") {
  const std::string text = "Emma Woodhouse, handsome, clever, and rich";
  const Page own = pageOf({{"part", "change"}, {"act", "patch"}, {"text", text}, {"other", text}});
  CHECK(number(own, "logit_after") == number(own, "logit_before"));
  const Page pooled = pageOf({{"part", "change"}, {"act", "mean"}, {"mean_of", "lines"}});
  CHECK(pooled.says.find("the same at every position") != std::string::npos);
  const Page each = pageOf({{"part", "change"}, {"act", "mean"}, {"mean_of", "positions"}});
  CHECK(each.says.find("its mean at each position") != std::string::npos);
  CHECK(number(each, "logit_after") != number(pooled, "logit_after"));
}

TEST_CASE("Only the controls that a change needs are shown") {
  const std::pair<std::string, std::string> text = {"text", "Mr. Darcy dances"};
  const Page zero = pageOf({{"part", "change"}, text, {"act", "zero"}});
  CHECK(isShown(zero, "head"));
  CHECK_FALSE(isShown(zero, "source"));
  CHECK_FALSE(isShown(zero, "other"));
  const Page forbid = pageOf({{"part", "change"}, text, {"act", "forbid"}, {"everywhere", "1"}});
  CHECK(isShown(forbid, "source"));
  CHECK_FALSE(isShown(forbid, "head"));
  CHECK_FALSE(isShown(forbid, "frozen"));
}

TEST_CASE("What parts say for a character sums to its logit") {
  for (const char* about : {"", "z"}) {
    const Page page = pageOf({{"part", "stream"}, {"about", about}});
    CHECK(number(page, "sum") == doctest::Approx(number(page, "logit")).epsilon(1e-5));
  }
  CHECK(pageOf({{"part", "stream"}, {"about", "ab"}}).says == "Ask about one character; there is more than one.");
}

TEST_CASE("A head that is looked at under a change is told with it, and leaves alone which head is changed") {
  const Settings change = {{"part", "change"}, {"act", "zero"}, {"layer", "0"}, {"head", "3"}};
  const Page effect = pageOf(change);
  const auto maps = std::find_if(effect.blocks.begin(), effect.blocks.end(), [](const auto& block) { return std::holds_alternative<lesson::Maps>(block.content); });
  REQUIRE(maps != effect.blocks.end());
  CHECK(std::get<lesson::Maps>(maps->content).keys == std::vector<std::string>{"seen"});
  CHECK(std::get<lesson::Maps>(maps->content).items[5].values == std::vector<std::string>{"1.1"});
  Settings looking = change;
  looking.emplace_back("seen", "1.1");
  const Page seen = pageOf(looking);
  CHECK(gridOf(seen).title == "Weights of layer 1, head 1, with head 0.3 set to zero");
  CHECK(seen.says.find("In layer 1, head 1, with head 0.3 set to zero, ") == 0);
  const Page plain = pageOf({{"part", "head"}, {"layer", "1"}, {"head", "1"}});
  CHECK(gridOf(plain).title == "Weights of layer 1, head 1");
  CHECK(result<core::Matrix<double>>(seen, "weights") != result<core::Matrix<double>>(plain, "weights"));
  const bool back = std::any_of(seen.blocks.begin(), seen.blocks.end(), [](const lesson::Block& block) {
    const auto* jump = std::get_if<lesson::Jump>(&block.content);
    return jump && jump->keys == std::vector<std::string>{"seen"} && jump->values == std::vector<std::string>{"none"};
  });
  CHECK(back);
  const Page unchanged = pageOf({{"part", "change"}, {"seen", "1.1"}});
  CHECK(gridOf(unchanged).title == "Weights of layer 1, head 1");
  CHECK(result<core::Matrix<double>>(unchanged, "weights") == result<core::Matrix<double>>(plain, "weights"));
}

TEST_CASE("The control head is another one of the same layer") {
  for (const char* seed : {"1", "2", "3", "4", "5", "6"}) {
    const Page page = pageOf({{"part", "lines"}, {"inputs", "text"}, {"text", "Mr. Darcy"}, {"act", "zero"}, {"layer", "0"}, {"head", "3"}, {"seed", seed}});
    const auto* words = std::get_if<lesson::Words>(&page.blocks.front().content);
    REQUIRE(words);
    const std::size_t control = words->text.find("the same is done to layer 0, head ");
    REQUIRE(control != std::string::npos);
    CHECK(words->text[control + 34] != '3');
    CHECK(words->text.find("drawn at random among the other heads of its layer") != std::string::npos);
  }
}

TEST_CASE("The scores are measured with a head off, beside a control, and the second task leads there") {
  if (test::kSanitized) return;  // some hundred runs of the model
  const Page off = pageOf({{"part", "scores"}, {"inputs", "repeats"}, {"off", "1"}, {"seed", "1"}, {"layer", "0"}, {"head", "3"}});
  const Page tasks = pageOf({{"part", "tasks"}});
  CHECK(number(off, "found") == doctest::Approx(number(tasks, "repeat")));
  CHECK(number(off, "found_off") == doctest::Approx(number(tasks, "repeat_without")));
  CHECK(number(off, "loss_off") == doctest::Approx(number(tasks, "loss_without")));
  CHECK(std::abs(number(off, "found_control") - number(off, "found")) < 0.3);
  const auto& without = result<core::Matrix<double>>(off, "repeat");
  CHECK(without.maxCoeff() < number(off, "found"));
  CHECK(off.says.find("With layer 0, head 3 off: loss ") == 0);
  CHECK(off.says.find("With the control layer 0, head ") != std::string::npos);
  const bool leads = std::any_of(tasks.blocks.begin(), tasks.blocks.end(), [](const lesson::Block& block) {
    const auto* jump = std::get_if<lesson::Jump>(&block.content);
    return jump && jump->keys == std::vector<std::string>{"part", "inputs", "off", "seed"} && jump->values == std::vector<std::string>{"scores", "repeats", "1", "1"};
  });
  CHECK(leads);
}

TEST_CASE("The end of a line is written as \\n, and every text counts at every key") {
  const Page page = pageOf({{"text", "Yes.\\nNo."}}), line = pageOf({{"text", "Yes.\nNo."}});
  CHECK(page.says == line.says);
  CHECK(page.says.find("at position 7 ") != std::string::npos);
  for (const lesson::Param& param : page.params) {
    CAPTURE(param.key);
    if (param.kind == lesson::ParamKind::kText && param.key != lesson::kMadeWith) CHECK(param.live);
  }
}

TEST_CASE("Over the held-out lines a head is switched off beside a control, with means over all lines") {
  if (test::kSanitized) return;  // 600 runs of the model
  const Page page = pageOf({{"part", "lines"}, {"act", "zero"}, {"inputs", "lines"}, {"layer", "0"}, {"head", "3"}});
  CHECK(number(page, "change") == doctest::Approx(number(page, "after") - number(page, "before")).epsilon(1e-9));
  CHECK(number(page, "change") > number(page, "control") + 0.3);  // the control is of the same layer, and not idle
  const auto tables = std::count_if(page.blocks.begin(), page.blocks.end(), [](const lesson::Block& block) {
    const auto* table = std::get_if<lesson::Table>(&block.content);
    return table && table->rows.size() == 200;
  });
  CHECK(tables == 1);
  const Page pasted = pageOf({{"part", "lines"}, {"act", "zero"}, {"inputs", "pasted"}, {"pasted", "Dear Jane,\n\n1811\nDear Emma,\n" + std::string(70, 'a')}});
  CHECK(pasted.says.find("3 pasted lines") != std::string::npos);
  const bool noted = std::any_of(pasted.blocks.begin(), pasted.blocks.end(), [](const lesson::Block& block) {
    const auto* words = std::get_if<lesson::Words>(&block.content);
    return words && words->text.find("1 line is left out; the first: line 3: The model has never seen the character “1”") == 0 &&
           words->text.find("1 line is cut: the model reads 64 characters.") != std::string::npos;
  });
  CHECK(noted);
}

TEST_CASE("What is generated with kept keys is what is computed anew, and the same seed writes the same") {
  const Settings settings = {{"part", "generate"}, {"made", "20"}, {"seed", "7"}};
  const Page once = pageOf(settings), again = pageOf(settings);
  CHECK(result<bool>(once, "same"));
  CHECK(result<std::string>(once, "written").size() == 20);
  CHECK(result<std::string>(once, "written") == result<std::string>(again, "written"));
  const Page likeliest = pageOf({{"part", "generate"}, {"temperature", "0"}, {"made", "10"}, {"seed", "1"}});
  const Page other_seed = pageOf({{"part", "generate"}, {"temperature", "0"}, {"made", "10"}, {"seed", "2"}});
  CHECK(result<std::string>(likeliest, "written") == result<std::string>(other_seed, "written"));
  const Page full = pageOf({{"part", "generate"}, {"prompt", std::string(64, 'a')}, {"made", "5"}});
  CHECK(result<std::string>(full, "written").empty());
}

TEST_CASE("Before training the loss is that of guessing, and the stage beside it is fetched when it is asked for") {
  const Page page = pageOf({{"part", "training"}, {"beside", "0"}});
  CHECK(number(page, "loss_beside") == doctest::Approx(std::log(63)).epsilon(0.05));
  CHECK(number(page, "loss") < 1);
}

TEST_CASE("The three tasks find the previous-token head and what the induction head needs of it") {
  const Page page = pageOf({{"part", "tasks"}});
  CHECK(result<std::string>(page, "previous_head") == "0.3");
  CHECK(number(page, "previous") > 0.8);
  CHECK(number(page, "repeat") >= 0.8);
  CHECK(number(page, "repeat_without") < 0.3);
  CHECK(number(page, "loss_without") > number(page, "loss") + 2);
  CHECK(std::abs(number(page, "bright_change")) < 0.1);
  CHECK(number(page, "bright") >= 0.5);
}

TEST_CASE("A walk through a layer computes the weights that the page shows, and all that the layer adds") {
  const Page head = pageOf({{"part", "head"}, {"layer", "1"}, {"head", "2"}, {"at", "30"}, {"walk", "1"}});
  CHECK(head.moment == "row=30&head=2");
  const auto example = lesson::parseExample(head.document, "walk");
  REQUIRE_MESSAGE(example.ok(), (example ? "" : example.error().message));
  const auto trace = core::computeTrace(example.value().problem);
  REQUIRE(trace.ok());
  REQUIRE(trace.value().heads.size() == 4);
  const auto& shown = result<core::Matrix<double>>(head, "weights");
  CHECK((trace.value().heads[2].softmax.weights - shown).cwiseAbs().maxCoeff() <= 1e-5);
  CHECK(trace.value().residual.has_value());
}
