// Finds the plane of one head in the array that has it. See model.h.
#include "opened/model.h"

#include <algorithm>
#include <limits>

#include "core/buffer.h"
#include "core/language.h"
#include "io/label.h"

namespace attn::opened {
namespace {

std::size_t axisAt(const Guess& guess, Axis axis) {
  const auto found = std::find(guess.axes.begin(), guess.axes.end(), axis);
  return found == guess.axes.end() ? io::kNoAxis : static_cast<std::size_t>(found - guess.axes.begin());
}

// "attentions." of attentions.3 and attentions.4.
std::string stemOf(const std::string& name) {
  std::string stem;
  for (const char c : name)
    if (c < '0' || c > '9') stem += c;
  return stem;
}

std::string nameOf(const io::ArrayInfo& array) {
  return (array.name.empty() ? tr("the array") : io::ticked(array.name)) + " (" + io::shapeText(array.shape) + ")";
}

bool countsSequences(Role role) {
  return role == Role::kQ || role == Role::kK || role == Role::kV || role == Role::kScores || role == Role::kWeights ||
         role == Role::kZ;
}

}  // namespace

audit::Precision precisionOf(io::ElementType type) {
  switch (type) {
    case io::ElementType::kF16: return audit::Precision::kHalf;
    case io::ElementType::kBF16: return audit::Precision::kBfloat;
    case io::ElementType::kF64: return audit::Precision::kDouble;
    default: return audit::Precision::kFloat;
  }
}

Model::Model(const io::ByteSource& source, const io::ArrayFile& file, std::vector<Guess> guesses)
    : source_(source), file_(file), guesses_(std::move(guesses)) {
  std::uint64_t layer_axis = 1;
  for (const std::size_t n : naturalOrder(file.arrays)) {
    const Guess& guess = guesses_[n];
    if (guess.role == Role::kNone || !file.arrays[n].unreadable.empty()) continue;
    add(n);
    if (guess.role == Role::kTokens || guess.role == Role::kSources) continue;
    if (guess.layer) layer_numbers_.push_back(*guess.layer);
    layer_axis = std::max(layer_axis, lengthOf(n, Axis::kLayer));
    // The first axis of other arrays may be anything: what attention itself has says how many sequences there are.
    if (countsSequences(guess.role)) batches_ = std::max(batches_, lengthOf(n, Axis::kBatch));
    const bool of_keys = guess.role == Role::kK || guess.role == Role::kV;
    auto& heads = of_keys ? key_heads_ : heads_;
    heads = std::max({heads, lengthOf(n, Axis::kHead), guess.packed_heads});
    layers_ = 1;
  }
  heads_ = std::max(heads_, key_heads_);
  std::sort(layer_numbers_.begin(), layer_numbers_.end());
  layer_numbers_.erase(std::unique(layer_numbers_.begin(), layer_numbers_.end()), layer_numbers_.end());
  if (layers_) layers_ = std::max<std::uint64_t>(layer_axis, layer_numbers_.size());
}

void Model::add(std::size_t array) {
  const Guess& guess = guesses_[array];
  std::string stem = stemOf(file_.arrays[array].name);
  const auto found = std::find_if(members_.begin(), members_.end(), [&](const Member& each) { return continues(each, array, stem); });
  if (found != members_.end()) found->arrays.push_back(array);
  else members_.push_back({guess.role, {array}, guess.layer, std::move(stem)});
}

bool Model::continues(const Member& member, std::size_t array, const std::string& stem) const {
  const Guess &guess = guesses_[array], &before = guesses_[member.arrays.back()];
  if (member.role != guess.role || member.layer != guess.layer || member.stem != stem || before.axes != guess.axes) return false;
  const std::size_t queries = axisAt(guess, Axis::kQuery), keys = axisAt(guess, Axis::kKey);
  if (queries == io::kNoAxis || keys == io::kNoAxis) return false;
  const auto &shape = file_.arrays[array].shape, &shape_before = file_.arrays[member.arrays.back()].shape;
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (axis != queries && axis != keys && shape[axis] != shape_before[axis]) return false;
  return shape[queries] > 0 && shape[keys] == shape_before[keys] + shape[queries];
}

std::uint64_t Model::lengthOf(std::size_t array, Axis axis) const {
  const std::size_t at = axisAt(guesses_[array], axis);
  return at == io::kNoAxis ? 1 : file_.arrays[array].shape[at];
}

bool Model::has(Role role) const {
  return std::any_of(members_.begin(), members_.end(), [&](const Member& member) { return member.role == role; });
}

std::optional<int> Model::layerNumber(std::uint64_t layer) const {
  if (layer >= layer_numbers_.size()) return std::nullopt;
  return layer_numbers_[layer];
}

const Model::Member* Model::find(Role role, std::uint64_t layer) const {
  const auto number = layerNumber(layer);
  const auto fits = [&](const Member& member) {
    return member.role == role && (!member.layer || !number || *member.layer == *number);
  };
  const auto found = std::find_if(members_.begin(), members_.end(), fits);
  return found == members_.end() ? nullptr : &*found;
}

std::vector<std::size_t> Model::arraysOf(Role role, std::uint64_t layer) const {
  const Member* member = find(role, layer);
  return member ? member->arrays : std::vector<std::size_t>();
}

std::optional<std::size_t> Model::arrayOf(Role role, std::uint64_t layer) const {
  const Member* member = find(role, layer);
  return member ? std::optional(member->arrays.front()) : std::nullopt;
}

std::uint64_t Model::lengthOf(Role role, std::uint64_t layer, Axis axis) const {
  const Member* member = find(role, layer);
  if (!member) return 0;
  if (axis != Axis::kQuery) return lengthOf(member->arrays.back(), axis);
  std::uint64_t rows = 0;
  for (const std::size_t array : member->arrays) rows += lengthOf(array, axis);
  return rows;
}

std::uint64_t Model::headsOf(Role role, std::uint64_t layer) const {
  const auto array = arrayOf(role, layer);
  if (!array) return 0;
  return std::max(lengthOf(*array, Axis::kHead), guesses_[*array].packed_heads);
}

core::Result<core::Matrix<double>> Model::matrix(Role role, const Place& place, std::uint64_t budget) const {
  const Member* member = find(role, place.layer);
  if (!member) {
    return core::Error{tr("There is no array of {0} for layer {1}; say which array it is.", {roleName(role), place.layer})};
  }
  return member->arrays.size() > 1 ? steps(*member, place, budget) : plane(member->arrays.front(), place, budget);
}

core::Result<core::Matrix<double>> Model::plane(std::size_t array, const Place& place, std::uint64_t budget) const {
  const io::ArrayInfo& info = file_.arrays[array];
  const Guess& guess = guesses_[array];
  const std::size_t rows = axisAt(guess, guess.role == Role::kK || guess.role == Role::kV ? Axis::kKey : Axis::kQuery);
  const std::size_t packed = axisAt(guess, Axis::kHeadFeature);
  const std::size_t columns = isMap(guess.role) ? axisAt(guess, Axis::kKey)
                                                : packed != io::kNoAxis ? packed : axisAt(guess, Axis::kFeature);
  std::vector<std::uint64_t> indices(info.shape.size(), 0);
  const auto fix = [&](Axis axis, std::uint64_t index) {
    const std::size_t at = axisAt(guess, axis);
    if (at != io::kNoAxis) indices[at] = index;
  };
  fix(Axis::kLayer, place.layer);
  fix(Axis::kBatch, place.batch);
  fix(Axis::kHead, place.head);
  core::Result<io::Plane> plane = io::planeOf(info, rows, columns, indices);
  if (!plane) return plane.error();
  if (packed != io::kNoAxis) {
    plane.value().columns /= guess.packed_heads;
    plane.value().first += place.head * plane.value().columns * plane.value().column_stride;
  }
  if (!data_ || data_array_ != array) {
    data_.reset();
    core::Result<std::unique_ptr<io::ByteSource>> data = io::dataOf(source_, file_, array, budget);
    if (!data) return data.error();
    data_ = data.take();
    data_array_ = array;
  }
  return io::readPlane(*data_, info, plane.value());
}

core::Result<core::Matrix<double>> Model::steps(const Member& member, const Place& place, std::uint64_t budget) const {
  const std::uint64_t rows = lengthOf(member.role, place.layer, Axis::kQuery), columns = lengthOf(member.arrays.back(), Axis::kKey);
  const double bytes = 8 * static_cast<double>(rows) * static_cast<double>(columns);
  if (bytes > static_cast<double>(budget)) {
    return core::Error{tr("The steps of layer {0} together take {1} of memory, more than the {2} allowed; export fewer of them.",
                          {place.layer, core::bytesText(static_cast<unsigned long long>(std::min(bytes, 1e18))),
                           core::bytesText(budget)})};
  }
  // Matrices do not say when there is no memory for them, a buffer of that size does.
  const core::Result<core::Buffer> room = core::Buffer::allocate(static_cast<std::size_t>(bytes));
  if (!room) return room.error();
  const double nothing = member.role == Role::kScores ? -std::numeric_limits<double>::infinity() : 0;
  core::Matrix<double> all = core::Matrix<double>::Constant(static_cast<core::Index>(rows), static_cast<core::Index>(columns), nothing);
  core::Index row = 0;
  for (const std::size_t array : member.arrays) {
    const core::Result<core::Matrix<double>> step = plane(array, place, budget);
    if (!step) return step.error();
    all.block(row, 0, step.value().rows(), step.value().cols()) = step.value();
    row += step.value().rows();
  }
  return all;
}

// All heads of a layer are in memory at once: as doubles, and half as much again for what is computed from them.
core::Check Model::tooLarge(std::uint64_t layer, std::uint64_t budget) const {
  double bytes = 0;
  for (const Role role : {Role::kQ, Role::kK, Role::kV, Role::kWeights, Role::kZ, Role::kBias}) {
    const auto array = arrayOf(role, layer);
    if (!array) continue;
    double count = 12;
    for (std::size_t axis = 0; axis < guesses_[*array].axes.size(); ++axis) {
      const Axis counts = guesses_[*array].axes[axis];
      if (counts != Axis::kLayer && counts != Axis::kBatch) count *= static_cast<double>(lengthOf(role, layer, counts));
    }
    bytes += count;
  }
  if (bytes <= static_cast<double>(budget)) return {};
  return core::Error{tr("The heads of layer {0} take {1} of memory, more than the {2} allowed; export fewer heads or positions.",
                        {layer, core::bytesText(static_cast<unsigned long long>(std::min(bytes, 1e18))),
                         core::bytesText(budget)})};
}

core::Error Model::unlike(std::uint64_t layer, Role a, Role b, std::string_view what) const {
  return core::Error{tr("{0} and {1} do not have the same {2}; say what their axes are, or which arrays belong together.",
                        {nameOf(file_.arrays[*arrayOf(a, layer)]), nameOf(file_.arrays[*arrayOf(b, layer)]), what})};
}

core::Result<audit::Export> Model::exported(std::uint64_t layer, std::uint64_t batch, std::uint64_t budget) const {
  audit::Export exported;
  struct Wanted {
    Role role;
    std::vector<core::Matrix<double>>* into;
  };
  exported.precision = audit::Precision::kDouble;
  if (core::Check large = tooLarge(layer, budget)) return *large;
  for (const Wanted& wanted : {Wanted{Role::kQ, &exported.q}, Wanted{Role::kK, &exported.k}, Wanted{Role::kV, &exported.v},
                               Wanted{Role::kWeights, &exported.weights}, Wanted{Role::kZ, &exported.out},
                               Wanted{Role::kBias, &exported.bias}}) {
    const auto array = arrayOf(wanted.role, layer);
    if (!array) continue;
    exported.precision = std::max(exported.precision, precisionOf(file_.arrays[*array].type));
    for (std::uint64_t head = 0; head < headsOf(wanted.role, layer); ++head) {
      core::Result<core::Matrix<double>> matrix = this->matrix(wanted.role, {layer, batch, head}, budget);
      if (!matrix) return matrix.error();
      wanted.into->push_back(matrix.take());
    }
  }
  if (!exported.q.empty() && !exported.k.empty()) {
    if (exported.q[0].cols() != exported.k[0].cols()) return unlike(layer, Role::kQ, Role::kK, tr("width d_k"));
    if (exported.q.size() % exported.k.size() != 0) {
      return unlike(layer, Role::kQ, Role::kK, tr("number of heads, or a divisor of it"));
    }
  }
  if (!exported.k.empty() && !exported.v.empty()) {
    if (exported.k[0].rows() != exported.v[0].rows()) return unlike(layer, Role::kK, Role::kV, tr("number of sources"));
    if (exported.k.size() != exported.v.size()) return unlike(layer, Role::kK, Role::kV, tr("number of heads"));
  }
  if (!exported.weights.empty() && !exported.q.empty()) {
    if (exported.weights[0].rows() != exported.q[0].rows()) {
      return unlike(layer, Role::kWeights, Role::kQ, tr("number of destinations"));
    }
    if (exported.weights.size() != exported.q.size() && exported.weights.size() != 1) {
      return unlike(layer, Role::kWeights, Role::kQ, tr("number of heads"));
    }
  }
  if (!exported.weights.empty() && !exported.k.empty() && exported.weights[0].cols() != exported.k[0].rows()) {
    return unlike(layer, Role::kWeights, Role::kK, tr("number of sources"));
  }
  if (!exported.out.empty() && !exported.q.empty() &&
      (exported.out.size() != exported.q.size() || exported.out[0].rows() != exported.q[0].rows())) {
    return unlike(layer, Role::kZ, Role::kQ, tr("number of heads and destinations"));
  }
  if (!exported.out.empty() && !exported.v.empty() && exported.out[0].cols() != exported.v[0].cols()) {
    return unlike(layer, Role::kZ, Role::kV, tr("width d_v"));
  }
  return exported;
}

}  // namespace attn::opened
