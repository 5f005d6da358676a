//===- FuseOps.cpp - Construction, parsing and printing of graph ops ------===//

#include "fuse/ir/FuseOps.h"
#include "fuse/ir/TableEntry.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuse;

//===----------------------------------------------------------------------===//
// Table entries: scalar functions and comparisons
//===----------------------------------------------------------------------===//

static std::string allComparisons() { return "eq, ne, lt, le, gt, ge"; }

static std::string allScalarFns() {
  return llvm::join(scalarFnSpellings(), ", ");
}

template <typename Enum, typename Symbolize>
static FailureOr<Enum> parseSpelling(AsmParser &parser, Symbolize symbolize,
                                     const char *what, std::string all) {
  StringRef spelling;
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword(&spelling))) {
    parser.emitError(loc) << "expects " << what << ", one of " << all;
    return failure();
  }
  if (std::optional<Enum> value = symbolize(spelling))
    return *value;
  parser.emitError(loc) << "expects " << what << ", one of " << all
                        << ", but got '" << spelling << "'";
  return failure();
}

FailureOr<ScalarFn> FieldParser<ScalarFn>::parse(AsmParser &parser) {
  return parseSpelling<ScalarFn>(parser, symbolizeScalarFn, "a scalar function",
                                 allScalarFns());
}

FailureOr<Comparison> FieldParser<Comparison>::parse(AsmParser &parser) {
  return parseSpelling<Comparison>(parser, symbolizeComparison, "a comparison",
                                   allComparisons());
}

//===----------------------------------------------------------------------===//
// Optional clauses: printed only when they differ from the default
//===----------------------------------------------------------------------===//

template <typename Enum, typename AttrTy>
static ParseResult parseEnumClause(OpAsmParser &parser, StringRef keyword,
                                   AttrTy &attr, Enum defaultValue,
                                   std::optional<Enum> (*symbolize)(StringRef),
                                   StringRef all) {
  attr = AttrTy::get(parser.getContext(), defaultValue);
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  StringRef spelling;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&spelling))
    return failure();
  std::optional<Enum> value = symbolize(spelling);
  if (!value)
    return parser.emitError(loc) << "'" << keyword << "' expects " << all
                                 << ", but got '" << spelling << "'";
  attr = AttrTy::get(parser.getContext(), *value);
  return success();
}

static ParseResult parsePrecisionClause(OpAsmParser &parser,
                                        PrecisionAttr &attr) {
  return parseEnumClause(parser, "precision", attr, Precision::Ieee,
                         symbolizePrecision,
                         "ieee, bf16x6, bf16x3, tf32 or bf16");
}

static void printPrecisionClause(OpAsmPrinter &printer, Operation *,
                                 PrecisionAttr attr) {
  if (attr.getValue() != Precision::Ieee)
    printer << " precision " << stringifyPrecision(attr.getValue());
}

static ParseResult parseMaskedRowsClause(OpAsmParser &parser,
                                         MaskedRowsAttr &attr) {
  return parseEnumClause(parser, "masked_rows", attr, MaskedRows::Nan,
                         symbolizeMaskedRows, "nan or zero");
}

static void printMaskedRowsClause(OpAsmPrinter &printer, Operation *,
                                  MaskedRowsAttr attr) {
  if (attr.getValue() != MaskedRows::Nan)
    printer << " masked_rows " << stringifyMaskedRows(attr.getValue());
}

static ParseResult parseF64Literal(OpAsmParser &parser, FloatAttr &attr) {
  double value;
  if (parser.parseFloat(value))
    return failure();
  attr = parser.getBuilder().getF64FloatAttr(value);
  return success();
}

static void printF64Literal(OpAsmPrinter &printer, Operation *,
                            FloatAttr attr) {
  printer.printFloat(attr.getValue());
}

static constexpr double defaultEps = 1.0e-5;

static ParseResult parseEpsClause(OpAsmParser &parser, FloatAttr &attr) {
  if (succeeded(parser.parseOptionalKeyword("eps")))
    return parseF64Literal(parser, attr);
  attr = parser.getBuilder().getF64FloatAttr(defaultEps);
  return success();
}

