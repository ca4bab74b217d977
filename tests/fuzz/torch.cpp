// Any bytes as a PyTorch file, and as the pickle of one around data of 64 bytes: refused in one sentence, or every tensor
// can be read to its end.
// Run it with scripts/fuzz torch.
#include <cstdint>
#include <string>

#include "fuzz/arrays.h"
#include "fuzz/require.h"
#include "io/torch_file.h"
#include "io/zip.h"

namespace {

using namespace attn;

std::string aroundPickle(std::span<const std::byte> pickle) {
  std::string archive;
  io::ZipWriter writer([&archive](std::span<const std::byte> bytes) -> core::Check {
    archive.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return {};
  });
  static constexpr std::byte kData[64] = {};
  const std::span<const std::byte> parts[] = {pickle}, data[] = {kData};
  fuzz::require(!writer.add("x/data.pkl", parts) && !writer.add("x/data/0", data) && !writer.finish());
  return archive;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::requireArrays(data, size, "x.pt", io::readTorchFile);
  // Sums and directories keep most changes to a whole archive from reaching the pickle.
  const std::string archive = aroundPickle(std::as_bytes(std::span(data, size)));
  fuzz::requireArrays(reinterpret_cast<const std::uint8_t*>(archive.data()), archive.size(), "x.pt", io::readTorchFile);
  return 0;
}
