// What the panel says: the worked examples word for word, and every printed line checked by another reader.
#include "app/explain.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "app/printed.h"
#include "app/reader.h"
#include "app/walks.h"
#include "app/words.h"
#include "support/generated_documents.h"
#include "support/languages.h"

namespace {

using namespace attn;
using namespace attn::app;
using core::Stage;
using test::Random;

bool contains(const std::vector<std::string>& lines, std::string_view line) {
  for (const std::string& one : lines)
    if (one == line) return true;
  return false;
}

Session opened(const test::Problem& problem, std::vector<std::string> tokens = {}) {
  Session session;
  session.dispatch(action::OpenDocument{test::documentOf(problem, std::move(tokens)), "test.json"});
  REQUIRE(session.notice() == "");
  return session;
}

Session cats(bool exact, Grain grain, Step step) {
  Session session;
  session.dispatch(action::OpenExample{"cat-sat-down"});
  session.dispatch(action::SetExact{exact});
  session.dispatch(action::SetGrain{grain});
  session.dispatch(action::ChooseRow{2});
  session.dispatch(action::Seek{session.timeline().positionOf(step)});
  return session;
}

}  // namespace

TEST_CASE("The opening state says what to press and what will happen") {
  const Session session;
  CHECK(explain(session).next == "Press → : position 3 makes its query.");
  CHECK(explain(session).next_by_touch == "Next step: position 3 makes its query.");
  CHECK(explain(session).numbers.empty());
  CHECK(explain(session).distribution.empty());
}

TEST_CASE("A step is said in the language that is set") {
  const test::Language german("de");
  const Session session;
  CHECK(explain(session).next == "Drücke → : Die Query von Position 3 wird gebildet.");
  CHECK(byTouch("1" + roundedMark()) == "1 (gerundet; volle Genauigkeit beim Antippen einer Zelle)");
  CHECK(reasonsText(core::kBlockedByCausal | core::kBlockedByPadding, 1, "") == "sie kommt später (kausale Maske) und ist Padding");
}

TEST_CASE("Three positions are spelled out in exact forms") {
  Session session;
  const auto at = [&](Index position) {
    session.dispatch(action::Seek{position});
    return explain(session).numbers;
  };
  CHECK(contains(at(1), "component 1: 1×1 + 1×0 = 1"));
  CHECK(contains(at(2), "k₃ = [1, 1]·W_K = [√2·ln 2, √2·ln 2]"));
  CHECK(contains(at(4), "q₃·k₁ = 1×√2·ln 2 + 1×0 = √2·ln 2"));
  CHECK(contains(at(5), "position 3: (2·√2·ln 2) ÷ √2 = 2·ln 2"));
  CHECK(contains(at(7), "Plain exponentials: e^(ln 2) + e^(ln 2) + e^(2·ln 2) = 2 + 2 + 4 = 8"));
  CHECK(contains(at(7), "position 3: 1 ÷ 2 = 1/2"));
  CHECK(contains(at(8), "component 1: 1/4×2 + 1/4×0 + 1/2×2 = 3/2"));
  CHECK(contains(at(10), "component 1: 3/2 + 1 = 5/2"));
  session.dispatch(action::Seek{5});
  CHECK(explain(session).formula == "scaled = score ÷ √2 (1.4142)");
}

TEST_CASE("One weight is spelled out from its score on") {
  for (const bool exact : {false, true}) {
    const Session session = cats(exact, Grain::kCell, Step{Stage::kWeights, 2, 1, -1});
    CHECK(contains(explain(session).numbers,
                   "sat·cat = 2×2 + 0×0 = 4; 4 ÷ √2 = 2.8284; e^(2.8284 − 2.8284) / 1.2381 = 0.8077"));
  }
}

TEST_CASE("Without keys and hovering, a line says what to tap") {
  CHECK(byTouch("1 + 1 = 2") == "1 + 1 = 2");
  CHECK(byTouch("1.1 = 1.2" + roundedMark()) == "1.1 = 1.2 (rounded; tap a cell for full precision)");
}

TEST_CASE("A line whose printed numbers do not add up says that it is rounded") {
  const Session session = cats(false, Grain::kRow, Step{Stage::kWeights, 2, -1, -1});
  CHECK(contains(explain(session).numbers,
                 "Plain exponentials: e^(0) + e^(2.8284) + e^(0.7071) + e^(0) = 1 + 16.9188 + 2.0281 + 1 = 20.9469 "
                 "(rounded; hover for full precision)"));
}

