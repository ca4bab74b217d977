// All heads beside one another, small, with what their weights do. Heads are read one after another while the page is
// looked at: what is not known yet is said to be so.
#include <algorithm>
#include <cmath>
#include <optional>

#include "scene/head_score_words.h"
#include "survey/head_facts.h"
#include "survey/parts.h"

namespace attn::survey {
namespace {

using core::Index;
using lesson::Maps;
using opened::Place;

constexpr std::size_t kMost = 1024;  // maps on one page

struct Head {
  Place place;
  const HeadFacts* facts = nullptr;  // null while it has not been read
};

std::string nameOf(const Place& place) { return tr("layer {0}, head {1}", {place.layer, place.head}); }
std::string markOf(const Place& place) { return std::to_string(place.layer) + "." + std::to_string(place.head); }

// The grid and what stands around it.
class Page {
 public:
  Page(const Chosen& chosen, const Inputs& in, Shown& shown)
      : chosen_(chosen), shown_(shown), reading_(headReading(chosen, in.text("rule") != "none")) {
    for (const scene::HeadScore& each : scene::kHeadScores)
      if (each.id == in.text("sort")) sorted_ = &each;
  }

  void show(bool with_average, Outputs& out) {
    findHeads();
    if (heads_.size() < 2) out.hide("sort"), out.hide("average");
    if (!computed_) out.hide("rule");
    if (heads_.empty() || reading_.rows == 0 || reading_.columns == 0) return showNothing();
    read_ = static_cast<std::size_t>(std::count_if(heads_.begin(), heads_.end(), [](const Head& head) { return head.facts; }));
    want();
    shown_.says = saysText();
    shown_.text(introduction());
    for (const std::string& each : remarks()) shown_.note(each);
    shown_.add(maps());
    if (with_average && heads_.size() > 1) shown_.add(average());
    shown_.heading(tr("What the numbers mean"));
    shown_.text(tr("Each is a mean over the rows of a head, between 0 and 1. w_ij is the weight that destination i gives to "
                   "source j, n_i how many sources it has to choose from. Rows that are no weights (a NaN, a number below 0, or "
                   "nothing but zeros) are left out. Where there are more sources than destinations, the last destination is "
                   "taken for the last source."));
    shown_.add(definitions());
    shown_.add(table());
  }

 private:
  void findHeads() {
    for (std::uint64_t layer = 0; layer < chosen_.model.layers(); ++layer) {
      const std::uint64_t count = headsOfLayer(chosen_.model, layer);
      computed_ = computed_ || (count > 0 && weightsFrom(chosen_.model, layer) == WeightsFrom::kComputed);
      softmax_ = softmax_ || (count > 0 && weightsFrom(chosen_.model, layer) == WeightsFrom::kScores);
      if (count == 0) without_ += (without_.empty() ? "" : ", ") + std::to_string(layer);
      if (layer > 0 && count != line_) ragged_ = true;
      line_ = std::max(line_, count);
      for (std::uint64_t head = 0; head < count; ++head) {
        const Place place{layer, chosen_.place.batch, head};
        heads_.push_back({place, chosen_.files.headFacts(reading_.name, place)});
      }
    }
    if (sorted_) std::stable_sort(heads_.begin(), heads_.end(), [this](const Head& a, const Head& b) { return rank(a) > rank(b); });
  }

  // Largest first; behind them what has no such number, and what is not known.
  double rank(const Head& head) const {
    if (!head.facts || !head.facts->failure.empty()) return -2;
    const double value = head.facts->scores.*sorted_->value;
    return std::isnan(value) ? -1 : value;
  }

  std::size_t visible() const { return std::min(heads_.size(), kMost); }

  // Where the order depends on the numbers, those that are not shown have to be known as well.
  void want() {
    std::vector<Place> places;
    for (std::size_t i = 0; i < (sorted_ ? heads_.size() : visible()); ++i) places.push_back(heads_[i].place);
    chosen_.files.wantHeads(reading_.name, std::move(places), std::move(reading_.read));
  }

  void showNothing() {
    shown_.tell(heads_.empty()
        ? tr("Nothing in {0} is taken for weights, for scores, or for queries with keys; say under “What is in the file” which "
             "arrays they are.", {chosen_.set.label})
        : tr("The maps have no cells: {0}. Export at least one position.", {sizeText(reading_.T, reading_.S)}));
    shown_.add(lesson::Jump{tr("What is in the file"), "", {"part"}, {"file"}});
  }

