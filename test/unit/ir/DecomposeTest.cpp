//===- DecomposeTest.cpp - Every valid attention has a decomposition ------===//

#include "IRTest.h"

#include "fuse/ir/FuseOps.h"
#include "fuse/passes/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"

// After gtest, which it extends.
#include "rapidcheck/gtest.h"

using namespace fuse;

namespace {

/// The extent of each index of the attentions below.
const llvm::StringMap<int64_t> kExtents = {
    {"a", 2}, {"b", 3}, {"c", 4}, {"t", 5}, {"s", 6}, {"d", 7}, {"e", 8}};

struct Attention {
  IndexPattern query, key, value, scores, result;
};

/// The factors in any order, neighbours grouped at random.
IndexPattern drawAxes(std::vector<std::string> factors, bool keepLast = false) {
  std::string last;
  if (keepLast) {
    last = factors.back();
    factors.pop_back();
  }
  for (size_t i = 1; i < factors.size(); ++i)
    std::swap(factors[i], factors[*rc::gen::inRange<size_t>(0, i + 1)]);
  IndexPattern pattern;
  for (const std::string &factor : factors) {
    if (pattern.axes.empty() || *rc::gen::inRange(0, 3) != 0)
      pattern.axes.emplace_back();
    pattern.axes.back().push_back(factor);
  }
  if (keepLast)
    pattern.axes.push_back({last});
  return pattern;
}

/// Indices with the roles that an attention gives them. Whether the extents of
/// all groups follow from one another is left to chance.
Attention drawAttention() {
  std::vector<std::string> query = {"t", "d"}, key = {"d", "s"};
  std::vector<std::string> value = {"e", "s"}, scores = {"t"};
  std::vector<std::string> result = {"t", "e"};
  for (const char *index : {"a", "b", "c"}) {
    int where = *rc::gen::inRange(0, 6);
    if (where == 0)
      continue;
    bool inQuery = where != 1, inKey = where == 1 || where > 3;
    if (inQuery)
      query.push_back(index);
    if (inKey)
      key.push_back(index);
    scores.push_back(index);
    result.push_back(index);
    if (*rc::gen::arbitrary<bool>())
      value.push_back(index);
  }
  scores.push_back("s");
  return {drawAxes(query), drawAxes(key), drawAxes(value),
          drawAxes(scores, /*keepLast=*/true), drawAxes(result)};
}

std::string typeOf(const IndexPattern &pattern, bool isStatic) {
  std::string type = "tensor<";
  for (const AxisFactors &axis : pattern.axes) {
    int64_t extent = 1;
    for (const std::string &factor : axis)
      extent *= kExtents.lookup(factor);
    type += (isStatic ? std::to_string(extent) : "?") + "x";
  }
  return type + "f32>";
}

std::string programOf(const Attention &op, bool isStatic) {
  std::string q = typeOf(op.query, isStatic), k = typeOf(op.key, isStatic),
              v = typeOf(op.value, isStatic), o = typeOf(op.result, isStatic),
              s = typeOf(op.scores, isStatic);
  return "func.func @f(%q: " + q + ", %k: " + k + ", %v: " + v + ") -> " + o +
         " {\n  %o = fuse.attention %q, %k, %v \"" + op.query.str() + ", " +
         op.key.str() + ", " + op.value.str() + " -> " + op.result.str() +
         "\" scores \"" + op.scores.str() + "\" {\n  ^bb0(%s: " + s +
         "):\n    fuse.yield %s : " + s + "\n  } : (" + q + ", " + k + ", " +
         v + ") -> " + o + "\n  return %o : " + o + "\n}\n";
}

class DecomposeTest : public IRTest {};

TEST_F(DecomposeTest, AnyValidAttention) {
  unsigned numValid = 0, numGrouped = 0;
  bool holds = rc::check([&] {
    Attention op = drawAttention();
    std::string text = programOf(op, *rc::gen::arbitrary<bool>());
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    std::string rejected = takeDiagnostics();
    if (!module) {
      // The roles are right, so only extents can be missing.
      RC_ASSERT(StringRef(rejected).contains("without a known extent"));
      return;
    }
    ++numValid;
    numGrouped +=
        llvm::any_of(ArrayRef({op.query, op.key, op.value}),
                     [](const IndexPattern &pattern) {
                       return pattern.flat().size() != pattern.getRank();
                     });
    mlir::PassManager passes(&context);
    passes.addPass(createDecomposeCompositesPass());
    RC_LOG() << text;
    RC_ASSERT(succeeded(passes.run(*module)));
    bool hasComposite = module
                            ->walk([](mlir::Operation *op) {
                              return isa<AttentionOp, SoftmaxOp>(op)
                                         ? mlir::WalkResult::interrupt()
                                         : mlir::WalkResult::advance();
                            })
                            .wasInterrupted();
    RC_ASSERT(!hasComposite);
  });
  EXPECT_TRUE(holds);
  EXPECT_GE(numValid, 100u);
  EXPECT_GE(numGrouped, 50u);
}

} // namespace
