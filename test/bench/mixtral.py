# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's side of the step benchmark: a Mixtral of transformers, unchanged.

  mixtral.py export FOLDER [SIZES]   graph.pt2 and inputs.safetensors of one training step
  mixtral.py serve THREADS [SIZES]   prints the peak memory (bytes) of a first step, then for
                                     every line on stdin runs one eager step and prints its seconds
"""
import argparse
import os
import sys
import time

os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
import torch
from transformers import MixtralConfig, MixtralForCausalLM


class Step(torch.nn.Module):
    """ids, labels int64 [batch, seq] -> loss."""

    def __init__(self, sizes):
        super().__init__()
        config = MixtralConfig(
            vocab_size=sizes.vocab, hidden_size=sizes.hidden, intermediate_size=sizes.inter,
            num_hidden_layers=sizes.layers, num_attention_heads=4, num_key_value_heads=2,
            num_local_experts=sizes.experts, num_experts_per_tok=sizes.topk,
            attn_implementation="eager", experts_implementation="grouped_mm")
        torch.manual_seed(0)
        self.m = MixtralForCausalLM(config)

    def forward(self, ids, labels):
        return self.m(input_ids=ids, labels=labels, use_cache=False).loss


def resident(field):
    """VmRSS or VmHWM of this process in bytes."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(field + ":"))


def export(step, ids, folder):
    from safetensors.torch import save_file
    from torch.export.experimental import _export_forward_backward
    joint = _export_forward_backward(torch.export.export(step, (ids, ids), strict=False))
    os.makedirs(folder, exist_ok=True)
    torch.export.save(joint, os.path.join(folder, "graph.pt2"))
    save_file({"ids": ids, "labels": ids.clone()}, os.path.join(folder, "inputs.safetensors"))


def serve(step, ids, threads):
    torch.set_num_threads(threads)
    before = resident("VmRSS")
    step(ids, ids).backward()  # gradients included, as in the planned peak
    print(resident("VmHWM") - before, flush=True)
    for _ in sys.stdin:
        step.zero_grad(set_to_none=True)
        start = time.perf_counter()
        step(ids, ids).backward()
        print(time.perf_counter() - start, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["export", "serve"])
    parser.add_argument("argument")
    for name, value in dict(layers=4, hidden=512, inter=1024, experts=8, topk=2, vocab=8192, batch=4, seq=256).items():
        parser.add_argument("--" + name, type=int, default=value)
    args = parser.parse_args()
    step = Step(args)
    ids = torch.randint(2, args.vocab, (args.batch, args.seq), generator=torch.Generator().manual_seed(1))
    if args.what == "export":
        export(step, ids, args.argument)
    else:
        serve(step, ids, int(args.argument))


if __name__ == "__main__":
    main()