TEST_CASE("Every printed line of every step adds up, or says that it is rounded and is") {
  int equalities = 0, marked = 0;
  for (const test::NamedProblem& named : test::walkProblems()) {
    Session session = opened(named.problem);
    for (const bool exact : {true, false})
      for (const int decimals : {2, 4, 6})
        for (const Order order : test::kOrders)
          for (const Grain grain : test::kGrains) {
            session.dispatch(action::SetExact{exact});
            session.dispatch(action::SetDecimals{decimals});
            session.dispatch(action::SetOrder{order});
            session.dispatch(action::SetGrain{grain});
            // Every third step: each kind comes up many times, and the walks at single products are long.
            for (Index n = 1; n <= session.timeline().size(); n += grain == Grain::kTerm ? 3 : 1) {
              session.dispatch(action::Seek{n});
              const Explanation e = explain(session);
              CHECK(!e.numbers.empty());
              for (const std::string& line : e.numbers) {
                const test::LineCheck check = test::checkLine(line);
                CAPTURE(named.name);
                CAPTURE(line);
                if (check.marked ? check.equalities > 0 && check.wrong == 0 : check.wrong > 0)
                  FAIL_CHECK("does not hold");
                equalities += check.equalities;
                marked += check.marked;
              }
            }
          }
  }
  CHECK(equalities > 10000);
  CHECK(marked > 100);
}

TEST_CASE("Random arithmetic adds up as printed, or is marked") {
  Random random(42);
  for (int n = 0; n < 20000; ++n) {
    const bool exact_forms = random.below(2) == 0;
    const Printer printer(exact_forms, 2 + static_cast<int>(random.below(5)));
    // Halves, thirds, whole and arbitrary numbers of both signs, large and small.
    const auto draw = [&] {
      const double plain = random.normal() * std::pow(10, static_cast<double>(random.below(7)) - 3);
      const Index kind = random.below(4);
      return kind == 0 ? plain : std::round(plain * 6) / static_cast<double>(kind == 1 ? 6 : kind == 2 ? 2 : 1);
    };
    std::vector<Printed> terms;
    double exact = 0;
    for (Index t = 1 + random.below(6); t > 0; --t) {
      const double a = draw(), b = draw();
      if (random.below(3) == 0 && b != 0) {
        terms.push_back(quotient(printer.number(a), printer.number(b)));
        exact += a / b;
      } else {
        terms.push_back(product(printer.number(a), printer.number(b)));
        exact += a * b;
      }
    }
    const std::string line = printer.line({{"x:", {sum(terms, "{0} products")}, exact}});
    const test::LineCheck check = test::checkLine(line);
    CAPTURE(line);
    // A divisor that prints as 0 has no value to compare.
    if (!check.marked && check.wrong > 0) FAIL_CHECK("does not hold");
  }
}

TEST_CASE("Reading printed arithmetic") {
  CHECK(test::evaluated("2×(−1) + 1/4×2").value() == -1.5);
  CHECK(test::evaluated("(√2·ln 2) ÷ √2").value() == doctest::Approx(std::log(2)));
  CHECK(test::evaluated("e^(2.8284 − 2.8284) / 1.25").value() == 0.8);
  CHECK(test::evaluated("max(1, −2, 3)").value() == 3);
  CHECK(!test::evaluated("1 + … (64 products)").has_value());
  CHECK(test::checkLine("a: 1 + 1 = 3").wrong == 1);
  CHECK(test::checkLine("0.3333 + 0.3333 = 0.6667").wrong == 1);
  CHECK(test::checkLine("q₃·k₁ = 1×2 + 1×0 = 2; 2 ÷ √2 = 1.4142").equalities == 2);
}

