"""A Slurm of its own, for a test: munge, a controller and two nodes of this machine, in a folder and on ports of their own."""

import getpass
import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol", "sinfo")
SBIN = "/usr/sbin:/sbin"


class Absent(Exception):
    """Why there can be no Slurm here."""


def find(program):
    found = shutil.which(program, path=os.environ.get("PATH", "") + ":" + SBIN)
    if found is None:
        raise Absent(f"{program} is not installed (Debian: slurmctld slurmd slurm-client munge)")
    return found


def free_ports(count):
    """Ports that nobody listens on; all are held until the last is found, so that they differ."""
    held = [socket.socket() for _ in range(count)]
    for each in held:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in held]
    for each in held:
        each.close()
    return ports


class Cluster:
    """Nodes n1 and n2 of two CPUs and a file that stands for a GPU each. A partition `urgent` takes nodes from others."""

    def __init__(self, folder, max_array_size=None):
        self.folder = Path(folder)
        self.max_array_size = max_array_size
        self.programs = {name: find(name) for name in PROGRAMS}
        self.processes = {}
        self.env = dict(os.environ, SLURM_CONF=str(self.folder / "slurm.conf"))
        for name in [name for name in self.env if name.startswith(("SLURM_", "SBATCH_")) and name != "SLURM_CONF"]:
            del self.env[name]

    def __enter__(self):
        try:
            self.write_configuration()
            self.start_munge()
            self.start("slurmctld", ["-D"])
            for node in ("n1", "n2"):
                self.start_node(node)
            self.wait_for(self.is_up, "the nodes are not idle", 30)
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def write_configuration(self):
        for name in ("state", "spool", "log", "munge"):
            (self.folder / name).mkdir(parents=True)
        self.folder.chmod(0o755)
        (self.folder / "munge").chmod(0o755)
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        host, user, ports = socket.gethostname().split(".")[0], getpass.getuser(), free_ports(3)
        for node in ("n1", "n2"):
            (self.folder / f"gpu_{node}").touch()
        (self.folder / "gres.conf").write_text(
            "".join(f"NodeName={node} Name=gpu File={self.folder}/gpu_{node}\n" for node in ("n1", "n2")))
        (self.folder / "slurm.conf").write_text(f"""ClusterName=assay
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={self.folder}/munge/socket,cred_expire=5
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool/%n
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd.%n.pid
SlurmctldLogFile={self.folder}/log/slurmctld
SlurmdLogFile={self.folder}/log/slurmd.%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SwitchType=switch/none
MpiDefault=none
GresTypes=gpu
ReturnToService=2
SlurmdTimeout=6
SlurmctldTimeout=10
KillWait=2
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0,bf_interval=1
SlurmdParameters=config_overrides
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
{f"MaxArraySize={self.max_array_size}" if self.max_array_size else ""}
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=2 RealMemory=1000 Gres=gpu:1
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=2 RealMemory=1000 Gres=gpu:1
PartitionName=main Nodes=n1,n2 Default=YES State=UP PriorityTier=1
PartitionName=urgent Nodes=n1,n2 State=UP PriorityTier=9 PreemptMode=OFF
""")

    def start_munge(self):
        socket_file = self.folder / "munge" / "socket"
        self.start("munged", ["--foreground", "--force", f"--key-file={self.folder}/munge.key", f"--socket={socket_file}",
                              f"--pid-file={self.folder}/munged.pid", f"--log-file={self.folder}/log/munged",
                              f"--seed-file={self.folder}/munged.seed"])
        self.wait_for(socket_file.exists, "munged does not start", 10)

    def start_node(self, node):
        self.start("slurmd", ["-D", "-N", node], name=node)

    def start(self, program, words, name=None):
        name = name or program
        with open(self.folder / "log" / f"{name}.said", "ab") as said:
            self.processes[name] = subprocess.Popen([self.programs[program], *words], env=self.env, stdin=subprocess.DEVNULL,
                                                    stdout=said, stderr=said, start_new_session=True)

    def kill_node(self, node):
        """The daemon of a node dies with the steps that it looks after, as with the machine."""
        daemon = self.processes.pop(node)
        end_all(descendants(daemon.pid) | self.steps_of(node))
        end_all({daemon.pid})
        daemon.wait()

    def steps_of(self, node):
        """Steps live on without their daemon; all of this cluster have its configuration in their environment."""
        found = set()
        for process in ours(self.env["SLURM_CONF"]):
            try:
                words = Path(f"/proc/{process}/cmdline").read_bytes()
                names = Path(f"/proc/{process}/environ").read_bytes()
            except OSError:
                continue
            if b"slurmstepd" in words and (b"\0SLURMD_NODENAME=" + node.encode()) in b"\0" + names:
                found |= {process} | descendants(process)
            elif b"\0SLURMD_NODENAME=" + node.encode() + b"\0" in b"\0" + names:
                found |= {process} | descendants(process)
        return found - {os.getpid()}

    def run(self, *words, check=True):
        done = subprocess.run([self.programs.get(words[0], words[0]), *words[1:]], env=self.env, text=True,
                              capture_output=True, timeout=60)
        if check and done.returncode != 0:
            raise RuntimeError(f"{' '.join(words)}: {done.stderr.strip()}")
        return done.stdout

    def is_up(self):
        for name, process in self.processes.items():
            if process.poll() is not None:
                raise Absent(f"{name} ended at once: {self.last_words(name)}")
        return self.run("sinfo", "-h", "-p", "main", "-o", "%T %D", check=False).split() == ["idle", "2"]

    def last_words(self, name):
        words = ""
        for file in sorted((self.folder / "log").glob(f"*{name}*")):
            words += file.read_text(errors="replace")[-600:]
        return " ".join(words.split())

    def wait_for(self, holds, otherwise, seconds):
        until = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > until:
                raise Absent(f"{otherwise} after {seconds} s: " + " | ".join(self.last_words(n) for n in self.processes))
            time.sleep(0.1)

    def stop(self):
        for name in sorted(self.processes, key=lambda name: name == "munged"):
            process = self.processes[name]
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
                try:
                    process.wait(5)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
        end_all(ours(self.env["SLURM_CONF"]) - {os.getpid()})
        self.processes.clear()


def ours(configuration):
    """Processes that were started under this configuration and no other: none of anybody else's."""
    mark = b"\0SLURM_CONF=" + configuration.encode() + b"\0"
    found = set()
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            if mark in b"\0" + (folder / "environ").read_bytes():
                found.add(int(folder.name))
        except OSError:
            continue
    return found


def descendants(process):
    found = set()
    try:
        children = [int(c) for task in Path(f"/proc/{process}/task").iterdir() for c in (task / "children").read_text().split()]
    except OSError:
        return found
    for child in children:
        found |= {child} | descendants(child)
    return found


def end_all(processes):
    for process in processes:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass
