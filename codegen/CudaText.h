//===- CudaText.h - Spelling of types and numbers --------------*- C++ -*-===//

#ifndef FUSE_CODEGEN_CUDATEXT_H
#define FUSE_CODEGEN_CUDATEXT_H

#include "fuse/ir/DimExpr.h"
#include "fuse/ir/ScalarFn.h"
#include "fuse/tile/FragmentMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include <string>

namespace fuse {

/// `float`, `double`, `Half`, `BFloat16`, `int` or `bool`.
StringRef typeText(mlir::Type elementType);
/// A number that reads back to the same bits, such as `1e-05f`; infinities and
/// NaN by their functions in the device header.
std::string numberText(mlir::Attribute value);
/// `FragmentMap<4, Dim<Warp<4>, Lane<8, 4>>, Dim<...>>`
std::string mapText(const tile::FragmentMap &map);
/// The function of the device header that applies a scalar function to tiles.
std::string functionText(ScalarFn fn);
std::string functionText(Comparison comparison);
/// An extent over symbols of the same names, as an expression in 64 bits.
std::string dimText(const DimExpr &expr,
                    function_ref<StringRef(StringRef)> symbolName);

} // namespace fuse

#endif // FUSE_CODEGEN_CUDATEXT_H
