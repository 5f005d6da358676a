//===- tile_contract.h - products of tiles in shared memory -----*- C++ -*-===//
//
// accumulator(m, n) += sum over k of a(m, k) * b(k, n), in the class ieee: each
// block of 32 consecutive k is one chain of fused multiply-adds that starts
// from zero and ascends in k, and is then added to the accumulator; or all k
// are one chain that starts from the accumulator.
//
// A thread reads operands 16 bytes at a time, which is what shared memory can
// deliver to a lane: along m or n where these run along the rows of the shared
// tile (KM, KN), and along k otherwise (MK, NK). Eight lanes are served
// together. They meet no bank twice if they hold neighbouring runs of m or n,
// as those of tile::ffmaAccumulator do, and
//
// - in KM and KN always: together they want at most 128 consecutive bytes, and
//   lanes with the same run want the same ones;
// - in MK and NK if rows are multiples of 128 bytes and the tile is swizzled
//   with SwizzleRows = r, the length of runs: the chunks at one k of 8 rows
//   that are r apart lie in different banks.

#ifndef FUSE_RUNTIME_TILE_CONTRACT_H
#define FUSE_RUNTIME_TILE_CONTRACT_H

#include "tile_memory.h"

namespace fuse {

/// How operands lie in shared memory; the second letter counts along rows.
enum LhsLayout { MK, KM };
enum RhsLayout { KN, NK };

/// Terms of one chain.
constexpr int chain_length = 32;

/// What one thread reads of an operand: `Steps` consecutive k, for all
/// coordinates that its registers have along `Dim`.
template <class Shared, class Dim, bool AlongK, int Steps>
struct OperandFragment {
  using T = typename Shared::Element;
  static constexpr int count = Dim::registers, steps = Steps;
  static constexpr bool disjoint = Dim::binary;
  T value[Steps][count];

  /// Of row i ^ `first`, those from k + `step` on.
  FUSE_INLINE void read_rows(Shared shared, int first, int k, int step) {
    FUSE_UNROLL
    for (int i = 0; i < count; ++i) {
      T run[Steps];
      load_elements<Steps>(
          run, shared.data() +
                   Shared::template place<disjoint>(i ^ first, 0, k, step));
      FUSE_UNROLL
      for (int s = 0; s < Steps; ++s)
        value[s][i] = run[s];
    }
  }

