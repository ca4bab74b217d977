// Matrix products whose every cell is summed in the order of the inner index, starting from zero. So a cell does not
// depend on where it stands or on how large the matrices are, and adding its terms one by one gives the same bits.
// (A blocked product promises neither.) Knows nothing of attention.
#pragma once
#include "core/tensor.h"

namespace attn::core {

// a·b; a has as many columns as b has rows.
template <class Scalar>
Matrix<Scalar> product(const Matrix<Scalar>& a, const Matrix<Scalar>& b);

}  // namespace attn::core
