// Numbers as people paste them: every print that is common, and what cannot be read.
#include "io/pasted.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include "core/number.h"
#include "core/rng.h"

namespace {

using namespace attn;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
using Rows = std::vector<std::vector<double>>;

Rows rowsOf(std::string_view text) {
  const auto pasted = io::readPasted(text);
  REQUIRE_MESSAGE(pasted.ok(), (pasted ? "" : pasted.error().message));
  return pasted.value().rows;
}

std::string refusalOf(std::string_view text) {
  const auto pasted = io::readPasted(text);
  return pasted ? "read" : pasted.error().message;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("prints of NumPy, PyTorch and others are read as the rows that they show") {
  const Rows wanted = {{1, 0}, {0.25, -0.75}};
  for (const char* text : {
           "array([[ 1.  ,  0.  ],\n       [ 0.25, -0.75]])",
           "[[ 1.    0.  ]\n [ 0.25 -0.75]]",
           "tensor([[ 1.0000,  0.0000],\n        [ 0.2500, -0.7500]], dtype=torch.float64)",
           "tensor([[1., 0.], [.25, -.75]], device='cuda:0', grad_fn=<SoftmaxBackward0>)",
           "weights = np.array([[1, 0], [2.5e-1, -7.5E-01]], dtype=np.float32)",
           "w=np.array([[1,0],[0.25,-0.75]])",
           "[[1,0],[0.25,-0.75]]",
           "{\"weights\": [[1, 0], [0.25, -0.75]]}",
           "1,0\n0.25,-0.75\n",
           "1\t0\r\n0.25\t−0.75\r\n",
           "the,cat\n1,0\n0.25,-0.75",
           "\"1\",\"0\"\n\"0.25\",\"-0.75\"",
           "  1 | 0\n  1/4 | -3/4",
           "[[[[1, 0], [0.25, -0.75]]]]",
           "| 1 | 0 |\n|---|---|\n| 0.25 | -0.75 |",
           "1; 0\n\n0.25; -0.75\n\n",
       }) {
    CAPTURE(text);
    CHECK(rowsOf(text) == wanted);
  }
}

TEST_CASE("a row that a print breaks into several lines is one row") {
  CHECK(rowsOf("[[1. 2. 3.\n  4. 5.]\n [6. 7. 8.\n  9. 10.]]") == Rows{{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}});
}

TEST_CASE("nan and infinite numbers are read and counted, in every spelling") {
  const auto pasted = io::readPasted("[[nan, inf, -inf], [NaN, Infinity, -Infinity], [∞, −∞, +inf]]");
  REQUIRE(pasted.ok());
  CHECK(pasted.value().nan == 2);
  CHECK(pasted.value().infinite == 7);
  CHECK(std::isnan(pasted.value().rows[1][0]));
  CHECK(pasted.value().rows[1][2] == -kInfinity);
  CHECK(pasted.value().rows[2] == std::vector<double>{kInfinity, -kInfinity, kInfinity});
}

TEST_CASE("words are no numbers, whatever digits stand in them") {
  CHECK(rowsOf("x1 h0.weights infinite nano float64 0.5") == Rows{{0.5}});
  CHECK(rowsOf("tensor([0.5], size=(1000, 1000))") == Rows{{0.5}});
  CHECK(rowsOf("don't 0.5") == Rows{{0.5}});
  CHECK(rowsOf("'0.5' '7 of 9' '0.25'") == Rows{{0.5, 0.25}});
}

TEST_CASE("each number is known to its own decimals, and to zeros that a print leaves out") {
  const auto decimals = [](std::string_view text) { return io::readPasted(text).value().decimals; };
  CHECK(decimals("0.5 0.25") == std::vector<int>{2, 2});
  CHECK(decimals("1 2 3") == std::vector<int>{0, 0, 0});
  CHECK(decimals("0.6698 0.02345 0.5 0 12.34") == std::vector<int>{4, 5, 4, 5, 2});
  CHECK(decimals("[1.         0.33333333 0.        ]") == std::vector<int>{7, 8, 8});
  CHECK(decimals("3.3333e-01 0.0000e+00 1.2345e-04") == std::vector<int>{5, 4, 8});
  CHECK(decimals("0.5 1/3") == std::vector<int>{1, 17});
  CHECK(io::readPasted("0.6698 1.234e-05").value().most_decimals == 4);
  CHECK(io::readPasted("1e400 1e-400").value().most_decimals == 0);
  CHECK(io::readPasted("0.5 1e99999999999").value().most_decimals == 1);
}

TEST_CASE("what cannot be read is refused in a sentence that says what to do") {
  CHECK(has(refusalOf(""), "There is no number"));
  CHECK(has(refusalOf("none at all"), "There is no number"));
  CHECK(has(refusalOf("[[0.1, 0.2, ..., 0.3]]"), "abbreviated"));
  CHECK(has(refusalOf("[[0.1 0.2]\n ...\n [0.3 0.4]]"), "line 2"));
  CHECK(has(refusalOf("[[0.1 … 0.2]]"), "set_printoptions"));
  CHECK(has(refusalOf(std::string_view("1\0002", 3)), "zero byte"));
}

TEST_CASE("numbers take the wanted shape, and another count is refused with both shapes") {
  const auto shapedAs = [](std::string_view text, core::Index rows, core::Index columns) {
    return io::shaped(io::readPasted(text).value(), rows, columns);
  };
  const auto sentence = [](const auto& result) { return result ? std::string("taken") : result.error().message; };
  CHECK(shapedAs("1 2\n3 4\n5 6", 3, 2).value()(2, 0) == 5);
  CHECK(shapedAs("1 2 3 4 5 6", 3, 2).value()(1, 1) == 4);
  CHECK(shapedAs("1\n2\n3\n4\n5\n6", 2, 3).value()(1, 0) == 4);
  CHECK(has(sentence(shapedAs("1 2\n3 4", 3, 2)), "2×2"));
  CHECK(has(sentence(shapedAs("1 2\n3 4", 3, 2)), "3×2 are wanted"));
  CHECK(has(sentence(shapedAs("1 2 3\n4 5 6", 3, 2)), "yours is turned: give 3 rows of 2"));
  CHECK(has(sentence(shapedAs("1 2\n3", 2, 2)), "3 numbers in 2 rows of 1 to 2"));
  CHECK(has(sentence(shapedAs("1 2\n3 4 5 6", 3, 2)), "3×2 are wanted"));
}

TEST_CASE("random matrices come back bit for bit from every way of writing them") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    core::Rng rng(seed);
    const core::Index rows = 1 + rng.below(6), columns = 1 + rng.below(6);
    const core::Matrix<double> matrix =
        rng.normalMatrix(rows, columns) * std::pow(10.0, static_cast<double>(rng.below(20)) - 10);
    std::string list = "[", lines, tabs;
    for (core::Index i = 0; i < rows; ++i) {
      list += i ? ", [" : "[";
      for (core::Index j = 0; j < columns; ++j) {
        const std::string number = core::machineText(matrix(i, j));
        list += (j ? ", " : "") + number;
        lines += (j ? " " : "") + number;
        tabs += (j ? "\t" : "") + number;
      }
      list += "]", lines += "\n", tabs += "\r\n";
    }
    for (const std::string& text : {"np.array(" + list + "])", lines, tabs}) {
      CAPTURE(text);
      const auto back = io::shaped(io::readPasted(text).value(), rows, columns);
      REQUIRE(back.ok());
      CHECK(back.value() == matrix);
    }
  }
}
