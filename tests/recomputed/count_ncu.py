#!/usr/bin/env python3
"""Counts what a CSV of Nsight Compute holds, by the csv and decimal modules: count_ncu.py CSV

Prints: name, rows, sum. kernels (sum of IDs), blocks and threads of the launches, unit:U for every base unit (sum of
values in it), unavailable. Nothing but 'unavailable' when no kernel was profiled. Numbers are those of an English
locale.
"""
import csv
import io
import re
import sys
from decimal import Decimal

TIMES = {'ns': 1, 'nsecond': 1, 'us': 10**3, 'usecond': 10**3, 'ms': 10**6, 'msecond': 10**6, 's': 10**9,
         'second': 10**9}
PREFIXES = {'': 1, 'K': 10**3, 'M': 10**6, 'G': 10**9, 'T': 10**12}


def base(unit):
    if unit in TIMES:
        return 'ns', Decimal(TIMES[unit])
    top, _, bottom = unit.partition('/')
    scaled = re.fullmatch(r'([KMGT]?)(byte|hz)', top)
    factor = Decimal(1)
    if scaled:
        factor, top = Decimal(PREFIXES[scaled[1]]), scaled[2]
    if bottom in TIMES:
        return ('hz' if top == 'cycle' else top + '/s'), factor * 10**9 / TIMES[bottom]
    return (top + '/' + bottom if bottom else top or 'none'), factor


def product(text):
    out = 1
    for part in text.strip('()').split(','):
        out *= int(part)
    return out


def main(path):
    with open(path, encoding='utf-8-sig', newline='') as file:
        lines = [line for line in file if line.startswith('"')]
    rows = list(csv.reader(io.StringIO(''.join(lines))))
    kernels, units, seen, unavailable = {}, {}, set(), 0
    for cells in rows[1:]:
        row = dict(zip(rows[0], cells))
        launch = row['Process ID'], row['ID'], row['Kernel Name']
        kernels[launch] = product(row['Grid Size']), product(row['Block Size'])
        if row['Metric Value'] == 'n/a':
            unavailable += 1
        if not row['Metric Name'] or not re.fullmatch(r'-?[\d,]+(\.\d+)?', row['Metric Value']):
            continue
        unit, factor = base(row['Metric Unit'])
        key = launch, row['Section Name'], row['Metric Name'], unit
        if key in seen:
            continue
        seen.add(key)
        count, total = units.get(unit, (0, Decimal(0)))
        units[unit] = count + 1, total + Decimal(row['Metric Value'].replace(',', '')) * factor
    if kernels:
        print('kernels', len(kernels), sum(int(launch[1]) for launch in kernels))
        print('blocks', len(kernels), sum(blocks for blocks, _ in kernels.values()))
        print('threads', len(kernels), sum(threads for _, threads in kernels.values()))
    for unit, (count, total) in units.items():
        print('unit:' + unit, count, total)
    print('unavailable', unavailable, 0)


main(sys.argv[1])
