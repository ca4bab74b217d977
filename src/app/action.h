// Everything a person, a link or an embedding page can ask for.
#pragma once
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/presentation.h"
#include "app/state.h"
#include "core/result.h"

namespace attn::app {

namespace action {
struct StepBy { int by = 1; };            // at the chosen grain; negative goes back
struct StageBy { int by = 1; };           // to the end of the next stage, or of the one before
struct First {};
struct Last {};                           // "Show the whole result"
struct Seek { Index position = 0; };      // 0 = the opening state, n = after n steps
struct TogglePlay {};
struct Pause {};
struct Tick { double seconds = 0; };      // time passes: playback only
struct ChooseRow { Index row = 0; };      // with Order::kRow the moment stays, about this row
struct ChooseHead { Index head = 0; };
struct ChooseCell { CellCursor cell; };
struct LeaveCell {};
struct SetOrder { Order order = Order::kRow; };
struct SetGrain { Grain grain = Grain::kRow; };
struct SetMask { MaskChoice mask = MaskChoice::kDocument; };
// An edit of the last one's cell, row or rule takes its place. While something is dragged, all of them are one item of
// the history.
struct AddEdit { std::string edit; bool dragging = false; };
struct RemoveEdit { Index index = 0; };
struct SetEdits { std::vector<std::string> edits; };  // the whole list; empty: none
struct ResetEdits {};                                 // those of the document
struct SetShown { Shown shown = Shown::kAfter; };
struct Pin {};    // compares with this moment from now on
struct Unpin {};  // compares with the example without any edit
struct OpenExample { std::string id; };
struct OpenDocument { std::string text, name; };
// Whoever computes scenes has opened files of arrays: to be looked at, or to be compared with. `refused`: sentences about
// those that it could not open; with an empty label there are no others.
struct OpenArrays { std::string label; bool other = false; std::string refused = {}; };
// `inside`: on the page that is open, which keeps its Presentation; other links bring their own.
struct LoadLink { std::string link; bool inside = false; };
struct Present { Presentation presentation; };
struct SetExact { bool on = true; };
struct SetDecimals { int decimals = 4; };
struct SetPalette { Palette palette = Palette::kViridis; };
struct SetShowSpaces { bool on = true; };
struct SetSpeed { double steps_per_second = 1; };  // 0.25–16
struct SetRunOn { bool on = false; };              // playback does not stop at the end of a stage
// In a scene, StepBy changes its main param and StageBy goes to the next scene of the teaching order, or the one before.
struct OpenScene { std::string id; lesson::Settings settings; };  // "" leaves the scene
struct Set { std::string key, value; };
struct SetAll { lesson::Settings values; };  // several at once, such as both coordinates of what is dragged
struct ResetScene {};                        // everything back to its preset
struct ReturnToScene {};                     // from which a link led to the walkthrough, as it was left
struct RetryScene {};                        // after sceneFailure(): asks for the page once more
struct StopScene {};                         // gives up what is being computed
// From whoever computes scenes, about the SceneRequest of that ticket; later than a newer ticket they mean nothing. The page
// may come again when more is known.
struct ScenePage { unsigned long ticket = 0; std::string json; };
// `refused`: what was set cannot be computed; else the scene could not be reached.
struct SceneFailed { unsigned long ticket = 0; std::string sentence; bool refused = false; };
struct SceneProgress { unsigned long ticket = 0; double done = 0; };  // 0–1
struct ClearNotebook {};
struct Undo {};
struct Redo {};
}  // namespace action

using Action = std::variant<action::StepBy, action::StageBy, action::First, action::Last, action::Seek,
                            action::TogglePlay, action::Pause, action::Tick, action::ChooseRow, action::ChooseHead,
                            action::ChooseCell, action::LeaveCell, action::SetOrder, action::SetGrain, action::SetMask,
                            action::AddEdit, action::RemoveEdit, action::SetEdits, action::ResetEdits,
                            action::SetShown, action::Pin, action::Unpin,
                            action::OpenExample, action::OpenDocument, action::OpenArrays, action::LoadLink, action::Present, action::SetExact,
                            action::SetDecimals, action::SetPalette, action::SetShowSpaces, action::SetSpeed,
                            action::SetRunOn, action::OpenScene, action::Set, action::SetAll, action::ResetScene,
                            action::RetryScene, action::StopScene, action::ReturnToScene, action::ScenePage, action::SceneFailed, action::SceneProgress,
                            action::ClearNotebook, action::Undo, action::Redo>;

// {"type":"step","by":1}, {"type":"link","link":"…"}, {"type":"select","row":2,"col":1}, …: the README lists them. An
// unknown type, an unknown or missing field and a wrong type of value are refused by name.
core::Result<Action> parseAction(std::string_view json);

}  // namespace attn::app
