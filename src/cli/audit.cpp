// `attnscope-cli audit`: whether exported attention can be what it is taken for.
#include <algorithm>
#include <array>

#include "cli/arguments.h"
#include "cli/opened.h"
#include "io/json_writer.h"
#include "opened/array_named.h"
#include "opened/audited.h"

namespace attn::cli {
namespace {

using opened::Role;

struct Option {
  std::string_view name;
  Role role;
};
constexpr Option kRoleOptions[] = {
    {"--q", Role::kQ}, {"--k", Role::kK}, {"--v", Role::kV}, {"--out", Role::kZ}, {"--weights", Role::kWeights}};

// With a role that is named, no other array has it.
core::Check nameRoles(const Parsed& parsed, const io::ArrayFile& file, const std::string& path,
                      std::vector<opened::Guess>& guesses) {
  for (const Option& option : kRoleOptions) {
    const auto named = parsed.options.find(option.name);
    if (named == parsed.options.end()) continue;
    const core::Result<std::size_t> array = opened::arrayNamed(file, named->second, path);
    if (!array) return array.error();
    for (opened::Guess& guess : guesses) {
      if (guess.role == option.role) guess = {};
    }
    guesses[array.value()] = opened::withRole(file.arrays[array.value()], option.role, file.arrays);
  }
  return {};
}

core::Result<audit::MaskClaim> claimOf(const Parsed& parsed) {
  const core::Result<std::optional<bool>> causal = causalOf(parsed);
  if (!causal) return causal.error();
  if (!causal.value()) return audit::MaskClaim::kOpen;
  return *causal.value() ? audit::MaskClaim::kCausal : audit::MaskClaim::kNone;
}

void writeFinding(io::JsonWriter& json, const audit::Finding& finding) {
  json.beginObject().name("code").text(finding.code).name("sentence").text(finding.sentence);
  json.name("layer").number(static_cast<double>(finding.layer));
  const auto number = [&](const char* name, const auto& value) {
    if (value) json.name(name).number(static_cast<double>(*value));
  };
  number("head", finding.head);
  number("row", finding.row);
  number("col", finding.col);
  number("value", finding.value);
  json.endObject();
}

std::string jsonOf(const std::vector<opened::Audited>& layers) {
  io::JsonWriter json;
  json.beginObject().name("verdict").text(opened::findingCount(layers) == 0 ? "clean" : "findings");
  json.name("findings").beginList();
  for (const opened::Audited& each : layers) {
    for (const audit::Finding& finding : each.report.findings) writeFinding(json, finding);
  }
  json.endList().name("fits").beginList();
  for (const audit::Fit& fit : opened::commonFits(layers)) {
    json.beginObject().name("hypothesis").text(audit::codeText(fit.hypothesis)).name("max_abs_diff").number(fit.max_abs_diff);
    json.endObject();
  }
  json.endList().endObject();
  return json.take() + "\n";
}

std::string textOf(const std::vector<opened::Audited>& layers, std::uint64_t batches) {
  std::string text = opened::countText(layers) + "\n";
  for (const opened::Audited& each : layers) {
    const std::string sequence = batches > 1 ? ", sequence " + std::to_string(each.batch) : "";
    const std::string where = layers.size() > 1 ? "layer " + std::to_string(each.layer) + sequence + ": " : "";
    for (const audit::Finding& finding : each.report.findings) text += where + finding.code + ": " + finding.sentence + "\n";
    const std::string words = opened::wordsBeside(each.report);
    if (!words.empty()) text += where + words + "\n";
  }
  return text;
}

core::Error nothingToAudit(const std::string& path, const io::ArrayFile& file) {
  std::string names;
  for (std::size_t n = 0; n < std::min<std::size_t>(file.arrays.size(), 10); ++n) names += (n ? ", " : "") + file.arrays[n].name;
  return {path + " holds no attention weights, and no q, k, v and output; " +
          (names.empty() ? "an export whose attentions are None needs eager attention: attn_implementation=\"eager\"."
                         : "its arrays are " + names + ": say which is which with --weights, --q, --k, --v, --out.")};
}

}  // namespace

core::Result<Output> runAudit(const Arguments& arguments) {
  constexpr std::array<std::string_view, 6> kOptions = {"--q", "--k", "--v", "--out", "--weights", "--mask"};
  constexpr std::array<std::string_view, 1> kSwitches = {"--json"};
  const core::Result<Parsed> parsed = parseArguments("audit", arguments, kOptions, {{}, kSwitches});
  if (!parsed) return parsed.error();
  const std::vector<std::string>& plain = parsed.value().plain;
  if (plain.size() != 1) {
    return core::Error{"The command audit takes one file, found " + std::to_string(plain.size()) +
                       "; see attnscope-cli audit --help."};
  }
  const core::Result<audit::MaskClaim> claim = claimOf(parsed.value());
  if (!claim) return claim.error();
  const core::Result<Opened> opened = openArrayFile(plain.front());
  if (!opened) return opened.error();
  const io::ArrayFile& file = opened.value().file;
  std::vector<opened::Guess> guesses = opened::guessRoles(file.arrays);
  if (core::Check wrong = nameRoles(parsed.value(), file, plain.front(), guesses)) return *wrong;
  const opened::Model model(*opened.value().source, file, std::move(guesses));
  std::vector<opened::Audited> layers;
  for (std::uint64_t layer = 0; layer < model.layers(); ++layer) {
    for (std::uint64_t batch = 0; batch < model.batches(); ++batch) {
      core::Result<std::optional<opened::Audited>> audited = opened::auditedLayer(model, layer, batch, claim.value());
      if (!audited) return core::Error{plain.front() + ": " + audited.error().message};
      if (audited.value()) layers.push_back(std::move(*audited.value()));
    }
  }
  if (layers.empty()) return nothingToAudit(plain.front(), file);
  const bool as_json = parsed.value().options.count("--json") > 0;
  return Output{as_json ? jsonOf(layers) : textOf(layers, model.batches()), opened::findingCount(layers) == 0 ? 0 : 1};
}

}  // namespace attn::cli
