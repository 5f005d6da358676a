//===- fragment.h - where the elements of a tile live -----------*- C++ -*-===//
//
// A tile is a small dense block whose elements are spread over the registers,
// lanes and warps of a thread block. A FragmentMap says how: each dim is a list
// of digits, outermost first, each read off the register, lane or warp number.
//
//   using Rows = FragmentMap<4, Dim<Warp<4>, Lane<8, 4>>,
//                               Dim<Reg<2, 4>, Lane<4>, Reg<4>>>;
//
// is a tile of 32 x 32 in 4 warps: row = warp * 8 + lane / 4, column = reg / 4
// * 16 + lane % 4 * 4 + reg % 4. A coordinate is thus the sum of a part that
// the register number decides, a constant once loops over registers are
// unrolled, and a part that the thread decides. Lane and warp digits that no
// dim reads number replicas.

#ifndef FUSE_RUNTIME_FRAGMENT_H
#define FUSE_RUNTIME_FRAGMENT_H

#include "primitives.h"

// FUSE_UNROLL precedes loops over registers, which must vanish, since registers
// have no index; FUSE_KEEP_LOOP those that must not, since code has to be
// short.
#if FUSE_HOST
#define FUSE_UNROLL
#define FUSE_KEEP_LOOP
#else
#define FUSE_UNROLL _Pragma("unroll")
#define FUSE_KEEP_LOOP _Pragma("unroll 1")
#endif

namespace fuse {

constexpr int warp_lanes = 32;

//===----------------------------------------------------------------------===//
// Digits
//===----------------------------------------------------------------------===//

/// `number / stride % extent` of what is not negative: for compilers, without
/// the cases of what might be.
FUSE_INLINE constexpr int digit_of(int number, int stride, int extent) {
  return static_cast<int>(static_cast<unsigned>(number) /
                          static_cast<unsigned>(stride) %
                          static_cast<unsigned>(extent));
}

/// Number `d` of some, or `otherwise`. An array of them would go through memory
/// until compilers see which one is meant.
template <class... Ints>
FUSE_INLINE constexpr int select_number([[maybe_unused]] int d, int otherwise,
                                        Ints... numbers) {
  ((d-- == 0 ? otherwise = numbers : 0), ...);
  return otherwise;
}

/// A digit `number / Stride % Extent` of some owner's number. What follows
/// holds for all owners; each hides what is different for it.
template <int Extent, int Stride>
struct Digit {
  static constexpr int extent = Extent, stride = Stride;
  /// How many parts the registers of a thread and the warps make of a dim.
  static constexpr int registers = 1, warp_parts = 1;
  /// The bits of the lane number that are read.
  static constexpr int lane_bits = 0;

  /// The digit, as far as a register or a thread decides it.
  FUSE_INLINE static constexpr int register_digit(int) { return 0; }
  FUSE_INLINE static constexpr int thread_digit(int, int) { return 0; }
  /// What the digit adds to the number of a register, lane or warp.
  FUSE_INLINE static constexpr int register_number(int) { return 0; }
  FUSE_INLINE static constexpr int lane_number(int) { return 0; }
  FUSE_INLINE static constexpr int warp_number(int) { return 0; }
};

template <int Extent, int Stride = 1>
struct Reg : Digit<Extent, Stride> {
  static constexpr int registers = Extent;
  FUSE_INLINE static constexpr int register_digit(int reg) {
    return digit_of(reg, Stride, Extent);
  }
  FUSE_INLINE static constexpr int register_number(int digit) {
    return digit * Stride;
  }
};

template <int Extent, int Stride = 1>
struct Lane : Digit<Extent, Stride> {
  static constexpr int lane_bits = (Extent - 1) * Stride;
  FUSE_INLINE static constexpr int thread_digit(int lane, int) {
    return lane / Stride % Extent;
  }
  FUSE_INLINE static constexpr int lane_number(int digit) {
    return digit * Stride;
  }
};

template <int Extent, int Stride = 1>
struct Warp : Digit<Extent, Stride> {
  static constexpr int warp_parts = Extent;
  FUSE_INLINE static constexpr int thread_digit(int, int warp) {
    return warp / Stride % Extent;
  }
  FUSE_INLINE static constexpr int warp_number(int digit) {
    return digit * Stride;
  }
};

//===----------------------------------------------------------------------===//
// Dims
//===----------------------------------------------------------------------===//

/// The digits of one dim, outermost first.
template <class... Factors>
struct Dim;

template <>
struct Dim<> {
  static constexpr int extent = 1, registers = 1;
  /// How many consecutive coordinates each thread holds, and whether they sit
  /// in consecutive registers.
  static constexpr int run = 1;
  static constexpr bool dense_run = true;
  /// True if all extents are powers of two, so that digits are bits.
  static constexpr bool binary = true;
  static constexpr int lane_bits = 0, warp_parts = 1;

