// A small random GPT-2, saved as Hugging Face saves one, against what PyTorch makes of it.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "model/decoder_file.h"
#include "support/array_files.h"
#include "support/trained_model.h"

namespace {

using namespace attn;
using core::Index;
using test::difference;

core::Result<model::DecoderFile> readGpt2(const std::string& config) {
  const std::string bytes = test::arrayFile("gpt2.safetensors");
  const io::MemorySource source(test::bytesOf(bytes));
  const auto file = io::openArrays(source, "gpt2.safetensors");
  REQUIRE(file.ok());
  return model::readDecoder(source, file.value(), config);
}

}  // namespace

TEST_CASE("A GPT-2 as it is published gives the attention, the residual stream and the logits that PyTorch gives") {
  // What such a config.json has beside the number of heads is passed over.
  const auto read = readGpt2(R"({"architectures": ["GPT2LMHeadModel"], "model_type": "gpt2", "n_head": 2, "n_embd": 16,
      "n_ctx": 1024, "n_layer": 2, "layer_norm_epsilon": 1e-05, "activation_function": "gelu_new",
      "task_specific_params": {"text-generation": {"do_sample": true, "max_length": 50}}})");
  REQUIRE_MESSAGE(read.ok(), (read ? "" : read.error().message));
  REQUIRE(read.value().notes.size() == 1);
  CHECK(read.value().notes[0].find("float32") != std::string::npos);
  const core::Decoder& decoder = read.value().decoder;
  CHECK(decoder.context() == 24);
  CHECK(decoder.unembedding.size() == 0);
  const test::Reference reference("gpt2-reference.safetensors");
  const std::vector<Index> tokens = reference.tokens("tokens");
  const auto got = core::runDecoder(decoder, tokens);
  REQUIRE(got.ok());
  const core::DecoderRun& run = got.value();
  CHECK(difference(run.embedded, reference.matrix("states", {0})) <= 1e-6);
  REQUIRE(run.blocks.size() == 2);
  for (std::size_t l = 0; l < 2; ++l) {
    REQUIRE(run.blocks[l].attention.heads.size() == 2);
    for (std::size_t h = 0; h < 2; ++h)
      CHECK(difference(run.blocks[l].attention.heads[h].softmax.weights, reference.matrix("attention", {l, h})) <= 2e-6);
    CHECK(difference(run.blocks[l].state, reference.matrix("states", {l + 1})) <= 2e-5);
  }
  CHECK(difference(run.logits, reference.matrix("logits")) <= 2e-5);
}

TEST_CASE("Without a config, a GPT-2 whose heads are not 64 wide is refused") {
  const auto read = readGpt2("");
  REQUIRE_FALSE(read.ok());
  CHECK(read.error().message == "The model is 16 wide, which its number of heads does not divide; give n_head in its config.");
}
