// The model of this repository against what PyTorch makes of it, and files that are no such model.
#include "model/decoder_file.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "io/array_writer.h"
#include "support/array_files.h"
#include "support/trained_model.h"

namespace {

using namespace attn;
using core::Index;
using test::bytesOf;
using test::difference;
using test::Reference;

core::Result<model::DecoderFile> readFile(const std::string& bytes, const std::vector<std::string>& notes = {},
                                          std::string_view config = {}) {
  const io::MemorySource source(bytesOf(bytes));
  core::Result<io::ArrayFile> file = io::openArrays(source, "model.safetensors");
  REQUIRE_MESSAGE(file.ok(), (file ? "" : file.error().message));
  file.value().notes.insert(file.value().notes.end(), notes.begin(), notes.end());
  return model::readDecoder(source, file.value(), config);
}

// The arrays of a model of width 4 with 2 heads, 1 layer, 3 tokens and 5 positions, all of them countable numbers.
std::vector<io::NamedArray> smallModel(const std::string& prefix = "") {
  std::vector<io::NamedArray> arrays;
  double next = 0;
  const auto add = [&](const std::string& name, std::vector<std::uint64_t> shape) {
    std::vector<double> values(static_cast<std::size_t>(*io::countOf(shape)));
    for (double& value : values) value = (next += 1) / 64;
    arrays.push_back({prefix + name, std::move(shape), std::move(values)});
  };
  add("wte.weight", {3, 4});
  add("wpe.weight", {5, 4});
  add("ln_f.weight", {4});
  add("ln_f.bias", {4});
  for (const char* norm : {"ln_1", "ln_2"})
    for (const char* part : {".weight", ".bias"}) add(std::string("h.0.") + norm + part, {4});
  add("h.0.attn.c_attn.weight", {4, 12});
  add("h.0.attn.c_attn.bias", {12});
  add("h.0.attn.c_proj.weight", {4, 4});
  add("h.0.attn.c_proj.bias", {4});
  add("h.0.mlp.c_fc.weight", {4, 7});
  add("h.0.mlp.c_fc.bias", {7});
  add("h.0.mlp.c_proj.weight", {7, 4});
  add("h.0.mlp.c_proj.bias", {4});
  return arrays;
}

const std::string kTwoHeads = "config: {\"n_head\": 2}";

std::string refusalOf(const std::vector<io::NamedArray>& arrays, const std::vector<std::string>& notes = {kTwoHeads}) {
  const auto read = readFile(io::safetensorsOf(arrays), notes);
  return read ? "read" : read.error().message;
}

io::NamedArray& named(std::vector<io::NamedArray>& arrays, const std::string& name) {
  return *std::find_if(arrays.begin(), arrays.end(), [&name](const io::NamedArray& array) { return array.name == name; });
}

void set(std::vector<io::NamedArray>& arrays, const std::string& name, std::size_t index, double value) {
  std::get<std::vector<double>>(named(arrays, name).values)[index] = value;
}

}  // namespace

TEST_CASE("Our model gives the attention, the residual stream and the logits that PyTorch gives") {
  const model::DecoderFile file = test::trainedModel();
  const Reference reference("model-reference.safetensors");
  for (const std::string text : {"0", "1", "2"}) {
    CAPTURE(text);
    const std::vector<Index> tokens = reference.tokens(text + ".tokens");
    const auto got = core::runDecoder(file.decoder, tokens);
    REQUIRE(got.ok());
    const core::DecoderRun& run = got.value();
    REQUIRE(run.blocks.size() == 2);
    CHECK(difference(run.embedded, reference.matrix(text + ".states", {0})) <= 1e-6);
    for (std::size_t l = 0; l < 2; ++l) {
      REQUIRE(run.blocks[l].attention.heads.size() == 4);
      for (std::size_t h = 0; h < 4; ++h) {
        const core::Matrix<float>& weights = run.blocks[l].attention.heads[h].softmax.weights;
        CHECK(difference(weights, reference.matrix(text + ".attention", {l, h})) <= 2e-6);
      }
      CHECK(difference(run.blocks[l].state, reference.matrix(text + ".states", {l + 1})) <= 2e-5);
    }
    CHECK(difference(run.logits, reference.matrix(text + ".logits")) <= 2e-5);
  }
  CHECK(reference.tokens("2.tokens").size() == 64);
}

TEST_CASE("Our model is 64 wide, reads up to 64 characters and knows each of its 63 by name") {
  const model::DecoderFile file = test::trainedModel();
  CHECK(file.decoder.width() == 64);
  CHECK(file.decoder.context() == 64);
  CHECK(file.decoder.blocks.size() == 2);
  REQUIRE(file.vocabulary.size() == 63);
  CHECK(file.vocabulary[0] == "\n");
  CHECK(file.vocabulary[1] == " ");
  CHECK(file.vocabulary[62] == "z");
}

