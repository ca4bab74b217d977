// Keeping the open document, with the edits that are carried out on it.
#pragma once
#include <string>
#include <string_view>

#include "ui/frame.h"

namespace attn::ui {

// A name for files about the example, without ending; a link can ask for it: doc=name.json.
std::string fileStem(const lesson::Example& example);

// The open document with the edits of the moment, as JSON.
std::string documentOfMoment(const Frame& frame);

// As a file, or where there is none, on the clipboard.
void keepDocument(Frame& frame);
std::string keepDocumentText(const Frame& frame);  // "Save document"

}  // namespace attn::ui
