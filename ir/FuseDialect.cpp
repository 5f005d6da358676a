//===- FuseDialect.cpp - The graph dialect --------------------------------===//

#include "fuse/ir/FuseDialect.h"
#include "fuse/ir/DimAnalysis.h"
#include "fuse/ir/FuseOps.h"
#include "fuse/tile/TileDialect.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuse;

template <typename Enum>
static ParseResult parseWord(AsmParser &parser, Enum &value) {
  FailureOr<Enum> word = FieldParser<Enum>::parse(parser);
  if (succeeded(word))
    value = *word;
  return failure(failed(word));
}
template <typename Enum>
static void printWord(AsmPrinter &printer, Enum value) {
  printer.getStream() << value;
}

#include "fuse/ir/FuseDialect.cpp.inc"
#include "fuse/ir/FuseEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "fuse/ir/FuseAttrs.cpp.inc"

//===----------------------------------------------------------------------===//
// Dialect
//===----------------------------------------------------------------------===//

/// True if the text of a pattern or of dim expressions names a symbol.
static bool namesSymbol(StringRef text) {
  bool inWord = false;
  for (char c : text) {
    if (!inWord && llvm::isUpper(c))
      return true;
    inWord = llvm::isAlnum(c) || c == '_';
  }
  return false;
}

/// True if the op names a dim symbol of its function.
static bool namesSymbol(Operation *op) {
  return TypeSwitch<Operation *, bool>(op)
      .Case([](DimOp op) { return namesSymbol(op.getExpr().value_or("")); })
      .Case([](IotaOp op) { return namesSymbol(op.getShape().value_or("")); })
      .Case([](SliceOp op) {
        return namesSymbol(op.getStart()) || namesSymbol(op.getStop());
      })
      .Case<BroadcastOp, ReshapeOp, AttentionOp>(
          [](auto op) { return namesSymbol(op.getPattern()); })
      .Default([](Operation *) { return false; });
}

namespace {
/// Graph ops may be inlined anywhere, but for those that name dim symbols: in
/// another function the same name may be another extent.
struct FuseInlinerInterface final : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *op, Region *, bool, IRMapping &) const final {
    return !namesSymbol(op);
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void FuseDialect::initialize() {
  registerAttributes();
  registerOps();
  addInterfaces<FuseInlinerInterface>();
}

void FuseDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "fuse/ir/FuseAttrs.cpp.inc"
      >();
}

Operation *FuseDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type || !isFuseTensor(type))
    return nullptr;
  return ConstantOp::create(builder, loc, type, elements);
}

void fuse::registerFuseDialects(DialectRegistry &registry) {
  registry.insert<FuseDialect, tile::TileDialect, arith::ArithDialect,
                  func::FuncDialect, scf::SCFDialect>();
  func::registerInlinerExtension(registry);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

int64_t fuse::getElementBytes(Type elementType) {
  return llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8);
}

bool fuse::isFuseTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getRank() > maxRank || tensor.getEncoding())
    return false;
  Type element = tensor.getElementType();
  if (!element.isF16() && !element.isBF16() && !element.isF32() &&
      !element.isF64() && !element.isSignlessInteger(32) &&
      !element.isSignlessInteger(1))
    return false;
  // A zero dim makes the tensor empty, but the others still span offsets.
  int64_t bytes = getElementBytes(element);
  for (int64_t dim : tensor.getShape())
    if (dim > 0 && llvm::MulOverflow(bytes, dim, bytes))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Discardable attributes
//===----------------------------------------------------------------------===//

/// A name the command line can spell and a file can carry.
static bool isPlainName(StringRef name) {
  return !name.empty() && llvm::all_of(name, [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.' || c == '-';
  });
}

static LogicalResult verifySymbol(Operation *op, StringRef attr,
                                  StringRef symbol) {
  std::string error;
  std::optional<DimExpr> expr = DimExpr::parse(symbol, error);
  if (expr && expr->isSymbol() && isSymbolFactor(symbol))
    return success();
  return op->emitError() << "'" << attr
                         << "' expects dim symbols such as \"N\", but got '"
                         << symbol << "'";
}

