// RUN: fuse-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{'fuse.name' expects a string of letters, digits, '_', '.' and '-', but got 7 : i64}}
func.func private @f(tensor<?x4xf32> {fuse.name = 7})

// -----

// expected-error @+1 {{'fuse.name' expects a string of letters, digits, '_', '.' and '-', but got ""}}
func.func private @f(tensor<?x4xf32> {fuse.name = ""})

// -----

// expected-error @+1 {{'fuse.name' expects a string of letters, digits, '_', '.' and '-', but got "a b"}}
func.func private @f(tensor<?x4xf32> {fuse.name = "a b"})

// -----

// expected-error @+1 {{'fuse.name' expects a string of letters, digits, '_', '.' and '-', but got "../x"}}
func.func private @f(tensor<?x4xf32> {fuse.name = "../x"})

// -----

// expected-error @+1 {{'fuse.name' expects a string of letters, digits, '_', '.' and '-', but got "x=1"}}
func.func private @f() -> (tensor<?x4xf32> {fuse.name = "x=1"})

// -----

// expected-error @+1 {{'fuse.name' expects a string of letters, digits, '_', '.' and '-', but got unit}}
func.func private @f() -> (tensor<?x4xf32> {fuse.name})

// -----

// expected-error @+1 {{'fuse.param' expects no value, but got true}}
func.func private @f(tensor<?x4xf32> {fuse.param = true})

// -----

// expected-error @+1 {{unknown attribute 'fuse.param' of dialect fuse on an argument or result}}
func.func private @f() -> (tensor<?x4xf32> {fuse.param})

// -----

// expected-error @+1 {{unknown attribute 'fuse.dim' of dialect fuse on an argument or result}}
func.func private @f(tensor<?x4xf32> {fuse.dim = ["N", 4]})

// -----

// expected-error @+1 {{unknown attribute 'fuse.facts' of dialect fuse on an argument or result}}
func.func private @f(tensor<?x4xf32> {fuse.facts = []})

// -----

// expected-error @+1 {{'fuse.dims' expects a ranked tensor, but 'f32' carries it}}
func.func private @f(f32 {fuse.dims = []})

// -----

// expected-error @+1 {{'fuse.dims' expects a ranked tensor, but 'tensor<*xf32>' carries it}}
func.func private @f(tensor<*xf32> {fuse.dims = ["N"]})

// -----

// expected-error @+1 {{'fuse.dims' expects a ranked tensor, but 'memref<4xf32>' carries it}}
func.func private @f() -> (memref<4xf32> {fuse.dims = [4]})

// -----

// expected-error @+1 {{'fuse.dims' expects an array of 2 dims, one per axis of 'tensor<?x4xf32>', but got ["N"]}}
func.func private @f(tensor<?x4xf32> {fuse.dims = ["N"]})

// -----

// expected-error @+1 {{'fuse.dims' expects an array of 2 dims, one per axis of 'tensor<?x4xf32>', but got "N"}}
func.func private @f(tensor<?x4xf32> {fuse.dims = "N"})

// -----

// expected-error @+1 {{'fuse.dims' expects an array of 2 dims, one per axis of 'tensor<?x4xf32>', but got []}}
func.func private @f() -> (tensor<?x4xf32> {fuse.dims = []})

// -----

// expected-error @+1 {{'fuse.dims' expects strings and numbers, but got 1.000000e+00 : f64}}
func.func private @f(tensor<?x4xf32> {fuse.dims = [1.0, 4]})

// -----

// expected-error @+1 {{'fuse.dims' expects strings and numbers, but got -1 : i64}}
func.func private @f(tensor<?x4xf32> {fuse.dims = [-1, 4]})

// -----

// expected-error @+1 {{'fuse.dims' expects strings and numbers, but got true}}
func.func private @f(tensor<?x4xf32> {fuse.dims = [true, 4]})

// -----

// expected-error @+1 {{'fuse.dims' expects strings and numbers, but got 4 : ui32}}
func.func private @f(tensor<?x4xf32> {fuse.dims = ["N", 4 : ui32]})

// -----

// expected-error @+1 {{'fuse.dims' expects strings and numbers, but got 18446744073709551620 : i128}}
func.func private @f(tensor<?x4xf32> {fuse.dims = ["N", 18446744073709551620 : i128]})

// -----

// expected-error @+1 {{'fuse.dims' expects axis 1 of 'tensor<?x4xf32>' to be 4, but got 5}}
func.func private @f(tensor<?x4xf32> {fuse.dims = ["N", 5]})

// -----

// expected-error @+1 {{'fuse.dims' expects dims of at least 0, but got '3 - 5'}}
func.func private @f(tensor<?x4xf32> {fuse.dims = ["3 - 5", 4]})

// -----

// expected-error @+1 {{'fuse.dims' expects dim symbols such as "N", but got 'n'}}
func.func private @f(tensor<?x4xf32> {fuse.dims = ["n", 4]})

