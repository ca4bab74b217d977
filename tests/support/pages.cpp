// Drawing pages: each field gets something that a careless writer would lose.
#include "support/pages.h"

#include <array>
#include <limits>

#include "core/rng.h"

namespace attn::test {
namespace {

using core::Index;
using namespace lesson;

class Maker {
 public:
  Maker(std::uint64_t seed, bool finite) : rng_(seed), finite_(finite) {}

  Page page() {
    Page page;
    page.id = text(), page.title = text(), page.look = text(), page.says = text();
    const Index params = rng_.below(6);
    for (Index i = 0; i < params; ++i) page.params.push_back(param(i));
    Param order;
    order.key = "order", order.kind = ParamKind::kOrder, order.options = {{"a", text()}, {"b", text()}, {"c", text()}};
    page.params.push_back(order);
    for (int round = 0; round < 2; ++round) {
      add(page, Words{pick<Words::Style>(4), text()});
      add(page, Claim{text(), flag(), flag()});
      add(page, grid());
      add(page, table());
      add(page, plot());
      add(page, plane());
      add(page, strip(round == 0));
      add(page, flow());
      add(page, Question{text(), text()});
      add(page, Verdict{text(), text(), text(), text(), text(), text(), pick<Verdict::Judgement>(3), text()});
      add(page, Jump{text(), "v=1&scene=masks" + text(), {"order"}, {text()}, text(), text()});
      add(page, maps());
      add(page, Source{text(), text(), text(), text(), text()});
    }
    return page;
  }

 private:
  template <class Content>
  void add(Page& page, Content content) { page.blocks.push_back({std::move(content), flag()}); }

  bool flag() { return rng_.below(2) == 1; }

  template <class Enum>
  Enum pick(Index count) { return static_cast<Enum>(rng_.below(count)); }

  std::string text() {
    static const std::array<std::string, 9> kTexts = {
        "", "plain", "\"quoted\\\"", "line\nend\ttab", "√d_k · ∞ — “curly”", "🙂", std::string("\xF0", 1), "{name}", "</script>&amp;"};
    return kTexts[static_cast<std::size_t>(rng_.below(9))];
  }

  double number() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const std::array<double, 8> odd = {0, -0.0, 5e-324, 1e300, kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN(), 3};
    return flag() ? rng_.normal() : odd[static_cast<std::size_t>(rng_.below(finite_ ? 4 : 8))];
  }

  std::vector<double> numbers(Index count) {
    std::vector<double> list;
    for (Index i = 0; i < count; ++i) list.push_back(number());
    return list;
  }

  std::vector<std::string> texts(Index count) {
    std::vector<std::string> list;
    for (Index i = 0; i < count; ++i) list.push_back(text());
    return list;
  }

  Param param(Index at) {
    Param p;
    p.key = "p" + std::to_string(at), p.label = text(), p.hint = text(), p.kind = pick<ParamKind>(9);
    p.minimum = -rng_.uniform(), p.maximum = rng_.uniform(), p.step = rng_.uniform(), p.logarithmic = flag();
    p.options = {{text(), text()}};
    p.preset = text(), p.value = text(), p.main = at == 0 && flag(), p.shown = flag();
    p.clears = flag();
    p.turns = flag();
    return p;
  }

  Grid grid() {
    Grid g;
    g.title = text(), g.note = text(), g.rows = rng_.below(4), g.columns = rng_.below(4);
    const Index cells = g.rows * g.columns;
    g.values = numbers(cells), g.scale = pick<GridScale>(4), g.limit = rng_.uniform(), g.map = flag();
    if (flag()) g.row_labels = texts(g.rows);
    if (flag()) g.column_labels = texts(g.columns);
    g.decimals = static_cast<int>(rng_.below(18));
    if (flag()) g.blocked = texts(cells);
    if (cells > 0 && flag()) g.marked = {{g.rows - 1, 0}, {0, g.columns - 1}};
    return g;
  }

  Table table() {
    Table t;
    t.title = text(), t.note = text(), t.columns = texts(rng_.below(3));
    for (Index i = rng_.below(3); i > 0; --i) t.rows.push_back(texts(static_cast<Index>(t.columns.size())));
    if (!t.rows.empty()) t.marked = {0};
    return t;
  }

  Plot plot() {
    Plot p;
    p.title = text(), p.note = text(), p.x_label = text(), p.y_label = text(), p.log_x = flag(), p.log_y = flag();
    p.names = texts(rng_.below(3));
    for (Index i = rng_.below(3); i > 0; --i) {
      const Index count = rng_.below(4);
      p.series.push_back({text(), pick<Plot::Kind>(3), numbers(count), numbers(count)});
    }
    if (flag()) p.marks.push_back({text(), number(), flag()});
    return p;
  }

  Plane plane() {
    Plane p;
    p.title = text(), p.note = text(), p.reach = rng_.uniform() + 1;
    if (flag()) p.arrows.push_back({text(), number(), number(), pick<Plane::Role>(5), "order", ""});
    if (flag()) p.points.push_back({text(), number(), number(), pick<Plane::Role>(5), "", "order"});
    if (flag()) p.lines.push_back({text(), number(), number(), number(), number(), flag()});
    return p;
  }

  Strip strip(bool ordered) {
    Strip s;
    s.title = text(), s.note = text();
    for (int i = 0; i < 3; ++i) s.items.push_back({text(), text(), rng_.uniform(-1, 1), flag()});
    if (ordered) s.order_key = "order";
    return s;
  }

  Maps maps() {
    Maps m;
    m.title = text(), m.note = text(), m.rows = 1 + rng_.below(3), m.columns = 1 + rng_.below(3), m.line = rng_.below(4);
    m.keys = {"order"};
    for (int i = 0; i < 3; ++i) {
      m.items.push_back({text(), text(), text(), "", {text()}});
      for (Index cell = 0; flag() && cell < m.rows * m.columns; ++cell) {
        const auto at = static_cast<std::size_t>(rng_.below(static_cast<Index>(Maps::kShades.size()) + 1));
        m.items.back().shades += at < Maps::kShades.size() ? Maps::kShades[at] : Maps::kNoNumber;
      }
      if (static_cast<Index>(m.items.back().shades.size()) < m.rows * m.columns) m.items.back().shades.clear();
    }
    return m;
  }

  Flow flow() {
    Flow f;
    f.title = text(), f.note = text(), f.layers = texts(2), f.positions = texts(3);
    if (flag()) f.edges.push_back({0, rng_.below(3), rng_.below(3), rng_.uniform(), flag()});
    if (flag()) f.nodes.push_back({rng_.below(2), rng_.below(3), text(), flag()});
    return f;
  }

  core::Rng rng_;
  bool finite_;
};

}  // namespace

Page randomPage(std::uint64_t seed, bool finite) { return Maker(seed, finite).page(); }

bool samePage(const Page& a, const Page& b) {
  return a.id == b.id && a.title == b.title && a.look == b.look && a.says == b.says && a.params == b.params &&
         a.blocks == b.blocks;
}

}  // namespace attn::test
