#!/usr/bin/env bash
# dist.sh BUILD OUT [tarball]: from a release build the tarball that needs nothing installed, with the licences of what is in it, and
# unless only the tarball is asked for the wheel for pip, into OUT; both for systems of 2018 and later (packaging/portable/relink.py). The
# same commit and compiler give the same bytes: entries are sorted, times are that of the commit, owners are nobody's.
set -euo pipefail
build=$(cd "$1" && pwd) source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
oldest=$(sed -n 's/^OLDEST = "\(.*\)"$/\1/p' "$source/packaging/portable/relink.py")
version=$(sed -n 's/^ASSAY_VERSION:INTERNAL=//p' "$build/CMakeCache.txt")
name=assay-$version-linux-$(uname -m)
# The time of what is built, without a repository that of the newest file of it.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$source" log -1 --format=%ct 2>/dev/null || stat -c %Y "$source/CHANGELOG.md")}
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022

stage=$(mktemp -d "$out/.stage-XXXXXX")
trap 'rm -rf "$stage"' EXIT
cmake --install "$build" --prefix "$stage/$name" --strip >/dev/null
"$source/packaging/portable/relink.py" "$build" "$stage/$name" >"$stage/used"

env -u ASSAY_PLUGIN_PATH "$stage/$name/bin/assay" describe --reference >"$stage/$name/share/doc/assay/docs/metrics.md"
# Needs the bundled profiles for its examples; without them the page is left out.
python3 "$source/tests/docs/columns_page.py" "$stage/$name/bin/assay" "$source" "$stage/$name/share/doc/assay/docs/columns.md" || [ $? -eq 77 ]

# Nothing is shipped without its licence: of headers, which no file names, and of the archives and libraries that were linked.
if command -v dpkg-query >/dev/null; then
  packages=(libboost-dev libcli11-dev libcsv-dev libsimdjson-dev libtomlplusplus-dev nlohmann-json3-dev)
  while read -r file; do
    package=$(dpkg-query -S "*/${file##*/}" 2>/dev/null | sed -n '1s/[:,].*//p' || true)
    [ -n "$package" ] || { echo "dist.sh: no package is known to have installed $file; its licence is needed" >&2; exit 1; }
    packages+=("$package")
  done <"$stage/used"
  mkdir -p "$stage/$name/share/doc/assay/libraries"
  for package in "${packages[@]}"; do cp -L "/usr/share/doc/$package/copyright" "$stage/$name/share/doc/assay/libraries/$package"; done
else
  echo "note: without dpkg there are no licences of the libraries in the tarball: do not publish it" >&2
fi
cat >"$stage/$name/README" <<TEXT
assay $version for Linux on $(uname -m)

Run bin/assay; nothing has to be installed, and this folder may stand anywhere. It needs a C library (glibc) of version
$oldest or newer, as RHEL 8, SLES 15 SP3, Debian 10 and Ubuntu 20.04 have it.
Where permission bits were lost in unpacking: chmod +x bin/assay. 'bin/assay doctor' says what this machine offers. The
documentation is in share/doc/assay; licences of the libraries that come with it or were compiled into it are in
share/doc/assay/libraries.
TEXT

# Built beside the result and renamed: nobody finds half of one.
tar -C "$stage" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u+rwX,go=rX -c "$name" |
  xz "-${XZ_LEVEL:-6}" -T1 >"$stage/$name.tar.xz"
made=("$name.tar.xz")
if [ "${3:-}" != tarball ]; then
  wheel=$("$source/packaging/wheel.py" "$stage/$name" "$version" "$stage")
  made+=("${wheel##*/}")
fi
for file in "${made[@]}"; do
  (cd "$stage" && sha256sum "$file" >"$file.sha256" && mv "$file.sha256" "$file" "$out")
  echo "$out/$file ($(($(stat -c %s "$out/$file") / 1000)) kB)"
done
echo "Both run with glibc $oldest or newer."
