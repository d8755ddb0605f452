#!/bin/sh
# precompile_anew.sh COMPILER ARGUMENT...: runs the compiler without the file that it is to write. CMake includes the header that is
# precompiled by name: where the old one still is, the preprocessor that ccache asks takes that in the place of the headers, and ccache
# gives back what it once made of that old one, whatever the headers say now.
previous=
for word; do
  [ "$previous" != -o ] || rm -f "$word"
  previous=$word
done
exec "$@"
