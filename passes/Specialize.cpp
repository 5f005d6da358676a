//===- Specialize.cpp - Fix the dims that an artifact is made for ---------===//

#include "fuse/ir/DimExpr.h"
#include "fuse/passes/Passes.h"

namespace fuse {
#define GEN_PASS_DEF_SPECIALIZEPASS
#include "fuse/passes/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

namespace {
struct SpecializePass final : fuse::impl::SpecializePassBase<SpecializePass> {
  using SpecializePassBase::SpecializePassBase;

  /// The option's extents by name; fails at one that is none.
  FailureOr<DimBindings> parseDims() {
    DimBindings bindings;
    for (StringRef text : dims) {
      auto [name, value] = text.split('=');
      int64_t extent;
      if (name.empty() || value.getAsInteger(10, extent) || extent < 0)
        return getOperation().emitError()
               << "'dims' expects name=extent, but got '" << text << "'";
      bindings[name] = extent;
    }
    return bindings;
  }

  LogicalResult run(FunctionOpInterface function, const DimBindings &given) {
    auto names =
        function->getAttrOfType<ArrayAttr>(FuseDialect::specializeAttr);
    if (!names)
      return success();
    auto hints =
        function->getAttrOfType<DictionaryAttr>(FuseDialect::sizeHintsAttr);
    auto known = function->getAttrOfType<ArrayAttr>(FuseDialect::factsAttr);
    SmallVector<Attribute> facts;
    if (known)
      llvm::append_range(facts, known);
    Builder builder(&getContext());
    for (auto name : names.getAsRange<StringAttr>()) {
      auto hint = hints ? hints.getAs<IntegerAttr>(name) : IntegerAttr();
      auto it = given.find(name);
      if (it == given.end() && !hint)
        return function.emitError()
               << "expects an extent for '" << name.getValue()
               << "', which 'fuse.specialize' names, but got none in 'dims' or "
                  "'fuse.size_hints'";
      int64_t extent = it != given.end() ? it->second : hint.getInt();
      auto fact =
          builder.getStringAttr(name.getValue() + " == " + Twine(extent));
      if (!llvm::is_contained(facts, fact))
        facts.push_back(fact);
    }
    function->setAttr(FuseDialect::factsAttr, builder.getArrayAttr(facts));
    return success();
  }

  void runOnOperation() override {
    FailureOr<DimBindings> given = parseDims();
    if (failed(given))
      return signalPassFailure();
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      if (failed(run(function, *given)))
        return signalPassFailure();
  }
};
} // namespace