  std::string progress() const {
    const std::size_t all = sorted_ ? heads_.size() : visible();
    return read_ >= all ? tr("{0} {0|head|heads} read", {countText(all)})
                        : tr("{0} of {1} {1|head|heads} read", {countText(read_), countText(all)});
  }

  // Spoken aloud whenever it changes: so not at every head.
  std::string saysText() const {
    if (read_ < (sorted_ ? heads_.size() : visible())) {
      return tr("{0} {0|head|heads}; {0|it is|they are} being read.", {countText(heads_.size())});
    }
    std::string text = progress() + ".";
    for (const scene::HeadScore& score : scene::kHeadScores) {
      const Head* most = nullptr;
      const auto value = [&](const Head& head) { return head.facts->scores.*score.value; };
      for (const Head& head : heads_)
        if (head.facts && head.facts->failure.empty() && !std::isnan(value(head)) && (!most || value(head) > value(*most))) most = &head;
      if (!most || heads_.size() < 2) continue;
      text += " " + tr("Most on “{0}”: {1} ({2}).", {tr(score.name), nameOf(most->place), scene::scoreText(value(*most))});
    }
    return text;
  }

  std::string introduction() const {
    const auto each = [](std::uint64_t length, Index side) {
      return std::llround(static_cast<double>(length) / static_cast<double>(side));
    };
    const bool blocks = static_cast<std::uint64_t>(reading_.rows) < reading_.T || static_cast<std::uint64_t>(reading_.columns) < reading_.S;
    const std::string cell =
        blocks ? tr("A cell stands for a block of about {0} {0|destination|destinations} × {1} {1|source|sources}: how much of "
                    "its weight a destination in it gives to the block's sources, on average.",
                    {each(reading_.T, reading_.rows), each(reading_.S, reading_.columns)})
               : tr("A cell is one weight.");
    const std::string size = sizeText(reading_.T, reading_.S);
    return tr("Every map is one head: {0}, destinations from the top, sources from the left.", {size}) + " " + cell + " " +
           tr("Layers and heads count from 0: 3.5 is layer 3, head 5. Press a map to see the head.");
  }

  std::vector<std::string> remarks() const {
    std::vector<std::string> all;
    if (softmax_) all.push_back(tr("Where the files have no weights, these are softmax of the scores."));
    if (computed_) all.push_back(tr("Where the files have no weights, these are softmax of q·k/√d_k."));
    if (!without_.empty()) all.push_back(tr("Without weights, scores, or queries with keys: layer {0}.", {without_}));
    if (const std::string names = otherNumbers(); !names.empty()) all.push_back(names);
    if (!chosen_.token_note.empty()) all.push_back(chosen_.token_note);
    if (chosen_.tokens.empty() && chosen_.sources.empty()) {
      all.push_back(tr("Without tokens nobody can say where one repeats: “{0}” and “{1}” are left open.",
                       {tr(scene::kHeadScores[scene::kHeadScores.size() - 2].name), tr(scene::kHeadScores.back().name)}));
    }
    if (heads_.size() > kMost) {
      all.push_back(tr("Shown are the first {0} of {1} heads in this order; sort them by another number to see others.",
                       {countText(kMost), countText(heads_.size())}));
    }
    return all;
  }

  // Where the files count layers in another way.
  std::string otherNumbers() const {
    std::string list;
    for (std::uint64_t layer = 0; layer < chosen_.model.layers(); ++layer) {
      const auto number = chosen_.model.layerNumber(layer);
      if (!number || *number == static_cast<int>(layer)) continue;
      list += (list.empty() ? "" : ", ") + tr("layer {0} “{1}”", {layer, *number});
    }
    return list.empty() ? list : tr("The files call {0}.", {list});
  }

  std::string noteOf(const Head& head) const {
    if (!head.facts) return tr("not read yet");
    if (!head.facts->failure.empty()) return head.facts->failure;
    std::string note;
    for (const scene::HeadScore& score : scene::kHeadScores) {
      const double value = head.facts->scores.*score.value;
      if (!std::isnan(value)) note += (note.empty() ? "" : ", ") + tr(score.name) + " " + scene::scoreText(value);
    }
    if (note.empty()) note = tr("no row of it is weights");
    if (const Index rows = head.facts->scores.left_out; rows > 0) {
      note += ", " + tr("{0} {0|row|rows} left out", {countText(static_cast<std::uint64_t>(rows))});
    }
    return note;
  }

