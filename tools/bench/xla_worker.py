#!/usr/bin/env python3
"""Measures the programs under jax.jit, on request: xla_worker.py PLATFORM.

Requests and answers are lines of JSON on stdin and stdout. A call's time is
that of a chain of calls in one jit less that of a single one: XLA has graphs of
its own, which nobody else can capture. Barriers between the calls keep XLA from
fusing across them and from computing once what does not depend on the chain.
"""

import json
import os
import re
import sys
import time

import measure
import programs

SHORT, LONG = 1, 5
LONG_OF_SMALL = 21
GEMM = re.compile(r"\sdot\(|custom_call_target=\"__(?:cublas|cudnn|onednn)")

# Loaded by `main`, which reports what is missing.
jax = jnp = None


def gqa_causal(t):
    q, k, v = t["q"], t["k"], t["v"]
    B, T, Hq, D = q.shape
    Hkv = k.shape[2]
    grouped = q.reshape(B, T, Hkv, Hq // Hkv, D)
    scores = jnp.einsum("bthgd,bshd->bhgts", grouped, k) / D ** 0.5
    past = jnp.tril(jnp.ones((T, T), bool))
    shares = jax.nn.softmax(jnp.where(past, scores, -jnp.inf), -1)
    return jnp.einsum("bhgts,bshd->bthgd", shares, v).reshape(B, T, Hq, D)


def _norm(x, t, name):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return ((x - mean) * jax.lax.rsqrt(variance + 1e-5) * t[f"{name}.weight"]
            + t[f"{name}.bias"])


def triangle_incoming(t):
    def linear(x, name):
        return x @ t[f"{name}.weight"].T + t[f"{name}.bias"]

    pairs, mask = t["pair_repr"], t["pair_mask"][..., None]
    x = _norm(pairs, t, "layer_norm_in")
    a = linear(x, "proj_a") * jax.nn.sigmoid(linear(x, "gate_a")) * mask
    b = linear(x, "proj_b") * jax.nn.sigmoid(linear(x, "gate_b")) * mask
    triangle = jnp.einsum("bkih,bkjh->bijh", a, b)
    update = linear(_norm(triangle, t, "layer_norm_out"), "out_proj")
    return jax.nn.sigmoid(linear(pairs, "out_gate")) * update


def scene_graph(t):
    nodes = t["nodes"]
    B, N, D = nodes.shape
    heads = t["rel_mlp.2.weight"].shape[0]
    x = _norm(nodes, t, "norm")
    q, k, v = ((x @ t[f"{name}_proj.weight"].T).reshape(B, N, heads, -1)
               for name in "qkv")
    hidden = jax.nn.silu(t["pair_feats"] @ t["rel_mlp.0.weight"].T
                         + t["rel_mlp.0.bias"])
    bias = hidden @ t["rel_mlp.2.weight"].T + t["rel_mlp.2.bias"]
    scores = (jnp.einsum("bihd,bjhd->bhij", q, k) / (D // heads) ** 0.5
              + bias.transpose(0, 3, 1, 2))
    scores = jnp.where(t["edge_mask"][:, None] < 0.5, -jnp.inf, scores)
    context = jnp.einsum("bhij,bjhd->bihd", jax.nn.softmax(scores, -1), v)
    return nodes + context.reshape(B, N, D) @ t["out_proj.weight"].T


FORWARD = {"gqa_causal": gqa_causal, "triangle_incoming": triangle_incoming,
           "scene_graph": scene_graph}


def chain(case, calls):
    """A function of inputs by name: each call's result is the first input of
    the next one."""
    first = programs.TENSORS[case.program][0][0]

    def run(tensors):
        for index in range(calls):
            if index:
                tensors = jax.lax.optimization_barrier(
                    {**tensors, first: result})
            result = FORWARD[case.program](tensors)
        return result
    return run


def count_gemms(compiled):
    return len(GEMM.findall(compiled.as_text()))


class Worker:
    def __init__(self):
        self.inputs = self.short = self.long = None

    def prepare(self, key, seed, result):
        import numpy
        case = next(case for case in programs.CASES if case.key == key)
        arrays = programs.make_inputs(case, seed)
        self.inputs = {name: jnp.asarray(array)
                       for name, array in arrays.items()}
        long = LONG_OF_SMALL if case.is_small else LONG
        self.extra = long - SHORT
        self.short, self.long = (
            jax.jit(chain(case, calls)).lower(self.inputs).compile()
            for calls in (SHORT, long))
        numpy.save(result, numpy.asarray(self.short(self.inputs)))
        notes = []
        if count_gemms(self.long) != long * count_gemms(self.short):
            notes.append("XLA shares work between the calls of a chain: the "
                         "time is a lower bound")
        for _ in range(3):
            self.time(self.long)
        return {"calls": self.extra, "notes": notes}

    def time(self, function):
        """Microseconds."""
        start = time.perf_counter()
        function(self.inputs).block_until_ready()
        return (time.perf_counter() - start) * 1e6

    def measure(self, seconds):
        short, long = [], []
        self.time(self.long)
        start = time.perf_counter()
        while len(long) < 3 or time.perf_counter() - start < seconds:
            short.append(self.time(self.short))
            long.append(self.time(self.long))
        return {"samples": measure.slopes(short, long, self.extra)}

    def release(self):
        self.inputs = self.short = self.long = None
        return {}


def load_jax(platform):
    global jax, jnp
    import jax
    import jax.numpy as jnp
    # Exact fp32: products by tensor cores would be of another class.
    jax.config.update("jax_default_matmul_precision", "highest")
    found = jax.devices()[0].platform
    if found != platform:
        raise RuntimeError(f"expects a device of platform {platform}, but jax "
                           f"has {found}")
    return {"version": jax.__version__}


def main():
    # What libraries print must not come between the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def answer(function, **arguments):
        try:
            reply = function(**arguments)
        except Exception as error:
            text = str(error).strip().splitlines() or [""]
            reply = {"error": f"{type(error).__name__}: {text[0][:300]}"}
        print(json.dumps(reply), file=answers, flush=True)

    answer(load_jax, platform=sys.argv[1])
    worker = Worker()
    for line in sys.stdin:
        request = json.loads(line)
        answer(getattr(worker, request.pop("command")), **request)


if __name__ == "__main__":
    main()
