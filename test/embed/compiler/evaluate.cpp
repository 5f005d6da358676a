//===- evaluate.cpp - A program that asks the interpreter -----------------===//
//
// Evaluates a function on arguments of its own. The CHECK lines are what
// FileCheck expects of the output.
//
//===----------------------------------------------------------------------===//

#include "fuse/interpreter/Interpreter.h"
#include "fuse/ir/FuseDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <thread>

using namespace mlir;

static constexpr StringRef program = R"(
func.func @main(%x: tensor<2x?xf32> {fuse.name = "x", fuse.dims = [2, "N"]}) -> tensor<2xf32> {
  %y = fuse.einsum "bn,bn->b" %x, %x : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
)";

/// The result of a function of one argument of f32, or failure with a
/// diagnostic.
static FailureOr<fuse::Tensor> evaluate(FunctionOpInterface function,
                                        SmallVector<int64_t> shape,
                                        std::vector<double> values) {
  FailureOr<fuse::DimAnalysis> analysis = fuse::DimAnalysis::compute(function);
  if (failed(analysis))
    return failure();
  fuse::DimBindings bindings;
  if (failed(analysis->bindDims(function, {shape}, bindings)))
    return failure();
  FailureOr<fuse::Interpreter> interpreter = fuse::Interpreter::create(
      function, std::move(*analysis), std::move(bindings));
  if (failed(interpreter))
    return failure();
  fuse::Tensor argument(Float32Type::get(function.getContext()),
                        fuse::Box::whole(shape));
  argument.value = std::move(values);
  FailureOr<SmallVector<fuse::Tensor>> results = interpreter->run(argument);
  if (failed(results))
    return failure();
  return std::move(results->front());
}

/// The values of the result or the diagnostics, as text. Everything it touches
/// is its own, so threads may call it freely.
static std::string describe(SmallVector<int64_t> shape,
                            std::vector<double> values) {
  DialectRegistry registry;
  fuse::registerFuseDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::string text;
  llvm::raw_string_ostream os(text);
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { os << diagnostic << "\n"; });
  auto module = parseSourceString<ModuleOp>(program, &context);
  if (!module)
    return text;
  FailureOr<fuse::Tensor> result =
      evaluate(module->lookupSymbol<func::FuncOp>("main"), std::move(shape),
               std::move(values));
  if (succeeded(result))
    for (double value : result->value)
      os << llvm::format("%g\n", value);
  return text;
}

int main() {
  std::string sums, misfit;
  std::thread first([&] { sums = describe({2, 3}, {1, 2, 3, 4, 5, 6}); });
  std::thread second([&] { misfit = describe({3, 1}, {1, 2, 3}); });
  first.join();
  second.join();

  // CHECK:      14
  // CHECK-NEXT: 77
  // CHECK-NEXT: expects axis 0 of argument 'x' to be 2, but got 3
  llvm::outs() << sums << misfit;
  return 0;
}
