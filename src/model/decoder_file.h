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
  core::Decoder decoder;
  std::vector<std::string> vocabulary;  // the text of each token; empty where the file has none
  std::vector<std::string> notes;       // what a reader should know: that numbers were rounded
};

// Names may all begin with "transformer."; without lm_head.weight the embeddings serve again; arrays that are not needed,
// such as the masks h.0.attn.bias, are passed over. `config` is the text of a config.json that lies beside the file, or
// empty: then the file's own note `config` takes its place. The number of heads and the norm's epsilon stand there;
// without it a head is 64 wide and epsilon 1e-5, as in every GPT-2. The note `vocabulary` is one text of all tokens, a
// character each.
// Matrices are rounded to float16, a few MB at a time; no array is ever held as a whole in another type. Refuses, naming
// the array, what is missing, has another shape than the others ask for, or holds a number that float16 has not; and a
// config that asks for what is not computed here.
core::Result<DecoderFile> readDecoder(const io::ByteSource& source, const io::ArrayFile& file,
                                      std::string_view config = {});

}  // namespace attn::model
