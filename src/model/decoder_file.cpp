// GPT-2's arrays as a decoder. See decoder_file.h.
#include "model/decoder_file.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/buffer.h"
#include "io/array_data.h"
#include "io/json.h"
#include "io/label.h"
#include "io/text.h"

namespace attn::model {
namespace {

using core::Index;
using Shape = std::vector<std::uint64_t>;
using Matrix = core::Matrix<float>;
using Row = core::RowVector<float>;

constexpr std::string_view kPrefix = "transformer.";
constexpr std::uint64_t kArrayBudget = std::uint64_t(1) << 30;

std::uint64_t size(Index n) { return static_cast<std::uint64_t>(n); }

// The arrays by name. What went wrong first is kept, and all that is read after it is empty.
class Arrays {
 public:
  Arrays(const io::ByteSource& source, const io::ArrayFile& file) : source_(source), file_(file) {
    for (const io::ArrayInfo& array : file.arrays)
      if (array.name.starts_with(kPrefix)) prefix_ = kPrefix;
  }

  const core::Check& failure() const { return failure_; }
  void fail(std::string message) {
    if (!failure_) failure_ = core::Error{std::move(message)};
  }

  // lm_head.weight never has the prefix.
  const io::ArrayInfo* find(std::string_view name) const {
    for (const io::ArrayInfo& array : file_.arrays)
      if (array.name == name || array.name == std::string(prefix_).append(name)) return &array;
    return nullptr;
  }

  // Of a matrix whose sides are not known yet; (0, 0) where there is none.
  std::pair<Index, Index> sidesOf(const std::string& name) {
    const io::ArrayInfo* array = need(name);
    if (!array) return {0, 0};
    if (array->shape.size() != 2 || array->shape[0] == 0 || array->shape[1] == 0) {
      fail(io::ticked(name) + " has shape " + io::shapeText(array->shape) + " and should be a matrix; " + kAdvice);
      return {0, 0};
    }
    return {static_cast<Index>(array->shape[0]), static_cast<Index>(array->shape[1])};
  }

  Matrix matrix(const std::string& name, Index rows, Index columns) {
    return read(name, {size(rows), size(columns)}, 0, 1);
  }
  Row row(const std::string& name, Index columns) {
    const Matrix only = read(name, {size(columns)}, io::kNoAxis, 0);
    return only.size() > 0 ? Row(only) : Row();
  }

 private:
  static constexpr const char* kAdvice = "save the model again as GPT-2 is saved.";

  const io::ArrayInfo* need(const std::string& name) {
    const io::ArrayInfo* array = find(name);
    if (!array) fail("The model has no array " + io::ticked(std::string(prefix_) + name) + "; " + kAdvice);
    else if (!array->unreadable.empty()) fail(array->unreadable);
    return failure_ ? nullptr : array;
  }

  Matrix read(const std::string& name, const Shape& shape, std::size_t row_axis, std::size_t column_axis) {
    const io::ArrayInfo* array = need(name);
    if (!array) return {};
    if (array->shape != shape) {
      fail(io::ticked(array->name) + " has shape " + io::shapeText(array->shape) + ", but the other arrays ask for " +
           io::shapeText(shape) + "; " + kAdvice);
      return {};
    }
    const auto index = static_cast<std::size_t>(array - file_.arrays.data());
    const auto data = io::dataOf(source_, file_, index, kArrayBudget);
    if (!data) return fail(data.error().message), Matrix();
    const auto plane = io::planeOf(*array, row_axis, column_axis, Shape(shape.size(), 0));
    if (!plane) return fail(plane.error().message), Matrix();
    const auto numbers = io::readPlane(*data.value(), *array, plane.value());
    if (!numbers) return fail(numbers.error().message), Matrix();
    // Eigen ends the program where there is no memory, so ask first.
    if (auto probe = core::Buffer::allocate(static_cast<std::size_t>(numbers.value().size()) * sizeof(float)); !probe)
      return fail(probe.error().message), Matrix();
    return numbers.value().cast<float>();
  }

