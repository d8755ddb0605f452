#!/usr/bin/env bash
# What a change has to pass: bash ci.sh [PREFIX], where PREFIX is an installed assay (default: the one in the PATH).
set -euo pipefail
cd "$(dirname "$0")"
prefix=${1:-$(dirname "$(dirname "$(command -v assay)")")}
build=${BUILD:-build}
export CI=true # golden tests compare and accept nothing

cmake -S . -B "$build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror"
cmake --build "$build"
ctest --test-dir "$build" --output-on-failure --no-tests=error
"$prefix/bin/assay" check "$build/@NAME@.so"
"$prefix/bin/assay" bench "$build/@NAME@.so" -n 1
(cd "$build" && cpack -G TGZ)
