//===- Rows.cpp - Reductions, softmax and norms with error bounds ---------===//

#include "Rows.h"
#include "IndexSpace.h"
#include "mlir/IR/Threading.h"
#include <cmath>

using namespace fuse;

static constexpr double infinity = std::numeric_limits<double>::infinity();

static Scalar read(const Tensor &tensor, int64_t at) {
  return {tensor.value[at], tensor.bound[at], tensor.isUndecided(at)};
}

static void write(Tensor &tensor, int64_t at, const Scalar &scalar) {
  tensor.value[at] = scalar.value;
  tensor.bound[at] = scalar.bound;
  if (scalar.undecided)
    tensor.undecided[at] = 1;
}

/// Runs `fn(begin, end)` over ranges of rows, in parallel where it pays.
static void forRows(int64_t rows, int64_t rowLength, mlir::MLIRContext *context,
                    function_ref<void(int64_t, int64_t)> fn) {
  constexpr int64_t worthwhile = 1 << 14;
  if (rows * rowLength < worthwhile)
    return fn(0, rows);
  const int64_t chunk = llvm::divideCeil(rows, 32);
  mlir::parallelFor(context, 0, llvm::divideCeil(rows, chunk), [&](size_t i) {
    fn(i * chunk, std::min<int64_t>((i + 1) * chunk, rows));
  });
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

static Scalar sumRow(ArrayRef<Scalar> row, const OpRounding &inner,
                     const FloatFormat &format) {
  double value = 0, magnitude = 0, error = 0;
  bool undecided = false;
  for (const Scalar &x : row) {
    value += x.value;
    magnitude += std::isfinite(x.value) ? std::fabs(x.value) : 0;
    error += x.bound;
    undecided |= x.undecided;
  }
  double own = inner.rowSum(row.size()) * (magnitude + error);
  // A partial sum may leave the range although the sum does not.
  if (magnitude + error + own > inner.format.max)
    error = infinity;
  return roundResult(finish(value, error, own, undecided, inner.format), inner,
                     format);
}

static Scalar sumIntegers(ArrayRef<Scalar> row) {
  int64_t sum = 0;
  Scalar result;
  for (const Scalar &x : row) {
    sum += static_cast<int64_t>(x.value);
    result.undecided |= x.undecided;
    result.bound += x.bound;
  }
  result.value = static_cast<int32_t>(sum);
  if (result.bound > 0)
    result.bound = infinity; // the wrapped sum may be anywhere
  return result;
}

/// Maximum; of the negated elements for the minimum.
static Scalar extremeRow(ArrayRef<Scalar> row, double sign, double identity) {
  double value = sign * identity, low = value, high = value;
  bool undecided = false, isNan = false, unknown = false;
  auto isGreater = [](double a, double b) { // -0 is below 0
    return a > b || (a == b && std::signbit(b) && !std::signbit(a));
  };
  for (const Scalar &x : row) {
    double element = sign * x.value;
    undecided |= x.undecided;
    isNan |= std::isnan(element);
    unknown |= std::isinf(x.bound);
    value = isGreater(element, value) ? element : value;
    low = std::max(low, element - x.bound);
    high = std::max(high, element + x.bound);
  }
  if (isNan)
    return {std::nan(""), unknown ? infinity : 0, undecided};
  double bound = std::max(high == value ? 0 : high - value,
                          low == value ? 0 : value - low);
  return {sign * value, unknown ? infinity : bound, undecided};
}

static double reduceIdentity(ReduceKind kind, mlir::Type type) {
  bool isMax = kind == ReduceKind::Max;
  if (type.isInteger(32))
    return isMax ? INT32_MIN : INT32_MAX;
  return isMax ? -infinity : infinity;
}

Tensor fuse::reduce(ReduceKind kind, const Tensor &source,
                    ArrayRef<int64_t> axes, const Box &box, bool exact,
                    mlir::MLIRContext *context) {
  mlir::Type type = source.elementType;
  Tensor result(type, box);
  if (!source.undecided.empty())
    result.undecided.resize(result.size());
  IndexSpace rows, reduced;
  auto strides = source.strides();
  unsigned resultAxis = 0;
  for (auto [axis, stride] : llvm::enumerate(strides)) {
    if (llvm::is_contained(axes, static_cast<int64_t>(axis))) {
      reduced.append(source.box.extent[axis], stride);
      continue;
    }
    rows.append(box.extent[resultAxis], stride);
    rows.shift(stride * (box.offset[resultAxis++] - source.box.offset[axis]));
  }
  bool isInteger = type.isInteger();
  OpRounding inner{isInteger ? FloatFormat() : accumulatorFormat(type), exact};
  FloatFormat format = isInteger ? FloatFormat() : FloatFormat::of(type);
  forRows(
      rows.size(), reduced.size(), context, [&](int64_t begin, int64_t end) {
        std::vector<Scalar> row(reduced.size());
        for (int64_t i = begin; i < end; ++i) {
          for (int64_t k = 0; k < reduced.size(); ++k)
            row[k] = read(source, rows[i] + reduced[k]);
          Scalar scalar;
          if (kind != ReduceKind::Sum)
            scalar = extremeRow(row, kind == ReduceKind::Max ? 1 : -1,
                                reduceIdentity(kind, type));
          else
            scalar = isInteger ? sumIntegers(row) : sumRow(row, inner, format);
          write(result, i, scalar);
        }
      });
  return result;
}

//===----------------------------------------------------------------------===//
// Rows in place
//===----------------------------------------------------------------------===//

Tensor fuse::mapRows(const Tensor &source, int64_t axis, const Box &box,
                     mlir::Type resultType, const RowFn &fn, bool sharesErrors,
                     mlir::MLIRContext *context) {
  Tensor result(resultType, box);
  // Filled before threads write.
  if (!source.undecided.empty())
    result.undecided.resize(result.size());
  if (sharesErrors) {
    result.commonAxis = axis;
    for (std::vector<double> &common : result.common)
      common.resize(result.size());
  }
  IndexSpace from, to;
  auto sourceStrides = source.strides(), resultStrides = result.strides();
  for (unsigned other = 0; other < box.getRank(); ++other) {
    if (other == axis)
      continue;
    from.append(box.extent[other], sourceStrides[other]);
    from.shift(sourceStrides[other] *
               (box.offset[other] - source.box.offset[other]));
    to.append(box.extent[other], resultStrides[other]);
  }
  const int64_t length = source.box.extent[axis];
  forRows(from.size(), length, context, [&](int64_t begin, int64_t end) {
    Row row;
    for (int64_t i = begin; i < end; ++i) {
      row.elements.resize(length);
      for (std::vector<double> &common : row.common)
        common.assign(length, 0);
      for (int64_t k = 0; k < length; ++k)
        row.elements[k] = read(source, from[i] + k * sourceStrides[axis]);
      fn(row);
      for (int64_t k = 0; k < box.extent[axis]; ++k) {
        int64_t at = to[i] + k * resultStrides[axis];
        write(result, at, row.elements[box.offset[axis] + k]);
        for (unsigned c = 0; sharesErrors && c < 2; ++c)
          result.common[c][at] = row.common[c][box.offset[axis] + k];
      }
    }
  });
  return result;
}

Scalar fuse::roundResult(Scalar value, const OpRounding &inner,
                         const FloatFormat &format) {
  if (format.precision >= inner.format.precision)
    return value;
  OpRounding rounding{format, inner.exact};
  return finish(value.value, value.bound,
                rounding.error(std::fabs(value.value) + value.bound),
                value.undecided, format);
}

static bool anyUndecided(ArrayRef<Scalar> row) {
  return llvm::any_of(row, [](const Scalar &x) { return x.undecided; });
}

static void fill(Row &row, Scalar value) {
  value.undecided = anyUndecided(row.elements);
  for (Scalar &x : row.elements)
    x = value;
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

/// The relative error of exp(x - max) for an element: of its argument, of the
/// subtraction, of the product with log2(e) and that constant, and of exp2.
static double relativeErrorOfExp(const Scalar &x, double t,
                                 const OpRounding &inner) {
  double unit = inner.exact ? 0 : inner.format.unit;
  double argument = x.bound + 3 * unit * std::fabs(t);
  return std::expm1(argument) * (1 + 4 * unit) + 4 * unit;
}

void fuse::softmaxRow(Row &row, MaskedRows maskedRows, const OpRounding &inner,
                      const FloatFormat &format) {
  bool undecided = anyUndecided(row.elements), unknown = false;
  double max = -infinity;
  for (const Scalar &x : row.elements) {
    unknown |= std::isinf(x.bound);
    max = std::isnan(x.value) || std::isnan(max) ? std::nan("")
                                                 : std::max(max, x.value);
  }
  if (!std::isfinite(max)) {
    bool isZero = max == -infinity && maskedRows == MaskedRows::Zero;
    return fill(row, {isZero ? 0 : std::nan(""), unknown ? infinity : 0});
  }
  // The shift cancels, so its error does not count: any shift used throughout
  // gives the same quotients.
  double sum = 0, sumError = 0;
  std::vector<double> errors;
  for (Scalar &x : row.elements) {
    double t = x.value - max;
    double p = std::exp(t);
    double error = t == -infinity ? (x.bound == 0 ? 0 : infinity)
                                  : p * relativeErrorOfExp(x, t, inner) +
                                        (inner.exact ? 0 : inner.format.tiny);
    errors.push_back(error);
    sum += p;
    sumError += error;
    x.value = p;
  }
  const double share = sumError / sum;
  const double additions = inner.rowSum(errors.size());
  for (auto [x, error] : llvm::zip_equal(row.elements, errors)) {
    double y = x.value / sum;
    if (y == 0 && error == 0 && !unknown) { // masked: 0 in every evaluation
      x = {0, 0, undecided};
      continue;
    }
    double propagated = infinity;
    // An element's own error is in the sum, too, where it counts against it.
    if (share < 1 && additions < 1) {
      double own = error / sum;
      double byErrors =
          ((1 - y) * own + y * std::max(share - own, 0.0)) / (1 - share);
      propagated = byErrors + (y + byErrors) * additions / (1 - additions);
    }
    // Whatever the errors are, a quotient of positive terms is in [0, 1].
    if (!std::isnan(propagated) && !unknown)
      propagated = std::min(propagated, std::max(y, 1 - y));
    x = roundResult(finish(y, propagated, inner.error(y + propagated),
                           undecided, inner.format),
                    inner, format);
  }
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

/// 1 / sqrt(mean square + eps). The computed mean square is never negative, so
/// eps limits how far it can fall.
static Scalar reciprocalRoot(double square, double squareError, double eps,
                             const OpRounding &inner) {
  double unit = inner.exact ? 0 : inner.format.unit;
  double shifted = square + eps;
  double error = squareError + unit * (shifted + squareError + eps) +
                 (inner.exact ? 0 : 2 * inner.format.tiny);
  // What is added is eps as rounded, which may be 0.
  double low =
      std::max(shifted - error, inner.format.round(eps) * (1 - 2 * unit));
  double value = 1 / std::sqrt(shifted);
  if (low <= 0 && error > 0)
    return finish(value, infinity, 0, false, inner.format);
  double propagated = std::max(1 / std::sqrt(low) - value,
                               value - 1 / std::sqrt(shifted + error));
  return finish(value, propagated, inner.error(value + propagated, 2), false,
                inner.format);
}

/// The error of the mean of `n` squares, from that of their sum.
static double meanSquareError(double squares, double squaresError, double n,
                              const OpRounding &inner) {
  double underflow = inner.exact ? 0 : n * inner.format.tiny;
  double error = squaresError + underflow +
                 (inner.rowSum(n) + inner.chain(2)) * (squares + squaresError);
  return squares + error > inner.format.max ? infinity : error / n;
}

/// The result of a row with NaN or infinite elements, whose mean has no finite
/// value: NaN throughout.
static bool fillIfNotFinite(Row &row) {
  bool isFinite = true, unknown = false;
  for (const Scalar &x : row.elements) {
    isFinite &= std::isfinite(x.value);
    unknown |= std::isinf(x.bound);
  }
  if (!isFinite)
    fill(row, {std::nan(""), unknown ? infinity : 0});
  return !isFinite;
}

/// `x * scale`, rounded, then times gamma plus beta, rounded once. The elements
/// have errors of their own; `shift` is one that all of them share, as they
/// share the scale's.
static void finishNorm(Row &row, double shift, const Scalar &scale,
                       const Tensor *gamma, const Tensor *beta,
                       const OpRounding &inner, const FloatFormat &format) {
  bool undecided = anyUndecided(row.elements);
  const double scaleHigh = scale.value + scale.bound;
  for (auto [index, x] : llvm::enumerate(row.elements)) {
    Scalar g = gamma ? read(*gamma, index) : Scalar{1};
    Scalar b = beta ? read(*beta, index) : Scalar{0};
    const double magnitude = std::fabs(g.value);
    double y = x.value * scale.value;
    double own = x.bound * scaleHigh;
    double byShift = shift * scale.value;
    double byScale = std::fabs(x.value) * scale.bound;
    double all = own + byShift + byScale + shift * scale.bound;
    own += shift * scale.bound + inner.error(std::fabs(y) + all);
    double result = y * g.value + b.value;
    double propagated =
        own * magnitude + (std::fabs(y) + all) * g.bound + b.bound;
    // With sign: the shared errors move elements by these directions.
    row.common[0][index] = byShift * g.value;
    row.common[1][index] = x.value * scale.bound * g.value;
    double shared = (byShift + byScale) * magnitude;
    bool hasAffine = gamma || beta;
    Scalar scalar = finish(
        result, propagated + shared,
        hasAffine ? inner.error(std::fabs(result) + propagated + shared) : 0,
        undecided, inner.format);
    x = roundResult(scalar, inner, format);
  }
}

void fuse::layerNormRow(Row &row, const Tensor *gamma, const Tensor *beta,
                        double eps, const OpRounding &inner,
                        const FloatFormat &format) {
  if (fillIfNotFinite(row))
    return;
  const double n = row.elements.size(), chain = inner.rowSum(n);
  double sum = 0, magnitude = 0, error = 0;
  for (const Scalar &x : row.elements) {
    sum += x.value;
    magnitude += std::fabs(x.value);
    error += x.bound;
  }
  const double mean = sum / n;
  double sumError = (error + chain * (magnitude + error)) / n;
  // Partial sums may leave the range although the mean does not.
  if (magnitude + n * sumError > inner.format.max)
    sumError = infinity;
  const double meanError = sumError + inner.error(std::fabs(mean) + sumError);
  // A common shift of all centred values changes the variance by its square
  // only, since they sum to zero; so the mean's error enters there squared.
  double squares = 0, squaresError = 0;
  for (Scalar &x : row.elements) {
    double centred = x.value - mean;
    x.bound += inner.error(std::fabs(centred) + x.bound + meanError);
    double total = x.bound + meanError;
    squares += centred * centred;
    squaresError += 2 * std::fabs(centred) * x.bound + total * total;
    x.value = centred;
  }
  double variance = squares / n;
  double varianceError = meanSquareError(squares, squaresError, n, inner);
  finishNorm(row, meanError,
             reciprocalRoot(variance, varianceError, eps, inner), gamma, beta,
             inner, format);
}

void fuse::rmsNormRow(Row &row, const Tensor *gamma, double eps,
                      const OpRounding &inner, const FloatFormat &format) {
  if (fillIfNotFinite(row))
    return;
  const double n = row.elements.size();
  double squares = 0, squaresError = 0;
  for (const Scalar &x : row.elements) {
    squares += x.value * x.value;
    squaresError += 2 * std::fabs(x.value) * x.bound + x.bound * x.bound;
  }
  double error = meanSquareError(squares, squaresError, n, inner);
  finishNorm(row, /*shift=*/0, reciprocalRoot(squares / n, error, eps, inner),
             gamma, /*beta=*/nullptr, inner, format);
}
