// See running.h.
#include "study/running.h"

#include "core/language.h"
#include "lesson/token_text.h"

namespace attn::study {

const core::Matrix<float>& weightsOf(const core::DecoderRun& run, Index layer, Index head) {
  return run.blocks[static_cast<std::size_t>(layer)].attention.heads[static_cast<std::size_t>(head)].softmax.weights;
}

std::string Running::label(Index token) const {
  return lesson::tokenText(loaded.text(token), false);
}

std::vector<std::string> Running::labels() const {
  std::vector<std::string> labels;
  for (const Index token : read.tokens) labels.push_back(label(token));
  return labels;
}

std::string Running::positionText(Index position) const {
  return tr("“{0}” at position {1}", {label(read.tokens[static_cast<std::size_t>(position)]), position});
}

std::string headName(Index layer, Index head) { return tr("layer {0}, head {1}", {layer, head}); }

std::string headMark(Index layer, Index head) { return std::to_string(layer) + "." + std::to_string(head); }

}  // namespace attn::study
