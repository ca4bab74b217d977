// GPT-2's arrays as a decoder. See decoder_file.h.
#include "model/decoder_file.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/language.h"
#include "io/element_type.h"
#include "io/json.h"
#include "io/label.h"
#include "io/text.h"
#include "model/weights.h"

namespace attn::model {
namespace {

using core::Index;

constexpr std::string_view kPrefix = "transformer.";

// The JSON of a note "key: …" of the file; nothing when there is none or it is no JSON.
std::optional<io::Json> noteOf(const io::ArrayFile& file, const std::string& key) {
  for (const std::string& note : file.notes) {
    if (!note.starts_with(key + ": ")) continue;
    if (auto json = io::parseJson(std::string_view(note).substr(key.size() + 2))) return json.take();
  }
  return std::nullopt;
}

struct Config {
  Index heads = 0;
  double epsilon = 1e-5;
};

// What a config says that would make another computation of it.
core::Check strangeIn(const io::Json& config) {
  const auto flag = [&config](const char* name) {
    const io::Json* found = config.find(name);
    return found ? found->as<bool>() : nullptr;
  };
  const io::Json* activation = config.find("activation_function");
  const auto* name = activation ? activation->as<std::string>() : nullptr;
  if (name && *name != "gelu_new" && *name != "gelu_pytorch_tanh")
    return core::Error{tr("The model's config asks for the activation {0}; only gelu_new is computed here.", {io::ticked(*name)})};
  const bool* inverse = flag("scale_attn_by_inverse_layer_idx");
  const bool* scaled = flag("scale_attn_weights");
  if ((inverse && *inverse) || (scaled && !*scaled))
    return core::Error{tr("The model's config asks for scores that are scaled otherwise than by 1/√d_k; open a model "
                          "without `scale_attn_by_inverse_layer_idx`, and with `scale_attn_weights`.")};
  return std::nullopt;
}

Config configOf(const std::optional<io::Json>& json, Index width, Weights& weights) {
  constexpr Index kHeadWidth = 64;
  Config config;
  double heads = width % kHeadWidth == 0 ? static_cast<double>(width / kHeadWidth) : 0;
  if (json) {
    const auto number = [&json](const char* name, double& into) {
      const io::Json* found = json->find(name);
      if (const double* value = found ? found->as<double>() : nullptr) into = *value;
    };
    number("n_head", heads);
    number("layer_norm_epsilon", config.epsilon);
    if (core::Check strange = strangeIn(*json)) weights.fail(strange->message);
  }
  if (!(config.epsilon > 0 && config.epsilon <= 1))
    weights.fail(tr("The model's config gives a layer_norm_epsilon that does not lie between 0 and 1; GPT-2 has 1e-5."));
  const bool divides = heads >= 1 && heads <= static_cast<double>(width) && heads == std::floor(heads) &&
                       width % static_cast<Index>(heads) == 0;
  if (divides) config.heads = static_cast<Index>(heads);
  else weights.fail(tr("The model is {0} wide, which its number of heads does not divide; give n_head in its config.", {width}));
  return config;
}

core::Norm<float> normOf(Weights& weights, const std::string& name, Index width, double epsilon) {
  return {static_cast<float>(epsilon), weights.row(name + ".weight", width), weights.row(name + ".bias", width)};
}

core::Linear linearOf(Weights& weights, const std::string& name, Index inputs, Index outputs) {
  return {weights.matrix(name + ".weight", inputs, outputs), weights.row(name + ".bias", outputs)};
}

core::DecoderBlock blockOf(Weights& weights, Index number, Index width, const Config& config) {
  const std::string layer = "h." + std::to_string(number) + ".";
  core::DecoderBlock block;
  block.heads = config.heads;
  block.attention_norm = normOf(weights, layer + "ln_1", width, config.epsilon);
  block.qkv = linearOf(weights, layer + "attn.c_attn", width, 3 * width);
  block.mix = linearOf(weights, layer + "attn.c_proj", width, width);
  block.mlp_norm = normOf(weights, layer + "ln_2", width, config.epsilon);
  const Index hidden = weights.sidesOf(layer + "mlp.c_fc.weight").second;
  block.widen = linearOf(weights, layer + "mlp.c_fc", width, hidden);
  block.narrow = linearOf(weights, layer + "mlp.c_proj", hidden, width);
  return block;
}

// One more than the highest layer that a name speaks of, so that a layer in between is missed by name.
Index layersOf(const io::ArrayFile& file) {
  constexpr Index kMost = 1000;
  Index layers = 0;
  for (const io::ArrayInfo& array : file.arrays) {
    std::string_view name = array.name;
    if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
    if (!name.starts_with("h.")) continue;
    Index number = 0;
    for (name.remove_prefix(2); number < kMost && !name.empty() && name[0] >= '0' && name[0] <= '9';) {
      number = 10 * number + (name[0] - '0');
      name.remove_prefix(1);
    }
    layers = std::max(layers, std::min(number, kMost) + 1);
  }
  return layers;
}

std::vector<std::string> vocabularyOf(const io::ArrayFile& file, Index tokens, Weights& weights) {
  const std::optional<io::Json> json = noteOf(file, "vocabulary");
  const auto* text = json ? json->as<std::string>() : nullptr;
  if (!text) return {};
  std::vector<std::string> vocabulary;
  for (std::string_view rest = *text; !rest.empty();) {
    const auto length = static_cast<std::size_t>(std::max(1, io::characterLength(rest)));
    vocabulary.emplace_back(rest.substr(0, length));
    rest.remove_prefix(length);
  }
  if (static_cast<Index>(vocabulary.size()) != tokens)
    weights.fail(tr("The model's vocabulary has {0} {0|character|characters}, but `wte.weight` has {1} {1|row|rows}; save the model "
                    "again with the vocabulary that it was trained with.", {vocabulary.size(), tokens}));
  return vocabulary;
}

}  // namespace

core::Result<DecoderFile> readDecoder(const io::ByteSource& source, const io::ArrayFile& file, std::string_view config) {
  std::optional<io::Json> settings = noteOf(file, "config");
  if (!config.empty()) {
    auto json = io::parseJson(config);
    if (!json) return core::Error{tr("The model's config is no JSON: {0}", {json.error().message})};
    settings = json.take();
  }
  Weights weights(source, file, kPrefix);
  const auto [tokens, width] = weights.sidesOf("wte.weight");
  const Index context = weights.sidesOf("wpe.weight").first;
  if (weights.failure()) return *weights.failure();
  const Config about = configOf(settings, width, weights);
  DecoderFile out;
  core::Decoder& decoder = out.decoder;
  decoder.tokens = weights.matrix("wte.weight", tokens, width);
  decoder.positions = weights.matrix("wpe.weight", context, width);
  const Index layers = layersOf(file);
  for (Index l = 0; l < layers && !weights.failure(); ++l)
    decoder.blocks.push_back(blockOf(weights, l, width, about));
  decoder.final_norm = normOf(weights, "ln_f", width, about.epsilon);
  if (weights.has("lm_head.weight")) decoder.unembedding = weights.matrix("lm_head.weight", tokens, width);
  out.vocabulary = vocabularyOf(file, tokens, weights);
  if (weights.failure()) return *weights.failure();
  if (const auto type = weights.rounded())
    out.notes.push_back(tr("The file has its matrices as {0}; here they are rounded to float16, each number by at most one part "
                           "in 2,048, or by 3e-8.", {io::typeName(*type)}));
  return out;
}

}  // namespace attn::model