  /// Those from k + `step` on; `thread` is the thread's part of coordinates.
  /// `k` is a multiple of a power of two that is above `step`.
  FUSE_INLINE void read(Shared shared, int thread, int k, int step) {
    if constexpr (AlongK) {
      FUSE_UNROLL
      for (int i = 0; i < count; ++i) {
        T run[Steps];
        load_elements<Steps>(
            run, shared.data() + Shared::template place<disjoint>(
                                     thread, Dim::ascending_part(i), k, step));
        FUSE_UNROLL
        for (int s = 0; s < Steps; ++s)
          value[s][i] = run[s];
      }
    } else {
      constexpr int width = access_width<T>(Dim::run, Shared::columns);
      FUSE_UNROLL
      for (int s = 0; s < Steps; ++s) {
        FUSE_UNROLL
        for (int i = 0; i < count; i += width)
          load_elements<width>(
              &value[s][i],
              shared.data() + Shared::template place<disjoint>(
                                  k, step + s, thread, Dim::ascending_part(i)));
      }
    }
  }
};

/// The products of all rows and columns, k by k.
template <class T, class Map, class A, class B>
FUSE_INLINE void multiply_add(Tile<T, Map> &chain, const A &row,
                              const B &column) {
  using M = typename Map::template dim<0>;
  using N = typename Map::template dim<1>;
  FUSE_UNROLL
  for (int s = 0; s < A::steps; ++s) {
    FUSE_UNROLL
    for (int i = 0; i < M::registers; ++i) {
      FUSE_UNROLL
      for (int step = 0; step < N::registers; ++step) {
        // There and back: the operand at a turn is still in the reuse cache.
        const int j = i % 2 == 0 ? step : N::registers - 1 - step;
        T &sum = chain.reg[M::register_number(M::ascending_part(i)) +
                           N::register_number(N::ascending_part(j))];
        sum = fma(convert<T>(row.value[s][i]), convert<T>(column.value[s][j]),
                  sum);
      }
    }
  }
}

/// How many k one access covers: those of a run where rows run along k, and
/// otherwise no fewer than the other operand has.
template <class Shared, bool AlongK>
constexpr int run_along_k =
    AlongK
        ? access_width<typename Shared::Element>(chain_length, Shared::columns)
        : chain_length;

/// The terms in the body of the loop over k, of which `steps` are read at once
/// and `most` are wanted. The host's compiler gains nothing from more.
FUSE_INLINE constexpr int unrolled_terms(int depth, int steps, int most) {
  int terms = steps;
  while (!FUSE_HOST && depth % (2 * terms) == 0 && 2 * terms <= most)
    terms *= 2;
  return terms;
}

/// Adds the products of `begin` to `end`, which is a chain of fused
/// multiply-adds for each sum. The loop's body has at most `Unroll` terms, if
/// one access does not bring more.
template <LhsLayout Lhs, RhsLayout Rhs, int Unroll, class T, class Map, class A,
          class B>
FUSE_INLINE void add_products(Tile<T, Map> &sums, A a, B b, int begin,
                              int end) {
  using M = typename Map::template dim<0>;
  using N = typename Map::template dim<1>;
  constexpr int depth = A::extent(Lhs == MK ? 1 : 0);
  static_assert(Map::rank == 2 && A::rank == 2 && B::rank == 2 &&
                    A::extent(Lhs == MK ? 0 : 1) == M::extent &&
                    B::extent(Rhs == NK ? 0 : 1) == N::extent &&
                    B::extent(Rhs == NK ? 1 : 0) == depth,
                "expects operands that fit the accumulator");
  static_assert(is_same<T, float> || is_same<T, double>,
                "expects an accumulator of floats or doubles");
  constexpr int a_run = run_along_k<A, Lhs == MK>;
  constexpr int b_run = run_along_k<B, Rhs == NK>;
  constexpr int shorter = a_run < b_run ? a_run : b_run;
  constexpr int steps = shorter < chain_length ? shorter : 1;
  constexpr int terms = unrolled_terms(depth, steps, Unroll);

  const int m = Map::thread_coordinate(0), n = Map::thread_coordinate(1);
  FUSE_KEEP_LOOP
  for (int k = begin; k < end; k += terms) {
    FUSE_UNROLL
    for (int step = 0; step < terms; step += steps) {
      OperandFragment<A, M, Lhs == MK, steps> row;
      OperandFragment<B, N, Rhs == NK, steps> column;
      row.read(a, m, k, step);
      column.read(b, n, k, step);
      multiply_add(sums, row, column);
    }
  }
}

/// `accumulator` (M x N, in registers) plus the product of `a` and `b`, whose
/// blocks of 32 terms are a chain each. The depth K is that of the shared
/// tiles; elements are converted to the accumulator's type, float or double,
/// and products are not rounded. `Unroll` is small where the kernel's code
/// would not stay in the instruction cache.
template <LhsLayout Lhs = MK, RhsLayout Rhs = KN, int Unroll = chain_length,
          class T, class Map, class A, class B>
FUSE_INLINE Tile<T, Map> contract(Tile<T, Map> accumulator, A a, B b) {
  constexpr int depth = A::extent(Lhs == MK ? 1 : 0);
  FUSE_KEEP_LOOP
  for (int begin = 0; begin < depth; begin += chain_length) {
    const int end = depth - begin < chain_length ? depth : begin + chain_length;
    Tile<T, Map> chain = fill<Map>(T(0));
    add_products<Lhs, Rhs, Unroll>(chain, a, b, begin, end);
    FUSE_UNROLL
    for (int r = 0; r < Map::registers; ++r)
      accumulator.reg[r] = accumulator.reg[r] + chain.reg[r];
  }
  return accumulator;
}

/// The same where the accumulator is what the only chain starts from: it takes
/// half the registers.
template <LhsLayout Lhs = MK, RhsLayout Rhs = KN, int Unroll = chain_length,
          class T, class Map, class A, class B>
FUSE_INLINE Tile<T, Map> contract_chain(Tile<T, Map> accumulator, A a, B b) {
  constexpr int depth = A::extent(Lhs == MK ? 1 : 0);
  add_products<Lhs, Rhs, Unroll>(accumulator, a, b, 0, depth);
  return accumulator;
}

//===----------------------------------------------------------------------===//
// Rows in registers
//===----------------------------------------------------------------------===//

/// How the result lies.
enum ResultLayout { MN, NM };

FUSE_INLINE constexpr int highest_bit(int bits) {
  int bit = 1;
  while (2 * bit <= bits)
    bit *= 2;
  return bit;
}

/// Which of the first `Count` sums `share_out` leaves first to a lane.
template <int Count, int Bits>
FUSE_INLINE int first_share() {
  if constexpr (Count == 1 || Bits == 0) {
    return 0;
  } else {
    constexpr int bit = highest_bit(Bits);
    return ((lane() & bit) != 0 ? Count / 2 : 0) +
           first_share<Count / 2, Bits - bit>();
  }
}

/// Adds the sums of all lanes that differ in `Bits`, and leaves each lane, of
/// the first `Count` sums, those that its own bits number: of the highest bit
/// first. When none is left to share out, all lanes have the same. Where sum i
/// of a lane is at i ^ first_share, all lanes give away the same registers.
template <int Count, int Bits, bool OwnFirst, class T, int Sums, int Rows>
FUSE_INLINE void share_out(T (&sums)[Sums][Rows]) {
  if constexpr (Bits != 0) {
    constexpr int bit = highest_bit(Bits), kept = Count > 1 ? Count / 2 : 1;
    const bool is_upper = !OwnFirst && (lane() & bit) != 0;
    FUSE_UNROLL
    for (int i = 0; i < kept; ++i) {
      FUSE_UNROLL
      for (int r = 0; r < Rows; ++r) {
        const T lower = sums[i][r], upper = sums[Count - kept + i][r];
        sums[i][r] = (is_upper ? upper : lower) +
                     shuffle_xor(is_upper ? lower : upper, bit);
      }
    }
    share_out<kept, Bits - bit, OwnFirst>(sums);
  }
}

/// `accumulator` (M x N, or N x M) plus the product of `rows` (M x K, in
/// registers, each row in one warp) and `b`. Columns are shared out to the
/// lanes of a row, which is how the result's map must have them.
template <RhsLayout Rhs, ResultLayout Out, class T, class Map, class RowMap,
          class B>
FUSE_INLINE Tile<T, Map> contract_rows(Tile<T, Map> accumulator,
                                       const Tile<T, RowMap> &rows, B b) {
  using M = typename RowMap::template dim<0>;
  using K = typename RowMap::template dim<1>;
  using ResultM = typename Map::template dim<Out == MN ? 0 : 1>;
  using ResultN = typename Map::template dim<Out == MN ? 1 : 0>;
  constexpr int columns = B::extent(Rhs == NK ? 0 : 1);
  static_assert(Map::rank == 2 && RowMap::rank == 2 && B::rank == 2 &&
                    B::extent(Rhs == NK ? 1 : 0) == K::extent &&
                    ResultM::extent == M::extent && ResultN::extent == columns,
                "expects operands that fit the accumulator");
  static_assert(K::warp_parts == 1 && K::binary &&
                    same_threads_along<RowMap, Map>(0, Out == MN ? 0 : 1),
                "expects whole rows in warps, and the result's where they are");
  constexpr int run =
      Rhs == NK ? access_width<typename B::Element>(K::run, B::columns) : 1;
  // Columns are read one by one, so each lane may begin with its own.
  constexpr bool own_first = Rhs == NK;
  const int first = own_first ? first_share<columns, K::lane_bits>() : 0;

  T sums[columns][M::registers] = {};
  const int own = RowMap::thread_coordinate(1);
  FUSE_UNROLL
  for (int i = 0; i < K::registers; i += run) {
    OperandFragment<B, Dim<Reg<columns>>, Rhs == NK, run> column;
    if constexpr (own_first)
      column.read_rows(b, first, own, K::ascending_part(i));
    else
      column.read(b, 0, own, K::ascending_part(i));
    FUSE_UNROLL
    for (int s = 0; s < run; ++s) {
      const int term = K::register_number(K::ascending_part(i + s));
      FUSE_UNROLL
      for (int n = 0; n < columns; ++n) {
        FUSE_UNROLL
        for (int m = 0; m < M::registers; ++m)
          sums[n][m] =
              fma(rows.reg[M::register_number(M::ascending_part(m)) + term],
                  convert<T>(column.value[s][n]), sums[n][m]);
      }
    }
  }
  share_out<columns, K::lane_bits, own_first>(sums);
  FUSE_UNROLL
  for (int n = 0; n < ResultN::registers; ++n) {
    FUSE_UNROLL
    for (int m = 0; m < M::registers; ++m) {
      T &sum =
          accumulator.reg[ResultM::register_number(ResultM::ascending_part(m)) +
                          ResultN::register_number(ResultN::ascending_part(n))];
      sum = sum + sums[n][m];
    }
  }
  return accumulator;
}

} // namespace fuse

#endif // FUSE_RUNTIME_TILE_CONTRACT_H
