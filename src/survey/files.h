// The files that are open: their arrays, what these are taken for, and what is known of them so far. Reading goes on in
// steps, for whoever has time between other things. Knows no page and no platform.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/head_scores.h"
#include "core/result.h"
#include "io/array_data.h"
#include "io/array_file.h"
#include "model/companions.h"
#include "opened/joined.h"
#include "opened/model.h"

namespace attn::survey {

// Files opened together. Once opened only `as_bfloat` changes, and with it the types of `shorts`; and `companions`.
struct FileSet {
  std::string label;  // "attn.npz", or "q.npy, k.npy"
  std::unique_ptr<io::ByteSource> source;
  io::ArrayFile file;
  std::vector<std::string> notes;
  std::vector<std::pair<std::size_t, io::ElementType>> shorts;  // arrays of integers of two bytes, and which
  bool as_bfloat = false;
  model::Companions companions;  // of a checkpoint in the shape of GPT-2: files beside it that hold no arrays
};

// What a scan of one array found.
struct ArrayFacts {
  bool done = false;
  io::ScanSummary summary;
  std::string failure;  // why it could not be read, or ""
};

// What the weights of one head say; see core/head_scores.h. `shades` is a small map of them, as of lesson::Maps.
struct HeadFacts {
  core::HeadScores scores;
  std::string shades;
  std::string failure;
};

enum class Slot : std::uint8_t { kMain, kOther };  // what is looked at; what it is compared with

class Files {
 public:
  struct Outcome {
    std::string label;  // of what is open now in that slot; "" when nothing of it could be opened
    std::vector<std::string> sentences;  // what was refused, one sentence for each file
    bool added = false;  // what was open stays, with companions that came alone
  };
  // What was open in the slot stays when nothing can be opened. Companions of a checkpoint go to the one that is opened with
  // them, or, where they come alone, to the one that is open in the main slot.
  Outcome open(Slot slot, std::vector<opened::NamedSource> sources);

  // Looks at a sample, a file that comes with the program, in the place of what is open in the main slot, and back. Its bytes
  // must stay where they are. Refuses what cannot be opened.
  core::Check showSample(const std::string& name, std::string_view bytes);
  void hideSample();

  // Whether integers of two bytes are taken for the bits of bfloat16 numbers, for which NumPy has no type. What is known
  // of the arrays is forgotten when that changes them.
  void readShorts(bool as_bfloat);

  const FileSet* main() const { return main_.get(); }
  const FileSet* other() const { return other_.get(); }

  // Counts what has been opened in the main slot, companions too, and no sample.
  std::uint64_t openings() const { return openings_; }

  // Facts of array `n` of the main files; null while it has not been read.
  const ArrayFacts* factsOf(std::size_t array) const;

  // Heads are known under a reading of the arrays: `reading` is any text that differs when roles, axes or the rule do.
  // Null while not known.
  const HeadFacts* headFacts(const std::string& reading, const opened::Place& place) const;
  void keep(const std::string& reading, const opened::Place& place, HeadFacts facts);

  // What the page that was shown last is waiting for: heads of a model under a reading, or arrays. Replaces what was
  // wanted before; called by the page. `read` is kept from page to page while the reading is the same, with whatever it
  // holds of the files.
  using HeadReader = std::function<HeadFacts(const opened::Place&)>;
  void wantHeads(std::string reading, std::vector<opened::Place> places, HeadReader read);
  void wantArrays();
  void wantNothing();

  // Reads on for about a fiftieth of a second. True when something has become known that the page shows.
  bool step();
  bool isWanting() const;  // there is something left to read

 private:
  void takeCompanions(std::vector<opened::NamedSource> sources, FileSet* checkpoint, Outcome& outcome);
  void forget();
  void begin(const std::string& reading);  // what is known under another is forgotten
  bool stepHeads();
  bool stepArrays();

  std::unique_ptr<FileSet> main_, other_;
  std::unique_ptr<FileSet> aside_;  // what was open, while a sample is looked at
  std::string sample_;              // its name, or ""
  std::uint64_t openings_ = 0;
  std::vector<ArrayFacts> array_facts_;
  using HeadKey = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;
  std::map<HeadKey, HeadFacts> head_facts_;
  std::string head_reading_;
  std::vector<opened::Place> wanted_heads_;  // the last one comes first
  HeadReader read_head_;
  bool wants_arrays_ = false;
  // The array being scanned.
  std::size_t scanned_ = 0;
  std::unique_ptr<io::ByteSource> data_;
  std::optional<io::Scan> scan_;
};

}  // namespace attn::survey
