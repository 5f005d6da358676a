//===- FragmentMap.h - Where the elements of a tile live -------*- C++ -*-===//
//
// A register tile is a small dense block whose elements are spread over the
// registers, lanes and warps of a thread block. A `FragmentMap` says which
// thread holds which element in which register: each dim of the tile is an
// ordered list of digits, and each digit is read off the register number, the
// lane number or the warp number.
//
//   warps 4, [warp 4@1, lane 8@4], [reg 2@4, lane 4@1, reg 4@1]
//
// is a tile of 32 x 32: row = warp * 8 + lane / 4, column = reg / 4 * 16 +
// lane % 4 * 4 + reg % 4.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_IR_TILE_FRAGMENTMAP_H
#define FUSE_IR_TILE_FRAGMENTMAP_H

#include "fuse/ir/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace fuse::tile {

constexpr int64_t kLanes = 32;
/// Threads of a block are at most 1024.
constexpr int64_t kMaxWarps = 32;
/// Far beyond the 255 registers of a thread: a limit on nonsense only.
constexpr int64_t kMaxRegisters = 1 << 16;

/// Whose number a digit is read off.
enum class Owner { Register, Lane, Warp };

/// One digit of a coordinate: `(index / stride) % extent`, where `index` is the
/// register, lane or warp number.
struct Factor {
  Owner owner;
  int64_t extent;
  int64_t stride;
  bool operator==(const Factor &other) const {
    return owner == other.owner && extent == other.extent &&
           stride == other.stride;
  }
  bool operator!=(const Factor &other) const { return !(*this == other); }
};

/// The digits of one dim, outermost first.
using FragmentDim = SmallVector<Factor, 4>;

/// One place in a thread block.
struct Holder {
  int64_t reg, lane, warp;
  bool operator==(const Holder &other) const {
    return reg == other.reg && lane == other.lane && warp == other.warp;
  }
};

/// What it takes to bring a tile from one map to another, cheapest first.
enum class Conversion {
  Same,      ///< the maps are equal
  Registers, ///< every thread renames its registers, all in the same way
  Lanes,     ///< every warp already holds what it needs
  Shared     ///< values cross warps, through shared memory
};

/// Immutable, and always in normal form: no digit has extent 1, and neighbours
/// that read adjacent digits of one owner are one digit. Two maps that are the
/// same function are therefore equal.
class FragmentMap {
public:
  /// A tile of rank 0 in one warp: every lane holds a replica.
  FragmentMap() = default;

  /// The map with these digits. Digits of one owner must be apart: in order of
  /// strides, each stride is a multiple of the previous `stride * extent`, and
  /// the last `stride * extent` divides 32 (lanes) or `warps`. Registers must
  /// be dense: each stride equals the previous `stride * extent`. Lane and warp
  /// digits that nobody reads number replicas. On failure returns nullopt and
  /// sets `error` to one sentence.
  static std::optional<FragmentMap>
  get(int64_t warps, ArrayRef<FragmentDim> dims, std::string &error);

  /// Parses what `str` prints. On failure returns nullopt and sets `error`.
  static std::optional<FragmentMap> parse(StringRef text, std::string &error);
  std::string str() const;

  int64_t rank() const { return dims.size(); }
  /// Elements along dim `dim`.
  int64_t extent(int64_t dim) const;
  SmallVector<int64_t> shape() const;
  ArrayRef<Factor> factors(int64_t dim) const { return dims[dim]; }
  int64_t warps() const { return numWarps; }
  /// Registers of a thread, one element each.
  int64_t registers() const;
  /// How many places hold each element.
  int64_t replication() const;

  /// The element in a place, one coordinate a dim.
  SmallVector<int64_t> coordinates(int64_t reg, int64_t lane,
                                   int64_t warp) const;
  /// All places of an element, by ascending warp, lane and register.
  SmallVector<Holder> holders(ArrayRef<int64_t> coordinates) const;

