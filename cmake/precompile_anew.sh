#!/bin/sh
# precompile_anew.sh COMPILER ARGUMENT...: runs the compiler without the file that it is to write. CMake includes the header that is
# precompiled by name: where the old one still is, the preprocessor that ccache asks takes that in the place of the headers, and ccache
# gives back what it once made of that old one, whatever the headers say now.
# What it once made of headers that differ in spaces alone is no use either: the compiler knows a header that it has read by its bytes.
root=$(dirname "$0")/..
CCACHE_EXTRAFILES=$(find "$root/sdk" "$root/core/base" "$root/cli" "$root/tests/support" -name '*.hpp' | sort | paste -sd: -)
export CCACHE_EXTRAFILES
previous=
for word; do
  [ "$previous" != -o ] || rm -f "$word"
  previous=$word
done
exec "$@"
