// Opened layers audited, and what their reports say together: the same for every way of showing them.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "audit/report.h"
#include "core/result.h"
#include "opened/model.h"

namespace attn::opened {

struct Audited {
  std::uint64_t layer = 0, batch = 0;
  audit::Report report;
};

// One layer of one sequence; nothing where it has neither weights nor all of q, k, v and z. `stop` as in audit::explain.
core::Result<std::optional<Audited>> auditedLayer(const Model& model, std::uint64_t layer, std::uint64_t batch,
                                                  audit::MaskClaim claim, const std::function<bool()>& stop = {});

std::size_t findingCount(const std::vector<Audited>& layers);

// "clean", "1 finding", "3 findings".
std::string countText(const std::vector<Audited>& layers);

// What a report says besides its findings; "" where a finding says the same.
std::string wordsBeside(const audit::Report& report);

// Hypotheses that fit every layer that has a verdict, with their largest difference and its bound. Numbers that are
// fitted to the weights may differ between layers; those of the first one are given.
std::vector<audit::Fit> commonFits(const std::vector<Audited>& layers);

}  // namespace attn::opened
