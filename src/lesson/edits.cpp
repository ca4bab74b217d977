// See edits.h. What an edit means is core's.
#include "lesson/edits.h"

#include <utility>

#include "core/edited.h"
#include "io/json.h"
#include "io/json_writer.h"

namespace attn::lesson {

core::Result<Example> editExample(Example example, const std::vector<std::string>& edits) {
  std::vector<core::Edit> parsed;
  for (const std::string& text : edits) {
    auto edit = core::parseEdit(text);
    if (!edit) return edit.error();
    parsed.push_back(edit.take());
  }
  core::Subject subject{std::move(example.problem), std::move(example.tokens), std::move(example.sources)};
  auto edited = core::applyEdits(std::move(subject), parsed);
  if (!edited) return edited.error();
  example.problem = std::move(edited.value().problem);
  example.tokens = std::move(edited.value().tokens);
  example.sources = std::move(edited.value().sources);
  example.edits = edits;
  return example;
}

std::string documentWith(const Example& example, const std::vector<std::string>& edits) {
  if (edits.empty()) return io::withMember(example.document, "edits", "");
  io::JsonWriter list;
  list.beginList();
  for (const std::string& edit : edits) list.text(edit);
  list.endList();
  return io::withMember(example.document, "edits", list.str());
}

std::string joinEdits(const std::vector<std::string>& edits) {
  std::string line;
  for (const std::string& edit : edits) {
    if (!line.empty()) line += ';';
    for (const char c : edit) {
      if (c == ';' || c == '\\') line += '\\';
      line += c;
    }
  }
  return line;
}

std::vector<std::string> splitEdits(std::string_view line) {
  std::vector<std::string> edits;
  std::string edit;
  const auto end = [&] {
    if (edit.find_first_not_of(' ') != edit.npos) edits.push_back(edit);
    edit.clear();
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size()) edit += line[++i];
    else if (line[i] == ';') end();
    else edit += line[i];
  }
  end();
  return edits;
}

}  // namespace attn::lesson
