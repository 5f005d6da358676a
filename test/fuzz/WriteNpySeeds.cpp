//===- WriteNpySeeds.cpp - the seed corpus of the .npy fuzzer -------------===//

#include "NpySeeds.h"

#include <cstdio>
#include <fstream>

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s DIRECTORY\n", argv[0]);
    return 1;
  }
  for (const NpySeed &seed : npySeeds()) {
    std::string path = std::string(argv[1]) + "/" + seed.name + ".npy";
    std::ofstream file(path, std::ios::binary);
    if (!(file << seed.bytes).flush()) {
      std::fprintf(stderr, "cannot write %s\n", path.c_str());
      return 1;
    }
  }
  return 0;
}
