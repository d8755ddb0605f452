#!/usr/bin/env python3
"""Forward passes or training steps of a language model, as a program to be profiled.

NVTX ranges: `warmup_{i}` and `step_{i}` around each pass, in them `forward`, `backward` and `optimizer`; with --annotated
the steps of attention one by one (computing_attention_scores, computing_softmax, final_matmul). Times of the measured steps go
into --times FILE (CSV: step, seconds). With --trace FILE the PyTorch profiler runs by its schedule (wait, warm-up, active). With --memory FILE the history
of allocations, from before the model is made, becomes a memory snapshot.
One line of JSON at the end says what was measured.
"""

import argparse
import csv
import json
import os
import sys
import time

from common import Problem, add_device_arguments, capture, device_of, dtype_of, nvtx, positive, sync, torch
from models import LanguageModel

SIZES = {"small": (12, 768), "medium": (24, 1024), "large": (36, 1280), "xl": (48, 1600), "2.7B": (32, 2560),
         "tiny": (2, 128)}  # (layers, width); tiny: for a CPU


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", choices=list(SIZES), default="small", help="size (default: small)")
    parser.add_argument("--mode", choices=["forward", "forward_backward", "training_step"], default="forward",
                        help="what a step is (default: forward)")
    parser.add_argument("--ctx", type=positive, default=512, help="tokens of context (default: 512)")
    parser.add_argument("--batch", type=positive, default=4, help="sequences a batch (default: 4)")
    parser.add_argument("--annotated", action="store_true", help="attention in its steps, each in a range")
    parser.add_argument("--checkpoint", action="store_true", help="activation checkpointing: each block's forward again in its backward")
    parser.add_argument("--memory", metavar="FILE", help="write a memory snapshot of all steps, on a GPU")
    parser.add_argument("--steps", type=positive, default=10, help="measured steps (default: 10)")
    parser.add_argument("--warmup", type=int, default=5, help="steps before (default: 5)")
    parser.add_argument("--times", metavar="FILE", help="write the time of each step there")
    add_device_arguments(parser)
    return parser.parse_args()


class Trainer:
    def __init__(self, a, device):
        depth, dim = SIZES[a.model]
        vocabulary = 10_000
        self.a, self.device = a, device
        self.model = LanguageModel(vocabulary, a.ctx, depth, dim, a.annotated, a.checkpoint).to(device=device, dtype=dtype_of(a, device))
        self.optimizer = torch.optim.AdamW(self.model.parameters())
        self.tokens = torch.randint(vocabulary, (a.batch, a.ctx + 1), device=device)

    def step(self):
        train = self.a.mode != "forward"
        with nvtx("forward"), torch.set_grad_enabled(train):
            logits = self.model(self.tokens[:, :-1])
        if train:
            with nvtx("backward"):
                torch.nn.functional.cross_entropy(logits.flatten(0, 1).float(), self.tokens[:, 1:].flatten()).backward()
        if self.a.mode == "training_step":
            with nvtx("optimizer"):
                self.optimizer.step()
                self.optimizer.zero_grad(set_to_none=True)
        sync(self.device)

    def timed(self, name):
        begin = time.perf_counter()
        with nvtx(name):
            self.step()
        return time.perf_counter() - begin


def profiled(a, device, trainer):
    """Times of the steps that the profiler's schedule calls active."""
    activities = [torch.profiler.ProfilerActivity.CPU]
    if device.type == "cuda":
        activities.append(torch.profiler.ProfilerActivity.CUDA)
    schedule = torch.profiler.schedule(wait=1, warmup=1, active=a.steps, repeat=1)
    with torch.profiler.profile(activities=activities, schedule=schedule, record_shapes=True,
                                on_trace_ready=lambda p: p.export_chrome_trace(a.trace)) as profiler:
        times = []
        for i in range(2 + a.steps):
            seconds = trainer.timed(f"warmup_{a.warmup + i}" if i < 2 else f"step_{i - 2}")
            if i >= 2:
                times.append(seconds)
            profiler.step()
    return times


def write_times(file, times):
    unfinished = f"{file}.unfinished"
    with open(unfinished, "w", newline="") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(["step", "seconds"])
        rows.writerows([i, f"{seconds:.9f}"] for i, seconds in enumerate(times))
    os.replace(unfinished, file)


def main():
    a = arguments()
    device = device_of(a)
    if a.memory:
        if device.type != "cuda":
            raise Problem("--memory needs a GPU: the host's allocations have no history")
        torch.cuda.memory._record_memory_history(max_entries=1_000_000, stacks="python")
    trainer = Trainer(a, device)
    for i in range(a.warmup):
        trainer.timed(f"warmup_{i}")
    if a.trace:
        times = profiled(a, device, trainer)
    else:
        with capture(device):
            times = [trainer.timed(f"step_{i}") for i in range(a.steps)]
    if a.memory:
        torch.cuda.memory._dump_snapshot(a.memory)
    if a.times:
        write_times(a.times, times)
    depth, dim = SIZES[a.model]
    print(json.dumps({"elapsed_s": sum(times), "batches": a.steps, "batch": a.batch, "ctx": a.ctx, "layers": depth, "d": dim,
                      "h": max(1, dim // 64), "device": str(device), "config": vars(a)}))


if __name__ == "__main__":
    try:
        main()
    except Problem as problem:
        sys.exit(f"transformer.py: {problem}")
