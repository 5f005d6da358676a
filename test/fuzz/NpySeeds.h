//===- NpySeeds.h - .npy files as NumPy writes them -------------*- C++ -*-===//

#ifndef FUSE_TEST_FUZZ_NPYSEEDS_H
#define FUSE_TEST_FUZZ_NPYSEEDS_H

#include "fuse/runtime/TensorType.h"

#include <ostream>
#include <string>
#include <utility>
#include <vector>

/// A small valid file: what a reader must make of it, and where fuzzing starts.
struct NpySeed {
  NpySeed(std::string name, fuse::rt::DType dtype, std::vector<int64_t> shape,
          std::vector<double> values, bool canonical, std::string bytes)
      : name(std::move(name)), type{dtype, std::move(shape)},
        values(std::move(values)), canonical(canonical),
        bytes(std::move(bytes)) {}

  std::string name;
  fuse::rt::TensorType type;
  std::vector<double> values; ///< In row-major order.
  bool canonical;             ///< The bytes that we write for these values.
  std::string bytes;
};

std::vector<NpySeed> npySeeds();

/// How GoogleTest shows a seed.
inline std::ostream &operator<<(std::ostream &stream, const NpySeed &seed) {
  return stream << seed.name;
}

#endif // FUSE_TEST_FUZZ_NPYSEEDS_H
