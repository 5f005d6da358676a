//===- FuseLaunchOps.td - Programs after fusion -----------*- tablegen -*-===//

#ifndef FUSE_IR_FUSELAUNCHOPS_TD
#define FUSE_IR_FUSELAUNCHOPS_TD

include "fuse/ir/FuseOpBase.td"
include "mlir/IR/SymbolInterfaces.td"

def Fuse_LaunchOp : Fuse_ShapedOp<"launch",
    [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "one kernel on whole tensors";
  let description = [{
    Runs a kernel of a nested module: a function of graph ops, or what it was
    lowered to. Dim symbols have the same meaning in the kernel as here, and
    `dims` holds those of each result, spelled as in `fuse.dims`. With `overlap`
    the kernel may start before the launch in front of it ends; if it is
    `independent`, it reads nothing that launches write.

    Example:
    ```mlir
    func.func @main(%x: tensor<?x4xf32> {fuse.dims = ["N", 4]}) -> tensor<?x4xf32> {
      %y = fuse.launch @kernels::@exp(%x) dims [["N", 4]] : (tensor<?x4xf32>) -> tensor<?x4xf32>
      return %y : tensor<?x4xf32>
    }
    module @kernels {
      func.func @exp(%x: tensor<?x4xf32> {fuse.dims = ["N", 4]})
          -> (tensor<?x4xf32> {fuse.dims = ["N", 4]}) {
        %y = fuse.map exp %x : (tensor<?x4xf32>) -> tensor<?x4xf32>
        return %y : tensor<?x4xf32>
      }
    }
    ```
  }];
  let arguments = (ins SymbolRefAttr:$kernel, Variadic<Fuse_Tensor>:$inputs,
                       ArrayAttr:$dims, UnitAttr:$overlap,
                       UnitAttr:$independent);
  let results = (outs Variadic<Fuse_Tensor>:$outputs);
  let assemblyFormat = [{
    $kernel `(` $inputs `)` `dims` $dims attr-dict `:`
    functional-type($inputs, $outputs)
  }];
  let extraClassDeclaration = shapeRuleDeclaration # [{
    /// The kernel, if the symbol names one.
    ::mlir::Operation *lookUpKernel();
  }];
}

#endif // FUSE_IR_FUSELAUNCHOPS_TD
