// What a command line or a hand asks to see, brought about. Reads files; knows no window.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/result.h"
#include "platform/application.h"
#include "platform/options.h"
#include "platform/scenes.h"

namespace attn::platform {

// Has files of arrays opened, now or later; an error when it is already known that there is nothing to show.
using ArrayOpener = std::function<core::Check(Opening)>;

// Hears of a document that is open now, by the path that was given.
using DocumentListener = std::function<void(const std::string& path)>;

// The first document that opens, alone; where there is none, all the others together, as arrays. Then goes to the moment
// of it that `link` names, unless that is empty. An error when nothing could be opened.
core::Check openFiles(Application& application, const std::vector<std::string>& paths, const std::string& link,
                      const ArrayOpener& open, const DocumentListener& opened = {});

// Opens the files and goes to the moment that the options name.
core::Check showMoment(Application& application, const Options& options, const ArrayOpener& open,
                       const DocumentListener& opened = {});

}  // namespace attn::platform
