#!/usr/bin/env bash
# The words of the first screen of a page of `look -o`, one element a line: what docs/look.png shows, to tell when it is stale.
# usage: first_screen.sh LOOK.html
set -euo pipefail
sed -n '/<h1>/,/Where a step of/p' "$1" | sed 's/<svg.*//' | sed -e 's/<[^>]*>/\n/g' | sed -e 's/^[[:space:]]*//; s/[[:space:]]*$//' -e '/^$/d'
