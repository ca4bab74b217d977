// Tokens, heads, widths and rules. See lab.h.
#include "app/explain.h"
#include "app/words.h"
#include "core/number.h"
#include "ui/lab.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

using core::Array;
using core::Index;

std::string textOf(const std::optional<double>& value) { return value ? core::fullText(*value) : ""; }

void rule(Frame& frame, Panel& panel, const char* key, const std::string& label, const std::string& now,
          const std::string& tip) {
  const auto written = labField(frame, panel, "lab/" + std::string(key), label, now, tip, tr("not used"));
  if (written && !written->empty()) edit(frame, std::string(key) + "=" + *written);
}

// Slopes of all heads, with this one's replaced.
std::string slopes(const core::Problem<double>& problem, Index head, const std::string& slope) {
  std::string text;
  for (Index h = 0; h < problem.heads(); ++h) {
    const auto n = static_cast<std::size_t>(h);
    const double now = problem.alibi.empty() ? 0 : problem.alibi[problem.alibi.size() == 1 ? 0 : n];
    text += (h ? ",h" : "h") + std::to_string(h) + ":" + (h == head ? slope : core::fullText(now));
  }
  return text;
}

void rules(Frame& frame, Panel& panel) {
  const core::Trace<double>& trace = frame.session.trace();
  const core::Problem<double>& p = trace.problem;
  const Index head = frame.session.state().head;
  const auto at = [head](const std::vector<double>& list) -> std::optional<double> {
    if (list.empty()) return std::nullopt;
    return list[list.size() == 1 ? 0 : static_cast<std::size_t>(head)];
  };
  heading(frame, panel, tr("Rules of the scores"));
  rule(frame, panel, "scale", tr("Scale"), core::fullText(trace.scale), tr("The scores are multiplied by it; 1/sqrt(d_k) is usual."));
  rule(frame, panel, "temperature", tr("Temperature"), textOf(p.temperature), tr("The scores are divided by it; above 0."));
  rule(frame, panel, "softcap", tr("Soft-cap c"), textOf(p.softcap), tr("Each score becomes c·tanh(score/c); above 0."));
  rule(frame, panel, "sink", tr("Sink"), textOf(at(p.sink)), tr("A score that joins the denominator only."));
  const auto slope = labField(frame, panel, "lab/alibi", tr("ALiBi slope"), textOf(at(p.alibi)),
                              tr("Of this head: slope × distance is taken from the scores."), tr("not used"));
  if (slope && !slope->empty()) edit(frame, "alibi=" + slopes(p, head, *slope));
  panel.y += kUnit;
}

void widths(Frame& frame, Panel& panel) {
  const auto& head = frame.session.trace().heads[static_cast<std::size_t>(frame.session.state().head)];
  const auto width = [&](const char* key, Index now, const std::string& tip) {
    const auto written = labField(frame, panel, "lab/" + std::string(key), key, std::to_string(now), tip);
    if (written) edit(frame, std::string(key) + "=" + *written);
  };
  width("d_k", head.q.cols(), tr("Width of queries and keys, 1 to 64. New columns are 0."));
  width("d_v", head.v.cols(), tr("Width of values, 1 to 64. New columns are 0, and W_O gets rows of 0 for them."));
}

}  // namespace

void drawPosition(Frame& frame, Panel& panel) {
  const app::Session& session = frame.session;
  const lesson::Example& example = session.example();
  const Index row = session.state().row, last = static_cast<Index>(example.tokens.size()) - 1;
  const std::string i = std::to_string(row);
  heading(frame, panel, tr("The followed position: {0}", {app::destinationText(session, row)}));
  if (const auto written = labField(frame, panel, "lab/token", tr("Its token"), example.tokens[static_cast<std::size_t>(row)],
                                    tr("A token that stands elsewhere brings its numbers along.")))
    edit(frame, "token[" + i + "]=" + *written);
  Acts acts(frame, panel);
  if (acts.press("lab/insert-before", tr("Insert before"), tr("A new token, whose numbers are 0 until you change them.")))
    edit(frame, "insert=" + i + ",new");
  if (acts.press("lab/insert-after", tr("Insert after"), tr("A new token, whose numbers are 0 until you change them.")))
    edit(frame, "insert=" + std::to_string(row + 1) + ",new");
  if (acts.press("lab/delete", tr("Delete"), {}, last > 0)) edit(frame, "delete=" + i);
  if (acts.press("lab/move-up", tr("Move up"), tr("One place earlier."), row > 0))
    edit(frame, "move=" + i + "," + std::to_string(row - 1));
  if (acts.press("lab/move-down", tr("Move down"), tr("One place later."), row < last))
    edit(frame, "move=" + i + "," + std::to_string(row + 1));
}

void drawHeadsAndRules(Frame& frame, Panel& panel) {
  const app::Session& session = frame.session;
  const std::string h = "h" + std::to_string(session.state().head);
  heading(frame, panel, tr("The head in view: {0}", {app::headText(session.example(), session.state().head)}));
  {
    Acts acts(frame, panel);
    if (acts.press("lab/ablate", tr("Ablate"), tr("Its z becomes 0, so it adds nothing to y."))) edit(frame, "ablate=" + h);
    if (acts.press("lab/mean-ablate", tr("Mean-ablate"), tr("Every row of its z becomes the mean of its rows.")))
      edit(frame, "mean-ablate=" + h);
    if (acts.press("lab/add-head", tr("Add a head"), tr("A copy of this head, whose rows of W_O are 0: y stays as it is.")))
      edit(frame, "add-head=" + h);
    if (acts.press("lab/remove-head", tr("Remove"), {}, session.trace().heads.size() > 1)) edit(frame, "remove-head=" + h);
  }
  widths(frame, panel);
  panel.y += kUnit;
  rules(frame, panel);
}

}  // namespace attn::ui
