//===- IRTest.h - Programs from text, and what is said of them --*- C++ -*-===//

#ifndef FUSE_TEST_UNIT_IR_IRTEST_H
#define FUSE_TEST_UNIT_IR_IRTEST_H

#include "fuse/ir/FuseDialect.h"
#include "fuse/ir/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace fuse {

/// A context with our dialects, which keeps the diagnostics for the test.
class IRTest : public ::testing::Test {
protected:
  IRTest()
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          if (!diagnostics.empty())
            diagnostics += "\n";
          diagnostics += diagnostic.str();
        }) {
    mlir::DialectRegistry registry;
    registerFuseDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    // Notes with the whole op would drown the message.
    context.printOpOnDiagnostic(false);
  }

  ~IRTest() override {
    EXPECT_EQ(diagnostics, "") << "nobody has asked for these diagnostics";
  }

  /// The diagnostics since the last call, one a line.
  std::string takeDiagnostics() {
    return std::exchange(diagnostics, std::string());
  }

  /// The only function of a program that is alive as long as the test.
  mlir::FunctionOpInterface parseFunction(StringRef text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    mlir::FunctionOpInterface function;
    if (module)
      module->walk([&](mlir::FunctionOpInterface op) { function = op; });
    EXPECT_TRUE(function) << takeDiagnostics();
    return function;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;

private:
  std::string diagnostics;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace fuse

#endif // FUSE_TEST_UNIT_IR_IRTEST_H
