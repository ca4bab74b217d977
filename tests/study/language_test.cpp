// Nothing that the pages about a model say stays English in another language.
#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "study/pages.h"
#include "support/languages.h"
#include "support/sanitized.h"

namespace {

using namespace attn;
using lesson::Page;
using lesson::Settings;
using Sentences = std::vector<std::string>;

struct Collected {
  Sentences& all;
  void add(std::initializer_list<std::string> texts) const { all.insert(all.end(), texts); }

  void operator()(const lesson::Words& words) const { add({words.text}); }
  void operator()(const lesson::Claim& claim) const { add({claim.text}); }
  void operator()(const lesson::Grid& grid) const { add({grid.title, grid.note}); }
  void operator()(const lesson::Table& table) const { add({table.title, table.note}); }
  void operator()(const lesson::Plot& plot) const { add({plot.title, plot.note}); }
  void operator()(const lesson::Strip& strip) const { add({strip.title, strip.note}); }
  void operator()(const lesson::Maps& maps) const { add({maps.title, maps.note, maps.items.front().label}); }
  void operator()(const lesson::Question& question) const { add({question.text, question.answer}); }
  void operator()(const lesson::Jump& jump) const { add({jump.label}); }
  template <class Other>
  void operator()(const Other&) const {}
};

Sentences sentencesIn(const std::string& language, const Settings& settings) {
  const test::Language spoken(language);
  const Page page = test::pageOf(settings);
  Sentences sentences = {page.title, page.look, page.says};
  for (const lesson::Block& block : page.blocks) std::visit(Collected{sentences}, block.content);
  return sentences;
}

}  // namespace

TEST_CASE("In another language a page about a model says no sentence in English") {
  if (test::kSanitized) return;  // forty pages
  const std::pair<std::string, std::string> text = {"text", "Mr. Darcy danced"};
  std::vector<Settings> pages = {{{"part", "generate"}}, {{"part", "tasks"}}, {{"text", ""}}, {{"text", "1811"}}, {{"model", "opened"}}};
  for (const char* part : {"text", "head", "stream", "change", "circuits", "training", "scores"}) pages.push_back({{"part", part}, text, {"inputs", "text"}});
  for (const char* act : {"zero", "mean", "patch", "forbid", "zero-value", "replace"}) pages.push_back({{"part", "change"}, text, {"act", act}});
  for (const char* act : {"none", "zero"}) pages.push_back({{"part", "lines"}, text, {"inputs", "text"}, {"act", act}});
  for (const Settings& settings : pages) {
    const Sentences english = sentencesIn("en", settings), german = sentencesIn("de", settings);
    REQUIRE(english.size() == german.size());
    for (std::size_t n = 0; n < english.size(); ++n)
      if (!english[n].empty()) CHECK_MESSAGE(english[n] != german[n], english[n]);
  }
}
