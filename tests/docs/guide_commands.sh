#!/usr/bin/env bash
# Runs the commands of the guide in an empty folder with an installed assay: commands.sh GUIDE PREFIX
set -euo pipefail
guide=$1 prefix=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PATH=$prefix/bin:$PATH
cd "$work"

awk '/^```sh$/ {on = 1; next} /^```/ {on = 0} on' "$guide" >commands
count=$(grep -c . commands)
[ "$count" -ge 5 ] || { echo "the guide has only $count commands"; exit 1; }
bash -euo pipefail commands >printed || { cat printed; exit 1; }

# What the guide says is printed is printed.
awk '/^```text$/ {on = 1; next} /^```/ {on = 0} on' "$guide" >promised
[ -s promised ] || { echo "the guide promises no finding"; exit 1; }
while IFS= read -r line; do
  grep -qF -- "$line" printed || { cat printed; echo "not printed: $line"; exit 1; }
done <promised
for file in report.html report.md facts.csv findings.json results.sqlite; do [ -s "results/$file" ] || { echo "no $file"; exit 1; }; done
grep -rqF 'Kernel time in short kernels' results || { echo "the plot is in no output"; exit 1; }
# Every file that the guide names stands in the new project.
for file in plugin.cpp count.hpp count.cpp words.hpp words.cpp short_kernels_test.cpp golden short_kernels.toml README.md CMakeLists.txt; do
  grep -qF "\`$file" "$guide" && [ -e "short_kernels/$file" ] || { echo "$file is not in the guide or not in the project"; exit 1; }
done