TEST_CASE("A later character changes no earlier logit of our model, not by one bit") {
  const model::DecoderFile file = test::trainedModel();
  std::vector<Index> tokens = Reference("model-reference.safetensors").tokens("1.tokens");
  const auto plain = core::runDecoder(file.decoder, tokens);
  REQUIRE(plain.ok());
  tokens[20] = (tokens[20] + 1) % 63;
  const auto changed = core::runDecoder(file.decoder, tokens);
  REQUIRE(changed.ok());
  CHECK(changed.value().logits.topRows(20) == plain.value().logits.topRows(20));
  CHECK(changed.value().logits.row(20) != plain.value().logits.row(20));
}

TEST_CASE("Columns of c_attn are Q, K and V, and within each head by head") {
  const auto read = readFile(io::safetensorsOf(smallModel()), {kTwoHeads});
  REQUIRE_MESSAGE(read.ok(), (read ? "" : read.error().message));
  const core::Problem<float> attention = core::attentionOf(read.value().decoder.blocks[0]);
  std::vector<io::NamedArray> arrays = smallModel();
  const std::vector<double>& weights = *named(arrays, "h.0.attn.c_attn.weight").numbers();
  const std::vector<double>& biases = *named(arrays, "h.0.attn.c_attn.bias").numbers();
  REQUIRE(attention.wq.size() == 2);
  // Row 3 of 12 columns: of head 1 the second column.
  CHECK(attention.wq[1](3, 1) == static_cast<float>(weights[3 * 12 + 3]));
  CHECK(attention.wk[1](3, 1) == static_cast<float>(weights[3 * 12 + 7]));
  CHECK(attention.wv[1](3, 1) == static_cast<float>(weights[3 * 12 + 11]));
  CHECK(attention.bv[0](0) == static_cast<float>(biases[8]));
  CHECK(attention.mask.causal);
}

TEST_CASE("Names may begin with transformer., the head may be tied or not, and masks that were saved are passed over") {
  std::vector<io::NamedArray> arrays = smallModel("transformer.");
  arrays.push_back({"transformer.h.0.attn.bias", {1, 1, 5, 5}, std::vector<double>(25, 1)});
  const auto tied = readFile(io::safetensorsOf(arrays), {kTwoHeads});
  REQUIRE_MESSAGE(tied.ok(), (tied ? "" : tied.error().message));
  CHECK(tied.value().decoder.unembedding.size() == 0);
  CHECK(tied.value().vocabulary.empty());
  CHECK(tied.value().decoder.blocks.size() == 1);
  arrays.push_back({"lm_head.weight", {3, 4}, std::vector<double>(12, 0.5)});
  const auto untied = readFile(io::safetensorsOf(arrays), {kTwoHeads});
  REQUIRE(untied.ok());
  REQUIRE(untied.value().decoder.unembedding.size() == 12);
  CHECK(untied.value().decoder.unembedding.row(2)(3) == 0.5f);
}

