#!/bin/sh
# Loads Strata and redis-server with scripts in turn and prints how they compare: CPU per operation, with the server on
# one core and one worker, and for Strata what two workers cost. What the figures mean: bench/README.md.
# Usage: bench/scripts.sh [flags]   (flags: out/strata-bench types --help)
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/scripts/setup.sh"

commit=$(git -C "$root" describe --always --dirty 2>/dev/null) || commit=unknown
processor=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)
say "Strata at commit $commit; $(nproc) × ${processor:-$(uname -m)}, Linux $(uname -r)"

exec "$root/bench/types.sh" --loads \
  script-return script-return-p1 script-release script-release-p1 script-limiter script-limiter-p1 \
  script-limiter-2workers script-1000-bodies "$@"
