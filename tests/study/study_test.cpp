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
#include "study/models.h"
#include "study/pages.h"
#include "support/sanitized.h"
#include "support/trained_model.h"

namespace {

using namespace attn;
using core::Index;
using lesson::Page;
using lesson::Settings;
using test::isShown;
using test::number;
using test::pageOf;
using test::result;

constexpr const char* kParts[] = {"text", "head", "scores", "stream", "change", "lines", "circuits", "training", "generate", "tasks"};

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

TEST_CASE("What parts say for a character sums to its logit") {
  for (const char* about : {"", "z"}) {
    const Page page = pageOf({{"part", "stream"}, {"about", about}});
    CHECK(number(page, "sum") == doctest::Approx(number(page, "logit")).epsilon(1e-5));
  }
  CHECK(pageOf({{"part", "stream"}, {"about", "ab"}}).says == "Ask about one character; there is more than one.");
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
  std::vector<std::string> last;  // what pressing the last map sets
  for (const lesson::Block& block : page.blocks)
    if (const auto* maps = std::get_if<lesson::Maps>(&block.content)) last = maps->items.back().values;
  CHECK(last == std::vector<std::string>{"head", "1", "3", "0"});
}

TEST_CASE("The three tasks find the previous-token head and what the induction head needs of it" *
          doctest::skip(attn::test::kSlow)) {
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
