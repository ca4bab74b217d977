// Names in the order in which people count.
#include <algorithm>
#include <numeric>

#include "opened/role.h"

namespace attn::opened {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

// The run of digits at `at`, without zeros before it.
std::string_view digitsAt(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && isDigit(text[end])) ++end;
  while (at + 1 < end && text[at] == '0') ++at;
  return text.substr(at, end - at);
}

std::size_t afterDigits(std::string_view text, std::size_t at) {
  while (at < text.size() && isDigit(text[at])) ++at;
  return at;
}

}  // namespace

bool naturallyBefore(std::string_view a, std::string_view b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (isDigit(a[i]) && isDigit(b[j])) {
      const std::string_view x = digitsAt(a, i), y = digitsAt(b, j);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
      i = afterDigits(a, i), j = afterDigits(b, j);
    } else {
      if (a[i] != b[j]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
      ++i, ++j;
    }
  }
  const std::size_t left = a.size() - i, right = b.size() - j;
  return left != right ? left < right : a < b;  // 01 and 1 still differ
}

std::vector<std::size_t> naturalOrder(const std::vector<io::ArrayInfo>& arrays) {
  std::vector<std::size_t> order(arrays.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return naturallyBefore(arrays[a].name, arrays[b].name); });
  return order;
}

}  // namespace attn::opened
