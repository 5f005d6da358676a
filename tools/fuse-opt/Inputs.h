//===- Inputs.h - The arguments of a call ----------------------*- C++ -*-===//

#ifndef FUSE_TOOLS_INPUTS_H
#define FUSE_TOOLS_INPUTS_H

#include "ExitCode.h"
#include "RunOptions.h"
#include "fuse/interpreter/Tensor.h"
#include "fuse/runtime/HostTensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace fuse {

/// Finds an input for each argument of a function: an `--input`, else a file
/// in `--input-dir`, else random values. Shapes that files and numbers have
/// settle the dims of the call; what depends on dims is made afterwards. Every
/// method prints what is wrong.
class Inputs {
public:
  /// The names are those of the arguments.
  Inputs(mlir::FunctionOpInterface function, ArrayRef<std::string> names)
      : function(function), names(names), sources(names.size()) {}

  ExitCode collect(const RunOptions &options);

  /// The shape of each argument, as far as its input has one.
  SmallVector<std::optional<SmallVector<int64_t>>> knownShapes() const;

  /// Makes the arguments, of the given shapes. Leaves no input behind.
  ExitCode materialize(ArrayRef<SmallVector<int64_t>> shapes,
                       SmallVectorImpl<Tensor> &arguments);

private:
  struct Source {
    /// Null: random values.
    const rt::InputSpec *spec = nullptr;
    /// How the command line speaks of it.
    std::string origin;
    std::optional<SmallVector<int64_t>> shape;
    /// What a file held.
    std::optional<rt::HostTensor> tensor;
  };

  ExitCode assign(ArrayRef<InputOption> inputs);
  ExitCode assign(const InputOption &input, unsigned index);
  ExitCode readFolder(const std::string &folder);
  ExitCode readTensor(Source &source, unsigned index,
                      const rt::InputSpec &spec);
  ExitCode findShape(Source &source, unsigned index);
  ExitCode checkType(const Source &source, unsigned index, rt::DType dtype,
                     size_t rank);
  mlir::RankedTensorType getType(unsigned index);
  bool isWeight(unsigned index);

  mlir::FunctionOpInterface function;
  ArrayRef<std::string> names;
  SmallVector<Source> sources;
};

} // namespace fuse

#endif // FUSE_TOOLS_INPUTS_H
