#!/usr/bin/env python3
"""Training steps of a small encoder with three costs that can be taken out, one by one.

--costs names those that stay in: `sync` reads each layer's gradient norm back to the host in every step, `copy` brings the batch from
pageable memory and waits for it, `fp32` multiplies in fp32 without TF32. Ranges: `step_{i}`, in it `data`, `forward`, `backward`, `optimizer`.
--windows measures several times in one process, each with a capture range of its own and, for `%d` in the name of --trace, a trace.
One line of JSON at the end says what was measured.
"""

import argparse
import json
import sys
import time

from common import Problem, add_device_arguments, capture, device_of, nvtx, positive, sync, torch, traced

COSTS = ("sync", "copy", "fp32")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--costs", nargs="*", choices=COSTS, default=[], help="costs of a step (default: none)")
    parser.add_argument("--layers", type=positive, default=4, help="layers of the encoder (default: 4)")
    parser.add_argument("--dim", type=positive, default=1024, help="width, a multiple of 64 (default: 1024)")
    parser.add_argument("--tokens", type=positive, default=256, help="tokens of a sequence (default: 256)")
    parser.add_argument("--batch", type=positive, default=32, help="sequences a step (default: 32)")
    parser.add_argument("--warmup", type=positive, default=5, help="steps before (default: 5)")
    parser.add_argument("--steps", type=positive, default=20, help="measured steps of a window (default: 20)")
    parser.add_argument("--windows", type=positive, default=1, help="windows, one after the other (default: 1)")
    add_device_arguments(parser)
    return parser.parse_args()


class Trainer:
    def __init__(self, a, device):
        self.a, self.device = a, device
        torch.backends.cuda.matmul.allow_tf32 = False
        layer = torch.nn.TransformerEncoderLayer(a.dim, max(1, a.dim // 64), 4 * a.dim, dropout=0, batch_first=True)
        self.model = torch.nn.TransformerEncoder(layer, a.layers, enable_nested_tensor=False).to(device)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), fused=device.type == "cuda")
        self.batch = torch.randn(a.batch, a.tokens, a.dim)
        if "copy" not in a.costs:
            self.batch = self.batch.to(device)

    def step(self):
        with nvtx("data"):
            x = self.batch.to(self.device)
        with nvtx("forward"), torch.autocast(self.device.type, torch.bfloat16, enabled="fp32" not in self.a.costs):
            loss = self.model(x).square().mean()
        with nvtx("backward"):
            loss.backward()
        with nvtx("optimizer"):
            if "sync" in self.a.costs:
                for parameter in self.model.parameters():
                    parameter.grad.norm().item()
            self.optimizer.step()
            self.optimizer.zero_grad(set_to_none=True)


def main():
    a = arguments()
    device = device_of(a)
    trainer = Trainer(a, device)
    for _ in range(a.warmup):
        trainer.step()
    sync(device)
    elapsed = 0
    for window in range(a.windows):
        with capture(device), traced(a.trace and a.trace.replace("%d", str(window + 1)), device):
            begin = time.perf_counter()
            for i in range(a.steps):
                with nvtx(f"step_{window * a.steps + i}"):
                    trainer.step()
            sync(device)
            elapsed += time.perf_counter() - begin
    print(json.dumps({"elapsed_s": elapsed, "batches": a.windows * a.steps, "batch": a.batch, "device": str(device), "config": vars(a)}))


if __name__ == "__main__":
    try:
        main()
    except Problem as problem:
        sys.exit(f"training_costs.py: {problem}")
