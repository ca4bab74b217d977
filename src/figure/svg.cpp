// One overload per shape.
#include "figure/svg.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/language.h"
#include "core/utf8.h"
#include "figure/svg_heatmap.h"

namespace attn::figure {
namespace {

// At most two decimals, and no zeros behind them.
std::string number(float value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", static_cast<double>(value));
  std::string shown = text;
  while (shown.back() == '0') shown.pop_back();
  if (shown.back() == '.') shown.pop_back();
  return shown == "-0" ? "0" : shown;
}

std::string attribute(const char* name, float value) { return std::string(" ") + name + "=\"" + number(value) + "\""; }

// `what` is fill or stroke.
std::string paint(const char* what, Color color) {
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", static_cast<unsigned>(color.r), static_cast<unsigned>(color.g), static_cast<unsigned>(color.b));
  std::string all = std::string(" ") + what + "=\"" + text + "\"";
  return color.a == 255 ? all : all + attribute((what + std::string("-opacity")).c_str(), static_cast<float>(color.a) / 255);
}

// What XML cannot hold is shown as U+FFFD.
std::string escaped(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const core::Utf8Char next = core::nextChar(text, at);
    const bool control = next.code < 0x20 && next.code != '\t' && next.code != '\n' && next.code != '\r';
    if (!next.valid || control || next.code == 0xFFFE || next.code == 0xFFFF) out += "\xEF\xBF\xBD";
    else if (next.code == '<') out += "&lt;";
    else if (next.code == '>') out += "&gt;";
    else if (next.code == '&') out += "&amp;";
    else if (next.code == '"') out += "&quot;";
    else out += text.substr(at, next.bytes);
    at += next.bytes;
  }
  return out;
}

// The line of a label and its letters within it: as the faces that the screen is drawn with have it.
struct Face {
  const char* families;
  float line;      // its height ÷ the size of the letters
  float baseline;  // from its top ÷ its height
};
Face faceOf(Typeface face) {
  if (face == Typeface::kNumber) return {"JetBrains Mono, DejaVu Sans Mono, Menlo, Consolas, monospace", 1.32f, 0.773f};
  return {"Inter, Arial, Helvetica, DejaVu Sans, sans-serif", 1.21f, 0.8f};
}

class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  void operator()(const Fill& s) { rect(s.box, s.rounding, paint("fill", s.color)); }
  void operator()(const Frame& s) { rect(s.box, s.rounding, line(s.color, s.width)); }
  void operator()(const Stroke& s) { path("M" + at(s.a) + "L" + at(s.b), line(s.color, s.width)); }
  void operator()(const Path& s) {
    if (s.points.size() < 2) return;
    std::string way = "M" + at(s.points.front());
    for (std::size_t i = 1; i + 1 < s.points.size(); ++i) {
      const Point corner = s.points[i];
      way += "L" + at(towards(corner, s.points[i - 1], s.radius));
      if (s.radius > 0) way += "Q" + at(corner) + " " + at(towards(corner, s.points[i + 1], s.radius));
    }
    path(way + "L" + at(s.points.back()), line(s.color, s.width));
  }
  void operator()(const Triangle& s) { path("M" + at(s.a) + "L" + at(s.b) + "L" + at(s.c) + "Z", paint("fill", s.color)); }
  void operator()(const Disc& s) {
    out_ += "<circle" + attribute("cx", s.center.x) + attribute("cy", s.center.y) + attribute("r", s.radius) + paint("fill", s.color) + "/>\n";
  }
  void operator()(const Hatch& s) {
    std::string way;
    hatchLines(s, [&](Point a, Point b) { way += "M" + at(a) + "L" + at(b); });
    if (!way.empty()) path(way, line(s.color, kHatchWidth));
  }
  void operator()(const Label& s) {
    if (s.text.empty()) return;
    const Face face = faceOf(s.face);
    out_ += "<text" + attribute("x", s.at.x) + attribute("y", s.at.y + (face.baseline - s.anchor_y) * s.size);
    if (s.anchor_x > 0.25f) out_ += s.anchor_x > 0.75f ? " text-anchor=\"end\"" : " text-anchor=\"middle\"";
    out_ += std::string(" font-family=\"") + face.families + "\"" + attribute("font-size", s.size / face.line);
    if (s.face == Typeface::kStrong) out_ += " font-weight=\"600\"";
    out_ += paint("fill", s.color) + " xml:space=\"preserve\">" + escaped(s.text) + "</text>\n";
  }
  void operator()(const ClipTo& s) {
    const std::string id = name("clip");
    out_ += "<clipPath id=\"" + id + "\">";
    rect(s.box, 0, "");
    out_ += "</clipPath>\n<g clip-path=\"url(#" + id + ")\">\n";
    ++open_;
  }
  void operator()(const ClipEnd&) {
    out_ += "</g>\n";
    --open_;
  }
  void operator()(const HeatmapRequest& s) {
    (*this)(ClipTo{{s.clip_x, s.clip_y, s.clip_width, s.clip_height}});
    const std::string hatch = name("hatch");
    out_ += "<pattern id=\"" + hatch + "\" patternUnits=\"userSpaceOnUse\" width=\"6\" height=\"6\">";
    path("M0 6L6 0M-1 1L1 -1M5 7L7 5", line(faded(s.hatch, 1 - static_cast<double>(s.dim)), kHatchWidth));
    out_ += "</pattern>\n<g shape-rendering=\"crispEdges\">\n";
    for (const HeatmapRun& run : heatmapRuns(s, kMostSvgCells)) {
      rect(run.box, 0, paint("fill", run.color));
      if (run.blocked) rect(run.box, 0, " fill=\"url(#" + hatch + ")\"");
    }
    out_ += "</g>\n";
    (*this)(ClipEnd{});
  }
  void close() {
    while (open_ > 0) (*this)(ClipEnd{});
  }