  /// The map of a tile without dim `dim`: its registers are gone (the others
  /// are renumbered in order), its lanes and warps hold replicas.
  FragmentMap sliceDim(int64_t dim) const;
  /// What a reduction of dim `dim` within each warp leaves: of the dim only the
  /// warp digits remain, in their order.
  FragmentMap partialDim(int64_t dim) const;
  /// Dim `i` of the result is dim `permutation[i]` of this map.
  FragmentMap permute(ArrayRef<int64_t> permutation) const;
  /// The map of the same elements in row-major order under another shape: no
  /// place changes. Fails if a dim of `shape` would end within a digit that it
  /// does not divide; never for powers of two.
  std::optional<FragmentMap> reshape(ArrayRef<int64_t> shape) const;
  /// The map of a larger tile, made of copies of this one: along dim `d`,
  /// `warpCopies[d]` outermost, held by further warps, and within each
  /// `registerCopies[d]`, held by further registers. Last dims are numbered
  /// first. Copies are at least 1; their warps must not exceed `kMaxWarps`.
  FragmentMap repeat(ArrayRef<int64_t> registerCopies,
                     ArrayRef<int64_t> warpCopies) const;

  /// How many consecutive coordinates along dim `dim` sit in consecutive
  /// registers: the widest vector access there.
  int64_t registerStep(int64_t dim) const;

  bool operator==(const FragmentMap &other) const {
    return numWarps == other.numWarps && dims == other.dims;
  }
  bool operator!=(const FragmentMap &other) const { return !(*this == other); }
  friend llvm::hash_code hash_value(const FragmentMap &map);

private:
  FragmentMap(int64_t warps, ArrayRef<FragmentDim> digits);

  int64_t numWarps = 1;
  SmallVector<FragmentDim, 4> dims;
};

llvm::hash_code hash_value(const FragmentMap &map);

/// What it takes to bring a tile from `from` to `to`; both have one shape and
/// one number of warps.
Conversion conversion(const FragmentMap &from, const FragmentMap &to);

//===----------------------------------------------------------------------===//
// Constructors
//===----------------------------------------------------------------------===//

/// The default for tiles that are loaded, mapped and reduced along rows: the
/// last dim goes to `vector` registers (as many of them as divide it), then to
/// lanes; what lanes are left go to the dims before it, and warps to dims from
/// the first on. Lanes take powers of two that divide an extent and warps any
/// divisor; the rest of an extent is registers, and lanes or warps that find
/// nothing hold replicas. Warps get nothing of the dim `whole`, along which
/// tiles are to be reduced; if it is not the last one, they choose before lanes
/// do. Works for all extents from 1 on.
FragmentMap rowBlocked(ArrayRef<int64_t> shape, int64_t warps, int64_t vector,
                       std::optional<int64_t> whole = std::nullopt);

/// The accumulator of a contraction by fused multiply-adds: `shape[0]` x
/// `shape[1]` elements in warp tiles, each of 32 thread tiles. A thread tile is
/// split into vectors of up to 4 that lie apart by the width of the lanes, so
/// that operands in shared memory are read 16 bytes at a time and the lanes of
/// a read are neighbours: no bank conflicts. Fails if the tiles do not divide
/// each other, a warp tile is not 32 thread tiles, or there are not `warps`
/// warp tiles. With `rowsAreNeighbours` a vector's rows, and not its columns,
/// are in registers side by side, so that one access stores them.
std::optional<FragmentMap>
ffmaAccumulator(std::pair<int64_t, int64_t> shape, int64_t warps,
                std::pair<int64_t, int64_t> warpTile,
                std::pair<int64_t, int64_t> threadTile, std::string &error,
                bool rowsAreNeighbours = false);

// Fragments of `mma.sync`, for one warp, as the PTX ISA numbers registers and
// elements within registers; larger tiles are `repeat`s of them.

/// C and D of m16n8k16 and m16n8k8: 16 x 8, 4 registers.
FragmentMap mmaAccumulator16x8();
/// A of m16n8k16 for bf16 and f16: M x K, 8 elements a thread.
FragmentMap mmaOperandA16x16();
/// B of m16n8k16 for bf16 and f16: K x N, 4 elements a thread.
FragmentMap mmaOperandB16x8();
/// A of m16n8k8 for tf32: M x K, 4 registers.
FragmentMap mmaOperandA16x8();
/// B of m16n8k8 for tf32: K x N, 2 registers.
FragmentMap mmaOperandB8x8();

// Fragments of `wgmma`, for one warp group (4 warps).

/// D of m64nNk16 and m64nNk8: 64 x `columns`, a multiple of 8 up to 256.
FragmentMap wgmmaAccumulator(int64_t columns);
/// A in registers of m64nNk16 for bf16 and f16: 64 x 16.
FragmentMap wgmmaOperandA64x16();
/// A in registers of m64nNk8 for tf32: 64 x 8.
FragmentMap wgmmaOperandA64x8();

} // namespace fuse::tile

#endif // FUSE_IR_TILE_FRAGMENTMAP_H
