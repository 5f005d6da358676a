//===- BoundsTest.cpp - Bounds against evaluations in float ---------------===//

#include "RandomProgram.h"
#include "TestProgram.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "gtest/gtest.h"

using namespace fuse;
using namespace fuse::test;

TEST(Bounds, Try) {
  const char *only = getenv("SEED");
  uint64_t first = only ? atoll(only) : 0;
  uint64_t end = only ? first + 1 : (getenv("COUNT") ? atoll(getenv("COUNT")) : 3000);
  std::vector<double> ratios;
  int64_t infinite = 0, total = 0, undecided = 0, exact = 0;
  int bad = 0;
  for (uint64_t seed = first; seed < end; ++seed) {
    RandomProgram random = generateProgram(seed);
    if (only) llvm::errs() << random.text;
    TestProgram program(random.text);
    if (only && program.isValid()) {
      auto fn = mlir::cast<mlir::func::FuncOp>(program.getFunction().getOperation());
      mlir::Operation *ret = fn.getBody().front().getTerminator();
      SmallVector<mlir::Value> vals; SmallVector<mlir::Type> types;
      for (mlir::Operation &op : fn.getBody().front().without_terminator()) { vals.push_back(op.getResult(0)); types.push_back(op.getResult(0).getType()); }
      ret->setOperands(vals);
      fn.setType(mlir::FunctionType::get(fn.getContext(), fn.getArgumentTypes(), types));
      program.prepareAgain();
    }
    if (!program.isValid()) { if (++bad > 5) return; continue; }
    SmallVector<Tensor> want = program.run(random.arguments);
    for (size_t o : {seed % 6, (seed / 6 + seed + 3) % 6}) {
      const EvaluationOrder &order = EvaluationOrder::all()[o];
      TensorValues got = program.runInFloat(random.arguments, order);
      for (size_t r = 0; r < want.size(); ++r) {
        Verdict v = judge(want[r], got[r], {});
        if (only && v.numFailed) {
          llvm::errs() << "FAIL order " << order.str() << ": " << v.str() << " bound " << v.bound << "\n  ";
          auto *op = program.getFunction().getFunctionBody().front().getTerminator()->getOperand(r).getDefiningOp();
          llvm::errs() << *op << "\n";
          for (mlir::Value in : op->getOperands()) {
            // same position if same shape
            auto *d = in.getDefiningOp(); 
            llvm::errs() << "   operand " << in << "\n";
            if (!d) { auto a = mlir::cast<mlir::BlockArgument>(in); auto &x = random.arguments[a.getArgNumber()]; for (size_t k=0;k<std::min<size_t>(x.size(),40);++k) llvm::errs() << " " << x[k]; llvm::errs() << "\n"; continue; }
            for (size_t q = 0; q < want.size(); ++q) if (program.getFunction().getFunctionBody().front().getTerminator()->getOperand(q) == in)
              for (size_t k = 0; k < std::min<size_t>(want[q].value.size(), 40); ++k) llvm::errs() << " (" << want[q].value[k] << "+-" << want[q].bound[k] << " got " << got[q][k] << ")";
            llvm::errs() << "\n";
          }
          return;
        }
        total += v.numElements;
        undecided += v.numUndecided;
        for (size_t i = 0; i < want[r].bound.size(); ++i) {
          if (std::isinf(want[r].bound[i])) ++infinite;
          else if (want[r].bound[i] == 0) ++exact;
          else if (std::isfinite(want[r].value[i]) ) ratios.push_back(std::fabs(got[r][i]-want[r].value[i])/want[r].bound[i]);
        }
        if (v.numFailed) {
          ++bad;
          printf("seed %llu result %zu order %s: %s bound %g\n", (unsigned long long)seed, r, order.str().c_str(), v.str().c_str(), v.bound);
        }
        if (bad > 30) return;
      }
    }
  }
  std::sort(ratios.begin(), ratios.end());
  printf("total %ld inf %ld undecided %ld exact %ld; ratios n=%zu median %g p99 %g max %g\n", total, infinite, undecided, exact, ratios.size(),
    ratios.empty()?0:ratios[ratios.size()/2], ratios.empty()?0:ratios[ratios.size()*99/100], ratios.empty()?0:ratios.back());
}
