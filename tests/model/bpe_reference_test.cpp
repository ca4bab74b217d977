// The tokenizer with the vocabulary of GPT-2, which is not kept here, against another one. tests/cli/tokenizer.test.mjs
// runs this: it puts vocab.json, merges.txt, text.txt and ids.json, what the other makes of the text, into the folder that
// the environment variable ATTN_TOKENIZER names. Without it this is skipped.
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "io/json.h"
#include "model/bpe.h"

namespace {

using namespace attn;

std::string contents(const char* name) {
  std::ifstream file(std::string(std::getenv("ATTN_TOKENIZER")) + "/" + name, std::ios::binary);
  REQUIRE_MESSAGE(file.good(), name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("The tokens of a long text are those that another tokenizer gives, one for one" *
          doctest::skip(std::getenv("ATTN_TOKENIZER") == nullptr)) {
  const auto bpe = model::Bpe::read(contents("vocab.json"), contents("merges.txt"));
  REQUIRE_MESSAGE(bpe.ok(), (bpe ? "" : bpe.error().message));
  CHECK(bpe.value().size() == 50257);
  const std::string text = contents("text.txt");
  const auto tokens = bpe.value().encode(text);
  REQUIRE_MESSAGE(tokens.ok(), (tokens ? "" : tokens.error().message));
  const auto json = io::parseJson(contents("ids.json"));
  REQUIRE(json.ok());
  const auto* wanted = json.value().as<io::Json::Numbers>();
  REQUIRE(wanted != nullptr);
  std::vector<core::Index> ids;
  for (const model::BpeToken& token : tokens.value()) {
    const std::size_t i = ids.size();
    ids.push_back(token.id);
    CAPTURE(i);
    CAPTURE(text.substr(token.begin, 40));
    REQUIRE(i < wanted->size());
    REQUIRE(static_cast<double>(token.id) == (*wanted)[i]);
  }
  CHECK(ids.size() == wanted->size());
  CHECK(bpe.value().decode(ids) == text);
}
