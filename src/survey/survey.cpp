// The scene of the open files: its controls, and which part is shown. See survey.h.
#include "survey/survey.h"

#include <utility>

#include "survey/chosen.h"
#include "survey/parts.h"
#include "survey/texts.h"

namespace attn::survey {
namespace {

// Controls that only some parts have.
struct Use {
  std::string_view key, parts;  // ids of the parts, each between spaces
};
constexpr Use kUses[] = {
    {"q", " file "},        {"k", " file "},          {"v", " file "},       {"scores", " file "},
    {"weights", " file "},  {"z", " file "},          {"mask", " file "},    {"tokens", " file "},
    {"axes", " file "},     {"vector_axes", " file "}, {"token_list", " file "},
    {"shorts", " file "},   {"sort", " heads "},    {"average", " heads "},   {"batch", " heads head audit "},
    {"layer", " head "},    {"head", " head "},       {"row", " head "},     {"from", " head "},
    {"rule", " heads head "}, {"claim", " audit "},   {"pairs", " compare "}, {"framework", " code "},
};

void hideUnused(const std::string& part, Outputs& out) {
  for (const Use& use : kUses)
    if (use.parts.find(" " + part + " ") == std::string_view::npos) out.hide(std::string(use.key));
}

core::Check show(Files& files, const Bring& bring, const Inputs& in, Outputs& out, const Progress& progress, Shown& shown) {
  const std::string& part = in.text("part");
  const std::string& sample = in.text("sample");
  files.wantNothing();
  if (sample.empty()) files.hideSample();
  const bool whole = part != "code" && !sample.empty() && !openSample(sample, bring, files, in, out, shown);
  hideUnused(part == "code" || (files.main() && !whole) ? part : "", out);
  if (whole) return {};
  if (part == "code") return showCode(in, shown), core::Check{};
  if (!files.main()) return showEmpty(shown), core::Check{};
  files.readShorts(in.text("shorts") == "bfloat16");
  if (files.main()->shorts.empty()) out.hide("shorts");
  const Chosen chosen = choose(files, in, out);
  if (part == "heads") return showHeads(chosen, in, out, shown);
  if (part == "head") return showHead(chosen, in, out, shown);
  core::Check wrong = part == "audit"     ? showAudit(chosen, in, out, shown, progress)
                      : part == "compare" ? showCompared(chosen, in, out, shown, progress)
                                          : showFile(chosen, in, out, shown);
  // Such a page is about one sentence, which stands above all else.
  if (!shown.says.empty())
    shown.blocks.insert(shown.blocks.begin(), {lesson::Words{lesson::Words::Style::kText, shown.says}});
  return wrong;
}

}  // namespace

scene::Scene sceneOf(Files& files, Bring bring) {
  return {kSceneId, texts::arrays_json, [&files, bring = std::move(bring)](const Inputs& in, Outputs& out, const Progress& progress) {
            Shown shown;
            if (core::Check wrong = show(files, bring, in, out, progress, shown)) return wrong;
            out.flag("open", files.main() != nullptr);
            out.text("says", shown.says);
            out.blocks("part", std::move(shown.blocks));
            return core::Check{};
          }};
}

}  // namespace attn::survey
