// The part that compares what is open with another file: which arrays belong together, where they differ, by how much.
// Reads nothing itself: opened/difference.h does.
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/number.h"
#include "io/label.h"
#include "opened/array_named.h"
#include "opened/difference.h"
#include "survey/parts.h"

namespace attn::survey {
namespace {

using opened::Axis;
using opened::Difference;
using opened::Tally;

constexpr std::size_t kMostParts = 256;  // rows of the table of heads
constexpr std::uint64_t kPicture = 128;  // cells each way

struct Compared {
  const FileSet& a;
  const FileSet& b;
  opened::Pairing pairing;
  std::vector<Difference> differences;  // as many as pairs
  std::optional<std::size_t> worst;     // the pair with the largest difference; nothing when none differs

  opened::Side sideA() const { return {*a.source, a.file}; }
  opened::Side sideB() const { return {*b.source, b.file}; }
};

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

// "w=weights, a=b".
core::Result<std::vector<std::pair<std::size_t, std::size_t>>> givenPairs(const std::string& text, const FileSet& a,
                                                                          const FileSet& b) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string pair = trimmed(text.substr(begin, end - begin));
    begin = end + 1;
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos) {
      return core::Error{tr("“{0}” names no pair; write an array of {1}, =, and one of {2}, such as weights=attn.",
                            {pair, a.label, b.label})};
    }
    const auto m = opened::arrayNamed(a.file, trimmed(pair.substr(0, equals)), a.label);
    const auto n = opened::arrayNamed(b.file, trimmed(pair.substr(equals + 1)), b.label);
    if (!m) return m.error();
    if (!n) return n.error();
    pairs.emplace_back(m.value(), n.value());
  }
  return pairs;
}

// False when it was told to stop.
bool compareAll(Compared& compared, const Progress& progress) {
  double all = 0, done = 0;
  for (const auto& [m, n] : compared.pairing.pairs) {
    const io::ArrayInfo &x = compared.a.file.arrays[m], &y = compared.b.file.arrays[n];
    if (x.shape == y.shape) all += static_cast<double>(io::countOf(x.shape).value_or(0));
  }
  bool going = progress(0);
  if (!going) return false;
  for (const auto& [m, n] : compared.pairing.pairs) {
    compared.differences.push_back(
        opened::differenceOf(compared.sideA(), m, compared.sideB(), n, [&](std::uint64_t numbers) {
          done += static_cast<double>(numbers);
          return going = progress(std::min(1.0, done / all));
        }));
    if (!going) return false;
    const Difference& here = compared.differences.back();
    if (!here.comparable() || here.all.differing == 0) continue;
    if (!compared.worst || here.all.largest > compared.differences[*compared.worst].all.largest)
      compared.worst = compared.differences.size() - 1;
  }
  return true;
}

std::string pairText(const Difference& d) {
  return d.a == d.b ? io::ticked(d.a) : tr("{0} and {1}", {io::ticked(d.a), io::ticked(d.b)});
}

std::string bracketed(const std::vector<std::uint64_t>& indices) {
  std::string text;
  for (const std::uint64_t index : indices) text += "[" + std::to_string(index) + "]";
  return text.empty() ? "–" : text;
}

// "head 3, query 5, key 2" where it is known what the axes count; otherwise "[3][5][2]".
std::string placeText(const std::vector<std::uint64_t>& indices, const std::vector<Axis>& axes) {
  const bool known = indices.size() <= axes.size() && !indices.empty() &&
                     std::none_of(axes.begin(), axes.end(), [](Axis axis) { return axis == Axis::kOther; });
  if (!known) return bracketed(indices);
  std::string text;
  for (std::size_t n = 0; n < indices.size(); ++n)
    text += (n ? ", " : "") + opened::axisWord(axes[n]) + " " + std::to_string(indices[n]);
  return text;
}

std::string refusedSentence(std::ptrdiff_t pairs) {
  if (pairs == 0) return "";
  return " " + tr("{0} {0|pair|pairs} cannot be compared; the table says why.", {pairs});
}

std::string differingSentence(const Compared& compared, const std::vector<Axis>& axes) {
  const Difference& d = compared.differences[*compared.worst];
  const std::string &a = compared.a.label, &b = compared.b.label, pair = pairText(d), place = placeText(d.all.at, axes);
  if (std::isinf(d.all.largest)) {
    return tr("The largest difference of {0} and {1} is infinite, because NaN or infinity stands beside a number, in {2} at {3}; "
              "{4} of its {5} numbers {4|differs|differ}.", {a, b, pair, place, d.all.differing, d.all.count});
  }
  return tr("The largest difference of {0} and {1} is {2}, in {3} at {4}; {5} of its {6} numbers {5|differs|differ}.",
            {a, b, core::fullText(d.all.largest), pair, place, d.all.differing, d.all.count});
}

