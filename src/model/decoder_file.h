// A decoder out of the arrays of a file, by GPT-2's names and layouts: weights of linear layers are [in, out], Q, K and V
// are columns of one matrix. Knows no format of files and computes nothing.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/decoder.h"
#include "core/result.h"
#include "io/array_file.h"
#include "io/byte_source.h"

namespace attn::model {

struct DecoderFile {
  core::Decoder<float> decoder;
  std::vector<std::string> vocabulary;  // the text of each token; empty where the file has none
};

// Names may all begin with "transformer."; without lm_head.weight the embeddings serve again; arrays that are not needed,
// such as the masks h.0.attn.bias, are passed over. The number of heads and the norm's epsilon are those of the file's
// note `config`; without it a head is 64 wide and epsilon 1e-5, as in every GPT-2. The note `vocabulary` is one text of
// all tokens, a character each. Refuses, naming the array, what is missing or has another shape than the others ask for.
core::Result<DecoderFile> readDecoder(const io::ByteSource& source, const io::ArrayFile& file);

}  // namespace attn::model
