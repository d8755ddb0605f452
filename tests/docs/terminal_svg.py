#!/usr/bin/env python3
"""terminal_svg.py ASSAY EXAMPLES: an animated terminal as one SVG on standard output, of what the program prints of the bundled profiles:
each command with its first lines, one after another. No script and no font is loaded; who wants no movement sees the first."""
import html
import pathlib
import subprocess
import sys
import tempfile

ROWS, COLUMNS, SECONDS = 24, 96, 7  # of a screen; how long it stays
WIDTH, LINE = 7.4, 17  # of a character and a line, in px
ASSAY, EXAMPLES = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
SHOWN = [("assay look training_step.sqlite", {"training_step.sqlite": "transformer/small_training_step_ctx512.sqlite"}),
         ("assay whatif training_step.sqlite --remove fp32-products", {"training_step.sqlite": "transformer/small_training_step_ctx512.sqlite"}),
         ("assay compare eager.sqlite graphs.sqlite", {"eager.sqlite": "rq3_compilation_optimization/gpu0_numa0_vit16x6x384_uncompiled.sqlite",
                                                       "graphs.sqlite": "rq3_compilation_optimization/gpu0_numa0_vit16x6x384_compiled_reduce-overhead.sqlite"})]


def printed(command, files):
    with tempfile.TemporaryDirectory() as folder:
        for name, file in files.items():
            (pathlib.Path(folder) / name).symlink_to(EXAMPLES / file)
        done = subprocess.run([ASSAY, *command.split()[1:]], cwd=folder, env={"COLUMNS": str(COLUMNS), "LC_ALL": "C.UTF-8"}, check=True, capture_output=True, text=True)
    return done.stdout.splitlines()[:ROWS]


def screen(number, command, files):
    """A command and its first lines; lines that begin a part are bold."""
    lines = printed(command, files)
    texts = [f'<text y="{LINE}" class="typed">$ {html.escape(command)}</text>']
    for at, line in enumerate(lines):
        heading = bool(line) and not line.startswith(" ")
        texts.append(f'<text y="{(at + 2) * LINE}"{" class=" + chr(34) + "h" + chr(34) if heading else ""}>{html.escape(line)}</text>')
    return f'<g class="s s{number}">{"".join(texts)}</g>'


def main():
    whole = SECONDS * len(SHOWN)
    share = 100 / len(SHOWN)
    style = [f".s{n}{{animation-delay:{n * SECONDS}s}}" for n in range(len(SHOWN))]
    height = (ROWS + 3) * LINE
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {COLUMNS * WIDTH + 32:.0f} {height}" role="img" aria-label="A terminal: '
          f'{html.escape("; ".join(command for command, _ in SHOWN))}, and what each prints">')
    print("<style>text{font:12px/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#d8dee9;white-space:pre}"
          ".typed{fill:#8fd694}.h{font-weight:bold;fill:#fff}"
          f"@keyframes show{{0%,{share - 0.01:.2f}%{{opacity:1}}{share:.2f}%,100%{{opacity:0}}}}.s{{opacity:0;animation:show {whole}s infinite step-end}}"
          + "".join(style) + "@media(prefers-reduced-motion:reduce){.s{animation:none}.s0{opacity:1}}</style>")
    print('<rect width="100%" height="100%" rx="8" fill="#1e222a"/><g transform="translate(16,10)">')
    print("\n".join(screen(number, *shown) for number, shown in enumerate(SHOWN)) + "\n</g></svg>")


main()
