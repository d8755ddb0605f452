#!/usr/bin/env bash
# The steps of the installation tests: steps.sh STEP BUILD SOURCE SCRATCH [argument...]. Exit 77: skipped, with the reason.
set -euo pipefail
step=$1 build=$2 source=$3 scratch=$4
shift 4
prefix=$scratch/prefix
unset ASSAY_PLUGIN_PATH

skip() { echo "SKIPPED: $*"; exit 77; }
fail() { echo "$*" >&2; exit 1; }

# project FOLDER NAME CONFIGURE_ARGUMENT...: configures and builds out of tree, into $scratch/NAME.
project() {
  local folder=$1 name=$2
  shift 2
  rm -rf "${scratch:?}/$name"
  cmake -S "$folder" -B "$scratch/$name" "$@" >"$scratch/$name.log" 2>&1 &&
    cmake --build "$scratch/$name" >>"$scratch/$name.log" 2>&1 || { cat "$scratch/$name.log"; return 1; }
}

# one_symbol FILE [SYMBOL]: its dynamic symbol table defines assay_plugin (or SYMBOL) and nothing else.
one_symbol() {
  command -v nm >/dev/null || fail "nm (binutils) is needed"
  local symbols
  symbols=$(nm -D --defined-only "$1" | awk '{print $3}')
  [ "$symbols" = "${2:-assay_plugin}" ] || fail "$1 exports: $symbols"
}

# counts HOST PLUGIN_FOLDER NAME: the host loads the out-of-tree plugin and it counts the kernels of two reports.
counts() {
  "$1" run "$source/tests/slow/sdk_install/project/question.toml" --reports "$source/sdk/template/golden/reports" \
    --plugin-path "$2" -o "$scratch/$3.out" >/dev/null
  [ "$(grep -c ',out_of_tree.count,,1,3,1$' "$scratch/$3.out/facts.csv")" = 2 ] ||
    { cat "$scratch/$3.out/facts.csv"; fail "the two counts of 3 kernels are missing"; }
}

# combo NAME COMPILER BUILD_TYPE PACKAGE_PREFIX HOST
combo() {
  project "$source/tests/slow/sdk_install/project" "$1" -DCMAKE_CXX_COMPILER="$2" -DCMAKE_BUILD_TYPE="$3" \
    -DCMAKE_PREFIX_PATH="$4" -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror"
  one_symbol "$scratch/$1/out_of_tree.so"
  counts "$5" "$scratch/$1" "$1"
}

makes_packages() {
  for tool in xz objdump; do command -v $tool >/dev/null || skip "$tool is not here, so no package can be made"; done
  [ -e "$(g++ -print-file-name=libstdc++_pic.a)" ] || skip "the package libstdc++-*-pic is not here, so no package can be made"
}

