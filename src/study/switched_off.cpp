// See switched_off.h.
#include "study/switched_off.h"

#include <cmath>

#include "core/head_scores.h"
#include "core/language.h"
#include "core/number.h"

namespace attn::study {
namespace {

std::string meanText(const core::Running& over, int decimals) {
  return over.count() == 0 ? "–" : core::fixedText(over.mean(), decimals);
}

}  // namespace

SwitchedOff::SwitchedOff(const Running& running, HeadPlace off, std::uint64_t seed)
    : running_(running), off_(off), control_(controlHead(running, off, seed)) {
  for (Measured& each : measured_) each.found.resize(static_cast<std::size_t>(running.layers() * running.heads()));
}

core::Result<core::DecoderRun> SwitchedOff::add(const Texts& texts, const std::vector<Index>& tokens, const core::DecoderRun& plain) {
  add(kAsItIs, texts, tokens, plain);
  const core::Result<core::DecoderRun> control = runChanged(zeroed(control_), running_.decoder(), tokens, plain);
  if (!control) return control.error();
  add(kControl, texts, tokens, control.value());
  core::Result<core::DecoderRun> off = runChanged(zeroed(off_), running_.decoder(), tokens, plain);
  if (off) add(kOff, texts, tokens, off.value());
  return off;
}

void SwitchedOff::add(Case which, const Texts& texts, const std::vector<Index>& tokens, const core::DecoderRun& run) {
  Measured& measured = measured_[which];
  measured.loss.add(lossOf(texts, run, tokens));
  for (std::size_t n = 0; n < measured.found.size(); ++n) {
    const auto layer = static_cast<Index>(n) / running_.heads(), head = static_cast<Index>(n) % running_.heads();
    const double found = core::headScores(weightsOf(run, layer, head).cast<double>(), tokens).repeat;
    if (!std::isnan(found)) measured.found[n].add(found);
  }
}

// Of all heads the one that finds most while nothing is off.
HeadPlace SwitchedOff::inductionHead() const {
  HeadPlace most;
  for (HeadPlace each; each.layer < running_.layers(); ++each.layer)
    for (each.head = 0; each.head < running_.heads(); ++each.head)
      if (found(kAsItIs, each) > found(kAsItIs, most)) most = each;
  return most;
}

double SwitchedOff::found(Case which, HeadPlace head) const {
  return measured_[which].found[static_cast<std::size_t>(head.layer * running_.heads() + head.head)].mean();
}

lesson::Table SwitchedOff::table(const Texts& texts) const {
  lesson::Table table;
  const std::string off = headMark(off_.layer, off_.head);
  table.title = tr("What it does on {0}", {texts.name});
  table.note = tr("The loss in nats per {0}; of each head the mean weight on what followed the same token before, as it finds it "
                  "while {1}, or the control, is off.", {running_.unit(), off});
  table.columns = {"", tr("as it is"), tr("{0} off", {off}), tr("control: {0} off", {headMark(control_.layer, control_.head)})};
  std::vector<std::string> losses = {texts.twice ? tr("loss on the second copies") : tr("loss")};
  for (const Measured& each : measured_) losses.push_back(meanText(each.loss, 3));
  table.rows.push_back(std::move(losses));
  for (std::size_t n = 0; n < measured_[kAsItIs].found.size(); ++n) {
    const auto layer = static_cast<Index>(n) / running_.heads(), head = static_cast<Index>(n) % running_.heads();
    std::vector<std::string> row = {tr("found by {0}", {headMark(layer, head)})};
    for (const Measured& each : measured_) row.push_back(meanText(each.found[n], 3));
    table.rows.push_back(std::move(row));
  }
  const HeadPlace induction = inductionHead();
  table.marked = {1 + induction.layer * running_.heads() + induction.head};
  return table;
}

void SwitchedOff::show(const Texts& texts, scene::Outputs& out, scene::Shown& shown) const {
  const HeadPlace induction = inductionHead();
  const char* const names[] = {"", "_off", "_control"};
  for (const Case each : {kAsItIs, kOff, kControl}) {
    out.number(std::string("loss") + names[each], measured_[each].loss.mean());
    out.number(std::string("found") + names[each], found(each, induction));
  }
  const auto arrow = [](double before, double after) { return core::fixedText(before, 3) + " → " + core::fixedText(after, 3); };
  const auto losses = [&](Case which) { return arrow(measured_[kAsItIs].loss.mean(), measured_[which].loss.mean()); };
  const auto finds = [&](Case which) { return arrow(found(kAsItIs, induction), found(which, induction)); };
  const std::string off = headName(off_.layer, off_.head);
  shown.says = tr("With {0} off: loss {1}, what {2} finds {3}. With the control {4} off instead: loss {5}, what {2} finds {6}.",
                  {off, losses(kOff), headName(induction.layer, induction.head), finds(kOff), headName(control_.layer, control_.head),
                   losses(kControl), finds(kControl)});
  shown.text(tr("What {0} writes is set to 0.", {off}) + " " + controlWords(running_, control_));
  shown.add(table(texts));
}

}  // namespace attn::study
