// What is wanted of web/data, what comes of it and what does not, and the run that is kept.
#include "study/models.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/array_files.h"

namespace {

using namespace attn;
using study::Models;
using Names = std::vector<std::string>;

const std::string& ourFile() {
  static const std::string kBytes = test::arrayFile("../../../web/data/model.safetensors");
  return kBytes;
}

const study::Loaded& given(Models& models) {
  models.give(study::kModelFile, ourFile());
  const study::Loaded* loaded = models.decoder(study::kModelFile);
  REQUIRE(loaded);
  return *loaded;
}

// The files of tests/data/checkpoint, as somebody holds them open.
struct OpenCheckpoint {
  std::string bytes = test::arrayFile("../checkpoint/model.safetensors");
  io::MemorySource source{test::bytesOf(bytes)};
  io::ArrayFile file = io::openArrays(source, "model.safetensors").take();
  model::Companions companions{test::arrayFile("../checkpoint/config.json"), test::arrayFile("../checkpoint/vocab.json"),
                               test::arrayFile("../checkpoint/merges.txt")};

  study::OpenedFiles files(std::uint64_t version) const { return {&source, &file, &companions, version}; }
};

bool goOn(double) { return true; }

constexpr core::Index kTokens[] = {1, 2, 3}, kOthers[] = {1, 2, 4};

}  // namespace

TEST_CASE("What is asked for and not there is wanted, once, until it is given") {
  Models models;
  CHECK(models.wanted().empty());
  CHECK(!models.decoder(study::kModelFile));
  CHECK(!models.text(study::kLinesFile));
  CHECK(!models.decoder(study::kModelFile));
  CHECK(models.wanted() == Names{"model.safetensors", "lines.txt"});
  models.give(study::kLinesFile, "One line.\n");
  CHECK(models.wanted() == Names{"model.safetensors"});
  models.give(study::kModelFile, ourFile());
  CHECK(models.wanted().empty());
  REQUIRE(models.text(study::kLinesFile));
  CHECK(*models.text(study::kLinesFile) == "One line.\n");
  const study::Loaded* loaded = models.decoder(study::kModelFile);
  REQUIRE(loaded);
  CHECK(loaded->bytes == ourFile().size());
  CHECK(loaded->hash == "5540a78d");
  CHECK(!loaded->file.vocabulary.empty());
  CHECK(models.refusal().empty());
}

TEST_CASE("A page begins by wanting nothing, and what is not wanted may come all the same") {
  Models models;
  models.text(study::kLinesFile);
  models.wantNothing();
  CHECK(models.wanted().empty());
  models.text(study::kFactsFile);
  models.give(study::kLinesFile, "One line.\n");
  CHECK(models.wanted() == Names{"model.json"});
  CHECK(models.text(study::kLinesFile));
}

TEST_CASE("What was refused is not wanted again before a person has done something") {
  Models models;
  models.decoder(study::kModelFile);
  models.refuse(study::kModelFile, "The network is gone.");
  CHECK(models.wanted().empty());
  CHECK(models.refusal() == "The network is gone.");
  CHECK(!models.decoder(study::kModelFile));
  CHECK(models.wanted().empty());
  models.retry();
  CHECK(models.refusal().empty());
  CHECK(!models.decoder(study::kModelFile));
  CHECK(models.wanted() == Names{"model.safetensors"});
  models.give(study::kModelFile, ourFile());
  CHECK(models.decoder(study::kModelFile));
}

TEST_CASE("Bytes that are no decoder are refused with a sentence, and leave what was there") {
  Models models;
  const study::Loaded* before = &given(models);
  for (const std::string& bytes : {std::string("<!doctype html><title>Not found</title>"), std::string(), ourFile().substr(0, 1000),
                                   test::arrayFile("f4.npy")}) {
    models.retry();
    models.give(study::kModelFile, bytes);
    CHECK(!models.refusal().empty());
    CHECK(models.decoder(study::kModelFile) == before);
    CHECK(before->bytes == ourFile().size());
  }
}

