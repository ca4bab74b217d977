// The trained model that the pages are about, and whatever else of web/data they need. What is not there is wanted:
// whoever has a network or a folder brings it. Knows no page and no platform.
#pragma once
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/decoder.h"
#include "core/result.h"
#include "study/loaded.h"
#include "study/means.h"

namespace attn::study {

// Files of web/data.
inline constexpr const char* kModelFile = "model.safetensors";  // at the end of training
inline constexpr const char* kFactsFile = "model.json";         // how it was trained
inline constexpr const char* kLinesFile = "lines.txt";          // held-out lines of text

class Models {
 public:
  // Null while it is not there, and then wanted.
  const Loaded* decoder(const std::string& name);
  const std::string* text(const std::string& name);

  // Asked for since wantNothing(), and neither there nor refused.
  const std::vector<std::string>& wanted() const { return wanted_; }
  void wantNothing() { wanted_.clear(); }
  // Why something of what was asked for cannot be had, or "".
  const std::string& refusal() const { return refusal_; }

  void give(const std::string& name, std::string bytes);
  void refuse(const std::string& name, std::string sentence);
  // What was refused may be asked for again: a person has done something.
  void retry();

  // Of a decoder given here, without any intervention; the last one is kept.
  using Run = std::shared_ptr<const core::DecoderRun>;
  core::Result<Run> run(const Loaded& loaded, std::span<const core::Index> tokens);

  // Over the held-out lines; null while these are not there, and then they are wanted. Those of the last decoder are kept.
  using Means = std::vector<std::vector<HeadMeans>>;
  const Means* lineMeans(const Loaded& loaded);

 private:
  void want(const std::string& name);

  std::map<std::string, Loaded> decoders_;
  std::map<std::string, std::string> texts_;
  std::vector<std::string> wanted_, refused_;
  std::string refusal_;
  const Loaded* run_of_ = nullptr;
  std::vector<core::Index> run_tokens_;
  Run run_;
  const Loaded* means_of_ = nullptr;
  Means means_;
};

}  // namespace attn::study
