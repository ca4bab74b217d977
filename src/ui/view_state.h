// What the screen itself owns and no link or undo carries: theme, open panels, the camera, what hovers.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/action.h"
#include "figure/heatmap.h"
#include "ui/recorder.h"

namespace attn::ui {

inline constexpr int kEditTab = 4;  // of ViewState::phone_tab

enum class Theme { kSystem, kLight, kDark };

// What the platform knows about the person's machine; set before each frame.
struct Environment {
  bool system_dark = false;
  bool reduced_motion = false;
  bool forced_colors = false;   // high contrast
  bool coarse_pointer = false;  // touch: targets of at least 44 CSS pixels
  float pixel_ratio = 1;        // framebuffer pixels per CSS pixel
  double now = 0;               // seconds, monotonic
  bool painted = true;          // false without graphics: then the mirror is all there is
  // The page moves the focus and works focused controls itself (web): Tab, and Enter or arrows on a control, are not ours.
  bool page_owns_focus = false;
  // What the page fetches only when it is first opened is there: what ATTN_GATE marks may be called.
  bool rest_loaded = true;
  std::string rest_failure;  // why it could not be fetched, "" otherwise
};

// The stage's view of its world: CSS pixels per cell, and which point of the whole picture (0–1 each way) is in the middle.
struct Camera {
  bool automatic = true;  // follow the step; false once the person has panned or zoomed
  float cell = 44;
  float x = 0.5f, y = 0.5f;
};

// Where the pointer is still, and since when on the clock of Environment::now; −1 while there is no pointer.
struct PointerRest {
  float x = 0, y = 0;
  double since = -1;
};
inline constexpr double kTooltipDelay = 0.5;  // seconds of rest before a tooltip

// What was written into a field and not taken: it stands there while the sentence about it does, to be mended.
struct RefusedText {
  std::string field, text;  // "" when nothing was refused
  std::optional<unsigned long> revision;  // of the session at the refusal, once that is known
};

// A text with its caret: the selection goes from `from` to `to`, where the caret is, in bytes.
struct EditedText {
  std::string text;
  int from = 0, to = 0;
};

// What the export panel is set to.
struct ExportChoices {
  int kind = 0;                  // of what it lists: one array, everything, this moment; in a scene: figures, this moment
  std::string what;              // the array; "": the one that the chosen cell or the step is in
  app::Index head = -1;          // −1: the one in view; −2: all
  std::string array = "csv", whole = "npz", moment = "words", figure = "svg";  // formats
  std::optional<bool> dark;      // pictures; nothing: as the screen is
  int scale = 2;                 // of a picture of pixels
};

struct StageMemory;
struct ExplanationMemory;
struct SceneMemory;
struct ChangesMemory;
struct FileMenu;

struct ViewState {
  Theme theme = Theme::kSystem;
  float text_scale = 1;       // what the person prefers: 0.8–2
  float scale = 1;            // of the frame that is drawn: that, or larger
  bool letter_keys = true;    // single-letter shortcuts
  bool sounds = false;        // a row of weights can be heard; only where plays_sounds
  std::string language;       // its code; set by the platform where another can be chosen, and what is chosen is taken up there
  bool contents_open = true;
  bool help_open = false;
  bool about_open = false;
  bool settings_open = false;
  bool notebook_open = false;
  bool clears_notebook = false;  // clearing it has been asked for, and must be asked for once more
  bool lab_open = false;
  bool export_open = false;
  bool share_open = false;
  bool files_open = false;
  std::optional<app::Presentation> before_share;  // comes back when that closes
  ExportChoices exports;
  bool narrow = false;  // laid out for a narrow screen: the tabs are there
  bool sheet_has_keyboard = false;  // the open one was opened by the keyboard,
  std::string sheet_opener;         // from this control, "" = the stage
  float scroll_sheet_by = 0;        // asked for by keys, in pixels
  std::optional<std::string> focus_next;  // the control that takes the focus as soon as it is there,
  int focus_waited = 0;                   // and for how many frames it was not
  unsigned focus_asked = 0;   // where the page owns the focus: how often it was asked to move it,
  std::string focus_target;   // and to which control
  std::string said;              // the screen's own short message, shown like a notice
  bool offers_document = false;  // what is said comes with the offer to keep the open document
  std::string dismissed_notice;  // the notice that the person has put away
  int phone_tab = 0;          // on narrow screens: 0 explanation, 1 choices, 2 contents, 3 settings, 4 the laboratory
  bool stage_focused = true;  // the keys of the stage apply
  bool keyboard = false;      // the last thing used was a key: the stage shows that it has the focus
  bool in_matrix = false;     // Enter moved the keyboard into a matrix
  bool stage_scrolls = false;  // the stage is part of a page that scrolls: the wheel and one finger are the page's
  bool cell_speaks = false;   // the cursor moved after the last step: its cell is what is told
  bool edits_speak = false;   // the list of edits changed last: what came of it is what is told
  bool shown_speaks = false;  // before, after or the difference was chosen last: which of them is what is told
  std::optional<app::Shown> told_shown;
  std::optional<std::vector<std::string>> told_edits;
  std::optional<app::CellCursor> told_cell;
  std::optional<app::Step> told_step;
  Camera camera;
  std::shared_ptr<StageMemory> stage;  // what the stage keeps between frames
  std::shared_ptr<ExplanationMemory> explanation;  // the words of the moment, so that they are found once
  std::shared_ptr<ChangesMemory> changes;  // what the edits changed, in words, so that it is found once
  std::shared_ptr<SceneMemory> scene;  // what a scene's page keeps between frames
  std::string edited;                  // the text field that is being written in,
  EditedText edited_text;              // and what stands in it
  std::optional<EditedText> edit_asked;  // what should stand in it: the page's own field took the keyboard
  RefusedText refused;
  std::string order = "teaching";      // of the contents
  std::string entry;                   // the link of the entry that was gone to last
  std::string search;                  // what the contents are searched for
  std::set<std::string> visited;       // ids of scenes, "walkthrough" among them; kept by the platform between visits
  int tour = 0;                        // the card of the tour that is shown, from 1; 0: none
  std::string resume_link;             // the last moment of an earlier visit, "" when there is none
  std::optional<app::CellCursor> hover;
  PointerRest pointer;
  Rect kept_clear;  // the panel that is being read: tooltips stand beside it
  Environment environment;
  // Filled by the stage, drawn by the platform's renderer at the place the draw list calls for.
  std::vector<figure::HeatmapRequest> heatmaps;
  // Called from an ImGui draw callback with the index into `heatmaps`; set by the platform, null in tests without GL.
  std::function<void(const figure::HeatmapRequest&)> draw_heatmap;
  // What only the platform can do; null where it cannot, and then the control is not there.
  std::function<void()> open_file;  // let the person choose files; they arrive as OpenDocument or OpenArrays
  std::shared_ptr<FileMenu> file_menu;  // files by name: ui/file_menu.h
  bool plays_sounds = false;  // the platform takes up `sound`,
  std::string sound;          // a WAV file to be played; while one sounds, it is stopped instead
  bool asks_for_rest = false;  // set by a view that needs Environment::rest_loaded, taken up by the platform
  std::function<void(const std::string& name, const std::string& bytes)> save_file;  // give the person a file to keep; it may say more
  // The same of an SVG, as a picture of pixels, `scale` times as large.
  std::function<void(const std::string& name, const std::string& svg, int scale)> save_picture;
  std::string link_base;            // the page's address without fragment: "Copy link" puts it before "#link"
  // Set by views that are still moving: the platform keeps drawing.
  bool animating = false;
};

using Dispatch = std::function<void(app::Action)>;

}  // namespace attn::ui
