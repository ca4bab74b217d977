// Which scenes there are, all of them: those that need nothing, the one about opened files and the one about trained models,
// with what has been opened and brought for these two. Knows no screen, no network and no disk.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"
#include "scene/scene.h"
#include "study/models.h"
#include "survey/files.h"

namespace attn::desk {

// Bytes of a file of web/data, or nothing where there is none of that path.
using Shelf = std::function<std::optional<std::string_view>(const std::string& path)>;

class Desk {
 public:
  // With a shelf, pages have what they want of web/data at once. Without one, whoever shows a page brings what
  // models.wanted() names and asks for the page once more.
  explicit Desk(Shelf shelf = {}) : shelf_(std::move(shelf)) {}
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;

  survey::Files files;
  study::Models models;

  // Refuses an unknown id. The scene lives no longer than the desk.
  core::Result<scene::Scene> find(std::string_view id);

 private:
  scene::Scene supplied(scene::Scene scene);
  scene::Scene aboutModels();
  core::Result<const std::string*> bring(const std::string& path);
  void offerCheckpoint();
  bool fetch();

  Shelf shelf_;
};

}  // namespace attn::desk
