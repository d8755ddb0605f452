#!/usr/bin/env bash
# arm64_root.sh FOLDER PACKAGE...: unpacks the libraries among the packages, as this system's archive has them for arm64, into FOLDER. They
# are only unpacked: nothing of them runs, and nothing of this system changes.
set -euo pipefail
root=$1; shift
suite=$(. /etc/os-release; echo "$VERSION_CODENAME")
libraries=libc6-dev,libstdc++6
for package in "$@"; do
  case $package in lib* | *-dev) libraries+=,$package ;; esac
done
rm -rf "$root.tmp"
mkdir -p "$root.tmp"
mmdebstrap --quiet --arch=arm64 --variant=extract --include="$libraries" "$suite" "$root.tmp"
# Where /lib is a link that a script of a package makes, nobody made it; and no device file is wanted here.
[ -e "$root.tmp/lib" ] || ln -s usr/lib "$root.tmp/lib"
rm -rf "$root.tmp/dev"
mv "$root.tmp" "$root"
