//===- compile.cpp - A compiler with Fuse inside --------------------------===//
//
// Parses programs in which ops of Fuse stand beside others, runs our passes in
// its own pass managers, and prints what comes out. Diagnostics go to a handler
// of its own. The CHECK lines are what FileCheck expects of the output.
//
//===----------------------------------------------------------------------===//

#include "fuse/ir/FuseDialect.h"
#include "fuse/passes/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <thread>

using namespace mlir;

static constexpr StringRef goodProgram = R"(
func.func @main(%s: tensor<4x?xf32> {fuse.dims = [4, "N"]}) -> tensor<4x?xf32> {
  %p = fuse.softmax %s axis 1 : (tensor<4x?xf32>) -> tensor<4x?xf32>
  "host.log"(%p) : (tensor<4x?xf32>) -> ()
  %q = arith.addf %p, %p : tensor<4x?xf32>
  return %q : tensor<4x?xf32>
}
)";

static constexpr StringRef badProgram = R"(
func.func @main(%s: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %p = fuse.softmax %s axis 2 : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return %p : tensor<4x?xf32>
}
)";

using Pipeline = llvm::function_ref<LogicalResult(PassManager &)>;

/// The program after the pipeline, or the diagnostics that say why there is
/// none. Everything it touches is its own, so threads may call it freely.
static std::string compile(StringRef program, Pipeline pipeline) {
  DialectRegistry registry;
  fuse::registerFuseDialects(registry);
  registry.insert<arith::ArithDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();

  std::string text;
  llvm::raw_string_ostream os(text);
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    os << diagnostic.getLocation() << ": " << diagnostic << "\n";
  });

  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(program, &context, "program");
  if (!module)
    return text;
  PassManager manager(&context);
  if (succeeded(pipeline(manager)) && succeeded(manager.run(*module)))
    module->print(os);
  return text;
}

/// A pipeline as text, which an embedder may take from its command line.
static LogicalResult fromText(PassManager &manager) {
  return parsePassPipeline(
      "func.func(fuse-check-dims),fuse-decompose-composites", manager);
}

/// A pipeline in C++: a pass with options, nested on functions.
static LogicalResult nestedOnFunctions(PassManager &manager) {
  fuse::CheckDimsPassOptions options;
  options.remark = true;
  manager.addNestedPass<func::FuncOp>(fuse::createCheckDimsPass(options));
  return success();
}

/// Compiles both programs again and again, each thread in contexts of its own.
static unsigned countDifferences(StringRef good, StringRef bad) {
  std::atomic<unsigned> differences = 0;
  std::thread threads[4];
  for (std::thread &thread : threads)
    thread = std::thread([&] {
      for (unsigned round = 0; round < 10; ++round) {
        differences += compile(goodProgram, fromText) != good;
        differences += compile(badProgram, fromText) != bad;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  return differences;
}

int main() {
  fuse::registerFusePasses();

  // CHECK-LABEL: from text:
  // CHECK-NOT:   fuse.softmax
  // CHECK:       fuse.reduce max %{{.*}} axes [1]
  // CHECK:       fuse.map exp
  // CHECK:       %[[P:.*]] = fuse.map div
  // CHECK-NEXT:  "host.log"(%[[P]])
  // CHECK-NEXT:  arith.addf %[[P]], %[[P]]
  std::string good = compile(goodProgram, fromText);
  llvm::outs() << "from text:\n" << good;

  // CHECK-LABEL: nested on functions:
  // CHECK-NEXT:  loc("program":3:8): dims: 4 x N
  // CHECK:       fuse.softmax
  llvm::outs() << "nested on functions:\n"
               << compile(goodProgram, nestedOnFunctions);

  // CHECK-LABEL: diagnostics:
  // CHECK-NEXT:  loc("program":3:8): {{.*}} expects an axis {{.*}}, but got 2
  // CHECK-EMPTY:
  std::string bad = compile(badProgram, fromText);
  llvm::outs() << "diagnostics:\n" << bad << "\n";

  // CHECK-NEXT:  differences between threads: 0
  llvm::outs() << "differences between threads: " << countDifferences(good, bad)
               << "\n";
  return 0;
}
