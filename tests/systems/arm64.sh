#!/usr/bin/env bash
# arm64.sh ARM64_BUILD BUILD ROOT: runs what was cross-built for arm64 under qemu-user, with the libraries in ROOT: test programs that
# start no other program, and the study over the bundled reports, whose results must be the bytes that BUILD, of this machine,
# writes. ASSAY_EXAMPLES names the reports.
set -euo pipefail
arm64=$(cd "$1" && pwd) here=$(cd "$2" && pwd) root=$(cd "$3" && pwd) source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
qemu=$(command -v qemu-aarch64 || command -v qemu-aarch64-static) || { echo "qemu-aarch64 is needed (package qemu-user)" >&2; exit 2; }
run() { "$qemu" -L "$root" "$@"; }
status=0
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

for test in algo_test sdk_testing_test config_test name_test discover_test plan_test runner_files_test files_test cache_test load_test \
  formats_test trace_test ncu_test btree_test sheets_test query_test loader_test claim_verdicts_test ranks_test run_summary_test \
  kernel_breakdown_test nsys_stats_test step_breakdown_test label_check_test; do
  [ -x "$arm64/bin/$test" ] || continue
  # Not those that start children, kill themselves or measure time, nor those that remember results by the program that is running:
  # qemu-user stands between.
  if run "$arm64/bin/$test" --gtest_brief=1 --gtest_filter='-*DeathTest*:*Contained*:*Isolat*:Recall*:Gathering.IsRemembered*' >"$out/$test" 2>&1; then
    grep -E '^\[  (PASSED|SKIPPED)' "$out/$test" | sed "s/^/$test: /"
  else
    status=1
    grep -E '^\[  FAILED|Failure' "$out/$test" | sed "s/^/$test: /" || tail -n 3 "$out/$test"
  fi
done

# study FOLDER PROGRAM...: the study's results, into FOLDER.
study() { "${@:2}" run "$source/configs/study.toml" --reports "${ASSAY_EXAMPLES:?names the bundled reports}" --no-cache -o "$1" >/dev/null; }
study "$out/arm64" run "$arm64/bin/assay"
study "$out/here" "$here/bin/assay"
for file in facts.csv findings.json report.md summary.md report.html; do
  if cmp "$out/arm64/$file" "$out/here/$file"; then
    echo "$file: the same $(stat -c %s "$out/here/$file") bytes"
  else
    status=1
    diff "$out/arm64/$file" "$out/here/$file" | head -n 20 || true
  fi
done
exit $status
