// See means.h.
#include "study/means.h"

#include <algorithm>

namespace attn::study {
namespace {

using core::Index;

struct Sums {
  core::Matrix<double> rows;       // T×d
  std::vector<double> counts;      // of each position
};

void add(Sums& sums, const core::Matrix<float>& z) {
  if (sums.rows.rows() < z.rows()) {
    const core::Matrix<double> before = std::move(sums.rows);
    sums.rows = core::Matrix<double>::Zero(z.rows(), z.cols());
    if (before.size() > 0) sums.rows.topRows(before.rows()) = before;
    sums.counts.resize(static_cast<std::size_t>(z.rows()), 0);
  }
  sums.rows.topRows(z.rows()) += z.cast<double>();
  for (Index t = 0; t < z.rows(); ++t) ++sums.counts[static_cast<std::size_t>(t)];
}

HeadMeans meansOf(const Sums& sums) {
  HeadMeans means;
  double count = 0;
  for (const double each : sums.counts) count += each;
  means.pooled = sums.rows.colwise().sum() / std::max(1.0, count);
  means.by_position = sums.rows;
  for (Index t = 0; t < sums.rows.rows(); ++t) means.by_position.row(t) /= sums.counts[static_cast<std::size_t>(t)];
  return means;
}

}  // namespace

std::vector<std::vector<HeadMeans>> headMeans(const core::Decoder& decoder, const std::vector<std::vector<Index>>& texts,
                                              const std::function<bool(double done)>& progress) {
  std::vector<std::vector<Sums>> sums(decoder.blocks.size());
  for (std::size_t n = 0; n < texts.size(); ++n) {
    if (!progress(static_cast<double>(n) / static_cast<double>(texts.size()))) return {};
    const core::Result<core::DecoderRun> run = core::runDecoder(decoder, texts[n]);
    if (!run) continue;
    for (std::size_t l = 0; l < sums.size(); ++l) {
      const auto& heads = run.value().blocks[l].attention.heads;
      sums[l].resize(heads.size());
      for (std::size_t h = 0; h < heads.size(); ++h) add(sums[l][h], heads[h].z);
    }
  }
  std::vector<std::vector<HeadMeans>> means(sums.size());
  for (std::size_t l = 0; l < sums.size(); ++l)
    for (const Sums& each : sums[l]) means[l].push_back(meansOf(each));
  return means;
}

}  // namespace attn::study
