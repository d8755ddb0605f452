#!/usr/bin/env bash
# Runs every benchmark of a build folder: bench/run.sh build/release. Results go to standard output.
set -euo pipefail
build=${1:?usage: bench/run.sh BUILD_FOLDER}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$build/bin/make_report" --kernels 1003600 --output "$work/million.sqlite"
echo "== parts, each beside a yardstick in the same binary"
"$build/bin/algo_bench"
ASSAY_BENCH_REPORT="$work/million.sqlite" "$build/bin/load_bench"
"$build/bin/trace_bench"

echo "== assay run with run_summary on one million kernels, five processes"
cat > "$work/million.toml" <<'TOML'
[question]
id = "million"
text = "How fast is one million kernels?"
[analyzers.run_summary]
TOML
mkdir "$work/reports"
mv "$work/million.sqlite" "$work/reports/"
for _ in 1 2 3 4 5; do
  TIMEFORMAT='%R s wall, %U s user'
  time "$build/bin/assay" run "$work/million.toml" --reports "$work/reports" -o "$work/out" -q >/dev/null
done
