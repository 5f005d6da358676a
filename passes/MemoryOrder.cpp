//===- MemoryOrder.cpp - How intermediates lie in memory ------------------===//

#include "MemoryOrder.h"
#include "KernelTrial.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace fuse;

using DimOrder = SmallVector<int64_t>;

namespace {
/// How a kernel's tiles lie in a tensor that it reads or writes.
struct TileAccess {
  /// Whether tiles span more than one element of a dim. Dims of extent 1 count
  /// as spanned: where they stand does not matter.
  SmallVector<bool> isSpanned;

  /// The same dims with those that tiles span behind the others.
  DimOrder getWanted() const;
  /// True if neighbours in memory never are in one tile.
  bool isScattered(ArrayRef<int64_t> order) const;
};

class OrderChooser {
public:
  OrderChooser(FunctionOpInterface function, const DimAnalysis &dims,
               const CopiedOps &copied)
      : dims(dims), trials(function, dims, copied) {}

  void addKernel(const KernelPlan &kernel);
  MemoryOrders choose() const;

private:
  void addAccesses(const OutlinedKernel &kernel, const IndexForm &form,
                   const KernelSchedule &schedule);
  void addAccess(Value tensor, const Access &access, const IndexForm &form,
                 const KernelSchedule &schedule);
  DimOrder chooseOrder(ArrayRef<TileAccess> all) const;

  const DimAnalysis &dims;
  KernelTrial trials;
  llvm::MapVector<Value, SmallVector<TileAccess>> accesses;
};
} // namespace

DimOrder TileAccess::getWanted() const {
  DimOrder order(isSpanned.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order, [&](int64_t lhs, int64_t rhs) {
    return isSpanned[lhs] < isSpanned[rhs];
  });
  return order;
}

bool TileAccess::isScattered(ArrayRef<int64_t> order) const {
  return !order.empty() && !isSpanned[order.back()] &&
         llvm::is_contained(isSpanned, true);
}

void OrderChooser::addAccess(Value tensor, const Access &access,
                             const IndexForm &form,
                             const KernelSchedule &schedule) {
  DimVector extents = dims.getSimplifiedDims(tensor);
  TileAccess tile;
  tile.isSpanned.resize(extents.size());
  DimExpr stride(1);
  for (size_t dim = extents.size(); dim-- > 0;) {
    tile.isSpanned[dim] = extents[dim] == DimExpr(1);
    for (const auto &[index, own] : access.strides)
      if (own == stride && schedule.getExtent(index) > 1)
        tile.isSpanned[dim] = true;
    stride = stride * extents[dim];
  }
  accesses[tensor].push_back(std::move(tile));
}

void OrderChooser::addAccesses(const OutlinedKernel &kernel,
                               const IndexForm &form,
                               const KernelSchedule &schedule) {
  func::FuncOp function = kernel.function;
  for (Operation &op : function.front().without_terminator())
    for (OpOperand &operand : op.getOpOperands())
      if (const Read *read = isIndexMap(&op) ? nullptr : form.getRead(operand))
        addAccess(kernel.inputs[read->buffer.getArgNumber()], read->access,
                  form, schedule);
  for (auto [number, output] : llvm::enumerate(kernel.outputs))
    addAccess(output, form.getResult(number), form, schedule);
}

void OrderChooser::addKernel(const KernelPlan &kernel) {
  trials.run(kernel.ops, [&](const OutlinedKernel &copy, const IndexForm &form,
                             const KernelSchedule &schedule) {
    addAccesses(copy, form, schedule);
  });
}

/// The row-major order unless another one scatters fewer accesses.
DimOrder OrderChooser::chooseOrder(ArrayRef<TileAccess> all) const {
  auto countScattered = [&](ArrayRef<int64_t> order) {
    return llvm::count_if(all, [&](const TileAccess &access) {
      return access.isScattered(order);
    });
  };
  DimOrder best(all.front().isSpanned.size());
  std::iota(best.begin(), best.end(), 0);
  for (const TileAccess &access : all) {
    DimOrder wanted = access.getWanted();
    if (countScattered(wanted) < countScattered(best))
      best = std::move(wanted);
  }
  return best;
}

MemoryOrders OrderChooser::choose() const {
  MemoryOrders orders;
  for (const auto &[value, all] : accesses) {
    DimOrder order = chooseOrder(all);
    if (!llvm::is_sorted(order))
      orders[value] = std::move(order);
  }
  return orders;
}

/// True if nothing but kernels needs the value.
static bool isBetweenKernels(Value value,
                             const llvm::DenseSet<Operation *> &members,
                             const CopiedOps &copied) {
  Operation *op = value.getDefiningOp();
  return op && members.contains(op) &&
         llvm::none_of(value.getUsers(), [&](Operation *user) {
           return copied.isNeededOutside(user, members);
         });
}

MemoryOrders fuse::chooseMemoryOrders(FunctionOpInterface function,
                                      const DimAnalysis &dims,
                                      ArrayRef<KernelPlan> kernels,
                                      const CopiedOps &copied) {
  OrderChooser chooser(function, dims, copied);
  llvm::DenseSet<Operation *> members;
  for (const KernelPlan &kernel : kernels) {
    chooser.addKernel(kernel);
    members.insert(kernel.ops.begin(), kernel.ops.end());
  }
  MemoryOrders orders = chooser.choose();
  orders.remove_if([&](const auto &entry) {
    return !isBetweenKernels(entry.first, members, copied);
  });
  return orders;
}
