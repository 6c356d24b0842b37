#!/bin/sh
# Loads Strata and redis-server with commands on every type in turn and prints how they compare: CPU per operation,
# throughput, latency, and the memory of large and of small collections. What the figures mean: bench/README.md.
# Usage: bench/types.sh [flags]   (flags: out/strata-bench types --help)
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/scripts/setup.sh"

has redis-server || fail "redis-server is not on the PATH: install it to compare with."
"$root/build.sh"
exec "$root/out/strata-bench" types \
  --server "strata=0='$root/out/strata-server' --port {port} --bind 127.0.0.1 --save '' --workers {workers}" \
  --server 'redis=0=redis-server --port {port} --bind 127.0.0.1 --save "" --appendonly no --dir {dir}' "$@"
