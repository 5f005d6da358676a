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
    magnitude += std::fabs(x.value);
    error += x.bound;
    undecided |= x.undecided;
  }
  double own = inner.rowSum(row.size()) * (magnitude + error);
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
  for (const Scalar &x : row) {
    double element = sign * x.value;
    undecided |= x.undecided;
    isNan |= std::isnan(element);
    unknown |= std::isinf(x.bound);
    value = std::max(value, element);
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
    rows.shift(stride *
               (box.offset[resultAxis++] - source.box.offset[axis]));
  }
  bool isInteger = type.isInteger();
  OpRounding inner{isInteger ? FloatFormat() : accumulatorFormat(type), exact};
  FloatFormat format = isInteger ? FloatFormat() : FloatFormat::of(type);
  forRows(rows.size(), reduced.size(), context, [&](int64_t begin,
                                                    int64_t end) {
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
                     mlir::Type resultType, const RowFn &fn,
                     mlir::MLIRContext *context) {
  Tensor result(resultType, box);
  // A row shares its undecided elements; filled before threads write.
  if (!source.undecided.empty())
    result.undecided.resize(result.size());
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
    std::vector<Scalar> row(length);
    for (int64_t i = begin; i < end; ++i) {
      for (int64_t k = 0; k < length; ++k)
        row[k] = read(source, from[i] + k * sourceStrides[axis]);
      fn(row);
      for (int64_t k = 0; k < box.extent[axis]; ++k)
        write(result, to[i] + k * resultStrides[axis],
              row[box.offset[axis] + k]);
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

static void fill(MutableArrayRef<Scalar> row, Scalar value) {
  for (Scalar &x : row)
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

void fuse::softmaxRow(MutableArrayRef<Scalar> row, MaskedRows maskedRows,
                      const OpRounding &inner, const FloatFormat &format) {
  bool undecided = anyUndecided(row), unknown = false;
  double max = -infinity;
  for (const Scalar &x : row) {
    unknown |= std::isinf(x.bound);
    max = std::isnan(x.value) || std::isnan(max) ? std::nan("")
                                                 : std::max(max, x.value);
  }
  if (!std::isfinite(max)) {
    bool isZero = max == -infinity && maskedRows == MaskedRows::Zero;
    return fill(row, {isZero ? 0 : std::nan(""), unknown ? infinity : 0,
                      undecided});
  }
  // The shift cancels, so its error does not count: any shift used throughout
  // gives the same quotients.
  double sum = 0, sumError = 0;
  std::vector<double> errors;
  for (Scalar &x : row) {
    double t = x.value - max;
    double p = std::exp(t);
    double error = t == -infinity
                       ? (x.bound == 0 ? 0 : infinity)
                       : p * relativeErrorOfExp(x, t, inner) +
                             (inner.exact ? 0 : inner.format.tiny);
    errors.push_back(error);
    sum += p;
    sumError += error;
    x.value = p;
  }
  double relativeSum = sumError / sum + inner.rowSum(row.size());
  for (auto [x, error] : llvm::zip_equal(row, errors)) {
    double y = x.value / sum;
    double propagated = infinity;
    if (relativeSum < 1)
      propagated = (error / sum + y * relativeSum) / (1 - relativeSum);
    // Whatever the errors are, a quotient of positive terms is in [0, 1].
    if (!std::isnan(propagated) && !unknown)
      propagated = std::min(propagated, std::max(y, 1 - y));
    x = roundResult(finish(y, propagated, inner.error(y), undecided,
                           inner.format),
                    inner, format);
  }
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

static Scalar multiply(const Scalar &a, const Scalar &b,
                       const OpRounding &rounding) {
  return evaluateFloat(ScalarFn::Mul, {a, b}, rounding);
}

/// 1 / sqrt(mean square + eps). The computed mean square is never negative, so
/// eps limits how far it can fall.
static Scalar reciprocalRoot(double square, double squareError, double eps,
                             const OpRounding &inner) {
  double unit = inner.exact ? 0 : inner.format.unit;
  double shifted = square + eps;
  double error = squareError + unit * (shifted + squareError + eps);
  if (shifted + error > inner.format.max)
    error = infinity; // the squares may overflow
  double low = std::max(shifted - error, eps * (1 - 2 * unit));
  double value = 1 / std::sqrt(shifted);
  double propagated =
      std::max(1 / std::sqrt(low) - value,
               value - 1 / std::sqrt(shifted + error));
  return finish(value, propagated, 4 * unit * value, false, inner.format);
}

/// The result of a row with NaN or infinite elements, whose mean has no finite
/// value: NaN throughout.
static bool fillIfNotFinite(MutableArrayRef<Scalar> row) {
  bool isFinite = true, unknown = false;
  for (const Scalar &x : row) {
    isFinite &= std::isfinite(x.value);
    unknown |= std::isinf(x.bound);
  }
  if (!isFinite)
    fill(row, {std::nan(""), unknown ? infinity : 0, anyUndecided(row)});
  return !isFinite;
}

/// The elements of a row as scaled by gamma and shifted by beta.
static void finishNorm(MutableArrayRef<Scalar> row, const Scalar &scale,
                       const Tensor *gamma, const Tensor *beta,
                       const OpRounding &inner, const FloatFormat &format) {
  bool undecided = anyUndecided(row);
  for (auto [index, x] : llvm::enumerate(row)) {
    Scalar y = multiply(x, scale, inner);
    if (gamma)
      y = multiply(y, read(*gamma, index), inner);
    if (beta)
      y = evaluateFloat(ScalarFn::Add, {y, read(*beta, index)}, inner);
    y.undecided |= undecided;
    x = roundResult(y, inner, format);
  }
}

void fuse::layerNormRow(MutableArrayRef<Scalar> row, const Tensor *gamma,
                        const Tensor *beta, double eps,
                        const OpRounding &inner, const FloatFormat &format) {
  if (fillIfNotFinite(row))
    return;
  const double n = row.size(), unit = inner.exact ? 0 : inner.format.unit;
  const double chain = inner.rowSum(n);
  double sum = 0, magnitude = 0, error = 0;
  for (const Scalar &x : row) {
    sum += x.value;
    magnitude += std::fabs(x.value);
    error += x.bound;
  }
  const double mean = sum / n;
  const double meanError =
      (error + chain * (magnitude + error)) / n + unit * std::fabs(mean);
  // A common shift of all centred values changes the variance by its square
  // only, since they sum to zero; so the mean's error enters there squared.
  double squares = 0, squaresError = 0;
  for (Scalar &x : row) {
    double centred = x.value - mean;
    double own =
        x.bound + unit * (std::fabs(centred) + x.bound + meanError);
    double total = own + meanError;
    squares += centred * centred;
    squaresError += 2 * std::fabs(centred) * own + total * total;
    x.value = centred;
    x.bound = total;
  }
  double variance = squares / n;
  double varianceError =
      (squaresError + (inner.rowSum(n) + inner.chain(2)) *
                          (squares + squaresError)) / n;
  finishNorm(row, reciprocalRoot(variance, varianceError, eps, inner), gamma,
             beta, inner, format);
}

void fuse::rmsNormRow(MutableArrayRef<Scalar> row, const Tensor *gamma,
                      double eps, const OpRounding &inner,
                      const FloatFormat &format) {
  if (fillIfNotFinite(row))
    return;
  const double n = row.size();
  double squares = 0, squaresError = 0;
  for (const Scalar &x : row) {
    squares += x.value * x.value;
    squaresError += 2 * std::fabs(x.value) * x.bound + x.bound * x.bound;
  }
  double error =
      (squaresError + (inner.rowSum(n) + inner.chain(2)) *
                          (squares + squaresError)) / n;
  finishNorm(row, reciprocalRoot(squares / n, error, eps, inner), gamma,
             /*beta=*/nullptr, inner, format);
}
