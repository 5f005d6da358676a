//===- Outputs.cpp - Where results go -------------------------------------===//

#include "Outputs.h"
#include "Console.h"
#include "HostTensors.h"
#include "OutputFiles.h"
#include "Report.h"
#include "fuse/codegen/BuildArtifact.h"
#include "fuse/runtime/PrintTensor.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/Signals.h"

using namespace mlir;
using namespace fuse;

rt::Result<rt::HostTensor> fuse::toOutput(const Tensor &result,
                                          OutputType outputType) {
  bool wantsF64 = outputType == OutputType::F64;
  return toHostTensor(result, wantsF64 && isa<FloatType>(result.elementType)
                                  ? rt::DType::F64
                                  : dtypeOf(result.elementType));
}

static SignalCleanup signalCleanup() {
  return {
      [](const std::string &path) { llvm::sys::RemoveFileOnSignal(path); },
      [](const std::string &path) { llvm::sys::DontRemoveFileOnSignal(path); }};
}

static rt::Status printResult(const std::string &name,
                              const rt::HostTensor &tensor, bool full) {
  rt::Result<std::string> text = rt::printTensor(name, tensor, {full});
  if (!text.ok())
    return text.status().withContext(name);
  llvm::outs() << *text << "\n";
  return {};
}

ExitCode fuse::putResults(
    ArrayRef<std::string> names,
    function_ref<rt::Result<rt::HostTensor>(size_t index)> makeResult,
    const RunOptions &options) {
  const bool toFiles = !options.outputDir.empty();
  OutputFiles files(options.outputDir, signalCleanup());
  rt::Status status = toFiles ? files.createFolder() : rt::Status();
  for (size_t i = 0; i < names.size() && status.ok(); ++i) {
    rt::Result<rt::HostTensor> tensor = makeResult(i);
    if (!tensor.ok())
      status = tensor.status().withContext(names[i]);
    else
      status = toFiles ? files.write(names[i], *tensor)
                       : printResult(names[i], *tensor, options.printFull);
  }
  if (status.ok() && toFiles)
    status = files.commit();
  if (!status.ok())
    return report(status);
  return toFiles || flushStdout() ? ExitCode::Ok : ExitCode::Runtime;
}
