// The arrays of a file put together as layers, batches and heads of attention, and one head's matrices out of it. Reads
// elements only when asked for them.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "audit/recompute.h"
#include "core/result.h"
#include "io/array_data.h"
#include "io/array_file.h"
#include "opened/role.h"

namespace attn::opened {

// Which head of which sequence of which layer; all from 0.
struct Place {
  std::uint64_t layer = 0, batch = 0, head = 0;
};

audit::Precision precisionOf(io::ElementType type);

// What is opened: a file's arrays and what they are taken for.
class Model {
 public:
  Model(const io::ByteSource& source, const io::ArrayFile& file, std::vector<Guess> guesses);

  std::uint64_t layers() const { return layers_; }    // 0 when nothing of attention was found
  std::uint64_t batches() const { return batches_; }
  std::uint64_t heads() const { return heads_; }      // of queries, or of maps
  std::uint64_t keyHeads() const { return key_heads_; }
  bool has(Role role) const;
  // The number that the name gives to a layer; layers are in natural order.
  std::optional<int> layerNumber(std::uint64_t layer) const;

  // Indices of the arrays with this role for the layer. Several are the steps of a generation, where each reads as many
  // keys more as it has queries: their rows stand below one another, and what a step had no key for is 0, of scores −∞.
  std::vector<std::size_t> arraysOf(Role role, std::uint64_t layer) const;
  // The first of them; nothing when there is none.
  std::optional<std::size_t> arrayOf(Role role, std::uint64_t layer) const;
  // How long that axis is, over all steps: 0 when there is no array, 1 when it has no such axis.
  std::uint64_t lengthOf(Role role, std::uint64_t layer, Axis axis) const;
  std::uint64_t headsOf(Role role, std::uint64_t layer) const;

  // One head's matrix: T×S of a map, positions × features otherwise.
  core::Result<core::Matrix<double>> matrix(Role role, const Place& place, std::uint64_t budget) const;

  // All heads of one layer and sequence, as far as they are there. Refuses what does not fit together, naming both arrays.
  core::Result<audit::Export> exported(std::uint64_t layer, std::uint64_t batch, std::uint64_t budget) const;

  // The sentence about the arrays of two roles that differ in something, named in words; the layer has both.
  core::Error unlike(std::uint64_t layer, Role a, Role b, std::string_view what) const;

  const io::ArrayFile& file() const { return file_; }
  const std::vector<Guess>& guesses() const { return guesses_; }

 private:
  struct Member {
    Role role;
    std::vector<std::size_t> arrays;  // one, or steps
    std::optional<int> layer;
    std::string stem;  // the name without its numbers
  };
  void add(std::size_t array);
  bool continues(const Member& member, std::size_t array, const std::string& stem) const;
  const Member* find(Role role, std::uint64_t layer) const;
  core::Result<core::Matrix<double>> plane(std::size_t array, const Place& place, std::uint64_t budget) const;
  core::Result<core::Matrix<double>> steps(const Member& member, const Place& place, std::uint64_t budget) const;
  core::Check tooLarge(std::uint64_t layer, std::uint64_t budget) const;
  std::uint64_t lengthOf(std::size_t array, Axis axis) const;  // 1 without such an axis

  const io::ByteSource& source_;
  const io::ArrayFile& file_;
  std::vector<Guess> guesses_;
  std::vector<Member> members_;       // in natural order of their names
  std::vector<int> layer_numbers_;    // ascending; empty when names give none
  // Of the array read last: what is compressed would otherwise be expanded again for every head.
  mutable std::unique_ptr<io::ByteSource> data_;
  mutable std::size_t data_array_ = 0;
  std::uint64_t layers_ = 0, batches_ = 1, heads_ = 1, key_heads_ = 1;
};

}  // namespace attn::opened
