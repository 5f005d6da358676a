//===- Contractor.h - One contraction while it is evaluated ----*- C++ -*-===//

#ifndef FUSE_IR_INTERPRETER_CONTRACTOR_H
#define FUSE_IR_INTERPRETER_CONTRACTOR_H

#include "Contract.h"
#include "EvaluateScalar.h"
#include "IndexSpace.h"
#include "fuse/ir/SumOrder.h"
#include <cmath>

namespace fuse {

/// Indices with the same role, and where each combination is in each tensor.
struct Role {
  IndexSpace inFirst, inSecond, inResult;

  int64_t size() const { return inFirst.size(); }
};

/// The packed rows of one operand: values, magnitudes and bounds.
struct Panel {
  std::vector<double> value, magnitude, bound;
  std::vector<uint8_t> undecided; // one an outer index, any along the sum
  double reach = 0;               // largest finite |value| + bound
  bool hasInfinite = false;

  explicit Panel(int64_t size) : value(size), magnitude(size), bound(size) {}
  void set(int64_t at, const Tensor &tensor, int64_t from) {
    double v = tensor.value[from];
    value[at] = v;
    // An infinite operand makes the sum infinite or NaN; as a factor of the
    // other's error it would only turn 0 into NaN.
    magnitude[at] = std::isfinite(v) ? std::fabs(v) : 0;
    bound[at] = tensor.bound[from];
    reach = std::max(reach, magnitude[at] + bound[at]);
    hasInfinite |= std::isinf(v);
  }
};

/// The sums of one row of the result, a column each.
struct RowSums {
  std::vector<double> value, block, low, high;
  /// Of the operands' errors: as if each were on its own, and of what of them
  /// is on its own.
  std::vector<double> error, separate;
  /// The sum of |a||b|, or of the powers of two below the partial sums.
  std::vector<double> magnitude;
  /// The sum of the powers of two below the partial sums of one chain.
  std::vector<double> chain;
  /// The sum of |a||b|, where it is granted to add in another order.
  std::vector<double> absolute;

  explicit RowSums(int64_t width)
      : value(width), block(width), low(width), high(width), error(width),
        separate(width), magnitude(width), chain(width), absolute(width) {}
};

class Contractor {
public:
  Contractor(const Contraction &contraction, ArrayRef<const Tensor *> inputs,
             ArrayRef<SmallVector<int64_t>> shapes, const Box &box)
      : contraction(contraction), first(*inputs[0]),
        second(inputs.size() > 1 ? *inputs[1] : one),
        result(contraction.resultType, box),
        format(FloatFormat::of(contraction.resultType)),
        sums{accumulatorFormat(inputs[0]->elementType), contraction.exact} {
    if (inputs.size() == 1) {
      one = Tensor(inputs[0]->elementType, Box());
      one.value[0] = 1;
    }
    sortIndices(shapes);
    setErrorFactors();
    setFreeAdditions(shapes);
    findSharedErrors();
  }

  Tensor run(mlir::MLIRContext *context);

private:
  void sortIndices(ArrayRef<SmallVector<int64_t>> shapes);
  void setErrorFactors();
  void setFreeAdditions(ArrayRef<SmallVector<int64_t>> shapes);
  void findSharedErrors();
  std::vector<double> contractSharedErrors(int64_t batchIndex,
                                           const Panel &panel,
                                           mlir::MLIRContext *context) const;
  /// `shared` is what the shared errors amount to, a column each, or empty.
  void runRow(int64_t batchIndex, int64_t row, const Panel &columnsOfBatch,
              ArrayRef<double> shared);
  void accumulate(RowSums &sum, int64_t from, int64_t k,
                  const Panel &panel) const;
  double ownError(const RowSums &row, int64_t n) const;
  bool mayLeaveRange(int64_t batchIndex, int64_t row, const Panel &panel) const;
  bool leavesRange(int64_t batchIndex, int64_t row, int64_t n,
                   const Panel &panel) const;
  /// Of a result that is NaN: true if it might not be, if a term with a factor
  /// of zero counted for nothing.
  bool isNanByZeros(int64_t batchIndex, int64_t row, int64_t n,
                    const Panel &panel) const;
  template <typename Fn>
  void forColumns(int64_t batchIndex, Fn fn) const;
  Panel packColumns(int64_t batchIndex) const;

  const Contraction &contraction;
  Tensor one;
  const Tensor &first, &second;
  Tensor result;
  FloatFormat format;
  OpRounding sums;
  Role batch, rows, columns, reduced;
  bool isAscending = false;
  bool mayBeChain = false;              // of more terms than one block has
  std::optional<int64_t> freeAdditions; // granted in any other order, too
  bool sharesErrors = false; // the first operand's, along the summed axis
  int64_t resultStride = 0;  // from one column of the result to the next
  double products = 0;       // relative error of a product from its operands
  double unit = 0;           // of one addition
  double chain = 0;          // relative error of the longest chain of additions
  double underflow = 0;      // absolute, of all products
  double planeError = 0;     // absolute, of an operand as its last plane ends
};

} // namespace fuse

#endif // FUSE_IR_INTERPRETER_CONTRACTOR_H
