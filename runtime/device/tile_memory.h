//===- tile_memory.h - tiles from and to memory -----------------*- C++ -*-===//
//
// Global memory is addressed by a base that points at the tile's origin, and by
// strides. Element (c0, c1, ...) exists if each coordinate is below its limit;
// others are neither read nor written. `Vector` is how many elements one access
// moves, along the dim that the map's registers count, where the stride is 1.
// Base, other strides and limits are multiples of it; with `AnyStride` whether
// they are is looked up once a tile, by the same branch for all threads, and
// else elements are moved one by one.
//
// Between threads that write shared memory and threads that read it lies a
// barrier, which is the kernel's.

#ifndef FUSE_RUNTIME_TILE_MEMORY_H
#define FUSE_RUNTIME_TILE_MEMORY_H

#include "tile.h"

namespace fuse {

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// `Count` consecutive elements, in accesses as wide as there are.
template <int Count, class T>
FUSE_INLINE void load_elements(T *registers, const T *memory) {
  constexpr int bytes = Count * static_cast<int>(sizeof(T));
  if constexpr (bytes > 16) {
    load_elements<Count / 2>(registers, memory);
    load_elements<Count / 2>(registers + Count / 2, memory + Count / 2);
  } else if constexpr (Count > 1 && bytes >= 4) {
    load_vector<bytes>(registers, memory);
  } else {
    FUSE_UNROLL
    for (int i = 0; i < Count; ++i)
      registers[i] = memory[i];
  }
}

template <int Count, class T>
FUSE_INLINE void store_elements(T *memory, const T *registers) {
  constexpr int bytes = Count * static_cast<int>(sizeof(T));
  if constexpr (bytes > 16) {
    store_elements<Count / 2>(memory, registers);
    store_elements<Count / 2>(memory + Count / 2, registers + Count / 2);
  } else if constexpr (Count > 1 && bytes >= 4) {
    store_vector<bytes>(memory, registers);
  } else {
    FUSE_UNROLL
    for (int i = 0; i < Count; ++i)
      memory[i] = registers[i];
  }
}

/// Distance of the element in register `reg` from this thread's first one.
template <class Map>
FUSE_INLINE int64_t register_offset(Index<Map::rank> stride, int reg) {
  int64_t offset = 0;
  FUSE_UNROLL
  for (int d = 0; d < Map::rank; ++d)
    offset += Map::register_coordinate(d, reg) * stride[d];
  return offset;
}

/// Distance of this thread's first element from the tile's origin.
template <class Map>
FUSE_INLINE int64_t thread_offset(Index<Map::rank> stride) {
  int64_t offset = 0;
  FUSE_UNROLL
  for (int d = 0; d < Map::rank; ++d)
    offset += Map::thread_coordinate(d) * stride[d];
  return offset;
}

/// The element `offset + constant` elements behind `base`; both are multiples
/// of `Count`, a power of two. Steps are whole runs: compilers split an access
/// where they lose sight of its alignment in sums of element numbers.
template <int Count, class T>
FUSE_INLINE T *run_at(T *base, int64_t offset, int64_t constant) {
  using Run = T[Count];
  constexpr int shift = Count == 8 ? 3 : Count == 4 ? 2 : Count == 2 ? 1 : 0;
  static_assert(Count == 1 << shift, "expects runs of 1, 2, 4 or 8 elements");
  return *(reinterpret_cast<Run *>(base) + (offset >> shift) +
           (constant >> shift));
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

/// True if all elements of the tile exist.
template <class Map>
FUSE_INLINE bool is_whole(Index<Map::rank> limit) {
  bool whole = true;
  FUSE_UNROLL
  for (int d = 0; d < Map::rank; ++d)
    whole = whole && limit[d] >= Map::extent(d);
  return whole;
}

/// A limit within a dim, where comparing needs no 64 bits.
FUSE_INLINE int limit_within(int extent, int64_t limit) {
  return limit >= extent ? extent : limit < 0 ? 0 : static_cast<int>(limit);
}

/// The limits as this thread sees them: the element in a register exists if the
/// register's part of each coordinate is below `part[d]`. Where the limit is
/// beyond the tile that is a constant, and nothing is left to compare.
template <class Map>
struct Room {
  int part[Map::rank > 0 ? Map::rank : 1];

  FUSE_INLINE explicit Room(Index<Map::rank> limit) {
    FUSE_UNROLL
    for (int d = 0; d < Map::rank; ++d)
      part[d] = limit[d] >= Map::extent(d)
                    ? Map::extent(d)
                    : limit_within(Map::extent(d), limit[d]) -
                          Map::thread_coordinate(d);
  }
  FUSE_INLINE bool has(int reg) const {
    bool exists = true;
    FUSE_UNROLL
    for (int d = 0; d < Map::rank; ++d)
      exists = exists && Map::register_coordinate(d, reg) < part[d];
    return exists;
  }
};

/// Elements outside of the limits become `identity`.
template <class T, class Map>
FUSE_INLINE Tile<T, Map> mask(Tile<T, Map> tile, Index<Map::rank> limit,
                              typename Same<T>::Type identity) {
  if (is_whole<Map>(limit))
    return tile;
  const Room<Map> room(limit);
  FUSE_UNROLL
  for (int r = 0; r < Map::registers; ++r)
    if (!room.has(r))
      tile.reg[r] = identity;
  return tile;
}

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

/// What is known of the places of a tile's elements.
enum Places { WholeRuns, AnyStride };

/// True if every run of `Vector` elements is aligned.
template <class Map, int Vector, class T>
FUSE_INLINE bool is_aligned(const T *base, Index<Map::rank> stride) {
  static_assert(Vector == 1 || Map::vector_dim(Vector) >= 0,
                "expects a map with runs of `Vector` registers");
  constexpr int bytes = Vector * static_cast<int>(sizeof(T));
  bool aligned = bit_cast<uint64_t>(base) % (bytes < 16 ? bytes : 16) == 0;
  FUSE_UNROLL
  for (int d = 0; d < Map::rank; ++d)
    if (d != Map::vector_dim(Vector) && Map::extent(d) > 1)
      aligned = aligned && stride[d] % Vector == 0;
  return aligned;
}

/// True if, besides, the limits cut none.
template <class Map, int Vector, class T>
FUSE_INLINE bool has_whole_runs(const T *base, Index<Map::rank> stride,
                                Index<Map::rank> limit) {
  constexpr int along = Map::vector_dim(Vector);
  return is_aligned<Map, Vector>(base, stride) &&
         (limit[along] >= Map::extent(along) || limit[along] % Vector == 0);
}

/// All elements of a tile, in accesses of `Vector`.
template <class Map, int Vector, class T>
FUSE_INLINE Tile<T, Map> load_whole(const T *base, Index<Map::rank> stride) {
  const int64_t offset = thread_offset<Map>(stride);
  Tile<T, Map> result;
  FUSE_UNROLL
  for (int r = 0; r < Map::registers; r += Vector)
    load_elements<Vector>(
        &result.reg[r],
        run_at<Vector>(base, offset, register_offset<Map>(stride, r)));
  return result;
}

/// The same where `exists(r)` says whether the vector at register r is there.
template <class Map, int Vector, class T, class Exists>
FUSE_INLINE Tile<T, Map> load_where(const T *base, Index<Map::rank> stride,
                                    T fill, Exists exists) {
  const int64_t offset = thread_offset<Map>(stride);
  Tile<T, Map> result;
  FUSE_UNROLL
  for (int r = 0; r < Map::registers; r += Vector) {
    FUSE_UNROLL
    for (int i = 0; i < Vector; ++i)
      result.reg[r + i] = fill;
    if (exists(r))
      load_elements<Vector>(
          &result.reg[r],
          run_at<Vector>(base, offset, register_offset<Map>(stride, r)));
  }
  return result;
}

/// A tile all of whose elements exist.
template <class Map, int Vector = 1, Places places = WholeRuns, class T>
FUSE_INLINE Tile<T, Map> load(const T *base, Index<Map::rank> stride) {
  if constexpr (Vector > 1 && places == AnyStride)
    if (!is_aligned<Map, Vector>(base, stride))
      return load<Map>(base, stride);
  return load_whole<Map, Vector>(base, stride);
}

/// A tile of which elements outside of the limits are `fill`.
template <class Map, int Vector = 1, Places places = WholeRuns, class T>
FUSE_INLINE Tile<T, Map> load(const T *base, Index<Map::rank> stride,
                              Index<Map::rank> limit,
                              typename Same<T>::Type fill) {
  const Room<Map> room(limit);
  const auto exists = [&](int r) { return room.has(r); };
  // One by one, a path of its own for whole tiles is not worth its code.
  if constexpr (Vector > 1 && places == AnyStride)
    if (!has_whole_runs<Map, Vector>(base, stride, limit))
      return load_where<Map, 1>(base, stride, fill, exists);
  if (is_whole<Map>(limit))
    return load_whole<Map, Vector>(base, stride);
  return load_where<Map, Vector>(base, stride, fill, exists);
}

/// A tile of which elements where `condition` is false are `fill`; a condition
/// of rank 0 is one for all.
template <class Map, class T, class Condition>
FUSE_INLINE Tile<T, Map> load_if(const T *base, Index<Map::rank> stride,
                                 Tile<bool, Condition> condition,
                                 typename Same<T>::Type fill) {
  static_assert(is_same<Map, Condition> || Condition::rank == 0,
                "expects a condition with the map of the tile");
  return load_where<Map, 1>(base, stride, fill, [&](int r) {
    return condition.reg[Condition::rank == 0 ? 0 : r];
  });
}

/// The same within limits.
template <class Map, class T, class Condition>
FUSE_INLINE Tile<T, Map>
load_if(const T *base, Index<Map::rank> stride, Index<Map::rank> limit,
        Tile<bool, Condition> condition, typename Same<T>::Type fill) {
  if constexpr (!is_same<Map, Condition>)
    return load_if<Map>(base, stride, limit,
                        ::fuse::fill<Map>(condition.reg[0]), fill);
  else
    return load_if<Map>(base, stride, mask(condition, limit, false), fill);
}

/// The runs of a tile for which `exists(r)` holds.
template <int Vector, class T, class Map, class Exists>
FUSE_INLINE void store_where(const Tile<T, Map> &tile, T *base,
                             Index<Map::rank> stride, Exists exists) {
  const int64_t offset = thread_offset<Map>(stride);
  FUSE_UNROLL
  for (int r = 0; r < Map::registers; r += Vector)
    if (exists(r))
      store_elements<Vector>(
          run_at<Vector>(base, offset, register_offset<Map>(stride, r)),
          &tile.reg[r]);
}

/// Writes a tile all of whose elements exist; of replicas, the first.
template <int Vector = 1, Places places = WholeRuns, class T, class Map>
FUSE_INLINE void store(const Tile<T, Map> &tile, T *base,
                       Index<Map::rank> stride) {
  if constexpr (Vector > 1 && places == AnyStride)
    if (!is_aligned<Map, Vector>(base, stride))
      return store(tile, base, stride);
  if (Map::first_holder())
    store_where<Vector>(tile, base, stride, [](int) { return true; });
}

/// Writes the elements within the limits.
template <int Vector = 1, Places places = WholeRuns, class T, class Map>
FUSE_INLINE void store(const Tile<T, Map> &tile, T *base,
                       Index<Map::rank> stride, Index<Map::rank> limit) {
  if (!Map::first_holder())
    return;
  const Room<Map> room(limit);
  const auto exists = [&](int r) { return room.has(r); };
  if constexpr (Vector > 1 && places == AnyStride)
    if (!has_whole_runs<Map, Vector>(base, stride, limit))
      return store_where<1>(tile, base, stride, exists);
  if (is_whole<Map>(limit))
    return store_where<Vector>(tile, base, stride, [](int) { return true; });
  store_where<Vector>(tile, base, stride, exists);
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// The widest access to rows of `columns` elements by runs of `run` of them.
template <class T>
FUSE_INLINE constexpr int access_width(int run, int columns) {
  int width = 16 / static_cast<int>(sizeof(T));
  while (run % width != 0 || columns % width != 0)
    width /= 2;
  return width;
}

template <class Map, class Shared>
FUSE_INLINE constexpr bool same_shape() {
  if (Map::rank != Shared::rank)
    return false;
  for (int d = 0; d < Map::rank; ++d)
    if (Map::extent(d) != Shared::extent(d))
      return false;
  return true;
}

/// Calls `visit(reg, place)` for each run of `Width` registers and its place.
template <class Map, class Shared, int Width, class Visit>
FUSE_INLINE void for_each_run(Visit visit) {
  static_assert(same_shape<Map, Shared>(), "expects tiles of one shape");
  constexpr int last = Map::rank - 1;
  int row = 0;
  FUSE_UNROLL
  for (int d = 0; d < last; ++d)
    row = row * Shared::extent(d) + Map::thread_coordinate(d);
  const int column = Map::rank == 0 ? 0 : Map::thread_coordinate(last);
  FUSE_UNROLL
  for (int r = 0; r < Map::registers; r += Width) {
    int constant_row = 0;
    FUSE_UNROLL
    for (int d = 0; d < last; ++d)
      constant_row =
          constant_row * Shared::extent(d) + Map::register_coordinate(d, r);
    const int constant_column =
        Map::rank == 0 ? 0 : Map::register_coordinate(last, r);
    visit(r, Shared::template place<Map::binary>(row, constant_row, column,
                                                 constant_column));
  }
}

/// The width of accesses of a tile with map `Map`.
template <class T, class Map, class Shared>
constexpr int shared_width =
    Map::rank == 0
        ? 1
        : access_width<T>(Map::register_step(Map::rank - 1), Shared::columns);

/// From registers to shared memory; of replicas, the first.
template <class T, class Map, int Swizzle, int... Extents>
FUSE_INLINE void write(const Tile<T, Map> &tile,
                       SwizzledTile<T, Swizzle, Extents...> shared) {
  using Shared = SwizzledTile<T, Swizzle, Extents...>;
  constexpr int width = shared_width<T, Map, Shared>;
  if (Map::first_holder())
    for_each_run<Map, Shared, width>([&](int r, Place place) {
      store_elements<width>(shared.data() + place, &tile.reg[r]);
    });
}

/// The same with dims exchanged: element (i, j) goes to (j, i).
template <class T, class Map, int Swizzle, int Rows, int Columns>
FUSE_INLINE void
write_transposed(const Tile<T, Map> &tile,
                 SwizzledTile<T, Swizzle, Rows, Columns> shared) {
  using Shared = SwizzledTile<T, Swizzle, Rows, Columns>;
  using Outer = typename Map::template dim<0>;
  using Inner = typename Map::template dim<1>;
  static_assert(Outer::extent == Columns && Inner::extent == Rows,
                "expects tiles of exchanged shapes");
  constexpr int width = access_width<T>(Outer::run, Columns);
  if (!Map::first_holder())
    return;
  const int row = Map::thread_coordinate(1), column = Map::thread_coordinate(0);
  FUSE_UNROLL
  for (int i = 0; i < Outer::registers; i += width) {
    FUSE_UNROLL
    for (int j = 0; j < Inner::registers; ++j) {
      T run[width];
      FUSE_UNROLL
      for (int e = 0; e < width; ++e)
        run[e] = tile.reg[Outer::register_number(Outer::ascending_part(i + e)) +
                          Inner::register_number(Inner::ascending_part(j))];
      store_elements<width>(shared.data() + Shared::template place<Map::binary>(
                                                row, Inner::ascending_part(j),
                                                column,
                                                Outer::ascending_part(i)),
                            run);
    }
  }
}

/// From shared memory to registers.
template <class Map, class T, int Swizzle, int... Extents>
FUSE_INLINE Tile<T, Map> read(SwizzledTile<T, Swizzle, Extents...> shared) {
  using Shared = SwizzledTile<T, Swizzle, Extents...>;
  constexpr int width = shared_width<T, Map, Shared>;
  Tile<T, Map> result;
  for_each_run<Map, Shared, width>([&](int r, Place place) {
    load_elements<width>(&result.reg[r], shared.data() + place);
  });
  return result;
}

//===----------------------------------------------------------------------===//
// From global to shared memory
//===----------------------------------------------------------------------===//

/// How many of the `Vector` elements from a place on exist.
template <int Vector, class Shared>
FUSE_INLINE int valid_elements(int row, int column, Index<Shared::rank> limit) {
  constexpr int last = Shared::rank - 1;
  const int rest = limit_within(Shared::columns, limit[last]) - column;
  int valid = limit[last] >= Shared::columns || rest > Vector ? Vector
              : rest < 0                                      ? 0
                                                              : rest;
  FUSE_UNROLL
  for (int d = last - 1; d >= 0; --d) {
    const int extent = Shared::extent(d);
    if (limit[d] < extent && row % extent >= limit_within(extent, limit[d]))
      valid = 0;
    row /= extent;
  }
  return valid;
}

/// Where the element of row `row` lies in global memory.
template <class Shared>
FUSE_INLINE int64_t global_offset(int row, int column,
                                  Index<Shared::rank> stride) {
  int64_t offset = column * stride[Shared::rank - 1];
  FUSE_UNROLL
  for (int d = Shared::rank - 2; d >= 0; --d) {
    // What is left for the first dim is its coordinate.
    offset += (d > 0 ? row % Shared::extent(d) : row) * stride[d];
    row /= Shared::extent(d);
  }
  return offset;
}

/// Starts the copy of a tile by all threads of the block, each `Vector`
/// elements at a time; elements outside of the limits become 0. `Threads` is
/// the number of threads of the block, where it is known: then the loop
/// unrolls. Copies of fewer than 4 bytes are plain accesses. Data is there for
/// all threads after `commit`, `wait` and a barrier.
template <int Vector, int Threads = 0, class T, int Swizzle, int... Extents>
FUSE_INLINE void copy_async(SwizzledTile<T, Swizzle, Extents...> shared,
                            const T *base, Index<sizeof...(Extents)> stride,
                            Index<sizeof...(Extents)> limit) {
  using Shared = SwizzledTile<T, Swizzle, Extents...>;
  constexpr int bytes = Vector * static_cast<int>(sizeof(T));
  constexpr int columns = Shared::columns, pass = Threads * Vector;
  static_assert(bytes <= 16 && columns % Vector == 0,
                "expects rows of whole vectors, of at most 16 bytes");
  // If all threads together cover whole rows, each stays in its column.
  constexpr bool by_rows = Threads > 0 && pass % columns == 0;
  constexpr bool exact =
      Threads > 0 && Shared::elements % (Threads > 0 ? pass : 1) == 0;
  constexpr int rows = by_rows ? pass / columns : 1;
  constexpr bool disjoint = (rows & (rows - 1)) == 0;
  const int step = Threads > 0 ? pass : block_threads() * Vector;
  const int first = thread_index() * Vector;
  FUSE_UNROLL
  for (int begin = 0; begin < Shared::elements; begin += step) {
    if (!exact && begin + first >= Shared::elements)
      break;
    const int row = (by_rows ? first : begin + first) / columns;
    const int column = (by_rows ? first : begin + first) % columns;
    const int constant_row = by_rows ? begin / columns : 0;
    const int valid =
        valid_elements<Vector, Shared>(row + constant_row, column, limit);
    const T *from =
        base + global_offset<Shared>(row + constant_row, column, stride);
    T *to = shared.data() +
            Shared::template place<disjoint>(row, constant_row, column, 0);
    if constexpr (bytes >= 4) {
      fuse::copy_async<bytes>(to, from, valid * static_cast<int>(sizeof(T)));
    } else {
      FUSE_UNROLL
      for (int i = 0; i < Vector; ++i)
        to[i] = i < valid ? from[i] : T();
    }
  }
}

/// Ends a group of copies of this thread.
FUSE_INLINE void commit() { copy_commit(); }

/// Waits until at most `Pending` of this thread's groups are under way.
template <int Pending>
FUSE_INLINE void wait() {
  copy_wait<Pending>();
}

} // namespace fuse

#endif // FUSE_RUNTIME_TILE_MEMORY_H
