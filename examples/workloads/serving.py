#!/usr/bin/env python3
"""A language model that serves requests one after another: prefill, then one token at a time, as a program to be profiled.

Ranges: `request_{i}`, in it `prefill` and `decode_{i}`. With --graph one decode is captured as a CUDA graph before anything is
measured, and each token replays it. With --trace FILE the PyTorch profiler records the measured requests; with --times FILE their
times are written as JSON, which says what a token takes without a profiler (CUDA events). One line of JSON at the end says what was measured.
"""

import argparse
import json
import sys
import time

from common import Problem, add_device_arguments, capture, device_of, dtype_of, nvtx, positive, sync, torch, traced

functional = torch.nn.functional


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--layers", type=positive, default=6, help="layers of the model (default: 6)")
    parser.add_argument("--dim", type=positive, default=1024, help="width, a multiple of 64 (default: 1024)")
    parser.add_argument("--batch", type=positive, default=1, help="sequences a request (default: 1)")
    parser.add_argument("--prompt", type=positive, default=256, help="tokens of a prompt (default: 256)")
    parser.add_argument("--tokens", type=positive, default=16, help="tokens decoded a request (default: 16)")
    parser.add_argument("--requests", type=positive, default=6, help="measured requests (default: 6)")
    parser.add_argument("--warmup", type=positive, default=2, help="requests before (default: 2)")
    parser.add_argument("--graph", action="store_true", help="replay each decode as a CUDA graph")
    parser.add_argument("--times", metavar="FILE", help="write the times of prefill and of each token there")
    add_device_arguments(parser)
    a = parser.parse_args()
    if a.graph and a.device != "cuda":
        parser.error("--graph needs a CUDA device: there are no CUDA graphs on the CPU")
    return a


class CachedLayer(torch.nn.Module):
    """One layer of a transformer that keeps the keys and values of earlier tokens."""

    def __init__(self, dim, context, batch, device, dtype):
        super().__init__()
        self.heads = max(1, dim // 64)
        self.norm1, self.norm2 = torch.nn.LayerNorm(dim), torch.nn.LayerNorm(dim)
        self.qkv, self.out = torch.nn.Linear(dim, 3 * dim, bias=False), torch.nn.Linear(dim, dim, bias=False)
        self.mlp = torch.nn.Sequential(torch.nn.Linear(dim, 4 * dim), torch.nn.GELU(), torch.nn.Linear(4 * dim, dim))
        self.keys, self.values = (torch.zeros(batch, self.heads, context, dim // self.heads, device=device, dtype=dtype) for _ in range(2))

    def forward(self, x, at, mask):
        batch, tokens, dim = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(batch, tokens, 3, self.heads, dim // self.heads).permute(2, 0, 3, 1, 4)
        self.keys.index_copy_(2, at, k)
        self.values.index_copy_(2, at, v)
        mixed = functional.scaled_dot_product_attention(q, self.keys, self.values, attn_mask=mask)
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, tokens, dim))
        return x + self.mlp(self.norm2(x))


class Server:
    """The model, its caches, and one decode as a CUDA graph where that is asked for."""

    def __init__(self, a, device):
        dtype, self.a, self.device = dtype_of(a, device), a, device
        vocabulary, self.context = 16_000, a.prompt + a.tokens + 1
        self.embed = torch.nn.Embedding(vocabulary, a.dim)
        self.layers = torch.nn.ModuleList(CachedLayer(a.dim, self.context, a.batch, device, dtype) for _ in range(a.layers))
        self.head = torch.nn.Linear(a.dim, vocabulary, bias=False)
        for part in (self.embed, self.layers, self.head):
            part.to(device=device, dtype=dtype).eval()
        self.token = torch.zeros(a.batch, 1, dtype=torch.long, device=device)
        self.at = torch.zeros(1, dtype=torch.long, device=device)
        self.graph = None
        if a.graph:
            for _ in range(3):
                self.step()
            sync(device)
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph):
                self.step()

    def next_token(self, tokens, at):
        x = self.embed(tokens)
        mask = torch.arange(self.context, device=self.device)[None, :] <= at[:, None]
        for layer in self.layers:
            x = layer(x, at, mask)
        return self.head(x[:, -1:]).argmax(-1)

    def step(self):
        self.token.copy_(self.next_token(self.token, self.at))
        self.at.add_(1)

    def request(self, number):
        """The times of prefill and of each token, in seconds, as the host sees them."""
        times = []
        with nvtx(f"request_{number}"):
            begin = time.perf_counter()
            with nvtx("prefill"):
                prompt = torch.randint(16_000, (self.a.batch, self.a.prompt)).to(self.device)
                self.token.copy_(self.next_token(prompt, torch.arange(self.a.prompt, device=self.device)))
                self.at.fill_(self.a.prompt)
                self.token.cpu()
            times.append(time.perf_counter() - begin)
            for i in range(self.a.tokens):
                begin = time.perf_counter()
                with nvtx(f"decode_{i}"):
                    self.graph.replay() if self.graph else self.step()
                    self.token.cpu()  # a server sends each token
                times.append(time.perf_counter() - begin)
        return times


def main():
    a = arguments()
    device = device_of(a)
    with torch.inference_mode():
        server = Server(a, device)
        for i in range(a.warmup):
            server.request(i)
        sync(device)
        with traced(a.trace, device), capture(device):
            begin = time.perf_counter()
            requests = [server.request(i) for i in range(a.requests)]
            elapsed = time.perf_counter() - begin
    if a.times:
        with open(a.times, "w") as file:
            json.dump([{"request": i, "prefill_s": t[0], "decode_s": t[1:]} for i, t in enumerate(requests)], file)
    tokens = a.requests * a.tokens * a.batch
    print(json.dumps({"elapsed_s": elapsed, "throughput": tokens / elapsed, "batches": a.requests, "batch": a.batch,
                      "device": str(device), "config": vars(a)}))


if __name__ == "__main__":
    try:
        main()
    except Problem as problem:
        sys.exit(f"serving.py: {problem}")
