// Layer normalisation of each row (Ba, Kiros and Hinton 2016). Knows nothing of what is normalised, or why.
#pragma once
#include "core/problem.h"

namespace attn::core {

// (row − mean) / √(population variance + eps) · gain + bias. Added up in order: a vectorised sum would depend on where
// in memory a row begins, and so on the number of the row.
template <class Scalar>
Matrix<Scalar> normaliseRows(const Matrix<Scalar>& state, const Norm<Scalar>& norm);

}  // namespace attn::core
