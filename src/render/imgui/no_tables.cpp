// Dear ImGui without its tables and columns, which nothing here uses: a file of its own has them, and what the others call
// of it does nothing. A first visit to the page downloads less by their size. Part of the library imgui.
#include "imgui.h"
#include "imgui_internal.h"

namespace ImGui {

void EndTable() {}
void TableEndRow(ImGuiTable*) {}
void TableEndCell(ImGuiTable*) {}
void TablePushColumnChannel(int) {}
void TablePopColumnChannel() {}
void TablePushBackgroundChannel() {}
void TablePopBackgroundChannel() {}
void TableGcCompactTransientBuffers(ImGuiTable*) {}
void TableGcCompactTransientBuffers(ImGuiTableTempData*) {}
void TableGcCompactSettings() {}
void TableSettingsAddSettingsHandler() {}
void EndColumns() {}
void PushColumnsBackground() {}
void PopColumnsBackground() {}

}  // namespace ImGui

// On the web, what would read Dear ImGui's file of settings reads nothing: there is none, and sscanf is large.
extern "C" int attn_no_sscanf(const char*, const char*, ...) { return 0; }
