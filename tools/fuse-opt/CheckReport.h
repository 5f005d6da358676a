//===- CheckReport.h - Results against the reference -----------*- C++ -*-===//

#ifndef FUSE_TOOLS_CHECKREPORT_H
#define FUSE_TOOLS_CHECKREPORT_H

#include "ExitCode.h"
#include "RunOptions.h"
#include "fuse/interpreter/Interpreter.h"

namespace fuse {

/// Judges, and reports on, the results of one call.
class Checker {
public:
  Checker(Interpreter &interpreter, ArrayRef<Tensor> arguments,
          ArrayRef<std::string> resultNames, const CheckOption &option)
      : interpreter(interpreter), arguments(arguments),
        resultNames(resultNames), option(option) {}

  /// All elements of computed results, rounded to their types, against the
  /// interpreter's. Mismatch if a criterion is not met.
  ExitCode checkResults(ArrayRef<Tensor> reference, ArrayRef<Tensor> results);

  /// As many elements as the option says, evaluated one by one.
  ExitCode checkSample();

private:
  FailureOr<Verdict> judgeSample(unsigned result, ArrayRef<int64_t> positions);
  FailureOr<SmallVector<Verdict>> judgeSamples(ArrayRef<int64_t> sizes,
                                               ArrayRef<int64_t> positions);
  ExitCode reportAll(ArrayRef<Verdict> verdicts);
  ExitCode report(unsigned result, const Verdict &verdict);
  ExitCode reportLargestShare(unsigned result, const Verdict &verdict);

  Interpreter &interpreter;
  ArrayRef<Tensor> arguments;
  ArrayRef<std::string> resultNames;
  const CheckOption &option;
};

/// Prints the verdicts on check ops: failed ones as errors at the op.
ExitCode reportCheckOps(ArrayRef<CheckOutcome> outcomes);

/// `count` different numbers below `total`, or all of them: one from each of
/// as many equal ranges, at a place in it that never falls into step with the
/// strides of a tensor. The first and the last number are among them.
SmallVector<int64_t> spreadPositions(int64_t total, int64_t count);

} // namespace fuse

#endif // FUSE_TOOLS_CHECKREPORT_H
