#!/bin/sh
# Measures one file system in one run, layer by layer: fio, the storage library's device, its shards (kv), and the
# server under memtier_benchmark. Prints a table; what the figures mean: bench/README.md.
# Usage: bench/disk.sh [--json FILE] [FOLDER] [flags]   (FOLDER: where to measure, by default the current folder;
# flags: out/strata-bench disk --help; for example --seconds 30)
# Where fio or memtier_benchmark is missing, it says so and leaves their rows out.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/scripts/setup.sh"

folder=.
json=
if [ "${1:-}" = --json ]; then
  json=${2:?"--json needs a file"}
  shift 2
fi
case ${1:-} in
  '' | -*) ;;
  *)
    folder=$1
    shift
    ;;
esac
[ -z "$json" ] || set -- --json "$json" "$@"

"$root/build.sh"
server="'$root/out/strata-server' --port {port} --bind 127.0.0.1 --save '' --workers {workers} --storage-tier yes"
exec "$root/out/strata-bench" disk --folder "$folder" \
  --server "$server --maxmemory {memory} --dir '{dir}' --device-io-backend {backend}" "$@"
