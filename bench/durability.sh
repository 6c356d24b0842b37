#!/bin/sh
# Starts Strata and redis-server in turn with their data kept and prints how they compare: what the append-only file
# costs, how long saving and loading take, and what clients notice of a snapshot. What figures mean: bench/README.md.
# Usage: bench/durability.sh [--sync-delay MICROSECONDS] [--server NAME=PORT=COMMAND]... [flags]
# (flags: out/strata-bench durability --help; with --sync-delay, which comes first, each sync of both servers takes so
# much longer, as on a slower disk)
# The servers write to folders of their own in TMPDIR, or /tmp: let it be on the disk that is meant.
# Strata and redis-server always take part; another build of Strata can be named as a server beside them.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/scripts/setup.sh"

disk=
if [ "${1:-}" = --sync-delay ]; then
  disk="'$root/out/slowdisk/slowdisk' ${2:?"--sync-delay needs microseconds"} "
  shift 2
  cmake -S "$root/bench/slowdisk" -B "$root/out/slowdisk" -DCMAKE_BUILD_TYPE=Release >/dev/null
  cmake --build "$root/out/slowdisk" >/dev/null
fi

has redis-server || fail "redis-server is not on the PATH: install it to compare with."
"$root/build.sh"
commit=$(git -C "$root" describe --always --dirty 2>/dev/null) || commit=unknown
processor=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)
say "Strata at commit $commit; $(nproc) × ${processor:-$(uname -m)}, Linux $(uname -r), data in ${TMPDIR:-/tmp}"

exec "$root/out/strata-bench" durability --baseline redis \
  --server "strata=0=$disk'$root/out/strata-server' --port {port} --bind 127.0.0.1 --save '' --workers {workers} \
--dir {dir} {flags}" \
  --server "redis=0=${disk}redis-server --port {port} --bind 127.0.0.1 --save '' --dir {dir} {flags}" "$@"
