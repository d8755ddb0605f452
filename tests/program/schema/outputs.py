#!/usr/bin/env python3
"""No output replaces a file of the user: outputs.py ASSAY. Every option of --help that takes an output is tried over files of
other kinds, over an input, over nothing and over its own earlier output; folders hold links and pipes under assay's names."""
import json
import os
import pathlib
import resource
import shutil
import signal
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "torture"))
import outputs  # noqa: E402

failures = []


def check(holds, what):
    if not holds:
        failures.append(what)


def every_option_is_known(places):
    options = set(outputs.options_with_paths(places))
    tried = set(outputs.FILES) | set(outputs.FOLDERS)
    for command, option in sorted(options):
        known = option in outputs.INPUTS or (command, option) in tried | outputs.ALIKE
        check(known, f"{command} {option}: neither an input nor an output of tests/torture/outputs.py")
    for command, option in sorted(tried - options):
        check(False, f"{command} {option}: is not in --help")
    return len(options)


def outputs_over_files(places, folder):
    tried, target, made = 0, folder / "target.html", []  # -o of a page without its extension names a folder
    for (command, option), (kind, words) in outputs.FILES.items():
        name = f"{command} {option}"
        for before in ("nothing", "an empty file", "its own output"):
            if before == "an empty file":
                target.write_bytes(b"")
            done = places.ask(words, target)
            check(done.returncode == 0, f"{name} over {before}: exit {done.returncode}: {done.stderr[-200:]}")
            check(target.exists() and target.stat().st_size > 0, f"{name} over {before} wrote nothing")
            tried += 1
        if target.exists():
            made.append((kind, f"the output of {name}", target.read_bytes()))
            target.unlink()
    others = [("", what, data) for what, data in outputs.victims(places)] + made
    for (command, option), (kind, words) in outputs.FILES.items():
        name = f"{command} {option}"
        for of, what, data in others:
            if of == kind:
                continue
            target.write_bytes(data)
            done = places.ask(words, target)
            check(done.returncode == 2, f"{name} over {what}: exit {done.returncode}, expected 2: {done.stderr[-200:]}")
            check(target.read_bytes() == data, f"{name} replaced {what}")
            tried += 1
        for own in (places.places["p"], places.places["q"], places.places["r"] / "r1/results.sqlite"):
            done = places.ask(words, own)
            check(done.returncode == 2, f"{name} over the input {own.name}: exit {done.returncode}")
            check(own.read_bytes() == places.inputs[own], f"{name} replaced the input {own.name}")
            own.write_bytes(places.inputs[own])
            tried += 1
    for (command, option), words in outputs.FOLDERS.items():
        for what, data in outputs.victims(places)[:4]:
            target.write_bytes(data)
            done = places.ask(words, target)
            quiet = option == "--cache" and done.returncode == 0  # a run without a cache
            check(quiet or done.returncode in (2, 3), f"{command} {option} over {what}: exit {done.returncode}")
            check(target.read_bytes() == data, f"{command} {option} replaced {what}")
            tried += 1
    check(places.bytes_of_inputs() == places.inputs, "inputs were changed")
    return tried


def tables_over_tables(places, folder):
    """A table of stats is replaced by the same table alone."""
    tables = folder / "tables"
    words = "stats {p} -o X --report cuda_gpu_kern_sum"
    for more in ("", " --format json", " --format table"):
        check(places.ask(words + more, tables).returncode == 0, f"stats{more}")
        check(places.ask(words + more, tables).returncode == 0, f"stats{more} over its own table")
    for table in tables.iterdir():
        table.write_text("Name,mine\n1,2\n")
        more = {".csv": "", ".json": " --format json", ".txt": " --format table"}[table.suffix]
        check(places.ask(words + more, tables).returncode == 2, f"stats over another {table.suffix}")
        check(table.read_text() == "Name,mine\n1,2\n", f"stats replaced another {table.suffix}")


def is_json(text):
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def streams(places):
    """A pipe gets the whole output and nothing else; one that nobody reads is not waited for."""
    done = places.ask(outputs.FILES["timeline", "--out"][1], "/dev/stdout")
    check(done.returncode == 0 and is_json(done.stdout), "timeline to standard output is not one document")
    check(places.ask(outputs.FILES["run", "--annotations"][1], "/dev/stdout").stdout.count("<testsuites") == 1, "JUnit to standard output")
    pipe = places.folder / "out-pipe"
    os.mkfifo(pipe)
    for (command, option), (_, words) in outputs.FILES.items():
        code = places.ask(words, pipe).returncode
        check(code == 3, f"{command} {option} to a pipe that nobody reads: exit {code}")
    pipe.unlink()


def names_in_folders(places, folder):
    """Links and pipes under assay's own names: never followed, never waited for."""
    victim, tried = folder / "victim", 0
    victim.write_bytes(b"the user's\n")
    with tempfile.TemporaryDirectory(dir=folder) as list_of:
        count = len(list(outputs.link_places(places, pathlib.Path(list_of))))
    for kind in outputs.LINKS:
        for number in range(count):
            with tempfile.TemporaryDirectory(dir=folder) as own:
                what, path, words = list(outputs.link_places(places, pathlib.Path(own)))[number]
                outputs.put_link(kind, path, victim)
                done = places.run(*words, preexec_fn=bounded)
                check(done.returncode in (0, 1, 2, 3, 4), f"{kind} as {what}: exit {done.returncode} {done.stderr[-200:]}")
                check(victim.read_bytes() == b"the user's\n", f"{kind} as {what}: the victim was changed")
                victim.write_bytes(b"the user's\n")
                check(not (folder / "nothing").exists(), f"{kind} as {what}: a file was made at the end of the link")
                tried += 1
    for order in ("/dev/zero", str(folder)):
        done = places.run("history", places.places["r"], "--no-index", "--order", order, preexec_fn=bounded)
        check(done.returncode == 2, f"--order {order}: exit {done.returncode}")
    return tried


def bounded():
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (30, 35))


def nothing_left_at_the_size_limit(places, folder):
    """SIGXFSZ would end the program with its unfinished file beside the output."""
    def limited():
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))

    target = folder / "limited"
    asked = {**outputs.FILES, **{key: outputs.FOLDERS[key] for key in (("compare", "--out"), ("stats", "--out"), ("run", "--out"))}}
    for (command, option), words in asked.items():
        target.mkdir()
        done = places.ask(words if isinstance(words, str) else words[1], target / "x", preexec_fn=limited)
        check(done.returncode >= 0, f"{command} {option} at the size limit: signal {-done.returncode}")
        left = [name for root, folders, files in os.walk(folder) for name in folders + files if name.startswith(".assay-unfinished")]
        check(not left, f"{command} {option} at the size limit left {left}")
        shutil.rmtree(target)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        (folder / "places").mkdir()
        places = outputs.Places(pathlib.Path(sys.argv[1]).resolve(), folder / "places")
        options = every_option_is_known(places)
        tried = outputs_over_files(places, folder)
        tables_over_tables(places, folder)
        streams(places)
        links = names_in_folders(places, folder)
        nothing_left_at_the_size_limit(places, folder)
        check(places.bytes_of_inputs() == places.inputs, "inputs were changed at the end")
    print(f"{options} options, {tried} outputs over files, {links} names in folders, {len(failures)} failures")
    print("\n".join(failures))
    sys.exit(1 if failures else 0)


main()
