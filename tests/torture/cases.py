"""One mutated file, and what was found."""

import dataclasses
import random

import mutate
from seeds import Seed

LONGEST = 16 << 20  # bytes of a case

@dataclasses.dataclass(frozen=True)
class Case:
    kind: str
    index: int
    seed: Seed
    how: str  # the mutations, joined by '+'
    data: bytes

    @property
    def name(self):
        return f"{self.kind}-{self.index:06d}{self.seed.suffix}"


@dataclasses.dataclass
class Find:
    what: str  # crash, hang, exit, sanitizer, silent, lost, gone, analyzer, replaced
    case: Case
    text: str  # one line
    counts: bool = True  # False: a flip inside a valid cell, which nobody can notice

    @property
    def row(self):
        return "\t".join((self.what, self.case.name, self.case.seed.name, self.case.how, self.text.replace("\t", " ")))


def make_case(kind, index, seed_number):
    """The case of that number: the same for the same seed number and seeds."""
    rng = random.Random(f"{seed_number}/{kind.name}/{index}")
    if hasattr(kind, "case_at"):
        seed, how, data = kind.case_at(index, seed_number, rng)
        return Case(kind.name, index, seed, how, bytes(data[:LONGEST]))
    seed = kind.pick(rng)
    if hasattr(kind, "case_of"):
        how, data = kind.case_of(rng, seed)
        return Case(kind.name, index, seed, how, bytes(data[:LONGEST]))
    data, names = seed.data, []
    for _ in range(rng.choice((1, 1, 1, 1, 2, 3))):
        if rng.random() < 0.05:
            spliced = mutate.splice(rng, data, kind.pick(rng).data)
            whole = any(spliced == s.data for s in kind.seeds)  # the other file and nothing of this one
            data, name = (mutate.bits(rng, data), "bits") if whole else (spliced, "splice")
        elif rng.random() < kind.structured:
            way = rng.choice(kind.ways)
            data, name = kind.apply(way, rng, data, seed, not names), way.__name__
        else:
            way = rng.choice(mutate.RAW)
            data, name = way(rng, data), way.__name__
        names.append(name)
        # A line 300 times and all its numbers 70,000 characters long is no more of a test than a part of it.
        data = data[:LONGEST]
        if len(data) < 2:
            break
    return Case(kind.name, index, seed, "+".join(names), bytes(data))
