// What the controls say about the running model: which weights, which text, which position; and the run itself. Knows no
// part of the page.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "scene/scene.h"
#include "study/facts.h"
#include "study/models.h"

namespace attn::study {

const core::Matrix<float>& weightsOf(const core::DecoderRun& run, Index layer, Index head);

// How our model was trained, and at which stage of it the page is.
struct Stage {
  Facts facts;
  std::size_t checkpoint = 0;  // which of the facts'
};

struct Running {
  Models& models;
  const Progress& progress;
  const std::optional<Stage>& stage;  // nothing for a model that a person has opened
  const Loaded& loaded;
  Read read;
  Index at;         // the chosen position
  Models::Run run;

  const core::Decoder& decoder() const { return loaded.file.decoder; }
  Index length() const { return static_cast<Index>(read.tokens.size()); }
  Index layers() const { return static_cast<Index>(decoder().blocks.size()); }
  Index heads() const { return static_cast<Index>(run->blocks.front().attention.heads.size()); }
  const core::Matrix<float>& weights(Index layer, Index head) const { return weightsOf(*run, layer, head); }

  // "character" or "token", and more than one of them.
  std::string unit() const { return loaded.unit(); }
  std::string units() const { return loaded.units(); }

  // As the screen shows a token: "a", "␣".
  std::string label(Index token) const;
  // Of every position of the text.
  std::vector<std::string> labels() const;
  // “a” at position 3.
  std::string positionText(Index position) const;
};

// Layer and head as people name them, and in short: "0.3".
std::string headName(Index layer, Index head);
std::string headMark(Index layer, Index head);

}  // namespace attn::study