static void printEpsClause(OpAsmPrinter &printer, Operation *op,
                           FloatAttr attr) {
  if (attr.getValueAsDouble() == defaultEps)
    return;
  printer << " eps ";
  printF64Literal(printer, op, attr);
}

/// `: tensor<...> -> tensor<...>` with a source, `: tensor<...>` without.
static ParseResult
parseOptionalSourceType(OpAsmParser &parser,
                        std::optional<OpAsmParser::UnresolvedOperand> source,
                        Type &sourceType, Type &resultType) {
  if (source && (parser.parseType(sourceType) || parser.parseArrow()))
    return failure();
  return parser.parseType(resultType);
}

static void printOptionalSourceType(OpAsmPrinter &printer, Operation *,
                                    Value source, Type sourceType,
                                    Type resultType) {
  if (source)
    printer << sourceType << " -> ";
  printer << resultType;
}

//===----------------------------------------------------------------------===//
// ConstantOp
//===----------------------------------------------------------------------===//

/// One element as written: a truth value or an integer, or a float. The type
/// follows only after the value, so floats are read as f64 and rounded then.
struct ElementLiteral {
  std::optional<APInt> integer;
  APFloat real = APFloat(0.0);
  /// Written as `0x...`: the bits of a float, as in MLIR's attributes.
  bool isBits = false;
};

static ParseResult parseElement(OpAsmParser &parser, ElementLiteral &element) {
  StringRef keyword;
  if (succeeded(parser.parseOptionalKeyword(&keyword, {"true", "false"}))) {
    element.integer = APInt(64, keyword == "true");
    return success();
  }
  bool negative = succeeded(parser.parseOptionalMinus());
  SMLoc loc = parser.getCurrentLocation();
  if (negative &&
      (succeeded(parser.parseOptionalMinus()) ||
       succeeded(parser.parseOptionalKeyword(&keyword, {"true", "false"}))))
    return parser.emitError(loc) << "expects a number after '-'";
  if (succeeded(parser.parseOptionalKeyword("inf"))) {
    element.real = APFloat::getInf(APFloat::IEEEdouble(), negative);
    return success();
  }
  if (succeeded(parser.parseOptionalKeyword("nan"))) {
    element.real = APFloat::getNaN(APFloat::IEEEdouble(), negative);
    return success();
  }
  if (StringRef(loc.getPointer(), 2) == "0x") {
    APInt bits;
    OptionalParseResult result = parser.parseOptionalInteger(bits);
    if (failed(*result))
      return failure();
    // Without the leading zero that keeps it from being negative.
    element.integer = bits.zextOrTrunc(std::max(64u, bits.getActiveBits()));
    if (negative)
      element.integer->negate();
    element.isBits = !negative;
    return success();
  }
  int64_t integer = 0;
  OptionalParseResult isInteger = parser.parseOptionalInteger(integer);
  if (isInteger.has_value()) {
    // Zero may be the integer of `-0`, which only floats tell from 0.
    element.integer = APInt(64, negative ? -integer : integer, true);
    element.real = APFloat(negative && integer == 0 ? -0.0 : 0.0);
    return *isInteger;
  }
  double real;
  if (parser.parseFloat(real))
    return failure();
  element.real = APFloat(negative ? -real : real);
  return success();
}

/// A nested list; `shape` gets its extents as the lists are read.
static ParseResult parseElementList(OpAsmParser &parser, unsigned depth,
                                    SmallVectorImpl<int64_t> &shape,
                                    SmallVectorImpl<ElementLiteral> &elements) {
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalLSquare())) {
    if (depth != shape.size())
      return parser.emitError(loc)
             << "expects lists nested " << shape.size() << " deep";
    return parseElement(parser, elements.emplace_back());
  }
  bool first = depth == shape.size();
  if (first && !elements.empty())
    return parser.emitError(loc)
           << "expects lists nested " << shape.size() << " deep";
  if (depth >= maxRank)
    return parser.emitError(loc)
           << "expects lists nested at most " << maxRank << " deep";
  if (first)
    shape.push_back(0);
  int64_t length = 0;
  if (failed(parser.parseOptionalRSquare())) {
    do {
      if (parseElementList(parser, depth + 1, shape, elements))
        return failure();
      ++length;
    } while (succeeded(parser.parseOptionalComma()));
    if (parser.parseRSquare())
      return failure();
  }
  if (first)
    shape[depth] = length;
  if (shape[depth] != length)
    return parser.emitError(loc) << "expects a list of " << shape[depth]
                                 << " elements, but got " << length;
  return success();
}

