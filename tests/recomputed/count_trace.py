#!/usr/bin/env python3
"""Counts what a PyTorch trace holds, by the json module and Decimal: count_trace.py TRACE...

Prints for each table: name, rows, sum of durations in ns, sum of starts in ns since the first event; then other sums.
"""
import gzip
import json
import sys
from decimal import ROUND_HALF_UP, Decimal

TABLES = {
    'kernels': {'kernel', 'Kernel'},
    'copies': {'gpu_memcpy', 'Memcpy'},
    'sets': {'gpu_memset', 'Memset'},
    'calls': {'cuda_runtime', 'cuda_driver', 'Runtime'},
    'syncs': {'cuda_sync'},
    'overheads': {'overhead'},
    'ops': {'cpu_op', 'Operator', 'python_function', 'user_annotation'},
    'ranges': {'user_annotation'},
}
ANNOTATIONS = ('ProfilerStep#', 'enumerate(DataLoader)#', 'Optimizer.')


def nanoseconds(text):
    return int((Decimal(str(text)) * 1000).quantize(Decimal(1), ROUND_HALF_UP))


def duration(event):
    value = nanoseconds(event['dur'])
    return 1 if value == 0 and Decimal(str(event['dur'])) > 0 else value


def belongs(event, table, categories):
    if event.get('ph') != 'X':
        return False
    if table == 'ranges' and event.get('cat') in ('cpu_op', 'Operator'):
        return event['name'].startswith(ANNOTATIONS)
    return event.get('cat') in categories


def read(path):
    with (gzip.open if path.endswith('.gz') else open)(path, 'rb') as file:
        return json.load(file, parse_float=Decimal, parse_int=int)


def main(path):
    trace = read(path)
    events = trace['traceEvents']
    known = set().union(*TABLES.values())
    origin = min(nanoseconds(e['ts']) for e in events if e.get('ph') == 'X' and e.get('cat') in known)
    print('origin', origin + int(trace.get('baseTimeNanoseconds', 0)), 0, 0)
    rows = {}
    for table, categories in TABLES.items():
        rows[table] = [e for e in events if belongs(e, table, categories)]
        print(table, len(rows[table]), sum(map(duration, rows[table])),
              sum(nanoseconds(e['ts']) - origin for e in rows[table]))
    memory = [e for e in events if e.get('ph') == 'i' and e['name'] == '[memory]']
    print('allocations', len(memory), sum(e['args']['Bytes'] for e in memory),
          sum(nanoseconds(e['ts']) - origin for e in memory))
    print('copied', len(rows['copies']), sum(e['args']['bytes'] for e in rows['copies']), 0)
    calls = {e['args']['correlation'] for e in rows['calls'] if 'correlation' in e['args']}
    linked = sum(e['args'].get('correlation') in calls for e in rows['kernels'])
    occupied = [e['args'] for e in rows['kernels'] if 'est. achieved occupancy %' in e['args']]
    print('linked', linked, len(occupied), sum(int(a['est. achieved occupancy %']) for a in occupied))
    blocks = [e['args']['grid'] for e in rows['kernels'] if 'grid' in e['args']]
    print('blocks', len(blocks), sum(g[0] * g[1] * g[2] for g in blocks),
          sum(e['args'].get('registers per thread', -1) for e in rows['kernels']))
    python = [e['args'] for e in rows['ops'] if e['cat'] == 'python_function']
    print('modules', len(python), sum(a['Python id'] for a in python), sum('Python module id' in a for a in python))
    print('names', len({e['name'] for e in rows['kernels']}), len({e['name'] for e in rows['ops']}),
          sum(len(e['name'].encode()) for e in rows['kernels']))


for argument in sys.argv[1:]:
    main(argument)
