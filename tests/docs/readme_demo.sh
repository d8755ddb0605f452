#!/usr/bin/env bash
# What README.md and docs/first_hour.md show, and the pictures, against the program itself: readme_demo.sh ASSAY. Its commands are run by
# page_commands.py.
set -euo pipefail
assay=$1
if [ -z "${ASSAY_EXAMPLES:-}" ]; then
  echo "SKIPPED: ASSAY_EXAMPLES is not set: the bundled reports are not unpacked"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache

# What it shows of the demo is what the demo prints: every number of the block, in the same sentence.
"$assay" run configs/study.toml --reports "$ASSAY_EXAMPLES" -o "$work/demo" >"$work/printed"
flat() { tr -s '\n ' ' ' | sed 's/- //g'; }
flat <"$work/printed" >"$work/flat"
shown=$(sed -n '/^RQ/,/^```$/p' README.md | grep -v '^```' | flat)
lines=0
while IFS= read -r piece; do
  piece=$(sed 's/^ *//; s/ *$//' <<<"$piece")
  [ -n "$piece" ] || continue
  grep -qF -- "$piece" "$work/flat" || { echo "README.md shows '$piece', which the demo does not print"; exit 1; }
  lines=$((lines + 1))
done < <(sed 's/ \.\.\. /\n/g' <<<"$shown")
[ "$lines" -ge 2 ] || { echo "README.md shows nothing of the demo"; exit 1; }

# The screen in docs/first_hour.md, line by line.
screen=$(sed -n '/^```$/,/^```$/p' docs/first_hour.md | grep -vE '^(```|\.\.\.)' | sed -n '/^gpu0_/,/^  - /p')
"$assay" look "$ASSAY_EXAMPLES/rq1_model_architecture_impact/$(head -1 <<<"$screen")" >"$work/look"
[ "$(wc -l <<<"$screen")" -ge 8 ] || { echo "docs/first_hour.md shows no screen of look"; exit 1; }
while IFS= read -r line; do
  grep -qF -- "$line" "$work/look" || { echo "docs/first_hour.md shows '$line', which look does not print"; exit 1; }
done <<<"$screen"

# The gallery shows what the demo draws; step_breakdown's is of a trace that is not part of it.
same=0
for plot in docs/gallery/*.svg; do
  drawn=$work/demo/plots/${plot##*/}
  [ -f "$drawn" ] || continue
  cmp "$plot" "$drawn" || { echo "$plot is not what the demo draws; run ./dev pictures"; exit 1; }
  same=$((same + 1))
done
[ "$same" -ge 8 ] || { echo "only $same plots of docs/gallery are of the demo"; exit 1; }

# The pictures at its head and the screen there: a page of look and a terminal, of the training step. Words are compared, not pixels,
# which differ from one browser to the next.
ln -s "$ASSAY_EXAMPLES/transformer/small_training_step_ctx512.sqlite" "$work/training_step.sqlite"
(cd "$work" && "$assay" look training_step.sqlite -o look.html >page && "$assay" look training_step.sqlite >look)
tests/docs/first_screen.sh "$work/look.html" | diff docs/look.png.txt - >"$work/stale" ||
  { echo "docs/look.png is stale, run ./dev pictures; its words against those of the page:"; cat "$work/stale"; exit 1; }
python3 tests/docs/terminal_svg.py "$assay" "$ASSAY_EXAMPLES" | cmp - docs/terminal.svg || { echo "docs/terminal.svg is stale, run ./dev pictures"; exit 1; }
flat <"$work/look" >"$work/flat"
screen=$(sed -n '/^\$ assay look/,/^```$/p' README.md | grep -vE '^(```|\.\.\.|\$)')
[ "$(wc -l <<<"$screen")" -ge 12 ] || { echo "README.md shows no screen of look"; exit 1; }
while IFS= read -r line; do
  [ -z "$line" ] || grep -qF -- "$(flat <<<"$line" | sed 's/^ *//; s/ *$//')" "$work/flat" || { echo "README.md shows '$line', which look does not print"; exit 1; }
done <<<"$screen"

while read -r command; do
  ./dev help | grep -qE "^  $command " || { echo "README.md names ./dev $command, which does not exist"; exit 1; }
done < <(grep -oE '^    \./dev [a-z]+' README.md | awk '{print $2}')
