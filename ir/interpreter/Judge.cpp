//===- Judge.cpp - A result against its reference -------------------------===//

#include "fuse/interpreter/Judge.h"
#include "FloatFormat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace fuse;

static constexpr double infinity = std::numeric_limits<double>::infinity();

/// Distance over allowance: 0 for equal values, NaNs and infinities included.
static double ratioOf(double got, double want, double allowed) {
  if (got == want || (std::isnan(got) && std::isnan(want)))
    return 0;
  double distance = std::fabs(got - want);
  if (!std::isfinite(distance) || allowed == 0)
    return infinity;
  return distance / allowed;
}

static double allowanceOf(const Criterion &criterion, double want, double bound,
                          double tiny) {
  switch (criterion.kind) {
  case Criterion::Kind::Bound:
    return bound + tiny;
  case Criterion::Kind::Exact:
    return 0;
  case Criterion::Kind::Close:
    return criterion.atol + criterion.rtol * std::fabs(want);
  }
  return 0;
}

static int bucketOf(double ratio) {
  static constexpr double limits[] = {1e-4, 1e-3, 1e-2, 1e-1};
  int bucket = 0;
  for (double limit : limits)
    bucket += ratio >= limit;
  return ratio > 1 ? 5 : bucket;
}

static SmallVector<int64_t, 4> indexOf(const Box &box, int64_t position) {
  SmallVector<int64_t, 4> index(box.getRank());
  for (unsigned axis = box.getRank(); axis-- > 0;) {
    index[axis] = box.offset[axis] + position % box.extent[axis];
    position /= box.extent[axis];
  }
  return index;
}

Verdict fuse::judge(const Tensor &want, ArrayRef<double> got,
                    Criterion criterion) {
  Verdict verdict;
  verdict.numElements = want.size();
  bool isFloat = mlir::isa<mlir::FloatType>(want.elementType);
  FloatFormat format =
      isFloat ? FloatFormat::of(want.elementType) : FloatFormat();
  double tiny = isFloat ? format.tiny : 0;
  bool byBound = criterion.kind == Criterion::Kind::Bound;
  int64_t worst = -1;
  for (int64_t i = 0; i < want.size(); ++i) {
    double reference = want.value[i];
    if (criterion.kind == Criterion::Kind::Exact && isFloat)
      reference = format.round(reference);
    bool unknown = byBound && !std::isfinite(want.bound[i]);
    if (byBound && (unknown || want.isUndecided(i)))
      ++verdict.numUndecided;
    double ratio =
        unknown
            ? 0
            : ratioOf(got[i], reference,
                      allowanceOf(criterion, reference, want.bound[i], tiny));
    if (criterion.kind == Criterion::Kind::Exact && reference == 0 &&
        std::signbit(got[i]) != std::signbit(reference))
      ratio = infinity;
    ++verdict.histogram[bucketOf(ratio)];
    verdict.numFailed += ratio > 1;
    if (worst >= 0 && ratio <= verdict.ratio)
      continue;
    worst = i;
    verdict.ratio = ratio;
    verdict.got = got[i];
    verdict.want = reference;
    verdict.bound = want.bound[i];
  }
  if (worst >= 0) {
    verdict.worstIndex = indexOf(want.box, worst);
    double distance = std::fabs(verdict.got - verdict.want);
    if (isFloat && !std::isnan(distance))
      verdict.ulps = distance / format.ulp(verdict.want);
  }
  verdict.passed = verdict.numFailed == 0 &&
                   100 * verdict.numUndecided <= verdict.numElements;
  return verdict;
}

std::string Verdict::str() const {
  if (numElements == 0)
    return "no elements";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "worst [";
  llvm::interleaveComma(worstIndex, os);
  os << llvm::format("]: got %.9g, want %.9g, %.3g of what is allowed", got,
                     want, ratio);
  if (ulps > 0)
    os << llvm::format(", %.3g ulps", ulps);
  os << "; " << numFailed << " of " << numElements << " elements failed";
  if (numUndecided > 0)
    os << ", " << numUndecided << " undecided";
  return text;
}
