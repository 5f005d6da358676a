//===- math.h - scalar functions of the ieee class --------------*- C++ -*-===//
//
// The functions of ScalarFn.def on float and double, written on fused
// multiply-adds, correctly rounded division and root, and integer operations:
// the same bits on a GPU and on every host. Specials are those of C99, annex F,
// and of the semantics table in ir/README.md; subnormals are kept. The payload
// of a NaN is not defined.
//
// Callers qualify the names that CUDA also declares (`fuse::exp`).
//
// Largest errors in units in the last place, as the semantics table measures
// them. float: every argument, against double functions (for pow, 400 thousand
// pairs). double: 8 million arguments, against long double ones. Instructions:
// sm_90a by nvcc 13.0, without constants that a loop keeps in registers, of the
// path that arguments of ordinary size take.
//
//                granted   float   double   instructions of float
//   exp                2    1.58     1.34   16
//   exp2               2    1.21     1.10   15 (exp2_below_60: 12, 1.78 ulp)
//   expm1              2    1.53     1.79   18
//   log                2    0.91     0.88   26
//   log2               2    1.51     0.97   25
//   log1p              2    1.27     0.85   27
//   sqrt_rn          0.5    0.50     0.50    9, and a call for rare arguments
//   div_rn           0.5    0.50     0.50   11, likewise
//   rsqrt              2    0.99     1.45   23
//   pow                4    0.50     1.20   about 90, 28 of them in double
//   sin, cos           2    1.53     1.50   26, from 2^16 on about 70
//   tanh               2    1.95     1.45   27
//   erf                2    1.81     1.70   24
//   sigmoid            4    2.79     2.60   25
//   silu               4    3.56     3.40   26
//   gelu               4    2.60     1.60   24
//   gelu_tanh          4    2.62     1.90   29
//   softplus           4    1.89     1.80   27
//   elu                4    2.00     2.00   20
//
// Where the algorithms are from:
//   exponentials   argument reduction by a constant added and subtracted, and
//                  the power of 2 put into the exponent: P. Tang, ACM TOMS 15(2),
//                  1989, without his table
//   logarithms     2^e (1 + f), and a polynomial in f; in double one in
//                  f / (2 + f), as in FDLIBM
//   sine, cosine   W. Cody and W. Waite, 1980; M. Payne and R. Hanek, 1983
//   tanh, erf      1 - e^y; for erf y is a polynomial that approximates
//                  log(1 - erf)
//   rsqrt          the guess of "0x5f3759df" and Halley's iteration
//   pow            2^(y log2 x) in double; in double-double (T. Dekker, 1971)
//                  for double
// All polynomials are minimax fits by tools/scripts/fit_polynomials.py, which
// prints the coefficients.

#ifndef FUSE_RUNTIME_MATH_H
#define FUSE_RUNTIME_MATH_H

#include "math_activation.h"
#include "math_basic.h"
#include "math_double.h"
#include "math_exp.h"
#include "math_trig.h"

#endif // FUSE_RUNTIME_MATH_H
