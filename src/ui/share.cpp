// What the link is to show and leave out, and the link as text, as a picture and as a frame. Writes no link itself.
#include "ui/share.h"

#include <algorithm>
#include <string>

#include "app/link.h"
#include "figure/qr.h"
#include "figure/svg.h"
#include "ui/keep_document.h"
#include "ui/lab.h"
#include "ui/lab_figures.h"
#include "ui/paint.h"
#include "ui/panels.h"
#include "ui/text.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

using app::Presentation;

constexpr float kLargestQr = 280;            // CSS pixels
constexpr std::size_t kShownOfLink = 400;    // bytes; all of it is copied
constexpr float kSavedQr = 512;

struct PartText {
  app::Part part;
  std::string_view label;
};
constexpr PartText kParts[] = {{app::Part::kContents, trLater("Contents and other scenes")},
                               {app::Part::kExplain, trLater("Explanation")},
                               {app::Part::kAnswers, trLater("Answers to questions and tasks")},
                               {app::Part::kNumbers, trLater("Numbers in cells")},
                               {app::Part::kEdits, trLater("Editing")}};

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') out += "&amp;";
    else if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '"') out += "&quot;";
    else out += c;
  }
  return out;
}

class Share {
 public:
  Share(Frame& frame, Panel& panel)
      : frame_(frame), panel_(panel), shown_(frame.session.presentation()), link_(app::linkOf(frame.session)) {}

  void draw() {
    chooseLook();
    chooseParts();
    writeNote();
    if (next_) frame_.dispatch(app::action::Present{*next_});
    giveLink();
    giveQr();
    giveFrame();
  }

 private:
  Presentation& change() {
    if (!next_) next_ = shown_;
    return *next_;
  }

  bool turned(std::string_view id, std::string_view label, bool on, std::string_view tip = {}) {
    const float height = std::max(frame_.controlHeight(), toggleHeight(frame_, label, panel_.width()));
    const bool pressed = toggle(frame_, id, label, on, {panel_.x(), panel_.y, panel_.width(), height}, tip, panel_.group);
    panel_.y += height;
    return pressed;
  }

  void chooseLook() {
    body(frame_, panel_, tr("Whoever follows the link finds this moment. What you choose here shows on the screen at once, and "
                         "goes when you close this panel."));
    heading(frame_, panel_, tr("How it opens"));
    if (turned("share/present", tr("As a presentation"), shown_.present,
               tr("Large type; only the stage, one sentence and the steps. Page Up, Page Down and clickers step.")))
      change().present = !shown_.present;
    if (turned("share/embed", tr("Slim, for a frame in a page"), shown_.embed, tr("Without the line at the top and the contents.")))
      change().embed = !shown_.embed;
    panel_.y += kUnit;
  }

  void chooseParts() {
    heading(frame_, panel_, tr("Leave out"));
    for (const PartText& each : kParts) {
      const auto at = static_cast<std::size_t>(each.part);
      if (turned("share/hide/" + std::string(app::kPartNames[at]), tr(each.label), shown_.hidden[at]))
        change().hidden[at] = !shown_.hidden[at];
    }
    panel_.y += kUnit;
  }

  void writeNote() {
    heading(frame_, panel_, tr("Note above the stage"));
    const Rect rect{panel_.x(), panel_.y, panel_.width(), frame_.controlHeight()};
    if (const auto written = field(frame_, "share/note", tr("Note"), shown_.note, rect,
                                   {.hint = tr("Which position is read most?"), .tip = tr("At most 280 characters."), .live = true}))
      change().note = *written;
    panel_.y += rect.h + 1.5f * kUnit;
  }

  std::string whole(const std::string& link) const { return frame_.view.link_base + (frame_.view.link_base.empty() ? "" : "#") + link; }

