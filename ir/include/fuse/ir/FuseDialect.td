//===- FuseDialect.td - The graph dialect -----------------*- tablegen -*-===//

#ifndef FUSE_IR_FUSEDIALECT_TD
#define FUSE_IR_FUSEDIALECT_TD

include "mlir/IR/OpBase.td"

def Fuse_Dialect : Dialect {
  let name = "fuse";
  let cppNamespace = "::fuse";
  let summary = "Tensor programs before fusion";
  let description = [{
    A program is a function over ranked tensors with value semantics. About
    thirteen core ops say what is computed; five composites (`linear`,
    `layer_norm`, `rms_norm`, `softmax`, `attention`) carry intent and have a
    decomposition into the core; `check` ops let one file be program, oracle
    and reproducer.

    Discardable attributes of functions, arguments and results:

    | attribute | on | meaning |
    | --- | --- | --- |
    | `fuse.name = "q"` | argument, result | its name on the command line |
    | `fuse.dims = ["B", "T", 4, "H*D"]` | argument, result | its dims: symbols (upper-case initial), numbers, expressions |
    | `fuse.param` | argument | a weight: may be prepared once |
    | `fuse.specialize = ["D"]` | function | symbols that are compile-time constants of an artifact |
    | `fuse.size_hints = {N = 384}` | function | typical extents, for the planner; an array has one dictionary a class of sizes, from small to large, which names what differs from the first |
    | `fuse.size_classes = [{function = @main_large, when = "N >= 100"} ]` | function | functions that do the same, planned for other sizes |
    | `fuse.facts = ["Hq % Hkv == 0"]` | function | relations between dims that callers promise: `==`, `<=`, `>=`, `% ... == 0` |
    | `fuse.relax_rounding` | function | intermediates may stay in f32 |

    The semantics of every op, in particular of floats, are in `ir/README.md`.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Names of the discardable attributes above.
    static constexpr StringRef nameAttr = "fuse.name";
    static constexpr StringRef dimsAttr = "fuse.dims";
    static constexpr StringRef paramAttr = "fuse.param";
    static constexpr StringRef specializeAttr = "fuse.specialize";
    static constexpr StringRef sizeHintsAttr = "fuse.size_hints";
    static constexpr StringRef sizeClassesAttr = "fuse.size_classes";
    static constexpr StringRef factsAttr = "fuse.facts";
    static constexpr StringRef relaxRoundingAttr = "fuse.relax_rounding";

  private:
    void registerAttributes();
    void registerOps();
  public:
  }];
}

#endif // FUSE_IR_FUSEDIALECT_TD
