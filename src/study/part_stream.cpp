// What the layers write into the residual stream at one position, and what the model would expect after each of them.
#include "core/norm.h"
#include "core/number.h"
#include "core/product.h"
#include "study/next.h"
#include "study/parts.h"

namespace attn::study {
namespace {

// The stream at one position on its way, and how it is named.
struct Step {
  std::string name;
  core::RowVector<double> added, state;
};

std::vector<Step> stepsOf(const Running& running) {
  const core::DecoderRun& run = *running.run;
  const auto row = [&](const core::Matrix<float>& matrix) { return core::RowVector<double>(matrix.row(running.at).cast<double>()); };
  std::vector<Step> steps = {{"embeddings", row(run.embedded), row(run.embedded)}};
  for (std::size_t l = 0; l < run.blocks.size(); ++l) {
    const core::BlockRun& block = run.blocks[l];
    const std::string layer = ", layer " + std::to_string(l);
    steps.push_back({"attention" + layer, row(block.attention.y), row(*block.attention.residual)});
    steps.push_back({"MLP" + layer, row(block.mlp), row(block.state)});
  }
  return steps;
}

}  // namespace

void showStream(const Running& running, const Inputs&, Outputs&, Shown& shown) {
  const std::vector<Step> steps = stepsOf(running);
  lesson::Grid grid;
  grid.title = "The residual stream at " + running.positionText(running.at);
  grid.note = "Each row is the stream after what it names has added its vector.";
  grid.rows = static_cast<Index>(steps.size());
  grid.columns = steps.front().state.size();
  for (const Step& step : steps) {
    grid.row_labels.push_back(step.name);
    grid.values.insert(grid.values.end(), step.state.data(), step.state.data() + step.state.size());
  }
  shown.says = "At " + running.positionText(running.at) + " the stream has length " + core::fixedText(steps.front().state.norm(), 2) +
               " after the embeddings and " + core::fixedText(steps.back().state.norm(), 2) + " before the last norm.";
  shown.add(std::move(grid));
}

}  // namespace attn::study
