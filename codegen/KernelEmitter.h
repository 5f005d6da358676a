//===- KernelEmitter.h - The text of one kernel ----------------*- C++ -*-===//

#ifndef FUSE_CODEGEN_KERNELEMITTER_H
#define FUSE_CODEGEN_KERNELEMITTER_H

#include "CudaText.h"
#include "Names.h"
#include "fuse/tile/TileDialect.h"

namespace fuse {

class KernelEmitter {
public:
  KernelEmitter(tile::KernelOp kernel, raw_ostream &os)
      : kernel(kernel), os(os) {}
  LogicalResult emit();

private:
  void emitSignature();
  void emitMaps();
  LogicalResult emitBlock(mlir::Block &block);
  LogicalResult emitOp(mlir::Operation &op);
  LogicalResult emitIndex(mlir::Operation &op);
  LogicalResult emitOrigin(tile::OriginOp op);
  LogicalResult emitLoop(mlir::scf::ForOp loop);
  LogicalResult emitStore(tile::StoreOp op);
  /// `const auto <name> = <text>;`, or an assignment where the value is the
  /// next one of a loop's variable.
  LogicalResult emitValue(mlir::Operation &op, StringRef hint,
                          const Twine &text);

  std::string indexText(mlir::Value value, int precedence = 0);
  std::string listText(StringRef function, mlir::ValueRange values);
  std::string addressText(mlir::Value buffer, mlir::Value offset);
  std::string callText(StringRef function, mlir::ValueRange tiles);
  std::string loadText(tile::LoadOp op);
  std::string allocText(tile::AllocOp op);
  std::string broadcastText(tile::BroadcastOp op);
  std::string reduceText(tile::ReduceOp op);
  StringRef mapName(mlir::Value value);
  raw_ostream &indent();

  tile::KernelOp kernel;
  raw_ostream &os;
  Names names;
  llvm::DenseMap<mlir::Attribute, std::string> maps;
  llvm::StringMap<std::string> symbols;
  std::string blockName;
  unsigned depth = 1;
};

} // namespace fuse

#endif // FUSE_CODEGEN_KERNELEMITTER_H
