// One line per paragraph and claim.
#include "app/scene_text.h"

#include <variant>

#include "core/language.h"
#include "io/label.h"
#include "lesson/catalogue.h"

namespace attn::app {
namespace {

std::string lineOf(const lesson::Block& block) {
  if (const auto* words = std::get_if<lesson::Words>(&block.content)) {
    return (words->style == lesson::Words::Style::kCode ? words->text : io::withoutTicks(words->text)) + "\n";
  }
  if (const auto* question = std::get_if<lesson::Question>(&block.content)) return question->text + "\n";
  if (const auto* verdict = std::get_if<lesson::Verdict>(&block.content))
    return verdict->words + "\n" + tr("Computed: {0}", {verdict->answer}) + "\n";
  const auto* claim = std::get_if<lesson::Claim>(&block.content);
  if (!claim) return "";
  const std::string text = io::withoutTicks(claim->text);
  if (claim->mistake) return tr("Wrong on purpose: {0}", {text}) + "\n";
  return (claim->holds ? tr("True: {0}", {text}) : tr("False: {0}", {text})) + "\n";
}

}  // namespace

std::string sceneText(const Session& session) {
  if (!session.page()) {
    const auto* entry = lesson::findScene(session.state().scene);
    const std::string title = entry ? entry->title : session.state().scene;
    const std::string failure = session.sceneFailure();
    return title + "\n" + (failure.empty() ? tr("The scene is being computed.") : failure) + "\n";
  }
  const lesson::Page& page = *session.page();
  std::string text = page.title + "\n" + page.look + "\n";
  for (const lesson::Block& block : page.blocks) text += lineOf(block);
  return text + io::withoutTicks(page.says) + "\n";
}

}  // namespace attn::app
