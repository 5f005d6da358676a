//===- InputSpec.h - inputs given on the command line -----------*- C++ -*-===//
//
//   spec    := [name ("=" | ":")] [type "="] value
//   type    := (size "x")* ("f16" | "bf16" | "f32" | "f64" | "i32" | "i1")
//   value   := "@" path                                  a .npy file
//            | "rand:" kind [":" key "=" number ("," key "=" number)*]
//            | "splat:" element                          every element the same
//            | numbers
//   kind    := "normal"   keys: seed, mean (0), std (1; i32: 4)
//            | "uniform"  keys: seed, lo (0; i32: -8), hi (1; i32: 8)
//   numbers := element (("," | space) element)*
//            | "[" [numbers or nested lists of equal shape] "]"
//
// Blanks around parts are ignored. A name is a letter or `_`, then letters,
// digits and `_.-$/`. A first part before "=" that could be a name or a type is
// a type, unless a type follows; "i1: ..." makes it a name. Plain numbers are
// row-major and as many as there are elements, or one for all; bracketed ones
// must have the very shape. Text is never cast: `1.5` is no i32.
//
// Random values are drawn in row-major order (Random.h), scaled by one fused
// multiply-add, and rounded to the element type. i32 takes the integer nearest
// to a normal value, the floor of a uniform one; i1 is a fair coin and takes
// only a seed.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_INPUTSPEC_H
#define FUSE_RUNTIME_INPUTSPEC_H

#include "fuse/runtime/HostTensor.h"
#include "fuse/runtime/Status.h"
#include "fuse/runtime/TensorType.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace fuse::rt {

/// Elements as text, because their type may not be known yet.
struct NumberList {
  std::vector<std::string> elements;
  /// Sizes of the nested brackets, if there were any; ends at a size of 0.
  std::optional<std::vector<int64_t>> brackets;
};

struct NpyPath {
  std::string path;
};

struct Splat {
  std::string element;
};

struct RandomNormal {
  std::optional<uint64_t> seed;
  std::optional<double> mean, std;
};

struct RandomUniform {
  std::optional<uint64_t> seed;
  std::optional<double> lo, hi;
};

/// One `--input`.
struct InputSpec {
  std::optional<std::string> name; ///< Absent: positional.
  std::optional<TensorType> type;  ///< Absent: the file's, or the expected one.
  std::variant<NpyPath, Splat, RandomNormal, RandomUniform, NumberList> value;
};

/// Parses a spec by the grammar above. Touches no file.
Result<InputSpec> parseInputSpec(std::string_view text);

/// The tensor that `spec` describes. `expected` is the type that the program
/// wants, where it is known; any difference to the type of the spec or of the
/// file is an error. `defaultSeed` is for random values without a seed.
Result<HostTensor> materialize(const InputSpec &spec,
                               const std::optional<TensorType> &expected,
                               uint64_t defaultSeed = 0);

/// The spec of an argument that no input names, as text:
/// `rand:normal:seed=<argumentIndex>`. A weight, if it is a float tensor of
/// rank 2 or more, gets `std=` one over the root of its last size, so that the
/// products with it neither grow nor shrink.
std::string defaultInputText(const TensorType &type, uint64_t argumentIndex,
                             bool isWeight = false);

/// What that text describes.
Result<HostTensor> defaultInput(const TensorType &type, uint64_t argumentIndex,
                                bool isWeight = false);

/// Parses `B=4,N=24`: names of letters, digits and `_`, sizes of 0 and more,
/// in the order given. Fails on a name given twice.
Result<std::vector<std::pair<std::string, int64_t>>>
parseDims(std::string_view text);

} // namespace fuse::rt

#endif // FUSE_RUNTIME_INPUTSPEC_H
