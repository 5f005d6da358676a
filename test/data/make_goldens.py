#!/usr/bin/env python3
"""Writes the small golden cases: test/data/<program>/<case>/*.npy.

    make_goldens.py [FOLDER]     FOLDER is by default the one of this script

Needs numpy; the tests read only what is stored. Inputs are float32 from a fixed
seed, `expected` is float64. Each formula is written from the mathematics, by
another way than the program goes where there is one (masked keys are left out,
rotary embedding multiplies complex numbers, adapters are merged into the
weight), so that the two do not share a mistake. Where a program has a constant
in float32, so does the formula. The other cases are float64 results of the
PyTorch originals and do not come from here.
"""

import pathlib
import sys
import zlib

import numpy as np

F32_1E_3 = float(np.float32(1e-3))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def layer_norm(x, weight, bias):
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-5) * weight + bias


def rms_norm(x, weight):
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-5) * weight


def attend(query, keys, values, bias=0.0):
    """One query vector over a list of keys; 0 if the list is empty."""
    if len(keys) == 0:
        return np.zeros(values.shape[-1])
    scores = keys @ query / np.sqrt(len(query)) + bias
    weights = np.exp(scores - scores.max())
    return weights @ values / weights.sum()


def linear(x, parameters, name):
    y = x @ parameters[f"{name}.weight"].T
    return y + parameters.get(f"{name}.bias", 0.0)


# The programs: from a dictionary of float64 inputs to the expected result.


def triangle(p, product):
    z, mask = p["pair_repr"], p["pair_mask"][..., None]
    x = layer_norm(z, p["layer_norm_in.weight"], p["layer_norm_in.bias"])
    a = linear(x, p, "proj_a") * sigmoid(linear(x, p, "gate_a")) * mask
    b = linear(x, p, "proj_b") * sigmoid(linear(x, p, "gate_b")) * mask
    n = z.shape[1]
    update = np.stack([np.stack([product(a, b, i, j) for j in range(n)], axis=1)
                       for i in range(n)], axis=1)
    update = layer_norm(update, p["layer_norm_out.weight"],
                        p["layer_norm_out.bias"])
    return linear(update, p, "out_proj") * sigmoid(linear(z, p, "out_gate"))


def triangle_incoming(p):
    return triangle(p, lambda a, b, i, j: (a[:, :, i] * b[:, :, j]).sum(axis=1))


def triangle_outgoing(p):
    return triangle(p, lambda a, b, i, j: (a[:, i] * b[:, j]).sum(axis=1))


def triangle_attention(p):
    z, keep = p["pair_repr"], p["pair_mask"] >= 0.5
    x = layer_norm(z, p["layer_norm.weight"], p["layer_norm.bias"])
    q, k, v = (linear(x, p, f"{name}_proj") for name in "qkv")
    bias = linear(x, p, "pair_bias")
    heads, d = bias.shape[-1], q.shape[-1] // bias.shape[-1]
    read = np.zeros(q.shape)
    for b, i, j in np.ndindex(z.shape[:3]):
        kept = keep[b, i]
        for h in range(heads):
            part = slice(h * d, (h + 1) * d)
            read[b, i, j, part] = attend(
                q[b, i, j, part], k[b, i, kept, part], v[b, i, kept, part],
                bias[b, j, kept, h])
    return linear(sigmoid(linear(x, p, "gate")) * read, p, "out_proj")


def rotate(x):
    """Turns channels (p, p + d/2) of x (B, T, H, d) as one complex number."""
    half = x.shape[-1] // 2
    rate = 10000.0 ** (-np.arange(half) / half)
    turn = np.exp(1j * np.arange(x.shape[1])[:, None] * rate)
    y = (x[..., :half] + 1j * x[..., half:]) * turn[None, :, None, :]
    return np.concatenate([y.real, y.imag], axis=-1)


