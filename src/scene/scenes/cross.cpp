// Queries from one sequence, keys and values from another: an encoder, a decoder and what the decoder reads of the
// encoder. Weights and vectors are seeded; what is to be seen are shapes, masks and dependences.
#include <algorithm>
#include <cmath>

#include "core/language.h"
#include "core/rng.h"
#include "scene/figures.h"
#include "scene/scene.h"

namespace attn::scene {
namespace {

constexpr Index kMostCrossTokens = 8;
constexpr Index kCrossWidth = 8;
constexpr double kCrossRounding = 1e-12;  // sums of at most twelve weights

struct CrossWeights {
  Matrix<double> wq, wk, wv;
};

CrossWeights draw(core::Rng& rng) {
  const double deviation = 1 / std::sqrt(static_cast<double>(kCrossWidth));
  CrossWeights weights;
  weights.wq = rng.normalMatrix(kCrossWidth, kCrossWidth, deviation);
  weights.wk = rng.normalMatrix(kCrossWidth, kCrossWidth, deviation);
  weights.wv = rng.normalMatrix(kCrossWidth, kCrossWidth, deviation);
  return weights;
}

core::Problem<double> problemOf(const CrossWeights& weights, const Matrix<double>& x, const core::MaskSpec& mask) {
  core::Problem<double> problem;
  problem.T = problem.S = x.rows();
  problem.x = x;
  problem.wq = {weights.wq};
  problem.wk = {weights.wk};
  problem.wv = {weights.wv};
  problem.mask = mask;
  problem.residual = core::Residual::kInput;
  return problem;
}

core::Problem<double> crossProblem(const CrossWeights& weights, const Matrix<double>& x, const Matrix<double>& sources,
                                   const core::MaskSpec& mask) {
  core::Problem<double> problem = problemOf(weights, x, mask);
  problem.S = sources.rows();
  problem.cross = true;
  problem.x_sources = sources;
  return problem;
}

struct Model {
  CrossWeights encoder, decoder, cross;
  core::MaskSpec source_mask, target_mask, cross_mask;
};

struct CrossRun {
  core::Trace<double> encoder, decoder, cross;
};

CrossRun runOf(const Model& model, const Matrix<double>& sources, const Matrix<double>& targets) {
  core::Trace<double> encoder = traceOf(problemOf(model.encoder, sources, model.source_mask));
  core::Trace<double> decoder = traceOf(problemOf(model.decoder, targets, model.target_mask));
  core::Trace<double> cross =
      traceOf(crossProblem(model.cross, *decoder.residual, *encoder.residual, model.cross_mask));
  return {std::move(encoder), std::move(decoder), std::move(cross)};
}

const Matrix<double>& weightsOf(const core::Trace<double>& trace) { return trace.heads[0].softmax.weights; }

void showDependence(const Model& model, const CrossRun& run, const Matrix<double>& sources, const Matrix<double>& targets,
                    std::uint64_t seed, Outputs& out) {
  core::Rng rng(seed + 1);
  Matrix<double> other_sources = sources, other_targets = targets;
  other_sources.row(0) = rng.normalMatrix(1, kCrossWidth);
  other_targets.bottomRows(1) = rng.normalMatrix(1, kCrossWidth);
  const auto moved = [&](const CrossRun& other) { return rowChanges(*run.cross.residual, *other.cross.residual); };
  const core::RowVector<double> by_source = moved(runOf(model, other_sources, targets));
  const core::RowVector<double> by_target = moved(runOf(model, sources, other_targets));
  out.number("rows_moved_by_source", static_cast<double>((by_source.array() > 0).count()));
  out.number("rows_moved_by_last_target", static_cast<double>((by_target.array() > 0).count()));
  out.flag("source_moves_every_row", (by_source.array() > 0).all());
  const Index earlier = by_target.cols() - 1;
  const bool earlier_move = earlier > 0 && by_target.leftCols(earlier).maxCoeff() > 0;
  out.flag("last_target_moves_earlier_rows", earlier_move);
  out.flag("earlier_rows_stay", !earlier_move);
}

// Over the words alone: filler reads too, and nobody uses what it gets.
void showSelf(const CrossRun& run, Index words, Outputs& out) {
  const core::RowVector<double> own = weightsOf(run.encoder).diagonal().head(words).transpose();
  out.number("on_itself", own.mean());
  out.flag("self_reads_others", (own.array() < 1).all());
}

void showTriangle(const Model& model, const CrossRun& run, const Tokens& targets, const Tokens& sources, Outputs& out) {
  core::MaskSpec mask = model.cross_mask;
  mask.causal = true;
  const core::Trace<double> wrong =
      traceOf(crossProblem(model.cross, *run.decoder.residual, *run.encoder.residual, mask));
  out.grid("triangle", weightsOf(wrong), mapLook(tr("Wrong: a triangle here too"), targets, sources, &wrong.mask));
  out.number("first_row_sources", static_cast<double>(wrong.mask.allowedInRow(0)));
  const bool reads_all = wrong.mask.allowedInRow(0) == run.cross.mask.allowedInRow(0);
  out.flag("first_row_reads_all", reads_all);
  out.flag("triangle_takes_words", !reads_all);
}

bool countFits(const Tokens& tokens) { return !tokens.empty() && static_cast<Index>(tokens.size()) <= kMostCrossTokens; }

// What is wrong with the texts that were set.
core::Check checkCounts(const Tokens& sources, const Tokens& targets) {
  if (!countFits(sources))
    return core::Error{tr("The input text has {0} {0|word|words}; write 1 to {1}, with blanks between them.",
                          {sources.size(), kMostCrossTokens})};
  if (!countFits(targets))
    return core::Error{tr("The translation has {0} {0|word|words}; write 1 to {1}, with blanks between them.",
                          {targets.size(), kMostCrossTokens})};
  return {};
}

void showMaps(const CrossRun& run, const Tokens& targets, const Tokens& sources, Index padding, Outputs& out) {
  out.grid("encoder", weightsOf(run.encoder),
           mapLook(tr("Encoder: input reads input"), sources, sources, &run.encoder.mask));
  const bool causal = run.decoder.mask.allowedInRow(0) == 1;
  out.grid("decoder", weightsOf(run.decoder),
           mapLook(causal ? tr("Decoder: translation reads translation") : tr("Decoder, wrong: its mask is off"), targets,
                   targets, &run.decoder.mask));
  out.grid("cross", weightsOf(run.cross),
           mapLook(tr("Cross-attention: translation reads input"), targets, sources, &run.cross.mask));
  out.number("m", static_cast<double>(targets.size()));
  out.number("n", static_cast<double>(sources.size()));
  const Matrix<double>& weights = weightsOf(run.cross);
  out.flag("rows_sum_to_one", (weights.rowwise().sum().array() - 1).abs().maxCoeff() <= kCrossRounding);
  out.flag("padding_gets_zero", padding == 0 || (weights.rightCols(padding).array() == 0).all());
  out.number("cross_blocked", static_cast<double>(weights.size()) - static_cast<double>((weights.array() > 0).count()));
}

}  // namespace

core::Check crossAttention(const Inputs& in, Outputs& out, const Progress&) {
  Tokens sources = tokensOf(in.text("source"));
  const Tokens targets = tokensOf(in.text("target"));
  if (core::Check wrong = checkCounts(sources, targets)) return wrong;
  const std::uint64_t seed = in.seed("seed");
  const Index padding = in.integer("padding");
  core::Rng rng(seed);
  Model model{draw(rng), draw(rng), draw(rng), {}, core::plainMask(in.on("causal")), {}};
  for (std::size_t j = 0; padding > 0 && j < sources.size() + static_cast<std::size_t>(padding); ++j) {
    model.source_mask.padding.push_back(j < sources.size());
  }
  model.cross_mask.padding = model.source_mask.padding;
  sources.insert(sources.end(), static_cast<std::size_t>(padding), "<pad>");
  const Matrix<double> source_vectors = vectorsOf(sources, seed, kCrossWidth),
                       target_vectors = vectorsOf(targets, seed, kCrossWidth);
  const CrossRun run = runOf(model, source_vectors, target_vectors);
  showMaps(run, targets, sources, padding, out);
  showDependence(model, run, source_vectors, target_vectors, seed, out);
  showSelf(run, static_cast<Index>(sources.size()) - padding, out);
  showTriangle(model, run, targets, sources, out);
  return {};
}

}  // namespace attn::scene