TEST_CASE("Every array that is missing or has another shape is named") {
  const std::vector<io::NamedArray> whole = smallModel();
  REQUIRE(refusalOf(whole) == "read");
  for (std::size_t i = 0; i < whole.size(); ++i) {
    CAPTURE(whole[i].name);
    std::vector<io::NamedArray> arrays = whole;
    arrays.erase(arrays.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK(refusalOf(arrays) == "The model has no array `" + whole[i].name + "`; save the model again as GPT-2 is saved.");
    arrays = whole;
    arrays[i].shape.push_back(1);
    CHECK(refusalOf(arrays).find("`" + whole[i].name + "` has shape ") == 0);
  }
  std::vector<io::NamedArray> arrays = whole;
  named(arrays, "h.0.attn.c_attn.weight") = {"h.0.attn.c_attn.weight", {12, 4}, std::vector<double>(48, 1)};
  CHECK(refusalOf(arrays) == "`h.0.attn.c_attn.weight` has shape 12×4, but the other arrays ask for 4×12; save the model "
                             "again as GPT-2 is saved.");
}

TEST_CASE("A layer between others that is missing is missed by name") {
  std::vector<io::NamedArray> arrays = smallModel();
  arrays.push_back({"h.2.ln_1.weight", {4}, std::vector<double>(4, 1)});
  CHECK(refusalOf(arrays) == "The model has no array `h.1.ln_1.weight`; save the model again as GPT-2 is saved.");
}

TEST_CASE("Notes that do not fit the arrays are refused with what they say") {
  const std::vector<io::NamedArray> arrays = smallModel();
  for (const char* heads : {"3", "0", "2.5", "-1", "1e300"})
    CHECK(refusalOf(arrays, {std::string("config: {\"n_head\": ") + heads + "}"}) ==
          "The model is 4 wide, which its number of heads does not divide; give n_head in its config.");
  CHECK(refusalOf(arrays, {}) ==
        "The model is 4 wide, which its number of heads does not divide; give n_head in its config.");
  CHECK(refusalOf(arrays, {"config: {\"n_head\": 2, \"activation_function\": \"relu\"}"}) ==
        "The model's config asks for the activation `relu`; only gelu_new is computed here.");
  CHECK(refusalOf(arrays, {"config: {\"n_head\": 2, \"layer_norm_epsilon\": 0}"}) ==
        "The model's config gives a layer_norm_epsilon that does not lie between 0 and 1; GPT-2 has 1e-5.");
  CHECK(refusalOf(arrays, {kTwoHeads, "vocabulary: \"ab\""}) ==
        "The model's vocabulary has 2 characters, but `wte.weight` has 3 rows; save the model again with the vocabulary "
        "that it was trained with.");
  const auto read = readFile(io::safetensorsOf(arrays), {kTwoHeads, "vocabulary: \"a\\né\""});
  REQUIRE(read.ok());
  CHECK(read.value().vocabulary == std::vector<std::string>{"a", "\n", "é"});
}

TEST_CASE("A config.json beside the file counts for more than the file's own config") {
  const std::string bytes = io::safetensorsOf(smallModel());
  const auto read = readFile(bytes, {"config: {\"n_head\": 3}"},
                             R"({"n_head": 4, "layer_norm_epsilon": 0.25, "activation_function": "gelu_pytorch_tanh"})");
  REQUIRE_MESSAGE(read.ok(), (read ? "" : read.error().message));
  CHECK(read.value().decoder.blocks[0].heads == 4);
  CHECK(read.value().decoder.blocks[0].attention_norm.eps == 0.25f);
  CHECK(read.value().decoder.final_norm.eps == 0.25f);
  const auto broken = readFile(bytes, {kTwoHeads}, "{\"n_head\": 4");
  REQUIRE_FALSE(broken.ok());
  CHECK(broken.error().message.find("The model's config is no JSON: ") == 0);
}

TEST_CASE("A config that scales scores in another way is refused") {
  for (const char* config : {R"({"n_head": 2, "scale_attn_by_inverse_layer_idx": true})",
                             R"({"n_head": 2, "scale_attn_weights": false})"}) {
    const auto read = readFile(io::safetensorsOf(smallModel()), {}, config);
    REQUIRE_FALSE(read.ok());
    CHECK(read.error().message ==
          "The model's config asks for scores that are scaled otherwise than by 1/√d_k; open a model without "
          "`scale_attn_by_inverse_layer_idx`, and with `scale_attn_weights`.");
  }
  CHECK(readFile(io::safetensorsOf(smallModel()), {},
                 R"({"n_head": 2, "scale_attn_by_inverse_layer_idx": false, "scale_attn_weights": true})")
            .ok());
}

TEST_CASE("Matrices that are not float16 in the file are rounded, which is said; of float16 nothing is") {
  CHECK(test::trainedModel().notes.empty());
  std::vector<io::NamedArray> arrays = smallModel();
  set(arrays, "h.0.mlp.c_fc.weight", 5, 0.1);
  const auto read = readFile(io::safetensorsOf(arrays), {kTwoHeads});
  REQUIRE(read.ok());
  CHECK(read.value().notes == std::vector<std::string>{"The file has its matrices as float64; here they are rounded to "
                                                       "float16, each number by at most one part in 2,048, or by 3e-8."});
  CHECK(read.value().decoder.blocks[0].widen.weight.row(0)(5) == 1638.0f / 16384);
}

TEST_CASE("Numbers that float16 has not, and norms and biases that are not finite, are refused by name") {
  std::vector<io::NamedArray> arrays = smallModel();
  set(arrays, "h.0.mlp.c_fc.weight", 27, 70000);
  CHECK(refusalOf(arrays) == "`h.0.mlp.c_fc.weight` holds 70000, but matrices are kept as float16, whose numbers go to "
                             "65504; save the model again without such numbers.");
  arrays = smallModel();
  set(arrays, "ln_f.bias", 2, 1e300);
  CHECK(refusalOf(arrays) == "`ln_f.bias` holds numbers that are not finite; save the model again without them.");
}

TEST_CASE("A matrix of many rows is read slice by slice to its last number") {
  std::vector<io::NamedArray> arrays = smallModel();
  std::vector<double> many(4 * 100000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<double>(i % 2039);
  named(arrays, "wte.weight") = {"wte.weight", {100000, 4}, many};
  const auto read = readFile(io::safetensorsOf(arrays), {kTwoHeads});
  REQUIRE_MESSAGE(read.ok(), (read ? "" : read.error().message));
  const core::Matrix<float> tokens = read.value().decoder.tokens.toMatrix();
  for (std::size_t i = 0; i < many.size(); ++i)
    REQUIRE(static_cast<double>(tokens.data()[i]) == many[i]);
}
