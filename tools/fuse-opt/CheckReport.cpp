//===- CheckReport.cpp - Results against the reference --------------------===//

#include "CheckReport.h"
#include "Console.h"
#include "HostTensors.h"
#include "Progress.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace fuse;

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

static StringRef nameOf(Criterion::Kind kind) {
  switch (kind) {
  case Criterion::Kind::Bound:
    return "bound";
  case Criterion::Kind::Exact:
    return "exact";
  case Criterion::Kind::Close:
    return "rtol";
  }
  return "";
}

ExitCode Checker::report(unsigned result, const Verdict &verdict) {
  printInfo() << "check '" << resultNames[result] << "' ("
              << nameOf(option.criterion.kind)
              << "): " << (verdict.passed ? "passed" : "failed") << ": "
              << verdict.str() << "\n";
  if (verdict.numElements > 0) {
    static constexpr StringLiteral buckets[] = {"<1e-4", "<1e-3", "<1e-2",
                                                "<0.1",  "<=1",   ">1"};
    llvm::errs() << "  share of what is allowed:";
    for (auto [bucket, count] : llvm::zip_equal(buckets, verdict.histogram))
      llvm::errs() << ' ' << bucket << ": " << count
                   << (bucket == ">1" ? ";" : ",");
    llvm::errs() << " undecided: " << verdict.numUndecided << "\n";
    if (ExitCode code = reportLargestShare(result, verdict);
        code != ExitCode::Ok)
      return code;
  }
  return verdict.passed ? ExitCode::Ok : ExitCode::Mismatch;
}

/// Which op the error bound of the worst element is most due to.
ExitCode Checker::reportLargestShare(unsigned result, const Verdict &verdict) {
  auto shares = interpreter.explainBound(arguments, result, verdict.worstIndex);
  if (failed(shares))
    return ExitCode::Runtime;
  if (shares->empty())
    return ExitCode::Ok;
  auto [op, share] = shares->front();
  llvm::errs() << "  largest part of its bound: " << describeOp(op) << ", "
               << llvm::format("%.0f", 100 * share) << "%\n";
  return ExitCode::Ok;
}

ExitCode Checker::reportAll(ArrayRef<Verdict> verdicts) {
  ExitCode worst = ExitCode::Ok;
  for (auto [result, verdict] : llvm::enumerate(verdicts)) {
    ExitCode code = report(result, verdict);
    if (code != ExitCode::Ok && code != ExitCode::Mismatch)
      return code;
    worst = std::max(worst, code);
  }
  return worst;
}

ExitCode fuse::reportCheckOps(ArrayRef<CheckOutcome> outcomes) {
  ExitCode code = ExitCode::Ok;
  for (const CheckOutcome &outcome : outcomes) {
    const Verdict &verdict = outcome.verdict;
    if (verdict.passed) {
      printInfo() << describeOp(outcome.op) << ": passed: " << verdict.str()
                  << "\n";
      continue;
    }
    emitError(outcome.op->getLoc())
        << "'" << outcome.op->getName() << "' failed: " << verdict.str();
    code = ExitCode::Mismatch;
  }
  return code;
}

//===----------------------------------------------------------------------===//
// Whole results
//===----------------------------------------------------------------------===//

ExitCode Checker::checkResults(ArrayRef<Tensor> reference,
                               ArrayRef<Tensor> results) {
  SmallVector<Verdict> verdicts;
  for (auto [want, got] : llvm::zip_equal(reference, results))
    verdicts.push_back(judge(want, roundedValues(got), option.criterion));
  return reportAll(verdicts);
}

//===----------------------------------------------------------------------===//
// Samples
//===----------------------------------------------------------------------===//

SmallVector<int64_t> fuse::spreadPositions(int64_t total, int64_t count) {
  SmallVector<int64_t> positions;
  count = std::min(count, total);
  // The fractions of its multiples are spread most evenly.
  constexpr double goldenRatio = 0.6180339887498949;
  for (int64_t i = 0; i < count; ++i) {
    auto bound = [&](int64_t part) -> int64_t {
      return __int128(total) * part / count;
    };
    int64_t size = bound(i + 1) - bound(i);
    double multiple = double(i) * goldenRatio;
    double fraction = multiple - std::floor(multiple);
    int64_t place = i == count - 1 && count > 1
                        ? size - 1
                        : std::min<int64_t>(fraction * double(size), size - 1);
    positions.push_back(bound(i) + place);
  }
  return positions;
}

/// Tensor coordinates of a row-major position.
static SmallVector<int64_t> indexAt(ArrayRef<int64_t> shape, int64_t position) {
  SmallVector<int64_t> index(shape.size());
  for (size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = position % shape[axis];
    position /= shape[axis];
  }
  return index;
}

/// Evaluates elements one by one and judges them as a vector.
FailureOr<Verdict> Checker::judgeSample(unsigned result,
                                        ArrayRef<int64_t> positions) {
  SmallVector<int64_t> shape = interpreter.getResultShape(result);
  Tensor sample(interpreter.getResultElementType(result),
                Box::whole({int64_t(positions.size())}));
  for (auto [i, position] : llvm::enumerate(positions)) {
    FailureOr<Tensor> element =
        interpreter.runElement(arguments, result, indexAt(shape, position));
    if (failed(element))
      return failure();
    sample.value[i] = element->value[0];
    sample.bound[i] = element->bound[0];
    if (element->isUndecided(0))
      sample.setUndecided(i);
  }
  Verdict verdict = judge(sample, roundedValues(sample), option.criterion);
  if (verdict.numElements > 0) {
    auto index = indexAt(shape, positions[verdict.worstIndex[0]]);
    verdict.worstIndex.assign(index.begin(), index.end());
  }
  return verdict;
}

FailureOr<SmallVector<Verdict>>
Checker::judgeSamples(ArrayRef<int64_t> sizes, ArrayRef<int64_t> positions) {
  Progress progress("judging elements");
  SmallVector<Verdict> verdicts;
  int64_t start = 0;
  for (auto [result, size] : llvm::enumerate(sizes)) {
    SmallVector<int64_t> local;
    for (; !positions.empty() && positions.front() < start + size;
         positions = positions.drop_front())
      local.push_back(positions.front() - start);
    start += size;
    FailureOr<Verdict> verdict = judgeSample(result, local);
    if (failed(verdict))
      return failure();
    verdicts.push_back(std::move(*verdict));
  }
  return verdicts;
}

ExitCode Checker::checkSample() {
  SmallVector<int64_t> sizes;
  for (unsigned i = 0, e = resultNames.size(); i < e; ++i)
    sizes.push_back(Box::whole(interpreter.getResultShape(i)).size());
  // As a list, all results at once may have more elements than can be counted.
  int64_t total = std::accumulate(
      sizes.begin(), sizes.end(), int64_t(0), [](int64_t sum, int64_t size) {
        return llvm::SaturatingAdd<uint64_t>(sum, size);
      });
  SmallVector<int64_t> positions = spreadPositions(total, *option.sample);
  printInfo() << "only " << positions.size() << " of " << total
              << " elements are evaluated, so no result is put out and check "
                 "ops are not judged\n";
  FailureOr<SmallVector<Verdict>> verdicts = judgeSamples(sizes, positions);
  return failed(verdicts) ? ExitCode::Runtime : reportAll(*verdicts);
}
