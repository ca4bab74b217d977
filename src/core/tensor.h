// The matrices that every layer speaks of: dense, row-major, one vector per row.
#pragma once
#include <Eigen/Core>
#include <string>

namespace attn::core {

using Index = Eigen::Index;

template <class Scalar>
using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class Scalar>
using RowVector = Eigen::Matrix<Scalar, 1, Eigen::Dynamic, Eigen::RowMajor>;

// "3×2": rows, then columns, as shapes are written everywhere.
std::string shapeText(Index rows, Index columns);

}  // namespace attn::core
