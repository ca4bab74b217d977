// What controls say about opened files: roles, axes, tokens, and which layer is which.
#include "survey/chosen.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/languages.h"
#include "support/opened_pages.h"
#include "survey/weights.h"

namespace {

using namespace attn;
using core::Matrix;
using opened::Role;
using survey::Slot;
using test::numbered;

using Arrays = std::vector<io::NamedArray>;
using Texts = std::vector<std::string>;

io::NamedArray counted(const std::string& name, const std::vector<std::uint64_t>& shape) {
  std::uint64_t count = 1;
  for (const std::uint64_t length : shape) count *= length;
  std::vector<double> values;
  for (std::uint64_t n = 0; n < count; ++n) values.push_back(double(n));
  return numbered(name, shape, values);
}
io::NamedArray texts(const std::string& name, const Texts& values) { return {name, {values.size()}, values}; }

struct ChosenPages : test::OpenPages {
  explicit ChosenPages(const Arrays& arrays) { open(Slot::kMain, "mine.npz", arrays); }

  // As the part "file" gets it.
  survey::Chosen chosen(const lesson::Settings& settings) {
    std::vector<lesson::Param> params = page(settings).params;
    scene::Outputs out;
    return survey::choose(files, scene::Inputs(params), out);
  }
  Matrix<double> matrix(Role role, const lesson::Settings& settings, std::uint64_t head = 0) {
    const survey::Chosen all = chosen(settings);
    auto matrix = survey::matrixOf(all.model, role, {all.place.layer, all.place.batch, head});
    REQUIRE_MESSAGE(matrix.ok(), (matrix ? "" : matrix.error().message));
    return matrix.take();
  }
};

const lesson::Param& paramOf(const lesson::Page& page, const std::string& key) {
  const auto found = std::find_if(page.params.begin(), page.params.end(), [&](const auto& param) { return param.key == key; });
  REQUIRE(found != page.params.end());
  return *found;
}

std::vector<std::string> labelsOf(const lesson::Param& param) {
  std::vector<std::string> labels;
  for (const auto& option : param.options) labels.push_back(option.label);
  return labels;
}

}  // namespace

TEST_CASE("axes of weights are guessed, and turned only when a person says so") {
  ChosenPages open({counted("attn", {2, 3, 4})});
  CHECK(paramOf(open.page({}), "axes").value == "guess");
  CHECK(labelsOf(paramOf(open.page({}), "axes"))[0] == "as guessed: (head, query, key)");
  CHECK(open.matrix(Role::kWeights, {}).rows() == 3);
  const Matrix<double> turned = open.matrix(Role::kWeights, {{"axes", "head-key-query"}}, 1);
  CHECK(turned.rows() == 4);
  CHECK(turned(3, 1) == 12 + 4 + 3);
  CHECK(open.chosen({}).reading != open.chosen({{"axes", "head-key-query"}}).reading);
}

TEST_CASE("heads may be the last axis of weights, or behind the position of vectors") {
  ChosenPages open({counted("weights", {3, 3, 2}), counted("q", {3, 2, 4}), counted("k", {3, 2, 4})});
  const lesson::Settings said = {{"axes", "query-key-head"}, {"vector_axes", "position-head-feature"}};
  CHECK(open.matrix(Role::kWeights, said, 1)(2, 0) == 2 * 6 + 1);
  CHECK(open.matrix(Role::kQ, said, 1)(2, 3) == 2 * 8 + 4 + 3);
  CHECK(open.chosen(said).model.heads() == 2);
  CHECK(open.chosen(said).model.guesses()[1].words.find("as you say") != std::string::npos);
}

TEST_CASE("axes have other names in another language, and are chosen by the same ids") {
  const test::Language german("de");
  ChosenPages open({counted("attn", {2, 3, 4})});
  CHECK(labelsOf(paramOf(open.page({}), "axes"))[0] == "wie vermutet: (Kopf, Query, Key)");
  CHECK(open.matrix(Role::kWeights, {{"axes", "head-key-query"}}).rows() == 4);
}

TEST_CASE("features of all heads in one axis are cut into as many as the weights have") {
  ChosenPages open({counted("weights", {2, 3, 3}), counted("k", {3, 8})});
  const lesson::Settings packed = {{"vector_axes", "position-packed"}}, plain = {{"vector_axes", "position-feature"}};
  CHECK(open.matrix(Role::kK, packed, 1).cols() == 4);
  CHECK(open.matrix(Role::kK, packed, 1)(0, 0) == 4);
  CHECK(open.matrix(Role::kK, plain).cols() == 8);
}

