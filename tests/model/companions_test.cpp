// How a checkpoint and the files beside it are told from other files.
#include "model/companions.h"

#include <doctest/doctest.h>

#include <string>

#include "support/array_files.h"

namespace {

using namespace attn;
using model::Companions;
using Text = std::optional<std::string Companions::*>;

Text companionOf(const std::string& name, const std::string& bytes) {
  const io::MemorySource source(test::bytesOf(bytes));
  return model::companionOf(source, name);
}

bool isCheckpoint(const std::string& file) {
  const std::string bytes = test::arrayFile(file);
  const io::MemorySource source(test::bytesOf(bytes));
  const auto opened = io::openArrays(source, file);
  REQUIRE(opened.ok());
  return model::isCheckpoint(opened.value());
}

}  // namespace

TEST_CASE("A file beside a checkpoint is known by the end of its name, whatever is in it") {
  CHECK(companionOf("config.json", "") == Text(&Companions::config));
  CHECK(companionOf("gpt2-vocab.json", "{") == Text(&Companions::vocabulary));
  CHECK(companionOf("merges.txt", "a b") == Text(&Companions::merges));
}

TEST_CASE("Under another name a file beside a checkpoint is known by how it begins") {
  for (const auto& [file, text] : {std::pair("config.json", &Companions::config), {"vocab.json", &Companions::vocabulary},
                                   {"merges.txt", &Companions::merges}})
    CHECK(companionOf("download (1)", test::arrayFile(std::string("../checkpoint/") + file)) == Text(text));
}

TEST_CASE("Arrays, numbers and texts are nothing that lies beside a checkpoint") {
  CHECK(companionOf("q.json", R"({"q": [[1, 2], [3, 4]]})") == Text());
  CHECK(companionOf("counts.json", R"({"a": 0, "b": 1})") == Text());
  CHECK(companionOf("notes.txt", "version 2") == Text());
  CHECK(companionOf("model.safetensors", test::arrayFile("../checkpoint/model.safetensors")) == Text());
  CHECK(companionOf("empty", "") == Text());
}

TEST_CASE("A checkpoint has embeddings of tokens and positions, with the prefix that some files have or without it") {
  CHECK(isCheckpoint("../checkpoint/model.safetensors"));
  CHECK(isCheckpoint("gpt2.safetensors"));
  CHECK(isCheckpoint("../../../web/data/model.safetensors"));
  CHECK_FALSE(isCheckpoint("mixed.safetensors"));
}
