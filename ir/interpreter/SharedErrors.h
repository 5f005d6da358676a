//===- SharedErrors.h - Errors that elements have in common ----*- C++ -*-===//
//
// A bound for each element says nothing of what its error has to do with those
// of others. Where the errors along an axis have causes in common, such as the
// scale of a norm or one weight of a softmax, a contraction over that axis lets
// most of them cancel, in every evaluation. Here is what is known of such
// errors, and what they amount to in a contraction:
//
//   norm       an error of the mean moves a row along one direction, one of the
//              scale along another; so do they move linear images of the row,
//              and what smooth functions make of several images element by
//              element, such as a projection times its gate
//   products   such rows as factors move a sum of products term by term, each
//              along the axis that stays
//   softmax    the weights sum to one, so that the weighted mean of anything
//              moves only by the distance of what is weighted from that mean
//   attention  an error of one weight moves all channels of a head together
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_IR_INTERPRETER_SHAREDERRORS_H
#define FUSE_IR_INTERPRETER_SHAREDERRORS_H

#include "ElementReader.h"
#include "fuse/interpreter/Tensor.h"
#include "fuse/ir/FuseOps.h"

namespace fuse {

class ProductErrors;
class RowErrors;

/// One batch of a contraction over the axis along which its first operand's
/// errors are shared. The other operand is packed: a row of `width` columns for
/// each summed element, zeros in place of what is not finite.
struct SharedProduct {
  ArrayRef<int64_t> rows; // where each row begins in the first operand
  int64_t stride;         // from one summed element to the next
  int64_t depth, width;
  const double *columns;
  /// How far each shared error of the other operand's rows moves its columns,
  /// with sign; null if nothing is known.
  const double *columnErrors[2];
  ArrayRef<int64_t> results; // where each row begins in the result
  int64_t resultStride;      // from one column to the next
};

class SharedErrors {
public:
  SharedErrors(unsigned numFields, int64_t size)
      : fields(numFields, std::vector<double>(size)) {}
  virtual ~SharedErrors() = default;

  /// What they amount to in each element of the product, of all rows in turn.
  /// Tells `image`, if not null, how they move the result.
  virtual std::vector<double> contract(const SharedProduct &product,
                                       SharedErrors *image,
                                       mlir::MLIRContext *context) const = 0;
  /// For a result of that many elements in which they stay shared along the
  /// columns, which are `stride` apart; null where they do not.
  virtual std::shared_ptr<SharedErrors> makeImage(int64_t size,
                                                  int64_t stride) const {
    return nullptr;
  }
  /// How far each of two errors moves the elements, with sign; empty where that
  /// is not known.
  virtual ArrayRef<double> direction(unsigned which) const { return {}; }
  virtual const RowErrors *asRows() const { return nullptr; }
  virtual const ProductErrors *asProducts() const { return nullptr; }
  /// The part of an element's bound that they are.
  double amount(int64_t at) const { return fields[0][at]; }

  /// Numbers beside each element. The first is `amount`.
  std::vector<std::vector<double>> fields;
};

/// Of the rows of a norm, of linear images of them, and of smooth functions of
/// such.
class RowErrors : public SharedErrors {
public:
  /// `Shift` and `Scale` are how far the errors of the mean and the scale move
  /// an element; `Cause` says those of which row of the norm, and is the same
  /// all along the shared axis. An error `d` of the norm's operand moves the
  /// result by `slope * (d - mean(d) - level * mean(level * d))`, the first
  /// mean only if the norm centres; `Deviation` bounds `d`.
  enum Field {
    Amount,
    Shift,
    Scale,
    Cause,
    Slope,
    Level,
    Deviation,
    NumFields
  };

  RowErrors(int64_t size, bool centres)
      : SharedErrors(NumFields, size), centres(centres),
        norm(std::make_shared<char>()) {}
  /// What those of `norm` are in a result; without deviations.
  RowErrors(int64_t size, std::shared_ptr<const char> norm)
      : SharedErrors(Slope, size), norm(std::move(norm)) {}

  std::vector<double> contract(const SharedProduct &product,
                               SharedErrors *image,
                               mlir::MLIRContext *context) const override;
  std::shared_ptr<SharedErrors> makeImage(int64_t size,
                                          int64_t stride) const override {
    return std::make_shared<RowErrors>(size, norm);
  }
  ArrayRef<double> direction(unsigned which) const override {
    return fields[Shift + which];
  }
  const RowErrors *asRows() const override { return this; }
  /// The same for all whose causes are rows of the same norm.
  const std::shared_ptr<const char> &getNorm() const { return norm; }
  /// Drops the deviations if there are none.
  void finish();