// -----

// expected-error @+1 {{'fuse.dims' expects dim symbols such as "N", but got '_n'}}
func.func private @f(tensor<?x4xf32> {fuse.dims = ["2*_n", 4]})

// -----

// expected-error @+1 {{'fuse.dims' expects dim symbols such as "N", but got '$'}}
func.func private @f(tensor<?x4xf32> {fuse.dims = ["$", 4]})

// -----

// expected-error @+1 {{'fuse.dims' expects a number or a name in dim expression '', but got its end}}
func.func private @f(tensor<?x4xf32> {fuse.dims = ["", 4]})

// -----

// expected-error @+1 {{'fuse.dims' expects a number or a name in dim expression '-N', but got '-N'}}
func.func private @f(tensor<?x4xf32> {fuse.dims = ["-N", 4]})

// -----

// expected-error @+1 {{'fuse.dims' expects an operator in dim expression '2N', but got 'N'}}
func.func private @f(tensor<?x4xf32> {fuse.dims = ["2N", 4]})

// -----

// expected-error @+1 {{'fuse.dims' expects ')' in dim expression '(N + 1', but got its end}}
func.func private @f(tensor<?x4xf32> {fuse.dims = ["(N + 1", 4]})

// -----

// expected-error @+1 {{'fuse.dims' expects an operator in dim expression 'N)', but got ')'}}
func.func private @f(tensor<?x4xf32> {fuse.dims = ["N)", 4]})

// -----

// expected-error @+1 {{'fuse.dims' expects a nonzero product as divisor in dim expression 'N/(M + 1)', but got its end}}
func.func private @f(tensor<?x4xf32> {fuse.dims = ["N/(M + 1)", 4]})

// -----

// expected-error @+1 {{'fuse.dims' expects a nonzero product as divisor in dim expression 'N/0*2', but got '*2'}}
func.func private @f(tensor<?x4xf32> {fuse.dims = ["N/0*2", 4]})

// -----

// expected-error @+1 {{'fuse.dims' expects numbers below 2^63 in dim expression '9223372036854775808', but got '9223372036854775808'}}
func.func private @f(tensor<?x4xf32> {fuse.dims = ["9223372036854775808", 4]})

// -----

// expected-error @+1 {{'fuse.dims' expects numbers below 2^63 in dim expression '4294967296*4294967296*N', but got its end}}
func.func private @f(tensor<?x4xf32> {fuse.dims = ["4294967296*4294967296*N", 4]})

// -----

// expected-error @+1 {{'fuse.dims' expects at most 32 nested parentheses in dim expression '(((((((((((((((((((((((((((((((((N)))))))))))))))))))))))))))))))))', but got 'N)))))))))))))))))))))))))))))))))'}}
func.func private @f(tensor<?x4xf32> {fuse.dims = ["(((((((((((((((((((((((((((((((((N)))))))))))))))))))))))))))))))))", 4]})

// -----

// expected-error @+1 {{'fuse.specialize' expects an array of strings, but got "N"}}
func.func private @f() attributes {fuse.specialize = "N"}

// -----

// expected-error @+1 {{'fuse.specialize' expects an array of strings, but got ["N", 4]}}
func.func private @f() attributes {fuse.specialize = ["N", 4]}

// -----

// expected-error @+1 {{'fuse.specialize' expects dim symbols such as "N", but got 'n'}}
func.func private @f() attributes {fuse.specialize = ["n"]}

// -----

// expected-error @+1 {{'fuse.specialize' expects dim symbols such as "N", but got '2*N'}}
func.func private @f() attributes {fuse.specialize = ["2*N"]}

// -----

// expected-error @+1 {{'fuse.specialize' expects dim symbols such as "N", but got ''}}
func.func private @f() attributes {fuse.specialize = [""]}

// -----

// expected-error @+1 {{'fuse.size_hints' expects a dictionary such as {N = 384}, or an array of them, but got [384]}}
func.func private @f() attributes {fuse.size_hints = [384]}

// -----

// expected-error @+1 {{'fuse.size_hints' expects a dictionary such as {N = 384}, or an array of them, but got []}}
func.func private @f() attributes {fuse.size_hints = []}

// -----

// expected-error @+1 {{'fuse.size_hints' expects an extent for 'N', but got -1 : i64}}
func.func private @f() attributes {fuse.size_hints = [{N = 1}, {N = -1}]}

// -----

// expected-error @+1 {{'fuse.size_classes' expects an array of {function = @f, when = "N >= 100"}, but got @f}}
func.func private @f() attributes {fuse.size_classes = @f}

// -----

// expected-error @+1 {{'fuse.size_classes' expects an array of {function = @f, when = "N >= 100"}, but got [{function = @f}]}}
func.func private @f() attributes {fuse.size_classes = [{function = @f}]}

// -----