/// An empty list says nothing about the axes below it.
static bool hasShape(ArrayRef<int64_t> list, ArrayRef<int64_t> shape) {
  if (!list.empty() && list.back() == 0)
    shape = shape.take_front(list.size());
  return list == shape;
}

/// The element in the bits of `type`; nullopt if the type cannot hold it.
static std::optional<Attribute> toAttribute(const ElementLiteral &element,
                                            Type type) {
  if (auto floatType = dyn_cast<FloatType>(type)) {
    if (element.isBits) {
      if (!element.integer->isIntN(floatType.getWidth()))
        return std::nullopt;
      return FloatAttr::get(
          type, APFloat(floatType.getFloatSemantics(),
                        element.integer->trunc(floatType.getWidth())));
    }
    APFloat value = element.real;
    if (element.integer && !element.integer->isZero())
      value.convertFromAPInt(*element.integer, /*IsSigned=*/true,
                             APFloat::rmNearestTiesToEven);
    bool losesInfo;
    value.convert(floatType.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return FloatAttr::get(type, value);
  }
  unsigned width = type.getIntOrFloatBitWidth();
  if (!element.integer || (width == 1 ? element.integer->ugt(1)
                                      : !element.integer->isSignedIntN(width)))
    return std::nullopt;
  return IntegerAttr::get(type, element.integer->trunc(width));
}

static ParseResult parseConstantValue(OpAsmParser &parser, ElementsAttr &value,
                                      Type &type) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  SmallVector<ElementLiteral> elements;
  if (parseElementList(parser, 0, shape, elements))
    return failure();
  SMLoc typeLoc = parser.getCurrentLocation();
  if (parser.parseColonType(type))
    return failure();
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !isFuseTensor(tensor) || !tensor.hasStaticShape())
    return parser.emitError(typeLoc)
           << "expects a static tensor of f16, bf16, f32, f64, i32 or i1, but "
              "got "
           << type;
  bool isSplat = shape.empty();
  if (!isSplat && !hasShape(shape, tensor.getShape()))
    return parser.emitError(loc)
           << "expects a list of shape [" << tensor.getShape()
           << "], but got one of shape [" << ArrayRef<int64_t>(shape) << "]";
  SmallVector<Attribute> attrs;
  for (const ElementLiteral &element : elements) {
    std::optional<Attribute> attr =
        toAttribute(element, tensor.getElementType());
    if (!attr)
      return parser.emitError(loc)
             << "expects elements of " << tensor.getElementType();
    attrs.push_back(*attr);
  }
  value = DenseElementsAttr::get(tensor, attrs);
  return success();
}

static void printElement(OpAsmPrinter &printer, Attribute attr) {
  if (auto integer = dyn_cast<IntegerAttr>(attr)) {
    if (integer.getType().isInteger(1))
      printer << (integer.getValue().isZero() ? "false" : "true");
    else
      printer << integer.getValue().getSExtValue();
    return;
  }
  APFloat value = cast<FloatAttr>(attr).getValue();
  if (value.isInfinity())
    printer << (value.isNegative() ? "-inf" : "inf");
  else if (value.bitwiseIsEqual(
               APFloat::getNaN(value.getSemantics(), value.isNegative())))
    printer << (value.isNegative() ? "-nan" : "nan");
  else if (value.isNaN())
    printer << "0x" << llvm::toString(value.bitcastToAPInt(), 16, false);
  else
    printer.printFloat(value);
}

static void printElementList(OpAsmPrinter &printer, ArrayRef<int64_t> shape,
                             DenseElementsAttr::AttributeElementIterator &it) {
  if (shape.empty())
    return printElement(printer, *it++);
  printer << "[";
  for (int64_t i = 0; i < shape.front(); ++i) {
    if (i)
      printer << ", ";
    printElementList(printer, shape.drop_front(), it);
  }
  printer << "]";
}

