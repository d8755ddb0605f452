"""What the workloads share: where they run, what of PyTorch is there, NVTX ranges, traces."""

import argparse
import contextlib
import sys

try:
    import torch
except ImportError:
    sys.exit(f"{sys.argv[0]}: PyTorch is not installed for {sys.executable}; install it (Debian: python3-torch, CPU only) "
             "or call the python that has it")


class Problem(Exception):
    """A sentence for the user: what is missing, and what to do."""


def positive(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number above 0")
    return value


def add_device_arguments(parser):
    group = parser.add_argument_group("device")
    group.add_argument("--device", choices=["cuda", "cpu"], default="cuda", help="where to run (default: cuda)")
    group.add_argument("--dtype", choices=["bf16", "fp16", "fp32"], help="of the model (default: bf16; fp32 on the CPU)")
    group.add_argument("--trace", metavar="FILE", help="write a trace of the PyTorch profiler of what is measured")


def device_of(a):
    """Checks all that can be missing before anything is made."""
    if a.device == "cuda" and not torch.cuda.is_available():
        raise Problem("this PyTorch sees no CUDA device; run on a machine with one, or with --device cpu")
    if a.device == "cuda" and (a.dtype or "bf16") == "bf16" and not torch.cuda.is_bf16_supported():
        raise Problem(f"{torch.cuda.get_device_name()} has no bf16; use --dtype fp16")
    if a.device == "cpu" and a.dtype == "fp16":
        raise Problem("the CPU has no kernels for fp16; use --dtype fp32 or bf16")
    mode = getattr(a, "compile", "none")
    if mode != "none":
        if not hasattr(torch, "compile"):
            raise Problem(f"PyTorch {torch.__version__} has no torch.compile, which --compile {mode} needs; install 2.0 or newer")
        if mode not in torch._inductor.list_mode_options():
            raise Problem(f"PyTorch {torch.__version__} has no compile mode {mode}; it has "
                          + ", ".join(torch._inductor.list_mode_options()))
    return torch.device(a.device)


def dtype_of(a, device):
    name = a.dtype or ("fp32" if device.type == "cpu" else "bf16")
    return {"bf16": torch.bfloat16, "fp16": torch.float16, "fp32": torch.float32}[name]


def compile_mode(model, mode):
    return model if mode == "none" else torch.compile(model, mode=mode)


def sync(device):
    if device.type == "cuda":
        torch.cuda.synchronize()


@contextlib.contextmanager
def nvtx(name):
    """An NVTX range, which Nsight Systems sees, and one of the PyTorch profiler."""
    cuda = torch.cuda.is_available()
    if cuda:
        torch.cuda.nvtx.range_push(name)
    try:
        with torch.profiler.record_function(name):
            yield
    finally:
        if cuda:
            torch.cuda.nvtx.range_pop()


@contextlib.contextmanager
def capture(device):
    """Between cudaProfilerStart and cudaProfilerStop, for `nsys --capture-range=cudaProfilerApi`."""
    if device.type == "cuda":
        torch.cuda.cudart().cudaProfilerStart()
    try:
        yield
    finally:
        sync(device)
        if device.type == "cuda":
            torch.cuda.cudart().cudaProfilerStop()


@contextlib.contextmanager
def traced(file, device):
    """The PyTorch profiler around what runs inside, its trace in `file`; nothing without one."""
    if not file:
        yield
        return
    activities = [torch.profiler.ProfilerActivity.CPU]
    if device.type == "cuda":
        activities.append(torch.profiler.ProfilerActivity.CUDA)
    with torch.profiler.profile(activities=activities, record_shapes=True) as profiler:
        yield
    profiler.export_chrome_trace(file)
