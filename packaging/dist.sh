#!/usr/bin/env bash
# dist.sh BUILD OUT [tarball]: from a release build the tarball that needs nothing installed, and the Debian package unless only
# the tarball is asked for, into OUT. The same commit and compiler give the same bytes: entries are sorted, times are that of the
# commit, owners are nobody's.
set -euo pipefail
build=$(cd "$1" && pwd) source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
name=assay-$version-linux-$(uname -m)
# The time of what is built, without a repository that of the newest file of it.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$source" log -1 --format=%ct 2>/dev/null || stat -c %Y "$source/CHANGELOG.md")}
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022

stage=$(mktemp -d "$out/.stage-XXXXXX")
trap 'rm -rf "$stage"' EXIT
cmake --install "$build" --prefix "$stage/$name" --strip >/dev/null
cmake --install "$build" --prefix "$stage/$name" --strip --component libraries >/dev/null

# newest PREFIX: the newest version of this kind that a program or library here asks of the system.
newest() {
  find "$stage/$name" -type f \( -name '*.so*' -o -path '*/bin/*' \) -exec objdump -T {} + 2>/dev/null |
    grep -oE "\b$1_[0-9.]+" | sort -uV | tail -1 | cut -d_ -f2
}
licences=$stage/$name/share/doc/assay/libraries
mkdir -p "$licences"
for library in "$stage/$name"/lib/assay/libraries/*.so*; do
  package=$(dpkg-query -S "*/$(basename "$library")" 2>/dev/null | head -1 | cut -d: -f1)
  [ -z "$package" ] || cp "/usr/share/doc/$package/copyright" "$licences/$package"
done
cat >"$stage/$name/README" <<TEXT
assay $version for Linux on $(uname -m)

Run bin/assay; nothing has to be installed, and this folder may stand anywhere. It needs a C library (glibc) of version
$(newest GLIBC) or newer and libstdc++ with GLIBCXX_$(newest GLIBCXX) (that of g++ 12), as Debian 12 has them.
Where permission bits were lost in unpacking: chmod +x bin/assay. 'bin/assay doctor' says what this machine offers. The
documentation is in share/doc/assay; licences of the libraries that come with it are in share/doc/assay/libraries.
TEXT

# Built beside the result and renamed: nobody finds half of one.
tar -C "$stage" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u+rwX,go=rX -c "$name" |
  xz "-${XZ_LEVEL:-6}" -T1 >"$stage/$name.tar.xz"
(cd "$stage" && sha256sum "$name.tar.xz" >"$name.tar.xz.sha256")
if [ "${3:-}" != tarball ] && command -v dpkg-deb >/dev/null; then
  (cd "$stage" && cpack --config "$build/CPackConfig.cmake" -G DEB >"$stage/cpack.log" 2>&1) || { cat "$stage/cpack.log" >&2; exit 1; }
  mv "$stage"/*.deb "$out"
fi
mv "$stage/$name.tar.xz" "$stage/$name.tar.xz.sha256" "$out"
sed -n '3,4p' "$stage/$name/README"
for file in "$out/$name.tar.xz" "$out"/*.deb; do
  [ ! -f "$file" ] || echo "$file ($(($(stat -c %s "$file") / 1000)) kB)"
done
