#!/usr/bin/env bash
# chroot.sh SUITE: the two commands of README.md, `./dev demo` and `./dev test`, to their end in a bare chroot of SUITE (bookworm, trixie,
# jammy, noble) with nothing in it but what mmdebstrap makes, git and a clone of this repository. Says how long each took. Exit 0
# with a note where chroots cannot be made. ASSAY_CHROOTS names the folder they go to; ASSAY_SYSTEM_COMMANDS other commands.
set -euo pipefail
suite=$1 source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
skip() { echo "SKIPPED: $suite: $*"; exit 0; }
[ "$(id -u)" -eq 0 ] || skip "making a chroot needs root"
command -v mmdebstrap >/dev/null || skip "mmdebstrap is not here"
root=$(mktemp -d "${ASSAY_CHROOTS:-${TMPDIR:-/tmp}}/assay-$suite-XXXXXX")
mounted=()
clean_up() {
  local mount
  for mount in "${mounted[@]}"; do umount "$mount" || return; done
  rm -rf --one-file-system "$root"
}
trap clean_up EXIT
mmdebstrap --quiet --variant=apt --include=git,ca-certificates "$suite" "$root" || skip "mmdebstrap cannot make it (is there a keyring of its archive?)"
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
mkdir -p "$root/proc" "$root/dev/pts"
mount -t proc proc "$root/proc" || skip "/proc cannot be mounted"
mounted=("$root/proc")
# Terminals, of its own: tests run the program on one.
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts" || skip "/dev/pts cannot be mounted"
mounted+=("$root/dev/pts")
ln -sf pts/ptmx "$root/dev/ptmx"
# Devices that a chroot made without rights to make them lacks.
for device in null zero random urandom; do
  [ -c "$root/dev/$device" ] || { : >"$root/dev/$device" && mount --bind "/dev/$device" "$root/dev/$device" && mounted+=("$root/dev/$device"); }
done
git clone -q "$source" "$root/assay"
status=0
IFS='|' read -r -a commands <<<"${ASSAY_SYSTEM_COMMANDS:-./dev demo|./dev test}"
for command in "${commands[@]}"; do
  begin=$SECONDS
  echo "== $suite: $command"
  # shellcheck disable=SC2086
  env -i HOME=/root LC_ALL=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    chroot "$root" sh -c "cd /assay && exec $command" || { status=1; echo "failed: $suite: $command"; }
  echo "== $suite: $command took $((SECONDS - begin)) s"
done
exit $status
