#!/usr/bin/env python3
"""A vision transformer behind a double-buffered input pipeline, as a program to be profiled.

Every batch is made on the host, copied to the device on a stream of its own, sent through the model and its result copied
back. NVTX ranges: `test_double_buffer` around the measured batches (with the CUDA profiler started and stopped, so that
`--capture-range=cudaProfilerApi` records those alone), `test_vit_forward_{i}` around the forward pass of each. At the end
one line of JSON on standard output says what was measured: elapsed_s, throughput in images a second, batches, config.

Needs PyTorch; runs on a CUDA device, or, smaller and without copies, on the CPU.
"""

import argparse
import contextlib
import json
import sys
import time

from common import (Problem, add_device_arguments, capture, compile_mode, device_of, dtype_of, nvtx, positive, sync,
                    torch, traced)
from models import VisionTransformer


def arguments(argv=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    model = parser.add_argument_group("model")
    model.add_argument("--patch", type=positive, default=32, help="side of a patch, pixels (default: 32)")
    model.add_argument("--depth", type=positive, default=12, help="layers (default: 12)")
    model.add_argument("--dim", type=positive, default=768, help="width, a multiple of 64 (default: 768)")
    model.add_argument("--batch", type=positive, default=8, help="images a batch (default: 8)")
    model.add_argument("--img", type=positive, default=224, help="side of an image, pixels (default: 224)")
    model.add_argument("--compile", choices=["none", "default", "reduce-overhead", "max-autotune"], default="none",
                       help="mode of torch.compile (default: none)")
    pipe = parser.add_argument_group("pipeline")
    pipe.add_argument("--pipeline", choices=["sync", "async"], default="async",
                      help="wait after every batch, or keep --queue of them in flight (default: async)")
    pipe.add_argument("--queue", type=positive, default=2, help="batches in flight (default: 2)")
    pipe.add_argument("--preproc", choices=["cpu", "gpu", "none"], default="none",
                      help="where images are scaled and normalised (default: not at all)")
    pipe.add_argument("--transfer-only", action="store_true", help="copy there and back, no model")
    pipe.add_argument("--resident-gib", type=float, default=0, help="device memory held beside the model (default: 0)")
    parser.add_argument("--batches", type=positive, default=40, help="measured batches (default: 40)")
    parser.add_argument("--warmup", type=int, default=10, help="batches before (default: 10)")
    add_device_arguments(parser)
    a = parser.parse_args(argv)
    if a.img % a.patch:
        parser.error(f"--img {a.img} is no multiple of --patch {a.patch}: choose another of the two")
    if a.dim % 64:
        parser.error(f"--dim {a.dim} is no multiple of 64, the width of a head: choose another")
    return a


class Pipeline:
    """Batches through the model, at most `queue` in flight. On the CPU everything happens at once."""

    def __init__(self, a, device):
        self.a, self.device, self.dtype = a, device, dtype_of(a, device)
        self.cuda = device.type == "cuda"
        shape = (a.batch, 3, a.img, a.img)
        slots = a.queue if a.pipeline == "async" else 1
        self.inputs = [torch.rand(shape, pin_memory=self.cuda) for _ in range(slots)]
        self.on_device = [torch.empty(shape, device=device) for _ in range(slots)]
        self.results = [None] * slots
        self.done = [torch.cuda.Event() if self.cuda else None for _ in range(slots)]
        self.streams = [torch.cuda.Stream() for _ in range(3)] if self.cuda else [None] * 3
        self.mean = torch.tensor([0.485, 0.456, 0.406], device=device if a.preproc == "gpu" else "cpu").view(1, 3, 1, 1)
        self.held = torch.empty(int(a.resident_gib * 2**30), dtype=torch.uint8, device=device)
        self.model = None
        if not a.transfer_only:
            model = VisionTransformer(a.img, a.patch, a.depth, a.dim).to(device=device, dtype=self.dtype).eval()
            self.model = compile_mode(model, a.compile)

    def on(self, stream):
        return torch.cuda.stream(stream) if stream is not None else contextlib.nullcontext()

    def prepared(self, images):
        if self.a.preproc == "none":
            return images
        small = torch.nn.functional.interpolate(images, size=(self.a.img, self.a.img), mode="bilinear")
        return (small - self.mean) / 0.225

    def batch(self, i):
        h2d, compute, d2h = self.streams
        slot = i % len(self.inputs)
        if self.done[slot] is not None:
            self.done[slot].synchronize()  # the buffers are in use until then
        host = self.inputs[slot]
        if self.a.preproc == "cpu":
            with nvtx(f"test_preprocess_{i}"):
                host.copy_(self.prepared(host).clamp_(0, 1))
        with self.on(h2d), nvtx(f"test_h2d_batch_{i}"):
            self.on_device[slot].copy_(host, non_blocking=True)
        out = self.on_device[slot]
        if compute is not None:
            compute.wait_stream(h2d)
        if self.model is not None:
            with self.on(compute), nvtx(f"test_vit_forward_{i}"):
                images = self.prepared(out) if self.a.preproc == "gpu" else out
                out = self.model(images.to(self.dtype))
        if d2h is not None:
            d2h.wait_stream(compute)
        with self.on(d2h), nvtx(f"test_d2h_batch_{i}"):
            if self.results[slot] is None:
                self.results[slot] = torch.empty(out.shape, dtype=out.dtype, pin_memory=self.cuda)
            self.results[slot].copy_(out, non_blocking=True)
            if self.done[slot] is not None:
                out.record_stream(d2h)
                self.done[slot].record(d2h)
        if self.a.pipeline == "sync":
            sync(self.device)

    def run(self, batches):
        for i in range(batches):
            self.batch(i)
        sync(self.device)


def main():
    a = arguments()
    device = device_of(a)
    with torch.inference_mode():
        pipeline = Pipeline(a, device)
        pipeline.run(max(a.warmup, len(pipeline.inputs)))
        with traced(a.trace, device), capture(device):
            begin = time.perf_counter()
            with nvtx("test_double_buffer"):
                pipeline.run(a.batches)
            elapsed = time.perf_counter() - begin
    print(json.dumps({"elapsed_s": elapsed, "throughput": a.batches * a.batch / elapsed, "batches": a.batches,
                      "batch": a.batch, "img": a.img, "device": str(device), "config": vars(a)}))


if __name__ == "__main__":
    try:
        main()
    except Problem as problem:
        sys.exit(f"vit_pipeline.py: {problem}")
