//===- Outputs.cpp - Where results go -------------------------------------===//

#include "Outputs.h"
#include "Console.h"
#include "HostTensors.h"
#include "fuse/codegen/BuildArtifact.h"
#include "fuse/runtime/Npy.h"
#include "fuse/runtime/PrintTensor.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"

using namespace mlir;
using namespace fuse;
namespace fs = llvm::sys::fs;

static ExitCode cannotWrite(StringRef path, const Twine &reason) {
  printError() << path << ": cannot write: " << reason << "\n";
  return ExitCode::Runtime;
}

static std::string pathOf(StringRef folder, StringRef name) {
  SmallString<128> path(folder);
  llvm::sys::path::append(path, name + ".npy");
  return path.str().str();
}

ExitCode fuse::checkOutputDir(const std::string &folder,
                              ArrayRef<std::string> names) {
  // The folder itself, or the one in which it will be made.
  StringRef existing = folder;
  while (!existing.empty() && !fs::exists(existing))
    existing = llvm::sys::path::parent_path(existing);
  if (existing.empty())
    existing = ".";
  if (!fs::is_directory(existing))
    return cannotWrite(folder, "'" + existing + "' is no folder");
  if (!fs::can_write(existing))
    return cannotWrite(folder, "'" + existing + "' is read-only");
  for (const std::string &name : names) {
    std::string path = pathOf(folder, name);
    if (fs::exists(path) && !fs::is_regular_file(path))
      return cannotWrite(path, "it exists and is not a regular file");
  }
  return ExitCode::Ok;
}

namespace {
/// Files that come into being together: written beside their places first, and
/// removed unless all of them get there.
class FileSet {
public:
  explicit FileSet(StringRef folder) : folder(folder.str()) {}
  ~FileSet();

  ExitCode createFolder();
  ExitCode write(StringRef name, const rt::HostTensor &tensor);
  ExitCode commit();

private:
  struct File {
    std::string temporary, path;
  };

  std::string folder;
  bool ownsFolder = false;
  SmallVector<File> files;
};
} // namespace

FileSet::~FileSet() {
  [[maybe_unused]] std::error_code ignored;
  for (const File &file : files) {
    ignored = fs::remove(file.temporary);
    llvm::sys::DontRemoveFileOnSignal(file.temporary);
  }
  if (ownsFolder)
    ignored = fs::remove(folder);
}

ExitCode FileSet::createFolder() {
  bool existed = fs::exists(folder);
  if (std::error_code error = fs::create_directories(folder))
    return cannotWrite(folder, error.message());
  ownsFolder = !existed;
  return ExitCode::Ok;
}

ExitCode FileSet::write(StringRef name, const rt::HostTensor &tensor) {
  std::string path = pathOf(folder, name);
  std::string process = std::to_string(llvm::sys::Process::getProcessId());
  files.push_back({path + ".part" + process, path});
  const std::string &temporary = files.back().temporary;
  llvm::sys::RemoveFileOnSignal(temporary);
  rt::Status status = rt::writeNpyFile(temporary, tensor);
  if (status.ok())
    return ExitCode::Ok;
  printError() << status.message() << "\n";
  return status.code() == rt::StatusCode::Resource ? ExitCode::Resource
                                                   : ExitCode::Runtime;
}

ExitCode FileSet::commit() {
  for (const File &file : files)
    if (std::error_code error = fs::rename(file.temporary, file.path))
      return cannotWrite(file.path, error.message());
  ownsFolder = false;
  return ExitCode::Ok;
}

/// The type that a result is put out as.
static rt::DType outputDType(const Tensor &result, OutputType outputType) {
  bool wantsF64 = outputType == OutputType::F64;
  return wantsF64 && isa<FloatType>(result.elementType)
             ? rt::DType::F64
             : dtypeOf(result.elementType);
}

static ExitCode printResult(StringRef name, const rt::HostTensor &tensor,
                            bool full) {
  rt::Result<std::string> text = rt::printTensor(name, tensor, {full});
  if (!text.ok()) {
    printError() << name << ": " << text.status().message() << "\n";
    return ExitCode::Resource;
  }
  llvm::outs() << *text << "\n";
  return ExitCode::Ok;
}

ExitCode fuse::putResults(ArrayRef<std::string> names, ArrayRef<Tensor> results,
                          const RunOptions &options) {
  bool toFiles = !options.outputDir.empty();
  FileSet files(options.outputDir);
  if (toFiles)
    if (ExitCode code = files.createFolder(); code != ExitCode::Ok)
      return code;
  for (auto [name, result] : llvm::zip_equal(names, results)) {
    rt::Result<rt::HostTensor> tensor =
        toHostTensor(result, outputDType(result, options.outputType));
    if (!tensor.ok()) {
      printError() << name << ": " << tensor.status().message() << "\n";
      return ExitCode::Resource;
    }
    ExitCode code = toFiles ? files.write(name, *tensor)
                            : printResult(name, *tensor, options.printFull);
    if (code != ExitCode::Ok)
      return code;
  }
  if (toFiles)
    return files.commit();
  return flushStdout() ? ExitCode::Ok : ExitCode::Runtime;
}