TEST_CASE("Each State says what the next press does, and the last one what was reached") {
  for (const test::NamedProblem& named : test::walkProblems()) {
    Session session = opened(named.problem);
    for (const Order order : test::kOrders)
      for (const Grain grain : test::kGrains) {
        session.dispatch(action::SetOrder{order});
        session.dispatch(action::SetGrain{grain});
        for (Index n = 0; n <= session.timeline().size(); ++n) {
          session.dispatch(action::Seek{n});
          const Explanation e = explain(session);
          const bool last = n == session.timeline().size();
          if (e.next.starts_with("Press → : ") == last || !e.next.ends_with(".")) FAIL_CHECK(e.next);
          if (e.headline.empty() || e.formula.empty() || e.sentence.empty()) FAIL_CHECK(named.name);
          if (last) CHECK(e.next.find("To try next: ") != std::string::npos);
          for (const char* key : {"Press", "→", "↑", "(O)", "(M)", "(4)"})
            if (e.next_by_touch.find(key) != std::string::npos) FAIL_CHECK(e.next_by_touch);
        }
      }
  }
}

TEST_CASE("A given scale is said as a product, and the temperature with it") {
  test::Problem p = test::baseCase();
  p.scale = 1;
  Session session = opened(p);
  session.dispatch(action::StepBy{2});
  CHECK(explain(session).formula == "scaled = score × 1");
  CHECK(explain(session).numbers.back().find("2 × 1 = 2") != std::string::npos);
  p.temperature = 0.5;
  session = opened(p);
  session.dispatch(action::StepBy{2});
  CHECK(explain(session).formula == "scaled = score × 1, ÷ temperature 1/2");
}

TEST_CASE("A row that may read nothing says so and hides no number") {
  test::Problem p = test::baseCase();
  p.mask.allowed = {{false, false, false}, {true, true, false}, {true, true, true}};
  Session session = opened(p);
  session.dispatch(action::ChooseRow{0});
  for (const Grain grain : test::kGrains) {
    session.dispatch(action::SetGrain{grain});
    session.dispatch(action::Seek{session.timeline().positionOf(Step{Stage::kWeights, 0, -1, -1})});
    const Explanation e = explain(session);
    CHECK(e.numbers.front().find("no source allowed") != std::string::npos);
    CHECK(e.distribution_sum == "no source allowed: no distribution");
    CHECK(plainText(session).find("NaN") == std::string::npos);
  }
}

TEST_CASE("A blocked source says why") {
  test::Problem p = test::baseCase();
  p.mask.causal = true;
  p.mask.window = 1;
  Session session = opened(p);
  session.dispatch(action::SetGrain{Grain::kCell});
  session.dispatch(action::ChooseRow{1});
  session.dispatch(action::Seek{session.timeline().positionOf(Step{Stage::kMasked, 1, 2, -1})});
  const std::string line = explain(session).numbers.front();
  CHECK(line.find("becomes −∞: blocked, because it comes later (causal mask) and lies outside the window of 1 "
                  "(counting the position itself)") != std::string::npos);
}

TEST_CASE("Every set of reasons makes one sentence that names each of them once") {
  const std::vector<std::string> words = {"comes later (causal mask)", "lies outside the window of 1", "is padding",
                                          "the example does not allow it", "you forbade it"};
  std::set<std::string> sentences;
  for (unsigned set = 1; set < 32; ++set) {
    const std::string why = reasonsText(static_cast<std::uint8_t>(set), 1, "");
    CAPTURE(why);
    for (unsigned n = 0; n < words.size(); ++n) {
      const std::size_t at = why.find(words[n]);
      CHECK((at != std::string::npos) == ((set >> n & 1) != 0));
      if (at != std::string::npos) CHECK(why.find(words[n], at + 1) == std::string::npos);
    }
    CHECK(why.find("and and") == std::string::npos);
    CHECK(why.find("  ") == std::string::npos);
    CHECK((why.starts_with("it ") || why.starts_with("the example ") || why == "you forbade it"));
    sentences.insert(why);
  }
  CHECK(sentences.size() == 31);
  CHECK(sentences.count("it is padding and the example does not allow it") == 1);
  CHECK(sentences.count("it comes later (causal mask), lies outside the window of 1 (counting the position itself) and "
                        "is padding, and the example does not allow it") == 1);
  CHECK(sentences.count("it is padding, the example does not allow it, and you forbade it") == 1);
}