case $step in
  install)
    rm -rf "$prefix"
    cmake --install "$build" --prefix "$prefix" >/dev/null
    for file in bin/assay lib/assay/plugins/run_summary.so share/assay/configs/data/kernel_classes.toml \
      share/assay/template/plugin.cpp share/assay/template/out_of_tree/ci.sh include/assay/sdk.hpp include/assay/testing/report_builder.hpp \
      lib/cmake/assay_sdk/assay_sdkConfig.cmake; do
      [ -s "$prefix/$file" ] || fail "$file was not installed"
    done
    while IFS= read -r page; do
      while IFS= read -r target; do
        [ -e "$(dirname "$page")/$target" ] || fail "$page links to $target, which was not installed"
      done < <(grep -oE '\]\([^)# :]+[)#]' "$page" | sed -E 's/^\]\(//; s/[)#]$//')
    done < <(find "$prefix/share/doc/assay" -name '*.md')
    command -v readelf >/dev/null || fail "readelf (binutils) is needed"
    for file in "$prefix"/bin/assay "$prefix"/lib/assay/plugins/*.so; do
      ! readelf -d "$file" | grep -E 'R(UN)?PATH' || fail "$file carries a path of the build machine"
    done
    # As a path of its own: a source tree /assay is no part of share/doc/assay/.
    quoted() { sed 's/[].[*^$()+?{}|\\]/\\&/g' <<<"$1"; }
    if grep -rIlE "(^|[^[:alnum:]_}.-])($(quoted "$build")|$(quoted "$source")/)" "$prefix"; then fail "these installed files name a folder of the build"; fi
    ;;
  plugins) # All own plugins, where the host looks on its own, with one symbol each.
    list=$("$prefix/bin/assay" plugins)
    ! grep -q Refused <<<"$list" || fail "$list"
    found=0
    for file in "$prefix"/lib/assay/plugins/*.so; do
      case $file in
        */flight_recorder.so | */memory_snapshot.so | */perf_script.so | */torch_compile.so | */xplane.so) one_symbol "$file" assay_format ;;
        *) one_symbol "$file" ;;
      esac
      grep -qF "$file" <<<"$list" || fail "$file was not loaded: $list"
      found=$((found + 1))
    done
    [ "$found" -ge 10 ] || fail "only $found plugins were installed"
    ;;
  configs) # Every installed question plans; what it takes over with `from` is found.
    for config in "$prefix"/share/assay/configs/*.toml; do "$prefix/bin/assay" plan "$config" >/dev/null; done
    [ -n "${ASSAY_EXAMPLES:-}" ] || skip "ASSAY_EXAMPLES is not set, so no installed question was run; all of them plan"
    "$prefix/bin/assay" run "$prefix/share/assay/configs/rq1_architecture.toml" --reports "$ASSAY_EXAMPLES" \
      -o "$scratch/rq1.out" >/dev/null
    [ "$(grep -c ',gpu.kernel_busy_ratio,' "$scratch/rq1.out/facts.csv")" -ge 39 ] || fail "facts are missing"
    ;;
  combo) # COMPILER BUILD_TYPE
    command -v "$1" >/dev/null || skip "there is no $1 here"
    # Debian 12's own clang is 14, which does not let a lambda capture a structured binding.
    ! "$1" --version | grep -q clang || [ "$("$1" -dumpversion | cut -d. -f1)" -ge 16 ] || skip "$1 is older than clang 16, which analyzers need"
    combo "combo-$(basename "$1")-$2" "$1" "$2" "$prefix" "$prefix/bin/assay"
    ;;
  build_tree) combo build_tree "$1" Debug "$build" "$build/bin/assay" ;;
  moved)
    rm -rf "$scratch/moved"
    mkdir "$scratch/moved"
    cp -a "$prefix" "$scratch/moved/there"
    combo moved-build "$1" Release "$scratch/moved/there" "$scratch/moved/there/bin/assay"
    "$scratch/moved/there/bin/assay" plugins | grep -F "$scratch/moved/there/lib/assay/plugins/run_summary.so" >/dev/null ||
      fail "the moved host does not find its plugins"
    (cd "$scratch" && moved/there/bin/assay plan moved/there/share/assay/configs/study.toml >/dev/null)
    ;;
  destdir)
    rm -rf "$scratch/destdir"
    DESTDIR=$scratch/destdir cmake --install "$build" --prefix /usr >/dev/null
    "$scratch/destdir/usr/bin/assay" plugins | grep -F "$scratch/destdir/usr/lib/assay/plugins/run_summary.so" >/dev/null ||
      fail "the host below DESTDIR does not find its plugins"
    ;;
  undefined) # A symbol that nobody defines is found when the plugin is linked.
    if project "$source/tests/slow/sdk_install/no_definition" undefined -DCMAKE_CXX_COMPILER="$1" \
      -DCMAKE_PREFIX_PATH="$prefix" >"$scratch/undefined.out"; then fail "it was linked"; fi
    grep -q 'undefined reference.*defined_nowhere\|undefined symbol.*defined_nowhere' "$scratch/undefined.out" ||
      { cat "$scratch/undefined.out"; fail "the linker did not name the symbol"; }
    ;;
  not_found) # Where analyzers were looked for is said when one is not found.
    printf '[question]\nid = "q"\n[analyzers.nowhere]\n' >"$scratch/nowhere.toml"
    mkdir -p "$scratch/a" "$scratch/b"
    if ASSAY_PLUGIN_PATH=$scratch/b "$prefix/bin/assay" plan "$scratch/nowhere.toml" --plugin-path "$scratch/a" \
      2>"$scratch/nowhere.err"; then fail "an unknown analyzer was planned"; fi
    grep -qF "searched $scratch/a, $scratch/b, $prefix/lib/assay/plugins" "$scratch/nowhere.err" ||
      { cat "$scratch/nowhere.err"; fail "the folders were not named in their order"; }
    ;;
  tarball) # COMPILER: it runs from a folder with a space, through a link, with libraries of its own; twice the same bytes.
    makes_packages
    rm -rf "$scratch/tarball"
    for twice in one two; do XZ_LEVEL=0 bash "$source/packaging/dist.sh" "$build" "$scratch/tarball/$twice" tarball >/dev/null; done
    cmp "$scratch"/tarball/one/*.tar.xz "$scratch"/tarball/two/*.tar.xz || fail "two tarballs of one build differ"
    (cd "$scratch/tarball/one" && sha256sum --quiet -c ./*.sha256)
    [ "$(stat -c %s "$scratch"/tarball/one/*.tar.xz)" -lt $((30 << 20)) ] || fail "the tarball is larger than 30 MiB"
    mkdir -p "$scratch/tarball/with space"
    tar -C "$scratch/tarball/with space" -xJf "$scratch"/tarball/one/*.tar.xz
    home=$(echo "$scratch/tarball/with space/"*)
    ln -s "$home/bin/assay" "$scratch/tarball/assay"
    foreign=$(ldd "$home/bin/assay" "$home/libexec/assay/assay.so" | awk '$2 == "=>"' | grep -vF "$home" |
      grep -vE '^\s*(libc|libdl|libgcc_s|libm|libpthread|libstdc\+\+)\.so' || true)
    [ -z "$foreign" ] || fail "these come from the system: $foreign"
    env -i PATH=/nonexistent HOME="$scratch" "$scratch/tarball/assay" doctor >"$scratch/tarball/doctor"
    grep -E '^analyzers +[1-9][0-9]* loaded +0 refused' "$scratch/tarball/doctor" >/dev/null || fail "$(cat "$scratch/tarball/doctor")"
    grep -q '^### `gpu.busy_ratio`$' "$home/share/doc/assay/docs/metrics.md" || fail "the page of metrics is not in it"
    combo tarball-plugin "$1" Release "$home" "$scratch/tarball/assay"
    # Exceptions and exit() of plugins that were built here arrive, with this system's C++ library and with ours: where that of the
    # system cannot be loaded.
    mkdir -p "$scratch/tarball/refused" "$scratch/tarball/plugins"
    cp "$build"/tests/loader/plugins/{throwing_analyze,exiting}.so "$scratch/tarball/plugins"
    : >"$scratch/tarball/refused/libstdc++.so.6"
    printf '[question]\nid = "q"\n[analyzers.throwing_analyze]\n' >"$scratch/tarball/throwing.toml"
    printf '[question]\nid = "q"\n[analyzers.exiting]\n' >"$scratch/tarball/exiting.toml"
    for libraries in /nonexistent "$scratch/tarball/refused"; do
      for plugin in throwing:"lost the thread" exiting:"ended the program before its results were written"; do
        ! LD_LIBRARY_PATH=$libraries "$scratch/tarball/assay" run "$scratch/tarball/${plugin%%:*}.toml" -o "$scratch/tarball/out" \
          --reports "$source/sdk/template/golden/reports" --plugin-path "$scratch/tarball/plugins" >"$scratch/tarball/said" 2>&1 ||
          fail "$plugin: exit 0"
        grep -qF "${plugin#*:}" "$scratch/tarball/said" || fail "$libraries $plugin: $(cat "$scratch/tarball/said")"
      done
    done
    LD_DEBUG=files LD_LIBRARY_PATH=$scratch/tarball/refused "$home/bin/assay" --version 2>&1 |
      grep -F "calling init: $home/bin/../libexec/assay/older_systems/libstdc++.so.6" >/dev/null || fail "it runs without its own C++ library"
    ;;
  wheel) # The wheel, in an empty environment and without an index: what it answers is what SQLite counts.
    makes_packages
    rm -rf "$scratch/wheel"
    XZ_LEVEL=0 bash "$source/packaging/dist.sh" "$build" "$scratch/wheel" >/dev/null
    python3 "$source/tests/systems/packages.py" "$scratch/wheel" Packages.test_wheel_in_fresh_environments
    ;;
  new) # COMPILER WARNINGS: what `assay new` writes builds under our own warnings, its tests pass, and it finds what its reports hold.
    rm -rf "$scratch/new"
    "$prefix/bin/assay" new short_kernels --out-of-tree "$scratch/new" >/dev/null
    project "$scratch/new/short_kernels" new-build -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$1" \
      -DCMAKE_CXX_FLAGS="$2"
    ctest --test-dir "$scratch/new-build" --no-tests=error >"$scratch/new.ctest" || { cat "$scratch/new.ctest"; exit 1; }
    grep -q '100% tests passed, 0 tests failed out of 7' "$scratch/new.ctest" || { cat "$scratch/new.ctest"; exit 1; }
    one_symbol "$scratch/new-build/short_kernels.so"
    cmake --install "$scratch/new-build" --prefix "$scratch/new-prefix" >/dev/null
    "$prefix/bin/assay" run "$scratch/new/short_kernels/short_kernels.toml" -o "$scratch/new.out" \
      --reports "$scratch/new/short_kernels/golden/reports" --plugin-path "$scratch/new-prefix/lib/assay/plugins" |
      grep -q 'Short kernels take up to 25.0 % of the kernel time' || fail "the finding was not printed"
    ;;
  small) # COMPILER WARNINGS: what `assay new --small` writes builds optimised where nothing is said, and finds the longest kernel.
    rm -rf "$scratch/small"
    "$prefix/bin/assay" new longest --small --out-of-tree "$scratch/small" >/dev/null
    project "$scratch/small/longest" small-build -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$1" -DCMAKE_CXX_FLAGS="$2"
    grep -q '^CMAKE_BUILD_TYPE:STRING=Release$' "$scratch/small-build/CMakeCache.txt" || fail "it is built without optimisation"
    one_symbol "$scratch/small-build/longest.so"
    "$prefix/bin/assay" run "$scratch/small/longest/longest.toml" -o "$scratch/small.out" \
      --reports "$source/sdk/template/golden/reports" --plugin-path "$scratch/small-build" |
      grep -q 'The longest kernel takes' || fail "the finding was not printed"
    ;;
  format) # COMPILER WARNINGS: what `assay new --format` writes builds and passes; its files are read by every command.
    rm -rf "$scratch/format" "$scratch/format.out"
    mkdir -p "$scratch/format/profiles" "$scratch/format.out"
    "$prefix/bin/assay" new board --format --out-of-tree "$scratch/format" >/dev/null
    project "$scratch/format/board" format-build -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$1" -DCMAKE_CXX_FLAGS="$2"
    one_symbol "$scratch/format-build/board.so" assay_format
    ctest --test-dir "$scratch/format-build" --output-on-failure >"$scratch/format-test.log" || { cat "$scratch/format-test.log"; fail "its tests failed"; }
    for run in base_r1:400 base_r2:404 fast_r1:200 fast_r2:202; do
      awk -v gemm="${run#*:}" 'BEGIN {
        print "{\"format\": \"board\", \"device\": \"NVIDIA H100\"}"
        for (t = 1000; i < 20; ++i) {
          printf "{\"kernel\": \"gemm\", \"start\": %d, \"end\": %d, \"stream\": 7, \"call\": %d, \"call_end\": %d}\n", t, t + gemm, t - 60, t - 50; t += gemm + 20
          printf "{\"kernel\": \"softmax\", \"start\": %d, \"end\": %d, \"stream\": 7, \"call\": %d, \"call_end\": %d}\n", t, t + 100, t - 45, t - 35; t += 120
          printf "{\"watts\": %d, \"time\": %d}\n", 300 + i, t
        }
      }' >"$scratch/format/profiles/${run%:*}.board.jsonl"
    done
    cd "$scratch/format/profiles"
    export ASSAY_PLUGIN_PATH=$scratch/format-build
    # says TEXT COMMAND...: the command ends well and prints the text.
    says() {
      local text=$1
      shift
      "$prefix/bin/assay" "$@" >"$scratch/format.log" 2>&1 || { cat "$scratch/format.log"; fail "assay $* failed"; }
      grep -qF -- "$text" "$scratch/format.log" || { cat "$scratch/format.log"; fail "assay $* does not say: $text"; }
    }
    says "format-build/board.so" plugins
    says "board_power" describe board
    says "gemm" look base_r1.board.jsonl
    says "4 board profiles" list .
    says "4 profiles (board)" init . -o "$scratch/format.out/question.toml" --force
    printf '[question]\nid = "board"\n[labels]\npatterns = ["{mode}_r{rep}"]\n[labels.mode]\n[labels.rep]\ntype = "int"\n[analyzers.run_summary]\n' \
      >"$scratch/format.out/board.toml"
    says "Written to" run "$scratch/format.out/board.toml" --reports . -o "$scratch/format.out/result"
    says "gemm" stats base_r1.board.jsonl
    says "319" query base_r1.board.jsonl 'SELECT max(watts) FROM board_power'
    says "gemm" compare base_r1.board.jsonl fast_r1.board.jsonl -o "$scratch/format.out/compare"
    says "Written to" timeline base_r1.board.jsonl -o "$scratch/format.out/timeline.json"
    grep -qF '"name":"watts","args":{"watts":319}' "$scratch/format.out/timeline.json" || fail "the counter is no track"
    says "result" history "$scratch/format.out/result" "$scratch/format.out/result"
    says "fast_r2.board.jsonl" bench run_summary --reports . -n 1
    says "board passes all" check "$scratch/format-build/board.so" --reports .
    says "gemm" whatif base_r1.board.jsonl --scale 'kernel:gemm=0.5'
    ;;
  from_source) # COMPILER: the archives and the sources that are installed give plugins that find the same.
    combo "archive" "$1" Release "$prefix" "$prefix/bin/assay"
    if [ -e "$scratch/archive/libassay_sdk.a" ]; then fail "the installed archive was not taken"; fi
    project "$source/tests/slow/sdk_install/project" from_source -DCMAKE_CXX_COMPILER="$1" -DCMAKE_BUILD_TYPE=Release \
      -DCMAKE_PREFIX_PATH="$prefix" -DASSAY_SDK_FROM_SOURCE=ON
    [ -e "$scratch/from_source/libassay_sdk.a" ] || fail "the sources were not compiled"
    nm -C "$scratch/from_source/libassay_sdk.a" | grep -F 'T assay::stages::find_chains' >/dev/null || fail "sources in folders were not compiled"
    one_symbol "$scratch/from_source/out_of_tree.so"
    counts "$prefix/bin/assay" "$scratch/from_source" from_source
    ;;
  publish) # The template's own CI builds, tests, checks, benches and packs it against the installed assay.
    rm -rf "$scratch/publish"
    "$prefix/bin/assay" new short_kernels --out-of-tree "$scratch/publish" >/dev/null
    project=$scratch/publish/short_kernels
    bash "$project/ci.sh" "$prefix" >"$scratch/publish.log" 2>&1 || { cat "$scratch/publish.log"; fail "its CI fails"; }
    grep -q 'short_kernels passes all' "$scratch/publish.log" || fail "it was not checked"
    grep -q 'time grows as' "$scratch/publish.log" || fail "it was not benched"
    if grep 'without optimisation' "$scratch/publish.log"; then fail "it is built without optimisation"; fi
    mkdir "$scratch/publish/tar"
    tar -C "$scratch/publish/tar" --strip-components 1 -xzf "$project"/build/assay-short-kernels-0.1.0-*.tar.gz
    one_symbol "$scratch/publish/tar/lib/assay/plugins/short_kernels.so"
    "$prefix/bin/assay" plugins --plugin-path "$scratch/publish/tar/lib/assay/plugins" |
      grep '^short_kernels  *analyzer  *0\.1\.0 ' >/dev/null || fail "the packed plugin is not loaded"
    ;;
  accept) # After `new`: a golden case says what differs, takes it over when asked to, says so, and never does in CI.
    rm -rf "$scratch/accept"
    mkdir "$scratch/accept"
    case=$scratch/accept/golden
    cp -r "$scratch/new/short_kernels/golden" "$case"
    sed -i 's/,1,2,1$/,1,3,1/' "$case/expected/facts.csv"
    golden() {
      env "$@" cmake -D ASSAY="$prefix/bin/assay" -D PLUGINS="$scratch/new-build" -D CASE="$case" -D OUT="$scratch/accept/out" \
        -P "$prefix/lib/cmake/assay_sdk/golden_test.cmake" >"$scratch/accept.log" 2>&1
    }
    if golden -u CI -u ASSAY_ACCEPT; then fail "a wrong expectation passes"; fi
    cp "$source/sdk/template/golden/expected/facts.csv" "$scratch/accept/right.csv"
    sed -i 's/@NAME@/short_kernels/' "$scratch/accept/right.csv"
    expects() { # WHAT: the expectation on standard input does not pass.
      cat >"$case/expected/facts.csv"
      if golden -u CI -u ASSAY_ACCEPT; then fail "$1 passes"; fi
    }
    sed '$s/,0.2,1$/,0.3,1/' "$scratch/accept/right.csv" | head -c -1 | expects "a wrong last line without a line break"
    head -1 "$scratch/accept/right.csv" | expects "an expectation of a heading alone"
    sed 3d "$scratch/accept/right.csv" | expects "a fact of the plugin that nobody expects"
    head -c -1 "$scratch/accept/right.csv" >"$case/expected/facts.csv"
    golden -u CI -u ASSAY_ACCEPT || { cat "$scratch/accept.log"; fail "a right last line without a line break does not pass"; }
    sed 's/,1,2,1$/,1,3,1/' "$scratch/accept/right.csv" | expects "a wrong expectation"
    grep -q 'ASSAY_ACCEPT=1' "$scratch/accept.log" || fail "how to accept is not said"
    if golden CI=true ASSAY_ACCEPT=1; then fail "CI accepts"; fi
    grep -q ',1,3,1$' "$case/expected/facts.csv" || fail "CI has written"
    golden -u CI ASSAY_ACCEPT=1 || { cat "$scratch/accept.log"; fail "it was not accepted"; }
    grep -q 'accepted: facts.csv' "$scratch/accept.log" || fail "it was accepted in silence"
    golden -u CI -u ASSAY_ACCEPT || { cat "$scratch/accept.log"; fail "what was accepted does not pass"; }
    ;;
  *) fail "no step '$step'" ;;
esac