// Of pairs none of which differs.
std::string samenessSentence(const Compared& compared) {
  std::vector<const Difference*> same;
  bool bits = true;
  for (std::size_t n = 0; n < compared.differences.size(); ++n) {
    if (!compared.differences[n].comparable()) continue;
    same.push_back(&compared.differences[n]);
    const auto& [in_a, in_b] = compared.pairing.pairs[n];
    bits = bits && same.back()->same_bits && compared.a.file.arrays[in_a].type == compared.b.file.arrays[in_b].type;
  }
  const std::string &a = compared.a.label, &b = compared.b.label;
  if (same.empty()) return tr("Nothing of {0} and {1} can be compared number by number; the table says why.", {a, b});
  if (same.size() > 1) {
    return bits ? tr("{0} arrays of {1} and {2} are the same bit for bit.", {same.size(), a, b})
                : tr("{0} arrays of {1} and {2} are the same number for number; only types, signs of 0 or kinds of NaN differ.",
                     {same.size(), a, b});
  }
  const std::string pair = pairText(*same[0]);
  const int names = same[0]->a == same[0]->b ? 1 : 2;
  return bits ? tr("{0} of {1} and {2} {3|is|are} the same bit for bit.", {pair, a, b, names})
              : tr("{0} of {1} and {2} {3|is|are} the same number for number; only types, signs of 0 or kinds of NaN differ.",
                   {pair, a, b, names});
}

std::string sentenceOf(const Compared& compared, const std::vector<Axis>& axes) {
  const auto refused = std::count_if(compared.differences.begin(), compared.differences.end(),
                                     [](const Difference& d) { return !d.comparable(); });
  if (!compared.worst) {
    const bool some = static_cast<std::size_t>(refused) < compared.differences.size();
    return samenessSentence(compared) + (some ? refusedSentence(refused) : "");
  }
  return differingSentence(compared, axes) + refusedSentence(refused);
}

lesson::Table pairsTable(const Compared& compared) {
  lesson::Table table{tr("Arrays that both have"), tr("Indices count from 0. The mean is over all numbers of the array."),
                      {tr("array"), tr("shape"), tr("numbers that differ"), tr("largest difference"), tr("where"),
                       tr("mean difference")}, {}, {}};
  for (const Difference& d : compared.differences) {
    const std::string shape = io::shapeText(d.shape);
    if (d.shape != d.other_shape) {
      table.rows.push_back({pairText(d), tr("{0} and {1}", {shape, io::shapeText(d.other_shape)}),
                            tr("not compared: the shapes differ"), "–", "–", "–"});
    } else if (!d.error.empty()) {
      table.rows.push_back({pairText(d), shape, tr("not compared: {0}", {d.error}), "–", "–", "–"});
    } else {
      table.rows.push_back({pairText(d), shape, tr("{0} of {1}", {d.all.differing, d.all.count}),
                            core::fullText(d.all.largest), d.all.at.empty() ? "–" : bracketed(d.all.at), core::fullText(d.all.mean())});
    }
  }
  if (compared.worst) table.marked = {static_cast<lesson::Index>(*compared.worst)};
  return table;
}

std::size_t worstPart(const Difference& d) {
  const auto before = [](const Tally& x, const Tally& y) { return x.largest < y.largest; };
  return static_cast<std::size_t>(std::max_element(d.parts.begin(), d.parts.end(), before) - d.parts.begin());
}

// The parts that the table lists: all, or those that differ most.
std::vector<std::size_t> listedParts(const Difference& d) {
  std::vector<std::size_t> parts(d.parts.size());
  for (std::size_t n = 0; n < parts.size(); ++n) parts[n] = n;
  if (parts.size() <= kMostParts) return parts;
  std::stable_sort(parts.begin(), parts.end(), [&](std::size_t x, std::size_t y) { return d.parts[x].largest > d.parts[y].largest; });
  parts.resize(kMostParts);
  std::sort(parts.begin(), parts.end());
  return parts;
}

lesson::Table partsTable(const Difference& d, const std::vector<Axis>& axes) {
  const std::vector<std::size_t> parts = listedParts(d);
  lesson::Table table{tr("{0}, part by part", {pairText(d)}), "",
                      {tr("part"), tr("numbers that differ"), tr("largest difference"), tr("where"), tr("mean difference")},
                      {}, {}};
  if (parts.size() < d.parts.size())
    table.note = tr("The {0} of {1} that differ most.", {parts.size(), d.parts.size()});
  const std::size_t worst = worstPart(d);
  for (const std::size_t n : parts) {
    const Tally& part = d.parts[n];
    if (n == worst) table.marked = {static_cast<lesson::Index>(table.rows.size())};
    table.rows.push_back({placeText(opened::partIndices(d.shape, n), axes), tr("{0} of {1}", {part.differing, part.count}),
                          core::fullText(part.largest), part.at.empty() ? "–" : bracketed(part.at), core::fullText(part.mean())});
  }
  return table;
}