TEST_CASE("A mask between unequal sides says how they are aligned") {
  const auto session = [](std::string_view mask, std::string_view k) {
    Session s;
    s.dispatch(action::OpenDocument{R"({"attnscope":1,"tokens":["a","b"],"sources":["c","d","e"],"q":[[1],[2]],"k":)" +
                                        std::string(k) + R"(,"v":[[1],[2],[3]],"mask":)" + std::string(mask) + "}",
                                    "t.json"});
    REQUIRE(s.notice() == "");
    return s;
  };
  const Session right = session(R"({"causal":true,"align":"bottom-right"})", "[[1],[2],[3]]");
  CHECK(whyBlocked(right, 0, 2) == "it comes later (causal mask, aligned bottom-right)");
  CHECK(alignmentText(right) == "aligned bottom-right: the last query stands at the last source");
  const Session left = session(R"({"window":1})", "[[1],[2],[3]]");
  CHECK(whyBlocked(left, 0, 2) == "it lies outside the window of 1 (counting the position itself, aligned top-left)");
  Session staged = session(R"("causal")", "[[1],[2],[3]]");
  staged.dispatch(action::SetOrder{Order::kStage});
  staged.dispatch(action::SetGrain{Grain::kStage});
  staged.dispatch(action::Seek{staged.timeline().positionOf(Step{Stage::kMasked, -1, -1, -1})});
  CHECK(explain(staged).sentence.find("aligned top-left: the first query stands at the first source") !=
        std::string::npos);
  CHECK(alignmentText(session("\"none\"", "[[1],[2],[3]]")) == "");
}

TEST_CASE("What is said of the mask and of rows is true of them") {
  Session session;
  session.dispatch(action::Seek{session.timeline().positionOf(Step{Stage::kMasked, 2, -1, -1})});
  CHECK(explain(session).headline.find("The mask lets position 3 read every source") != std::string::npos);
  CHECK(explain(session).sentence == "Nothing changes here: no score of position 3 is blocked.");
  test::Problem p = test::baseCase();
  CHECK(rowSumsText(opened(p)) == "rows sum to 1");
  p.mask.allowed = {{false, false, false}, {true, true, false}, {true, true, true}};
  CHECK(rowSumsText(opened(p)) == "rows sum to 1, except those that may read no source");
  p.sink = {0};
  CHECK(rowSumsText(opened(p)) ==
        "rows sum to 1 together with what the sink takes, except those that may read no source");
  p = test::baseCase();
  p.q[0].row(1) *= 1e300;
  p.k[0] *= 1e300;
  Session broken = opened(p);
  broken.dispatch(action::SetOrder{Order::kStage});
  broken.dispatch(action::Last{});
  CHECK(explain(broken).column_sums[0].find("except those whose weights are not numbers; columns need not") !=
        std::string::npos);
}

TEST_CASE("The distribution appears as its weights do, with sum and entropy at its end") {
  Session session;
  session.dispatch(action::SetGrain{Grain::kCell});
  session.dispatch(action::Seek{session.timeline().positionOf(Step{Stage::kWeights, 2, 0, -1})});
  Explanation e = explain(session);
  REQUIRE(e.distribution.size() == 3);
  CHECK(e.distribution[0].known);
  CHECK(e.distribution[0].text == "1/4");
  CHECK(!e.distribution[1].known);
  CHECK(e.distribution[1].weight == 0);
  CHECK(e.distribution_sum.empty());
  session.dispatch(action::Last{});
  e = explain(session);
  CHECK(e.distribution_sum == "The weights sum to 1. Entropy 1.0397 nats: 0 = all on one source, at most 1.0986 = even over 3 sources.");
  CHECK(e.column_sums.empty());
}

TEST_CASE("Column sums come once all rows are known, with the words that they need not be 1") {
  Session session;
  session.dispatch(action::SetOrder{Order::kStage});
  session.dispatch(action::Last{});
  const Explanation e = explain(session);
  REQUIRE(e.column_sums.size() == 4);
  CHECK(e.column_sums[0].find("columns need not") != std::string::npos);
  CHECK(e.column_sums[1] == "position 1: 19/12");
}

TEST_CASE("A sink takes what the weights leave") {
  test::Problem p = test::baseCase();
  p.sink = {0};
  Session session = opened(p);
  session.dispatch(action::Last{});
  CHECK(explain(session).distribution_sum.find("and the sink takes ") != std::string::npos);
}

TEST_CASE("A sink far above all scores takes everything") {
  test::Problem p = test::baseCase();
  p.sink = {800};
  Session session = opened(p);
  session.dispatch(action::Last{});
  CHECK(explain(session).distribution_sum.rfind("The weights sum to 0 and the sink takes 1. Entropy 0 nats", 0) == 0);
}

