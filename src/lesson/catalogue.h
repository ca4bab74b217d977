// Which scenes there are and in which orders they can be gone through: enough for the contents, without any scene.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/gate.h"

namespace attn::lesson {

struct CatalogueEntry {
  std::string id;     // of the scene; "walkthrough" is the stage of the examples
  std::string title;  // in the teaching order the scene's own, in a lesson's order its section or figure, in our words
  std::string link;   // the link of the moment: "v=1&scene=masks&set.kind=padding"
  bool of_example = false;  // it is about the open example and its edits
  bool of_model = false;    // it is about a trained model, which is fetched when it is opened
  bool of_files = false;    // it is about the open files of arrays, and stands in no order
};

struct CatalogueOrder {
  std::string id;     // "teaching", "2.2", "6.3"
  std::string title;  // "Teaching order"
  std::vector<CatalogueEntry> entries;
};

// Read once from the data built in; never empty, and every entry names a scene that exists.
const std::vector<CatalogueOrder>& catalogue();

// The entry of the teaching order, or of the scene that stands in none; null when there is no such scene.
const CatalogueEntry* findScene(std::string_view id);

// The scene about the open files.
const CatalogueEntry& sceneOfFiles();

// Entries, of any order or none, whose titles, or whose scene's words to be found by, hold every word of `query` (case aside).
ATTN_GATE std::vector<const CatalogueEntry*> searchCatalogue(std::string_view query);

}  // namespace attn::lesson
