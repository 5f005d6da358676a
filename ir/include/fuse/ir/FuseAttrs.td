//===- FuseAttrs.td - Closed choices on ops ---------------*- tablegen -*-===//

#ifndef FUSE_IR_FUSEATTRS_TD
#define FUSE_IR_FUSEATTRS_TD

include "fuse/ir/FuseDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

// `custom`, since after a parameter that fails the generated parser adds a
// diagnostic of its own.
class Fuse_EnumAttr<I32EnumAttr base, string attrMnemonic>
    : EnumAttr<Fuse_Dialect, base, attrMnemonic> {
  let assemblyFormat = "custom<Word>($value)";
}

class Fuse_Enum<string enumName, string text, list<I32EnumAttrCase> cases>
    : I32EnumAttr<enumName, text, cases> {
  let cppNamespace = "::fuse";
  let genSpecializedAttr = 0;
}

def Fuse_Precision : Fuse_Enum<"Precision",
    "how the products of a contraction are formed", [
  I32EnumAttrCase<"Ieee", 0, "ieee">,
  I32EnumAttrCase<"Bf16x6", 1, "bf16x6">,
  I32EnumAttrCase<"Bf16x3", 2, "bf16x3">,
  I32EnumAttrCase<"Tf32", 3, "tf32">,
  I32EnumAttrCase<"Bf16", 4, "bf16">
]>;
def Fuse_PrecisionAttr : Fuse_EnumAttr<Fuse_Precision, "precision">;

def Fuse_ReduceKind : Fuse_Enum<"ReduceKind", "the monoid of a reduction", [
  I32EnumAttrCase<"Sum", 0, "sum">,
  I32EnumAttrCase<"Max", 1, "max">,
  I32EnumAttrCase<"Min", 2, "min">
]>;
def Fuse_ReduceKindAttr : Fuse_EnumAttr<Fuse_ReduceKind, "reduce_kind">;

def Fuse_MaskedRows : Fuse_Enum<"MaskedRows",
    "the softmax of a row that is -inf throughout", [
  I32EnumAttrCase<"Nan", 0, "nan">,
  I32EnumAttrCase<"Zero", 1, "zero">
]>;
def Fuse_MaskedRowsAttr : Fuse_EnumAttr<Fuse_MaskedRows, "masked_rows">;

class Fuse_TableAttr<string name, string cppEnum, string attrMnemonic>
    : AttrDef<Fuse_Dialect, name> {
  let mnemonic = attrMnemonic;
  defvar cppNamespaceOfAttr = "::fuse::" # name # "Attr";
  let parameters = (ins cppEnum:$value);
  let assemblyFormat = "`<` custom<Word>($value) `>`";
  // Accessors and builders of ops speak of the enum, as with EnumAttr.
  let returnType = cppEnum;
  let convertFromStorage = "$_self.getValue()";
  let constBuilderCall = cppNamespaceOfAttr # "::get($_builder.getContext(), $0)";
}
// Their cases come from ScalarFn.def, so that a function is added in one place.
def Fuse_ScalarFnAttr
    : Fuse_TableAttr<"ScalarFn", "::fuse::ScalarFn", "scalar_fn"> {
  let summary = "a scalar function of ScalarFn.def";
}
def Fuse_ComparisonAttr
    : Fuse_TableAttr<"Comparison", "::fuse::Comparison", "comparison"> {
  let summary = "a comparison of ScalarFn.def";
}

#endif // FUSE_IR_FUSEATTRS_TD
