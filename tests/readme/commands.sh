#!/usr/bin/env bash
# Runs the commands of README.md with the built host on the bundled reports: commands.sh ASSAY PLUGINS
set -euo pipefail
assay=$1 plugins=$2
if [ -z "${ASSAY_EXAMPLES:-}" ]; then
  echo "SKIPPED: ASSAY_EXAMPLES is not set: the bundled reports are not unpacked"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache

count=0
while read -r command; do
  command=${command%%#*}
  command=${command//build\/release\/bin\/assay/$assay}
  command=${command//\~\/profiles/$ASSAY_EXAMPLES}
  command=${command//-o results/-o $work/results}
  echo "\$ $command"
  eval "$command" >/dev/null
  count=$((count + 1))
done < <(grep -E '^    build/release/bin/assay ' README.md)
[ "$count" -ge 3 ] || { echo "README.md has only $count commands of assay"; exit 1; }
for file in report.md facts.csv findings.json results.sqlite; do [ -s "$work/results/$file" ]; done

# What it shows of the demo is what comes out.
shown=$(tr -s '\n ' ' ' < README.md | grep -oE '× [0-9.]+ \((lower|undecided) in [0-9]+ of [0-9]+ pairs\)')
[ "$(wc -l <<<"$shown")" -ge 4 ] || { echo "README.md shows only: $shown"; exit 1; }
while read -r number; do
  grep -qF "$number" "$work/results/report.md" || { echo "README.md shows '$number', which the demo does not give"; exit 1; }
done <<<"$shown"

# The gallery shows what the demo draws; step_breakdown's is of a trace that is not part of it.
same=0
for plot in docs/gallery/*.svg; do
  drawn=$work/results/plots/${plot##*/}
  [ -f "$drawn" ] || continue
  cmp "$plot" "$drawn" || { echo "$plot is not what the demo draws; run ./dev pictures"; exit 1; }
  same=$((same + 1))
done
[ "$same" -ge 8 ] || { echo "only $same plots of docs/gallery are of the demo"; exit 1; }

# The picture at its head shows the first screen of the demo's page. Its words are compared, not its pixels, which differ from one
# browser to the next.
"$assay" run configs/study.toml --reports "$ASSAY_EXAMPLES" -o "$work/demo" >/dev/null
tests/readme/first_screen.sh "$work/demo/report.html" | diff docs/report.png.txt - >"$work/stale" ||
  { echo "docs/report.png is stale, run ./dev pictures; its words against those of the demo:"; cat "$work/stale"; exit 1; }

while read -r command; do
  ./dev help | grep -qE "^  $command " || { echo "README.md names ./dev $command, which there is not"; exit 1; }
done < <(grep -oE '^    \./dev [a-z]+' README.md | awk '{print $2}')

# The analyzer: its own fact for every report that has kernels.
cat > "$work/short.toml" <<'TOML'
[question]
id = "short"
[window]
nvtx = "test_double_buffer"
[analyzers.short_kernels]
TOML
"$assay" run "$work/short.toml" --plugin-path "$plugins" --reports "$ASSAY_EXAMPLES/rq1_model_architecture_impact" -o "$work/short" >/dev/null
facts=$(grep -c ',short_kernels.count,' "$work/short/facts.csv")
[ "$facts" -eq 39 ] || { echo "short_kernels gave $facts facts and not 39"; exit 1; }
