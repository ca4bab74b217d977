// What a command line or a hand asks to see, brought about. Reads files; knows no window.
#include "platform/opening.h"

#include <algorithm>
#include <memory>
#include <span>

#include "core/language.h"
#include "disk/file.h"
#include "disk/file_source.h"
#include "lesson/catalogue.h"
#include "lesson/example.h"

namespace attn::platform {

namespace {

bool isBuiltIn(const std::string& id) {
  const auto built_ins = lesson::builtIns();
  return std::any_of(built_ins.begin(), built_ins.end(), [&](const auto& built_in) { return built_in.id == id; });
}

core::Check loadLink(Application& application, const std::string& link) {
  const auto failed = application.dispatch(app::action::LoadLink{link});
  if (const std::string file = application.session.documentFile(); !file.empty()) {
    application.session.notify(tr("The link asks for {0} beside the page; name that file before --link.", {file}));
  }
  return failed;
}

// Nothing where it cannot be read.
std::string beginningOf(const io::ByteSource& source, std::uint64_t size) {
  std::string text(static_cast<std::size_t>(std::min(size, source.size())), '\0');
  return source.read(0, std::as_writable_bytes(std::span(text))) ? "" : text;
}

// A document may begin with many tokens: where it can be one, it is looked through to its end.
bool isDocument(const io::ByteSource& source) {
  constexpr std::uint64_t kHead = 1 << 16;
  for (const std::uint64_t size : {kHead, std::uint64_t(disk::kMaxDocument)}) {
    const std::string text = beginningOf(source, size);
    if (lesson::isDocument(text)) return true;
    if (text.size() == source.size() || !text.starts_with('{')) return false;
  }
  return false;
}

std::string leftOut(const std::string& opened, const std::vector<std::string>& paths) {
  std::string others;
  for (const std::string& path : paths) {
    if (path != opened) others += (others.empty() ? "" : ", ") + disk::fileName(path);
  }
  return tr("One document is open at a time: this is {0}; left out: {1}.", {disk::fileName(opened), others});
}

core::Check openDocument(Application& application, const std::string& path, const std::string& link,
                         const DocumentListener& opened) {
  auto text = disk::readFile(path);
  if (!text) return text.error();
  const bool is_document = lesson::isDocument(text.value());  // else a text for a field
  if (const core::Check failed = application.open(text.take(), disk::fileName(path), link)) return failed;
  if (is_document && opened) opened(path);
  return {};
}

}  // namespace

core::Check openFiles(Application& application, const std::vector<std::string>& paths, const std::string& link,
                      const ArrayOpener& open, const DocumentListener& opened) {
  std::vector<std::string> documents;
  Opening arrays;
  for (const std::string& path : paths) {
    auto file = disk::openFile(path);
    // Pipes too are read whole, and why something cannot be read is told there.
    const bool whole = !file || application.session.takesText() || isDocument(*file.value());
    if (whole) documents.push_back(path);
    else arrays.sources.push_back({disk::fileName(path), file.take()}), arrays.paths.push_back(path);
  }
  for (const std::string& path : documents) {
    const core::Check failed = openDocument(application, path, link, opened);
    if (!failed && paths.size() > 1) application.session.notify(leftOut(path, paths));
    if (!failed) return {};
    arrays.refused += (arrays.refused.empty() ? "" : " ") + failed->message;
  }
  if (arrays.sources.empty()) return core::Error{arrays.refused};
  arrays.other = application.session.filesGoToOther();
  if (!link.empty()) application.session.dispatch(app::action::LoadLink{"scene=" + lesson::sceneOfFiles().id + "&" + link});
  return open(std::move(arrays));
}

core::Check showMoment(Application& application, const Options& options, const ArrayOpener& open,
                       const DocumentListener& opened) {
  if (options.files.empty()) return options.link.empty() ? std::nullopt : loadLink(application, options.link);
  if (options.files.size() == 1 && isBuiltIn(options.files.front()))
    return loadLink(application, "ex=" + options.files.front() + "&" + options.link);
  return openFiles(application, options.files, options.link, open, opened);
}

}  // namespace attn::platform
