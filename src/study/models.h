// The models that the pages are about: the trained one, with whatever else of web/data pages need, and one that a person has
// opened. What is not there of web/data is wanted: whoever has a network or a folder brings it. Knows no page and no platform.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
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

// The folder of web/data whose files are no models of ours, whatever their names say.
inline constexpr const char* kSamples = "samples/";

// A checkpoint in the shape of GPT-2 among files that somebody holds open.
struct OpenedFiles {
  const io::ByteSource* source = nullptr;
  const io::ArrayFile* file = nullptr;
  const model::Companions* companions = nullptr;
  std::uint64_t version = 0;  // another one: other files
};

using Progress = std::function<bool(double done)>;  // as scene::Progress

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

  // The checkpoint that is open now, if any. What was read of another one is given up.
  void offer(const std::optional<OpenedFiles>& files);
  bool isOffered() const { return offered_.has_value(); }
  // Read when it is asked for first, and then kept. Refuses what loadModel refuses, and where none is open.
  core::Result<const Loaded*> opened(const Progress& progress);

  // Of a decoder given here, without any intervention; the last one is kept.
  using Run = std::shared_ptr<const core::DecoderRun>;
  core::Result<Run> run(const Loaded& loaded, std::span<const core::Index> tokens);

  // Over the held-out lines; null while these are not there, and then they are wanted, and when it was stopped. Those of the
  // last decoder are kept.
  using Means = std::vector<std::vector<HeadMeans>>;
  const Means* lineMeans(const Loaded& loaded, const Progress& progress);

 private:
  void want(const std::string& name);

  std::map<std::string, Loaded> decoders_;
  std::map<std::string, std::string> texts_;
  std::optional<OpenedFiles> offered_;
  std::optional<core::Result<Loaded>> opened_;
  std::vector<std::string> wanted_, refused_;
  std::string refusal_;
  const Loaded* run_of_ = nullptr;
  std::vector<core::Index> run_tokens_;
  Run run_;
  const Loaded* means_of_ = nullptr;
  Means means_;
};

}  // namespace attn::study
