// See open_example.h.
#include "scene/open_example.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "core/language.h"
#include "core/number.h"
#include "io/percent.h"
#include "lesson/edits.h"
#include "lesson/token_text.h"

namespace attn::scene {
namespace {

using Computed = std::shared_ptr<const core::Trace<double>>;

constexpr std::size_t kLongestLink = 4000;  // of the 8 KB that a link holds

core::Result<lesson::Example> baseOf(const std::string& text) {
  if (text.find_first_not_of(" \t\r\n") == text.npos)
    return core::Error{tr("`example` is empty; give the id of a built-in example, or a document.")};
  if (text[text.find_first_not_of(" \t\r\n")] == '{') return lesson::parseExample(text, "");
  return lesson::builtInExample(text);
}

core::Result<lesson::Example> withMask(lesson::Example example, const std::string& mask) {
  if (mask != "document") example.problem.mask = core::plainMask(mask == "causal");
  return example;
}

struct Told {
  lesson::Example example;
  Computed trace;
};

core::Result<Told> compute(lesson::Example example, const std::vector<std::string>& edits) {
  auto edited = lesson::editExample(std::move(example), edits);
  if (!edited) return edited.error();
  auto trace = core::computeTrace(edited.value().problem);
  if (!trace) return trace.error();
  return Told{edited.take(), std::make_shared<const core::Trace<double>>(trace.take())};
}

Index clamped(Index head, const Told& told) {
  return std::clamp<Index>(head, 0, static_cast<Index>(told.trace->heads.size()) - 1);
}

}  // namespace

core::Result<OpenExample> openExample(const Inputs& in) {
  auto base = baseOf(in.text("example"));
  if (!base) return base.error();
  OpenExample open;
  open.mask = in.text("mask");
  open.edits = lesson::splitEdits(in.text("edits"));
  base = withMask(base.take(), open.mask);
  auto now = compute(base.value(), open.edits);
  if (!now) return now.error();
  open.pinned = !in.text("pinned_example").empty();
  core::Result<Told> before = now.value();
  if (open.pinned) {
    auto other = baseOf(in.text("pinned_example"));
    if (!other) return other.error();
    other = withMask(other.take(), in.text("pinned_mask"));
    before = compute(other.take(), lesson::splitEdits(in.text("pinned_edits")));
  } else if (!open.edits.empty()) {
    before = compute(base.take(), {});
  }
  if (!before) return before.error();
  open.head = clamped(in.integer("head"), now.value());
  open.head_before = clamped(in.integer(open.pinned ? "pinned_head" : "head"), before.value());
  open.example = std::move(now.value().example);
  open.trace = std::move(now.value().trace);
  open.other = std::move(before.value().example);
  open.before = std::move(before.value().trace);
  return open;
}

std::string destinationText(const lesson::Example& example, Index row) {
  return lesson::positionText(example, row, false, false);
}
std::string sourceText(const lesson::Example& example, Index col) {
  return lesson::positionText(example, col, true, false);
}
std::string ordinal(const lesson::Example& example, Index number) {
  return std::to_string(number + example.first_index);
}
std::string headText(const lesson::Example& example, Index head) { return tr("head {0}", {ordinal(example, head)}); }

std::string begun(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::vector<std::string> positionLabels(const lesson::Example& example, bool sources) {
  std::vector<std::string> labels;
  for (const std::string& token : sources ? example.sources : example.tokens)
    labels.push_back(lesson::tokenText(token, false));
  if (std::set<std::string>(labels.begin(), labels.end()).size() == labels.size()) return labels;
  for (std::size_t i = 0; i < labels.size(); ++i)
    labels[i] = ordinal(example, static_cast<Index>(i)) + " " + labels[i];
  return labels;
}

std::vector<std::string> componentLabels(const lesson::Example& example, Index count) {
  std::vector<std::string> labels;
  for (Index i = 0; i < count; ++i) labels.push_back(ordinal(example, i));
  return labels;
}

std::vector<lesson::ParamOption> positionOptions(const lesson::Example& example, bool sources) {
  std::vector<lesson::ParamOption> list;
  const auto count = static_cast<Index>((sources ? example.sources : example.tokens).size());
  for (Index i = 0; i < count; ++i)
    list.push_back({std::to_string(i), lesson::positionText(example, i, sources, false)});
  return list;
}

std::vector<lesson::ParamOption> headOptions(const OpenExample& open) {
  std::vector<lesson::ParamOption> list;
  for (Index h = 0; h < open.heads(); ++h) list.push_back({std::to_string(h), headText(open.example, h)});
  return list;
}

Index chosenIndex(const std::string& value, Index count, Index otherwise) {
  for (Index i = 0; i < count; ++i)
    if (value == std::to_string(i)) return i;
  return otherwise;
}

std::string walkthroughLink(const OpenExample& open, const std::vector<std::string>& more, Index row, Index head) {
  if (!open.builtIn()) return "";
  std::vector<std::string> edits = open.edits;
  edits.insert(edits.end(), more.begin(), more.end());
  std::string link = "v=1&ex=" + open.example.id;
  if (open.mask != "document") link += "&mask=" + open.mask;
  if (!edits.empty()) link += "&edits=" + io::percentEncoded(lesson::joinEdits(edits));
  link += "&stage=weights&row=" + std::to_string(row);
  if (head > 0) link += "&head=" + std::to_string(head);
  return link.size() <= kLongestLink ? link : "";
}

}  // namespace attn::scene
