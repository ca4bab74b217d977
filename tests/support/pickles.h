// Pickles for tests, written operation by operation, and the files that torch.save makes around them.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "support/array_files.h"

namespace attn::test {

inline std::string pickled(std::string_view operations, int protocol = 2) {
  return std::string("\x80") + static_cast<char>(protocol) + std::string(operations) + ".";
}
inline std::string pickledText(std::string_view text) { return "X" + little(text.size(), 4) + std::string(text); }
inline std::string pickledNumber(std::int64_t number) {
  return std::string("\x8a\x08") + little(static_cast<std::uint64_t>(number), 8);
}
inline std::string pickledName(std::string_view module, std::string_view name) {
  return "c" + std::string(module) + "\n" + std::string(name) + "\n";
}
inline std::string pickledTuple(std::initializer_list<std::int64_t> numbers) {
  std::string tuple = "(";
  for (const std::int64_t number : numbers) tuple += pickledNumber(number);
  return tuple + "t";
}

// What the pickle says of one tensor, and where that is not as torch.save writes it.
struct PickledTensor {
  std::string type = "FloatStorage", key = "0", place = "cpu";
  std::int64_t elements = 4, first = 0;
  std::string shape = pickledTuple({2, 2}), strides = pickledTuple({2, 1});
  std::string module = "torch";
};

inline std::string pickledStorage(const PickledTensor& tensor) {
  return "(" + pickledText("storage") + pickledName(tensor.module, tensor.type) + pickledText(tensor.key) +
         pickledText(tensor.place) + pickledNumber(tensor.elements) + "tQ";
}
inline std::string pickledTensor(const PickledTensor& tensor) {
  return pickledName("torch._utils", "_rebuild_tensor_v2") + "(" + pickledStorage(tensor) + pickledNumber(tensor.first) +
         tensor.shape + tensor.strides + "\x89" + pickledName("collections", "OrderedDict") + ")RtR";
}

// A file with that pickle and these data, as members data/0, data/1, …
inline std::string torchFile(std::string_view pickle, const std::vector<std::string>& data,
                             const std::vector<ZipPart>& more = {}) {
  std::vector<ZipPart> parts;
  parts.push_back({"model/data.pkl", std::string(pickle)});
  for (std::size_t i = 0; i < data.size(); ++i) parts.push_back({"model/data/" + std::to_string(i), data[i]});
  parts.insert(parts.end(), more.begin(), more.end());
  return zip(parts);
}

}  // namespace attn::test