TEST_CASE("a control without its kind of arrays is not shown") {
  ChosenPages open({counted("attn", {2, 3, 3})});
  CHECK(paramOf(open.page({}), "axes").shown);
  CHECK_FALSE(paramOf(open.page({}), "vector_axes").shown);
}

TEST_CASE("an array of any name can be given a role, and one can be taken from it") {
  ChosenPages open({counted("thing_0", {2, 3, 3}), counted("thing_1", {2, 3, 3}), counted("other", {3, 4})});
  CHECK(open.chosen({}).model.layers() == 2);
  CHECK(open.chosen({{"weights", "none"}}).model.layers() == 0);
  CHECK(open.chosen({{"weights", "none"}, {"q", "other"}}).model.has(Role::kQ));
  CHECK(open.matrix(Role::kScores, {{"weights", "none"}, {"scores", "thing_*"}}).rows() == 3);
}

TEST_CASE("tokens name destinations and sources where there are as many") {
  ChosenPages open({counted("attn", {2, 3, 3}), texts("tokens", {"the", "cat", " sat"})});
  CHECK(open.chosen({}).tokens == Texts{"the", "cat", " sat"});
  CHECK(open.chosen({}).sources == open.chosen({}).tokens);
  CHECK(open.chosen({}).token_note.empty());
}

TEST_CASE("a count of tokens that does not fit is said with both numbers") {
  ChosenPages open({counted("attn", {2, 9, 9}), texts("tokens", {"a", "b", "c", "d", "e", "f", "g"})});
  CHECK(open.chosen({}).tokens.empty());
  CHECK(open.chosen({}).token_note ==
        "7 tokens were given, and the query axis of `attn` has 9 positions; the positions are numbered.");
  CHECK(test::says(open.page({}), "7 tokens were given"));
  CHECK(open.chosen({{"token_list", "x"}}).token_note ==
        "1 token was given, and the query axis of `attn` has 9 positions; the positions are numbered.");
}

TEST_CASE("pasted tokens are lines or a list of JSON or Python, and go before those of the file") {
  ChosenPages open({counted("attn", {2, 3, 3}), texts("tokens", {"1", "2", "3"})});
  const Texts wanted = {"a, b", "c\nd", ""};
  CHECK(open.chosen({{"token_list", R"(["a, b", "c\nd", ""])"}}).tokens == wanted);
  CHECK(open.chosen({{"token_list", R"( ['a, b', 'c\nd', ''] )"}}).tokens == wanted);
  CHECK(open.chosen({{"token_list", "a, b\r\n c\n\n"}}).tokens == Texts{"a, b", " c", ""});
  CHECK(open.chosen({{"token_list", " \n "}}).tokens == Texts{"1", "2", "3"});
  CHECK(open.chosen({{"token_list", "[1, 2, 3]"}}).token_note.find("holds more than texts") != std::string::npos);
}

TEST_CASE("of cross-attention the destinations have tokens and the sources theirs") {
  ChosenPages open({counted("attn", {2, 2, 3}), texts("tokens", {"le", "chat"}), texts("sources", {"the", "cat", "sat"})});
  CHECK(open.chosen({}).tokens == Texts{"le", "chat"});
  CHECK(open.chosen({}).sources == Texts{"the", "cat", "sat"});
  ChosenPages one({counted("attn", {2, 2, 3}), texts("tokens", {"the", "cat", "sat"})});
  CHECK(one.chosen({}).tokens.empty());
  CHECK(one.chosen({}).sources.size() == 3);
  CHECK(one.chosen({}).token_note == "3 tokens were given, one for each source; the 2 destinations are numbered.");
}

TEST_CASE("each sequence of a batch has its own tokens where they are there") {
  ChosenPages open({counted("attn", {2, 2, 2, 2}), {"tokens", {2, 2}, Texts{"a", "b", "c", "d"}}});
  const lesson::Settings second = {{"part", "head"}, {"batch", "1"}, {"axes", "batch-head-query-key"}};
  CHECK(open.chosen(second).tokens == Texts{"c", "d"});
}

TEST_CASE("layers, sequences and heads are limited to what there is, and a layer says its number in the file") {
  ChosenPages open({counted("layer3", {1, 4, 2, 2}), counted("layer7", {1, 4, 2, 2})});
  const lesson::Page page = open.page({{"part", "head"}, {"layer", "9"}, {"head", "9"}});
  CHECK(paramOf(page, "layer").value == "1");
  CHECK(paramOf(page, "layer").hint.find("the files call this one 7") != std::string::npos);
  CHECK(paramOf(page, "head").value == "3");
  CHECK_FALSE(paramOf(page, "batch").shown);
}
