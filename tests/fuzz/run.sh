#!/usr/bin/env bash
# Runs every fuzz target of a build with libFuzzer for some seconds: run.sh BUILD_FOLDER SECONDS. What they find anew is
# kept in BUILD_FOLDER/found/TARGET/, an input that stops one in BUILD_FOLDER/crashes/.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=${1:?usage: run.sh BUILD_FOLDER SECONDS}
seconds=${2:?usage: run.sh BUILD_FOLDER SECONDS}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || { echo "run.sh: the time is a whole number of seconds, not '$seconds'" >&2; exit 2; }

"$here/make_corpus.py" "$build/corpus" "$here/../../configs"
mkdir -p "$build/crashes"
failed=0
while read -r target folder longest; do
  mkdir -p "$build/found/$target"
  echo "== $target, $seconds s"
  log="$build/$target.log"
  if ! "$build/bin/$target" -max_total_time="$seconds" -max_len="$longest" -timeout=20 -rss_limit_mb=4096 \
      -artifact_prefix="$build/crashes/$target-" "$build/found/$target" "$build/corpus/$folder" >"$log" 2>&1; then
    failed=1
    grep -E 'ERROR|runtime error|SUMMARY|Test unit written' "$log" || tail -n 20 "$log"
  fi
  tail -n 1 "$log"
done <<'TARGETS'
btree_fuzz database 65536
btree_against_sqlite_fuzz database 65536
report_fuzz report 65536
trace_fuzz trace 32768
ncu_rep_fuzz ncu_rep 32768
operands_fuzz operands 4096
sheet_fuzz sheet 32768
config_fuzz config 8192
name_fuzz name 512
gzip_fuzz gzip 32768
results_fuzz results 65536
options_fuzz options 8192
runner_fuzz runner 16384
mcp_fuzz mcp 8192
TARGETS
exit $failed