  /// The part of the coordinate that a register number or a thread decides.
  FUSE_INLINE static constexpr int register_part(int) { return 0; }
  FUSE_INLINE static constexpr int thread_part(int, int) { return 0; }
  /// The i-th of the `registers` parts, ascending.
  FUSE_INLINE static constexpr int ascending_part(int) { return 0; }
  /// What a coordinate contributes to the numbers of those who hold it.
  FUSE_INLINE static constexpr int register_number(int) { return 0; }
  FUSE_INLINE static constexpr int lane_number(int) { return 0; }
  FUSE_INLINE static constexpr int warp_number(int) { return 0; }
};

template <class Outer, class... Inner>
struct Dim<Outer, Inner...> {
  using Rest = Dim<Inner...>;
  static constexpr int extent = Outer::extent * Rest::extent;
  static constexpr int registers = Outer::registers * Rest::registers;
  static constexpr int run =
      sizeof...(Inner) == 0 ? Outer::registers : Rest::run;
  static constexpr bool dense_run =
      sizeof...(Inner) == 0 ? Outer::stride == 1 : Rest::dense_run;
  static constexpr bool binary =
      (Outer::extent & (Outer::extent - 1)) == 0 && Rest::binary;
  static constexpr int lane_bits = Outer::lane_bits | Rest::lane_bits;
  static constexpr int warp_parts = Outer::warp_parts * Rest::warp_parts;

  FUSE_INLINE static constexpr int register_part(int reg) {
    return Outer::register_digit(reg) * Rest::extent + Rest::register_part(reg);
  }
  FUSE_INLINE static constexpr int thread_part(int lane, int warp) {
    return Outer::thread_digit(lane, warp) * Rest::extent +
           Rest::thread_part(lane, warp);
  }
  FUSE_INLINE static constexpr int ascending_part(int i) {
    return digit_of(i, Rest::registers, Outer::registers) * Rest::extent +
           Rest::ascending_part(i);
  }
  FUSE_INLINE static constexpr int register_number(int coordinate) {
    return Outer::register_number(
               digit_of(coordinate, Rest::extent, Outer::extent)) +
           Rest::register_number(coordinate);
  }
  FUSE_INLINE static constexpr int lane_number(int coordinate) {
    return Outer::lane_number(
               digit_of(coordinate, Rest::extent, Outer::extent)) +
           Rest::lane_number(coordinate);
  }
  FUSE_INLINE static constexpr int warp_number(int coordinate) {
    return Outer::warp_number(
               digit_of(coordinate, Rest::extent, Outer::extent)) +
           Rest::warp_number(coordinate);
  }
};

/// The D-th of some dims.
template <int D, class... Dims>
struct DimAt;
template <int D, class First, class... Others>
struct DimAt<D, First, Others...> {
  using Type = typename DimAt<D - 1, Others...>::Type;
};
template <class First, class... Others>
struct DimAt<0, First, Others...> {
  using Type = First;
};

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

template <int Warps, class... Dims>
struct FragmentMap {
  static constexpr int warps = Warps, rank = sizeof...(Dims);
  static constexpr int threads = Warps * warp_lanes;
  /// Registers of a thread, one element each.
  static constexpr int registers = (1 * ... * Dims::registers);
  static constexpr int elements = (1 * ... * Dims::extent);
  static constexpr bool binary = (true && ... && Dims::binary);
  /// Places that hold each element.
  static constexpr int replication = registers * threads / elements;
  template <int D>
  using dim = typename DimAt<D, Dims...>::Type;

