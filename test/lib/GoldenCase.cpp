//===- GoldenCase.cpp - The calls stored in test/data ---------------------===//

#include "GoldenCase.h"
#include "fuse/ir/FuseDialect.h"
#include "fuse/runtime/Npy.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace fuse;
using namespace fuse::test;

/// The names of the arguments of `main`, which are those of the files.
static SmallVector<std::string> argumentNames(StringRef text) {
  mlir::DialectRegistry registry;
  registerFuseDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  SmallVector<std::string> names;
  if (auto *function = module ? module->lookupSymbol("main") : nullptr) {
    auto interface = cast<mlir::FunctionOpInterface>(function);
    for (unsigned i = 0; i < interface.getNumArguments(); ++i)
      names.push_back(argumentName(interface, i));
  }
  return names;
}

GoldenCase::GoldenCase(const std::string &programFile,
                       const std::string &folder) {
  auto file = llvm::MemoryBuffer::getFile(programFile);
  if (!file) {
    ADD_FAILURE() << "cannot read " << programFile;
    return;
  }
  StringRef text = (*file)->getBuffer();
  SmallVector<Shape> shapes;
  for (const std::string &name : argumentNames(text)) {
    rt::Result<rt::HostTensor> tensor =
        rt::readNpyFile(folder + "/" + name + ".npy");
    if (!tensor.ok()) {
      ADD_FAILURE() << tensor.status().message();
      return;
    }
    shapes.emplace_back(tensor->shape().begin(), tensor->shape().end());
    arguments.push_back(std::move(*tensor->toDoubles()));
  }
  program = std::make_unique<TestProgram>(text, shapes);
}
