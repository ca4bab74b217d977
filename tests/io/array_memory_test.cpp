// Memory while files of arrays are opened and read, whatever their format: how much is taken, and what happens when there
// is none.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "core/buffer.h"
#include "core/buffer_use.h"
#include "core/number.h"
#include "core/rng.h"
#include "io/array_data.h"
#include "io/array_file.h"
#include "io/array_writer.h"
#include "support/array_files.h"
#include "support/sanitized.h"

namespace {

using namespace attn;

constexpr std::size_t kMegabyte = 1 << 20;

struct Case {
  std::string name, bytes;
};

// Every format that is read, from programs other than ours where there are such files.
std::vector<Case> everyFormat() {
  std::vector<Case> cases;
  for (const char* name : {"f4.npy", "fortran-big-f8.npy", "wide-texts.npy", "savez.npz", "savez-compressed.npz",
                           "streamed.npz", "mixed.safetensors", "dictionary.pt", "repacked.pt", "protocol4.pt"})
    cases.push_back({name, test::arrayFile(name)});
  cases.push_back({"lists.json", "{\"weights\": [[1, 0], [0.5, 0.5]], \"tokens\": [\"a\", \"b\"]}"});
  cases.push_back({"table.csv", "a,b\n1,2\n3,4\n"});
  cases.push_back({"print.txt", "array([[1., 2.],\n       [3., 4.]])"});
  cases.push_back({"tokens.txt", "['a', 'b']"});
  return cases;
}

// The bits of all arrays one behind another, or the sentence that says why not.
core::Result<std::string> readAll(const Case& from) {
  const io::MemorySource source(test::bytesOf(from.bytes));
  const auto file = io::openArrays(source, from.name);
  if (!file) return file.error();
  std::string all;
  for (std::size_t n = 0; n < file.value().arrays.size(); ++n) {
    const io::ArrayInfo& info = file.value().arrays[n];
    if (!info.unreadable.empty()) {
      all += info.unreadable;
      continue;
    }
    const auto data = io::dataOf(source, file.value(), n, kMegabyte);
    if (!data) return data.error();
    if (info.type == io::ElementType::kText) {
      const auto texts = io::readTexts(*data.value(), info, 1000);
      if (!texts) return texts.error();
      for (const std::string& text : texts.value()) all += text + "\n";
      continue;
    }
    const std::size_t rank = info.shape.size();
    const auto plane = io::planeOf(info, rank >= 2 ? rank - 2 : io::kNoAxis, rank >= 1 ? rank - 1 : io::kNoAxis,
                                   std::vector<std::uint64_t>(rank, 0));
    if (!plane) return plane.error();
    const auto numbers = io::readPlane(*data.value(), info, plane.value());
    if (!numbers) return numbers.error();
    for (const double value : numbers.value().reshaped<Eigen::RowMajor>()) all += core::fullText(value) + " ";
  }
  return all;
}

// The most that is held while a file is opened and all its arrays are gone through.
std::size_t heldWhileReading(const Case& from) {
  const io::MemorySource source(test::bytesOf(from.bytes));
  const std::size_t before = core::heldBytes();
  core::watchHeldBytes();
  const auto file = io::openArrays(source, from.name);
  REQUIRE_MESSAGE(file.ok(), (file ? "" : file.error().message));
  REQUIRE_FALSE(file.value().arrays.empty());
  for (std::size_t n = 0; n < file.value().arrays.size(); ++n) {
    REQUIRE(file.value().arrays[n].unreadable == "");
    const auto data = io::dataOf(source, file.value(), n, std::uint64_t(1) << 30);
    REQUIRE_MESSAGE(data.ok(), (data ? "" : data.error().message));
    auto scan = io::Scan::over(*data.value(), file.value().arrays[n]);
    REQUIRE(scan.ok());
    while (scan.value().step(kMegabyte)) {}
    CHECK(scan.value().summary().finite == *io::countOf(file.value().arrays[n].shape));
  }
  return core::mostHeldBytes() - before;
}

constexpr std::uint64_t kRows = 500, kColumns = 800;

io::NamedArray manyNumbers() {
  core::Rng rng(1);
  const core::Matrix<double> matrix = rng.normalMatrix(kRows, kColumns);
  return {"w", {kRows, kColumns}, std::vector<double>(matrix.data(), matrix.data() + matrix.size())};
}

}  // namespace

TEST_CASE("what buffers hold is counted from their making to their end, with the most in between") {
  const std::size_t before = core::heldBytes();
  core::watchHeldBytes();
  {
    core::Buffer one = core::Buffer::allocate(1000).take();
    core::Buffer two = std::move(one);
    CHECK(core::heldBytes() == before + 1000);
    CHECK_FALSE(two.resize(300).has_value());
    CHECK(core::heldBytes() == before + 300);
  }
  CHECK(core::heldBytes() == before);
  CHECK(core::mostHeldBytes() == before + 1000);
}

TEST_CASE("whichever allocation fails, a file of any format is read right, or a sentence says that there is no memory") {
  for (const Case& each : everyFormat()) {
    CAPTURE(each.name);
    const std::size_t before = core::heldBytes();
    const auto whole = readAll(each);
    REQUIRE_MESSAGE(whole.ok(), (whole ? "" : whole.error().message));
    REQUIRE_FALSE(whole.value().empty());
    int failures = 0;
    for (bool done = false; !done; failures += !done) {
      REQUIRE(failures < 1000);
      core::failAllocation(failures + 1);
      const auto read = readAll(each);
      core::failAllocation(0);
      done = read.ok();
      if (done) CHECK(read.value() == whole.value());
      else CHECK(read.error().message.find("no memory") != std::string::npos);
      CHECK(core::heldBytes() == before);
    }
    CHECK(failures > 1);
  }
}

TEST_CASE("what is stored as it stands is read with less than a megabyte beside the file") {
  const std::vector<io::NamedArray> arrays = {manyNumbers()};
  const std::string npz = io::npzOf(arrays).take();
  REQUIRE(npz.size() > 3 * kMegabyte);
  CHECK(heldWhileReading({"w.npy", io::npyOf(arrays[0]).take()}) <= kMegabyte);
  CHECK(heldWhileReading({"w.npz", npz}) <= kMegabyte);
  CHECK(heldWhileReading({"w.safetensors", io::safetensorsOf(arrays)}) <= kMegabyte);
}

TEST_CASE("what is compressed is read with its expanded bytes and less than a megabyte beside them") {
  const std::string npy = io::npyOf(manyNumbers()).take();
  const std::string npz = test::zip({{.name = "w.npy", .content = npy, .deflated = true}});
  CHECK(heldWhileReading({"w.npz", npz}) <= npy.size() + kMegabyte);
}

TEST_CASE("text is read with eight bytes a number and the text itself" * doctest::skip(attn::test::kSanitized)) {
  const io::NamedArray array = manyNumbers();
  const std::size_t numbers = 8 * kRows * kColumns;
  const std::string json = io::jsonOf(array), csv = io::separatedOf(array, {}, ',').take();
  CHECK(heldWhileReading({"w.json", json}) <= numbers + json.size() + kMegabyte);
  CHECK(heldWhileReading({"w.txt", json}) <= numbers + json.size() + kMegabyte);
  CHECK(heldWhileReading({"w.csv", csv}) <= numbers + csv.size() + kMegabyte);
}
