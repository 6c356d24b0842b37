#!/bin/sh
# Loads Strata and other servers side by side with memtier_benchmark and prints how they compare: throughput, latency,
# CPU per operation, what two workers cost, memory per item, start. What the figures mean: bench/README.md. The floor,
# which answers a constant, shows what of it is the kernel's.
# Usage: bench/versus.sh [--server NAME=PORT=COMMAND]... [flags]   (flags: out/strata-bench versus --help)
# Strata always takes part; the other servers are those given, or redis-server from the PATH.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/scripts/setup.sh"

other=redis
for argument in "$@"; do
  case $argument in
    --server | --server=*) other=given ;;
  esac
done
if [ "$other" = redis ]; then
  has redis-server || fail "redis-server is not on the PATH: install it, or name another server with --server."
  set -- "$@" --server 'redis=0=redis-server --port {port} --bind 127.0.0.1 --save "" --appendonly no --dir {dir}'
fi

"$root/build.sh"
cmake -S "$root/bench/floor" -B "$root/out/floor" -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$root/out/floor" >/dev/null
exec "$root/out/strata-bench" versus --floor "'$root/out/floor/floor' --port {port} --bytes {bytes}" \
  --server "strata=0='$root/out/strata-server' --port {port} --bind 127.0.0.1 --save '' --workers {workers}" "$@"
