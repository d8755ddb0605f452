#!/usr/bin/env python3
"""Forward passes of a vision transformer with and without token reduction, as a program to be profiled.

One configuration: NVTX ranges `test_double_buffer` around the measured passes and `test_compute_batch_{i}` around each,
for Nsight Systems (--capture-range=cudaProfilerApi) and Nsight Compute (--nvtx), and one line of JSON at the end. With
`--sweep FILE` all batch sizes of `--batch-sizes` with and without reduction, no profiler, into a CSV with the columns
batch_size, model, tp (images a second), latency_ms (of a batch), flops (10^9 an image).
"""

import argparse
import csv
import json
import os
import sys
import time

from common import Problem, add_device_arguments, capture, device_of, dtype_of, nvtx, positive, sync, torch, traced
from models import VisionTransformer


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", choices=["baseline", "with_tr"], default="baseline",
                        help="without or with token reduction (default: baseline)")
    parser.add_argument("--batch", type=positive, default=1, help="images a batch (default: 1)")
    parser.add_argument("--img", type=positive, default=224, help="side of an image, pixels, a multiple of 16 (default: 224)")
    parser.add_argument("--depth", type=positive, default=12, help="layers (default: 12)")
    parser.add_argument("--dim", type=positive, default=768, help="width (default: 768)")
    parser.add_argument("--keep", type=float, default=0.5, help="share of tokens kept at each reduction (default: 0.5)")
    parser.add_argument("--passes", type=positive, default=12, help="measured forward passes (default: 12)")
    parser.add_argument("--warmup", type=int, default=5, help="passes before (default: 5)")
    parser.add_argument("--sweep", metavar="FILE", help="write the sweep over batch sizes there")
    parser.add_argument("--batch-sizes", type=positive, nargs="+", default=[1, 2, 4, 8, 16], help="of the sweep")
    add_device_arguments(parser)
    a = parser.parse_args()
    if a.img % 16:
        parser.error(f"--img {a.img} is no multiple of 16, the side of a patch")
    if not 0 < a.keep < 1:
        parser.error(f"--keep {a.keep} is no share between 0 and 1")
    return a


class Passes:
    def __init__(self, a, device, model, batch):
        self.device, self.dtype = device, dtype_of(a, device)
        self.model = VisionTransformer(a.img, 16, a.depth, a.dim, keep=a.keep if model == "with_tr" else 1.0)
        self.flops = self.model.flops(a.img, 16)
        self.model = self.model.to(device=device, dtype=self.dtype).eval()
        self.images = torch.rand((batch, 3, a.img, a.img), pin_memory=device.type == "cuda")

    def run(self, passes):
        """Seconds of all passes together."""
        begin = time.perf_counter()
        for i in range(passes):
            with nvtx(f"test_compute_batch_{i}"):
                self.model(self.images.to(self.device, non_blocking=True).to(self.dtype))
        sync(self.device)
        return time.perf_counter() - begin


def sweep(a, device):
    rows = []
    for batch in a.batch_sizes:
        for model in ("baseline", "with_tr"):
            passes = Passes(a, device, model, batch)
            passes.run(a.warmup)
            latency = passes.run(a.passes) / a.passes
            rows.append([batch, model, round(batch / latency, 2), round(latency * 1e3, 4), round(passes.flops / 1e9, 3)])
    unfinished = f"{a.sweep}.unfinished"
    with open(unfinished, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["batch_size", "model", "tp", "latency_ms", "flops"])
        out.writerows(rows)
    os.replace(unfinished, a.sweep)


def main():
    a = arguments()
    device = device_of(a)
    with torch.inference_mode():
        if a.sweep:
            sweep(a, device)
            return
        passes = Passes(a, device, a.model, a.batch)
        passes.run(a.warmup)
        with traced(a.trace, device), capture(device), nvtx("test_double_buffer"):
            elapsed = passes.run(a.passes)
    print(json.dumps({"elapsed_s": elapsed, "throughput": a.passes * a.batch / elapsed, "batches": a.passes,
                      "batch": a.batch, "img": a.img, "flops": passes.flops, "device": str(device), "config": vars(a)}))


if __name__ == "__main__":
    try:
        main()
    except Problem as problem:
        sys.exit(f"token_reduction.py: {problem}")