TEST_CASE("A document's own text takes the place of ours") {
  Session session;
  session.dispatch(action::OpenDocument{
      R"({"attnscope":1,"tokens":["a"],"q":[[1]],"k":[[1]],"v":[[1]],"texts":{"scores":"Look here."}})", "t.json"});
  session.dispatch(action::StepBy{1});
  CHECK(explain(session).sentence == "Look here.");
}

TEST_CASE("A cell says who reads whom, so that nobody can mistake the axes") {
  Session session = cats(true, Grain::kRow, Step{Stage::kWeights, 2, -1, -1});
  CHECK(cellText(session, {core::Array::kScaled, 2, 1}) ==
        "scaled = 2.82842712474619 = 2·√2; query 2 “sat” (row) reads key 1 “cat” (column)");
  CHECK(cellText(session, {core::Array::kWeights, 0, 1}) ==
        "weights: not yet known; query 0 “the” (row) reads key 1 “cat” (column)");
  CHECK(cellText(session, {core::Array::kK, 1, 0}) == "k = 2; source 1 “cat”, component 0");
  CHECK(cellText(session, {core::Array::kWeights, 0, 9}) == "");
  session.dispatch(action::OpenExample{"three-positions"});
  CHECK(cellText(session, {core::Array::kWq, 0, 1}) ==
        "wq = 0; stored parameter, from component 1 to component 2");
}

TEST_CASE("Masked, underflow and exact zero are told apart") {
  test::Problem p = test::baseCase();
  p.q[0] *= 2000;
  p.mask.causal = true;
  Session session = opened(p);
  session.dispatch(action::SetOrder{Order::kStage});
  session.dispatch(action::Last{});
  CHECK(cellText(session, {core::Array::kWeights, 0, 1}).find(": blocked, because it comes later") !=
        std::string::npos);
  CHECK(cellText(session, {core::Array::kWeights, 1, 0}).find("= 0 (too small for a double") != std::string::npos);
  CHECK(cellText(session, {core::Array::kScores, 1, 0}).find("= 0; ") != std::string::npos);
}

TEST_CASE("Tokens are shown literally, and white space is made visible") {
  const std::vector<std::string> tokens = {" the", "the",  "\n",  "\t",   "",     " ",
                                           "Ġthe", "▁the", "<b>", "%s%n", "##id", "a  b"};
  std::set<std::string> shown;
  for (const std::string& token : tokens) shown.insert(tokenText(token, false));
  CHECK(shown.size() == tokens.size());
  CHECK(tokenText(" the", false) == "␣the");
  CHECK(tokenText("\n", false) == "⏎");
  CHECK(tokenText("", false) == "∅");
  CHECK(tokenText("a b", false) == "a b");
  CHECK(tokenText("Ġthe", true) == "␣the");
  CHECK(tokenText("<b>%s##id", false) == "<b>%s##id");
}

TEST_CASE("A token as long as a book is cut in sentences, and says how long it is") {
  const std::string book(100000, 'w');
  const std::string shown = tokenText(book, false);
  CHECK(shown == std::string(60, 'w') + "… (100000 bytes)");
  CHECK(tokenText(std::string(60, 'w'), false) == std::string(60, 'w'));
}

TEST_CASE("No two tokens look the same, whatever they are made of") {
  const std::vector<std::string> tokens = {
      "", "∅", " ", "␣", "\n", "⏎", "\t", "⇥", "\xC2\xA0", "⍽", std::string(1, '\0'), "\x7F", "\xC2\x85", "\xE2\x80\x8B",
      "\xEF\xBB\xBF", "\xED\xA0\xBD", "\xED\xB8\x80", "\xF0", "\x9F\x98", "😀"};
  std::set<std::string> shown;
  for (const std::string& token : tokens) shown.insert(tokenText(token, false));
  CHECK(shown.size() == tokens.size());
  CHECK(tokenText(std::string("a\0b", 3), false) == "aU+0000b");
  CHECK(tokenText("\xED\xA0\xBD", false) == "U+D83D");
  CHECK(tokenText("\xED\xB8\x80", false) == "U+DE00");
  CHECK(tokenText("\xF0", false) == "\\xF0");
  CHECK(tokenText("\x9F\x98", false) == "\\x9F\\x98");
  CHECK(tokenText("⏎", false) == "⏎(U+23CE)");
  Session session;
  session.dispatch(action::OpenDocument{
      R"({"attnscope":1,"tokens":["\ud83d","\ude00"],"q":[[1],[1]],"k":[[1],[1]],"v":[[1],[1]]})", "t.json"});
  REQUIRE(session.notice() == "");
  session.dispatch(action::Last{});
  CHECK(plainText(session).find("0 “U+D83D”") != std::string::npos);
  CHECK(plainText(session).find("1 “U+DE00”") != std::string::npos);
}

