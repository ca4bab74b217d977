// The part that asks whether the opened weights can be what they are taken for. The findings, the verdicts and their
// words are the audit's; here they are put into tables, layer by layer.
#include <algorithm>
#include <string_view>

#include "audit/number_text.h"
#include "opened/audited.h"
#include "survey/parts.h"

namespace attn::survey {
namespace {

using opened::Audited;
using opened::Role;

constexpr std::size_t kMostJumps = 4;

audit::MaskClaim claimOf(const std::string& claim) {
  if (claim == "causal") return audit::MaskClaim::kCausal;
  return claim == "none" ? audit::MaskClaim::kNone : audit::MaskClaim::kOpen;
}

std::string shortText(double value) { return audit::numberText(value, 2); }

// "3", or "3 (5 in the names)" where the file's names count otherwise.
std::string layerText(const opened::Model& model, std::uint64_t layer) {
  const std::optional<int> number = model.layerNumber(layer);
  const std::string text = std::to_string(layer);
  return !number || *number == static_cast<int>(layer) ? text : text + " (" + std::to_string(*number) + " in the names)";
}

struct Outcome {
  std::vector<Audited> layers;
  std::vector<std::uint64_t> without;  // layers that have nothing to audit
};

core::Check auditAll(const Chosen& chosen, audit::MaskClaim claim, const Progress& progress, Outcome& outcome) {
  const opened::Model& model = chosen.model;
  bool stopped = false;
  for (std::uint64_t layer = 0; layer < model.layers() && !stopped; ++layer) {
    const double done = static_cast<double>(layer) / static_cast<double>(model.layers());
    const auto stop = [&] { return stopped = stopped || !progress(done); };
    if (stop()) break;
    core::Result<std::optional<Audited>> audited = opened::auditedLayer(model, layer, chosen.place.batch, claim, stop);
    if (!audited) return audited.error();
    if (audited.value()) outcome.layers.push_back(std::move(*audited.value()));
    else outcome.without.push_back(layer);
  }
  if (stopped) return core::Error{"stopped"};
  return {};
}

bool isJudged(const Audited& each) { return each.report.verdict.has_value(); }

bool hasCode(const Audited& each, std::string_view code) {
  const auto& findings = each.report.findings;
  return std::any_of(findings.begin(), findings.end(), [&](const audit::Finding& finding) { return finding.code == code; });
}

// By a computation, with the heads as they are or in another order.
bool isExplained(const Audited& each) {
  return isJudged(each) && (!each.report.verdict->fits.empty() || hasCode(each, "heads-order"));
}

// What the verdicts of several layers come to.
std::string verdictsSentence(const std::vector<Audited>& layers) {
  if (layers.size() == 1) return layers[0].report.words;
  const auto judged = static_cast<std::size_t>(std::count_if(layers.begin(), layers.end(), isJudged));
  const auto explained = static_cast<std::size_t>(std::count_if(layers.begin(), layers.end(), isExplained));
  const std::vector<audit::Fit> common = opened::commonFits(layers);
  if (common.empty() && explained == judged) return "Each layer is explained, but not all of them by the same computation.";
  if (common.empty()) {
    return (explained == 0 ? "None" : std::to_string(explained)) + " of " + counted(judged, "layer") +
           (explained > 1 ? " are" : " is") + " explained by a computation that was tried.";
  }
  const bool turned = std::any_of(layers.begin(), layers.end(), [](const Audited& each) { return hasCode(each, "transposed"); });
  const std::string all = (turned ? "With rows and columns exchanged, all " : "All ") + counted(judged, "layer") + " fit ";
  if (common.size() == 1) {
    return all + audit::sayHypothesis(common[0].hypothesis) + ": the largest difference is " +
           shortText(common[0].max_abs_diff) + ", and rounding explains " + shortText(common[0].bound) + ".";
  }
  std::string text = all + std::to_string(common.size()) + " computations alike: ";
  for (std::size_t n = 0; n < common.size(); ++n) text += (n ? "; " : "") + audit::sayHypothesis(common[n].hypothesis);
  return text + ".";
}

std::string sentenceOf(const std::vector<Audited>& layers) {
  const bool clean = opened::findingCount(layers) == 0;
  const std::string count = clean ? "Clean" : opened::countText(layers);
  if (std::any_of(layers.begin(), layers.end(), isJudged)) return count + ". " + verdictsSentence(layers);
  return count + (clean ? ": nothing was found" : "") + " in the weights of " + counted(layers.size(), "layer") + ", looked at alone.";
}

std::string numberOr(const std::optional<core::Index>& number) { return number ? std::to_string(*number) : "–"; }

lesson::Table findingsTable(const opened::Model& model, const std::vector<Audited>& layers) {
  lesson::Table table{"Findings", "Layers, heads, rows and columns count from 0; head, row and column are the first place.",
                      {"layer", "head", "row", "column", "finding", "what it means"}, {}, {}};
  for (const Audited& each : layers) {
    for (const audit::Finding& finding : each.report.findings) {
      table.rows.push_back({layerText(model, each.layer), numberOr(finding.head), numberOr(finding.row), numberOr(finding.col),
                            finding.code, finding.sentence});
    }
  }
  return table;
}

void addJumps(const std::vector<Audited>& layers, Shown& shown) {
  std::vector<std::vector<std::string>> seen;
  for (const Audited& each : layers) {
    for (const audit::Finding& finding : each.report.findings) {
      if (!finding.head || seen.size() == kMostJumps) continue;
      const std::vector<std::string> place = {"head", std::to_string(each.layer), std::to_string(*finding.head)};
      if (std::find(seen.begin(), seen.end(), place) != seen.end()) continue;
      seen.push_back(place);
      lesson::Jump jump{"Look at layer " + place[1] + ", head " + place[2], "", {"part", "layer", "head"}, place};
      if (finding.row) jump.keys.push_back("row"), jump.values.push_back(std::to_string(*finding.row));
      shown.add(std::move(jump));
    }
  }
}

std::string placeText(const audit::Fit& fit) {
  if (!fit.first) return "–";
  return "head " + std::to_string(fit.first->head) + ", row " + std::to_string(fit.first->row) + ", column " + std::to_string(fit.first->col);
}

lesson::Table verdictsTable(const opened::Model& model, const std::vector<Audited>& layers) {
  lesson::Table table{"What the queries and keys give",
                      "A computation fits when no difference is larger than the rounding of the stored numbers explains.",
                      {"layer", "computation", "fits", "largest difference", "rounding explains there", "first place beyond it"}, {}, {}};
  const auto add = [&](const Audited& each, const audit::Fit& fit, const std::string& fits) {
    table.rows.push_back({layerText(model, each.layer), audit::sayHypothesis(fit.hypothesis), fits, shortText(fit.max_abs_diff),
                          shortText(fit.bound), placeText(fit)});
  };
  for (const Audited& each : layers) {
    if (!each.report.verdict) continue;
    const audit::Verdict& verdict = *each.report.verdict;
    for (const audit::Fit& fit : verdict.fits) add(each, fit, hasCode(each, "transposed") ? "yes, with rows and columns exchanged" : "yes");
    if (!verdict.fits.empty()) continue;
    const std::string tried = hasCode(each, "heads-order") ? "only with the heads in another order"
                                                           : "no, the nearest of " + std::to_string(verdict.tried);
    if (verdict.nearest) add(each, *verdict.nearest, tried);
    else table.rows.push_back({layerText(model, each.layer), "none of " + std::to_string(verdict.tried), "no", "–", "–", "–"});
  }
  return table;
}

// What would tell apart the computations that fit alike: each sentence once, with its layers.
void addSeparations(const opened::Model& model, const std::vector<Audited>& layers, Shown& shown) {
  std::vector<std::pair<std::string, std::string>> said;  // sentence, layers
  for (const Audited& each : layers) {
    const std::string sentence = each.report.verdict ? audit::whatSeparates(*each.report.verdict) : "";
    if (sentence.empty()) continue;
    const auto same = [&](const std::pair<std::string, std::string>& other) { return other.first == sentence; };
    const auto found = std::find_if(said.begin(), said.end(), same);
    if (found == said.end()) said.emplace_back(sentence, layerText(model, each.layer));
    else found->second += ", " + layerText(model, each.layer);
  }
  for (const auto& [sentence, where] : said)
    shown.text("Several computations fit layer " + where + " alike. " + sentence);
}

void addMissing(const opened::Model& model, const Outcome& outcome, Shown& shown) {
  if (std::none_of(outcome.layers.begin(), outcome.layers.end(), isJudged)) {
    shown.text("There are no queries and keys beside these weights, so only what weights give away alone was looked for. With q and "
               "k of the same heads the weights are computed again, and a scale, a mask, a bias or an order of heads that "
               "explains them is named.");
  }
  std::string without;
  for (const std::uint64_t layer : outcome.without) without += (without.empty() ? "" : ", ") + layerText(model, layer);
  if (!without.empty()) shown.note("Layer " + without + ": neither weights nor all of q, k, v and z, so nothing was audited there.");
}

// The sentence in place of an audit: what is missing, and what to do.
std::string nothingToAudit(const FileSet& set) {
  std::string text = set.label + " holds no attention weights, and not all of q, k, v and z (the mixed values).";
  const std::string none = attentionWasNone(set);
  return text + " " + (none.empty() ? "Say which array is what under “What is in the file”." : none);
}

}  // namespace

core::Check showAudit(const Chosen& chosen, const Inputs& in, Outputs& out, Shown& shown, const Progress& progress) {
  Outcome outcome;
  if (core::Check failed = auditAll(chosen, claimOf(in.text("claim")), progress, outcome)) return failed;
  const std::vector<Audited>& layers = outcome.layers;
  if (layers.empty()) {
    out.hide("claim");
    shown.says = nothingToAudit(chosen.set);
    return {};
  }
  shown.says = sentenceOf(layers);
  out.number("findings", static_cast<double>(opened::findingCount(layers)));
  if (opened::findingCount(layers) > 0) {
    shown.add(findingsTable(chosen.model, layers));
    addJumps(layers, shown);
  }
  lesson::Table verdicts = verdictsTable(chosen.model, layers);
  if (!verdicts.rows.empty()) shown.add(std::move(verdicts));
  addSeparations(chosen.model, layers, shown);
  addMissing(chosen.model, outcome, shown);
  return {};
}

}  // namespace attn::survey