def transformer_block(p, d):
    x = p["x"]
    f = rms_norm(x, p["attn_norm.weight"])
    q, k, v = (linear(f, p, f"{name}_proj") for name in "qkv")
    q, k, v = (y.reshape(*y.shape[:2], -1, d) for y in (q, k, v))
    q, k, group = rotate(q), rotate(k), q.shape[2] // k.shape[2]
    read = np.zeros(q.shape)
    for b, t, h in np.ndindex(q.shape[:3]):
        read[b, t, h] = attend(q[b, t, h], k[b, :t + 1, h // group],
                               v[b, :t + 1, h // group])
    x = x + linear(read.reshape(*x.shape[:2], -1), p, "o_proj")
    f = rms_norm(x, p["ffn_norm.weight"])
    gate, up = linear(f, p, "gate_proj"), linear(f, p, "up_proj")
    return x + linear(gate * sigmoid(gate) * up, p, "down_proj")


def outer_product_mean(p):
    msa, mask = p["msa"], p["msa_mask"]
    x = layer_norm(msa, p["layer_norm.weight"], p["layer_norm.bias"])
    a = linear(x, p, "proj_a") * mask[..., None]
    b = linear(x, p, "proj_b") * mask[..., None]
    batch, sequences, n, _ = msa.shape
    mean = np.zeros((batch, n, n, a.shape[-1] * b.shape[-1]))
    for e, i, j in np.ndindex(batch, n, n):
        outer = sum(np.outer(a[e, s, i], b[e, s, j]) for s in range(sequences))
        count = sum(mask[e, s, i] * mask[e, s, j] for s in range(sequences))
        mean[e, i, j] = outer.ravel() / (count + F32_1E_3)
    return linear(mean, p, "out_proj")


def cross_attention(p, heads):
    q = linear(p["x"], p, "q_proj")
    k, v = (linear(p["context"], p, f"{name}_proj") for name in "kv")
    d = q.shape[-1] // heads
    read = np.zeros(q.shape)
    for b, t, h in np.ndindex(*q.shape[:2], heads):
        kept, part = ~p["key_padding_mask"][b], slice(h * d, (h + 1) * d)
        read[b, t, part] = attend(q[b, t, part], k[b, kept, part],
                                  v[b, kept, part])
    return linear(read, p, "out_proj")


def lora_linear(p):
    rank = len(p["lora_A.weight"])
    delta = p["lora_alpha"] / rank * p["lora_B.weight"] @ p["lora_A.weight"]
    return p["x"] @ (p["weight"] + delta).T + p["bias"]


# The cases: inputs by name.


class Draw:
    """Random float32 inputs of one case, seeded by its name."""

    def __init__(self, name):
        self.rng = np.random.default_rng(zlib.crc32(name.encode()))
        self.inputs = {}

    def normal(self, name, *shape):
        self.inputs[name] = self.rng.standard_normal(shape, np.float32)

    def weight(self, name, out, features, bias=False):
        self.normal(f"{name}.weight", out, features)
        self.inputs[f"{name}.weight"] /= np.float32(np.sqrt(features))
        if bias:
            self.normal(f"{name}.bias", out)

    def norm(self, name, features, bias=True):
        """Near one, and not so near to it that a missing factor would hide."""
        self.normal(f"{name}.weight", features)
        self.inputs[f"{name}.weight"] = 1 + self.inputs[f"{name}.weight"] / 4
        if bias:
            self.normal(f"{name}.bias", features)

    def mask(self, name, *shape):
        """0 or 1, most of them 1."""
        self.inputs[name] = (self.rng.random(shape) < 0.7).astype(np.float32)


def triangle_inputs(draw, b, n, c, h):
    draw.normal("pair_repr", b, n, n, c)
    draw.mask("pair_mask", b, n, n)
    # One residue without any edge: its pairs contract to 0.
    draw.inputs["pair_mask"][-1, 0, :] = draw.inputs["pair_mask"][-1, :, 0] = 0
    draw.norm("layer_norm_in", c)
    for name in ("proj_a", "gate_a", "proj_b", "gate_b"):
        draw.weight(name, h, c, bias=True)
    draw.norm("layer_norm_out", h)
    draw.weight("out_proj", c, h, bias=True)
    draw.weight("out_gate", c, c, bias=True)


def triangle_attention_inputs(draw, b, n, c, h, d):
    draw.normal("pair_repr", b, n, n, c)
    draw.mask("pair_mask", b, n, n)
    draw.inputs["pair_mask"][-1, 0] = 0  # a row without keys
    draw.norm("layer_norm", c)
    for name in "qkv":
        draw.weight(f"{name}_proj", h * d, c)
    draw.weight("pair_bias", h, c)
    draw.weight("gate", h * d, c, bias=True)
    draw.weight("out_proj", c, h * d, bias=True)


def transformer_block_inputs(draw, b, t, c, hq, hkv, d, f):
    draw.normal("x", b, t, c)
    draw.norm("attn_norm", c, bias=False)
    for name, heads in (("q", hq), ("k", hkv), ("v", hkv)):
        draw.weight(f"{name}_proj", heads * d, c)
    draw.weight("o_proj", c, hq * d)
    draw.norm("ffn_norm", c, bias=False)
    draw.weight("gate_proj", f, c)
    draw.weight("up_proj", f, c)
    draw.weight("down_proj", c, f)


def outer_product_mean_inputs(draw, b, s, n, m, h, p):
    draw.normal("msa", b, s, n, m)
    draw.mask("msa_mask", b, s, n)
    draw.inputs["msa_mask"][-1, :, 0] = 0  # a residue in no sequence
    draw.norm("layer_norm", m)
    draw.weight("proj_a", h, m, bias=True)
    draw.weight("proj_b", h, m, bias=True)
    draw.weight("out_proj", p, h * h, bias=True)


def cross_attention_inputs(draw, b, tq, tk, c, m, h, d):
    draw.normal("x", b, tq, c)
    draw.normal("context", b, tk, m)
    draw.mask("key_padding_mask", b, tk)
    padding = draw.inputs["key_padding_mask"] == 0
    padding[-1] = True  # a context of padding only
    draw.inputs["key_padding_mask"] = padding
    draw.weight("q_proj", h * d, c)
    draw.weight("k_proj", h * d, m)
    draw.weight("v_proj", h * d, m)
    draw.weight("out_proj", c, h * d, bias=True)


def lora_linear_inputs(draw, b, t, c, o, r):
    draw.normal("x", b, t, c)
    draw.inputs["weight"] = draw.rng.standard_normal((o, c), np.float32)
    draw.normal("bias", o)
    draw.weight("lora_A", r, c)
    draw.weight("lora_B", o, r)
    draw.inputs["lora_alpha"] = np.array(6.5, np.float32)


# (program and case, inputs, formula): sizes differ pairwise wherever they may,
# so that exchanged axes change a shape or a value.
CASES = [
    ("triangle_incoming/n5", lambda d: triangle_inputs(d, 2, 5, 7, 3),
     triangle_incoming),
    ("triangle_outgoing/n5", lambda d: triangle_inputs(d, 2, 5, 7, 3),
     triangle_outgoing),
    ("triangle_outgoing/n1", lambda d: triangle_inputs(d, 1, 1, 4, 6),
     triangle_outgoing),
    ("triangle_attention/n5",
     lambda d: triangle_attention_inputs(d, 2, 5, 7, 3, 4), triangle_attention),
    ("triangle_attention/n1",
     lambda d: triangle_attention_inputs(d, 3, 1, 5, 2, 1), triangle_attention),
    ("transformer_block/t7",
     lambda d: transformer_block_inputs(d, 2, 7, 10, 6, 2, 8, 13),
     lambda p: transformer_block(p, d=8)),
    ("transformer_block/t1",
     lambda d: transformer_block_inputs(d, 1, 1, 5, 3, 3, 2, 7),
     lambda p: transformer_block(p, d=2)),
    ("outer_product_mean/s4n5",
     lambda d: outer_product_mean_inputs(d, 2, 4, 5, 7, 3, 6),
     outer_product_mean),
    ("cross_attention/tq4tk7",
     lambda d: cross_attention_inputs(d, 3, 4, 7, 6, 9, 2, 5),
     lambda p: cross_attention(p, heads=2)),
    ("cross_attention/tk1",
     lambda d: cross_attention_inputs(d, 2, 3, 1, 4, 5, 3, 2),
     lambda p: cross_attention(p, heads=3)),
    ("lora_linear/r2", lambda d: lora_linear_inputs(d, 2, 3, 11, 7, 2),
     lora_linear),
    ("lora_linear/r1", lambda d: lora_linear_inputs(d, 1, 1, 4, 5, 1),
     lora_linear),
]


def widen(array):
    return array if array.dtype == bool else array.astype(np.float64)


def main():
    here = pathlib.Path(__file__).parent
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here
    for name, fill, formula in CASES:
        draw = Draw(name)
        fill(draw)
        expected = formula({k: widen(v) for k, v in draw.inputs.items()})
        folder = root / name
        folder.mkdir(parents=True, exist_ok=True)
        for key, value in {**draw.inputs, "expected": expected}.items():
            np.save(folder / f"{key}.npy", value)


if __name__ == "__main__":
    main()
