#!/bin/sh
# Plays the same read-through traffic to Strata and to redis-server, each with allkeys-lru and with allkeys-lfu and the
# same maxmemory, and prints their hit ratios. What the figures mean: bench/README.md.
# Usage: bench/hitratio.sh [flags]   (flags: out/strata-bench hitratio --help; for example --maxmemory 256mb)
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/scripts/setup.sh"

has redis-server || fail "redis-server is not on the PATH: install it (the package redis-server)."
"$root/build.sh"

strata="'$root/out/strata-server' --port {port} --bind 127.0.0.1 --save ''"
redis='redis-server --port {port} --bind 127.0.0.1 --save "" --appendonly no --dir {dir}'
limit='--maxmemory {maxmemory} --maxmemory-policy'
exec "$root/out/strata-bench" hitratio \
  --server "strata-lru=0=$strata $limit allkeys-lru" --server "strata-lfu=0=$strata $limit allkeys-lfu" \
  --server "redis-lru=0=$redis $limit allkeys-lru" --server "redis-lfu=0=$redis $limit allkeys-lfu" \
  --baseline redis-lru redis-lfu --bound "$@"
