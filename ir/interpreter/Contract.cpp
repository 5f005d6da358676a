//===- Contract.cpp - Sums of products with error bounds ------------------===//
//
// A contraction is one matrix product per batch index: the indices of each
// operand are sorted into batch, row, column and reduced ones, and the operands
// packed accordingly. Three sums run side by side: the value, the magnitude
// that rounding errors scale with, and the propagated error.
//
//===----------------------------------------------------------------------===//

#include "Contractor.h"
#include "EvaluateScalar.h"
#include "SharedErrors.h"
#include "mlir/IR/Threading.h"
#include <cmath>

using namespace fuse;

/// In the ieee class, the terms of this many consecutive indices form one
/// chain.
static constexpr int64_t contractionBlock = 32;

SmallVector<Box, 2>
fuse::contractOperandBoxes(const EinsumSpec &spec,
                           ArrayRef<SmallVector<int64_t>> shapes,
                           const Box &result) {
  SmallVector<Box, 2> boxes;
  for (auto [letters, shape] : llvm::zip_equal(spec.operands, shapes)) {
    Box box = Box::whole(shape);
    for (auto [axis, letter] : llvm::enumerate(letters)) {
      size_t position = spec.result.find(letter);
      if (position == std::string::npos)
        continue;
      box.offset[axis] = result.offset[position];
      box.extent[axis] = result.extent[position];
    }
    boxes.push_back(std::move(box));
  }
  return boxes;
}

std::pair<int64_t, int64_t> fuse::strideOf(StringRef letters, char letter,
                                           const Tensor &tensor,
                                           int64_t start) {
  auto strides = tensor.strides();
  int64_t stride = 0, base = 0;
  for (auto [axis, other] : llvm::enumerate(letters)) {
    if (other != letter)
      continue;
    stride += strides[axis];
    base += strides[axis] * (start - tensor.box.offset[axis]);
  }
  return {stride, base};
}

void Contractor::sortIndices(ArrayRef<SmallVector<int64_t>> shapes) {
  const EinsumSpec &spec = contraction.spec;
  StringRef a = spec.operands[0];
  StringRef b = spec.operands.size() > 1 ? StringRef(spec.operands[1]) : "";
  auto resultStrides = result.strides();
  int64_t baseA = 0, baseB = 0;
  auto add = [&](Role &role, char letter, int64_t start, int64_t extent,
                 int64_t resultStride) {
    auto [strideA, offsetA] = strideOf(a, letter, first, start);
    auto [strideB, offsetB] = strideOf(b, letter, second, start);
    baseA += offsetA;
    baseB += offsetB;
    role.inFirst.append(extent, strideA);
    role.inSecond.append(extent, strideB);
    role.inResult.append(extent, resultStride);
  };
  for (auto [axis, letter] : llvm::enumerate(spec.result)) {
    bool inA = a.contains(letter), inB = b.contains(letter);
    add(inA && inB ? batch : (inA ? rows : columns), letter,
        result.box.offset[axis], result.box.extent[axis], resultStrides[axis]);
  }
  for (char letter : spec.reduced()) {
    size_t axis = a.find(letter);
    int64_t extent =
        axis != StringRef::npos ? shapes[0][axis] : shapes[1][b.find(letter)];
    add(reduced, letter, 0, extent, 0);
  }
  batch.inFirst.shift(baseA);
  batch.inSecond.shift(baseB);
}