  void giveLink() {
    heading(frame_, panel_, tr("Link"));
    const std::string all = whole(link_.link);
    const bool cut = all.size() > kShownOfLink;
    const TextStyle style{.face = Face::kNumber, .size = kSmall, .color = frame_.colors.text};
    const std::string text = all.substr(0, kShownOfLink) + (cut ? "…" : "");
    tell(frame_, text, Role::kText);
    panel_.y += paragraph(frame_, style, text, panel_.x(), panel_.y, panel_.width()) + kUnit / 2;
    note(frame_, panel_, tr("{0} of at most {1} bytes after the address.", {link_.link.size(), app::kMaxLink}));
    if (!link_.left_out.empty()) body(frame_, panel_, link_.left_out);
    Acts acts(frame_, panel_);
    if (acts.press("share/copy", tr("Copy the link"))) copyText(frame_, all);
    if (!needsDocument()) return;
    const std::string name = fileStem(frame_.session.example()) + ".json";
    if (acts.press("share/save", keepDocumentText(frame_))) keepDocument(frame_);
    if (acts.press("share/copy-doc", tr("Copy a link to {0}", {name}), tr("For a page of your own, with the document beside it.")))
      copyText(frame_, whole("v=1&doc=" + name + link_.link.substr(3)));
  }

  // The document is open and the link has no room for it.
  bool needsDocument() const {
    return !link_.left_out.empty() && frame_.session.library().isOpened(frame_.session.state().example);
  }

  void giveQr() {
    heading(frame_, panel_, tr("QR picture"));
    if (noAddress()) return;
    const auto code = figure::qrCode(whole(link_.link));
    if (!code) return body(frame_, panel_, code.error().message);
    const float side = std::min(panel_.width(), frame_.size(kLargestQr));
    paint(figure::qrPicture(code.value(), panel_.x(), panel_.y, side), *ImGui::GetWindowDrawList(), frame_.view);
    frame_.recorder.add({.id = "share/qr", .label = tr("The link as a QR picture"), .role = Role::kText,
                         .rect = {panel_.x(), panel_.y, side, side}});
    panel_.y += side + kUnit;
    if (!frame_.view.save_file) return;
    Acts acts(frame_, panel_);
    const bool svg = acts.press("share/qr-svg", tr("Save as SVG"));
    const bool png = frame_.view.save_picture && acts.press("share/qr-png", tr("Save as PNG"));
    if (!svg && !png) return;
    const std::string picture = figure::svgOf(figure::qrPicture(code.value(), 0, 0, kSavedQr),
                                              {{0, 0, kSavedQr, kSavedQr}, {255, 255, 255}, tr("QR code"), whole(link_.link)});
    saveBytes(frame_, svg ? "link.svg" : "link.png", picture, svg ? 0 : 1);
  }

  void giveFrame() {
    heading(frame_, panel_, tr("Frame for a web page"));
    if (noAddress()) return;
    Presentation slim = next_.value_or(shown_);
    slim.embed = true;
    const app::Session& session = frame_.session;
    const std::string link = app::encodeLink(session.linkedState(), session.library(), slim).link;
    const std::string snippet = "<iframe src=\"" + escaped(whole(link)) +
                                "\" title=\"attnscope\" width=\"100%\" height=\"600\" style=\"border: 0\" loading=\"lazy\" "
                                "allow=\"clipboard-write\"></iframe>";
    const bool cut = snippet.size() > kShownOfLink;
    const TextStyle style{.face = Face::kNumber, .size = kSmall, .color = frame_.colors.text};
    const std::string text = snippet.substr(0, kShownOfLink) + (cut ? "…" : "");
    tell(frame_, text, Role::kText);
    panel_.y += paragraph(frame_, style, text, panel_.x(), panel_.y, panel_.width()) + kUnit;
    Acts acts(frame_, panel_);
    if (acts.press("share/copy-frame", tr("Copy the frame"))) copyText(frame_, snippet);
  }

  bool noAddress() {
    if (!frame_.view.link_base.empty()) return false;
    body(frame_, panel_, tr("This needs the address of a page: open attnscope in a browser, from where others will reach it."));
    return true;
  }

  Frame& frame_;
  Panel& panel_;
  const Presentation& shown_;
  app::EncodedLink link_;
  std::optional<Presentation> next_;
};

}  // namespace

void drawShare(Frame& frame, Panel& panel) { Share(frame, panel).draw(); }

}  // namespace attn::ui
