#!/usr/bin/env bash
# containers.sh: what packaging/Dockerfile and packaging/assay.def do with the tarball in dist/ (`./dev dist`), without a daemon: the
# first is built by buildah from a base that mmdebstrap makes, under the name that it asks for; of the second the sections are taken
# apart and run in a chroot as Apptainer would. Then the program of each answers. Exit 0 with a note for what cannot be had here.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
skip() { echo "SKIPPED: $*"; exit 0; }
fail() { echo "failed: $*" >&2; exit 1; }
[ "$(id -u)" -eq 0 ] || skip "containers: making a chroot needs root"
command -v mmdebstrap >/dev/null || skip "containers: mmdebstrap is not here"
tarballs=(dist/assay-*-linux-"$(uname -m)".tar.xz)
[ -f "${tarballs[0]}" ] || fail "there is no tarball in dist/; ./dev dist makes it"
work=$(mktemp -d)
trap 'umount "$work/root/proc" 2>/dev/null || true; rm -rf --one-file-system "$work"' EXIT
mmdebstrap --quiet --variant=minbase bookworm "$work/root" || skip "containers: mmdebstrap cannot make Debian 12"
version=$(basename "${tarballs[0]}" | sed -E 's/^assay-(.*)-linux-.*/\1/')

if command -v buildah >/dev/null; then
  # A storage of its own: nothing stays on this machine.
  b() { buildah --root "$work/storage" --runroot "$work/run" "$@"; }
  base=$(b from scratch)
  b add -q "$base" "$work/root" / >/dev/null
  b commit -q "$base" "docker.io/library/$(sed -n 's/^FROM //p' packaging/Dockerfile)" >/dev/null
  b bud -q --isolation chroot --network host --pull-never -t assay-check -f packaging/Dockerfile dist >/dev/null
  made=$(b from --pull-never assay-check)
  b run --isolation chroot "$made" -- assay --version | grep -F "assay $version " || fail "the image of the Dockerfile does not answer"
  b inspect --type image assay-check | grep -A 2 '"Entrypoint"' | grep '"assay"' >/dev/null || fail "the image starts something else"
  echo "packaging/Dockerfile: built by buildah, and its program answers"
else
  echo "SKIPPED: packaging/Dockerfile: buildah is not here"
fi

# section NAME: the lines of that section of assay.def.
section() { awk -v name="%$1" '/^%/ {inside = ($1 == name); next} inside' packaging/assay.def; }
[ "$(sed -n 's/^From: //p' packaging/assay.def)" = "$(sed -n 's/^FROM //p' packaging/Dockerfile)" ] || fail "the two have another base"
section files | while read -r from to; do
  [ -n "$from" ] || continue
  # shellcheck disable=SC2086
  cp $from "$work/root$to"
done
cp -L /etc/resolv.conf /etc/hosts "$work/root/etc/"
mount -t proc proc "$work/root/proc"
section post | chroot "$work/root" sh -e -s >/dev/null
section runscript >"$work/root/run.sh"
chroot "$work/root" sh /run.sh --version | grep -F "assay $version " || fail "the image of assay.def does not answer"
echo "packaging/assay.def: its sections ran in a chroot, and its program answers"
