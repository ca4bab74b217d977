// What this is, what it is made of, and under which terms those parts come.
#include "ui/panels.h"
#include "ui/text.h"

namespace attn::ui {
namespace {

struct Notice {
  std::string_view name, terms;
};
constexpr Notice kNotices[] = {
    {"Dear ImGui", trLater("MIT licence. Copyright © 2014–2025 Omar Cornut.")},
    {"Eigen", trLater("Mozilla Public Licence 2.0. Copyright © the Eigen authors.")},
    {"zlib", trLater("zlib licence. Copyright © 1995–2022 Jean-loup Gailly and Mark Adler.")},
    {"RapidJSON", trLater("MIT licence. Copyright © 2015 THL A29 Limited, a Tencent company, and Milo Yip.")},
    {"stb", trLater("Public domain or MIT licence. Copyright © 2017 Sean Barrett.")},
    {"QR Code generator", trLater("MIT licence. Copyright © Project Nayuki.")},
    {"GLFW", trLater("zlib licence. Copyright © 2002–2019 Marcus Geelnard and Camilla Löwy. In the desktop program.")},
    {trLater("Emscripten runtime, musl, libc++"),
     trLater("MIT licence; libc++: Apache licence 2.0 with LLVM exceptions. In the browser version.")},
    {"Inter", trLater("SIL Open Font Licence 1.1. Copyright © the Inter project authors.")},
    {"JetBrains Mono", trLater("SIL Open Font Licence 1.1. Copyright © the JetBrains Mono project authors.")},
    {"DejaVu Sans", trLater("Bitstream Vera licence; the changes are in the public domain. Copyright © 2003 Bitstream, Inc.")},
    {trLater("Trained model"),
     trLater("Made for attnscope from six novels by Jane Austen, public domain, as collected in janeaustenr: MIT licence. "
     "Copyright © 2016–2017 Julia Silge.")},
    {trLater("Colour scales"), trLater("viridis, magma and cividis: CC0, from matplotlib and Nuñez, Anderton and Renslow (2018).")},
};

}  // namespace

void drawAbout(Frame& frame, Panel& panel) {
  body(frame, panel,
       tr("attnscope shows how one position of a sequence reads another. Every number on the screen is the "
       "result of a computation that was really carried out, in double precision, on this machine."));
  body(frame, panel, tr("Nothing you open leaves your machine."));
  note(frame, panel, tr("Version {0}.", {ATTN_VERSION}));
  heading(frame, panel, tr("Made with"));
  for (const Notice& each : kNotices) {
    const TextStyle name{.face = Face::kStrong, .size = kBody, .color = frame.colors.text};
    panel.y += paragraph(frame, name, tr(each.name), panel.x(), panel.y, panel.width());
    tell(frame, tr(each.name), Role::kHeading);
    note(frame, panel, tr(each.terms));
  }
}

}  // namespace attn::ui