TEST_CASE("The last run is kept as long as neither its decoder nor its tokens change") {
  Models models;
  const study::Loaded& loaded = given(models);
  const auto first = models.run(loaded, kTokens);
  REQUIRE(first);
  CHECK(models.run(loaded, kTokens).value() == first.value());
  const auto other = models.run(loaded, kOthers);
  REQUIRE(other);
  CHECK(other.value() != first.value());
  models.give("checkpoints/step-0.safetensors", test::arrayFile("../../../web/data/checkpoints/step-0.safetensors"));
  const study::Loaded* untrained = models.decoder("checkpoints/step-0.safetensors");
  REQUIRE(untrained);
  CHECK(untrained->hash != loaded.hash);
  const auto before_training = models.run(*untrained, kOthers);
  REQUIRE(before_training);
  CHECK(before_training.value() != other.value());
}

TEST_CASE("A run is not kept for another decoder that takes the name of its own") {
  Models models;
  const study::Loaded& loaded = given(models);
  const auto before = models.run(loaded, kTokens);
  REQUIRE(before);
  models.give(study::kModelFile, test::arrayFile("../../../web/data/checkpoints/step-0.safetensors"));
  REQUIRE(models.decoder(study::kModelFile) == &loaded);
  CHECK(models.run(loaded, kTokens).value() != before.value());
}

TEST_CASE("Tokens that the decoder does not know are refused") {
  Models models;
  const study::Loaded& loaded = given(models);
  constexpr core::Index kUnknown[] = {1, 9999};
  CHECK_FALSE(models.run(loaded, kUnknown).ok());
}

TEST_CASE("A checkpoint that is open is read once, with the tokenizer beside it") {
  const OpenCheckpoint checkpoint;
  Models models;
  models.offer(checkpoint.files(1));
  const auto opened = models.opened(goOn);
  REQUIRE_MESSAGE(opened.ok(), (opened ? "" : opened.error().message));
  const auto read = study::readText(*opened.value(), "with the");
  REQUIRE(read);
  CHECK(read.value().tokens.size() == 3);  // "w", "ith", " the"
  models.offer(checkpoint.files(1));
  CHECK(models.opened([](double) { return false; }).value() == opened.value());  // nothing is read: nothing can be stopped
}

TEST_CASE("Other files take the place of a checkpoint, and without any there is a sentence") {
  OpenCheckpoint checkpoint;
  Models models;
  CHECK(models.opened(goOn).error().message.find("No model is open") == 0);
  models.offer(checkpoint.files(1));
  REQUIRE(models.opened(goOn));
  checkpoint.companions.merges = "";
  models.offer(checkpoint.files(2));
  CHECK(models.opened(goOn).error().message == "A tokenizer of GPT-2 is two files, `vocab.json` and `merges.txt`; open `merges.txt` too.");
  models.offer({});
  CHECK_FALSE(models.isOffered());
  CHECK(models.opened(goOn).error().message.find("No model is open") == 0);
}

TEST_CASE("Reading a checkpoint tells how far it is, can be stopped, and then begins anew") {
  const OpenCheckpoint checkpoint;
  Models models;
  models.offer(checkpoint.files(1));
  double last = 0;
  const auto stopped = models.opened([&last](double done) { return last = done, done < 0.5; });
  REQUIRE(!stopped);
  CHECK(stopped.error().message == "stopped");
  CHECK(last >= 0.5);
  REQUIRE(models.opened([&last](double done) { return last = done, done <= 1; }));
  CHECK(last > 0.9);
}

TEST_CASE("A small model may be run on every text, a large one on a few") {
  Models models;
  CHECK(given(models).runs() >= 3000);
  const OpenCheckpoint checkpoint;
  models.offer(checkpoint.files(1));
  CHECK(models.opened(goOn).value()->runs() > 3000);
}

TEST_CASE("Where there is no memory for a checkpoint, that is a sentence") {
  const OpenCheckpoint checkpoint;
  int refused = 0;
  for (int n = 1; refused == n - 1; ++n) {
    Models models;
    models.offer(checkpoint.files(1));
    core::failAllocation(n);
    const auto opened = models.opened(goOn);
    core::failAllocation(0);
    if (opened) break;
    CHECK(opened.error().message.find("memory") != std::string::npos);
    ++refused;
  }
  CHECK(refused >= 10);  // one for each matrix
}
