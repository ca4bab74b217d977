// One head on the text: its map, its row at the chosen position, and what its scores say.
#include "core/contribution.h"
#include "core/language.h"
#include "core/number.h"
#include "core/product.h"
#include "scene/figures.h"
#include "scene/head_score_words.h"
#include "study/parts.h"
#include "study/walk.h"

namespace attn::study {
namespace {

class HeadPage {
 public:
  // `with` stands behind the name of the head.
  HeadPage(const Running& running, Index layer, Index head, const std::string& with, Outputs& out, Shown& shown)
      : running_(running), out_(out), shown_(shown), layer_(layer), head_(head),
        name_(headName(layer, head) + (with.empty() ? "" : ", " + with)), weights_(running.weights(layer, head).cast<double>()) {}

  void addRows() {
    addMap();
    addRow();
  }

  void addWalk(bool wanted) {
    if (!canWalk(running_.decoder())) return shown_.note(tr("A layer of this model has too many numbers to be walked through one by one."));
    shown_.add(lesson::Jump{tr("Walk through this layer, step by step"), "", {"walk"}, {"1"}});
    shown_.note(tr("With all its heads, from the residual stream through queries, keys, scores, weights and values back into the "
                   "stream; every number is computed anew, in double precision."));
    if (wanted) out_.document(walkDocument(running_, layer_), "row=" + std::to_string(running_.at) + "&head=" + std::to_string(head_));
  }

  void addScores() {
    const core::HeadScores scores = core::headScores(weights_, running_.read.tokens);
    lesson::Table table;
    table.title = tr("What the head does on this text");
    table.note = tr("Means over its rows, from 0 to 1; – where no row has any say in it.");
    table.columns = {tr("score"), tr("mean"), tr("how it is computed")};
    for (const scene::HeadScore& score : scene::kHeadScores) {
      out_.number(std::string(score.id), scores.*score.value);
      table.rows.push_back({tr(score.name), scene::scoreText(scores.*score.value), tr(score.formula)});
    }
    shown_.add(std::move(table));
  }

 private:
  const core::HeadTrace<float>& trace() const {
    return running_.run->blocks[static_cast<std::size_t>(layer_)].attention.heads[static_cast<std::size_t>(head_)];
  }

  void addMap() {
    const std::vector<std::string> names = running_.labels();
    lesson::Grid grid = scene::mapLook(tr("Weights of {0}", {name_}), names, names);
    grid.note = tr("Row: the {0} that reads. Column: the one that is read. Framed: what the chosen position reads most.",
                   {running_.unit()});
    Index most = 0;
    weights_.row(running_.at).maxCoeff(&most);
    grid.marked = {{running_.at, most}};
    grid.blocked.resize(static_cast<std::size_t>(weights_.size()));
    for (Index i = 0; i < weights_.rows(); ++i)
      for (Index j = i + 1; j < weights_.cols(); ++j) grid.blocked[static_cast<std::size_t>(i * weights_.cols() + j)] = "causal";
    out_.matrix("weights", weights_);
    grid.rows = weights_.rows(), grid.columns = weights_.cols();
    grid.values.assign(weights_.data(), weights_.data() + weights_.size());
    shown_.add(std::move(grid));
  }

  void addRow() {
    const core::RowVector<double> row = weights_.row(running_.at);
    Index most = 0;
    row.maxCoeff(&most);
    shown_.says = tr("In {0}, {1} reads most from {2}: weight {3}.",
                     {name_, running_.positionText(running_.at), running_.positionText(most), core::fixedText(row(most), 3)});
    out_.number("most", static_cast<double>(most));
    shown_.add(scene::weightStrip(tr("What {0} reads", {running_.positionText(running_.at)}), running_.labels(), row, running_.at));
    addNorms(row);
  }

  // The weight beside the length of what it brings (Kobayashi et al. 2020).
  void addNorms(const core::RowVector<double>& row) {
    const core::Matrix<double> wo = core::attentionOf(running_.decoder().blocks[static_cast<std::size_t>(layer_)]).wo->cast<double>();
    const core::Matrix<double> written = core::product<double>(trace().v.cast<double>(), core::outputRows(wo, head_, trace().v.cols()));
    const core::Matrix<double> lengths = core::contributionNorms(row, written);
    lesson::Plot plot;
    plot.title = tr("Weight, and how much comes with it");
    plot.note = tr("Bars: the weight on each position, and the length of what it adds to the residual stream, weight · ‖v·W_O‖, as a "
                   "share of all of these lengths. A large weight on a short vector brings little.");
    plot.x_label = tr("position");
    plot.y_label = tr("share");
    plot.names = running_.labels();
    plot.names.resize(static_cast<std::size_t>(running_.at + 1));
    const double all = lengths.sum();
    lesson::Plot::Series weight{tr("weight"), lesson::Plot::Kind::kBars, {}, {}};
    lesson::Plot::Series length{tr("weight · ‖v·W_O‖, share"), lesson::Plot::Kind::kBars, {}, {}};
    for (Index j = 0; j <= running_.at; ++j) {
      for (auto* series : {&weight, &length}) series->x.push_back(static_cast<double>(j));
      weight.y.push_back(row(j));
      length.y.push_back(all > 0 ? lengths(0, j) / all : 0);
    }
    plot.series = {std::move(weight), std::move(length)};
    shown_.add(std::move(plot));
  }

  const Running& running_;
  Outputs& out_;
  Shown& shown_;
  Index layer_, head_;
  std::string name_;
  core::Matrix<double> weights_;
};

}  // namespace

void showHead(const Running& running, const Inputs& in, Outputs& out, Shown& shown) {
  const Index layer = std::min(in.integer("layer"), running.layers() - 1), head = std::min(in.integer("head"), running.heads() - 1);
  HeadPage page(running, layer, head, "", out, shown);
  page.addRows();
  page.addWalk(in.on("walk"));
  page.addScores();
}

void showHeadWith(const Running& running, Index layer, Index head, const std::string& with, Outputs& out, Shown& shown) {
  HeadPage page(running, layer, head, with, out, shown);
  page.addRows();
  page.addScores();
}

}  // namespace attn::study
