//===- Rows.cpp - Reductions, softmax and norms with error bounds ---------===//

#include "Rows.h"
#include "IndexSpace.h"
#include "mlir/IR/Threading.h"
#include <cmath>
#include <utility>

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
                     mlir::Type resultType, const RowFn &fn,
                     std::shared_ptr<SharedErrors> shared,
                     mlir::MLIRContext *context) {
  Tensor result(resultType, box);
  // Filled before threads write.
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
    Row row;
    for (int64_t i = begin; i < end; ++i) {
      row.elements.resize(length);
      row.fields.assign(shared->fields.size(), std::vector<double>(length));
      for (int64_t k = 0; k < length; ++k)
        row.elements[k] = read(source, from[i] + k * sourceStrides[axis]);
      row.number = double(to[i]);
      fn(row);
      for (int64_t k = 0; k < box.extent[axis]; ++k) {
        int64_t at = to[i] + k * resultStrides[axis];
        write(result, at, row.elements[box.offset[axis] + k]);
        for (auto [field, ofRow] : llvm::zip_equal(shared->fields, row.fields))
          field[at] = ofRow[box.offset[axis] + k];
      }
    }
  });
  result.shared = std::move(shared);
  result.sharedAxis = axis;
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

namespace {
/// The sum of the terms of a softmax, and what it is off by, relatively: by the
/// errors of the terms, and by its own additions.
struct SoftmaxSum {
  double value = 0, byTerms = 0, byAdditions = 0;
};
} // namespace

