//===- Abi.h - what compiler and runtime agree on ----------------*- C -*-===//
//
// An artifact is a compiled program in one file, `<program>.fuse`:
//
//   FuseArtifactHeader     88 bytes, numbers little-endian
//   manifest               `manifestBytes` of JSON in UTF-8
//   blobs                  `blobBytes`: source texts and cubins, end to end
//
// The manifest is one object. `[...]` is a list, `?` marks what may be absent:
//
//   name         the program
//   producer?    who wrote it, for people
//   dims         names of the runtime dims, in the order of a launch's `dims`
//   constants    {name, value}: dims that were specialised
//   arguments    [{name, dtype, shape, alignment, param?}]
//   results      [{name, dtype, shape, alignment}]
//   sources      [{name, blob, options, ieee}]: a blob is named by its index
//   cubins       [{source, arch, blob}]: sources compiled ahead of time
//   kernels      [{name, source, predicted?}]
//   plans        [{name, guard, workspace, launches}], the first that serves
//                is taken
//   blobs        sizes in bytes, in order
//
//   guard        [{condition, message}], all of which must hold
//   launches     [{kernel, grid, threads, shared, overlap?, independent?,
//                operands}] in order
//   operands     {argument: index} | {result: index} | {workspace: offset}
//                | {scalar: expression}: pointers and 64-bit integers
//   shape        a list of expressions; row-major, which is all that is served
//
// `alignment` is in bytes and a power of two. `workspace`, offsets, `grid`
// (blocks in x), conditions, shapes and scalars are integer expressions:
// postfix lists of numbers, names of dims and constants, and the operators
// below, such as ["B", "N", 64, "ceildiv", "mul"]. All arithmetic is in 64 bits
// and checked: an overflow is an error, never a wrong size.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_ABI_H
#define FUSE_RUNTIME_ABI_H

#include <stdint.h> // NOLINT(modernize-deprecated-headers): this is C

#ifdef __cplusplus
extern "C" {
#endif

/// The first bytes of an artifact. The high bit and the line ends show a file
/// that was taken for text on its way.
#define FUSE_ARTIFACT_MAGIC                                                    \
  "\x89"                                                                       \
  "FUSE\r\n\x1a"
#define FUSE_ARTIFACT_MAGIC_BYTES 8

/// Raised whenever a reader of the version before could not read a file or
/// would run it wrongly. Readers take their own version only.
#define FUSE_ARTIFACT_VERSION 2u

#define FUSE_CHECKSUM_BYTES 32

typedef struct FuseArtifactHeader {
  uint8_t magic[FUSE_ARTIFACT_MAGIC_BYTES];
  uint32_t version;
  uint32_t headerBytes; ///< sizeof(FuseArtifactHeader).
  uint64_t manifestBytes;
  uint64_t blobBytes;
  uint64_t reserved[3]; ///< 0.
  /// SHA-256 of all other bytes of the file, in order.
  uint8_t checksum[FUSE_CHECKSUM_BYTES];
} FuseArtifactHeader;

/// Limits that both sides keep to.
enum FuseLimit {
  FUSE_MAX_RANK = 8,
  FUSE_MAX_DIMS = 64,      ///< Runtime dims, and as many constants.
  FUSE_MAX_TENSORS = 1024, ///< Arguments, and as many results.
  FUSE_MAX_KERNELS = 1024,
  FUSE_MAX_PLANS = 3,
  FUSE_MAX_LAUNCHES = 1024, ///< Of one plan.
  FUSE_MAX_OPERANDS = 64,   ///< Of one launch.
  FUSE_MAX_EXPR_TERMS = 512,
  FUSE_MAX_EXPR_DEPTH = 32, ///< Values that wait for their operator.
  FUSE_MAX_BLOCK_THREADS = 1024,
  FUSE_MAX_GRID_BLOCKS = 2147483647,
  FUSE_MAX_ALIGNMENT = 256, ///< Also what a workspace is aligned to.
  FUSE_MAX_MANIFEST_BYTES = 16 << 20,
  FUSE_MAX_JSON_DEPTH = 32
};

/// Element types. In a manifest they are f16, bf16, f32, f64, i32 and i1.
typedef enum FuseDType {
  FUSE_DTYPE_F16 = 0,
  FUSE_DTYPE_BF16 = 1,
  FUSE_DTYPE_F32 = 2,
  FUSE_DTYPE_F64 = 3,
  FUSE_DTYPE_I32 = 4,
  FUSE_DTYPE_BOOL = 5 ///< One byte, 0 or 1.
} FuseDType;

/// What a term of an integer expression does. Two of the values that wait are
/// replaced by the result of an operator, the last one being its right side.
typedef enum FuseExprOp {
  FUSE_EXPR_CONSTANT = 0, ///< A number.
  FUSE_EXPR_DIM = 1,      ///< The extent of a runtime dim.
  FUSE_EXPR_ADD,
  FUSE_EXPR_SUB,
  FUSE_EXPR_MUL,
  FUSE_EXPR_FLOORDIV, ///< Rounds down; by 0 is an error.
  FUSE_EXPR_CEILDIV,  ///< Rounds up; by 0 is an error.
  FUSE_EXPR_MOD,      ///< a - b * floordiv(a, b): has the sign of b.
  FUSE_EXPR_MIN,
  FUSE_EXPR_MAX,
  FUSE_EXPR_EQ, ///< Comparisons and conditions give 1 or 0.
  FUSE_EXPR_NE,
  FUSE_EXPR_LT,
  FUSE_EXPR_LE,
  FUSE_EXPR_GT,
  FUSE_EXPR_GE,
  FUSE_EXPR_AND, ///< Both are nonzero. Both are evaluated.
  FUSE_EXPR_OR,  ///< One is nonzero. Both are evaluated.
  FUSE_EXPR_NUM_OPS
} FuseExprOp;

#ifdef __cplusplus
}
#endif

#endif // FUSE_RUNTIME_ABI_H
