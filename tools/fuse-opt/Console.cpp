//===- Console.cpp - What fuse-opt says on stderr -------------------------===//

#include "Console.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace fuse;

raw_ostream &fuse::printError() {
  return llvm::WithColor::error(llvm::errs(), "fuse-opt");
}

raw_ostream &fuse::printInfo() { return llvm::errs() << "fuse-opt: "; }

std::string fuse::describeLocation(Location loc) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto place = loc->findInstanceOf<FileLineColLoc>())
    os << place.getFilename().getValue() << ':' << place.getLine() << ':'
       << place.getColumn();
  else
    os << loc;
  return text;
}

std::string fuse::describeOp(Operation *op) {
  return ("'" + op->getName().getStringRef() + "' at " +
          describeLocation(op->getLoc()))
      .str();
}

bool fuse::flushStdout() {
  llvm::outs().flush();
  if (!llvm::outs().has_error())
    return true;
  printError() << "stdout: cannot write: " << llvm::outs().error().message()
               << "\n";
  llvm::outs().clear_error();
  return false;
}
