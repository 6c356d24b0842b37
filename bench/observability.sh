#!/bin/sh
# Measures what it costs to watch Strata: metrics scraped each second and the live page's streams open against neither,
# what a scrape costs and whether clients notice it, and the memory of curve, hot keys and prefixes. Draws the charts of
# it in docs/charts. What figures mean: bench/README.md.
# Usage: bench/observability.sh [flags]   (flags: out/strata-bench observability --help)
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/scripts/setup.sh"

"$root/build.sh"
commit=$(git -C "$root" describe --always --dirty 2>/dev/null) || commit=unknown
processor=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)
busy=$(cut -d ' ' -f 1-3 /proc/loadavg)
say "Strata at commit $commit; $(nproc) × ${processor:-$(uname -m)}, Linux $(uname -r), load $busy"

report=$(mktemp)
trap 'rm -f "$report"' EXIT
"$root/out/strata-bench" observability --server "'$root/out/strata-server' --port {port} --bind 127.0.0.1 --save '' \
--workers {workers} --metrics-port {metrics}" --json "$report" "$@"
"$root/out/strata-bench" chart --input "$report" --output "$root/docs/charts"