/// A number of elements; nullopt if the attribute is none.
static std::optional<int64_t> getExtent(Attribute attr) {
  auto number = dyn_cast<IntegerAttr>(attr);
  if (!number || !number.getType().isSignlessIntOrIndex() ||
      !number.getValue().isSignedIntN(64) || number.getInt() < 0)
    return std::nullopt;
  return number.getInt();
}

/// Dims of a function: expressions whose symbols have an upper-case initial,
/// so that patterns can tell them from local indices.
static LogicalResult verifyDimExpr(Operation *op, StringRef attr,
                                   StringRef text) {
  std::string error;
  std::optional<DimExpr> expr = DimExpr::parse(text, error);
  if (!expr)
    return op->emitError() << "'" << attr << "' " << error;
  if (expr->constant().value_or(0) < 0)
    return op->emitError() << "'" << attr
                           << "' expects dims of at least 0, but got '" << text
                           << "'";
  for (const std::string &symbol : expr->symbols())
    if (failed(verifySymbol(op, attr, symbol)))
      return failure();
  return success();
}

static LogicalResult verifyDims(Operation *op, Attribute attr, Type type) {
  StringRef name = FuseDialect::dimsAttr;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return op->emitError() << "'" << name << "' expects a ranked tensor, but "
                           << type << " carries it";
  auto dims = dyn_cast<ArrayAttr>(attr);
  if (!dims || static_cast<int64_t>(dims.size()) != tensor.getRank())
    return op->emitError() << "'" << name << "' expects an array of "
                           << tensor.getRank() << " dims, one per axis of "
                           << type << ", but got " << attr;
  for (auto [axis, dim] : llvm::enumerate(dims)) {
    std::optional<int64_t> extent;
    if (auto text = dyn_cast<StringAttr>(dim)) {
      std::string error;
      if (failed(verifyDimExpr(op, name, text)))
        return failure();
      extent = DimExpr::parse(text, error)->constant();
      if (!extent)
        continue;
    } else {
      extent = getExtent(dim);
    }
    if (!extent)
      return op->emitError()
             << "'" << name << "' expects strings and numbers, but got " << dim;
    if (!tensor.isDynamicDim(axis) && tensor.getDimSize(axis) != *extent)
      return op->emitError()
             << "'" << name << "' expects axis " << axis << " of " << type
             << " to be " << tensor.getDimSize(axis) << ", but got " << *extent;
  }
  return success();
}

/// Attributes that arguments and results share.
static LogicalResult verifyValueAttr(Operation *op, NamedAttribute attr,
                                     Type type) {
  if (attr.getName() == FuseDialect::nameAttr) {
    auto name = dyn_cast<StringAttr>(attr.getValue());
    if (!name || !isPlainName(name))
      return op->emitError()
             << "'fuse.name' expects a string of letters, digits, '_', '.' "
                "and '-', but got "
             << attr.getValue();
    return success();
  }
  if (attr.getName() == FuseDialect::dimsAttr)
    return verifyDims(op, attr.getValue(), type);
  return op->emitError() << "unknown attribute '" << attr.getName().getValue()
                         << "' of dialect fuse on an argument or result";
}

LogicalResult FuseDialect::verifyRegionArgAttribute(Operation *op,
                                                    unsigned /*regionIndex*/,
                                                    unsigned argIndex,
                                                    NamedAttribute attr) {
  if (attr.getName() == paramAttr) {
    if (!isa<UnitAttr>(attr.getValue()))
      return op->emitError()
             << "'fuse.param' expects no value, but got " << attr.getValue();
    return success();
  }
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function || argIndex >= function.getNumArguments())
    return op->emitError() << "'" << attr.getName().getValue()
                           << "' expects a function argument to carry it";
  return verifyValueAttr(op, attr, function.getArgumentTypes()[argIndex]);
}

