// Findings and verdict of one layer put together, and said.
#include "audit/report.h"

#include <algorithm>
#include <cmath>

#include "audit/number_text.h"
#include "core/language.h"

namespace attn::audit {
namespace {

using core::Index;
using core::Matrix;

std::string twoDigits(double value) { return numberText(value, 2); }

bool explainable(const Export& exported) {
  return !exported.q.empty() && !exported.k.empty() &&
         (!exported.weights.empty() || (!exported.v.empty() && !exported.out.empty()));
}

// The same findings of several heads become one that names the first and counts the others.
void addOnce(std::vector<Finding>& findings, Finding finding, Index head, std::vector<Index>& counts) {
  for (std::size_t n = 0; n < findings.size(); ++n) {
    if (findings[n].code == finding.code) {
      ++counts[n];
      return;
    }
  }
  finding.head = head;
  findings.push_back(std::move(finding));
  counts.push_back(1);
}

std::vector<Finding> alone(const Export& exported, Index layer, MaskClaim claim, const std::function<bool()>& stop) {
  std::vector<Finding> findings;
  std::vector<Index> counts;
  for (std::size_t h = 0; h < exported.weights.size() && !(stop && stop()); ++h) {
    for (Finding& finding : findingsOf(exported.weights[h], exported.precision, claim == MaskClaim::kCausal)) {
      addOnce(findings, std::move(finding), static_cast<Index>(h), counts);
    }
  }
  for (std::size_t n = 0; n < findings.size(); ++n) {
    findings[n].layer = layer;
    if (exported.weights.size() > 1) {
      findings[n].sentence = tr("Head {0}: {1}", {*findings[n].head, findings[n].sentence});
      if (counts[n] > 1) findings[n].sentence += " " + tr("The same in {0} more {0|head|heads}.", {counts[n] - 1});
    }
  }
  return findings;
}

std::vector<Hypothesis> claimedMasks(const Export& exported, MaskClaim claim) {
  std::vector<Hypothesis> masks = maskCandidates(exported);
  if (claim == MaskClaim::kOpen) return masks;
  const auto isCausal = [](const Hypothesis& mask) {
    return std::any_of(mask.begin(), mask.end(), [](const Departure& d) {
      return d.kind == Kind::kCausal || d.kind == Kind::kCausalBottomRight;
    });
  };
  const auto isPadding = [](const Departure& d) { return d.kind == Kind::kPaddingLeft || d.kind == Kind::kPaddingRight; };
  std::vector<Hypothesis> kept;
  for (const Hypothesis& mask : masks) {
    const bool rest = std::all_of(mask.begin(), mask.end(), [&](const Departure& d) {
      return isPadding(d) || d.kind == Kind::kCausal || d.kind == Kind::kCausalBottomRight;
    });
    if (rest && isCausal(mask) == (claim == MaskClaim::kCausal)) kept.push_back(mask);
  }
  if (kept.empty()) kept.push_back(claim == MaskClaim::kCausal ? Hypothesis{{.kind = Kind::kCausalBottomRight}} : Hypothesis{});
  return kept;
}

Export transposed(const Export& exported) {
  Export other = exported;
  for (Matrix<double>& weights : other.weights) weights = Matrix<double>(weights.transpose());
  return other;
}

// Heads in another order: each head's weights are explained by the queries and keys of one other head.
std::optional<std::vector<Index>> otherOrder(const Export& exported, const std::vector<Hypothesis>& masks,
                                             const std::function<bool()>& stop) {
  const Index H = exported.heads();
  if (H < 2 || static_cast<Index>(exported.weights.size()) != H || static_cast<Index>(exported.k.size()) != H) return {};
  std::vector<Index> order;
  std::vector<bool> taken(H, false);
  for (Index h = 0; h < H; ++h) {
    for (Index other = 0; other < H; ++other) {
      if (stop && stop()) return {};
      if (taken[other]) continue;
      Export one;
      one.q = {exported.q[other]}, one.k = {exported.k[other]}, one.weights = {exported.weights[h]};
      one.precision = exported.precision;
      const Verdict verdict = explainMasksOnly(one, masks);
      if (verdict.fits.empty()) continue;
      order.push_back(other);
      taken[other] = true;
      break;
    }
    if (static_cast<Index>(order.size()) != h + 1) return {};
  }
  return order;
}

Finding finding(const char* code, std::string sentence, Index layer) { return {code, std::move(sentence), layer, {}, {}, {}, {}}; }

const Departure* beyondMask(const Hypothesis& hypothesis) {
  for (const Departure& d : hypothesis) {
    if (!isMask(d.kind)) return &d;
  }
  return nullptr;
}

std::string nearestText(const Fit& fit) {
  return tr("Nearest is {0}, with a largest difference of {1}; first at head {2}, row {3}, column {4}: {5} where {6} was "
            "computed.",
            {sayHypothesis(fit.hypothesis), twoDigits(fit.max_abs_diff), fit.first->head, fit.first->row, fit.first->col,
             twoDigits(fit.first->given), twoDigits(fit.first->expected)});
}

// The verdict's own findings and its words.
void judge(Report& report, Index layer) {
  const Verdict& verdict = *report.verdict;
  if (verdict.fits.size() == 1) {
    const Fit& fit = verdict.fits[0];
    const std::string what = sayHypothesis(fit.hypothesis), diff = twoDigits(fit.max_abs_diff), bound = twoDigits(fit.bound);
    report.words = verdict.on_output
        ? tr("The output fits {0}: the largest difference is {1}, and rounding explains {2}.", {what, diff, bound})
        : tr("The weights fit {0}: the largest difference is {1}, and rounding explains {2}.", {what, diff, bound});
    if (const Departure* d = beyondMask(fit.hypothesis)) {
      report.findings.push_back(finding(findingCode(d->kind).c_str(), report.words, layer));
      report.findings.back().value = d->value;
    }
    return;
  }
  if (verdict.fits.size() > 1) {
    std::string all;
    for (const Fit& fit : verdict.fits) all += (all.empty() ? "" : "; ") + sayHypothesis(fit.hypothesis);
    report.words = verdict.on_output ? tr("The output fits {0} computations alike: {1}.", {verdict.fits.size(), all})
                                     : tr("The weights fit {0} computations alike: {1}.", {verdict.fits.size(), all});
    report.words += " " + whatSeparates(verdict);
    const bool plain = std::any_of(verdict.fits.begin(), verdict.fits.end(), [](const Fit& f) { return !beyondMask(f.hypothesis); });
    if (!plain) report.findings.push_back(finding(findingCode(beyondMask(verdict.fits[0].hypothesis)->kind).c_str(), report.words, layer));
    return;
  }
  const Fit* nearest = verdict.nearest ? &*verdict.nearest : nullptr;
  report.words = verdict.on_output ? tr("None of {0} computations gives this output.", {verdict.tried})
                                   : tr("None of {0} computations gives these weights.", {verdict.tried});
  if (nearest) report.words += " " + nearestText(*nearest);
  Finding none = finding("none-fits", report.words, layer);
  if (nearest) none.head = nearest->first->head, none.row = nearest->first->row, none.col = nearest->first->col, none.value = nearest->max_abs_diff;
  report.findings.push_back(std::move(none));
}

bool hasCode(const Report& report, std::string_view code) {
  return std::any_of(report.findings.begin(), report.findings.end(), [&](const Finding& f) { return f.code == code; });
}

}  // namespace

std::string findingCode(Kind kind) {
  switch (kind) {
    case Kind::kRotary: return "rotary";
    case Kind::kRmsNorm: case Kind::kLengthNorm: case Kind::kLayerNorm: return "norm";
    case Kind::kSharing: return "sharing";
    case Kind::kScale: return "scale";
    case Kind::kTemperature: return "temperature";
    case Kind::kSoftcap: return "softcap";
    case Kind::kAlibi: return "alibi";
    case Kind::kDistanceBias: case Kind::kColumnBias: case Kind::kGivenBias: return "bias";
    case Kind::kScores16: case Kind::kScoresB16: case Kind::kSoftmax16: case Kind::kSoftmaxB16: return "precision";
    case Kind::kFill: case Kind::kPenalty: return "fill";
    case Kind::kSink: return "sink";
    case Kind::kTopK: return "top-k";
    case Kind::kDropout: return "dropout";
    case Kind::kAveraged: return "averaged";
    default: return "mask";
  }
}

Report reportOn(const Export& exported, Index layer, MaskClaim claim, const std::function<bool()>& stop) {
  Report report;
  report.findings = alone(exported, layer, claim, stop);
  if (!explainable(exported)) return report;
  const std::vector<Hypothesis> masks = claimedMasks(exported, claim);
  report.verdict = explain(exported, claim == MaskClaim::kOpen ? std::vector<Hypothesis>{} : masks, stop);
  if (report.verdict->fits.empty() && claim != MaskClaim::kOpen) {
    Verdict other = explain(exported, {}, stop);
    if (!other.fits.empty()) {
      report.findings.push_back(finding("mask", tr("The weights do not fit the mask that you named; they fit {0}.",
          {sayHypothesis(other.fits[0].hypothesis)}), layer));
      report.verdict = std::move(other);
    }
  }
  if (report.verdict->fits.empty() && (hasCode(report, "columns-normalised") || hasCode(report, "transposed"))) {
    const Export other = transposed(exported);
    if (exported.T() == exported.S()) {
      Verdict turned = explainMasksOnly(other, maskCandidates(other));
      if (!turned.fits.empty()) {
        std::erase_if(report.findings, [](const Finding& f) { return f.code == "columns-normalised" || f.code == "transposed"; });
        report.findings.push_back(finding("transposed", tr("Rows and columns are exchanged: transposed, the weights fit {0}.",
            {sayHypothesis(turned.fits[0].hypothesis)}), layer));
        report.verdict = std::move(turned);
        report.words = report.findings.back().sentence;
        return report;
      }
    }
  }
  if (report.verdict->fits.empty()) {
    if (const auto order = otherOrder(exported, masks, stop)) {
      std::string list;
      for (const Index h : *order) list += (list.empty() ? "" : ", ") + std::to_string(h);
      report.words = tr("The heads are in another order: the weights are those of the query and key heads {0}.", {list});
      report.findings.push_back(finding("heads-order", report.words, layer));
      return report;
    }
  }
  judge(report, layer);
  return report;
}

}  // namespace attn::audit
