#!/usr/bin/env bash
# containers.sh: what packaging/Dockerfile does with the tarball in dist/ (`./dev dist`), without a daemon: it is built by buildah from a
# base that mmdebstrap makes, under the name that it asks for, and its program answers. Exit 0 with a note for what cannot be had here.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
skip() { echo "SKIPPED: $*"; exit 0; }
fail() { echo "failed: $*" >&2; exit 1; }
[ "$(id -u)" -eq 0 ] || skip "containers: making a chroot needs root"
command -v mmdebstrap >/dev/null || skip "containers: mmdebstrap is not here"
tarballs=(dist/assay-*-linux-"$(uname -m)".tar.xz)
[ -f "${tarballs[0]}" ] || fail "there is no tarball in dist/; ./dev dist makes it"
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
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