  const io::ByteSource& source_;
  const io::ArrayFile& file_;
  std::string_view prefix_;
  core::Check failure_;
};

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

Config configOf(const io::ArrayFile& file, Index width, Arrays& arrays) {
  constexpr Index kHeadWidth = 64;
  Config config;
  double heads = width % kHeadWidth == 0 ? static_cast<double>(width / kHeadWidth) : 0;
  if (const std::optional<io::Json> json = noteOf(file, "config")) {
    const auto number = [&json](const char* name, double& into) {
      const io::Json* found = json->find(name);
      if (const double* value = found ? found->as<double>() : nullptr) into = *value;
    };
    number("n_head", heads);
    number("layer_norm_epsilon", config.epsilon);
    const io::Json* activation = json->find("activation_function");
    const auto* name = activation ? activation->as<std::string>() : nullptr;
    if (name && *name != "gelu_new")
      arrays.fail("The model's config asks for the activation " + io::ticked(*name) + "; only gelu_new is computed here.");
  }
  if (!(config.epsilon > 0 && config.epsilon <= 1))
    arrays.fail("The model's config gives a layer_norm_epsilon that does not lie between 0 and 1; GPT-2 has 1e-5.");
  const bool divides = heads >= 1 && heads <= static_cast<double>(width) && heads == std::floor(heads) &&
                       width % static_cast<Index>(heads) == 0;
  if (divides) config.heads = static_cast<Index>(heads);
  else arrays.fail("The model is " + std::to_string(width) +
                   " wide, which its number of heads does not divide; give n_head in its config.");
  return config;
}

core::Norm<float> normOf(Arrays& arrays, const std::string& name, Index width, double epsilon) {
  return {static_cast<float>(epsilon), arrays.row(name + ".weight", width), arrays.row(name + ".bias", width)};
}

core::Linear<float> linearOf(Arrays& arrays, const std::string& name, Index inputs, Index outputs) {
  return {arrays.matrix(name + ".weight", inputs, outputs), arrays.row(name + ".bias", outputs)};
}

core::Problem<float> attentionOf(Arrays& arrays, const std::string& layer, Index width, const Config& config) {
  core::Problem<float> attention;
  attention.norm = normOf(arrays, layer + "ln_1", width, config.epsilon);
  attention.mask = core::plainMask(true);
  const core::Linear<float> qkv = linearOf(arrays, layer + "attn.c_attn", width, 3 * width);
  core::Linear<float> out = linearOf(arrays, layer + "attn.c_proj", width, width);
  if (arrays.failure()) return attention;
  const Index d = width / config.heads;
  const auto part = [&](Index n, std::vector<Matrix>& weights, std::vector<Row>& biases) {
    for (Index h = 0; h < config.heads; ++h) {
      weights.push_back(qkv.weight.middleCols(n * width + h * d, d));
      biases.push_back(qkv.bias.segment(n * width + h * d, d));
    }
  };
  part(0, attention.wq, attention.bq);
  part(1, attention.wk, attention.bk);
  part(2, attention.wv, attention.bv);
  attention.wo = std::move(out.weight);
  attention.bo = std::move(out.bias);
  return attention;
}

core::DecoderBlock<float> blockOf(Arrays& arrays, Index number, Index width, const Config& config) {
  const std::string layer = "h." + std::to_string(number) + ".";
  core::DecoderBlock<float> block;
  block.attention = attentionOf(arrays, layer, width, config);
  block.mlp_norm = normOf(arrays, layer + "ln_2", width, config.epsilon);
  const Index hidden = arrays.sidesOf(layer + "mlp.c_fc.weight").second;
  block.widen = linearOf(arrays, layer + "mlp.c_fc", width, hidden);
  block.narrow = linearOf(arrays, layer + "mlp.c_proj", hidden, width);
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

std::vector<std::string> vocabularyOf(const io::ArrayFile& file, Index tokens, Arrays& arrays) {
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
    arrays.fail("The model's vocabulary has " + std::to_string(vocabulary.size()) + " characters, but `wte.weight` has " +
                std::to_string(tokens) + " rows; save the model again with the vocabulary that it was trained with.");
  return vocabulary;
}

}  // namespace

core::Result<DecoderFile> readDecoder(const io::ByteSource& source, const io::ArrayFile& file) {
  Arrays arrays(source, file);
  DecoderFile out;
  core::Decoder<float>& decoder = out.decoder;
  const auto [tokens, width] = arrays.sidesOf("wte.weight");
  const Index context = arrays.sidesOf("wpe.weight").first;
  if (arrays.failure()) return *arrays.failure();
  const Config config = configOf(file, width, arrays);
  decoder.tokens = arrays.matrix("wte.weight", tokens, width);
  decoder.positions = arrays.matrix("wpe.weight", context, width);
  const Index layers = layersOf(file);
  for (Index l = 0; l < layers && !arrays.failure(); ++l)
    decoder.blocks.push_back(blockOf(arrays, l, width, config));
  decoder.final_norm = normOf(arrays, "ln_f", width, config.epsilon);
  if (arrays.find("lm_head.weight")) decoder.unembedding = arrays.matrix("lm_head.weight", tokens, width);
  out.vocabulary = vocabularyOf(file, tokens, arrays);
  if (arrays.failure()) return *arrays.failure();
  return out;
}

}  // namespace attn::model