  /// Part of the deviations are `errors` of the operand, which `positions`
  /// reads.
  void setOfOperand(std::shared_ptr<const ProductErrors> errors,
                    const ElementReader &positions);

private:
  void contractDeviations(const SharedProduct &product, int64_t row,
                          ArrayRef<double> slope, ArrayRef<double> level,
                          double *sums) const;
  void contractRow(const SharedProduct &product, int64_t row, double *sums,
                   SharedErrors *image) const;

  bool centres = false;
  std::shared_ptr<const char> norm;
  std::shared_ptr<const ProductErrors> ofOperand;
  std::vector<int64_t> inOperand; // where each element is there
};

/// Of sums of products, a factor of which has errors of rows along an axis that
/// the result keeps: each term moves along that axis with those of its factors.
class ProductErrors : public SharedErrors {
public:
  ProductErrors(const EinsumSpec &spec, const Tensor &first,
                const Tensor &second, const Tensor &result, int64_t axis);

  std::vector<double> contract(const SharedProduct &product,
                               SharedErrors *image,
                               mlir::MLIRContext *context) const override;
  const ProductErrors *asProducts() const override { return this; }
  /// Adds what they amount to in the products of one row with some columns.
  void addProducts(int64_t row, const double *columns, int64_t width,
                   double *sums) const;
  /// True if an operand of this block, with this shared axis, has them.
  bool areOf(const Box &other, int64_t otherAxis) const {
    return box == other && axis == otherAxis;
  }
  /// False if nothing is shared, or it would take long to follow.
  bool isWorthwhile() const;
  void setAmounts(mlir::MLIRContext *context);

private:
  struct Factor {
    std::vector<double> value; // zeros in place of what is not finite
    std::shared_ptr<SharedErrors> errors; // null if none are shared
    SmallVector<int64_t> strides;         // one an axis of the result
    int64_t base = 0, summedStride = 0;
  };

  Factor makeFactor(const EinsumSpec &spec, StringRef letters,
                    const Tensor &tensor) const;
  /// Calls `fn` with how far each error of each term moves a row.
  void forEachTerm(int64_t row, function_ref<void(ArrayRef<double>)> fn) const;

  Box box;
  SmallVector<int64_t> strides;
  int64_t axis, numTerms = 1;
  Factor factors[2];
};

/// Of the rows of a softmax. Weight `w` is computed as
/// `w + spread' - w * sum(spread') + rest'`, the errors within `Spread` and
/// `Rest`, so that a weighted mean m of u errs by at most
/// `sum(spread * |u - m| + rest * |u|)`.
class SoftmaxErrors : public SharedErrors,
                      public std::enable_shared_from_this<SoftmaxErrors> {
public:
  enum Field { Amount, Weight, Spread, Rest, NumFields };

  explicit SoftmaxErrors(int64_t size) : SharedErrors(NumFields, size) {}

  std::vector<double> contract(const SharedProduct &product,
                               SharedErrors *image,
                               mlir::MLIRContext *context) const override;
  std::shared_ptr<SharedErrors> makeImage(int64_t size,
                                          int64_t stride) const override;
};

/// Of weighted means: groups of neighbouring elements, such as the channels of
/// a head, share the errors of the weights.
class MeanErrors : public SharedErrors {
public:
  MeanErrors(int64_t size, std::shared_ptr<const SoftmaxErrors> weights)
      : SharedErrors(/*numFields=*/1, size), weights(std::move(weights)) {}

  std::vector<double> contract(const SharedProduct &product,
                               SharedErrors *image,
                               mlir::MLIRContext *context) const override;
  /// The means `results`, of the columns by the weights in `rows`.
  void add(const SharedProduct &product);

private:
  struct Group {
    int64_t weights, result; // where they begin
  };
  /// Groups that average the same vectors.
  struct Batch {
    int64_t stride, depth, width;
    /// The vectors, and how far their own shared errors move them.
    std::vector<double> vectors[3];
    std::vector<Group> groups;
  };
  void contractGroup(const Batch &batch, const Group &group,
                     ArrayRef<double> images[3], int64_t width,
                     double *sums) const;

  std::shared_ptr<const SoftmaxErrors> weights;
  std::vector<Batch> batches;
};

/// Runs `fn(i)` for all i below `count`, in parallel where the work pays.
void forEach(int64_t count, int64_t workEach, mlir::MLIRContext *context,
             function_ref<void(int64_t)> fn);

/// For the result of an elementwise function, so far with bounds as if each
/// operand's errors were on their own: errors that operands share may cancel,
/// and stay shared.
void shareThroughMap(ScalarFn fn, ArrayRef<const Tensor *> operands,
                     const OpRounding &rounding, Tensor &result,
                     mlir::MLIRContext *context);

/// For the result of a product of two tensors, with the bounds that it keeps.
void shareThroughProducts(const EinsumSpec &spec, const Tensor &first,
                          const Tensor &second, Tensor &result,
                          mlir::MLIRContext *context);

} // namespace fuse

#endif // FUSE_IR_INTERPRETER_SHAREDERRORS_H
