#!/bin/sh
# Counts what Strata's workers have of each other with 1 to 16 of them: leases found taken, and work left for another
# worker, on keys that are spread, skewed, or one alone. What figures mean: bench/README.md.
# Usage: bench/cores.sh [flags]   (flags: out/strata-bench cores --help; for example --workers 2 4)
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/scripts/setup.sh"

"$root/build.sh"
exec "$root/out/strata-bench" cores --server "'$root/out/strata-server' --port {port} --bind 127.0.0.1 --save '' \
--workers {workers}" "$@"