/// How the products and the longest chain of additions contribute.
void Contractor::setErrorFactors() {
  isAscending = contraction.precision == Precision::Ieee &&
                contraction.spec.reduced().size() <= 1;
  mayBeChain =
      reduced.size() > contractionBlock && mayBeOneChain(reduced.size());
  // One operand and nothing to sum is an index map: exact.
  bool isIndexMap =
      contraction.spec.operands.size() == 1 && reduced.size() <= 1;
  if (contraction.exact || isIndexMap)
    return;
  double chainUnits = 2; // tensor cores truncate what they add
  int planeProducts = 1;
  switch (contraction.precision) {
  case Precision::Ieee:
    chainUnits = 1;
    break;
  case Precision::Tf32:
    products = 2 * 0x1p-11 + 0x1p-22;
    break;
  case Precision::Bf16:
    products = 2 * 0x1p-8 + 0x1p-16;
    break;
  case Precision::Bf16x3: // hi and lo planes; lo times lo is dropped
    products = 3 * 0x1p-16;
    planeProducts = 3;
    break;
  case Precision::Bf16x6: // three planes; products below 2^-16 are dropped
    products = 4 * 0x1p-24;
    planeProducts = 6;
    break;
  }
  if (contraction.precision != Precision::Ieee)
    planeError = 0x1p-134; // half the smallest subnormal of bf16
  unit = chainUnits * sums.format.unit;
  chain = sums.chain(chainUnits * reduced.size());
  underflow = planeProducts * reduced.size() * sums.format.tiny;
}

/// How many elements the whole result has along the indices that it shares with
/// one operand only.
static int64_t countColumns(const EinsumSpec &spec, unsigned number,
                            ArrayRef<SmallVector<int64_t>> shapes) {
  int64_t count = 1;
  for (auto [letter, extent] : llvm::zip(spec.operands[number], shapes[number]))
    if (StringRef(spec.result).contains(letter) &&
        !StringRef(spec.operands[1 - number]).contains(letter))
      count *= extent;
  return count;
}

void Contractor::setFreeAdditions(ArrayRef<SmallVector<int64_t>> shapes) {
  if (contraction.spec.operands.size() != 2)
    return;
  for (unsigned number : {0, 1})
    if (!freeAdditions)
      freeAdditions = getFreeAdditions(
          countColumns(contraction.spec, number, shapes), reduced.size());
}

/// Finds out whether the first operand's errors are shared along the summed
/// axis, and whether their images are along an axis of the result.
void Contractor::findSharedErrors() {
  const EinsumSpec &spec = contraction.spec;
  StringRef letters = spec.operands[0];
  const std::string summed = spec.reduced();
  // Other classes also round operands, which does not cancel.
  if (!isAscending || !first.shared || summed.size() != 1 ||
      letters.count(summed[0]) != 1 || letters[first.sharedAxis] != summed[0])
    return;
  sharesErrors = true;
  std::string ofColumns;
  for (char letter : spec.result)
    if (!letters.contains(letter))
      ofColumns += letter;
  if (ofColumns.size() != 1)
    return;
  result.sharedAxis = spec.result.find(ofColumns[0]);
  resultStride = result.strides()[result.sharedAxis];
  result.shared = first.shared->makeImage(result.size(), resultStride);
}

/// Calls `fn(n, from)` for column `n` of each summed index in turn, which is
/// at `from` in the second operand. Columns run fastest, so that the inner loop
/// of a product is over independent sums.
template <typename Fn>
void Contractor::forColumns(int64_t batchIndex, Fn fn) const {
  for (int64_t k = 0; k < reduced.size(); ++k)
    for (int64_t n = 0; n < columns.size(); ++n)
      fn(n, batch.inSecond[batchIndex] + reduced.inSecond[k] +
                columns.inSecond[n]);
}

Panel Contractor::packColumns(int64_t batchIndex) const {
  Panel panel(reduced.size() * columns.size());
  if (!second.undecided.empty())
    panel.undecided.resize(columns.size());
  int64_t at = 0;
  forColumns(batchIndex, [&](int64_t n, int64_t from) {
    panel.set(at++, second, from);
    if (second.isUndecided(from))
      panel.undecided[n] = 1;
  });
  return panel;
}

