"""The models of the workloads: transformers from PyTorch's own parts, with NVTX ranges where they are asked for."""

import math

from common import nvtx, torch
from torch.utils.checkpoint import checkpoint

functional = torch.nn.functional


def attention(q, k, v, annotated):
    """softmax(q k^T / sqrt(d)) v, of (batch, heads, tokens, width of a head); annotated: its three steps one by one, each
    in an NVTX range, instead of one fused kernel."""
    if not annotated and hasattr(functional, "scaled_dot_product_attention"):
        return functional.scaled_dot_product_attention(q, k, v)
    ranges = nvtx if annotated else (lambda name: torch.profiler.record_function(name))
    with ranges("scaled_dot_product_attention"):
        with ranges("computing_attention_scores"):
            scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        with ranges("computing_softmax"):
            weights = scores.softmax(dim=-1)
        with ranges("final_matmul"):
            return weights @ v


class Block(torch.nn.Module):
    """One pre-norm layer of a transformer."""

    def __init__(self, dim, annotated=False):
        super().__init__()
        self.heads, self.annotated = max(1, dim // 64), annotated
        self.norm1, self.norm2 = torch.nn.LayerNorm(dim), torch.nn.LayerNorm(dim)
        self.qkv, self.out = torch.nn.Linear(dim, 3 * dim), torch.nn.Linear(dim, dim)
        self.mlp = torch.nn.Sequential(torch.nn.Linear(dim, 4 * dim), torch.nn.GELU(), torch.nn.Linear(4 * dim, dim))

    def forward(self, x):
        batch, tokens, dim = x.shape
        qkv = self.qkv(self.norm1(x)).view(batch, tokens, 3, self.heads, dim // self.heads).permute(2, 0, 3, 1, 4)
        mixed = attention(qkv[0], qkv[1], qkv[2], self.annotated)
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, tokens, dim))
        return x + self.mlp(self.norm2(x))


class VisionTransformer(torch.nn.Module):
    """Images (batch, 3, img, img) to 1000 logits. With `keep` below 1 the share of tokens that stays after layers 4, 7 and
    10 of 12 (the like of other depths): those with the largest norms, chosen by top-k, the class token always."""

    def __init__(self, img, patch, depth, dim, keep=1.0, annotated=False):
        super().__init__()
        self.patches = torch.nn.Conv2d(3, dim, patch, stride=patch)
        self.place = torch.nn.Parameter(torch.randn(1, (img // patch) ** 2 + 1, dim) * 0.02)
        self.first = torch.nn.Parameter(torch.zeros(1, 1, dim))
        self.blocks = torch.nn.ModuleList(Block(dim, annotated) for _ in range(depth))
        self.norm, self.head = torch.nn.LayerNorm(dim), torch.nn.Linear(dim, 1000)
        self.keep = keep
        self.reduce_after = {depth * k // 12 for k in (4, 7, 10)} if keep < 1 else set()

    def reduced(self, x):
        with nvtx("token_reduction"):
            kept = max(1, round((x.shape[1] - 1) * self.keep))
            chosen = x[:, 1:].norm(dim=-1).topk(kept, dim=1).indices.sort(dim=1).values + 1
            return torch.cat([x[:, :1], x.gather(1, chosen.unsqueeze(-1).expand(-1, -1, x.shape[-1]))], dim=1)

    def forward(self, images):
        x = self.patches(images).flatten(2).transpose(1, 2)
        x = torch.cat([self.first.expand(x.shape[0], -1, -1), x], dim=1) + self.place
        for i, block in enumerate(self.blocks):
            if i in self.reduce_after:
                x = self.reduced(x)
            x = block(x)
        return self.head(self.norm(x)[:, 0])

    def flops(self, img, patch):
        """Multiplications and additions of one image in matrix products, two each."""
        tokens, dim = (img // patch) ** 2, self.head.in_features
        total = 2 * tokens * dim * 3 * patch * patch
        for i in range(len(self.blocks)):
            if i in self.reduce_after:
                tokens = max(1, round(tokens * self.keep))
            n = tokens + 1
            total += 2 * n * dim * 12 * dim + 4 * n * n * dim
        return total + 2 * dim * 1000


class LanguageModel(torch.nn.Module):
    """Tokens (batch, context) to logits of the next ones."""

    def __init__(self, vocabulary, context, depth, dim, annotated=False, checkpoint=False):
        super().__init__()
        self.checkpoint = checkpoint
        self.embed, self.place = torch.nn.Embedding(vocabulary, dim), torch.nn.Embedding(context, dim)
        self.blocks = torch.nn.ModuleList(Block(dim, annotated) for _ in range(depth))
        self.norm, self.head = torch.nn.LayerNorm(dim), torch.nn.Linear(dim, vocabulary, bias=False)

    def forward(self, tokens):
        x = self.embed(tokens) + self.place(torch.arange(tokens.shape[1], device=tokens.device))
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False) if self.checkpoint and self.training else block(x)
        return self.head(self.norm(x))
