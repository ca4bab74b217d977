// What arrays are taken for: the names and shapes of the frameworks that people export from.
#include "opened/role.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace attn;
using opened::Guess;
using opened::Role;

io::ArrayInfo array(const std::string& name, const std::vector<std::uint64_t>& shape,
                    io::ElementType type = io::ElementType::kF32) {
  io::ArrayInfo info;
  info.name = name;
  info.shape = shape;
  info.type = type;
  return info;
}

// "q layer 0: batch query head feature"
std::string said(const Guess& guess) {
  std::string text(opened::roleName(guess.role));
  if (guess.layer) text += " layer " + std::to_string(*guess.layer);
  text += ":";
  for (const opened::Axis axis : guess.axes) text += " " + std::string(opened::axisName(axis));
  return text + (guess.sure ? "" : " ?");
}

std::vector<std::string> allSaid(const std::vector<io::ArrayInfo>& arrays) {
  std::vector<std::string> all;
  for (const Guess& guess : opened::guessRoles(arrays)) all.push_back(said(guess));
  return all;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("Hugging Face: a tuple of layers, each batch, head, query, key") {
  CHECK(allSaid({array("attentions.0", {1, 12, 7, 7}), array("attentions.11", {2, 12, 7, 7})}) ==
        Texts{"weights layer 0: batch head query key", "weights layer 11: batch head query key"});
  CHECK(allSaid({array("arr_3", {1, 4, 9, 9})}) == Texts{"weights layer 3: batch head query key"});
  CHECK(allSaid({array("cross_attentions.1", {2, 4, 5, 9})}) == Texts{"weights layer 1: batch head query key"});
}

TEST_CASE("TransformerLens: vectors have the head after the position, maps before") {
  CHECK(allSaid({array("blocks.0.attn.hook_q", {1, 7, 12, 64}), array("blocks.0.attn.hook_k", {7, 12, 64}),
                 array("blocks.0.attn.hook_pattern", {1, 12, 7, 7}), array("blocks.0.attn.hook_attn_scores", {12, 7, 7}),
                 array("blocks.3.attn.hook_z", {1, 7, 12, 64})}) ==
        Texts{"q layer 0: batch query head feature", "k layer 0: key head feature", "weights layer 0: batch head query key",
              "scores layer 0: head query key", "z layer 3: batch query head feature"});
}

TEST_CASE("documents: one matrix or one per head, beside weights that say how many") {
  CHECK(allSaid({array("q", {5, 4}), array("k", {6, 4}), array("weights", {5, 6})}) ==
        Texts{"q: query feature", "k: key feature", "weights: query key"});
  CHECK(allSaid({array("q", {2, 5, 4}), array("k", {2, 6, 4}), array("v", {2, 6, 4}), array("weights", {2, 5, 6})}) ==
        Texts{"q: head query feature", "k: head key feature", "v: head key feature", "weights: head query key"});
}

TEST_CASE("the axis with as many entries as the maps have rows is the position") {
  CHECK(allSaid({array("q", {1, 9, 4, 16}), array("weights", {1, 4, 9, 9})}) ==
        Texts{"q: batch query head feature", "weights: batch head query key"});  // Flax
  CHECK(allSaid({array("q", {1, 4, 9, 16}), array("weights", {1, 4, 9, 9})}) ==
        Texts{"q: batch head query feature", "weights: batch head query key"});
  CHECK(allSaid({array("k", {1, 9, 64}), array("attn_weights", {1, 4, 9, 9})}) ==
        Texts{"k: batch key head·feature", "weights: batch head query key"});  // heads one after another
}

TEST_CASE("what two readings fit is said, and a role that a person gives is taken") {
  CHECK(allSaid({array("attn", {3, 4, 9, 9})}) == Texts{"weights: layer head query key ?"});
  CHECK(opened::guessRoles({array("attn", {3, 4, 9, 9})})[0].words ==
        "attention weights (layer, head, query, key), from the name; the first axis may be the batch");
  CHECK(said(opened::withRole(array("thing", {5, 6}), Role::kWeights, {})) == "weights: query key");
}

TEST_CASE("parameters and other arrays are not taken for attention; texts are tokens") {
  CHECK(allSaid({array("h.0.attn.c_attn.weight", {64, 192}), array("mlp", {3, 5}), array("step", {}),
                 array("tokens", {5}, io::ElementType::kText), array("left_text", {5}, io::ElementType::kText)}) ==
        Texts{": other other", ": other other", ":", "tokens: query", "tokens: query"});
}

TEST_CASE("names are in the order in which people count") {
  const std::vector<io::ArrayInfo> arrays = {array("layer10", {}), array("layer2", {}), array("Layer1", {}), array("layer02", {}),
                                             array("arr_10", {}), array("arr_9", {}), array("", {})};
  Texts names;
  for (const std::size_t n : opened::naturalOrder(arrays)) names.push_back(arrays[n].name);
  CHECK(names == Texts{"", "Layer1", "arr_9", "arr_10", "layer02", "layer2", "layer10"});
  CHECK(opened::naturallyBefore("a99999999999999999999999", "a100000000000000000000000"));
}

TEST_CASE("possible axes begin with the usual order, have no order twice, and count keys for keys and values") {
  for (const Role role : {Role::kWeights, Role::kScores, Role::kQ, Role::kK, Role::kV, Role::kZ}) {
    for (std::size_t rank = 2; rank <= 5; ++rank) {
      std::vector<std::vector<opened::Axis>> orders = opened::possibleAxes(role, rank);
      REQUIRE_FALSE(orders.empty());
      for (const auto& order : orders) {
        CHECK(order.size() == rank);
        const bool keys = std::count(order.begin(), order.end(), opened::Axis::kKey) == 1;
        const bool queries = std::count(order.begin(), order.end(), opened::Axis::kQuery) == 1;
        CHECK(keys == (opened::isMap(role) || role == Role::kK || role == Role::kV));
        CHECK(queries == (opened::isMap(role) || role == Role::kQ || role == Role::kZ));
      }
      std::sort(orders.begin(), orders.end());
      CHECK(std::adjacent_find(orders.begin(), orders.end()) == orders.end());
    }
  }
  CHECK(opened::axesText(opened::possibleAxes(Role::kWeights, 4)[0]) == "(batch, head, query, key)");
  CHECK(opened::possibleAxes(Role::kWeights, 7).empty());
  CHECK(opened::possibleAxes(Role::kTokens, 1).empty());
}

TEST_CASE("axes that a person gives replace the guess, and packed heads are counted where they fit") {
  const io::ArrayInfo k = array("k", {1, 9, 64});
  const opened::Guess guess = opened::guessRoles({k})[0];
  const auto packed = opened::possibleAxes(Role::kK, 3)[3];
  CHECK(opened::withAxes(k, guess, packed, 4).words == "keys (batch, key, head·feature), as you say");
  CHECK(opened::withAxes(k, guess, packed, 4).packed_heads == 4);
  CHECK(opened::withAxes(k, guess, packed, 5).packed_heads == 1);
}

TEST_CASE("kept keys and values: the number behind the layer says which") {
  CHECK(allSaid({array("past_key_values.3.0", {1, 4, 6, 8}), array("past_key_values.3.1", {1, 4, 6, 8}),
                 array("past_key_values.3.2", {1, 4, 6, 6}), array("past_key_values.0", {2, 4, 6, 6}),
                 array("attentions.3", {1, 4, 6, 6})}) ==
        Texts{"k layer 3: batch head key feature", "v layer 3: batch head key feature", ": other other other other",
              ": other other other other", "weights layer 3: batch head query key"});
  CHECK(allSaid({array("past_key_values.key_cache.2", {1, 4, 6, 8}), array("value_cache.2", {1, 4, 6, 8}),
                 array("attentions.2", {1, 4, 6, 6})}) ==
        Texts{"k layer 2: batch head key feature", "v layer 2: batch head key feature", "weights layer 2: batch head query key"});
}

TEST_CASE("an output with the heads and the width of the values is z, any other is y") {
  const std::vector<io::ArrayInfo> arrays = {array("out", {4, 10, 8}), array("v", {4, 10, 8}), array("weights", {4, 10, 10})};
  CHECK(allSaid(arrays)[0] == "z: head query feature");
  CHECK(allSaid({array("out", {4, 10, 32}), arrays[1], arrays[2]})[0] == "y: batch query feature");
  CHECK(allSaid({arrays[0], arrays[2]})[0] == "y: batch query feature");
}

TEST_CASE("PyTorch's attn_output_weights begin with the batch, and averaged weights have no heads") {
  CHECK(allSaid({array("attn_output_weights", {2, 4, 6, 6})}) == Texts{"weights: batch head query key"});
  CHECK(allSaid({array("attn_output_weights", {2, 6, 6})}) == Texts{"weights: batch query key ?"});
  CHECK(allSaid({array("attn_average", {2, 6, 6})}) == Texts{"weights: batch query key ?"});
}

TEST_CASE("BertViz: all layers in one array, destinations on the left and sources on the right") {
  CHECK(allSaid({array("attention.0.attn", {3, 4, 10, 10}), array("attention.0.left_text", {10}, io::ElementType::kText),
                 array("attention.0.right_text", {10}, io::ElementType::kText)}) ==
        Texts{"weights: layer head query key", "tokens layer 0: query", "sources layer 0: key"});
}

TEST_CASE("a square parameter is not taken for attention by its shape") {
  CHECK(allSaid({array("out_proj.weight", {32, 32}), array("attn.out_proj.weight", {32, 32}), array("thing", {32, 32})}) ==
        Texts{": other other", ": other other", "weights: query key"});
}

TEST_CASE("a digit glued to a name is no layer where a file has one array of each role") {
  CHECK(allSaid({array("w4", {3, 4, 10, 10})}) == Texts{"weights: layer head query key ?"});
  CHECK(allSaid({array("q2", {4, 10, 8}), array("attn1", {4, 10, 10})}) ==
        Texts{"q: head query feature", "weights: head query key"});
  CHECK(said(opened::withRole(array("a7", {5, 6}), Role::kWeights, {array("a7", {5, 6})})) == "weights: query key");
  CHECK(allSaid({array("attn1", {4, 9, 9}), array("attn2", {4, 9, 9})}) ==
        Texts{"weights layer 1: head query key", "weights layer 2: head query key"});
  CHECK(allSaid({array("q0", {9, 8}), array("q1", {9, 8}), array("w0", {9, 9})})[2] == "weights layer 0: query key");
  CHECK(allSaid({array("layer4", {4, 9, 9})}) == Texts{"weights layer 4: head query key"});
  CHECK(allSaid({array("attn_4", {4, 9, 9})}) == Texts{"weights layer 4: head query key"});
}

TEST_CASE("of encoder, decoder and cross-attention in one file one set is taken, and the others are named") {
  const std::vector<io::ArrayInfo> arrays = {array("encoder_attentions.0", {1, 4, 6, 6}), array("decoder_attentions.0", {1, 4, 5, 5}),
                                             array("cross_attentions.0", {1, 4, 5, 6})};
  CHECK(allSaid(arrays) == Texts{": other other other other", ": other other other other", "weights layer 0: batch head query key"});
  CHECK(opened::guessRoles(arrays)[0].words == "another set of attention weights than cross_attentions; choose it under Weights");
  CHECK(allSaid({arrays[0]}) == Texts{"weights layer 0: batch head query key"});
}