std::vector<double>
Contractor::contractSharedErrors(int64_t batchIndex, const Panel &panel,
                                 mlir::MLIRContext *context) const {
  std::vector<double> finite(panel.value), errors[2];
  for (double &value : finite)
    value = std::isfinite(value) ? value : 0;
  if (result.shared && second.shared &&
      StringRef(contraction.spec.operands[1])[second.sharedAxis] ==
          contraction.spec.result[result.sharedAxis])
    for (unsigned which = 0; which < 2; ++which)
      if (ArrayRef<double> moved = second.shared->direction(which);
          !moved.empty())
        forColumns(batchIndex, [&](int64_t, int64_t from) {
          errors[which].push_back(moved[from]);
        });
  SmallVector<int64_t> rowsAt, resultsAt;
  for (int64_t row = 0; row < rows.size(); ++row) {
    rowsAt.push_back(batch.inFirst[batchIndex] + rows.inFirst[row]);
    resultsAt.push_back(batch.inResult[batchIndex] + rows.inResult[row]);
  }
  auto dataOf = [](const std::vector<double> &v) {
    return v.empty() ? nullptr : v.data();
  };
  SharedProduct product{
      rowsAt,         reduced.size() > 1 ? reduced.inFirst[1] : 1,
      reduced.size(), columns.size(),
      finite.data(),  {dataOf(errors[0]), dataOf(errors[1])},
      resultsAt,      resultStride};
  return first.shared->contract(product, result.shared.get(), context);
}

/// Adds the products of one index of the sum to each column, and what bounds
/// their errors.
void Contractor::accumulate(RowSums &sum, int64_t from, int64_t k,
                            const Panel &panel) const {
  const int64_t width = sum.value.size();
  const double a = first.value[from], boundA = first.bound[from];
  const double magnitudeA = std::isfinite(a) ? std::fabs(a) : 0;
  const double *b = &panel.value[k * width];
  const double *magnitudeB = &panel.magnitude[k * width];
  const double *boundB = &panel.bound[k * width];
  for (int64_t n = 0; n < width; ++n) {
    sum.block[n] += a * b[n];
    sum.error[n] +=
        magnitudeA * boundB[n] + boundA * (magnitudeB[n] + boundB[n]);
  }
  if (sharesErrors) {
    const double alone = std::max(boundA - first.shared->amount(from), 0.0);
    for (int64_t n = 0; n < width; ++n)
      sum.separate[n] +=
          magnitudeA * boundB[n] + alone * magnitudeB[n] + boundA * boundB[n];
  }
  if (isAscending) {
    // The partial sum of an evaluation is off by what has been lost so far.
    for (int64_t n = 0; n < width; ++n)
      sum.magnitude[n] += powerBelow(std::fabs(sum.block[n]) + sum.error[n] +
                                     unit * sum.magnitude[n]);
    if (mayBeChain)
      for (int64_t n = 0; n < width; ++n)
        sum.chain[n] += powerBelow(std::fabs(sum.value[n] + sum.block[n]) +
                                   sum.error[n] + unit * sum.chain[n]);
    if (freeAdditions)
      for (int64_t n = 0; n < width; ++n)
        sum.absolute[n] += magnitudeA * magnitudeB[n];
  } else {
    for (int64_t n = 0; n < width; ++n) {
      sum.magnitude[n] += magnitudeA * magnitudeB[n];
      sum.error[n] += planeError * (magnitudeA + magnitudeB[n]);
    }
  }
}

/// Adds the sums of a finished block to the row's.
static void closeBlock(RowSums &sum) {
  for (int64_t n = 0, e = sum.value.size(); n < e; ++n) {
    sum.value[n] += sum.block[n];
    sum.low[n] = std::min(sum.low[n], sum.value[n]);
    sum.high[n] = std::max(sum.high[n], sum.value[n]);
    sum.block[n] = 0;
  }
}

