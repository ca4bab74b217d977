// See audited.h.
#include "opened/audited.h"

#include <algorithm>
#include <utility>

#include "audit/fit.h"

namespace attn::opened {
namespace {

bool canBeAudited(const Model& model, std::uint64_t layer) {
  const auto has = [&](Role role) { return model.arrayOf(role, layer).has_value(); };
  return has(Role::kWeights) || (has(Role::kQ) && has(Role::kK) && has(Role::kV) && has(Role::kZ));
}

bool isTheSame(const audit::Hypothesis& a, const audit::Hypothesis& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const audit::Departure& x, const audit::Departure& y) {
    return x == y || (x.kind == y.kind && audit::isFitted(x.kind));
  });
}

}  // namespace

core::Result<std::optional<Audited>> auditedLayer(const Model& model, std::uint64_t layer, std::uint64_t batch,
                                                  audit::MaskClaim claim, const std::function<bool()>& stop) {
  if (layer >= model.layers() || !canBeAudited(model, layer)) return std::optional<Audited>();
  const core::Result<audit::Export> exported = model.exported(layer, batch, io::ArrayLimits().held);
  if (!exported) return exported.error();
  return std::optional<Audited>({layer, batch, audit::reportOn(exported.value(), static_cast<core::Index>(layer), claim, stop)});
}

std::size_t findingCount(const std::vector<Audited>& layers) {
  std::size_t count = 0;
  for (const Audited& each : layers) count += each.report.findings.size();
  return count;
}

std::string countText(const std::vector<Audited>& layers) {
  const std::size_t count = findingCount(layers);
  return count == 0 ? "clean" : std::to_string(count) + (count == 1 ? " finding" : " findings");
}

std::string wordsBeside(const audit::Report& report) {
  const auto says = [&](const audit::Finding& finding) { return finding.sentence == report.words; };
  return std::any_of(report.findings.begin(), report.findings.end(), says) ? "" : report.words;
}

std::vector<audit::Fit> commonFits(const std::vector<Audited>& layers) {
  std::vector<audit::Fit> common;
  bool first = true;
  for (const Audited& each : layers) {
    if (!each.report.verdict) continue;
    const std::vector<audit::Fit>& fits = each.report.verdict->fits;
    if (std::exchange(first, false)) common = fits;
    std::vector<audit::Fit> kept;
    for (audit::Fit& fit : common) {
      const auto found = std::find_if(fits.begin(), fits.end(), [&](const audit::Fit& other) {
        return isTheSame(fit.hypothesis, other.hypothesis);
      });
      if (found == fits.end()) continue;
      if (found->max_abs_diff > fit.max_abs_diff) fit.max_abs_diff = found->max_abs_diff, fit.bound = found->bound;
      kept.push_back(fit);
    }
    common = std::move(kept);
  }
  return common;
}

}  // namespace attn::opened