  FUSE_INLINE static constexpr int extent(int d) {
    return select_number(d, 1, Dims::extent...);
  }
  /// How many consecutive coordinates along `d` sit in consecutive registers.
  FUSE_INLINE static constexpr int register_step(int d) {
    return select_number(d, 1, (Dims::dense_run ? Dims::run : 1)...);
  }
  FUSE_INLINE static constexpr int
  register_coordinate(int d, [[maybe_unused]] int reg) {
    return select_number(d, 0, Dims::register_part(reg)...);
  }
  FUSE_INLINE static constexpr int
  thread_coordinate(int d, [[maybe_unused]] int lane,
                    [[maybe_unused]] int warp) {
    return select_number(d, 0, Dims::thread_part(lane, warp)...);
  }
  FUSE_INLINE static int thread_coordinate(int d) {
    return thread_coordinate(d, lane(), warp());
  }
  /// The part of dim `d` in the number of the register that holds `coordinate`.
  FUSE_INLINE static constexpr int
  register_number(int d, [[maybe_unused]] int coordinate) {
    return select_number(d, 0, Dims::register_number(coordinate)...);
  }

  /// The dim along which `count` consecutive registers are consecutive
  /// coordinates, and -1 if there is none.
  FUSE_INLINE static constexpr int vector_dim(int count) {
    if (count == 1)
      return rank - 1;
    for (int d = 0; d < rank; ++d)
      if (register_step(d) > 1)
        return register_step(d) % count == 0 ? d : -1;
    return -1;
  }

  /// True in one of the threads that hold the same elements.
  FUSE_INLINE static bool first_holder() {
    if constexpr (replication == 1)
      return true;
    // Digits that nobody reads are zero: the elements decide the thread.
    return (0 + ... + Dims::lane_number(Dims::thread_part(lane(), warp()))) ==
               lane() &&
           (0 + ... + Dims::warp_number(Dims::thread_part(lane(), warp()))) ==
               warp();
  }
};

/// The dims that correspond in two maps: dim `s` of one and dim `of[s]` of the
/// other.
struct DimList {
  int of[8];
};

/// All dims in order but `skipped`.
template <int... Skipped>
FUSE_INLINE constexpr DimList dims_without() {
  DimList list{};
  for (int d = 0, s = 0; s < 8; ++d)
    if (!(false || ... || (d == Skipped)))
      list.of[s++] = d;
  return list;
}

/// True if in each thread, dim `s` of `A` and dim `d` of `B` cover the same
/// coordinates, so that values move between registers only.
template <class A, class B>
FUSE_INLINE constexpr bool same_threads_along(int s, int d) {
  if (A::warps != B::warps || A::extent(s) != B::extent(d))
    return false;
  for (int lane = 0; lane < warp_lanes; ++lane)
    if (A::thread_coordinate(s, lane, 0) != B::thread_coordinate(d, lane, 0))
      return false;
  for (int warp = 0; warp < A::warps; ++warp)
    if (A::thread_coordinate(s, 0, warp) != B::thread_coordinate(d, 0, warp))
      return false;
  return true;
}

/// The same for all dims of `A`.
template <class A, class B>
FUSE_INLINE constexpr bool same_threads(DimList dims) {
  for (int s = 0; s < A::rank; ++s)
    if (!same_threads_along<A, B>(s, dims.of[s]))
      return false;
  return true;
}

} // namespace fuse

#endif // FUSE_RUNTIME_FRAGMENT_H
