//===- Judge.h - A result against its reference ----------------*- C++ -*-===//

#ifndef FUSE_IR_INTERPRETER_JUDGE_H
#define FUSE_IR_INTERPRETER_JUDGE_H

#include "fuse/interpreter/Tensor.h"
#include <string>

namespace fuse {

/// How strict a comparison is.
struct Criterion {
  enum class Kind {
    Bound, // |got - want| <= bound(want) + smallest subnormal of the type
    Exact, // the reference, rounded to the type, bit for bit
    Close  // |got - want| <= atol + rtol * |want|
  };
  Kind kind = Kind::Bound;
  double rtol = 0, atol = 0;
};

/// What comparing all elements of one block found. NaN matches NaN and an
/// infinity itself, nothing else does.
struct Verdict {
  bool passed = true;
  int64_t numElements = 0;
  int64_t numFailed = 0;
  /// Elements whose reference may take either side of a discontinuity, or has
  /// no finite bound. More than one in a hundred of them fails the verdict:
  /// too little would be judged.
  int64_t numUndecided = 0;

  /// The element with the largest `ratio`, in tensor coordinates.
  SmallVector<int64_t, 4> worstIndex;
  double got = 0, want = 0, bound = 0;
  /// |got - want| over what is allowed; above 1 fails.
  double ratio = 0;
  /// |got - want| in units in the last place of `want` in its element type.
  double ulps = 0;
  /// Elements by ratio: [0, 1e-4), [1e-4, 1e-3), ..., [0.1, 1], above 1.
  int64_t histogram[6] = {};

  /// One line: `worst [1, 2]: got 0.5, want 0.25, 12.5 of what is allowed, 3e6
  /// ulps; 1 of 64 elements failed`.
  std::string str() const;
};

/// Compares the elements of `got`, in row-major order of the reference's
/// block, with the reference.
Verdict judge(const Tensor &want, ArrayRef<double> got, Criterion criterion);

} // namespace fuse

#endif // FUSE_IR_INTERPRETER_JUDGE_H
