// The small files that come with attnscope, one of each format that is opened: which there are, and how one takes the place
// of what is open. Knows no platform.
#pragma once
#include <functional>
#include <string>

#include "core/result.h"
#include "survey/parts.h"

namespace attn::survey {

// The bytes of a file of web/data by its path there, which stay where they are; null while they are on their way. An error
// says why they cannot be had.
using Bring = std::function<core::Result<const std::string*>(const std::string& path)>;

// A button for each sample.
void offerSamples(Shown& shown);

// Opens the sample of that name and offers to save it. False when what `shown` says then is the whole page: while it is on
// its way, when it cannot be opened, and of a document, which gives way to the stage while `walk` is on.
bool openSample(const std::string& name, const Bring& bring, Files& files, const Inputs& in, Outputs& out, Shown& shown);

}  // namespace attn::survey
