//===- TestProgram.cpp - A program that a test evaluates ------------------===//

#include "TestProgram.h"
#include "fuse/ir/FuseOps.h"
#include "fuse/passes/Passes.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::test;

TestProgram::TestProgram(StringRef text, ArrayRef<Shape> argumentShapes,
                         DimBindings bindings)
    : given(std::move(bindings)) {
  DialectRegistry registry;
  registerFuseDialects(registry);
  context =
      std::make_shared<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
    diagnostics += diagnostic.str() + "\n";
    return success();
  });
  module = parseSourceString<ModuleOp>(text, context.get());
  if (module)
    function =
        dyn_cast_or_null<FunctionOpInterface>(module->lookupSymbol("main"));
  if (!function) {
    report(text);
    return;
  }
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    if (argumentShapes.empty())
      shapes.emplace_back(
          SmallVector<int64_t>(cast<RankedTensorType>(type).getShape()));
    else
      shapes.emplace_back(argumentShapes[index]);
  }
  prepare();
}

TestProgram::~TestProgram() = default;

void TestProgram::report(StringRef what) {
  ADD_FAILURE() << diagnostics << what.str();
}

void TestProgram::prepare() {
  interpreter.reset();
  bindings = given;
  FailureOr<DimAnalysis> computed = DimAnalysis::compute(function);
  if (failed(computed))
    return report("the dims contradict each other");
  analysis = std::move(*computed);
  if (failed(analysis->bindDims(function, shapes, bindings)))
    return report("the dims do not bind");
  FailureOr<Interpreter> created =
      Interpreter::create(function, *analysis, bindings);
  if (failed(created))
    return report("the program cannot be interpreted");
  interpreter.emplace(std::move(*created));
}

void TestProgram::prepareAgain() { prepare(); }

void TestProgram::decompose() {
  PassManager manager(context.get());
  manager.addPass(createDecomposeCompositesPass());
  if (failed(manager.run(*module)))
    return report("the composites do not decompose");
  prepare();
}

SmallVector<Tensor> TestProgram::makeArguments(const TensorValues &values) {
  SmallVector<Tensor> tensors;
  for (auto [index, elements] : llvm::enumerate(values)) {
    auto type = cast<RankedTensorType>(function.getArgumentTypes()[index]);
    Tensor tensor(type.getElementType(),
                  Box::whole(interpreter->getArgumentShape(index)));
    EXPECT_EQ(tensor.value.size(), elements.size()) << "argument " << index;
    tensor.value = elements;
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

SmallVector<Tensor> TestProgram::run(const TensorValues &arguments) {
  if (!isValid())
    return {};
  FailureOr<SmallVector<Tensor>> results =
      interpreter->run(makeArguments(arguments));
  if (failed(results)) {
    report("the interpreter fails");
    return {};
  }
  return std::move(*results);
}

TensorValues TestProgram::runInFloat(const TensorValues &arguments,
                                     const EvaluationOrder &order) {
  FailureOr<TensorValues> results =
      evaluateInFloat(function, *analysis, bindings, arguments, order);
  if (failed(results)) {
    report("the float evaluation fails");
    return {};
  }
  return std::move(*results);
}

ResultTensor fuse::test::evaluateProgram(StringRef text,
                                         const TensorValues &arguments) {
  TestProgram program(text);
  SmallVector<Tensor> results = program.run(arguments);
  ResultTensor result;
  result.context = program.getContext();
  if (!results.empty())
    static_cast<Tensor &>(result) = std::move(results.front());
  return result;
}
