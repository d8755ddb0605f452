#!/usr/bin/env bash
# first_answer.sh SUITE [DIST]: seconds from nothing to a first answer (`assay look` on a bundled profile) by wheel and tarball in a
# bare chroot of SUITE (bullseye, the oldest with glibc 2.31, bookworm, trixie, jammy, noble), which has apt, xz and Python's venv and nothing of assay. Each way begins with
# the file and ends with the page. Exit 0 with a note where chroots cannot be made.
# ASSAY_ROOT names a chroot that is there already.
set -euo pipefail
suite=$1 source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
dist=$(cd "${2:-$source/dist}" && pwd)
skip() { echo "SKIPPED: $suite: $*"; exit 0; }
[ "$(id -u)" -eq 0 ] || skip "making a chroot needs root"
root=${ASSAY_ROOT:-}
work=$(mktemp -d)
trap 'umount "$work/root/proc" "${root:-$work/none}/proc" 2>/dev/null || true; rm -rf --one-file-system "$work"' EXIT
if [ -z "$root" ]; then
  command -v mmdebstrap >/dev/null || skip "mmdebstrap is not here"
  root=$work/root
  mmdebstrap --quiet --variant=apt --include=python3-venv,xz-utils "$suite" "$root" || skip "mmdebstrap cannot make it"
fi
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
mount -t proc proc "$root/proc" || skip "/proc cannot be mounted"
[ -c "$root/dev/null" ] || skip "there are no devices in it"
rm -rf --one-file-system "${root:?}/assay"
mkdir "$root/assay"
for kind in whl tar.xz; do
  newest=
  for file in "$dist"/assay*."$kind"; do [ -n "$newest" ] && [ "$newest" -nt "$file" ] || newest=$file; done
  cp "$newest" "$root/assay/"
done
profile=$(tar -tJf "$source/examples/vit_h200_excerpt.tar.xz" | awk '/\.sqlite$/ && !seen++')
tar -C "$root/assay" -xJf "$source/examples/vit_h200_excerpt.tar.xz" "$profile"

status=0
# way NAME COMMAND: runs it in the chroot, where it prints the page of the profile.
way() {
  local begin end
  begin=$(date +%s%N)
  if env -i HOME=/root LC_ALL=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
    chroot "$root" sh -e -c "cd /assay; $2" >"$work/$1" 2>"$work/$1.log"; then
    end=$(date +%s%N)
    printf '%s: %-8s %6.1f s\n' "$suite" "$1" "$(((end - begin) / 100000000))e-1"
  else
    echo "$suite: $1 failed: $(tail -n 3 "$work/$1.log")"
    status=1
  fi
}
way wheel "python3 -m venv env && env/bin/pip install -q --no-index --disable-pip-version-check ./*.whl && env/bin/assay look '$profile'"
way tarball "tar xJf assay-*.tar.xz && assay-*-linux-*/bin/assay look '$profile'"
[ ! -s "$work/tarball" ] || cmp -s "$work/wheel" "$work/tarball" || { echo "$suite: the page by the tarball is another one"; status=1; }
exit $status