LogicalResult FuseDialect::verifyRegionResultAttribute(Operation *op,
                                                       unsigned /*regionIndex*/,
                                                       unsigned resultIndex,
                                                       NamedAttribute attr) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function || resultIndex >= function.getNumResults())
    return op->emitError() << "'" << attr.getName().getValue()
                           << "' expects a function result to carry it";
  return verifyValueAttr(op, attr, function.getResultTypes()[resultIndex]);
}

static LogicalResult verifySizeHints(Operation *op, Attribute attr) {
  if (auto several = dyn_cast<ArrayAttr>(attr);
      several && !several.empty() &&
      llvm::all_of(several, llvm::IsaPred<DictionaryAttr>)) {
    for (Attribute hints : several)
      if (failed(verifySizeHints(op, hints)))
        return failure();
    return success();
  }
  auto hints = dyn_cast<DictionaryAttr>(attr);
  if (!hints)
    return op->emitError()
           << "'fuse.size_hints' expects a dictionary such as {N = 384}, or an "
              "array of them, but got "
           << attr;
  for (NamedAttribute hint : hints) {
    if (!getExtent(hint.getValue()))
      return op->emitError()
             << "'fuse.size_hints' expects an extent for '"
             << hint.getName().getValue() << "', but got " << hint.getValue();
    if (failed(verifySymbol(op, FuseDialect::sizeHintsAttr, hint.getName())))
      return failure();
  }
  return success();
}

static LogicalResult verifyFact(Operation *op, StringRef name, StringRef text) {
  std::string error;
  if (parseDimFact(text, error))
    return success();
  return op->emitError() << "'" << name << "' " << error;
}

static LogicalResult verifySizeClasses(Operation *op, Attribute attr) {
  auto classes = dyn_cast<ArrayAttr>(attr);
  auto isClass = [](Attribute entry) {
    auto fields = dyn_cast<DictionaryAttr>(entry);
    return fields && fields.size() == 2 &&
           fields.getAs<FlatSymbolRefAttr>("function") &&
           fields.getAs<StringAttr>("when");
  };
  if (!classes || !llvm::all_of(classes, isClass))
    return op->emitError()
           << "'fuse.size_classes' expects an array of {function = @f, when = "
              "\"N >= 100\"}, but got "
           << attr;
  for (auto fields : classes.getAsRange<DictionaryAttr>())
    if (failed(verifyFact(op, FuseDialect::sizeClassesAttr,
                          fields.getAs<StringAttr>("when"))))
      return failure();
  return success();
}

static LogicalResult
verifyStrings(Operation *op, NamedAttribute attr,
              function_ref<LogicalResult(StringRef)> check) {
  auto array = dyn_cast<ArrayAttr>(attr.getValue());
  if (!array || !llvm::all_of(array, llvm::IsaPred<StringAttr>))
    return op->emitError() << "'" << attr.getName().getValue()
                           << "' expects an array of strings, but got "
                           << attr.getValue();
  for (auto text : array.getAsRange<StringAttr>())
    if (failed(check(text)))
      return failure();
  return success();
}

LogicalResult FuseDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attr) {
  StringRef name = attr.getName();
  if (!isa<FunctionOpInterface>(op))
    return op->emitError() << "'" << name << "' expects a function to carry it";
  if (name == specializeAttr)
    return verifyStrings(op, attr, [&](StringRef symbol) {
      return verifySymbol(op, name, symbol);
    });
  if (name == factsAttr)
    return verifyStrings(
        op, attr, [&](StringRef text) { return verifyFact(op, name, text); });
  if (name == sizeHintsAttr)
    return verifySizeHints(op, attr.getValue());
  if (name == sizeClassesAttr)
    return verifySizeClasses(op, attr.getValue());
  if (name == relaxRoundingAttr) {
    if (!isa<UnitAttr>(attr.getValue()))
      return op->emitError()
             << "'fuse.relax_rounding' expects no value, but got "
             << attr.getValue();
    return success();
  }
  return op->emitError() << "unknown attribute '" << name
                         << "' of dialect fuse on a function";
}
