//===- Arguments.h - inputs of a call, from a command line ------*- C++ -*-===//

#ifndef FUSE_RUNTIME_ARGUMENTS_H
#define FUSE_RUNTIME_ARGUMENTS_H

#include "fuse/runtime/HostTensor.h"
#include "fuse/runtime/InputSpec.h"
#include "fuse/runtime/Status.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fuse::rt {

/// What is known of an argument before the dims of a call are.
struct ArgumentInfo {
  std::string name;
  DType dtype = DType::F32;
  size_t rank = 0;
  bool isWeight = false;
};

/// One `--input`, and its text for messages.
struct InputOption {
  std::string text;
  InputSpec spec;
};

/// Finds an input for each argument: an `--input`, else a file in
/// `--input-dir`, else random values. Shapes that files and numbers have settle
/// the dims of the call; what depends on dims is made afterwards. Messages
/// start with the option that is at fault.
class Arguments {
public:
  explicit Arguments(std::vector<ArgumentInfo> infos)
      : infos(std::move(infos)), sources(this->infos.size()) {}

  /// Takes inputs by name or position. Reads their files.
  Status assign(const std::vector<InputOption> &inputs);

  /// Reads `<argument name>.npy` for what has no input yet. Expects one file at
  /// least, unless there are no arguments.
  Status readFolder(const std::string &folder);

  /// The shape of each argument, as far as its input has one.
  std::vector<std::optional<std::vector<int64_t>>> knownShapes() const;

  /// For each argument that will be random values, the `--input=...` that would
  /// draw the same ones.
  std::vector<std::string>
  drawn(const std::vector<std::vector<int64_t>> &shapes) const;

  /// Makes the tensors, of these shapes. Leaves no input behind.
  Result<std::vector<HostTensor>>
  materialize(const std::vector<std::vector<int64_t>> &shapes);

private:
  struct Source {
    std::optional<InputSpec> spec;
    std::string origin; ///< How the command line speaks of it.
    std::optional<std::vector<int64_t>> shape;
    std::optional<HostTensor> tensor; ///< What a file held.

    bool isGiven() const { return spec || tensor; }
  };

  Status assignAt(const InputOption &input, size_t index);
  Status findShape(size_t index);
  Status readTensor(size_t index, const InputSpec &spec);
  Status checkType(size_t index, DType dtype, size_t rank) const;
  std::string joinedNames() const;

  std::vector<ArgumentInfo> infos;
  std::vector<Source> sources;
};

} // namespace fuse::rt

#endif // FUSE_RUNTIME_ARGUMENTS_H
