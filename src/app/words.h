// Positions, steps and reasons in words, shared by all that speaks to a person. Prints no results of the computation.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "app/session.h"

namespace attn::app {

// A number as the screen counts it: positions, components and heads follow the example's first_index.
std::string ordinal(const lesson::Example& example, Index number);

// "head 1": as the screen counts. Files, links and the API count from 0.
std::string headText(const lesson::Example& example, Index head);

// "q₃": a letter with the position as the screen counts it.
std::string indexed(std::string_view letter, const lesson::Example& example, Index position);

// The destination or source of one position, for sentences: "position 3" or "2 “sat”".
std::string destinationText(const Session& session, Index row);
std::string sourceText(const Session& session, Index col);

// "position 3 makes its query": what happens in this step, without a full stop.
std::string happening(const Session& session, const Step& step);

// "it comes later (causal mask)", "it is padding", … for a blocked cell; several reasons make one sentence.
std::string whyBlocked(const Session& session, Index row, Index col);
// The same of core::BlockReason bits; `aligned` is "", or "aligned top-left" where that matters.
std::string reasonsText(std::uint8_t reasons, Index window, const std::string& aligned);

// "aligned bottom-right: the last query stands at the last source", where the mask asks who stands where and there are
// more sources than destinations, or fewer; else "".
std::string alignmentText(const Session& session);

// No source may be read and no edit has given any a weight: there is no distribution.
bool readsNothing(const Session& session, Index row);
// The sum of the row's weights where an edit has made it another than the softmax gives; nothing otherwise.
std::optional<double> editedSum(const Session& session, Index row);

// "rows sum to 1", with the rows that do not: those that may read no source, and those whose weights are not numbers.
std::string rowSumsText(const Session& session);

// "scores", "masked scores", …: a stage as headlines name it.
std::string stageTitle(core::Stage stage);

// "scaled", "q": an array as sentences name it; links and edits know core::arrayName.
std::string arrayText(core::Array array);

// "÷ √2 (1.4142)" or "× 0.5", with the temperature where one is used.
std::string scaleText(const Session& session);

// The two coordinates of the stage's result in words: positions for T×S arrays, a position and a component for others.
bool columnsAreSources(core::Stage stage);
bool rowsAreSources(core::Stage stage);

}  // namespace attn::app