static void printConstantValue(OpAsmPrinter &printer, ConstantOp,
                               ElementsAttr value, Type type) {
  auto dense = cast<DenseElementsAttr>(value);
  if (dense.isSplat()) {
    printElement(printer, dense.getSplatValue<Attribute>());
  } else {
    auto it = dense.getValues<Attribute>().begin();
    printElementList(printer, dense.getType().getShape(), it);
  }
  printer << " : " << type;
}

void ConstantOp::build(OpBuilder &builder, OperationState &state,
                       RankedTensorType type, double value) {
  Type element = type.getElementType();
  Attribute attr = isa<FloatType>(element)
                       ? Attribute(builder.getFloatAttr(element, value))
                       : builder.getIntegerAttr(element, (int64_t)value);
  build(builder, state, type, DenseElementsAttr::get(type, attr));
}

void ConstantOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "cst");
}

//===----------------------------------------------------------------------===//
// Builders
//===----------------------------------------------------------------------===//

void DimOp::build(OpBuilder &builder, OperationState &state, Value source,
                  int64_t axis, Type elementType) {
  build(builder, state, RankedTensorType::get({}, elementType), source,
        builder.getI64IntegerAttr(axis), StringAttr());
}

void DimOp::build(OpBuilder &builder, OperationState &state, StringRef expr,
                  Type elementType) {
  build(builder, state, RankedTensorType::get({}, elementType), Value(),
        IntegerAttr(), builder.getStringAttr(expr));
}

void IotaOp::build(OpBuilder &builder, OperationState &state, Value like,
                   int64_t axis, Type elementType) {
  auto type = cast<RankedTensorType>(like.getType());
  build(builder, state, type.clone(elementType), like, axis, StringAttr());
}

void MapOp::build(OpBuilder &builder, OperationState &state, ScalarFn fn,
                  ValueRange inputs) {
  build(builder, state, ScalarFnAttr::get(builder.getContext(), fn), inputs);
}

void CastOp::build(OpBuilder &builder, OperationState &state, Value source,
                   Type elementType) {
  auto type = cast<RankedTensorType>(source.getType());
  build(builder, state, type.clone(elementType), source);
}

bool fuse::isProduct(EinsumOp op) {
  auto [operands, result] = op.getIndices().split("->");
  return op.getInputs().size() == 2 && op.getPrecision() == Precision::Ieee &&
         llvm::all_of(operands, [kept = result](char letter) {
           return !llvm::isAlpha(letter) || kept.contains(letter);
         });
}

void EinsumOp::build(OpBuilder &builder, OperationState &state,
                     StringRef indices, ValueRange inputs, Precision precision,
                     Type elementType) {
  build(builder, state, builder.getStringAttr(indices), inputs,
        PrecisionAttr::get(builder.getContext(), precision));
  if (elementType)
    for (Type &type : state.types)
      type = cast<RankedTensorType>(type).clone(elementType);
}

void YieldOp::build(OpBuilder &builder, OperationState &state) {
  build(builder, state, Value());
}

//===----------------------------------------------------------------------===//
// AttentionOp
//===----------------------------------------------------------------------===//

IndexMapping AttentionOp::getMapping() {
  std::string error;
  return *IndexMapping::parse(getPattern(), error);
}

IndexPattern AttentionOp::getScorePattern() {
  std::string error;
  return *IndexPattern::parse(getScores(), error);
}

RankedTensorType AttentionOp::getScoreType() {
  return cast<RankedTensorType>(getScoreBody()->getArgument(0).getType());
}

Value AttentionOp::getYieldedScores() {
  return cast<YieldOp>(getScoreBody()->getTerminator()).getScores();
}

Type AttentionOp::getComputeType() {
  Type f64 = Float64Type::get(getContext());
  for (Value operand : getOperands())
    if (cast<RankedTensorType>(operand.getType()).getElementType() == f64)
      return f64;
  return Float32Type::get(getContext());
}

//===----------------------------------------------------------------------===//
// Generated definitions
//===----------------------------------------------------------------------===//

#include "fuse/ir/FuseInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "fuse/ir/FuseOps.cpp.inc"

void FuseDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "fuse/ir/FuseOps.cpp.inc"
      >();
}
