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
  LogicalResult emitParts();
  LogicalResult emitOrigin(tile::OriginOp op);
  /// How many tiles a dim of an index space has.
  std::string countText(const tile::IndexSpace &space, size_t dim);
  /// How many blocks an index space has.
  std::string blocksText(const tile::IndexSpace &space);
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
  std::string blockIndex = "block_index()"; ///< In the part.
  unsigned depth = 1;
};

} // namespace fuse

#endif // FUSE_CODEGEN_KERNELEMITTER_H
