#!/usr/bin/env bash
# The words of the first screen of a report.html, one element a line: what docs/report.png shows, to tell when it is stale.
# usage: first_screen.sh REPORT.html
set -euo pipefail
sed -n '/<section id="answers"/,/<\/section>/p' "$1" | sed -e 's/<[^>]*>/\n/g' | sed -e 's/^[[:space:]]*//; s/[[:space:]]*$//' -e '/^$/d'
