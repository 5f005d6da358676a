"""What is measured: programs, their sizes, and their inputs.

Inputs are drawn by NumPy from a seed, so that two processes have the same. They
are random: zeros run faster than data does. Needs no GPU library.
"""

import dataclasses
import math

L2_BYTES = 60 << 20  # Of an H200.

# Tensors of each program in the order of its arguments, (name, dims, what it is
# filled with). Names are those of the parameters of the PyTorch originals.
TENSORS = {
    "gqa_causal": [
        ("q", "B T Hq D", "data"),
        ("k", "B T Hkv D", "data"),
        ("v", "B T Hkv D", "data"),
    ],
    "triangle_incoming": [
        ("pair_repr", "B N N C", "data"),
        ("pair_mask", "B N N", "mask"),
        ("layer_norm_in.weight", "C", "gain"),
        ("layer_norm_in.bias", "C", "bias"),
        ("proj_a.weight", "H C", "matrix"),
        ("proj_a.bias", "H", "bias"),
        ("gate_a.weight", "H C", "matrix"),
        ("gate_a.bias", "H", "bias"),
        ("proj_b.weight", "H C", "matrix"),
        ("proj_b.bias", "H", "bias"),
        ("gate_b.weight", "H C", "matrix"),
        ("gate_b.bias", "H", "bias"),
        ("layer_norm_out.weight", "H", "gain"),
        ("layer_norm_out.bias", "H", "bias"),
        ("out_proj.weight", "C H", "matrix"),
        ("out_proj.bias", "C", "bias"),
        ("out_gate.weight", "C C", "matrix"),
        ("out_gate.bias", "C", "bias"),
    ],
    "scene_graph": [
        ("nodes", "B N D", "data"),
        ("pair_feats", "B N N P", "data"),
        ("edge_mask", "B N N", "mask"),
        ("norm.weight", "D", "gain"),
        ("norm.bias", "D", "bias"),
        ("q_proj.weight", "D D", "matrix"),
        ("k_proj.weight", "D D", "matrix"),
        ("v_proj.weight", "D D", "matrix"),
        ("rel_mlp.0.weight", "P P", "matrix"),
        ("rel_mlp.0.bias", "P", "bias"),
        ("rel_mlp.2.weight", "H P", "matrix"),
        ("rel_mlp.2.bias", "H", "bias"),
        ("out_proj.weight", "D D", "matrix"),
    ],
}

# Dims that an artifact is made for.
SPECIALIZED = {
    "gqa_causal": ("Hq", "Hkv", "D"),
    "triangle_incoming": ("C", "H"),
    "scene_graph": ("D", "P", "H"),
}


@dataclasses.dataclass(frozen=True)
class Case:
    """One program at one size; `goal` is in microseconds a call."""

    key: str
    program: str
    dims: dict
    goal: float

    @property
    def dims_text(self):
        return ",".join(f"{name}={size}" for name, size in self.dims.items())

    @property
    def title(self):
        return f"{self.program} {self.dims_text}"

    @property
    def artifact_name(self):
        fixed = "".join(f"-{name}{self.dims[name]}"
                        for name in SPECIALIZED[self.program])
        return f"{self.program}{fixed}.fuse"

    def shape(self, dims):
        return tuple(self.dims[name] for name in dims.split())

    def names(self, weights):
        """Of the weights, or of the other inputs, in order."""
        return [name for name, _, fill in TENSORS[self.program]
                if (fill not in ("data", "mask")) == weights]

    def activation_bytes(self):
        """Of what a call reads and writes, weights left out. The result has
        the shape of the first input."""
        shapes = [self.shape(dims) for name, dims, _ in TENSORS[self.program]
                  if name in self.names(weights=False)]
        return 4 * sum(map(math.prod, [*shapes, shapes[0]]))

    @property
    def is_small(self):
        """Small calls are measured warm, large ones on rotating buffers."""
        return self.activation_bytes() <= L2_BYTES // 16

    def count_sets(self):
        """Sets of buffers that together are more than three times the L2."""
        if self.is_small:
            return 1
        return 3 * L2_BYTES // self.activation_bytes() + 1


def _case(key, program, goal, **dims):
    return Case(key, program, dims, goal)


CASES = [
    _case("gqa-small", "gqa_causal", 3.2, B=2, T=80, Hq=8, Hkv=2, D=32),
    _case("triangle-small", "triangle_incoming", 8, B=2, N=32, C=64, H=32),
    _case("scene-small", "scene_graph", 5.5, B=4, N=24, D=96, P=16, H=4),
    _case("triangle-384", "triangle_incoming", 1050, B=1, N=384, C=128, H=128),
    _case("triangle-768", "triangle_incoming", 5500, B=1, N=768, C=128, H=128),
    _case("gqa-large", "gqa_causal", 4500, B=4, T=2048, Hq=32, Hkv=8, D=128),
    _case("scene-large", "scene_graph", 720, B=8, N=512, D=512, P=64, H=8),
]


def choose_cases(words):
    """Cases whose key has one of `words` as a part; all if there are none.
    ValueError for a word that chooses nothing."""
    for word in words:
        if not any(word in case.key for case in CASES):
            raise ValueError(
                f"expects a part of {', '.join(c.key for c in CASES)}, but got "
                f"'{word}'")
    return [case for case in CASES
            if not words or any(word in case.key for word in words)]


def _draw(numpy, random, shape, fill):
    if fill == "mask":
        mask = (random.random(shape, dtype=numpy.float32) < 0.9).astype(
            numpy.float32)
        mask[..., 0] = 1  # A softmax over nothing would be NaN.
        return mask
    values = random.standard_normal(shape, dtype=numpy.float32)
    if fill == "matrix":
        values *= numpy.float32(shape[-1] ** -0.5)
    elif fill == "gain":
        values = 1 + numpy.float32(0.1) * values
    elif fill == "bias":
        values *= numpy.float32(0.1)
    return values


def make_inputs(case, seed):
    """float32 arrays of NumPy by name."""
    import numpy
    random = numpy.random.default_rng(seed)
    return {name: _draw(numpy, random, case.shape(dims), fill)
            for name, dims, fill in TENSORS[case.program]}