/// Element `index`, so far a term with this error, becomes its quotient.
static void divideBySum(Row &row, size_t index, double error,
                        const SoftmaxSum &sum, bool unknown,
                        const OpRounding &inner, const FloatFormat &format) {
  Scalar &x = row.elements[index];
  const double y = x.value / sum.value, own = error / sum.value;
  row.fields[SoftmaxErrors::Weight][index] = y;
  if (y == 0 && error == 0 && !unknown) { // masked: 0 in every evaluation
    x.value = x.bound = 0;
    return;
  }
  const double stretch = sum.byAdditions / (1 - sum.byAdditions);
  double propagated = infinity;
  // An element's own error is in the sum, too, where it counts against it.
  if (sum.byTerms < 1 && sum.byAdditions < 1) {
    double byErrors = ((1 - y) * own + y * std::max(sum.byTerms - own, 0.0)) /
                      (1 - sum.byTerms);
    propagated = byErrors + (y + byErrors) * stretch;
  }
  // Whatever the errors are, a quotient of positive terms is in [0, 1].
  if (!std::isnan(propagated) && !unknown)
    propagated = std::min(propagated, std::max(y, 1 - y));
  x = roundResult(finish(y, propagated, inner.error(y + propagated),
                         x.undecided, inner.format),
                  inner, format);
  if (!(sum.byTerms < 0.5 && sum.byAdditions < 0.5 && std::isfinite(x.bound)))
    return;
  // The quotients are those of the exact sum of the inexact terms, all of them
  // off by the same factor, and rounded.
  row.fields[SoftmaxErrors::Amount][index] = x.bound;
  row.fields[SoftmaxErrors::Spread][index] =
      own / (1 - sum.byTerms) * (1 + stretch);
  row.fields[SoftmaxErrors::Rest][index] = y * stretch + (x.bound - propagated);
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
  SoftmaxSum sum;
  std::vector<double> errors;
  for (Scalar &x : row.elements) {
    double t = x.value - max;
    double p = std::exp(t);
    double error = t == -infinity ? (x.bound == 0 ? 0 : infinity)
                                  : p * relativeErrorOfExp(x, t, inner) +
                                        (inner.exact ? 0 : inner.format.tiny);
    errors.push_back(error);
    sum.value += p;
    sum.byTerms += error;
    x.value = p;
    x.undecided = undecided;
  }
  sum.byTerms /= sum.value;
  sum.byAdditions = inner.rowSum(errors.size());
  for (auto [index, error] : llvm::enumerate(errors))
    divideBySum(row, index, error, sum, unknown, inner, format);
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

namespace {
/// A norm's row between centring and scaling: each element with its own error.
/// Errors of the operand, which it also follows, are `deviations`.
struct CentredRow {
  Row &row;
  double meanDeviation = 0; // 0 if the norm does not centre
  double shift = 0;         // what else the mean is off by
  double squares = 0, squaresError = 0;

  MutableArrayRef<double> deviations() {
    return row.fields[RowErrors::Deviation];
  }
  /// How far an element may be off in all.
  double totalError(size_t index) {
    return row.elements[index].bound + deviations()[index] + meanDeviation +
           shift;
  }
  void addSquares();
  void forgetDeviations();
};
} // namespace

/// The operand's errors enter through the deviation of each element, since a
/// common shift of all leaves the sum of `x * shift` zero, or there is none.
void CentredRow::addSquares() {
  for (auto [index, x] : llvm::enumerate(row.elements)) {
    double total = totalError(index);
    squares += x.value * x.value;
    squaresError += 2 * std::fabs(x.value) * (x.bound + deviations()[index]) +
                    total * total;
  }
}

/// Makes the operand's errors part of each element's own.
void CentredRow::forgetDeviations() {
  shift += std::exchange(meanDeviation, 0);
  for (auto [x, deviation] : llvm::zip_equal(row.elements, deviations()))
    x.bound += std::exchange(deviation, 0);
}

/// `x * scale`, rounded, then times gamma plus beta, rounded once.
static void finishNorm(CentredRow &centred, double eps, const Tensor *gamma,
                       const Tensor *beta, const OpRounding &inner,
                       const FloatFormat &format) {
  Row &row = centred.row;
  const double n = row.elements.size();
  const bool undecided = anyUndecided(row.elements);
  llvm::fill(row.fields[RowErrors::Cause], row.number);
  const double squareError =
      meanSquareError(centred.squares, centred.squaresError, n, inner);
  const Scalar scale =
      reciprocalRoot(centred.squares / n, squareError, eps, inner);
  if (!(squareError < (centred.squares / n + eps) / 2))
    centred.forgetDeviations();
  // By these the deviations move the scale, to first order. It falls with the
  // mean square ever slower, so that the rest of its bound is enough for all
  // that is not of first order.
  double levelDeviation = 0;
  for (auto [x, deviation] :
       llvm::zip_equal(row.elements, centred.deviations()))
    levelDeviation += std::fabs(x.value) * scale.value * deviation / n;
  const double scaleError =
      std::max(scale.bound - scale.value * scale.value * levelDeviation, 0.0);
  for (auto [index, x] : llvm::enumerate(row.elements)) {
    const Scalar g = gamma ? read(*gamma, index) : Scalar{1};
    const Scalar b = beta ? read(*beta, index) : Scalar{0};
    const double magnitude = std::fabs(g.value),
                 deviation = centred.deviations()[index];
    const double level = x.value * scale.value;
    double shared =
        scale.value * (deviation + centred.meanDeviation + centred.shift +
                       std::fabs(level) * levelDeviation) +
        std::fabs(x.value) * scaleError;
    double own =
        x.bound * scale.value + centred.totalError(index) * scale.bound;
    own += inner.error(std::fabs(level) + own + shared);
    double alone =
        own * magnitude + (std::fabs(level) + own + shared) * g.bound + b.bound;
    shared *= magnitude;
    double result = level * g.value + b.value;
    double affine =
        gamma || beta ? inner.error(std::fabs(result) + alone + shared) : 0;
    row.fields[RowErrors::Amount][index] = shared;
    row.fields[RowErrors::Shift][index] = scale.value * g.value * centred.shift;
    row.fields[RowErrors::Scale][index] = x.value * g.value * scaleError;
    row.fields[RowErrors::Slope][index] = scale.value * g.value;
    row.fields[RowErrors::Level][index] = level;
    x = roundResult(
        finish(result, alone + shared, affine, undecided, inner.format), inner,
        format);
  }
  if (!llvm::all_of(row.elements,
                    [](const Scalar &x) { return std::isfinite(x.bound); }))
    for (std::vector<double> &field : row.fields)
      std::fill(field.begin(), field.end(), 0);
}

void fuse::layerNormRow(Row &row, const Tensor *gamma, const Tensor *beta,
                        double eps, const OpRounding &inner,
                        const FloatFormat &format) {
  if (fillIfNotFinite(row))
    return;
  CentredRow centred{row};
  const double n = row.elements.size(), chain = inner.rowSum(n);
  double sum = 0, magnitude = 0, error = 0;
  for (auto [index, x] : llvm::enumerate(row.elements)) {
    sum += x.value;
    magnitude += std::fabs(x.value);
    error += x.bound;
    centred.deviations()[index] = std::exchange(x.bound, 0);
  }
  const double mean = sum / n, lost = chain * (magnitude + error);
  centred.meanDeviation = error / n;
  centred.shift = lost / n;
  // Partial sums may leave the range although the mean does not.
  if (magnitude + error + lost > inner.format.max)
    centred.shift = infinity;
  centred.shift +=
      inner.error(std::fabs(mean) + centred.meanDeviation + centred.shift);
  for (auto [index, x] : llvm::enumerate(row.elements)) {
    x.value -= mean;
    x.bound = inner.error(std::fabs(x.value) + centred.totalError(index));
  }
  centred.addSquares();
  finishNorm(centred, eps, gamma, beta, inner, format);
}

void fuse::rmsNormRow(Row &row, const Tensor *gamma, double eps,
                      const OpRounding &inner, const FloatFormat &format) {
  if (fillIfNotFinite(row))
    return;
  CentredRow centred{row};
  for (auto [index, x] : llvm::enumerate(row.elements))
    centred.deviations()[index] = std::exchange(x.bound, 0);
  centred.addSquares();
  finishNorm(centred, eps, gamma, /*beta=*/nullptr, inner, format);
}
