#!/usr/bin/env python3
"""run_families.py ASSAY: made folders of traces, a family each of how runs are found in the field, and what `list --json` makes of them.

A case: its files with what they hold, the files of each run, and (where given) those of each configuration."""

import collections
import json
import os
import subprocess
import sys
import tempfile

ASSAY = os.path.abspath(sys.argv[1])
KERNELS = {1: [("gemm", 64), ("relu", 32)], 2: [("flash", 64), ("norm", 16)], 3: [("conv", 8), ("pool", 8)],
           4: [("gemm", 128), ("relu", 64)], 5: [("gemm", 256), ("relu", 128)]}
wrong = []
cases = 0


def trace(path, prog=1, t=0.0, pid=100, rank=None, world=None, corr=0, step0=0, coll=False, timed=True, front=False):
    """Four steps of ten kernels at t seconds; ids of its launches begin above corr, its steps above step0."""
    dur, count, pid, events = 20, 10, pid if pid == 1 else 4000 + pid, []
    ts = (1.7e15 if timed else 1000) + t * 1e6
    for step in range(4):
        events.append({"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{step + 1 + step0}", "pid": pid, "tid": 1, "ts": ts,
                       "dur": dur * count + 50})
        for k in range(0 if front else count):
            name, grid = KERNELS[prog][k % 2]
            name = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)" if coll and k == count - 1 else name
            args = {"correlation": corr + step * count + k + 1, "device": rank or 0, "stream": 7, "grid": [grid, 1, 1], "block": [128, 1, 1]}
            events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": pid, "tid": 1, "ts": ts + k * dur, "dur": 2,
                           "args": {"correlation": args["correlation"]}})
            events.append({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": ts + 5 + k * dur, "dur": dur * 0.9, "args": args})
        if front:
            events.append({"ph": "X", "cat": "cpu_op", "name": "aten::x", "pid": pid, "tid": 1, "ts": ts, "dur": 5})
        ts += dur * count + 60
    document = {"schemaVersion": 1, "deviceProperties": [] if front else [{"id": 0, "name": "NVIDIA H100"}], "cuda_driver_version": 12040,
                "traceEvents": events}
    if rank is not None:
        document["distributedInfo"] = {"backend": "nccl", "rank": rank, "world_size": world}
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        json.dump(document, file)


def groups(files, of):
    found = collections.defaultdict(list)
    for i, (name, _) in enumerate(files):
        found[of.get(name + ".json")].append(i)
    return sorted(map(sorted, found.values()))


def case(name, files, runs, configurations=None):
    global cases
    cases += 1
    with tempfile.TemporaryDirectory() as folder:
        for file, holds in files:
            trace(f"{folder}/{file}.json", **holds)
        out = subprocess.run([ASSAY, "list", "--json", folder], capture_output=True, text=True, check=True).stdout
    rows = [(listed["file"], row) for listed in json.loads(out)["result"] for row in listed["runs"][:1]]
    got = groups(files, {file: row["run"] for file, row in rows})
    called = groups(files, {file: row["configuration"] for file, row in rows})
    if got != sorted(map(sorted, runs)) or (configurations is not None and called != sorted(map(sorted, configurations))):
        wrong.append(f"{name}: runs {got}, not {runs}; configurations {called}, not {configurations}")


def two(names, apart=60):
    """Two jobs of two ranks: job 0 rank 0, job 0 rank 1, job 1 rank 0, job 1 rank 1."""
    return [(n, dict(rank=i % 2, world=2, t=(i // 2) * apart + 0.05 * (i % 2), pid=100 + i, coll=True)) for i, n in enumerate(names)]



case('hash',two(['f3a9c1','0b77e2','9911ac','e01d4f']),[[0,1],[2,3]])
case('letters',two(['alice','bob','carol','dave']),[[0,1],[2,3]])
case('concurrent jobs',two(['base_rank0','base_rank1','opt_rank0','opt_rank1'],0),[[0,1],[2,3]],[[0,1],[2,3]])
case('concurrent ids',two(['88123_0','88123_1','88140_0','88140_1'],0),[[0,1],[2,3]])
case('concurrent hash',two(['aa1','bb2','cc3','dd4'],0),[[0],[1],[2],[3]])
case('no times',[(n,{**k,'timed':False}) for n,k in two(['run1_rank0','run1_rank1','run2_rank0','run2_rank1'])],[[0,1],[2,3]],[[0,1,2,3]])
case('no rank stated collectives',[(n,dict(t=0.05*i,pid=i+1,coll=True)) for i,n in enumerate(['x','y','z'])],[[0,1,2]])
case('replicas',[(f'replica_{i}',dict(t=0.05*i,pid=i+1)) for i in range(3)],[[0],[1],[2]],[[0,1,2]])
case('captures',[(f'box_42.{1700000000000000+i*5000000}',dict(t=5*i,pid=42,step0=1000*i)) for i in range(3)],[[0,1,2]],[[0,1,2]])
case('captures corr',[(f'cap_{i}',dict(t=5*i,pid=42,corr=1000*i)) for i in range(3)],[[0,1,2]],[[0,1,2]])
case('container pids',[(f'run_{i}',dict(t=60*i,pid=1)) for i in range(4)],[[0],[1],[2],[3]],[[0,1,2,3]])
case('captures of ranks',[(f'c{c}_rank{r}',dict(t=5*c,pid=42+r,rank=r,world=2,corr=1000*c,coll=True)) for c in range(2) for r in range(2)],[[0,1,2,3]])
case('blocks',[(f'{m}_{i}',dict(t=2*i+j,pid=9,corr=1000*(2*i+j),prog=j+1)) for i in range(3) for j,m in enumerate(('base','flash'))],[[0,2,4],[1,3,5]],[[0,2,4],[1,3,5]])
case('roles',[('policy_worker_1',dict(rank=0,world=2,pid=1,coll=True)),('policy_worker_2',dict(rank=1,world=2,pid=2,coll=True)),('rollout_worker_1',dict(rank=0,world=1,pid=3,prog=2))],[[0,1,2]])
case('stages',[(f'1764000000.25-TP-{r}-{s}',dict(rank=r,world=2,t=30*j,pid=1+r,prog=j+1,coll=True,corr=1000*j)) for j,s in enumerate(('EXTEND','DECODE')) for r in range(2)],[[0,1,2,3]])
case('front end',[('node_1.async_llm',dict(front=True,pid=7)),('dp0_tp0_rank0',dict(rank=0,world=2,pid=8,coll=True)),('dp0_tp1_rank1',dict(rank=1,world=2,pid=9,coll=True))],[[0],[1,2]])
case('missing rank',two(['a_rank0','a_rank1','a_rank0_2','a_rank1_2'])[:3],[[0,1],[2]])
def four(j, ranks, t):
    return [(f'job{j}_rank{r}',dict(rank=r,world=4,t=t,pid=10*j+r,coll=True)) for r in ranks]
case('missing both',four(1,[0,1,3],0)+four(2,[0,1,3],60),[[0,1,2],[3,4,5]])
case('clocks off',[(f'j{j}_rank{r}',dict(rank=r,world=2,t=60*j+3600*r,pid=5*j+r,coll=True)) for j in range(2) for r in range(2)],[[0,1],[2,3]])
case('prof repeats',[(f'prof_{i+1}',dict(t=60*i,pid=i+1)) for i in range(5)],[[i] for i in range(5)],[[0,1,2,3,4]])
case('prof sweep',[(f'prof_{i+1}',dict(t=60*i,pid=i+1,prog=i+1)) for i in range(5)],[[i] for i in range(5)],[[i] for i in range(5)])
case('numa',[(f'numa_{i}',dict(t=60*i,pid=i+1)) for i in range(2)],[[0],[1]],[[0],[1]])
case('workers',[(f'workers{i}',dict(t=60*i,pid=i+1)) for i in (0,2,4)],[[0],[1],[2]],[[0],[1],[2]])
case('bs sweep reps',[(f'bs{b}_run{r}',dict(t=60*(3*j+r),pid=3*j+r+1,prog=p)) for j,(b,p) in enumerate(((8,1),(16,4),(32,5))) for r in range(2)],[[i] for i in range(6)],[[0,1],[2,3],[4,5]])
case('lr',[(f'train_lr{l}_{r}',dict(t=60*i+10*r,pid=2*i+r+1)) for i,l in enumerate(('1e-3','1e-4')) for r in range(2)],[[i] for i in range(4)],[[0,1],[2,3]])
case('versions',[(f'torch_{v}_r{r}',dict(t=60*i+10*r,pid=2*i+r+1)) for i,v in enumerate(('2.11.0+cu130','2.10.0+cu126')) for r in range(2)],[[i] for i in range(4)],[[0,1],[2,3]])
case('models',[(f'{m}_{r}',dict(t=60*i+10*r,pid=2*i+r+1,prog=1)) for i,m in enumerate(('llama3-8b','qwen2-7b')) for r in range(2)],[[i] for i in range(4)],[[0,1],[2,3]])
case('model sizes',[(f'{m}_{r}',dict(t=60*i+10*r,pid=2*i+r+1,prog=1+3*i)) for i,m in enumerate(('llama3-8b','llama3-70b')) for r in range(2)],[[i] for i in range(4)],[[0,1],[2,3]])
case('ids repeats',[(f'job_{i}',dict(t=60*k,pid=k+1)) for k,i in enumerate((88123,88140,88177))],[[0],[1],[2]],[[0,1,2]])
case('ids shared',[(f'job_{i}_run{r}',dict(t=60*(2*k+r),pid=2*k+r+1)) for k,i in enumerate((88123,88140)) for r in range(2)],[[i] for i in range(4)],[[0,1],[2,3]])
case('ids programs',[(f'job_{i}',dict(t=60*k,pid=k+1,prog=k+1)) for k,i in enumerate((88123,88140))],[[0],[1]],[[0],[1]])
case('commits',[(f'bench_{c}',dict(t=60*k,pid=k+1,prog=1)) for k,c in enumerate(('3fa9c12e','b71d004a'))],[[0],[1]],[[0,1]])
case('times',[(f'train_2025-11-03T14-{10+k}-09',dict(t=60*k,pid=k+1)) for k in range(3)],[[0],[1],[2]],[[0,1,2]])
case('decimal times',[(f'{m}_{1764000000+k*60}.{25+k}',dict(t=60*k,pid=k+1)) for k,m in enumerate(('old','old','new','new'))],[[0],[1],[2],[3]],[[0,1],[2,3]])
case('exp n',[(f'exp{k+1}_{m}',dict(t=60*k,pid=k+1,prog=k+1)) for k,m in enumerate(('base','flash'))],[[0],[1]],[[0],[1]])
case('x counts',[(f'x{k}',dict(t=60*k,pid=k+1)) for k in range(3)],[[0],[1],[2]],[[0,1,2]])
case('x sizes',[(f'x{k}',dict(t=60*k,pid=k+1)) for k in (4,8,16)],[[0],[1],[2]],[[0],[1],[2]])
case('folders of jobs',two(['j1/rank0','j1/rank1','j2/rank0','j2/rank1']),[[0,1],[2,3]])
case('folder a rank',two(['rank0/j1','rank1/j1','rank0/j2','rank1/j2']),[[0,1],[2,3]])
case('hosts folders',two(['nodea/t1','nodeb/t1','nodea/t2','nodeb/t2']),[[0,1],[2,3]])
case('back to back',two(['r1_0','r1_1','r2_0','r2_1'],0.2),[[0,1],[2,3]])
case('different worlds',two(['a0','a1','b0','b1'],0)[:2]+[(f'c{r}',dict(rank=r,world=4,t=0,pid=50+r,coll=True)) for r in range(4)],[[0,1],[2,3,4,5]])
case('seed',[(f'{m}_seed{s}',dict(t=60*(2*j+k),pid=2*j+k+1,prog=j+1)) for j,m in enumerate(('eager','compiled')) for k,s in enumerate((42,1337))],[[i] for i in range(4)],[[0,1],[2,3]])
case('gpu index',[(f'gpu{k}_{m}',dict(t=60*(2*j+k),pid=2*j+k+1,prog=j+1)) for j,m in enumerate(('a','b')) for k in range(2)],[[i] for i in range(4)],None)
print(f"{cases} families, {len(wrong)} wrong", *wrong, sep="\n")
sys.exit(1 if wrong or cases < 40 else 0)
