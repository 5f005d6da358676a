//===- TestProgram.h - A program that a test evaluates ---------*- C++ -*-===//

#ifndef FUSE_TEST_LIB_TESTPROGRAM_H
#define FUSE_TEST_LIB_TESTPROGRAM_H

#include "FloatEvaluator.h"
#include "Indices.h"
#include "fuse/interpreter/Interpreter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace fuse::test {

/// The function `main` of a text, in a context of its own, ready for one call.
/// What goes wrong is reported to GoogleTest, with the text.
class TestProgram {
public:
  /// Dims come from static types, else from `shapes`, one an argument.
  explicit TestProgram(StringRef text, ArrayRef<Shape> shapes = {},
                       DimBindings bindings = {});
  ~TestProgram();
  TestProgram(const TestProgram &) = delete;
  TestProgram &operator=(const TestProgram &) = delete;

  bool isValid() const { return interpreter.has_value(); }
  mlir::FunctionOpInterface getFunction() { return function; }
  mlir::ModuleOp getModule() { return *module; }
  std::shared_ptr<mlir::MLIRContext> getContext() { return context; }
  Interpreter &getInterpreter() { return *interpreter; }
  const DimAnalysis &getAnalysis() const { return *analysis; }
  /// The diagnostics so far.
  const std::string &getDiagnostics() const { return diagnostics; }

  /// The op whose result has this name is `nth` of its kind, from 0.
  template <typename OpTy>
  OpTy find(unsigned nth = 0) {
    OpTy found;
    function->walk([&](OpTy op) {
      if (nth-- == 0)
        found = op;
    });
    return found;
  }

  /// Whole tensors without error, from row-major elements.
  SmallVector<Tensor> makeArguments(const TensorValues &values);
  /// The interpreter's results. Empty, and the test fails, if it fails.
  SmallVector<Tensor> run(const TensorValues &arguments);
  TensorValues runInFloat(const TensorValues &arguments,
                          const EvaluationOrder &order = {});

  /// Replaces composites by their decompositions, and prepares again.
  void decompose();
  /// After a change of the IR.
  void prepareAgain();

private:
  void prepare();
  void report(StringRef what);

  std::string diagnostics;
  std::shared_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::FunctionOpInterface function;
  SmallVector<std::optional<SmallVector<int64_t>>> shapes;
  DimBindings given, bindings;
  std::optional<DimAnalysis> analysis;
  std::optional<Interpreter> interpreter;
};

/// A tensor that keeps the context of its element type.
struct ResultTensor : Tensor {
  std::shared_ptr<mlir::MLIRContext> context;
};

/// The only result of a program of static shapes.
ResultTensor evaluateProgram(StringRef text, const TensorValues &arguments);

} // namespace fuse::test

#endif // FUSE_TEST_LIB_TESTPROGRAM_H
