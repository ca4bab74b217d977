// Softmax and masks as they are also written: without subtracting the maximum, along the wrong axis, with a large
// number instead of −∞, with the mask applied too late. Each does what IEEE arithmetic makes of it, so that a scene can
// lay it beside softmaxRows. Float and double differ on purpose: −1e9 swallows a score in float only.
#pragma once
#include "core/mask.h"
#include "core/tensor.h"

namespace attn::core {

// e^s ÷ Σ e^s per row, nothing subtracted: overflows to ∞, and ∞ ÷ ∞ is NaN; a row whose terms all underflow is 0 ÷ 0.
template <class Scalar>
Matrix<Scalar> plainSoftmaxRows(const Matrix<Scalar>& scores);

// e^(s − largest) ÷ Σ: stable, no mask, and no exception for a row of −∞, which becomes NaN as (−∞) − (−∞) is.
template <class Scalar>
Matrix<Scalar> shiftedSoftmaxRows(const Matrix<Scalar>& scores);

// The wrong axis: each column sums to 1 instead of each row.
template <class Scalar>
Matrix<Scalar> shiftedSoftmaxColumns(const Matrix<Scalar>& scores);

// Blocked scores replaced by `fill` before the softmax: −∞ is right except in rows with no source, 0 is the classic
// mistake (e^0 = 1 leaks), −1e9 is uniform where nothing is allowed, −1e4 leaks where scores reach as low.
template <class Scalar>
Matrix<Scalar> filled(const Matrix<Scalar>& scores, const Mask& mask, Scalar fill);
template <class Scalar>
Matrix<Scalar> filledSoftmax(const Matrix<Scalar>& scores, const Mask& mask, Scalar fill);

// Blocked scores plus `penalty` before the softmax: they keep their differences where the number type can hold them.
template <class Scalar>
Matrix<Scalar> penalised(const Matrix<Scalar>& scores, const Mask& mask, Scalar penalty);
template <class Scalar>
Matrix<Scalar> penalisedSoftmax(const Matrix<Scalar>& scores, const Mask& mask, Scalar penalty);

// The softmax of all scores, then blocked weights set to 0 and nothing renormalised: rows sum to less than 1.
template <class Scalar>
Matrix<Scalar> maskedAfterSoftmax(const Matrix<Scalar>& scores, const Mask& mask);

// Per row: the weight that lies on blocked sources, 0 when the mask works.
template <class Scalar>
RowVector<Scalar> leakedWeight(const Matrix<Scalar>& weights, const Mask& mask);

// Dropout as in training (Srivastava et al. 2014, scaled up when kept): a weight is kept where keep(i, j) is true and
// divided by `keep_probability` (> 0), else 0. Rows no longer sum to 1.
template <class Scalar>
Matrix<Scalar> droppedOut(const Matrix<Scalar>& weights, const Matrix<bool>& keep, Scalar keep_probability);

}  // namespace attn::core
