// The files of web/data that the programs hold. Natively only.
#include "disk/shipped.h"

#include <doctest/doctest.h>

#include <string>

#include "support/array_files.h"

using namespace attn;

TEST_CASE("Each file of web/data is in the program, byte for byte") {
  for (const std::string path : {"model.safetensors", "model.json", "lines.txt", "checkpoints/step-0.safetensors",
                                 "checkpoints/step-3000.safetensors", "samples/attention.npz"}) {
    const auto shipped = disk::shippedFile(path);
    REQUIRE_MESSAGE(shipped, path);
    CHECK_MESSAGE(*shipped == test::arrayFile("../../../web/data/" + path), path);
  }
}

TEST_CASE("What is not in web/data is not in the program") {
  for (const char* path : {"", "model", "web/data/model.json", "../../README.md"}) CHECK(!disk::shippedFile(path));
}