TEST_CASE("Hovering a line gives the numbers of that very line in full precision") {
  const auto numbersIn = [](std::string_view line) {
    std::vector<std::string> all;
    for (std::size_t at = line.find_first_of("0123456789"); at != line.npos; at = line.find_first_of("0123456789", at)) {
      const std::size_t end = std::min(line.find_first_not_of("0123456789.", at), line.size());
      all.emplace_back(line.substr(at, end - at));
      at = end;
    }
    return all;
  };
  Session session = cats(false, Grain::kRow, Step{Stage::kWeights, 2, -1, -1});
  int compared = 0;
  for (const Index row : {0, 1, 2, 3}) {
    session.dispatch(action::ChooseRow{row});
    for (Index n = 1; n <= session.timeline().size(); ++n) {
      session.dispatch(action::Seek{n});
      const Explanation e = explain(session);
      REQUIRE(e.full_numbers.size() == e.numbers.size());
      for (std::size_t i = 0; i < e.numbers.size(); ++i) {
        if (!e.numbers[i].ends_with(roundedMark())) continue;
        const auto printed = numbersIn(e.numbers[i]), full = numbersIn(e.full_numbers[i]);
        CAPTURE(e.full_numbers[i]);
        CHECK(e.full_numbers[i].find("rounded") == std::string::npos);
        REQUIRE(printed.size() == full.size());
        for (std::size_t k = 0; k < full.size(); ++k)  // half a unit of the fourth decimal
          CHECK(std::abs(std::stod(printed[k]) - std::stod(full[k])) <= 0.500001e-4);
        ++compared;
      }
    }
  }
  CHECK(compared > 0);
}

TEST_CASE("The distribution's title names the row, and the head where there are several") {
  Session session;
  session.dispatch(action::Last{});
  CHECK(explain(session).distribution_title == "How position 3 spreads its attention");
  Random random(7);
  session = opened(test::randomProblem(random, 2, 2, 2, 1));
  session.dispatch(action::ChooseHead{1});
  session.dispatch(action::Last{});
  CHECK(explain(session).distribution_title.ends_with(" spreads its attention in head 1"));
}

TEST_CASE("A position is its own name, or its number with the token") {
  const Session session;
  CHECK(positionText(session.example(), 2, false, false) == "position 3");
  const Session cat = cats(true, Grain::kRow, Step{Stage::kScores, 2, -1, -1});
  CHECK(positionText(cat.example(), 2, false, false) == "2 “sat”");
}

TEST_CASE("Long sums are cut in the middle and say how many there are") {
  Session session;
  session.dispatch(action::OpenDocument{test::manyHeadsDocument(), "many.json"});
  REQUIRE(session.notice() == "");
  session.dispatch(action::StepBy{1});
  const Explanation e = explain(session);
  CHECK(e.numbers.front().find(" + … (64 products) = ") != std::string::npos);
  CHECK(e.numbers.size() == 5);
  CHECK(e.numbers.back() == "… and 4 more components");
}

TEST_CASE("Whole numbers stand without decimals, others with as many as chosen") {
  State state;
  CHECK(valueText(state, 0.5) == "1/2");
  state.exact = false;
  CHECK(valueText(state, 0.5) == "0.5000");
  CHECK(valueText(state, 4) == "4");
  CHECK(valueText(state, -3) == "−3");
  state.decimals = 2;
  CHECK(valueText(state, 2.0 / 3) == "0.67");
}

TEST_CASE("The plain text holds all of it, line by line") {
  Session session;
  session.dispatch(action::StepBy{8});
  const std::string text = plainText(session);
  const Explanation e = explain(session);
  for (const std::string& line : e.numbers) CHECK(text.find(line + "\n") != std::string::npos);
  for (const std::string& line : {e.headline, e.formula, e.sentence, e.next, e.distribution_sum})
    CHECK(text.find(line + "\n") != std::string::npos);
}
