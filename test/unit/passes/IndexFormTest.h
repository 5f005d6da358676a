//===- IndexFormTest.h - Index forms of kernels as text --------*- C++ -*-===//

#ifndef FUSE_TEST_UNIT_PASSES_INDEXFORMTEST_H
#define FUSE_TEST_UNIT_PASSES_INDEXFORMTEST_H

#include "IRTest.h"

#include "fuse/passes/IndexForm.h"

namespace fuse {

/// Indices are called `i0`, `i1`, ... in the order of the form.
class IndexFormTest : public IRTest {
protected:
  void compute(StringRef text) {
    mlir::FunctionOpInterface function = parseFunction(text);
    ASSERT_TRUE(function);
    kernel = mlir::cast<mlir::func::FuncOp>(function.getOperation());
    FailureOr<DimAnalysis> analysis = DimAnalysis::compute(function);
    ASSERT_TRUE(succeeded(analysis)) << takeDiagnostics();
    dims = std::move(*analysis);
    FailureOr<IndexForm> result = IndexForm::compute(kernel, *dims);
    if (succeeded(result))
      form = std::move(*result);
  }

  mlir::Operation &op(unsigned number) {
    return *std::next(kernel.front().begin(), number);
  }
  mlir::OpOperand &operand(unsigned number, unsigned index) {
    return op(number).getOpOperand(index);
  }
  mlir::OpOperand &result(unsigned number) {
    return kernel.front().getTerminator()->getOpOperand(number);
  }

  std::string name(IndexId index) {
    const auto *it = llvm::find(form->getOrder(), index);
    return "i" + std::to_string(it - form->getOrder().begin());
  }
  /// `N x 4`: the extents of all indices.
  std::string extents() {
    std::string text;
    for (IndexId index : form->getOrder())
      text += (text.empty() ? "" : " x ") + form->getExtent(index).str();
    return text;
  }
  std::string text(ArrayRef<IndexId> indices) {
    std::string text;
    for (IndexId index : indices)
      text += (text.empty() ? "" : " ") + name(index);
    return text;
  }
  /// `(5) + (N) i0 + (1) i1`
  std::string text(const Access &access) {
    std::string text;
    if (access.offset != DimExpr())
      text = "(" + access.offset.str() + ")";
    for (IndexId index : form->getOrder())
      if (access.stride(index) != DimExpr())
        text += (text.empty() ? "(" : " + (") + access.stride(index).str() +
                ") " + name(index);
    return text;
  }
  /// Where operand `index` of op `number` is read.
  std::string read(unsigned number, unsigned index) {
    const Read *read = form->getRead(operand(number, index));
    return read ? text(read->access) : "computed";
  }

  mlir::func::FuncOp kernel;
  std::optional<DimAnalysis> dims;
  std::optional<IndexForm> form;
};

} // namespace fuse

#endif // FUSE_TEST_UNIT_PASSES_INDEXFORMTEST_H
