// What the layers write into the residual stream at one position, what the model would expect after each of them, and who
// speaks for a token.
#include <cmath>

#include "core/decoder_outcome.h"
#include "core/direct_effect.h"
#include "core/language.h"
#include "core/number.h"
#include "scene/figures.h"
#include "study/next.h"
#include "study/parts.h"
#include "study/walk.h"

namespace attn::study {
namespace {

// The stream at one position on its way, and how it is named.
struct Step {
  std::string name;
  core::RowVector<float> added, state;
};

class StreamPage {
 public:
  StreamPage(const Running& running, Index token, Outputs& out, Shown& shown)
      : running_(running), run_(*running.run), token_(token), out_(out), shown_(shown) {
    add(tr("embeddings"), run_.embedded, run_.embedded);
    for (std::size_t l = 0; l < run_.blocks.size(); ++l) {
      const core::BlockRun& block = run_.blocks[l];
      add(tr("attention, layer {0}", {l}), block.attention.y, *block.attention.residual);
      add(tr("MLP, layer {0}", {l}), block.mlp, block.state);
    }
  }

  void show() {
    shown_.text(tr("A position begins as the embedding of its {0} plus that of its place. Attention and MLP of each layer read this "
                   "residual stream through a norm and add a vector to it; the last norm and one more matrix turn what has gathered "
                   "into logits, one for each {0}.", {running_.unit()}));
    shown_.add(afterEach());
    addParts();
    shown_.add(stream());
    if (!canWalk(running_.decoder())) return;
    shown_.add(lesson::Jump{tr("Walk through layer 0, step by step"), "", {"part", "layer", "walk"}, {"head", "0", "1"}});
  }

 private:
  void add(std::string name, const core::Matrix<float>& added, const core::Matrix<float>& state) {
    steps_.push_back({std::move(name), added.row(running_.at), state.row(running_.at)});
  }

  lesson::Table afterEach() {
    lesson::Table table;
    table.title = tr("The stream on its way, at {0}", {running_.positionText(running_.at)});
    table.note = tr("What the model would expect if it stopped there: last norm and unembedding on the stream so far. Lengths are "
                    "Euclidean.");
    table.columns = {tr("after this part"), tr("length added"), tr("length of the stream"), tr("likeliest"), tr("its probability"),
                     tr("probability of “{0}”", {running_.label(token_)})};
    core::Matrix<float> states(static_cast<Index>(steps_.size()), running_.decoder().width());
    for (std::size_t n = 0; n < steps_.size(); ++n) states.row(static_cast<Index>(n)) = steps_[n].state;
    const core::Matrix<float> all_logits = core::logitsFrom(running_.decoder(), states);
    for (std::size_t n = 0; n < steps_.size(); ++n) {
      const Step& step = steps_[n];
      const core::RowVector<float> logits = all_logits.row(static_cast<Index>(n));
      const Index most = core::likeliest(logits, 1).front();
      table.rows.push_back({step.name, core::fixedText(static_cast<double>(step.added.norm()), 2),
                            core::fixedText(static_cast<double>(step.state.norm()), 2), running_.label(most),
                            shareText(std::exp(core::logProbability(logits, most))), shareText(std::exp(core::logProbability(logits, token_)))});
    }
    return table;
  }

  void addParts() {
    const core::LogitParts parts = core::logitParts(running_.decoder(), run_, running_.read.tokens, running_.at, token_);
    std::vector<std::string> names;
    std::vector<double> values;
    const auto bar = [&](const std::string& name, double value) {
      names.push_back(name);
      values.push_back(value);
    };
    bar(running_.unit(), parts.token);
    bar(tr("place"), parts.position);
    std::string most = tr("the {0} itself", {running_.unit()});
    double largest = parts.token;
    for (std::size_t l = 0; l < parts.layers.size(); ++l) {
      const core::LayerParts& layer = parts.layers[l];
      for (std::size_t h = 0; h < layer.heads.size(); ++h) {
        bar(headMark(static_cast<Index>(l), static_cast<Index>(h)), layer.heads[h]);
        if (std::abs(layer.heads[h]) > std::abs(largest)) largest = layer.heads[h], most = headName(static_cast<Index>(l), static_cast<Index>(h));
      }
      bar("b " + std::to_string(l), layer.attention_bias);
      bar("MLP " + std::to_string(l), layer.mlp);
      if (std::abs(layer.mlp) > std::abs(largest)) largest = layer.mlp, most = tr("the MLP of layer {0}", {l});
    }
    bar(tr("b norm"), parts.norm_bias);
    out_.numbers("parts", values);
    lesson::Table table;
    table.title = tr("The same as numbers");
    table.columns = {tr("part"), tr("its part of the logit")};
    for (std::size_t n = 0; n < names.size(); ++n) table.rows.push_back({names[n], core::fixedText(values[n], 4)});
    lesson::Plot plot = scene::namedBars(tr("Who speaks for “{0}”", {running_.label(token_)}), tr("part"), tr("part of the logit"),
                                         std::move(names), std::move(values));
    plot.note = tr("The logit as a sum of what each part has added to the stream, with the last norm's mean and scale as they are in "
                   "this run. What a part does through other parts is not in its bar. 0.1: head 1 of layer 0; b: the bias behind the "
                   "heads of a layer, and that of the last norm.");
    shown_.add(std::move(plot));
    shown_.add(std::move(table));
    const auto logit = static_cast<double>(run_.logits(running_.at, token_));
    constexpr double kRounding = 1e-3;
    shown_.add(lesson::Claim{tr("The bars sum to the logit: {0} and {1}.", {core::fixedText(parts.sum(), 4), core::fixedText(logit, 4)}),
                             std::abs(parts.sum() - logit) <= kRounding, false});
    out_.number("logit", logit);
    out_.number("sum", parts.sum());
    shown_.says = tr("After {0} the logit of “{1}” is {2}; the largest part of it comes from {3} ({4}).",
                     {running_.positionText(running_.at), running_.label(token_), core::fixedText(logit, 2), most,
                      core::fixedText(largest, 2)});
  }

  lesson::Grid stream() const {
    lesson::Grid grid;
    grid.title = tr("Its numbers");
    grid.note = tr("Columns are its components. Each row is the stream after the next part has added its vector, from the top: "
                   "embeddings, then attention and MLP of each layer.");
    grid.rows = static_cast<Index>(steps_.size());
    grid.columns = steps_.front().state.size();
    for (const Step& step : steps_) {
      grid.row_labels.push_back(step.name);
      for (Index i = 0; i < step.state.size(); ++i) grid.values.push_back(static_cast<double>(step.state(i)));
    }
    return grid;
  }

  const Running& running_;
  const core::DecoderRun& run_;
  Index token_;
  Outputs& out_;
  Shown& shown_;
  std::vector<Step> steps_;
};

}  // namespace

void showStream(const Running& running, const Inputs& in, Outputs& out, Shown& shown) {
  const core::Result<Index> token = tokenAskedAbout(running, in);
  if (token) return StreamPage(running, token.value(), out, shown).show();
  shown.tell(token.error().message);
}

}  // namespace attn::study