// "0–7": what a row or column of the picture stands for.
std::vector<std::string> blockLabels(lesson::Index blocks, std::uint64_t each, std::uint64_t length) {
  std::vector<std::string> labels;
  for (std::uint64_t first = 0; labels.size() < static_cast<std::size_t>(blocks); first += each) {
    const std::uint64_t last = std::min(first + each, length) - 1;
    labels.push_back(std::to_string(first) + (last > first ? "–" + std::to_string(last) : ""));
  }
  return labels;
}

core::Check addPicture(const Compared& compared, const std::vector<Axis>& axes, Shown& shown) {
  const Difference& d = compared.differences[*compared.worst];
  const auto& [m, n] = compared.pairing.pairs[*compared.worst];
  const std::size_t part = d.parts.empty() ? 0 : worstPart(d);
  const auto picture = opened::pictureOf(compared.sideA(), m, compared.sideB(), n, part, kPicture);
  if (!picture) return picture.error();
  const auto& [cells, rows_each, columns_each] = picture.value();
  const std::string where = d.parts.empty() ? "" : ", " + placeText(opened::partIndices(d.shape, part), axes);
  lesson::Grid grid;
  grid.title = pairText(d) + where + ": " + compared.a.label + " − " + compared.b.label;
  if (rows_each > 1 || columns_each > 1) {
    grid.note = tr("Each cell stands for a block of {0}×{1} numbers and has the difference of largest size among them.",
                   {rows_each, columns_each});
  }
  grid.rows = cells.rows(), grid.columns = cells.cols();
  grid.values.assign(cells.data(), cells.data() + cells.size());
  const std::size_t rank = d.shape.size();
  grid.map = rank >= 2 && axes.size() == rank && axes[rank - 2] == Axis::kQuery && axes[rank - 1] == Axis::kKey;
  grid.row_labels = blockLabels(grid.rows, rows_each, rank >= 2 ? d.shape[rank - 2] : 1);
  grid.column_labels = blockLabels(grid.columns, columns_each, rank >= 1 ? d.shape.back() : 1);
  const std::vector<std::uint64_t>& at = d.all.at;
  grid.marked = {{rank >= 2 ? static_cast<lesson::Index>(at[rank - 2] / rows_each) : 0,
                  rank >= 1 ? static_cast<lesson::Index>(at[rank - 1] / columns_each) : 0}};
  shown.add(std::move(grid));
  return {};
}

void addUnpaired(const Compared& compared, Shown& shown) {
  lesson::Table table{tr("On one side only"),
                      tr("To compare arrays of different names, name them as a pair under “Arrays of other names”."),
                      {tr("array"), tr("only in"), tr("shape")}, {}, {}};
  const auto list = [&](const std::vector<std::size_t>& arrays, const FileSet& set) {
    for (const std::size_t n : arrays)
      table.rows.push_back({io::ticked(set.file.arrays[n].name), set.label, io::shapeText(set.file.arrays[n].shape)});
  };
  list(compared.pairing.only_a, compared.a);
  list(compared.pairing.only_b, compared.b);
  if (!table.rows.empty()) shown.add(std::move(table));
}

}  // namespace

core::Check showCompared(const Chosen& chosen, const Inputs& in, Outputs& out, Shown& shown, const Progress& progress) {
  const FileSet* other = chosen.files.other();
  if (!other) {
    out.hide("pairs");
    shown.says = tr("Choose, drop or paste a second file while this part is shown: it is then compared with {0}.",
                    {chosen.set.label});
    return {};
  }
  const auto given = givenPairs(in.text("pairs"), chosen.set, *other);
  if (!given) return given.error();
  Compared compared{chosen.set, *other, opened::pairsByName(chosen.set.file, other->file, given.value()), {}, {}};
  if (!compareAll(compared, progress)) return core::Error{"stopped"};
  if (compared.pairing.pairs.empty()) {
    shown.says = tr("No array of {0} has the name of one in {1}; name those that belong together as pairs.",
                    {chosen.set.label, other->label});
    addUnpaired(compared, shown);
    return {};
  }
  const std::vector<Axis> axes =
      compared.worst ? chosen.model.guesses()[compared.pairing.pairs[*compared.worst].first].axes : std::vector<Axis>{};
  shown.says = sentenceOf(compared, axes);
  shown.add(pairsTable(compared));
  if (compared.worst) {
    const Difference& worst = compared.differences[*compared.worst];
    out.number("largest", worst.all.largest);
    out.number("differing", static_cast<double>(worst.all.differing));
    if (worst.parts.size() > 1) shown.add(partsTable(worst, axes));
    if (core::Check failed = addPicture(compared, axes, shown)) return failed;
  }
  addUnpaired(compared, shown);
  return {};
}

}  // namespace attn::survey
