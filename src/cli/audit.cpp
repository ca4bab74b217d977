// `attnscope-cli audit`: whether exported attention can be what it is taken for.
#include <algorithm>
#include <array>

#include "audit/report.h"
#include "cli/arguments.h"
#include "cli/opened.h"
#include "io/json_writer.h"
#include "opened/model.h"

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
    const core::Result<std::size_t> array = arrayNamed(file, named->second, path);
    if (!array) return array.error();
    for (opened::Guess& guess : guesses) {
      if (guess.role == option.role) guess = {};
    }
    guesses[array.value()] = opened::withRole(file.arrays[array.value()], option.role, file.arrays);
  }
  return {};
}

core::Result<audit::MaskClaim> claimOf(const Parsed& parsed) {
  const auto mask = parsed.options.find("--mask");
  if (mask == parsed.options.end()) return audit::MaskClaim::kOpen;
  if (mask->second == "none") return audit::MaskClaim::kNone;
  if (mask->second == "causal") return audit::MaskClaim::kCausal;
  return core::Error{"--mask is \"" + mask->second + "\"; write --mask none or --mask causal."};
}

// Hypotheses that fit every layer, with their largest difference; fitted numbers may differ between layers.
std::vector<audit::Fit> commonFits(const std::vector<audit::Report>& reports) {
  std::vector<audit::Fit> common;
  bool first = true;
  for (const audit::Report& report : reports) {
    if (!report.verdict) continue;
    if (first) common = report.verdict->fits;
    first = false;
    std::vector<audit::Fit> kept;
    for (audit::Fit& fit : common) {
      for (const audit::Fit& other : report.verdict->fits) {
        const bool same = fit.hypothesis.size() == other.hypothesis.size() &&
                          std::equal(fit.hypothesis.begin(), fit.hypothesis.end(), other.hypothesis.begin(),
                                     [](const audit::Departure& a, const audit::Departure& b) { return a.kind == b.kind; });
        if (!same) continue;
        fit.max_abs_diff = std::max(fit.max_abs_diff, other.max_abs_diff);
        kept.push_back(fit);
        break;
      }
    }
    common = std::move(kept);
  }
  return common;
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

std::string jsonOf(const std::vector<audit::Report>& reports) {
  io::JsonWriter json;
  const bool clean = std::all_of(reports.begin(), reports.end(), [](const audit::Report& r) { return r.findings.empty(); });
  json.beginObject().name("verdict").text(clean ? "clean" : "findings").name("findings").beginList();
  for (const audit::Report& report : reports) {
    for (const audit::Finding& finding : report.findings) writeFinding(json, finding);
  }
  json.endList().name("fits").beginList();
  for (const audit::Fit& fit : commonFits(reports)) {
    json.beginObject().name("hypothesis").text(audit::codeText(fit.hypothesis)).name("max_abs_diff").number(fit.max_abs_diff);
    json.endObject();
  }
  json.endList().endObject();
  return json.take() + "\n";
}

std::string textOf(const std::vector<audit::Report>& reports) {
  std::string text;
  std::size_t count = 0;
  for (std::size_t layer = 0; layer < reports.size(); ++layer) {
    const std::string where = reports.size() > 1 ? "layer " + std::to_string(layer) + ": " : "";
    for (const audit::Finding& finding : reports[layer].findings) {
      text += where + finding.code + ": " + finding.sentence + "\n";
      ++count;
    }
    const std::string& words = reports[layer].words;
    const auto says = [&](const audit::Finding& finding) { return finding.sentence == words; };
    if (!words.empty() && std::none_of(reports[layer].findings.begin(), reports[layer].findings.end(), says)) {
      text += where + words + "\n";
    }
  }
  if (count == 0) return "clean\n" + text;
  return std::to_string(count) + (count == 1 ? " finding\n" : " findings\n") + text;
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
  const bool from_output = model.has(Role::kQ) && model.has(Role::kK) && model.has(Role::kV) && model.has(Role::kZ);
  if (!model.has(Role::kWeights) && !from_output) return nothingToAudit(plain.front(), file);
  std::vector<audit::Report> reports;
  for (std::uint64_t layer = 0; layer < model.layers(); ++layer) {
    for (std::uint64_t batch = 0; batch < model.batches(); ++batch) {
      const core::Result<audit::Export> exported = model.exported(layer, batch, io::ArrayLimits().held);
      if (!exported) return core::Error{plain.front() + ": " + exported.error().message};
      reports.push_back(audit::reportOn(exported.value(), static_cast<core::Index>(layer), claim.value()));
    }
  }
  const bool clean = std::all_of(reports.begin(), reports.end(), [](const audit::Report& r) { return r.findings.empty(); });
  const bool as_json = parsed.value().options.count("--json") > 0;
  return Output{as_json ? jsonOf(reports) : textOf(reports), clean ? 0 : 1};
}

}  // namespace attn::cli