  Maps maps() const {
    Maps maps;
    maps.title = sorted_ ? tr("Heads, the largest “{0}” first: {1}", {tr(sorted_->name), progress()})
                         : tr("Heads by layer: {0}", {progress()});
    maps.rows = reading_.rows;
    maps.columns = reading_.columns;
    maps.line = sorted_ || ragged_ ? 0 : static_cast<Index>(line_);
    maps.keys = {"part", "layer", "head"};
    const auto has_holes = [](const Head& head) { return head.facts && head.facts->shades.find(Maps::kNoNumber) != std::string::npos; };
    if (std::any_of(heads_.begin(), heads_.end(), has_holes)) maps.note = tr("Chequered: none of these rows is weights.");
    for (std::size_t i = 0; i < visible(); ++i) {
      const Head& head = heads_[i];
      const bool known = head.facts && head.facts->failure.empty();
      std::string mark = markOf(head.place);
      if (sorted_ && known) mark += ": " + scene::scoreText(head.facts->scores.*sorted_->value);
      maps.items.push_back({nameOf(head.place), std::move(mark), noteOf(head), head.facts ? head.facts->shades : "",
                            {"head", std::to_string(head.place.layer), std::to_string(head.place.head)}});
    }
    return maps;
  }

  // Of the shades, which are as fine as what can be seen.
  Maps average() const {
    const auto cells = static_cast<std::size_t>(reading_.rows) * static_cast<std::size_t>(reading_.columns);
    std::vector<double> sums(cells, 0);
    std::vector<std::size_t> counts(cells, 0);
    std::size_t heads = 0;
    for (const Head& head : heads_) {
      if (!head.facts || head.facts->shades.size() != cells) continue;
      ++heads;
      for (std::size_t at = 0; at < cells; ++at) {
        const std::size_t shade = Maps::kShades.find(head.facts->shades[at]);
        if (shade != std::string_view::npos) sums[at] += static_cast<double>(shade), ++counts[at];
      }
    }
    Maps maps;
    maps.rows = reading_.rows;
    maps.columns = reading_.columns;
    maps.title = heads < heads_.size() ? tr("Average of {0} {0|head|heads} so far: hides what single heads do", {countText(heads)})
                                       : tr("Average of {0} {0|head|heads}: hides what single heads do", {countText(heads)});
    std::string shades;
    for (std::size_t at = 0; heads > 0 && at < cells; ++at)
      shades += counts[at] == 0 ? Maps::kNoNumber : Maps::kShades[static_cast<std::size_t>(std::lround(sums[at] / static_cast<double>(counts[at])))];
    maps.items.push_back({tr("the average of all heads"), tr("average"), progress(), std::move(shades), {}});
    return maps;
  }

  static lesson::Table definitions() {
    lesson::Table table;
    table.columns = {tr("number"), tr("what it says"), tr("formula")};
    for (const scene::HeadScore& score : scene::kHeadScores) {
      table.rows.push_back({tr(score.name), tr(score.words), tr(score.formula)});
    }
    return table;
  }

  lesson::Table table() const {
    lesson::Table table;
    table.title = tr("The numbers of every head");
    table.columns = {tr("layer"), tr("head")};
    for (const scene::HeadScore& score : scene::kHeadScores) table.columns.push_back(tr(score.name));
    for (std::size_t i = 0; i < visible(); ++i) {
      const Head& head = heads_[i];
      std::vector<std::string> row = {std::to_string(head.place.layer), std::to_string(head.place.head)};
      for (const scene::HeadScore& score : scene::kHeadScores)
        row.push_back(!head.facts ? tr("not read yet") : head.facts->failure.empty() ? scene::scoreText(head.facts->scores.*score.value) : "–");
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  const Chosen& chosen_;
  Shown& shown_;
  HeadReading reading_;
  const scene::HeadScore* sorted_ = nullptr;  // null: by layer and head
  std::vector<Head> heads_;
  std::size_t read_ = 0;
  std::uint64_t line_ = 0;  // the most heads of a layer
  bool ragged_ = false;     // layers have different numbers of heads
  bool softmax_ = false, computed_ = false;  // some layers have scores only, or queries and keys only
  std::string without_;     // layers without weights
};

}  // namespace

core::Check showHeads(const Chosen& chosen, const Inputs& in, Outputs& out, Shown& shown) {
  Page(chosen, in, shown).show(in.on("average"), out);
  return {};
}

}  // namespace attn::survey
