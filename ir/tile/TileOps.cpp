//===- TileOps.cpp - Operations on tiles ----------------------------------===//

#include "fuse/ir/TableEntry.h"
#include "fuse/tile/TileDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

#define GET_OP_CLASSES
#include "fuse/tile/TileOps.cpp.inc"

void TileDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "fuse/tile/TileOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

void KernelOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                     ArrayRef<Type> argumentTypes, int64_t threads,
                     ArrayRef<std::string> grid, ArrayRef<int64_t> tiles) {
  SmallVector<StringRef> extents(grid.begin(), grid.end());
  state.getOrAddProperties<Properties>().sym_name = builder.getStringAttr(name);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.function_type =
      TypeAttr::get(builder.getFunctionType(argumentTypes, {}));
  properties.threads = builder.getI64IntegerAttr(threads);
  properties.grid = builder.getStrArrayAttr(extents);
  properties.tiles = builder.getDenseI64ArrayAttr(tiles);
  Block &body = state.addRegion()->emplaceBlock();
  for (Type type : argumentTypes)
    body.addArgument(type, state.location);
}

/// `threads 128 grid ["N"] tiles [512] shared 4096`
static ParseResult parseShape(OpAsmParser &parser,
                              KernelOp::Properties &properties) {
  Builder &builder = parser.getBuilder();
  Attribute tiles;
  if (parser.parseKeyword("threads") ||
      parser.parseAttribute(properties.threads, builder.getI64Type()) ||
      parser.parseKeyword("grid") || parser.parseAttribute(properties.grid) ||
      parser.parseKeyword("tiles"))
    return failure();
  tiles = DenseI64ArrayAttr::parse(parser, Type());
  properties.tiles = dyn_cast_or_null<DenseI64ArrayAttr>(tiles);
  if (!properties.tiles)
    return failure();
  if (succeeded(parser.parseOptionalKeyword("shared")))
    return parser.parseAttribute(properties.shared_bytes, builder.getI64Type());
  return success();
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &state) {
  auto &properties = state.getOrAddProperties<Properties>();
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> resultTypes, argumentTypes;
  SmallVector<DictionaryAttr> resultAttrs;
  bool isVariadic = false;
  if (parser.parseSymbolName(properties.sym_name) ||
      function_interface_impl::parseFunctionSignatureWithArguments(
          parser, /*allowVariadic=*/false, arguments, isVariadic, resultTypes,
          resultAttrs))
    return failure();
  for (OpAsmParser::Argument &argument : arguments)
    argumentTypes.push_back(argument.type);
  Builder &builder = parser.getBuilder();
  properties.function_type =
      TypeAttr::get(builder.getFunctionType(argumentTypes, resultTypes));
  call_interface_impl::addArgAndResultAttrs(
      builder, state, arguments, resultAttrs, getArgAttrsAttrName(state.name),
      getResAttrsAttrName(state.name));
  if (parseShape(parser, properties) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes))
    return failure();
  Region *body = state.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  ensureTerminator(*body, builder, state.location);
  return success();
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  call_interface_impl::printFunctionSignature(
      printer, getArgumentTypes(), getArgAttrsAttr(), /*isVariadic=*/false,
      getResultTypes(), getResAttrsAttr(), &getBody(),
      /*printEmptyResult=*/false);
  printer << " threads " << getThreads() << " grid ";
  printer.printAttribute(getGridAttr());
  printer << " tiles ";
  getTilesAttr().print(printer);
  if (auto bytes = getSharedBytes())
    printer << " shared " << *bytes;
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getDiscardableAttrDictionary().getValue());
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/false);
}

SmallVector<IndexSpace> KernelOp::getIndexSpaces() {
  SmallVector<IndexSpace> spaces;
  for (auto part : getBody().getOps<PartOp>())
    spaces.push_back({part.getGrid(), part.getTiles()});
  if (spaces.empty())
    spaces.push_back({getGrid(), getTiles()});
  return spaces;
}

IndexSpace OriginOp::getIndexSpace() {
  if (auto part = (*this)->getParentOfType<PartOp>())
    return {part.getGrid(), part.getTiles()};
  auto kernel = (*this)->getParentOfType<KernelOp>();
  return {kernel.getGrid(), kernel.getTiles()};
}

SmallVector<Block *> KernelOp::getPartBlocks() {
  SmallVector<Block *> blocks;
  for (auto part : getBody().getOps<PartOp>())
    blocks.push_back(&part.getBody().front());
  if (blocks.empty())
    blocks.push_back(&getBody().front());
  return blocks;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

AllocOp fuse::tile::getAlloc(Value tile) {
  while (Operation *op = tile.getDefiningOp()) {
    if (!isa<SlotOp, RowsOp>(op))
      return dyn_cast<AllocOp>(op);
    tile = op->getOperand(0);
  }
  return {};
}

bool fuse::tile::isWritten(Value buffer) {
  return llvm::any_of(buffer.getUsers(), llvm::IsaPred<StoreOp>);
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

void LoadOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getBufferMutable());
}

void StoreOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getBufferMutable());
}

void WriteOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getTargetMutable());
}

void ReadOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable());
}

void ContractOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getLhsMutable());
  effects.emplace_back(MemoryEffects::Read::get(), &getRhsMutable());
}

void ContractRowsOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getRhsMutable());
}
