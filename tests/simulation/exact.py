"""Exact binomial intervals (Clopper and Pearson 1934), without anything but the standard library."""
import math


def _tail(successes, trials, p):
    """P(X >= successes) of a binomial."""
    if successes <= 0:
        return 1.0
    if p <= 0:
        return 0.0
    if p >= 1:
        return 1.0
    logs = math.log(p), math.log1p(-p)
    terms = (math.lgamma(trials + 1) - math.lgamma(k + 1) - math.lgamma(trials - k + 1) + k * logs[0] + (trials - k) * logs[1]
             for k in range(successes, trials + 1))
    return min(1.0, math.fsum(math.exp(term) for term in terms))


def _root(rises, target):
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rises(middle) < target else (low, middle)
    return (low + high) / 2


def interval(successes, trials, level=0.95):
    """[low, high] of the probability; both ends exact."""
    part = (1 - level) / 2
    low = 0.0 if successes == 0 else _root(lambda p: _tail(successes, trials, p), part)
    high = 1.0 if successes == trials else _root(lambda p: _tail(successes + 1, trials, p), 1 - part)
    return low, high


def text(successes, trials):
    """"4/300 = 1.3 % [0.4, 3.4]"."""
    if trials == 0:
        return "-"
    low, high = interval(successes, trials)
    return f"{successes}/{trials} = {100 * successes / trials:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"
