// The fields of every part of a page under their names, once for writing and for reading. Knows no JSON.
#pragma once
#include <array>
#include <string_view>
#include <type_traits>

#include "lesson/page.h"

namespace attn::lesson {

inline constexpr std::array<std::string_view, 9> kParamKindNames = {
    "integer", "number", "choice", "toggle", "seed", "order", "numbers", "text", "data"};
inline constexpr std::array<std::string_view, 4> kGridScaleNames = {"weights", "positive", "signed", "plain"};
inline constexpr std::array<std::string_view, 3> kPlotKindNames = {"line", "points", "bars"};
inline constexpr std::array<std::string_view, 5> kRoleNames = {"query", "key", "value", "result", "plain"};
inline constexpr std::array<std::string_view, 4> kStyleNames = {"text", "heading", "note", "code"};
inline constexpr std::array<std::string_view, 3> kJudgementNames = {"none", "wrong", "right"};
// In the order of Block::content.
inline constexpr std::array<std::string_view, 13> kBlockNames = {
    "words", "claim", "grid", "table", "plot", "plane", "strip", "flow", "question", "jump", "source", "verdict", "maps"};
static_assert(kBlockNames.size() == std::variant_size_v<decltype(Block::content)>);

constexpr const auto& namesOf(ParamKind) { return kParamKindNames; }
constexpr const auto& namesOf(GridScale) { return kGridScaleNames; }
constexpr const auto& namesOf(Plot::Kind) { return kPlotKindNames; }
constexpr const auto& namesOf(Plane::Role) { return kRoleNames; }
constexpr const auto& namesOf(Verdict::Judgement) { return kJudgementNames; }
constexpr const auto& namesOf(Words::Style) { return kStyleNames; }

// An archive A is called with each name and field. What a writer is given it must not change.
template <class A, class T>
using Part = std::conditional_t<A::kWrites, const T, T>;

template <class A>
void describe(A& a, Part<A, ParamOption>& p) { a("id", p.id), a("label", p.label); }

template <class A>
void describe(A& a, Part<A, Param>& p) {
  a("key", p.key), a("label", p.label), a("hint", p.hint), a("kind", p.kind);
  a("minimum", p.minimum), a("maximum", p.maximum), a("step", p.step), a("logarithmic", p.logarithmic);
  a("options", p.options), a("preset", p.preset), a("value", p.value), a("main", p.main), a("shown", p.shown);
  a("clears", p.clears), a("turns", p.turns), a("live", p.live), a("plays", p.plays);
}

template <class A>
void describe(A& a, Part<A, Grid>& g) {
  a("title", g.title), a("note", g.note), a("rows", g.rows), a("columns", g.columns), a("values", g.values);
  a("scale", g.scale), a("limit", g.limit), a("map", g.map), a("row_labels", g.row_labels);
  a("column_labels", g.column_labels), a("decimals", g.decimals), a("blocked", g.blocked), a("marked", g.marked);
}

template <class A>
void describe(A& a, Part<A, Table>& t) {
  a("title", t.title), a("note", t.note), a("columns", t.columns), a("rows", t.rows), a("marked", t.marked);
}

template <class A>
void describe(A& a, Part<A, Plot::Series>& s) { a("label", s.label), a("kind", s.kind), a("x", s.x), a("y", s.y); }

template <class A>
void describe(A& a, Part<A, Plot::Mark>& m) { a("label", m.label), a("at", m.at), a("vertical", m.vertical); }

template <class A>
void describe(A& a, Part<A, Plot>& p) {
  a("title", p.title), a("note", p.note), a("x_label", p.x_label), a("y_label", p.y_label), a("log_x", p.log_x);
  a("log_y", p.log_y), a("names", p.names), a("series", p.series), a("marks", p.marks);
}

template <class A, class Spot>
void describeSpot(A& a, Spot& s) {
  a("label", s.label), a("x", s.x), a("y", s.y), a("role", s.role), a("x_key", s.x_key), a("y_key", s.y_key);
}

template <class A>
void describe(A& a, Part<A, Plane::Arrow>& arrow) { describeSpot(a, arrow); }

template <class A>
void describe(A& a, Part<A, Plane::Point>& point) { describeSpot(a, point); }

template <class A>
void describe(A& a, Part<A, Plane::Line>& l) {
  a("label", l.label), a("x0", l.x0), a("y0", l.y0), a("x1", l.x1), a("y1", l.y1), a("dashed", l.dashed);
}

template <class A>
void describe(A& a, Part<A, Plane>& p) {
  a("title", p.title), a("note", p.note), a("reach", p.reach), a("arrows", p.arrows), a("points", p.points);
  a("lines", p.lines);
}

template <class A>
void describe(A& a, Part<A, Strip::Item>& i) {
  a("text", i.text), a("note", i.note), a("weight", i.weight), a("marked", i.marked);
}

template <class A>
void describe(A& a, Part<A, Strip>& s) {
  a("title", s.title), a("note", s.note), a("items", s.items), a("order_key", s.order_key);
}

template <class A>
void describe(A& a, Part<A, Flow::Edge>& e) {
  a("layer", e.layer), a("from", e.from), a("to", e.to), a("strength", e.strength), a("marked", e.marked);
}

template <class A>
void describe(A& a, Part<A, Flow::Node>& n) {
  a("layer", n.layer), a("position", n.position), a("note", n.note), a("marked", n.marked);
}

template <class A>
void describe(A& a, Part<A, Flow>& f) {
  a("title", f.title), a("note", f.note), a("layers", f.layers), a("positions", f.positions), a("edges", f.edges);
  a("nodes", f.nodes);
}

template <class A>
void describe(A& a, Part<A, Words>& w) { a("style", w.style), a("text", w.text); }

template <class A>
void describe(A& a, Part<A, Claim>& c) { a("text", c.text), a("holds", c.holds), a("mistake", c.mistake); }

template <class A>
void describe(A& a, Part<A, Question>& q) { a("text", q.text), a("answer", q.answer); }

template <class A>
void describe(A& a, Part<A, Verdict>& v) {
  a("task", v.task), a("title", v.title), a("question", v.question), a("prediction", v.prediction);
  a("answer", v.answer), a("words", v.words), a("judgement", v.judgement), a("note", v.note);
}

template <class A>
void describe(A& a, Part<A, Jump>& j) {
  a("label", j.label), a("link", j.link), a("keys", j.keys), a("values", j.values);
  a("file", j.file), a("content", j.content);
}

template <class A>
void describe(A& a, Part<A, Maps::Item>& i) {
  a("label", i.label), a("mark", i.mark), a("note", i.note), a("shades", i.shades), a("values", i.values);
}

template <class A>
void describe(A& a, Part<A, Maps>& m) {
  a("title", m.title), a("note", m.note), a("rows", m.rows), a("columns", m.columns), a("line", m.line);
  a("keys", m.keys), a("items", m.items);
}

template <class A>
void describe(A& a, Part<A, Source>& s) {
  a("authors", s.authors), a("year", s.year), a("title", s.title), a("section", s.section), a("measured", s.measured);
}

template <class A>
void describe(A& a, Part<A, Page>& p) {
  a("id", p.id), a("title", p.title), a("look", p.look), a("says", p.says), a("params", p.params), a("blocks", p.blocks);
  a("document", p.document), a("moment", p.moment), a("made_with", p.made_with);
}

}  // namespace attn::lesson
