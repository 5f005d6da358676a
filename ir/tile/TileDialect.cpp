//===- TileDialect.cpp - Kernels on tiles ---------------------------------===//

#include "fuse/tile/TileDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

#include "fuse/tile/TileDialect.cpp.inc"
#include "fuse/tile/TileEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "fuse/tile/TileAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "fuse/tile/TileTypes.cpp.inc"

void TileDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerOps();
}

void TileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "fuse/tile/TileAttrs.cpp.inc"
      >();
}

void TileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "fuse/tile/TileTypes.cpp.inc"
      >();
}

SmallVector<int64_t> tile::dropDims(ArrayRef<int64_t> shape,
                                    ArrayRef<int64_t> dims) {
  SmallVector<int64_t> rest;
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (!llvm::is_contained(dims, static_cast<int64_t>(dim)))
      rest.push_back(extent);
  return rest;
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

Attribute MapAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  std::string text, error;
  if (parser.parseLess() || parser.parseString(&text) || parser.parseGreater())
    return {};
  std::optional<FragmentMap> map = FragmentMap::parse(text, error);
  if (!map) {
    parser.emitError(loc) << error;
    return {};
  }
  return MapAttr::get(parser.getContext(), std::move(*map));
}

void MapAttr::print(AsmPrinter &printer) const {
  printer << "<\"" << getValue().str() << "\">";
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

int64_t TileType::getNumElements() const {
  int64_t count = 1;
  for (int64_t extent : getShape())
    count *= extent;
  return count;
}

TileType TileType::withMap(MapAttr map) const {
  return get(getContext(), getShape(), getElementType(), getSpace(), map);
}

TileType TileType::withShape(ArrayRef<int64_t> shape) const {
  return get(getContext(), shape, getElementType(), getSpace(), MapAttr());
}

TileType TileType::withElementType(Type type) const {
  return get(getContext(), getShape(), type, getSpace(), getMap());
}

static LogicalResult
verifyElementType(function_ref<InFlightDiagnostic()> emitError, Type type) {
  if (type.isF16() || type.isBF16() || type.isF32() || type.isF64() ||
      type.isSignlessInteger(32) || type.isSignlessInteger(1))
    return success();
  return emitError() << "expects elements of f16, bf16, f32, f64, i32 or i1, "
                        "but got "
                     << type;
}

LogicalResult BufferType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 Type elementType) {
  return verifyElementType(emitError, elementType);
}

LogicalResult TileType::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<int64_t> shape, Type elementType,
                               Space space, MapAttr map) {
  if (failed(verifyElementType(emitError, elementType)))
    return failure();
  for (int64_t extent : shape)
    if (extent < 1)
      return emitError() << "expects tile dims of at least 1, but got "
                         << extent;
  if (!map)
    return success();
  if (space == Space::Shared)
    return emitError() << "expects no layout for a tile in shared memory";
  if (ArrayRef(map.getValue().shape()) != shape)
    return emitError() << "expects a layout of the tile's shape, but got "
                       << map;
  return success();
}

/// `64x128xf32, reg, #tile.map<"...">` or `buffer f32`, after `!tile<`.
Type TileDialect::parseType(DialectAsmParser &parser) const {
  Type elementType;
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword("buffer"))) {
    if (parser.parseType(elementType))
      return {};
    return parser.getChecked<BufferType>(loc, getContext(), elementType);
  }
  SmallVector<int64_t> shape;
  StringRef word;
  if (parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(elementType) || parser.parseComma() ||
      parser.parseKeyword(&word))
    return {};
  std::optional<Space> space = symbolizeSpace(word);
  if (!space) {
    parser.emitError(loc) << "expects reg or smem, but got '" << word << "'";
    return {};
  }
  MapAttr map;
  if (succeeded(parser.parseOptionalComma()) && parser.parseAttribute(map))
    return {};
  return parser.getChecked<TileType>(loc, getContext(), shape, elementType,
                                     *space, map);
}

void TileDialect::printType(Type type, DialectAsmPrinter &printer) const {
  if (auto buffer = dyn_cast<BufferType>(type)) {
    printer << "buffer " << buffer.getElementType();
    return;
  }
  auto tile = cast<TileType>(type);
  for (int64_t extent : tile.getShape())
    printer << extent << "x";
  printer << tile.getElementType() << ", " << stringifySpace(tile.getSpace());
  if (tile.getMap())
    printer << ", " << tile.getMap();
}