/// The error of a sum's own roundings. In the ieee class the terms of a block
/// are added in ascending order, so each addition errs by half a unit in the
/// last place of a known partial sum. Neighbouring blocks are joined in any
/// order: each join gives the sum of consecutive blocks. Few terms may be one
/// chain, too. With few columns terms may also pass some additions in another
/// order. Otherwise the order is free, and each term may pass every addition.
double Contractor::ownError(const RowSums &row, int64_t n) const {
  if (!isAscending)
    return (products + chain * (1 + products)) *
               (row.magnitude[n] + row.error[n]) +
           underflow;
  double joins = llvm::divideCeil(reduced.size(), contractionBlock) - 1;
  double lost = row.error[n] + unit * row.magnitude[n];
  // The joins' own errors may lift later sums over a power of two.
  double range = row.high[n] - row.low[n] + 2 * lost;
  double joined = powerBelow(range + 2 * unit * joins * powerBelow(range));
  double additions = std::max(row.magnitude[n] + joins * joined, row.chain[n]);
  if (freeAdditions)
    additions = std::max(additions, static_cast<double>(*freeAdditions) *
                                        (row.absolute[n] + lost));
  return unit * additions * (1 + 2 * chain) + underflow;
}

void Contractor::runRow(int64_t batchIndex, int64_t row, const Panel &panel,
                        ArrayRef<double> shared) {
  const int64_t width = columns.size();
  RowSums sum(width);
  bool undecided = false;
  for (int64_t k = 0; k < reduced.size(); ++k) {
    int64_t from =
        batch.inFirst[batchIndex] + rows.inFirst[row] + reduced.inFirst[k];
    undecided |= first.isUndecided(from);
    accumulate(sum, from, k, panel);
    if ((k + 1) % contractionBlock == 0 || k + 1 == reduced.size())
      closeBlock(sum);
  }
  const bool isCritical = mayLeaveRange(batchIndex, row, panel);
  for (int64_t n = 0; n < width; ++n) {
    int64_t at =
        batch.inResult[batchIndex] + rows.inResult[row] + columns.inResult[n];
    double error = sum.error[n];
    if (sharesErrors) {
      // A result that goes on sharing errors has them apart from the others.
      double apart = sum.separate[n] + shared[n];
      error = result.shared ? apart : std::min(error, apart);
    }
    if ((isCritical && leavesRange(batchIndex, row, n, panel)) ||
        (std::isnan(sum.value[n]) && isNanByZeros(batchIndex, row, n, panel)))
      error = std::numeric_limits<double>::infinity();
    double own = ownError(sum, n);
    if (!contraction.exact && format.precision < sums.format.precision)
      own += OpRounding{format}.error(std::fabs(sum.value[n]) + own + error);
    Scalar scalar = finish(sum.value[n], error, own, false, format);
    result.value[at] = scalar.value;
    result.bound[at] = scalar.bound;
    if (undecided || (!panel.undecided.empty() && panel.undecided[n]))
      result.undecided[at] = 1;
  }
}

Tensor Contractor::run(mlir::MLIRContext *context) {
  if (!first.undecided.empty() || !second.undecided.empty())
    result.undecided.resize(result.size());
  for (int64_t batchIndex = 0; batchIndex < batch.size(); ++batchIndex) {
    Panel panel = packColumns(batchIndex);
    std::vector<double> shared;
    if (sharesErrors)
      shared = contractSharedErrors(batchIndex, panel, context);
    auto runRows = [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row)
        runRow(batchIndex, row, panel,
               sharesErrors ? ArrayRef(shared).slice(row * columns.size(),
                                                     columns.size())
                            : ArrayRef<double>());
    };
    int64_t work = rows.size() * columns.size() * reduced.size();
    if (work < (1 << 16)) {
      runRows(0, rows.size());
      continue;
    }
    const int64_t chunk = std::max<int64_t>(1, rows.size() / 16);
    mlir::parallelFor(
        context, 0, llvm::divideCeil(rows.size(), chunk), [&](size_t i) {
          runRows(i * chunk, std::min<int64_t>((i + 1) * chunk, rows.size()));
        });
  }
  if (!sharesErrors)
    shareThroughProducts(contraction.spec, first, second, result, context);
  return std::move(result);
}

Tensor fuse::contract(const Contraction &contraction,
                      ArrayRef<const Tensor *> inputs,
                      ArrayRef<SmallVector<int64_t>> shapes, const Box &box,
                      mlir::MLIRContext *context) {
  return Contractor(contraction, inputs, shapes, box).run(context);
}