 private:
  static std::string at(Point p) { return number(p.x) + " " + number(p.y); }
  static std::string line(Color color, float width) { return " fill=\"none\"" + paint("stroke", color) + attribute("stroke-width", width); }
  std::string name(const char* what) { return what + std::to_string(++names_); }
  void path(const std::string& way, const std::string& look) { out_ += "<path d=\"" + way + "\"" + look + "/>\n"; }
  void rect(const Box& box, float rounding, const std::string& look) {
    out_ += "<rect" + attribute("x", box.x) + attribute("y", box.y) + attribute("width", std::max(0.f, box.w)) +
            attribute("height", std::max(0.f, box.h)) + (rounding > 0 ? attribute("rx", rounding) : "") + look + "/>\n";
  }

  std::string& out_;
  int names_ = 0, open_ = 0;
};

// That rectangles stand for several cells each, where they do.
std::string blocksText(const Picture& picture) {
  for (const Shape& shape : picture.shapes) {
    const auto* request = std::get_if<HeatmapRequest>(&shape);
    const int side = request && request->data ? blockSide(*request->data, kMostSvgCells) : 1;
    if (side > 1) {
      return " " + tr("Each rectangle stands for {0} × {0} cells and has the mean of their colours.", {side});
    }
  }
  return "";
}

}  // namespace

std::string svgOf(const Picture& picture, const SvgPage& page) {
  const Box& area = page.area;
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", area.w) + attribute("height", area.h) + " viewBox=\"" +
                    number(area.x) + " " + number(area.y) + " " + number(area.w) + " " + number(area.h) + "\" role=\"img\">\n";
  out += "<title>" + escaped(page.title) + "</title>\n<desc>" + escaped(page.description + blocksText(picture)) + "</desc>\n";
  Writer writer(out);
  writer(Fill{area, page.ground});
  for (const Shape& shape : picture.shapes) std::visit(writer, shape);
  writer.close();
  return out + "</svg>\n";
}

}  // namespace attn::figure
