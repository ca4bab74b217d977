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
  return !number || *number == static_cast<int>(layer) ? text : tr("{0} ({1} in the names)", {layer, *number});
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
  if (common.empty() && explained == judged) return tr("Each layer is explained, but not all of them by the same computation.");
  if (common.empty() && explained == 0) {
    return tr("None of {0} {0|layer|layers} is explained by a computation that was tried.", {countText(judged)});
  }
  if (common.empty()) {
    return tr("{0} of {1} {1|layer|layers} {0|is|are} explained by a computation that was tried.", {explained, countText(judged)});
  }
  const bool turned = std::any_of(layers.begin(), layers.end(), [](const Audited& each) { return hasCode(each, "transposed"); });
  std::string what;
  for (const audit::Fit& fit : common) what += (what.empty() ? "" : "; ") + audit::sayHypothesis(fit.hypothesis);
  const std::string all = countText(judged);
  if (common.size() > 1) {
    return turned ? tr("With rows and columns exchanged, all {0} {0|layer fits|layers fit} {1} computations alike: {2}.",
                       {all, common.size(), what})
                  : tr("All {0} {0|layer fits|layers fit} {1} computations alike: {2}.", {all, common.size(), what});
  }
  const std::string diff = shortText(common[0].max_abs_diff), bound = shortText(common[0].bound);
  return turned ? tr("With rows and columns exchanged, all {0} {0|layer fits|layers fit} {1}: the largest difference is {2}, "
                     "and rounding explains {3}.", {all, what, diff, bound})
                : tr("All {0} {0|layer fits|layers fit} {1}: the largest difference is {2}, and rounding explains {3}.",
                     {all, what, diff, bound});
}

std::string sentenceOf(const std::vector<Audited>& layers) {
  const std::size_t count = opened::findingCount(layers);
  if (std::any_of(layers.begin(), layers.end(), isJudged)) {
    return (count == 0 ? tr("Clean.") : tr("{0} {0|finding|findings}.", {count})) + " " + verdictsSentence(layers);
  }
  const std::string all = countText(layers.size());
  return count == 0 ? tr("Clean: nothing was found in the weights of {0} {0|layer|layers}, looked at alone.", {all})
                    : tr("{0} {0|finding|findings} in the weights of {1} {1|layer|layers}, looked at alone.", {count, all});
}

std::string numberOr(const std::optional<core::Index>& number) { return number ? std::to_string(*number) : "–"; }

lesson::Table findingsTable(const opened::Model& model, const std::vector<Audited>& layers) {
  lesson::Table table{tr("Findings"),
                      tr("Layers, heads, rows and columns count from 0; head, row and column are the first place."),
                      {tr("layer"), tr("head"), tr("row"), tr("column"), tr("finding"), tr("what it means")}, {}, {}};
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
      lesson::Jump jump{tr("Look at layer {0}, head {1}", {place[1], place[2]}), "", {"part", "layer", "head"}, place};
      if (finding.row) jump.keys.push_back("row"), jump.values.push_back(std::to_string(*finding.row));
      shown.add(std::move(jump));
    }
  }
}

std::string placeText(const audit::Fit& fit) {
  if (!fit.first) return "–";
  return tr("head {0}, row {1}, column {2}", {fit.first->head, fit.first->row, fit.first->col});
}

lesson::Table verdictsTable(const opened::Model& model, const std::vector<Audited>& layers) {
  lesson::Table table{tr("What the queries and keys give"),
                      tr("A computation fits when no difference is larger than the rounding of the stored numbers explains."),
                      {tr("layer"), tr("computation"), tr("fits"), tr("largest difference"), tr("rounding explains there"),
                       tr("first place beyond it")}, {}, {}};
  const auto add = [&](const Audited& each, const audit::Fit& fit, const std::string& fits) {
    table.rows.push_back({layerText(model, each.layer), audit::sayHypothesis(fit.hypothesis), fits, shortText(fit.max_abs_diff),
                          shortText(fit.bound), placeText(fit)});
  };
  for (const Audited& each : layers) {
    if (!each.report.verdict) continue;
    const audit::Verdict& verdict = *each.report.verdict;
    for (const audit::Fit& fit : verdict.fits)
      add(each, fit, hasCode(each, "transposed") ? tr("yes, with rows and columns exchanged") : tr("yes"));
    if (!verdict.fits.empty()) continue;
    const std::string tried = hasCode(each, "heads-order") ? tr("only with the heads in another order")
                                                           : tr("no, the nearest of {0}", {verdict.tried});
    if (verdict.nearest) add(each, *verdict.nearest, tried);
    else table.rows.push_back({layerText(model, each.layer), tr("none of {0}", {verdict.tried}), tr("no"), "–", "–", "–"});
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
    shown.text(tr("Several computations fit layer {0} alike.", {where}) + " " + sentence);
}

void addMissing(const opened::Model& model, const Outcome& outcome, Shown& shown) {
  if (std::none_of(outcome.layers.begin(), outcome.layers.end(), isJudged)) {
    shown.text(tr("There are no queries and keys beside these weights, so only what weights give away alone was looked for. "
                  "With q and k of the same heads the weights are computed again, and a scale, a mask, a bias or an order of "
                  "heads that explains them is named."));
  }
  std::string without;
  for (const std::uint64_t layer : outcome.without) without += (without.empty() ? "" : ", ") + layerText(model, layer);
  if (without.empty()) return;
  shown.note(tr("Layer {0}: neither weights nor all of q, k, v and z, so nothing was audited there.", {without}));
}

// The sentence in place of an audit: what is missing, and what to do.
std::string nothingToAudit(const FileSet& set) {
  const std::string none = attentionWasNone(set);
  return tr("{0} holds no attention weights, and not all of q, k, v and z (the mixed values).", {set.label}) + " " +
         (none.empty() ? tr("Say which array is what under “What is in the file”.") : none);
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