// expected-error @+1 {{'fuse.size_classes' expects an array of {function = @f, when = "N >= 100"}, but got [{function = @f, when = 100 : i64}]}}
func.func private @f() attributes {fuse.size_classes = [{function = @f, when = 100}]}

// -----

// expected-error @+1 {{'fuse.size_classes' expects}}
func.func private @f() attributes {fuse.size_classes = [{function = @f, when = "N > 100"}]}

// -----

// expected-error @+1 {{'fuse.size_hints' expects an extent for 'N', but got -1 : i64}}
func.func private @f() attributes {fuse.size_hints = {N = -1}}

// -----

// expected-error @+1 {{'fuse.size_hints' expects an extent for 'N', but got "384"}}
func.func private @f() attributes {fuse.size_hints = {N = "384"}}

// -----

// expected-error @+1 {{'fuse.size_hints' expects an extent for 'N', but got 1 : si8}}
func.func private @f() attributes {fuse.size_hints = {N = 1 : si8}}

// -----

// expected-error @+1 {{'fuse.size_hints' expects dim symbols such as "N", but got 'n'}}
func.func private @f() attributes {fuse.size_hints = {n = 384}}

// -----

// expected-error @+1 {{'fuse.facts' expects an array of strings, but got "N == 1"}}
func.func private @f() attributes {fuse.facts = "N == 1"}

// -----

// expected-error @+1 {{'fuse.facts' expects an array of strings, but got [1]}}
func.func private @f() attributes {fuse.facts = [1]}

// -----

// expected-error @+1 {{'fuse.facts' expects a relation '==', '<=' or '>=', but got 'N < 4'}}
func.func private @f() attributes {fuse.facts = ["N < 4"]}

// -----

// expected-error @+1 {{'fuse.facts' expects a relation '==', '<=' or '>=', but got 'N % 4'}}
func.func private @f() attributes {fuse.facts = ["N % 4"]}

// -----

// expected-error @+1 {{'fuse.facts' expects '== 0' after '%', but got 'N % 4 == 1'}}
func.func private @f() attributes {fuse.facts = ["N % 4 == 1"]}

// -----

// expected-error @+1 {{'fuse.facts' expects '== 0' after '%', but got 'N % 4 <= 0'}}
func.func private @f() attributes {fuse.facts = ["N % 4 <= 0"]}

// -----

// expected-error @+1 {{'fuse.facts' expects symbols with an upper-case initial, but got 'n' in 'n == 4'}}
func.func private @f() attributes {fuse.facts = ["n == 4"]}

// -----

// expected-error @+1 {{'fuse.facts' expects symbols with an upper-case initial, but got 'm' in 'N <= m'}}
func.func private @f() attributes {fuse.facts = ["N <= m"]}

// -----

// expected-error @+1 {{'fuse.facts' expects a number or a name in dim expression '', but got its end}}
func.func private @f() attributes {fuse.facts = ["== 4"]}

// -----

// expected-error @+1 {{'fuse.facts' expects an operator in dim expression ' M = 4', but got '= 4'}}
func.func private @f() attributes {fuse.facts = ["N <= M = 4"]}

// -----

// expected-error @+1 {{'fuse.facts' expects an operator in dim expression ' M % 2', but got '% 2'}}
func.func private @f() attributes {fuse.facts = ["N == M % 2"]}

// -----

// expected-error @+1 {{'fuse.facts' expects an operator in dim expression ' M % 2 ', but got '% 2 '}}
func.func private @f() attributes {fuse.facts = ["N % M % 2 == 0"]}

// -----

// expected-error @+1 {{'fuse.relax_rounding' expects no value, but got false}}
func.func private @f() attributes {fuse.relax_rounding = false}

// -----

// expected-error @+1 {{unknown attribute 'fuse.name' of dialect fuse on a function}}
func.func private @f() attributes {fuse.name = "f"}

// -----

// expected-error @+1 {{unknown attribute 'fuse.fact' of dialect fuse on a function}}
func.func private @f() attributes {fuse.fact = []}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.name' expects a function to carry it}}
  %y = fuse.map exp %x {fuse.name = "y"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.relax_rounding' expects a function to carry it}}
  %y = fuse.map exp %x {fuse.relax_rounding} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-error @+1 {{'fuse.specialize' expects a function to carry it}}
module attributes {fuse.specialize = ["N"]} {
}

// -----

func.func @f() attributes {
    // expected-error @+1 {{expected one of [ieee, bf16x6, bf16x3, tf32, bf16] for how the products of a contraction are formed, got: fp8}}
    test.value = #fuse<precision fp8>} {
  return
}

// -----

func.func @f() attributes {
    // expected-error @+1 {{expected one of [nan, zero] for the softmax of a row that is -inf throughout, got: one}}
    test.value = #fuse<masked_rows one>} {
  return
}

// -----

func.func @f() attributes {
    // expected-error @+1 {{unknown attribute `rounding` in dialect `fuse`}}
    test.value = #fuse.rounding<up>} {
  return
}
