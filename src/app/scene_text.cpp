// One line per paragraph and claim.
#include "app/scene_text.h"

#include <variant>

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
    return verdict->words + "\nComputed: " + verdict->answer + "\n";
  const auto* claim = std::get_if<lesson::Claim>(&block.content);
  if (!claim) return "";
  return (claim->mistake ? "Wrong on purpose: " : claim->holds ? "True: " : "False: ") + io::withoutTicks(claim->text) + "\n";
}

}  // namespace

std::string sceneText(const Session& session) {
  if (!session.page()) {
    const auto* entry = lesson::findScene(session.state().scene);
    const std::string title = entry ? entry->title : session.state().scene;
    return title + "\n" + (session.sceneFailure().empty() ? "The scene is being computed." : session.sceneFailure()) + "\n";
  }
  const lesson::Page& page = *session.page();
  std::string text = page.title + "\n" + page.look + "\n";
  for (const lesson::Block& block : page.blocks) text += lineOf(block);
  return text + io::withoutTicks(page.says) + "\n";
}

}  // namespace attn::app
