// Reading and writing links. See link.h for the keys; nothing here computes anything but numbers of positions.
#include "app/link.h"

#include <algorithm>
#include <cassert>
#include <map>

#include "app/names.h"
#include "core/language.h"
#include "io/percent.h"
#include "lesson/catalogue.h"
#include "lesson/edits.h"
#include "lesson/packed_document.h"

namespace attn::app {
namespace {

using core::Stage;

const std::string kSetting = "set.";  // before the keys of a scene's params

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

// Other writers of addresses leave more as it is, and write a blank as "+".
bool isTolerated(char c) { return std::string_view("!*'()[],;:=/?@$").find(c) != std::string_view::npos; }

// Nothing for a character that a link cannot hold and for a % without two hexadecimal digits.
std::optional<std::string> percentDecoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      out += ' ';
      continue;
    }
    if (io::isUnreserved(text[i]) || isTolerated(text[i])) {
      out += text[i];
      continue;
    }
    if (text[i] != '%' || i + 2 >= text.size()) return std::nullopt;
    const int high = hexDigit(text[i + 1]), low = hexDigit(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

// The row of the step where the link does not give one.
Index impliedRow(const State& state, Stage stage) {
  const bool all_rows = stage == Stage::kNorm || stage == Stage::kK || stage == Stage::kV;
  const bool coarse = state.grain == Grain::kStage || state.grain == Grain::kRow;
  if (state.order == Order::kRow ? all_rows && coarse : state.grain == Grain::kStage) return -1;
  return state.row;
}

// Writes `key=value` pairs, leaving out those that hold their default.
class Writer {
 public:
  void put(std::string_view key, std::string_view value) {
    link_ += (link_.empty() ? "" : "&") + io::percentEncoded(key) + "=" + io::percentEncoded(value);
  }
  template <class Choice>
  void choice(std::string_view key, Choice value, Choice standard) {
    if (value != standard) put(key, nameOf(value));
  }
  void count(std::string_view key, Index value, Index standard) {
    if (value != standard) put(key, std::to_string(value));
  }
  void flag(std::string_view key, bool value, bool standard) {
    if (value != standard) put(key, value ? "1" : "0");
  }
  std::string take() { return std::move(link_); }

 private:
  std::string link_;
};

// Which example, with which edits: `of_document` are those that it has of itself. `beside`: its file beside the page, or "".
void writeExample(Writer& link, const Snapshot& snapshot, std::string_view packed, std::string_view beside,
                  const std::vector<std::string>& of_document) {
  const State standard;
  if (!packed.empty())
    link.put("d", packed);
  else if (!beside.empty())
    link.put("doc", beside);
  else if (snapshot.example != standard.example)
    link.put("ex", snapshot.example);
  link.choice("mask", snapshot.mask, standard.mask);
  if (snapshot.edits != of_document) link.put("edits", lesson::joinEdits(snapshot.edits));
}

// What may ride along of a State.
struct Riding {
  bool document = true, edits = true, settings = true;
};

void writePresentation(Writer& link, const Presentation& presentation) {
  link.flag("present", presentation.present, false);
  link.flag("embed", presentation.embed, false);
  if (const std::string parts = partsText(presentation); !parts.empty()) link.put("hide", parts);
  if (!presentation.note.empty()) link.put("note", presentation.note);
}

// What a person has had revealed, and what they had written, of a task.
bool isOfAnswers(std::string_view setting) { return setting == "reveal" || setting == "typed"; }

bool walks(const State& state) {
  return std::any_of(state.settings.begin(), state.settings.end(), [](const auto& setting) { return setting.first == kWalk; });
}

std::string written(const State& state, const Library& library, const Presentation& presentation, const Riding& riding) {
  const State standard;
  const lesson::Example* example = library.find(state.example);
  const auto packedOf = [&](const std::string& id) {
    return riding.document && library.isOpened(id) ? library.packed(id) : std::string();
  };
  const auto editsOf = [&](const std::string& id) {
    const lesson::Example* one = library.find(id);
    return one ? one->edits : std::vector<std::string>();
  };
  Writer link;
  link.put("v", "1");
  if (!state.scene.empty()) link.put("scene", state.scene);
  if (riding.settings)
    for (const auto& [key, value] : state.settings)
      if (!(presentation.hides(Part::kAnswers) && isOfAnswers(key))) link.put(kSetting + key, value);
  Snapshot snapshot = snapshotOf(state);
  if (!riding.edits) snapshot.edits = editsOf(state.example);
  const bool walk = walks(state);
  if (walk) snapshot.example = standard.example;  // the page makes it
  const std::string packed = walk ? "" : packedOf(state.example), beside = walk ? "" : library.beside(state.example);
  writeExample(link, snapshot, packed, beside, editsOf(state.example));
  if (state.pinned && riding.edits) {
    Writer pin;
    pin.put("v", "1");
    writeExample(pin, *state.pinned, packedOf(state.pinned->example), "", editsOf(state.pinned->example));
    pin.count("head", state.pinned->head, standard.head);
    link.put("pin", pin.take());
  }
  link.choice("show", state.shown, standard.shown);
  link.choice("order", state.order, standard.order);
  if (state.at) {
    link.put("stage", core::stageName(state.at->stage));
    if (state.at->row != impliedRow(state, state.at->stage))
      link.put("at", state.at->row < 0 ? "all" : std::to_string(state.at->row));
  }
  link.choice("grain", state.grain, standard.grain);
  // Where a walk begins by itself is known to its page only.
  link.count("row", state.row, example && !walk ? static_cast<Index>(example->tokens.size()) - 1 : -1);
  if (state.at) {
    link.count("col", state.at->col, -1);
    link.count("term", state.at->term, -1);
  }
  link.count("head", state.head, walk ? -1 : standard.head);
  if (state.cursor) link.put("cursor", cursorText(*state.cursor));
  link.flag("exact", state.exact, standard.exact);
  link.count("dec", state.decimals, standard.decimals);
  link.choice("palette", state.palette, standard.palette);
  link.flag("spaces", state.show_spaces, standard.show_spaces);
  writePresentation(link, presentation);
  return link.take();
}

// Reads a link's values into a State, with a note for each that cannot be had.
class Reader {
 public:
  Reader(std::string_view link, Library& library, std::string_view opened, bool pinned = false)
      : library_(library), opened_(opened), pinned_(pinned) {
    if (!link.empty() && link.front() == '#') link.remove_prefix(1);
    if (link.size() > kMaxLink) {
      note(tr("The link is longer than {0} bytes; the opening state is shown.", {kMaxLink}));
      link = {};
    }
    split(link);
  }

  DecodedLink read() {
    if (const auto version = value("v"); version && *version != "1")
      note(tr("The link is of version “{0}”; it is read as version 1.", {*version}));
    const lesson::Example* example = chooseExample();
    State& state = result_.state;
    state = openingState(*example);
    readLook(state);
    readPresentation(result_.presentation);
    readScene(state);
    result_.walks = walks(state);
    if (moment_fits_ && !result_.walks) readMoment(state, *example);
    return std::move(result_);
  }

 private:
  void note(std::string sentence) { result_.notes.push_back(std::move(sentence)); }
  void refuse(std::string_view key, std::string_view instead) {
    note(tr("The link's “{0}” cannot be used; {1}.", {key, instead}));
  }

  void split(std::string_view link) {
    while (!link.empty()) {
      const std::size_t end = std::min(link.find('&'), link.size());
      const std::string_view pair = link.substr(0, end);
      link.remove_prefix(std::min(end + 1, link.size()));
      const std::size_t equals = std::min(pair.find('='), pair.size());
      const auto key = percentDecoded(pair.substr(0, equals));
      if (!key || equals == pair.size()) continue;
      if (auto decoded = percentDecoded(pair.substr(equals + 1)))
        values_.emplace(*key, *decoded);
      else if (known(*key))
        refuse(*key, tr("it is badly written, so its default is used"));
    }
  }

  static bool known(std::string_view key) {
    if (key.starts_with(kSetting)) return true;
    for (std::string_view one : {"v", "scene", "ex", "d", "doc", "mask", "order", "stage", "at", "grain", "row", "col", "term",
                                 "head", "edits", "show", "pin", "cursor", "exact", "dec", "palette", "spaces", "present", "embed", "hide", "note"})
      if (key == one) return true;
    return false;
  }

  std::optional<std::string> value(std::string_view key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? std::nullopt : std::optional(found->second);
  }

  // The example that the rest of the link is about. When that one cannot be had, the rest means nothing here.
  const lesson::Example* chooseExample() {
    if (!opened_.empty())
      if (const auto* example = library_.find(opened_)) return example;
    if (const auto packed = value("d")) {
      auto document = lesson::unpackDocument(*packed);
      using Parsed = core::Result<lesson::Example>;
      Parsed example = document ? lesson::parseExample(document.value(), "") : Parsed(document.error());
      if (example) return &library_.add(example.take());
      note(tr("The document in the link cannot be opened: {0}", {example.error().message}));
      return fallBack();
    }
    if (const auto file = value("doc")) {
      if (!isFileName(*file)) {
        refuse("doc", tr("a file name without folders is needed"));
        return fallBack();
      }
      result_.document_file = *file;
      return fallBack();
    }
    const std::string id = value("ex").value_or(State{}.example);
    if (const auto* example = library_.find(id)) return example;
    note(tr("There is no example “{0}” here; if it was a document, open it and follow the link again.", {id}));
    return fallBack();
  }

  const lesson::Example* fallBack() {
    moment_fits_ = false;
    const auto* example = library_.find(State{}.example);
    assert(example);
    return example;
  }

  static bool isFileName(std::string_view name) {
    return !name.empty() && name.front() != '.' && name.find_first_of("/\\:") == name.npos;
  }

  template <class T>
  void take(std::string_view key, T& target, std::optional<T> (*parse)(std::string_view)) {
    const auto text = value(key);
    if (!text) return;
    if (const auto parsed = parse(*text))
      target = *parsed;
    else
      refuse(key, tr("its default is used"));
  }
  void takeFlag(std::string_view key, bool& target) {
    const auto text = value(key);
    if (text && *text != "0" && *text != "1") return refuse(key, tr("it must be 0 or 1, so its default is used"));
    if (text) target = *text == "1";
  }
  // A whole number from `low` to below `end`.
  std::optional<Index> counted(std::string_view key, Index low, Index end) {
    const auto text = value(key);
    const auto parsed = text ? parseCount(*text) : std::nullopt;
    if (parsed && *parsed >= low && *parsed < end) return parsed;
    if (text) refuse(key, tr("it must be a whole number from {0} to {1}, so its default is used", {low, end - 1}));
    return std::nullopt;
  }

  void readLook(State& state) {
    takeFlag("exact", state.exact);
    state.decimals = static_cast<int>(counted("dec", 2, 7).value_or(state.decimals));
    take("palette", state.palette, parsePalette);
    takeFlag("spaces", state.show_spaces);
  }

  void readPresentation(Presentation& presentation) {
    takeFlag("present", presentation.present);
    takeFlag("embed", presentation.embed);
    if (const auto parts = value("hide")) {
      if (const auto hidden = parseParts(*parts)) presentation.hidden = *hidden;
      else refuse("hide", tr("it holds some of contents, explain, answers, numbers and edits, so nothing is left out"));
    }
    const std::string text = value("note").value_or("");
    presentation.note = noteText(text);
    if (isLongNote(text)) note(tr("The link's note is cut to its first {0} characters.", {kLongestNote}));
  }

  // Which settings the scene has is known when its page arrives.
  void readScene(State& state) {
    const std::string id = value("scene").value_or("");
    if (!opened_.empty() && value(kSetting + kWalk)) return;  // its page has given way
    if (id.empty() || id == "walkthrough") return;
    if (!lesson::findScene(id)) return note(tr("There is no scene “{0}”; the walkthrough is shown.", {id}));
    state.scene = id;
    for (auto at = values_.lower_bound(kSetting); at != values_.end() && at->first.starts_with(kSetting); ++at)
      if (at->first.size() > kSetting.size()) state.settings.emplace_back(at->first.substr(kSetting.size()), at->second);
  }

  // The example with the link's edits, whose rows and heads are counted.
  lesson::Example readEdits(State& state, const lesson::Example& example) {
    const auto line = value("edits");
    const std::vector<std::string> edits = line ? lesson::splitEdits(*line) : state.edits;
    if (!edits.empty()) {
      auto edited = lesson::editExample(example, edits);
      if (edited) {
        state.edits = edits;
        return edited.take();
      }
      note(tr("The link's edits are left out: {0}", {edited.error().message}));
    }
    state.edits.clear();
    return example;
  }

  // One level deep: what is pinned has nothing pinned itself.
  void readPin(State& state) {
    const auto text = value("pin");
    if (!text || pinned_) return;
    if (!text->starts_with("v=1"))
      return refuse("pin", tr("it is a link that begins with v=1, so what it compares with is left out"));
    Reader reader(*text, library_, {}, true);
    const DecodedLink pinned = reader.read();
    if (!pinned.notes.empty() || !pinned.document_file.empty())
      return refuse("pin", tr("what it compares with is left out"));
    state.pinned = snapshotOf(pinned.state);
  }

  void readMoment(State& state, const lesson::Example& base) {
    take("mask", state.mask, parseMaskChoice);
    take("order", state.order, parseOrder);
    take("grain", state.grain, parseGrain);
    take("show", state.shown, parseShown);
    const lesson::Example example = readEdits(state, base);
    readPin(state);
    const auto last_row = static_cast<Index>(example.tokens.size()) - 1;
    state.row = counted("row", 0, last_row + 1).value_or(std::min(state.row, last_row));
    state.head = counted("head", 0, example.problem.heads()).value_or(state.head);
    if (const auto text = value("cursor")) {
      state.cursor = parseCursor(*text);
      if (!state.cursor) refuse("cursor", tr("it is written array.row.column, so no cell is chosen"));
    }
    readStep(state);
  }

  void readStep(State& state) {
    constexpr Index kAny = 1'000'000'000;
    const auto name = value("stage");
    if (!name) return;
    const auto stage = core::parseStage(*name);
    if (!stage) return refuse("stage", tr("it names no stage, so the opening state is shown"));
    Step step{*stage, impliedRow(state, *stage), -1, -1};
    if (value("at") == "all")
      step.row = -1;
    else
      step.row = counted("at", 0, kAny).value_or(step.row);
    step.col = counted("col", 0, kAny).value_or(-1);
    step.term = counted("term", 0, kAny).value_or(-1);
    state.at = step;
  }

  Library& library_;
  std::string_view opened_;
  bool pinned_ = false;  // this link is itself what another one pins
  std::map<std::string, std::string, std::less<>> values_;
  DecodedLink result_;
  bool moment_fits_ = true;
};

}  // namespace

EncodedLink encodeLink(const State& state, const Library& library, const Presentation& presentation) {
  const bool opened = library.isOpened(state.example) && !walks(state);
  const bool carries = opened && !library.packed(state.example).empty();
  std::string left_out;
  const auto attempt = [&](const Riding& riding) {
    return EncodedLink{written(state, library, presentation, riding), left_out, riding.edits};
  };
  const std::string no_document =
      library.beside(state.example).empty()
          ? tr("The document is too large for a link, so the link leaves it out; save the document and send it along.")
          : "";
  if (opened && !carries) left_out = no_document;
  Riding riding{.document = carries || !opened};
  EncodedLink encoded = attempt(riding);
  if (encoded.link.size() <= kMaxLink) return encoded;
  if (riding.document && opened) {
    riding.document = false;
    left_out = no_document;
    encoded = attempt(riding);
    if (encoded.link.size() <= kMaxLink) return encoded;
  }
  riding.settings = false;
  left_out = tr("What is set in this scene is too long for a link, so the link leaves it out; shorten its texts.");
  encoded = attempt(riding);
  if (encoded.link.size() <= kMaxLink) return encoded;
  riding.edits = false;
  left_out = tr("The edits are too long for a link, so the link leaves them out; save the document, which holds them.");
  return attempt(riding);
}

EncodedLink linkOf(const Session& session) {
  return encodeLink(session.linkedState(), session.library(), session.presentation());
}

DecodedLink decodeLink(std::string_view link, Library& library, std::string_view opened) {
  return Reader(link, library, opened).read();
}

}  // namespace attn::app
