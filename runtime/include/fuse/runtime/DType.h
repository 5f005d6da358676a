//===- DType.h - element types and exact conversions ------------*- C++ -*-===//
//
// Every conversion below goes straight to or from double, in one rounding to
// nearest, ties to even. Subnormals, signed zeros and infinities are exact; a
// NaN stays a NaN of the same sign.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_DTYPE_H
#define FUSE_RUNTIME_DTYPE_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace fuse::rt {

enum class DType : uint8_t { F16, BF16, F32, F64, I32, Bool };

/// All of them, for tables and tests.
inline constexpr DType kAllDTypes[] = {DType::F16, DType::BF16, DType::F32,
                                       DType::F64, DType::I32,  DType::Bool};

/// Bytes of one element: 2, 2, 4, 8, 4, 1.
int64_t dtypeSize(DType dtype);

/// The name as MLIR spells it: f16, bf16, f32, f64, i32, i1.
std::string_view dtypeName(DType dtype);

/// The inverse of `dtypeName`.
std::optional<DType> parseDType(std::string_view name);

/// True for f16, bf16, f32 and f64.
bool isFloat(DType dtype);

/// IEEE binary16, as its bits. All 65536 patterns survive the way to double
/// and back, NaN payloads included.
uint16_t f16FromDouble(double value);
double f16ToDouble(uint16_t bits);

/// bfloat16, as its bits; the upper half of a float. Same guarantee.
uint16_t bf16FromDouble(double value);
double bf16ToDouble(uint16_t bits);

/// The value of the element at `from`, in host byte order, at any alignment.
/// Exact for every type; true is 1.
double decodeElement(DType dtype, const void *from);

/// Stores `value` at `to`, rounded to `dtype`. Total: i32 rounds to the nearest
/// integer (ties to even), saturates, and takes NaN to 0; bool is `value != 0`.
void encodeElement(DType dtype, double value, void *to);

/// `value` rounded to `dtype`, as `encodeElement` does it.
double roundToDType(DType dtype, double value);

} // namespace fuse::rt

#endif // FUSE_RUNTIME_DTYPE_H
