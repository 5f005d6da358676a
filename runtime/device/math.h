//===- math.h - scalar functions of the ieee class --------------*- C++ -*-===//
//
// The functions of ScalarFn.def on float and double, written on fused
// multiply-adds, correctly rounded division and root, and integer operations:
// the same bits on a GPU and on every host. Specials are those of C99, annex F,
// and of the semantics table in ir/README.md; subnormals are kept. The payload
// of a NaN is not defined.
//
// Each file has its functions of float, then those of double: the same
// algorithms with longer polynomials. Programs in double are rare, so these
// prefer simplicity to speed, and divide.
//
// Callers qualify the names that CUDA also declares (`fuse::exp`).
//
// Largest errors seen, in units in the last place as the semantics table counts
// them. float: at every argument, against double (sin and cos: every one from
// 2^-14 to 2^24, every 1009th else; pow and elu: 4 million pairs). double: 8
// million arguments, or a million pairs, against long double. Instructions:
// sm_90a by nvcc 13.0, on the path of ordinary arguments, without constants
// that a loop keeps in registers.
//
//                granted   float   double   instructions of float
//   exp                2    1.59     1.51   16
//   exp2               2    1.21     1.14   15; exp2_below_60: 12, 1.82 ulps
//   expm1              2    1.54     1.83   17
//   log                2    0.92     0.92   26
//   log2               2    1.51     0.99   25
//   log1p              2    1.27     0.98   26
//   sqrt_rn          0.5    0.50     0.50    9, and a call for rare arguments
//   div_rn           0.5    0.50     0.50   11, likewise
//   rsqrt              2    1.00     1.48   23
//   pow                4    0.51     1.35   140, 28 of them in double
//   sin                2    1.55     1.46   23; from 2^16 on 55 more
//   cos                2    1.56     1.49   24, likewise
//   tanh               2    1.95     1.42   23
//   erf                2    1.82     1.77   23
//   sigmoid            4    2.78     3.06   20
//   silu               4    3.56     3.55   20
//   gelu               4    2.61     1.85   22
//   gelu_tanh          4    2.62     2.20   23
//   softplus           4    1.89     2.40   26
//   elu                4    1.79     2.02   21
//
// Where the algorithms are from:
//   exponentials   argument reduction by a constant added and subtracted, and
//                  the power of 2 put into the exponent: P. Tang, ACM TOMS
//                  15(2), 1989, without his table
//   logarithms     2^e (1 + f), and a polynomial in f; in double one in
//                  f / (2 + f), as in FDLIBM
//   sine, cosine   W. Cody and W. Waite, 1980; M. Payne and R. Hanek, 1983
//   tanh, erf      1 - e^y; for erf y is a polynomial that approximates
//                  log(1 - erf)
//   rsqrt          the guess of "0x5f3759df" and Halley's iteration
//   pow            2^(y log2 x) in double; in double-double (T. Dekker, 1971)
//                  for double
// All polynomials are minimax fits by tools/scripts/fit_polynomials.py. Its
// last coefficients depend on the grid it runs on: those here differ in their
// last digits from what it prints, and have the errors above.

#ifndef FUSE_RUNTIME_MATH_H
#define FUSE_RUNTIME_MATH_H

#include "math_activation.h"
#include "math_basic.h"
#include "math_exp.h"
#include "math_trig.h"

#endif // FUSE_RUNTIME_MATH_H
