"""The programs in PyTorch, as functions of tensors by name, and what they give
in float64."""

import importlib.util
import math
import pathlib

import torch
from torch.nn import functional as F


def gqa_causal(t):
    q, k, v = t["q"], t["k"], t["v"]
    B, T, Hq, D = q.shape
    Hkv = k.shape[2]
    grouped = q.view(B, T, Hkv, Hq // Hkv, D)
    scores = torch.einsum("bthgd,bshd->bhgts", grouped, k) / math.sqrt(D)
    past = torch.ones(T, T, dtype=torch.bool, device=q.device).tril()
    shares = scores.masked_fill(~past, float("-inf")).softmax(-1)
    return torch.einsum("bhgts,bshd->bthgd", shares, v).reshape(B, T, Hq, D)


def triangle_incoming(t):
    def linear(x, name):
        return F.linear(x, t[f"{name}.weight"], t[f"{name}.bias"])

    def norm(x, name):
        return F.layer_norm(x, x.shape[-1:], t[f"{name}.weight"],
                            t[f"{name}.bias"])

    pairs, mask = t["pair_repr"], t["pair_mask"].unsqueeze(-1)
    x = norm(pairs, "layer_norm_in")
    a = linear(x, "proj_a") * torch.sigmoid(linear(x, "gate_a")) * mask
    b = linear(x, "proj_b") * torch.sigmoid(linear(x, "gate_b")) * mask
    triangle = torch.einsum("bkih,bkjh->bijh", a, b)
    update = linear(norm(triangle, "layer_norm_out"), "out_proj")
    return torch.sigmoid(linear(pairs, "out_gate")) * update


def scene_graph(t):
    nodes, mask = t["nodes"], t["edge_mask"].unsqueeze(1)
    B, N, D = nodes.shape
    heads = t["rel_mlp.2.weight"].shape[0]

    def project(x, name):
        split = F.linear(x, t[name]).view(B, N, heads, D // heads)
        return split.transpose(1, 2)

    x = F.layer_norm(nodes, (D,), t["norm.weight"], t["norm.bias"])
    q, k, v = (project(x, f"{name}_proj.weight") for name in "qkv")
    hidden = F.silu(F.linear(t["pair_feats"], t["rel_mlp.0.weight"],
                             t["rel_mlp.0.bias"]))
    bias = F.linear(hidden, t["rel_mlp.2.weight"], t["rel_mlp.2.bias"])
    scores = (torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(D // heads)
              + bias.permute(0, 3, 1, 2))
    shares = scores.masked_fill(mask < 0.5, float("-inf")).softmax(-1)
    context = torch.matmul(shares, v).transpose(1, 2).reshape(B, N, D)
    return nodes + F.linear(context, t["out_proj.weight"])


FORWARD = {"gqa_causal": gqa_causal, "triangle_incoming": triangle_incoming,
           "scene_graph": scene_graph}


def reference(case, tensors):
    """In float64, one element of the batch at a time, for its memory."""
    activations = case.names(weights=False)
    wide = {name: tensors[name].double() for name in case.names(weights=True)}
    parts = []
    for b in range(case.dims["B"]):
        for name in activations:
            wide[name] = tensors[name][b:b + 1].double()
        parts.append(FORWARD[case.program](wide))
    return torch.cat(parts)


def relative_error(result, exact):
    """In the Euclidean norm; NaN if the result has any."""
    return ((result.double() - exact).norm() / exact.norm()).item()


#===------------------------------------------------------------------------===#
# Modules from outside
#===------------------------------------------------------------------------===#

MODEL_DIMS = {"gqa_causal": (), "triangle_incoming": ("C", "H"),
              "scene_graph": ("D", "P", "H")}


def load_module(folder, name):
    """The Python file `name` in `folder`. FileNotFoundError."""
    path = pathlib.Path(folder) / f"{name}.py"
    if not path.is_file():
        raise FileNotFoundError(f"there is no {path}")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def make_model(kind, case, tensors):
    """A `torch.nn.Module` of a module's class with the weights in `tensors`."""
    model = kind(*(case.dims[name] for name in MODEL_DIMS[case.program]))
    model.load_state_dict({name: tensors[name]
                           for name in case.names(weights=True)})
    return model


def original_error(folder, case, inputs, exact):
    """How far the original, in float64 on the CPU, is from `exact`."""
    tensors = {name: torch.from_numpy(array).double()
               for name, array in inputs.items()}
    module = load_module(folder, f"{case.program}_ref")
    model = make_model(module.Model, case, tensors).double()
    with torch.no_grad():
        result = model(*(tensors[name] for name in case.names(weights=False)))
    return relative_error(result, exact.cpu())
