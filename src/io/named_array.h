// An array with a name, in memory, ready to be written in any format.
#pragma once
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace attn::io {

// Values row by row, as many as the shape has.
struct NamedArray {
  std::string name;
  std::vector<std::uint64_t> shape;
  std::variant<std::vector<double>, std::vector<bool>, std::vector<std::string>> values;

  const std::vector<double>* numbers() const { return std::get_if<std::vector<double>>(&values); }
  const std::vector<bool>* flags() const { return std::get_if<std::vector<bool>>(&values); }
  const std::vector<std::string>* texts() const { return std::get_if<std::vector<std::string>>(&values); }
};

}  // namespace attn::io
