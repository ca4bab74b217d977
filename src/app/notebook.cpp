// See notebook.h.
#include "app/notebook.h"

#include <algorithm>
#include <cctype>

#include "core/language.h"
#include "io/json.h"
#include "io/json_writer.h"

namespace attn::app {
namespace {

using io::Json;
using Judgement = lesson::Verdict::Judgement;

constexpr std::size_t kMostEntries = 1000;

// The texts of an entry under their names.
template <class Entry, class Visit>
void eachText(Entry& entry, Visit visit) {
  visit("task", entry.first.task), visit("title", entry.first.title), visit("question", entry.first.question);
  visit("prediction", entry.first.prediction), visit("answer", entry.first.answer), visit("words", entry.first.words);
  visit("note", entry.first.note), visit("last", entry.last);
}

bool readEntry(const Json& json, NotebookEntry& entry) {
  bool whole = json.isObject();
  eachText(entry, [&](const char* name, std::string& text) {
    const Json* value = json.find(name);
    const auto* read = value ? value->as<std::string>() : nullptr;
    if (read) text = *read;
    else whole = false;
  });
  const auto number = [&](const char* name) {
    const Json* value = json.find(name);
    const auto* read = value ? value->as<double>() : nullptr;
    whole = whole && read && *read >= 0 && *read <= 1e6;
    return whole ? static_cast<int>(*read) : 0;
  };
  entry.later = number("later");
  const int judgement = number("judgement");
  whole = whole && judgement <= 2;
  entry.first.judgement = static_cast<Judgement>(judgement);
  entry.last_right = number("last_right") == 1;
  return whole;
}

// Inline Markdown: everything that could mean something there is escaped, and one text is one line.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n' || c == '\r' || c == '\t') {
      out += ' ';
      continue;
    }
    if (std::string_view("\\`*_{}[]<>#|~&!^$=").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

// The judgement, then the words about it, unless they begin with it.
std::string judgedText(const lesson::Verdict& verdict) {
  const std::string judgement = Notebook::judgementText(verdict.judgement);
  const bool said = verdict.words.size() >= judgement.size() &&
                    std::equal(judgement.begin(), judgement.end(), verdict.words.begin(), [](char a, char b) {
                      return std::tolower(static_cast<unsigned char>(b)) == a;
                    });
  return said ? escaped(verdict.words) : judgement + ". " + escaped(verdict.words);
}

std::string shortened(const std::string& text) { return text.size() <= 200 ? text : text.substr(0, 197) + "…"; }

}  // namespace

bool Notebook::keep(const lesson::Verdict& verdict) {
  const auto at = std::find_if(entries_.begin(), entries_.end(),
                               [&](const NotebookEntry& entry) { return entry.first.task == verdict.task; });
  if (at == entries_.end()) {
    if (entries_.size() >= kMostEntries) entries_.erase(entries_.begin());
    entries_.push_back({verdict, 0, "", false});
    return true;
  }
  const NotebookEntry before = *at;
  if (!verdict.note.empty()) at->first.note = verdict.note;
  const std::string& last = at->later > 0 ? at->last : at->first.prediction;
  if (verdict.judgement != Judgement::kNone && verdict.prediction != last) {
    ++at->later;
    at->last = verdict.prediction;
    at->last_right = verdict.judgement == Judgement::kRight;
  }
  return !(*at == before);
}

std::string Notebook::json() const {
  io::JsonWriter out;
  out.beginObject().name("notebook").number(1).name("entries").beginList();
  for (const NotebookEntry& entry : entries_) {
    out.beginObject();
    eachText(entry, [&](const char* name, const std::string& text) { out.name(name).text(text); });
    out.name("judgement").number(static_cast<int>(entry.first.judgement));
    out.name("later").number(entry.later).name("last_right").number(entry.last_right ? 1 : 0).endObject();
  }
  out.endList().endObject();
  return out.take();
}

bool Notebook::restore(std::string_view json) {
  const core::Result<Json> read = io::parseJson(json);
  if (!read || !read.value().find("notebook")) return false;
  const Json* list = read.value().find("entries");
  if (!list || !list->isList()) return false;
  std::vector<NotebookEntry> entries;
  const auto* items = list->as<Json::Items>();
  if (!items && list->size() > 0) return false;
  for (std::size_t i = 0; items && i < items->size() && i < kMostEntries; ++i) {
    if (!readEntry((*items)[i], entries.emplace_back())) return false;
  }
  entries_ = std::move(entries);
  return true;
}

std::string Notebook::judgementText(Judgement judgement) {
  return judgement == Judgement::kNone ? tr("no prediction") : judgement == Judgement::kRight ? tr("right") : tr("wrong");
}

std::string Notebook::laterText(const NotebookEntry& entry) {
  if (entry.later == 0) return "";
  const std::string last = shortened(entry.last);
  return entry.last_right
             ? tr("{0} later {0|prediction|predictions}; the last, {1}, was right", {entry.later, last})
             : tr("{0} later {0|prediction|predictions}; the last, {1}, was wrong", {entry.later, last});
}

std::string Notebook::markdown() const {
  const auto right = std::count_if(entries_.begin(), entries_.end(), [](const NotebookEntry& entry) {
    return entry.first.judgement == Judgement::kRight;
  });
  std::string text = "# " + tr("Notebook") + "\n\n" +
                     tr("Tasks: {0}. Predicted rightly at first: {1}.", {entries_.size(), right}) + "\n";
  for (const NotebookEntry& entry : entries_) {
    const lesson::Verdict& first = entry.first;
    text += "\n## " + escaped(first.title) + "\n\n" + escaped(first.question) + "\n\n";
    text += tr("- Predicted: {0}", {first.prediction.empty() ? tr("nothing") : escaped(first.prediction)}) + "\n";
    text += tr("- Computed: {0}", {escaped(first.answer)}) + "\n";
    text += tr("- Judged: {0}", {judgedText(first)}) + "\n";
    if (entry.later > 0) text += tr("- Afterwards: {0}", {escaped(laterText(entry))}) + "\n";
    if (!first.note.empty()) text += tr("- Note: {0}", {escaped(first.note)}) + "\n";
  }
  return text;
}

}  // namespace attn::app
