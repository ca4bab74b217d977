// QK and OV maps over tokens, in double precision. Knows no text.
#include "core/circuit.h"

#include <cassert>
#include <cmath>
#include <optional>

#include "core/contribution.h"
#include "core/decoder_parts.h"
#include "core/norm.h"
#include "core/product.h"

namespace attn::core {
namespace {

Matrix<double> tokenRows(const HalfMatrix& matrix, std::span<const Index> tokens) {
  Matrix<double> rows(static_cast<Index>(tokens.size()), matrix.cols());
  for (std::size_t n = 0; n < tokens.size(); ++n)
    rows.row(static_cast<Index>(n)) = matrix.row(tokens[n]).cast<double>();
  return rows;
}

std::optional<RowVector<double>> doublesOf(const std::optional<RowVector<float>>& row) {
  if (!row) return std::nullopt;
  return RowVector<double>(row->cast<double>());
}

// x_c of each token.
Matrix<double> readBy(const DecoderBlock& block, const Decoder& decoder, std::span<const Index> tokens) {
  const Norm<float>& norm = block.attention_norm;
  const Norm<double> exact_norm{static_cast<double>(norm.eps), doublesOf(norm.gain), doublesOf(norm.bias)};
  return normaliseRows(tokenRows(decoder.tokens, tokens), exact_norm);
}

Matrix<double> projected(const Matrix<double>& x, const Matrix<float>& weight, const RowVector<float>& bias) {
  return affine<double>(x, weight.cast<double>(), bias.cast<double>());
}

const DecoderBlock& blockAt(const Decoder& decoder, Index layer) {
  assert(layer >= 0 && layer < static_cast<Index>(decoder.blocks.size()));
  return decoder.blocks[static_cast<std::size_t>(layer)];
}

}  // namespace

Matrix<double> qkCircuit(const Decoder& decoder, Index layer, Index head, std::span<const Index> tokens) {
  const DecoderBlock& block = blockAt(decoder, layer);
  const Problem<float> attention = attentionOf(block);
  const auto h = static_cast<std::size_t>(head);
  const Matrix<double> x = readBy(block, decoder, tokens);
  const Matrix<double> q = projected(x, attention.wq[h], attention.bq[h]);
  const Matrix<double> k = projected(x, attention.wk[h], attention.bk[h]);
  return product<double>(q, k.transpose()) / std::sqrt(static_cast<double>(q.cols()));
}

Matrix<double> ovCircuit(const Decoder& decoder, Index layer, Index head, std::span<const Index> tokens) {
  const DecoderBlock& block = blockAt(decoder, layer);
  const Problem<float> attention = attentionOf(block);
  const auto h = static_cast<std::size_t>(head);
  const Matrix<double> v = projected(readBy(block, decoder, tokens), attention.wv[h], attention.bv[h]);
  Matrix<double> added = product(v, outputRows(attention.wo->cast<double>(), head, v.cols()));
  added.colwise() -= added.rowwise().mean().eval();
  if (const auto gain = doublesOf(decoder.final_norm.gain)) added.array().rowwise() *= gain->array();
  return product<double>(added, tokenRows(decoder.readout(), tokens).transpose());
}

}  // namespace attn::core
