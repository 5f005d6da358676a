//===- TableEntry.h - Scalar functions in op syntax -------------*- C++ -*-===//
//
// The directive by which ops of both dialects spell a scalar function or a
// comparison: the bare name.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_IR_TABLEENTRY_H
#define FUSE_IR_TABLEENTRY_H

#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"

namespace fuse {

/// `custom<TableEntry>`: the bare spelling of an enum attribute's value.
template <typename AttrTy>
mlir::ParseResult parseTableEntry(mlir::OpAsmParser &parser, AttrTy &attr) {
  auto value = mlir::FieldParser<decltype(attr.getValue())>::parse(parser);
  if (failed(value))
    return mlir::failure();
  attr = AttrTy::get(parser.getContext(), *value);
  return mlir::success();
}

template <typename AttrTy>
void printTableEntry(mlir::OpAsmPrinter &printer, mlir::Operation *,
                     AttrTy attr) {
  printer << attr.getValue();
}

} // namespace fuse

#endif // FUSE_IR_TABLEENTRY_H
