// Memory from malloc, which reports failure everywhere.
#include "core/buffer.h"

#include <atomic>
#include <cstdlib>

#include "core/buffer_use.h"
#include "core/language.h"

namespace attn::core {
namespace {

int allocations_until_failure = 0;
std::atomic<std::size_t> held{0}, most_held{0};

void noteHeld(std::size_t bytes) {
  std::size_t most = most_held.load();
  while (bytes > most && !most_held.compare_exchange_weak(most, bytes)) {}
}

void* reallocate(void* data, std::size_t bytes) {
  if (allocations_until_failure > 0 && --allocations_until_failure == 0) return nullptr;
  return std::realloc(data, bytes > 0 ? bytes : 1);
}

}  // namespace

Buffer::~Buffer() {
  held -= size_;
  std::free(data_);
}

Result<Buffer> Buffer::allocate(std::size_t bytes) {
  Buffer buffer;
  if (Check failed = buffer.resize(bytes)) return *failed;
  return buffer;
}

Check Buffer::resize(std::size_t bytes) {
  void* moved = reallocate(data_, bytes);
  if (!moved) {
    return Error{tr("There is no memory left for {0}; close something, or open a smaller file.", {bytesText(bytes)})};
  }
  held -= size_;
  noteHeld(held += bytes);
  data_ = moved;
  size_ = bytes;
  return {};
}

std::string bytesText(unsigned long long bytes) {
  if (bytes < 1000) return tr("{0} {0|byte|bytes}", {bytes});
  const char* const units[] = {" KB", " MB", " GB", " TB", " PB", " EB"};
  int unit = 0;
  unsigned long long scale = 1000;
  while (unit < 5 && bytes / scale >= 1000) scale *= 1000, ++unit;
  const unsigned long long whole = bytes / scale, tenth = bytes / (scale / 10) % 10;
  return std::to_string(whole) + (whole < 10 && tenth > 0 ? "." + std::to_string(tenth) : "") + units[unit];
}

void failAllocation(int n) { allocations_until_failure = n; }

std::size_t heldBytes() { return held; }
std::size_t mostHeldBytes() { return most_held; }
void watchHeldBytes() { most_held = held.load(); }

}  // namespace attn::core
